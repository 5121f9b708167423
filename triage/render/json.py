"""The report as JSON: the contract's keys in the contract's order."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

_REPORT_KEYS: Final = ("schema_version", "lang", "input", "diagnoses", "noise", "environment", "observations")
_DIAGNOSIS_KEYS: Final = (
    "id", "family", "cause", "family_title", "cause_title", "confidence", "title", "summary", "facts", "gpu_memory", "user_frame",
    "evidence", "why", "proof", "fixes", "will_not_help", "missing", "consequence_of", "cases", "references",
)  # fmt: skip


def render(report: Mapping[str, Any] | Sequence[Mapping[str, Any]], indent: int | None = 2) -> str:
    """One report as an object, several as a list; ends in a line feed.

    Chinese stands as itself. Characters that a terminal would act on, or that UTF-8 cannot hold, stand as JSON
    escapes: what a parser reads is the text itself.
    """
    ordered = _ordered(report) if isinstance(report, Mapping) else [_ordered(item) for item in report]
    return escaped_dumps(ordered, indent)


def escaped_dumps(data: object, indent: int | None = 2) -> str:
    """`data` as JSON whose characters are all printable, line feeds between values aside; ends in a line feed."""
    return _escaped(json.dumps(data, ensure_ascii=False, indent=indent)) + "\n"


def _ordered(report: Mapping[str, Any]) -> dict[str, Any]:
    result = _first(report, _REPORT_KEYS)
    result["diagnoses"] = [_first(diagnosis, _DIAGNOSIS_KEYS) for diagnosis in report["diagnoses"]]
    return result


def _first(mapping: Mapping[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    """The known keys first, in their order, then whatever else there is, sorted."""
    rest = sorted(set(mapping) - set(keys))
    return {key: mapping[key] for key in (*keys, *rest) if key in mapping}


def _escaped(text: str) -> str:
    """Outside of strings JSON is printable but for line feeds, so every other character found here stands in a string."""
    if text.replace("\n", "").isprintable():
        return text
    return "".join(char if char.isprintable() or char == "\n" else json.dumps(char)[1:-1] for char in text)
