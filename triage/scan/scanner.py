"""One log after the other, or many at once: read, explained, and its findings counted."""

from __future__ import annotations

import os
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from functools import partial
from typing import IO, Any, NamedTuple

from triage.pipeline import Triage
from triage.reading.compressed import ArchiveError, Begun, Unpacked, unpacked
from triage.reading.reader import chunks
from triage.report.report import SCHEMA_VERSION
from triage.scan import blocks
from triage.scan.outcome import Outcome
from triage.scan.pools import Pool, open_pool
from triage.scan.sources import SAMPLE, Source, looks_binary, looks_like_source, named_as_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from triage.reading.compressed import Readable
    from triage.reading.windows import Part
    from triage.report import Report
    from triage.signatures.census import Tally

Finish = Callable[[], Outcome]
_AHEAD = 4  # logs under way for each that is worked on
_LONGEST_ACCOUNT = 16 << 10  # bytes: in what is longer, failures are printed, not told


class Settings(NamedTuple):
    """The language of texts, whose rules are used besides the shipped ones, as for `Triage.equipped`, and the directory that paths of logs
    start from where they are relative: that of another process may be another."""

    lang: str = "en"
    packs: tuple[str, ...] = ()
    project: str | None = None
    directory: str = ""

    def place(self, source: Source) -> str:
        """Where a log lies, for whatever process reads it."""
        return os.path.join(self.directory, source.path)


def scan(
    sources: Sequence[Source],
    settings: Settings = Settings(),  # noqa: B008 - it cannot be changed
    *,
    engine: str = "local",
    jobs: int = 1,
    block: int = blocks.BLOCK,
    progress: Callable[[str], None] = lambda _: None,
) -> Generator[Outcome, None, None]:
    """What each log reports, in the order of the sources, as soon as it is known; the same whatever reads them.

    With `engine` "local" logs are read in this process, or in so many `jobs` where that is more than one. With "ray" the tasks go to
    the cluster that RAY_ADDRESS names, or to one that is started here; its nodes must see the files under the same paths. A plain file of
    more than four times `block` bytes is read block by block, by several at a time. `progress` is given a line now and then that
    says how far that is.

    Raises RuleError where the rules of a given pack are wrong, PoolError where processes cannot be had or die. A log that cannot be read
    is an outcome with a problem.
    """
    with open_pool(engine, jobs) as pool:
        under_way: deque[Finish] = deque()
        for source in sources:
            under_way.append(_begin(pool, source, settings, block, progress))
            while len(under_way) > _AHEAD * pool.width:
                yield under_way.popleft()()
        while under_way:
            yield under_way.popleft()()


def _begin(pool: Pool, source: Source, settings: Settings, block: int, progress: Callable[[str], None]) -> Finish:
    if source.path == "-":  # no other process has this one's input
        return lambda: scan_source(source, settings)
    if source.size > 4 * block and (source.given or not named_as_source(source.path)) and _is_plain(source, settings):
        return _begin_large(pool, source, settings, block, progress)
    handle = pool.submit(scan_source, source, settings)
    return lambda: pool.result(handle)


def scan_source(source: Source, settings: Settings) -> Outcome:
    """What one log reports. Raises RuleError where a rule pack is wrong, nothing for any log."""
    if source.problem:
        return Outcome(source.path, problem=source.problem)
    if not source.given and named_as_source(source.path):
        return Outcome(source.path, skipped="source")
    try:
        if source.path != "-":
            with open(settings.place(source), "rb") as file:
                return _outcome(source, file, settings)
        if sys.stdin is None:
            raise OSError("standard input is closed")
        with tempfile.TemporaryFile() as copy:  # it is read more than once
            while part := sys.stdin.buffer.read(1 << 20):
                copy.write(part)
            copy.seek(0)
            return _outcome(source, copy, settings)
    except OSError as error:
        return Outcome(source.path, problem=error.strerror or str(error))


_engines: dict[Settings, Triage] = {}


def lend(engine: Triage, settings: Settings) -> None:
    """Let what is read in this process with these settings be read with a rule base that is loaded already."""
    _engines[settings] = engine


def engine_of(settings: Settings) -> Triage:
    """The rule base of this process."""
    if settings not in _engines:
        _engines[settings] = Triage.equipped(settings.packs, project=settings.project)
    return _engines[settings]


