"""The founding cases: what a correct explanation of each must make the reader understand, in both languages."""

# ruff: noqa: E501 - a case a line reads best
from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import triage
from triage.facts.quantities import parse_bytes

DATA = Path(__file__).parent / "data" / "founding"

# family, causes that must be among those found, facts, fixes that must be offered (the first of them leads)
EXPECTED: dict[str, tuple[str, set[str], dict[str, Any], list[str]]] = {
    "memit-oom": (
        "memory.gpu-oom", {"fragmentation", "device-imbalance"},
        {"requested_bytes": "6.00 GiB", "capacity_bytes": "31.74 GiB", "allocated_bytes": "21.11 GiB", "free_bytes": "4.61 GiB",
         "reserved_bytes": "26.75 GiB", "gpu": 0},
        ["allocator-config", "balance-device-map", "quantize", "update-code"],
    ),
    "memit-device-mismatch": (
        "device.mismatch", {"model-parallel-placement"}, {"devices": ("cuda:1", "cuda:0")}, ["move-to-same-device", "update-code"],
    ),
    "kn-oom": (
        "memory.gpu-oom", {"algorithm-parameter"},
        {"requested_bytes": "1.31 GiB", "capacity_bytes": "79.35 GiB", "allocated_bytes": "76.90 GiB", "free_bytes": "1.12 GiB",
         "reserved_bytes": "77.04 GiB", "gpu": 0},
        ["algorithm-parameter", "reduce-batch-or-sequence"],
    ),
    "deepke-oom": (
        "memory.gpu-oom", {"model-too-large"},
        {"requested_bytes": "2.00 MiB", "capacity_bytes": "23.64 GiB", "allocated_bytes": "23.08 GiB", "free_bytes": "704.00 KiB", "gpu": 2},
        ["quantize", "shard-model"],
    ),
    "deepke-quantization": ("config.quantization", set(), {}, ["remove-argument", "update-code"]),
    "deepke-bf16-triu": (
        "dtype.not-implemented", set(), {"op": "triu_tril_cuda_template", "dtypes": ("BFloat16",)}, ["upgrade-package", "pin-package", "cast-dtype"],
    ),
    "cogvlm-duplicate-load": (
        "memory.gpu-oom", {"duplicate-load"},
        {"requested_bytes": "86.00 MiB", "capacity_bytes": "23.69 GiB", "free_bytes": "46.94 MiB", "process_bytes": "23.64 GiB",
         "allocated_bytes": "23.20 GiB", "reserved_unallocated_bytes": "11.06 MiB", "gpu": 0},
        ["load-once", "quantize", "larger-gpu"],
    ),
}  # fmt: skip

# What the reader must be told, as patterns over the whole text report; the same for both languages where one pattern is given.
SAYS: dict[str, list[str | tuple[str, str]]] = {
    "memit-oom": [
        r"5\.64 GiB", r"10\.25 GiB", r"max_split_size_mb", (r"only from\s+torch\s+2\.1", r"torch 2\.1 起"), (r"fewer\s+layers or fewer\s+facts", r"更少的层或更少的知识"),
        (r"quantise\s+only\s+the\s+others", r"只量化其余层"), (r"newest\s+version", r"最新版本"), r"nvidia-smi", (r"nothing\s+to\s+do\s+with\s+the\s+failure", r"与本次故障无关"),
    ],
    "memit-device-mismatch": [
        r"compute_z\.py", r"edit_output_fn", r"delta\.to\(cur_out\[0\]\.device\)", (r"tuple", r"元组"), (r"further\s+crossings", r"同类问题"),
        (r"renumbers", r"重新编号"), r"1,2,3,4", r"set_device", (r"8-bit or 4-bit", r"8 位或 4 位量化"),
    ],
    "kn-oom": [r"adaptive_threshold", (r"[Rr]eported", r"据用户报告"), r"0\.35", r"24 GB", r"80 GB", (r"8 GB", r"8 GB"), (r"after\s+they\s+were\s+scored", r"打分之后"), r"14\d?\.\d\d MiB"],
    "deepke-oom": [
        r"24\.2\d GiB", r"12\.4\d GiB", r"7\.2\d GiB|7\.3\d GiB", r"6\.7\d GiB", (r"data\s+parallel", r"数据并行"), r"max_split_size_mb\D+1024",
        (r"same\s+2\s+bytes", r"每参数 2 字节"), (r"checkpoint\s+directory", r"检查点目录"), (r"Batch\s+size\s+and\s+sequence", r"批大小和序列长度"),
    ],
    "deepke-quantization": [r"BitsAndBytesConfig", r"load_in_4bit", r"quantization_config"],
    "deepke-bf16-triu": [r"2\.1\.0", r"4\.38", (r"inferred", r"推断"), r"transformers==4\.33\.0"],
    "cogvlm-duplicate-load": [
        r"5 of 8|5/8", r"\.to\(device\)", (r"exclude\s+each\s+other", r"互斥"), (r"18\s+billion", r"180 亿|18B"), r"3[34](?:\.\d+)? GiB", (r"spread\s+once", r"分布一份|只分布一次"),
        (r"same\s+size", r"大小相同"), (r"CLI", r"CLI"), (r"activations", r"激活"), (r"4 bit", r"4 位"),
    ],
}  # fmt: skip

