"""What every parser writes beside its facts: where the line stood, and the line itself as evidence."""

from __future__ import annotations

from triage.engine.values import Value
from triage.facts import Evidence, Observation
from triage.parsers.scalars import number_of
from triage.reading import Line


def observe_option(name: str, value: str, line: Line) -> Observation:
    """An option made at `line`, with its value as a number where it is one."""
    slots: dict[str, Value] = {"name": name, "value": value}
    number = number_of(value)
    if number is not None:
        slots["number"] = number
    return observe("option", slots, line)


def observe(template: str, slots: dict[str, Value], line: Line, *more: Line) -> Observation:
    """An observation made at `line`; further lines are evidence too. Adds line, stream, rank, time and role to `slots`."""
    prefix = line.prefix
    slots["line"] = line.number
    slots["role"] = line.role
    if prefix.stream:
        slots["stream"] = prefix.stream
    if prefix.rank is not None:
        slots["rank"] = prefix.rank
    if prefix.stamp:
        time = line.time
        if time is not None:
            slots["time"] = time
    if more:
        return Observation(template, slots, tuple([Evidence(seen.number, seen.raw) for seen in (line, *more)]))
    return Observation(template, slots, (Evidence(line.number, line.raw),))
