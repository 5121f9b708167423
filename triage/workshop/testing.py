"""Runs the examples of rule files through the whole pipeline and says exactly what differs.

A positive example must give its family first, and no family but that one and those it declares in `also`: so every rule is
tried against the examples of every other. A near miss must not be diagnosed as the failure of its file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from triage.engine.values import Value
from triage.facts.convert import convert
from triage.facts.vocabulary import SLOTS
from triage.pipeline import Triage
from triage.report import Diagnosis
from triage.report.model import plain
from triage.rulebook.loader import Source
from triage.rulebook.schema import Example, Expectation


class Outcome:
    """The result of one example: where it stands, its name, and what differs (nothing when it passed)."""

    __slots__ = ("differences", "line", "name", "path")

    def __init__(self, path: str, line: int, name: str, differences: list[str]) -> None:
        self.path, self.line, self.name, self.differences = path, line, name, differences

    def __str__(self) -> str:
        return "\n".join(f"{self.path}:{self.line}: {self.name}: {difference}" for difference in self.differences)


def run_examples(triage: Triage, sources: Sequence[Source]) -> Iterator[Outcome]:
    """Try every example of the given files."""
    for source in sources:
        own = {source.diagnosis(diagnosis) for diagnosis in source.model.diagnoses}
        for number, example in enumerate(source.model.examples):
            line, _ = source.position("examples", number)
            name = example.name or f"example {number + 1}"
            yield Outcome(source.path, line, name, list(_differences(triage, source, example, own)))


def _differences(triage: Triage, source: Source, example: Example, own: set[str]) -> Iterator[str]:
    report = triage.explain(example.text)
    found = report.diagnoses
    shown = ", ".join(f"{item.id} ({item.confidence})" for item in found) or "nothing"
    if example.near_miss:
        wrong = [item.id for item in found if item.id in own]
        if wrong and not (isinstance(example.expect, Expectation) and example.expect.family in [item.family for item in found]):
            yield f"near miss is diagnosed as {', '.join(wrong)}"
    if example.expect == "none" and found:
        yield f"expected nothing, got {shown}"
    if isinstance(example.expect, Expectation):
        if found:
            yield from _compare(source, example.expect, found, shown)
        elif example.expect.family:
            yield f"expected {example.expect.family}, got nothing"
        noise = {item["line"] for item in report.to_dict()["noise"]}
        for line in example.expect.noise:
            if line not in noise:
                yield f"line {line} is not named as noise"


def _compare(source: Source, expect: Expectation, found: list[Diagnosis], shown: str) -> Iterator[str]:
    top = found[0]
    if expect.family and top.family != expect.family:
        yield f"expected {expect.family} first, got {shown}"
        return
    causes = [item.cause for item in found if item.family == top.family]
    if expect.cause and expect.cause not in causes[:2]:
        yield f"expected cause {expect.cause}, got {causes}"
    if expect.id and top.id != source.resolve(expect.id):
        yield f"expected id {expect.id}, got {shown}"
    families = {item.family for item in found}
    for family in sorted(families - {top.family, *expect.also}):
        yield f"also diagnosed as {family}: declare it in `also`, or keep it from matching; got {shown}"
    for family in sorted(set(expect.also) - families):
        yield f"expected also {family}, got {shown}"
    if expect.line and all(item.line != expect.line for item in top.evidence):
        yield f"expected line {expect.line} as evidence, got {[item.line for item in top.evidence]}"
    for slot, wanted in expect.facts.items():
        got = [item.facts.get(slot) for item in found if item.family == top.family]
        if not any(_same(slot, wanted, value) for value in got):
            yield f"expected {slot} = {wanted!r}, got {[plain(value) if value is not None else None for value in got]}"
    fixes = [fix.id for item in found if item.family == top.family for fix in item.fixes]
    for fix in expect.fixes:
        if fix not in fixes:
            yield f"expected fix {fix}, got {fixes}"
    if expect.first_fix and (not top.fixes or top.fixes[0].id != expect.first_fix):
        yield f"expected first fix {expect.first_fix}, got {[fix.id for fix in top.fixes]}"
    if expect.says or expect.says_not:
        wording = _wording(found)
        yield from (f"expected the report to say {words!r}" for words in expect.says if words not in wording)
        yield from (f"the report says {words!r}" for words in expect.says_not if words in wording)


def _wording(found: list[Diagnosis]) -> str:
    """All that a report says of its own, without the lines of the text that it shows."""
    parts: list[str] = []
    for item in found:
        parts += [item.title, item.summary]
        for fix in item.fixes:
            parts += [fix.title, fix.detail, *fix.commands]
        parts += [text for entry in (*item.will_not_help, *item.missing) for text in entry.values() if isinstance(text, str)]
    return "\n".join(parts)


def _same(slot: str, wanted: Any, value: Value | None) -> bool:
    if value is None:
        return False
    shown = plain(value)
    if shown == wanted or str(shown) == str(wanted):
        return True
    if isinstance(wanted, str) and slot in SLOTS:
        converted = convert(slot, wanted)
        if isinstance(converted, int) and isinstance(value, int):
            return abs(converted - value) <= max(0.006 * converted, 1)  # the text itself is rounded
        return converted == value
    return False
