"""What RE2 lets through holds all that `re` finds."""

from __future__ import annotations

import importlib
import pkgutil
import re

import pytest

import triage.parsers
import triage.reading
from triage.reading.gates import compile_gate, gate_source
from triage.reading.lazy import Gated
from triage.rulebook.loader import Source


@pytest.mark.parametrize(
    ("source", "gate"),
    [
        (r"\bI\b(?![=(\[`-])|x", r"\bI\b|x"),
        (r"(?<![)(\w])(a)(?=b(c)d)e", r"(a)e"),
        (r"\w[\w-][^\w]\s", r"[\w\x{80}-\x{10FFFF}][\w\x{80}-\x{10FFFF}-][^\w][\s\x{80}-\x{10FFFF}]"),
        (r".{0,200}?[{0,20}]{2,4}\Z", r".{0,}?[{0,20}]{2,4}\z"),
        (r"[]a]\u4e00\(", r"[\]a]\x{4e00}\("),
    ],
)
def test_a_gate_is_wider_in_what_re2_does_not_know(source: str, gate: str) -> None:
    assert gate_source(source) == gate


@pytest.mark.parametrize(
    ("source", "flags", "text"),
    [
        (r"my\b", 0, "it is my\N{CJK UNIFIED IDEOGRAPH-5361} my"),
        (r"a\s\w", 0, "a\N{IDEOGRAPHIC SPACE}\N{CJK UNIFIED IDEOGRAPH-5361}"),
        (r"end$", 0, "the end\n"),
        (r"(?i)oom\b(?!\w)", 0, "OOM"),
        ("error", re.IGNORECASE, "ERROR"),
        ("a", 0, "\udcff a"),
    ],
)
def test_a_gate_lets_a_match_through(source: str, flags: int, text: str) -> None:
    assert re.search(source, text, flags)
    assert compile_gate(source, flags).search(text.encode("utf-8", "surrogatepass"))


def gated() -> dict[str, Gated]:
    """All gated patterns, by where they stand."""
    found = {}
    for package in (triage.parsers, triage.reading):
        for info in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            module = importlib.import_module(info.name)
            found.update({f"{info.name}.{name}": value for name, value in vars(module).items() if isinstance(value, Gated)})
    return found


def test_no_gate_keeps_back_what_the_pattern_finds(shipped_rules: list[Source]) -> None:
    texts = [example.text for source in shipped_rules for example in source.model.examples]
    looked_at = [*texts, *(line for text in texts for line in text.splitlines())]
    patterns = gated()
    assert patterns
    matched = set()
    for name, pattern in patterns.items():
        compiled = re.compile(pattern._source, pattern._flags)
        for text in looked_at:
            if compiled.search(text):
                matched.add(name)
                assert pattern.may_match(text), f"{name} matches {text!r}"
    assert len(matched) > len(patterns) / 2
