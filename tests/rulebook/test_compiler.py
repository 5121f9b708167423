"""Rule files: what they compile to, and how what is wrong in them is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from triage.pipeline import Triage
from triage.rulebook.errors import RuleError
from triage.rulebook.loader import load_text

GOOD = """
failure: memory.gpu-oom/toy
title: {en: Toy ran out, zh: 玩具显存不足}
signatures:
  - id: toy
    text: 'toy allocator refused %{SIZE:requested_bytes} on %{DEVICE:devices}'
diagnoses:
  - id: toy-large
    cause: request-too-large
    when:
      - test: requested_bytes > 1 GiB
    confidence: 0.9
    summary: {en: ["Asked for {requested_bytes|bytes}.", "Had {free_bytes|bytes}."], zh: ["申请 {requested_bytes|bytes}。"]}
    fixes:
      - id: quantize
        when: requested_bytes > 100 GiB
      - reduce-batch-or-sequence
  - id: toy-plain
    confidence: 0.7
    fixes: [larger-gpu]
"""


def _pack(tmp_path: Path, text: str) -> Triage:
    (tmp_path / "toy.yaml").write_text(text, encoding="utf-8")
    return Triage([str(tmp_path)])


def test_a_pack_adds_a_failure(tmp_path: Path) -> None:
    triage = _pack(tmp_path, GOOD)
    [found] = triage.explain("toy allocator refused 2 GiB on cuda:1").diagnoses
    assert (found.id, found.cause) == ("memory.gpu-oom.toy-large", "request-too-large")
    assert found.summary == "Asked for 2.00 GiB."  # the sentence with the unknown value is left out
    assert [fix.id for fix in found.fixes] == ["reduce-batch-or-sequence"]
    [plain] = triage.explain("toy allocator refused 2 MiB on cuda:1").diagnoses
    assert (plain.id, plain.cause) == ("memory.gpu-oom.toy-plain", None)


NAMED = """
failure: memory.gpu-oom/toy
title: {en: Toy ran out, zh: 玩具显存不足}
signatures:
  - id: said
    text: 'my toy is full'
    signal: false
    asserts: [{told-failure: {failure: memory.gpu-oom, line: $line}}]
  - id: shown
    text: 'toy failed hard'
diagnoses:
  - id: toy-named
    named: true
    fixes: [larger-gpu]
  - id: toy-shown
    on: [shown]
    fixes: [quantize]
