"""What the tests of the parsers share."""

from __future__ import annotations

from triage.facts import SLOTS, TEMPLATES, Observation
from triage.parsers import parse
from triage.reading import read


def facts(text: str | bytes, template: str, *slots: str) -> list[dict[str, object]]:
    """The observations of one template, each with only these slots (all where none are named)."""
    found = [seen.slots for seen in parse(read(text)) if seen.template == template]
    return [{name: value for name, value in each.items() if not slots or name in slots} for each in found]


def values(text: str | bytes, template: str, slot: str) -> list[object]:
    """One slot of the observations of one template; None where it is absent."""
    return [seen.slots.get(slot) for seen in parse(read(text)) if seen.template == template]


_PYTHON_TYPES = {"str": str, "int": int, "bytes": int, "ms": int, "line": int, "float": (int, float), "bool": bool, "version": tuple}


def check_observation(seen: Observation, raw_lines: list[str]) -> None:
    """That an observation keeps to the vocabulary and shows the lines that it was read from."""
    allowed = TEMPLATES[seen.template][0]
    for name, value in seen.slots.items():
        assert name in allowed, f"{seen.template} has no slot {name}"
        expected = SLOTS[name][0]
        if expected in _PYTHON_TYPES:
            assert isinstance(value, _PYTHON_TYPES[expected]), f"{seen.template}.{name} is {value!r}"
            assert not (isinstance(value, bool) and expected != "bool")
        else:
            assert isinstance(value, str)
    assert seen.evidence
    assert seen.slots["line"] == seen.evidence[0].line
    for evidence in seen.evidence:
        first, *_ = evidence.text.split("\n")  # of a message that was cut all its lines are shown
        assert first in raw_lines[evidence.line - 1]


def versions(text: str) -> dict[object, object]:
    """The first, thus best known version of each package, as printed."""
    found: dict[object, object] = {}
    for fact in facts(text, "version"):
        found.setdefault(fact["package"], fact["version_text"])
    return found