def _outcome(source: Source, file: IO[bytes], settings: Settings) -> Outcome:
    """`file` is read once where it is long and reports nothing, else once more to explain it, and again to count."""
    engine = engine_of(settings)
    try:
        text = unpacked(file)
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
        text = unpacked(file)
        rest = text
    else:
        rest = Begun(start, text)
    report = engine.explain_logs([engine.read(rest, source.path)])

    def count(groups: blocks.Groups) -> dict[str, Tally]:
        file.seek(0)
        return engine.count(chunks(unpacked(file).read), groups)

    outcome = _concluded(source, start, report, settings, count)
    return replace(outcome, notes=[*outcome.notes, *_damage(text)])


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


def _damage(text: Readable) -> list[str]:
    return [f"{text.damage}; what could be unpacked was read"] if isinstance(text, Unpacked) and text.damage else []


def _concluded(
    source: Source, start: bytes, report: Report, settings: Settings, count: Callable[[blocks.Groups], dict[str, Tally]]
) -> Outcome:
    """What a report says of a log that begins with `start`; `count` is asked only where it says anything."""
    read = Outcome(source.path, report.log.total_bytes, report.log.total_lines, notes=list(report.notes))
    diagnoses = report.to_dict(settings.lang)["diagnoses"]
    if not diagnoses:
        return read
    if not source.given and looks_like_source(start):
        return replace(read, skipped="source")
    tallies = count({diagnosis["id"]: report.rests_on(diagnosis["id"]) for diagnosis in diagnoses})
    return replace(read, findings=[_finding(source.path, diagnosis, tallies[diagnosis["id"]]) for diagnosis in diagnoses])


def _finding(path: str, diagnosis: dict[str, Any], tally: Tally) -> dict[str, Any]:
    line = diagnosis["evidence"][0]["line"] if diagnosis["evidence"] else 1
    place = {"path": path, "line": line, "last_line": max(tally.last, line), "count": max(tally.lines, 1)}
    return {"schema_version": SCHEMA_VERSION, **place, **diagnosis}


# large files


def _is_plain(source: Source, settings: Settings) -> bool:
    """Whether a file can be read from any of its lines on: not compressed, and in an encoding that has line ends as bytes."""
    try:
        with open(settings.place(source), "rb") as file:
            start = file.read(SAMPLE)
            file.seek(0)
            return blocks.is_plain(start) and not isinstance(unpacked(file), Unpacked) and (source.given or not looks_binary(start))
    except OSError:
        return False  # it is told when the file is read


def _begin_large(pool: Pool, source: Source, settings: Settings, block: int, progress: Callable[[str], None]) -> Finish:
    place = settings.place(source)
    try:
        spans = blocks.spans(place, source.size, block)
    except OSError as error:  # it went away meanwhile
        return partial(Outcome, source.path, problem=error.strerror or str(error))
    sifted = [pool.submit(sift, span, settings) for span in spans]

    def results(handles: Sequence[Any], doing: str) -> Generator[Any, None, None]:
        for number, handle in enumerate(handles, 1):
            yield pool.result(handle)
            progress(f"{source.path}: {number * block >> 20} of {source.size >> 20} MiB {doing}")

    def count(groups: blocks.Groups) -> dict[str, Tally]:
        handles = [pool.submit(count_in, span, settings, groups) for span in spans]
        return blocks.added(results(handles, "counted"))

    def finish() -> Outcome:
        try:
            parts = [part for found in results(sifted, "searched") for part in found]
            if not any(part.hits for part in parts):
                lines = sum(part.newlines for part in parts) + any(not part.ends_line for part in parts[-1:])
                return Outcome(source.path, sum(part.size for part in parts), lines)
            report = engine_of(settings).explain_logs([blocks.assembled(place, parts, source.path)])
            with open(place, "rb") as file:
                return _concluded(source, file.read(SAMPLE), report, settings, count)
        except OSError as error:
            return Outcome(source.path, problem=error.strerror or str(error))

    return finish


def sift(span: blocks.Span, settings: Settings) -> list[Part]:
    """What there is in a block of a large file. Raises OSError."""
    return blocks.sift(span, engine_of(settings).sieve())


def count_in(span: blocks.Span, settings: Settings, groups: blocks.Groups) -> tuple[int, dict[str, Tally]]:
    """The number of lines in a block, and how often each group of signatures matches. Raises OSError."""
    return blocks.count(span, engine_of(settings), groups)