NO_USE = {
    "memit-device-mismatch": {"select-device"},
    "kn-oom": {"allocator-config"},
    "deepke-oom": {"allocator-config", "reduce-batch-or-sequence", "lower-precision", "remove-argument"},
    "cogvlm-duplicate-load": {"lower-precision", "gradient-checkpointing", "allocator-config"},
}


def _explain(name: str) -> triage.Report:
    return triage.explain(DATA / f"{name}.txt")


@pytest.mark.parametrize("name", EXPECTED)
def test_family_cause_facts_and_fixes(name: str) -> None:
    family, causes, facts, fixes = EXPECTED[name]
    found = _explain(name).diagnoses
    assert {item.family for item in found} == {family}
    assert causes <= {item.cause for item in found}
    for slot, wanted in facts.items():
        value = found[0].facts[slot]
        size = parse_bytes(wanted) if isinstance(wanted, str) else None
        assert (abs(int(value) - size) <= 1) if size is not None else (value == wanted), slot
    offered = [fix.id for item in found for fix in item.fixes]
    assert found[0].fixes[0].id == fixes[0] or found[0].cause in causes
    assert set(fixes) <= set(offered)
    assert fixes[0] == next(fix for fix in offered if fix in fixes)


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", SAYS)
def test_the_report_says_what_the_reader_must_understand(name: str, lang: str) -> None:
    from triage.render.text import render

    text = render(_explain(name).to_dict(lang), width=4000, color=False, why=False, verbose=False)
    for pattern in SAYS[name]:
        wanted = pattern if isinstance(pattern, str) else pattern[0 if lang == "en" else 1]
        assert re.search(wanted, text), f"{name} does not say {wanted}:\n{text}"


@pytest.mark.parametrize("name", NO_USE)
def test_what_does_not_help_is_said_with_the_reason(name: str) -> None:
    for lang in ("en", "zh"):
        told = {item["id"]: item["why"] for diagnosis in _explain(name).to_dict(lang)["diagnoses"] for item in diagnosis["will_not_help"]}
        assert NO_USE[name] <= told.keys()
        assert all(told.values())


def test_the_fix_of_the_first_deepke_failure_leads_to_the_other_two() -> None:
    [quantize] = [fix for fix in _explain("deepke-oom").diagnoses[0].fixes if fix.id == "quantize"]
    following = {_explain(name).diagnoses[0].id for name in ("deepke-quantization", "deepke-bf16-triu")}
    assert set(quantize.leads_to) == following


def test_each_case_finds_itself_among_the_known_cases() -> None:
    wanted = {
        "memit-oom": "easyedit-memit-oom", "memit-device-mismatch": "easyedit-memit-device-mismatch", "kn-oom": "easyedit-kn-oom",
        "deepke-oom": "deepke-llama2-13b-oom", "deepke-quantization": "deepke-quantization-arguments", "deepke-bf16-triu": "deepke-bf16-triu",
        "cogvlm-duplicate-load": "cogvlm-composite-double-load",
    }  # fmt: skip
    for name, case in wanted.items():
        assert _explain(name).diagnoses[0].cases[0]["id"] == case


def test_the_fork_warning_is_named_as_noise() -> None:
    report = _explain("memit-oom").to_dict()
    lines = (DATA / "memit-oom.txt").read_text(encoding="utf-8").splitlines()
    assert {item["line"] for item in report["noise"]} == {number for number, line in enumerate(lines, 1) if "just got forked" in line}
