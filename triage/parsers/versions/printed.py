"""Versions that a script prints one after another: the statements above, and what they printed below in the same order."""

from __future__ import annotations

from triage.parsers.versions.finds import Finds
from triage.parsers.versions.packages import KNOWN, PRINTED, canonical
from triage.reading import Line, Log
from triage.reading.lazy import Pattern

_PRINT = Pattern(r"print\((?:f?[\"'][^\"']{1,60}[\"'], ?)?([\w.()]{3,60})\)\s*$")
_NUMBER = Pattern(r"['\"]?v?([0-9]{1,4}\.[0-9][\w.+-]{0,30}?)['\"]?\s*$")
_CUDNN = Pattern(r"([5-9][0-9]{3}|[19][0-9]{4,5})\s*$")
_NAMED = {"torch.version.cuda": "cuda", "torch.backends.cudnn.version()": "cudnn", "torch.version.hip": "rocm"}
_FEWEST, _MOST = 2, 20  # of them known; of all
_AHEAD = 12  # lines with something in them, between the last statement and the first line that was printed


def printed_versions(log: Log, finds: Finds) -> None:
    """Add what statements of a script print, where the lines below fit all that print a version."""
    if not any(line.text.startswith("print(") for line in log.lines):
        return
    lines = [line for line in log.lines if line.text.strip()]
    run: list[str] = []
    for place, line in enumerate(lines):
        match = _PRINT.match(line.text) if line.text.startswith("print(") else None
        if match is not None:
            run.append(_package(match[1]))
            continue
        if run and line.text.startswith(("import ", "from ", "#")):
            continue
        if _FEWEST <= len(run) <= _MOST and len([package for package in run if package]) >= _FEWEST:
            _match(run, lines[place : place + _AHEAD + len(run)], finds)
        run = []


def _package(expression: str) -> str:
    """The package whose version an expression is, '' for another value."""
    named = _NAMED.get(expression, "")
    package = canonical(expression.removesuffix(".__version__").lower()) if expression.endswith(".__version__") else named
    return package if named or package in KNOWN else ""


def _match(run: list[str], below: list[Line], finds: Finds) -> None:
    for start in range(len(below) - len(run) + 1):
        printed = below[start : start + len(run)]
        found = [(_CUDNN if package == "cudnn" else _NUMBER).match(line.text) for package, line in zip(run, printed, strict=True)]
        if all(match is not None for match, package in zip(found, run, strict=True) if package):
            for package, match, line in zip(run, found, printed, strict=True):
                if package and match is not None:
                    finds.add(package, match[1], line, PRINTED, neighbours=False)
            return
