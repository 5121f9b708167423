"""The pattern language: texts with holes, required literals, what is refused."""

from __future__ import annotations

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from triage.signatures.holes import HOLES
from triage.signatures.patterns import PatternError, compile_pattern, compile_text


def test_text_is_literal_but_for_its_holes() -> None:
    pattern = compile_text("Tried to allocate %{SIZE:requested_bytes} (GPU %{INT:gpu}; all of it)")
    found = re2.search(pattern.regex, "x Tried to  allocate 20.00 MiB (GPU 3; all of it) y")
    assert found.groups() == ("20.00 MiB", "3")
    assert pattern.slots == ["requested_bytes", "gpu"]
    assert re2.search(pattern.regex, "Tried to allocate 20.00 MiB [GPU 3; all of it]") is None


def test_the_longest_run_is_required() -> None:
    assert compile_text("NCCL error in: %{PATH:path}, unhandled system error").literals == [", unhandled system error"]


def test_alternatives_require_one_of_theirs() -> None:
    pattern = compile_pattern(r"(?:illegal address|misaligned address) at %{HEX:pci}")
    assert pattern.literals == ["illegal address at", "misaligned address at"]


def test_what_alternatives_begin_with_alike_belongs_to_each() -> None:
    assert compile_pattern(r"no (?:gpus|graphics card)").literals == ["no gpus", "no graphics card"]


def test_a_common_word_is_searched_for_only_where_nothing_is_rarer() -> None:
    assert compile_pattern(r"RuntimeError: \w+ (?:weird|strange)").literals == ["strange", "weird"]


def test_few_letters_in_brackets_are_spelled_out() -> None:
    assert compile_pattern(r"[Oo]ut[- ]of the blue").literals == ["out of the blue", "out-of the blue"]


def test_what_stands_around_a_group_belongs_to_its_alternatives() -> None:
    assert compile_pattern(r"\b[a-z]+\.(?P<op>frobnicate|det)\(").literals == [".det(", ".frobnicate("]


def test_the_alternatives_of_a_pattern_without_values_require_texts_of_their_own() -> None:
    parts = compile_pattern(r"(?i)(?:gadget \w+ fell|no (?:gizmo|widget)) off|broken \(sprocket\)").alternatives()
    assert [(part.regex, part.literals) for part in parts] == [
        (r"(?i)(?:gadget \w+ fell|no (?:gizmo|widget)) off", ["fell off", "no gizmo off", "no widget off"]),
        (r"(?i)broken \(sprocket\)", ["broken (sprocket)"]),
    ]
    parts = compile_pattern(r"(?:gadget|(?:gizmo|[|(]widget) fell)").alternatives()
    assert [part.regex for part in parts] == ["gadget", "(?:gizmo|[|(]widget) fell"]


@pytest.mark.parametrize("pattern", [r"gadget (?P<gpu>[0-9])|no gizmo", r"gadget|[0-9]+ widget\?", r"(?:gadget|gizmo)+"])
def test_a_pattern_stays_whole_where_it_captures_or_an_alternative_requires_nothing(pattern: str) -> None:
    parts = compile_pattern(pattern).alternatives()
    assert len(parts) == (2 if "widget" in pattern else 1)


def test_of_several_lines_the_literal_stands_in_the_first() -> None:
    pattern = r"gizmo fell\s+what\(\): a rather long explanation"
    assert compile_pattern(pattern).literals == ["gizmo fell what(): a rather long explanation"]
    assert compile_pattern(pattern, spans=True).literals == ["gizmo fell"]


def test_chinese_counts_by_bytes() -> None:
    assert compile_pattern("显存(?:不足|不够)").literals


@pytest.mark.parametrize(
    ("pattern", "says"),
    [
        ("(a+)+ some literal", "captures nothing"),
        ("%{NOPE:gpu} some literal", "unknown hole"),
        (r"\d+", "no text of"),
        ("some literal (?=ahead)", "linear engine"),
        (r"some literal (?P<op>a)\1", "linear engine"),
        ("some literal [", "not a regular expression"),
    ],
)
def test_what_cannot_be_matched_in_linear_time_is_refused(pattern: str, says: str) -> None:
    with pytest.raises(PatternError, match=says):
        compile_pattern(pattern)


def test_brackets_inside_a_class_do_not_open_groups() -> None:
    pattern = compile_pattern(r"value \[(?P<op>[^](]+)\] is wrong")
    assert re2.search(pattern.regex, "value [abc] is wrong").group(1) == "abc"


@given(st.text(st.characters(min_codepoint=32, max_codepoint=0x4FF), min_size=6, max_size=60))
def test_any_text_matches_itself_and_holds_its_literal(text: str) -> None:
    if "%{" in text or len(text.split()) == 0:
        return
    try:
        pattern = compile_text(text)
    except PatternError:
        return
    assert re2.search(pattern.regex, text)
    folded = " ".join(text.split()).encode().lower().decode()
    assert any(literal.encode().lower().decode() in folded or literal in text.lower() for literal in pattern.literals)


def test_every_hole_is_in_the_linear_subset() -> None:
    for name, regex in HOLES.items():
        assert re2.compile(regex).groups == 0, f"%{{{name}}} must not capture"


def test_a_match_holds_one_of_each_further_set() -> None:
    compiled = compile_pattern(r"GPU \w+ (?:was lost|dropped out)[a-z ]* on the bus(?: again)?")
    assert compiled.literals == ["on the bus"]
    assert compiled.further == [["dropped out", "was lost"], ["gpu"]]


@pytest.mark.parametrize(
    ("text", "matches"),
    [
        ("fine-tune Qwen2.5-7B with LoRA", True),
        ("train it with train.py and torch 2.5.1 on LoRA", True),
        ("I train it. LoRA is another matter", False),
        ("I train it;LoRA is another matter", False),
    ],
)
def test_a_dot_within_a_word_ends_no_sentence(text: str, matches: bool) -> None:
    compiled = compile_pattern(r"\btrain\b[^.;\n]{0,40}?\bLoRA\b|\bfine-tune\b[^.;\n]{0,40}?\bLoRA\b", None, False)
    assert (re2.search(compiled.regex, text) is not None) == matches
