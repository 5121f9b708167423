"""What a rule author is told: path, line and column, the id of the rule, what is wrong and what would be right; everything at once."""

from __future__ import annotations

import pytest

from triage.rulebook.errors import Problem, RuleError
from triage.rulebook.loader import load_text

RULE = """failure: memory.gpu-oom/toy
title: {en: Toy ran out, zh: 玩具显存不足}
signatures:
  - id: toy
    text: 'toy allocator refused %{SIZE:requested_bytes}'
diagnoses:
  - id: toy-large
    cause: request-too-large
    confidence: 0.9
    fixes:
      - id: larger-gpu
"""


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("title:", "tilte:", "toy.yaml:2:1: error R004: tilte: no such key is known here: did you mean title?"),
        ("cause:", "reason:", "toy.yaml:8:5: error R004: toy-large: diagnoses.0.reason: no such key is known here; there are id, cause"),
        ("- id: larger-gpu", "- name: larger-gpu", "toy.yaml:11:9: error R004: toy-large: diagnoses.0.fixes.0.id: is missing here"),
        ("confidence: 0.9", "confidence: [0.9]", "toy.yaml:9:5: error R004: toy-large: diagnoses.0.confidence: must be a number or a text"),
        ("confidence: 0.9", "named: true\n    on: []", "toy-large: diagnoses.0: named says it already: leave out on"),
        ("confidence: 0.9", "confidence: 9", "diagnoses.0.confidence: a probability lies between 0 and 1"),
        ("id: toy-large", "id: Toy Large", "diagnoses.0.id: must be small letters, digits, dots and dashes"),
        ("    text:", "    span: many\n    text:", "toy.yaml:5:5: error R004: toy: signatures.0.span: must be a whole number"),
        ("    text:", "    in: [stdout]\n    text:", "toy: signatures.0.in.0: must be 'output', 'prose', "),
        ("en: Toy ran out, ", "", "toy.yaml:2:1: error R004: title.en: is missing here"),
        ("title: {en: Toy ran out, zh: 玩具显存不足}", "title: Toy", "toy.yaml:2:1: error R004: title: must be a mapping"),
        ("  - id: toy\n", "\t- id: toy\n", "toy.yaml:4:1: error R003: not YAML: found character that cannot start any token; indent with"),
        ("en: Toy ran", "en: Toy: ran", "toy.yaml:2:16: error R003: not YAML: did not find expected ',' or '}'; let lines of one level"),
        ("'toy allocator refused %{SIZE:requested_bytes}'", "%{SIZE} toy", "put a text that begins with %, @ or ` in quotes"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_place_and_remedy(old: str, new: str, says: str) -> None:
    assert RULE.count(old) == 1
    with pytest.raises(RuleError) as error:
        load_text(RULE.replace(old, new), "toy.yaml")
    assert says in str(error.value)
    assert len(error.value.problems) == 1 or "name: larger-gpu" in new


def test_the_id_of_a_rule_is_told_though_its_letters_stand_elsewhere() -> None:
    assert str(Problem("a.yaml", 1, 2, "R004", "diagnoses.0.fxes: wrong", rule="x")) == "a.yaml:1:2: error R004: x: diagnoses.0.fxes: wrong"
    assert str(Problem("a.yaml", 1, 2, "R010", "x: wrong", rule="x")) == "a.yaml:1:2: error R010: x: wrong"


def test_several_mistakes_are_told_at_once() -> None:
    wrong = (
        RULE.replace("id: toy\n", "id: 7\n")
        .replace("confidence: 0.9", "confidence: x: 1")
        .replace("x: 1", "[]")
        .replace("id: larger", "ix: larger")
    )
    with pytest.raises(RuleError) as error:
        load_text(wrong, "toy.yaml")
    assert [str(problem).partition(": error ")[0] for problem in error.value.problems] == [
        "toy.yaml:4:5", "toy.yaml:9:5", "toy.yaml:11:9", "toy.yaml:11:9",
    ]  # fmt: skip


def test_bytes_that_are_no_text_are_told_with_their_line(tmp_path_factory: pytest.TempPathFactory) -> None:
    from triage.rulebook.loader import load_file

    path = tmp_path_factory.mktemp("rules") / "toy.yaml"
    path.write_bytes(RULE.encode().replace(b"Toy ran", b"Toy \xff ran"))
    with pytest.raises(RuleError, match=r"toy\.yaml:2:17: error R001: cannot be read as UTF-8 text \(byte 0xff\): save it as UTF-8"):
        load_file(path)
