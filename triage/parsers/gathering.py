"""What was read from the logs of one job, brought together: facts of each log keep to its own process and to line numbers of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from triage.engine.values import Value
from triage.facts.observation import Evidence, Observation
from triage.facts.vocabulary import TEMPLATES
from triage.reading.job import rank_in_name
from triage.reading.log import Log

_NUMBERED = ("line", "traceback", "parent")  # slots that tell things of one log apart by numbers


def gather(job: Log, observe: Callable[[Log], Sequence[Observation]]) -> list[Observation]:
    """The observations of all logs of a job, in the order of the logs, and where each log begins: their order tells nothing of time."""
    gathered: list[Observation] = []
    for log, start in job.parts:
        found = observe(log)
        rank = rank_in_name(log.name)
        if any("rank" in observation.slots for observation in found):
            rank = None  # the lines tell better
        gathered.append(Observation("log", {"name": log.name, "line": start + 1}))
        gathered += [_moved(observation, log.name, start, rank) for observation in found]
    return gathered


def _moved(observation: Observation, name: str, start: int, rank: int | None) -> Observation:
    slots: dict[str, Value] = dict(observation.slots)
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
