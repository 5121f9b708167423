"""What was read from the logs of one job, brought together: facts of each log keep to its own process and to line numbers of their own,
and their times to one clock, where logs of several zones say which."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice

from triage.engine.values import Value
from triage.facts.observation import Evidence, Observation
from triage.facts.vocabulary import TEMPLATES
from triage.reading.clock import zone
from triage.reading.job import rank_in_name
from triage.reading.log import Log

_NUMBERED = ("line", "traceback", "parent")  # slots that tell things of one log apart by numbers
_ASKED = 200  # time stamps of a log that are asked for their zone


def gather(job: Log, observe: Callable[[Log], Sequence[Observation]]) -> list[Observation]:
    """The observations of all logs of a job, in the order of the logs, and where each log begins: their order tells nothing of time."""
    gathered: list[Observation] = []
    ahead = _ahead([log for log, _ in job.parts])
    for (log, start), early in zip(job.parts, ahead, strict=True):
        found = observe(log)
        rank = rank_in_name(log.name)
        if {observation.slots["rank"] for observation in found if "rank" in observation.slots} - {rank}:
            rank = None  # the lines tell better
        gathered.append(Observation("log", {"name": log.name, "line": start + 1}))
        gathered += [_moved(observation, log.name, start, rank, early) for observation in found]
    return gathered


def _ahead(logs: Sequence[Log]) -> list[int]:
    """Seconds by which the clock of each log is ahead of the others: nothing where they tell one zone or none, as most do."""
    zones = [_zone(log) for log in logs]
    told = {offset for offset in zones if offset is not None}
    return [offset or 0 if len(told) > 1 else 0 for offset in zones]


def _zone(log: Log) -> int | None:
    stamps = islice((line.prefix.stamp for line in log.lines if line.prefix.stamp), _ASKED)
    return next((offset for offset in map(zone, stamps) if offset is not None), None)


def _moved(observation: Observation, name: str, start: int, rank: int | None, ahead: int) -> Observation:
    slots: dict[str, Value] = dict(observation.slots)
    time = slots.get("time")
    if ahead and isinstance(time, (int, float)):
        slots["time"] = time - ahead
    for slot in _NUMBERED:
        number = slots.get(slot)
        if isinstance(number, int):
            slots[slot] = number + start
    known = TEMPLATES[observation.template][0]
    if "stream" in known:
        slots["stream"] = f"{name} {slots.get('stream', '')}".rstrip()
    if rank is not None and "rank" in known:
        slots.setdefault("rank", rank)
    evidence = tuple([Evidence(item.line, item.text, name, item.line + start) for item in observation.evidence])
    return Observation(observation.template, slots, evidence)
