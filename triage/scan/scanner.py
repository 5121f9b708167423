"""One log after the other, or many at once: read, explained, and its findings counted."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from functools import cache, partial
from typing import IO, Any

from triage.pipeline import Triage
from triage.reading.compressed import Begun, Unpacked, unpacked
from triage.reading.reader import chunks
from triage.report.report import SCHEMA_VERSION
from triage.scan.outcome import Outcome
from triage.scan.pools import ENGINES
from triage.scan.sources import SAMPLE, SOURCE_SUFFIXES, Source, looks_binary, looks_like_source

Watch = Callable[[IO[bytes], str], IO[bytes]]


def scan(
    sources: Sequence[Source],
    *,
    lang: str = "en",
    packs: Sequence[str] = (),
    project: str | None = None,
    engine: str = "local",
    jobs: int = 1,
    watch: Watch | None = None,
) -> Generator[Outcome, None, None]:
    """What each log reports, in the order of the sources, as soon as it is known.

    `lang` is "en" or "zh"; `packs` and `project` say whose rules are used besides the shipped ones, as for `Triage.equipped`. With
    `engine` "local" and one job the logs are read in this process, and `watch` may put something between a file and its reader, to show
    progress; with more jobs so many processes read them. With "ray" the tasks go to the cluster that RAY_ADDRESS names, or to one that is
    started here; its nodes must see the files under the same paths.

    Raises RuleError where the rules of a given pack are wrong, PoolError where processes cannot be started or die. A log that cannot
    be read is an outcome with a problem.
    """
    task = partial(scan_source, lang=lang, packs=tuple(packs), project=project)
    if engine == "local" and jobs <= 1:
        for source in sources:
            yield task(source, watch=watch)
        return
    here = {at: source for at, source in enumerate(sources) if source.path == "-"}  # no other process has this one's input
    others = [source for source in sources if source.path != "-"]
    with closing(ENGINES[engine](task, others, jobs)) as outcomes:
        for at in range(len(sources)):
            yield task(here[at]) if at in here else next(outcomes)


def scan_source(source: Source, *, lang: str, packs: tuple[str, ...], project: str | None, watch: Watch | None = None) -> Outcome:
    """What one log reports. Raises RuleError where a rule pack is wrong, nothing for any log."""
    if source.problem:
        return Outcome(source.path, problem=source.problem)
    if not source.given and source.path.lower().endswith(SOURCE_SUFFIXES):
        return Outcome(source.path, skipped="source")
    engine = _engine(packs, project)
    try:
        if source.path != "-":
            with open(source.path, "rb") as file:
                return _outcome(engine, source, file, lang, watch)
        if sys.stdin is None:
            raise OSError("standard input is closed")
        with tempfile.TemporaryFile() as copy:  # it is read twice
            while part := sys.stdin.buffer.read(1 << 20):
                copy.write(part)
            copy.seek(0)
            return _outcome(engine, source, copy, lang, None)
    except OSError as error:
        return Outcome(source.path, problem=error.strerror or str(error))


@cache
def _engine(packs: tuple[str, ...], project: str | None) -> Triage:
    """The rule base of this process."""
    return Triage.equipped(packs, project=project)


def _outcome(engine: Triage, source: Source, file: IO[bytes], lang: str, watch: Watch | None) -> Outcome:
    text: Any = unpacked(watch(file, source.path) if watch else file)
    start = text.read(SAMPLE)
    if not source.given and looks_binary(start):
        return Outcome(source.path, skipped="binary")
    rest: Any = Begun(start, text)
    log = engine.read(rest, source.path)
    report = engine.explain_logs([log])
    diagnoses = report.to_dict(lang)["diagnoses"]
    if diagnoses and not source.given and looks_like_source(start):
        return Outcome(source.path, log.total_bytes, log.total_lines, skipped="source")
    notes = list(report.notes)
    if isinstance(text, Unpacked) and text.damage:
        notes.append(f"{text.damage}; what could be unpacked was read")
    findings = []
    if diagnoses:
        file.seek(0)
        tallies = engine.occurrences(report, chunks(unpacked(file).read))
        for diagnosis in diagnoses:
            lines = [item["line"] for item in diagnosis["evidence"]] or [1]
            tally = tallies[diagnosis["id"]]
            place = {"path": source.path, "line": lines[0], "last_line": max(tally.last, lines[0]), "count": max(tally.lines, 1)}
            findings.append({"schema_version": SCHEMA_VERSION, **place, **diagnosis})
    return Outcome(source.path, log.total_bytes, log.total_lines, findings, notes=notes)
