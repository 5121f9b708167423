"""`parse`: all parsers, one after the other."""

from __future__ import annotations

from triage.facts import Observation
from triage.parsers.allocator import parse_allocator
from triage.parsers.commands import parse_commands
from triage.parsers.configuration import parse_configuration
from triage.parsers.gpus import parse_gpus
from triage.parsers.models import parse_models
from triage.parsers.outcome import parse_outcome
from triage.parsers.progress import parse_progress
from triage.parsers.settings import parse_settings
from triage.parsers.tracebacks import parse_tracebacks
from triage.parsers.versions.parse import parse_versions
from triage.reading import Line, Log
from triage.reading.log import QUOTED


def parse(log: Log) -> list[Observation]:
    """What all parsers read from a log, in a fixed order: tracebacks, commands, settings, versions, GPUs, progress, outcome, models.

    What documents quote belongs to nobody's run and is passed over, but for what they tell of their writer's machine; a sentence that
    denies a failure tells of it, too.
    """
    whole = log
    if any(line.role in QUOTED for line in log.lines):
        spoken = [
            line if line.role != "mention" else Line(line.number, line.raw, line.text, line.prefix, "prose")
            for line in log.lines
            if line.role != "document"
        ]
        log = Log(spoken, log.total_lines, log.total_bytes, log.omitted, log.name, log.kind)
    tracebacks = parse_tracebacks(log)
    found = [
        *tracebacks,
        *parse_commands(log),
        *parse_settings(log),
        *parse_configuration(log, _user_code(tracebacks)),
        *parse_versions(log),
        *parse_gpus(log),
        *parse_allocator(log),
        *parse_progress(log),
        *parse_outcome(log),
        *parse_models(log),
    ]
    if whole is not log and len(log.lines) < len(whole.lines):
        from triage.parsers.told import add_what_is_told

        add_what_is_told(whole, found)
    return found


def _user_code(tracebacks: list[Observation]) -> frozenset[int]:
    """Numbers of the lines that show source of the user's own frames."""
    return frozenset(
        [seen.evidence[1].line for seen in tracebacks if seen.template == "frame" and seen.slots["user"] and len(seen.evidence) > 1]
    )
