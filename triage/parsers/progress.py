"""Progress bars: how far each run got. tqdm (also as Transformers and vLLM use it) and Keras."""

from __future__ import annotations

import re

from triage.facts import Observation
from triage.parsers.seen import observe
from triage.reading import Line, Log
from triage.reading.lazy import Pattern

MAX_RUNS = 200

_TQDM = Pattern(
    r"(?P<label>[^|]{0,200}?)[ :]{0,4}(?<![0-9])[0-9]{1,3}(?:\.[0-9]{1,2})?%\|[^|]{0,400}\| {0,6}(?P<current>[0-9.]{1,15}[kMGT]?)(?:iB|B)?/"
    r"(?P<total>[0-9.]{1,15}[kMGT]?)(?:iB|B)?(?= |\[|$)"
)
# tqdm without room for its bar, as in the cells of Colab
_BARE = Pattern(
    r"(?P<label>[^|%]{0,200}?)[ :]{0,4}(?<![0-9])[0-9]{1,3}% {1,3}(?P<current>[0-9]{1,9})/(?P<total>[0-9]{1,9})"
    r" \[[0-9:]{4,10}<[0-9:?]{1,10}[,\]]"
)
_SHARDS = Pattern(r"(?P<label>[^|%]{1,200}?):? {0,6}[0-9]{1,3}% Completed \| (?P<current>[0-9]{1,9})/(?P<total>[0-9]{1,9})")
_KERAS = Pattern(r"(?P<label>) {0,8}(?P<current>[0-9]{1,9})/(?P<total>[0-9]{1,9}) (?:\[[=>.]{3}|[\u2501\u2500]{3})")
_SCALES = {"k": 1_000, "M": 1_000_000, "G": 1_000_000_000, "T": 1_000_000_000_000}


class _Run:
    """One run of one bar."""

    __slots__ = ("current", "label", "line", "total")

    def __init__(self, label: str, current: int, total: int, line: Line) -> None:
        self.label = label
        self.current = current
        self.total = total
        self.line = line


def parse_progress(log: Log) -> list[Observation]:
    """Facts `progress`, the furthest state of each run; a bar that starts again is another run."""
    open_runs: dict[tuple[str, str, int], _Run] = {}
    runs: list[_Run] = []
    for block in log.blocks():
        text = block.text
        if "/" not in text:
            continue
        forms = [form for mark, form in (("%|", _TQDM), ("% Completed | ", _SHARDS), ("<", _BARE)) if mark in text and "%" in text]
        if " [=" in text or " [>" in text or "\u2501\u2501" in text:
            forms.append(_KERAS)
        if not forms:
            continue
        for line in block.lines:
            if "/" in line.text:
                for form in forms:
                    match = form.match(line.text)
                    if match is not None:
                        _advance(match, line, open_runs, runs)
                        break
    return [observe("progress", {"label": run.label, "current": run.current, "total": run.total}, run.line) for run in runs]


def _advance(match: re.Match[str], line: Line, open_runs: dict[tuple[str, str, int], _Run], runs: list[_Run]) -> None:
    current, total = _count(match["current"]), _count(match["total"])
    if current is None or total is None:
        return
    label = match["label"].strip(" :\t").rstrip("0123456789.%/ ")
    key = (line.prefix.stream, label, total)
    run = open_runs.get(key)
    if run is not None and current >= run.current and run.current < run.total:
        run.current, run.line = current, line
    elif (run is None or current < run.current) and len(runs) < MAX_RUNS:
        open_runs[key] = _Run(label, current, total, line)
        runs.append(open_runs[key])


def _count(text: str) -> int | None:
    scale = _SCALES.get(text[-1:], 1)
    try:
        return round(float(text.rstrip("kMGT")) * scale)
    except ValueError:
        return None
