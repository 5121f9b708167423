"""Likeness of cases: facts decide, text only breaks ties, and the order never depends on the order of the cases."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from triage.knowledge.cases import load_cases
from triage.knowledge.similarity import search, similar
from triage.rulebook.store import load_rulebook

KB = Path(__file__).parents[2] / "kb"
GIB = 2**30


@pytest.fixture(scope="module")
def shipped() -> list[dict[str, Any]]:
    return [case.to_data() for case in load_cases(KB)]


def _case(name: str, **changes: Any) -> dict[str, Any]:
    case: dict[str, Any] = {
        "id": name,
        "title": {"en": name, "zh": "样例"},
        "symptom": ["RuntimeError"],
        "environment": {},
        "family": "device.mismatch",
        "causes": [],
        "diagnoses": [],
        "facts": {},
        "cause": {"en": "", "zh": ""},
        "fix": {"en": "", "zh": ""},
        "fixes": [],
    }
    return {**case, **changes}


def test_a_case_resembles_its_own_diagnosis_most(shipped: list[dict[str, Any]]) -> None:
    for case in shipped:
        cause = case["causes"][0] if case["causes"] else None
        wanted = {
            "id": next(iter(case["diagnoses"]), None),
            "family": case["family"],
            "cause": cause,
            **case["facts"],
            **case["environment"],
        }
        best = similar(wanted, "\n".join(case["symptom"]), shipped)
        assert dict(best)[case["id"]] == best[0][1], best


def test_another_family_resembles_nothing() -> None:
    assert similar({"family": "memory.gpu-oom"}, "", [_case("a")]) == []


def test_facts_rank_before_text() -> None:
    cases = [
        _case("two-gpus", facts={"devices": ["cuda:0", "cuda:1"], "op": "add"}),
        _case("host", facts={"devices": ["cpu", "cuda:0"], "op": "index"}, symptom=["the very same words"]),
    ]
    wanted = {"family": "device.mismatch", "devices": ["cuda:3", "cuda:2"], "op": "add"}
    assert [name for name, _ in similar(wanted, "the very same words", cases)] == ["two-gpus", "host"]


def test_text_breaks_a_tie_with_numbers_and_paths_masked() -> None:
    cases = [_case("a", symptom=["Worker exited"]), _case("b", symptom=["/home/u/x/gather.py line 8: expected index 7 on cuda:1"])]
    wanted = {"family": "device.mismatch"}
    assert similar(wanted, "/srv/y/gather.py line 99: expected index 12345 on cuda:0", cases)[0][0] == "b"
    assert [name for name, _ in similar(wanted, "", cases)] == ["a", "b"]


def test_sizes_agree_by_order_of_magnitude() -> None:
    cases = [_case("small", facts={"requested_bytes": 20 * 2**20}), _case("large", facts={"requested_bytes": 6 * GIB})]
    scores = dict(similar({"family": "device.mismatch", "requested_bytes": 5 * GIB}, "", cases))
    assert scores["large"] > scores["small"]


def test_the_order_of_the_cases_does_not_matter(shipped: list[dict[str, Any]]) -> None:
    wanted = {"family": "memory.gpu-oom"}
    assert similar(wanted, "CUDA out of memory", shipped) == similar(wanted, "CUDA out of memory", shipped[::-1])
    assert search("memory", shipped) == search("memory", shipped[::-1])


def test_scores_lie_between_0_and_1(shipped: list[dict[str, Any]]) -> None:
    found = similar({"family": "memory.gpu-oom", "requested_bytes": GIB}, "CUDA out of memory", shipped)
    found += search("out of memory 显存 vram", shipped)
    assert found
    assert all(0 <= score <= 1 for _, score in found)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("quantizaton argumnts", "deepke-quantization-arguments"),
        ("triu bfloat16", "deepke-bf16-triu"),
        ("粗粒度神经元", "easyedit-kn-oom"),
        ("cogvlm 重复加载", "cogvlm-composite-double-load"),
        ("libcudnn not found", "paddlenlp-cudnn-symlink"),
    ],
)
def test_search_finds_misspelt_and_chinese_words(shipped: list[dict[str, Any]], query: str, expected: str) -> None:
    assert search(query, shipped)[0][0] == expected


@pytest.mark.parametrize(
    ("query", "family"),
    [
        ("爆显存", "memory.gpu-oom"),
        ("显存溢出", "memory.gpu-oom"),
        ("现存不足", "memory.gpu-oom"),
        ("多卡 卡死", "distributed.collective-timeout"),
        ("掉卡", "hardware.gpu-lost"),
        ("显卡驱动太旧", "version.driver-too-old"),
        ("docker 里用不了显卡", "env.container-runtime"),
        ("训练中途电脑重启", "hardware.thermal-power"),
        ("nccl hangs after the first epoch", "distributed.collective-timeout"),
    ],
)
def test_search_knows_what_people_call_a_failure(shipped: list[dict[str, Any]], query: str, family: str) -> None:
    families = {case["id"]: case["family"] for case in shipped}
    assert families[search(query, shipped, asked=load_rulebook().section("asked"))[0][0]] == family


def test_a_word_that_few_cases_have_counts_more_than_one_of_many() -> None:
    cases = [_case(f"other{number}", symptom=["the file is missing"]) for number in range(8)]
    cases.append(_case("wanted", symptom=["libcudnn.so.8 cannot be opened"]))
    assert search("missing libcudnn", cases)[0][0] == "wanted"


def test_half_of_the_words_are_not_enough(shipped: list[dict[str, Any]]) -> None:
    assert search("missing qqqqzzzz", shipped) == []


def test_search_for_nothing_finds_nothing(shipped: list[dict[str, Any]]) -> None:
    assert search("", shipped) == []
    assert search("qqqqzzzz", shipped) == []


def test_facts_that_decide_load_no_text_library() -> None:
    program = (
        "import sys\n"
        "from triage.knowledge.similarity import similar\n"
        "case = {'id': 'a', 'family': 'f', 'causes': [], 'diagnoses': [], 'environment': {}, 'facts': {}, 'symptom': ['x']}\n"
        "assert similar({'family': 'f'}, 'x', [case])\n"
        "loaded = {'rapidfuzz', 'yaml', 'pydantic', 'dataclasses'} & set(sys.modules)\n"
        "sys.exit(f'loaded {loaded}' if loaded else 0)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=Path(__file__).parents[2])
