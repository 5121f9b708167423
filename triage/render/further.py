"""The diagnoses beside the first: those that stand for themselves, without the steps that were advised already, and consequences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def without_repetition(diagnoses: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The diagnoses after the first that are no consequence of another, each with those of its fixes that were not shown word for word."""
    shown = [fix for item in diagnoses[:1] for fix in item["fixes"]]
    further: list[Mapping[str, Any]] = []
    for item in diagnoses[1:]:
        if not item["consequence_of"]:
            new = [fix for fix in item["fixes"] if not any(_same(fix, told) for told in shown)]
            further.append({**item, "fixes": new})
            shown += new
    return further


def consequences(diagnoses: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The diagnoses after the first that another explains."""
    return [item for item in diagnoses[1:] if item["consequence_of"]]


def _same(fix: Mapping[str, Any], told: Mapping[str, Any]) -> bool:
    return all(fix.get(key) == told.get(key) for key in ("title", "detail", "commands", "verdict"))
