"""One log after the other, or many at once: read, explained, and its findings counted."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import cache, partial
from typing import IO, Any

from triage.pipeline import Triage
from triage.reading.compressed import ArchiveError, Begun, Unpacked, unpacked
from triage.reading.reader import chunks
from triage.report.report import SCHEMA_VERSION
from triage.scan.outcome import Outcome
from triage.scan.pools import ENGINES
from triage.scan.sources import SAMPLE, Source, looks_binary, looks_like_source, named_as_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from triage.signatures.census import Tally

_LONGEST_ACCOUNT = 16 << 10  # bytes: in what is longer, failures are printed, not told

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
    if not source.given and named_as_source(source.path):
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
    """`file` is read once where it is long and reports nothing, else once more to explain it, and again to count."""
    try:
        text: Any = unpacked(watch(file, source.path) if watch else file)
    except ArchiveError:
        if source.given:
            raise
        return Outcome(source.path, skipped="binary")
    start = text.read(SAMPLE)
    if not source.given and looks_binary(start):
        return Outcome(source.path, skipped="binary")
    if len(start) > _LONGEST_ACCOUNT:
        silent = _silent(engine, source.path, Begun(start, text))
        if silent is not None:
            return replace(silent, notes=_damage(text))
        file.seek(0)
        start, text = b"", unpacked(file)
    rest: Any = Begun(start, text)
    log = engine.read(rest, source.path)
    report = engine.explain_logs([log])
    read = Outcome(source.path, log.total_bytes, log.total_lines, notes=[*report.notes, *_damage(text)])
    diagnoses = report.to_dict(lang)["diagnoses"]
    if not diagnoses:
        return read
    file.seek(0)
    again = unpacked(file)
    if not source.given and looks_like_source(again.read(SAMPLE)):
        return replace(read, skipped="source")
    file.seek(0)
    tallies = engine.occurrences(report, chunks(unpacked(file).read))
    return replace(read, findings=[_finding(source.path, diagnosis, tallies[diagnosis["id"]]) for diagnosis in diagnoses])


def _silent(engine: Triage, path: str, text: Begun) -> Outcome | None:
    """The outcome of a log in which no failure is reported; None as soon as one is."""
    sieve = engine.sieve()
    size = lines = 0
    ends_open = False
    for chunk in chunks(text.read):
        if sieve(chunk):
            return None
        size += len(chunk)
        lines += chunk.count(b"\n")
        ends_open = not chunk.endswith(b"\n")
    return Outcome(path, size, lines + ends_open)


def _damage(text: Any) -> list[str]:
    return [f"{text.damage}; what could be unpacked was read"] if isinstance(text, Unpacked) and text.damage else []


def _finding(path: str, diagnosis: dict[str, Any], tally: Tally) -> dict[str, Any]:
    line = diagnosis["evidence"][0]["line"] if diagnosis["evidence"] else 1
    place = {"path": path, "line": line, "last_line": max(tally.last, line), "count": max(tally.lines, 1)}
    return {"schema_version": SCHEMA_VERSION, **place, **diagnosis}
