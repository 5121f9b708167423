"""The processes that PyTorch's out-of-memory message lists, from torch 2.1 on: "Process 123 has 10.00 GiB memory in use."

The list is of the whole card as the driver sees it. Inside a container the failing process may stand in it under its number
outside; the message then has no "this process".

PyTorch 2.2 and 2.3 print the index of the card as a character (its type is a byte), which goes with the control characters of
a line; `printed-index` keeps it. For the first card that character ends the message.
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
_CHARACTER = Pattern(r"GPU ([\x01-\x07]) has a total capac")
MAX_PROCESSES = 256
MAX_OPENING = 2  # lines from "out of memory" to the capacity, where the message was broken after its sentences
MAX_LINES = 16  # from the first line of a message that was broken up to one of its processes


def parse_allocator(log: Log) -> list[Observation]:
    """`gpu-process` facts of every out-of-memory message, and `printed-index` where the index of its card is a character."""
    found: list[Observation] = []
    opened: Line | None = None  # where a message begins, which may be broken after its first sentence
    start: Line | None = None
    gpu: int | None = None
    for line in log.unwrapped or log.lines:  # a cut message begins at its first line, as its signal does
        if "out of memory" in line.text:
            opened = line
        if "total capac" in line.text and (told := _GPU.search(line.text)):
            start = opened if opened and 0 <= line.number - opened.number <= MAX_OPENING else line
            gpu = int(told.group(1))
        elif "total capac" in line.text and (hidden := _CHARACTER.search(line.raw)):
            start, gpu = line, ord(hidden.group(1))
            found.append(observe("printed-index", {"gpu": gpu}, line))
        if "memory in use" in line.text and "Process " in line.text and line.role in ("output", "prose"):
            if start and 0 <= line.number - start.number <= MAX_LINES:
                found.extend(_processes(line, start, gpu))
            else:
                found.extend(_processes(line, line, None))
            if len(found) > MAX_PROCESSES:
                break
    return found[:MAX_PROCESSES]


def _processes(line: Line, start: Line, gpu: int | None) -> list[Observation]:
    """The processes that a line lists; they belong to the message whose first line `start` is."""
    facts = []
    for match in _PROCESS.finditer(line.text):
        size = parse_bytes(match.group(2))
        if size is not None:
            slots: dict[str, Value] = {"pid": int(match.group(1)), "process_bytes": size, "name": "listed"}
            if gpu is not None:
                slots["gpu"] = gpu
            facts.append(observe("gpu-process", slots, start))
    return facts
