"""The processes that PyTorch's out-of-memory message lists, from torch 2.1 on: "Process 123 has 10.00 GiB memory in use."

The list is of the whole card as the driver sees it. Inside a container the failing process may stand in it under its number
outside; the message then has no "this process".
"""

from __future__ import annotations

from triage.engine.values import Value
from triage.facts import Observation
from triage.facts.quantities import parse_bytes
from triage.parsers.seen import observe
from triage.reading import Line, Log
from triage.reading.lazy import Pattern

_PROCESS = Pattern(r"Process (\d{1,10}) has ([0-9.]+ [KMGT]?i?B(?:ytes)?) memory in use")
_GPU = Pattern(r"GPU (\d{1,3}) has a total capac")
MAX_PROCESSES = 256
MAX_LINES = 16  # from the first line of a message that was broken up to one of its processes


def parse_allocator(log: Log) -> list[Observation]:
    """`gpu-process` facts of every out-of-memory message."""
    found: list[Observation] = []
    start: Line | None = None
    for line in log.unwrapped or log.lines:  # a cut message begins at its first line, as its signal does
        if "total capac" in line.text and _GPU.search(line.text):
            start = line
        if "memory in use" in line.text and "Process " in line.text and line.role in ("output", "prose"):
            told = start if start and 0 <= line.number - start.number <= MAX_LINES else line
            found.extend(_processes(line, told))
            if len(found) > MAX_PROCESSES:
                break
    return found[:MAX_PROCESSES]


def _processes(line: Line, start: Line) -> list[Observation]:
    """The processes that a line lists; they belong to the message whose first line `start` is."""
    gpu = _GPU.search(start.text)
    facts = []
    for match in _PROCESS.finditer(line.text):
        size = parse_bytes(match.group(2))
        if size is not None:
            slots: dict[str, Value] = {"pid": int(match.group(1)), "process_bytes": size, "name": "listed"}
            if gpu:
                slots["gpu"] = int(gpu.group(1))
            facts.append(observe("gpu-process", slots, start))
    return facts