"""


def test_what_is_only_named_needs_a_sentence_and_gives_way_to_what_is_shown(tmp_path: Path) -> None:
    triage = _pack(tmp_path, NAMED)
    [named] = triage.explain("Today my toy is full").diagnoses
    assert (named.id, named.summary) == ("memory.gpu-oom.toy-named", "The text tells of this without showing its message.")
    assert [fix.id for fix in named.fixes] == ["larger-gpu"]
    shown = triage.explain("Today my toy is full\ntoy failed hard").diagnoses[0]
    assert shown.id == "memory.gpu-oom.toy-shown"


def test_a_diagnosis_yields_to_the_named_one_alone(tmp_path: Path) -> None:
    text = GOOD.replace("    confidence: 0.7\n", "    confidence: 0.7\n    yields_to: [memory.gpu-oom.toy-none]\n")
    [plain] = _pack(tmp_path, text).explain("toy allocator refused 2 MiB on cuda:1").diagnoses
    assert plain.id == "memory.gpu-oom.toy-plain"
    text += "  - id: toy-none\n    confidence: 0.6\n"
    [other] = _pack(tmp_path, text).explain("toy allocator refused 2 MiB on cuda:1").diagnoses
    assert other.id == "memory.gpu-oom.toy-none"


def test_a_diagnosis_yields_to_every_other(tmp_path: Path) -> None:
    text = GOOD.replace("    confidence: 0.7\n", "    confidence: 0.7\n    yields_to: ['*']\n")
    refused = "toy allocator refused 2 MiB on cuda:1"
    assert [found.id for found in _pack(tmp_path, text).explain(refused).diagnoses] == ["memory.gpu-oom.toy-plain"]
    beside = refused + "\nRuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)\n"
    assert [found.family for found in _pack(tmp_path, text).explain(beside).diagnoses] == ["shape.mismatch"]


@pytest.mark.parametrize(
    ("change", "code", "says"),
    [
        (("memory.gpu-oom/toy", "memory.gpu-oops/toy"), "R010", "did you mean memory.gpu-oom"),
        (("cause: request-too-large", "cause: too-large"), "R010", "unknown cause"),
        (("- id: quantize", "- id: quantise"), "R010", "did you mean quantize"),
        (("requested_bytes > 1 GiB", "requested_bytes >"), "R011", "requested_bytes >"),
        (("%{SIZE:requested_bytes}", "%{SIZES:requested_bytes}"), "R015", "unknown hole"),
        (("{requested_bytes|bytes}.", "{requested_bytes|bites}."), "R014", "unknown filter"),
        (("confidence: 0.9", "confidence: 1.9"), "R004", "between 0 and 1"),
        (("confidence: 0.9", "confidnce: 0.9"), "R004", "diagnoses.0.confidnce: no such key is known here: did you mean confidence?"),
        (("id: toy-plain", "id: toy-large"), "R012", "already taken"),
        (("title: {en", "title: {en: 'x"), "R003", "not YAML"),
    ],
)
def test_a_wrong_file_is_told_with_its_place(tmp_path: Path, change: tuple[str, str], code: str, says: str) -> None:
    text = GOOD.replace(*change)
    assert text != GOOD
    with pytest.raises(RuleError) as error:
        _pack(tmp_path, text)
    problem = error.value.problems[0]
    assert problem.code == code
    assert says in problem.message
    assert problem.line > 0
    assert problem.path.endswith("toy.yaml")


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (("cause: request-too-large", "cause: too-large"), "toy-large"),
        (("confidence: 0.9", "confidence: 1.9"), "toy-large"),
        (("%{SIZE:requested_bytes}", "%{SIZES:requested_bytes}"), "toy"),
        (("fixes: [larger-gpu]", "fixes: [largest-gpu]"), "toy-plain"),
        (("memory.gpu-oom/toy", "memory.gpu-oops/toy"), ""),
    ],
)
def test_what_is_wrong_names_the_rule(tmp_path: Path, change: tuple[str, str], rule: str) -> None:
    with pytest.raises(RuleError) as error:
        _pack(tmp_path, GOOD.replace(*change))
    [problem] = error.value.problems
    assert problem.rule == rule
    assert rule in str(problem)


def test_everything_wrong_is_told_at_once(tmp_path: Path) -> None:
    text = GOOD.replace("cause: request-too-large", "cause: nope").replace("larger-gpu", "largest-gpu")
    with pytest.raises(RuleError) as error:
        _pack(tmp_path, text)
    assert len(error.value.problems) == 2


def test_negation_through_a_cycle_is_refused_with_the_cycle(tmp_path: Path) -> None:
    text = """
rules:
  - id: a
    when: [{signal: {failure: $f}}, {not: {blue: {name: $f}}}]
    assert: [{red: {name: $f}}]
  - id: b
    when: [{red: {name: $f}}]
    assert: [{blue: {name: $f}}]
"""
    with pytest.raises(RuleError, match=r"red.*blue|blue.*red"):
        _pack(tmp_path, text)


def test_words_that_yaml_1_1_takes_for_booleans_stay_words() -> None:
    source = load_text("rules: [{id: on, when: [{setting: {name: no, value: 1:30}}], assert: [{x: {name: off}}]}]", "x.yaml")
    assert source.model.rules[0].when == [{"setting": {"name": "no", "value": "1:30"}}]


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]",
        "!!python/object/apply:os.system ['true']",
        "rules: " + "[" * 5000,
        "\x00",
        "rules: {",
    ],
)
def test_hostile_yaml_is_one_clear_problem(text: str) -> None:
    with pytest.raises(RuleError) as error:
        load_text(text, "x.yaml")
    assert error.value.problems[0].code in ("R003", "R004", "R005")
