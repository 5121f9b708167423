"""explain: bytes → Log → observations → model → Report."""

from __future__ import annotations

import os
import sys
from _thread import allocate_lock
from collections.abc import Iterable, Mapping, Sequence

from triage.engine.errors import RunawayError
from triage.engine.facts import Fact
from triage.engine.model import Model
from triage.engine.program import LIMIT, Program
from triage.engine.values import Value
from triage.facts.observation import Observation
from triage.knowledge.recognition import Recognition
from triage.parsers import parse
from triage.reading import read
from triage.reading.lazy import keep
from triage.report import Report
from triage.rulebook.discovery import discover
from triage.rulebook.errors import RuleError
from triage.rulebook.expressions import Expressions
from triage.rulebook.rulebook import Rulebook
from triage.rulebook.store import cache_places, load_rulebook, require_rules, usable_packs
from triage.signatures.matcher import LITERALS, Matcher

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

    from triage.reading import Log
    from triage.reading.compressed import Readable
    from triage.reading.windows import Keep
    from triage.signatures.census import Tally

    Source = str | bytes | bytearray | os.PathLike[str] | IO[str] | IO[bytes] | Readable

SAME_SIGNAL = 6  # occurrences of one message, values and process alike, that take part in reasoning
PACK_LIMIT = LIMIT // 10  # derivations, where rules take part that nobody of this house has read
MOST_FACTS = 512  # facts of one template, remarks on one topic, that take part in reasoning
MOST_OF_A_JOB = 4096  # the same, where many logs are reasoned about together

_LONGEST_TITLE = 200  # characters
_LEVELS = ("INFO ", "INFO:", "[INFO]", "DEBUG ", "DEBUG:", "[DEBUG]", "WARNING ", "WARNING:", "[WARNING]", "WARN ")  # of a line of a log


class Triage:
    """A loaded rule base. Making one costs a few milliseconds, using it less; it may be used by several threads at once."""

    def __init__(self, packs: Sequence[str] = (), *, long_lived: bool = True, book: Rulebook | None = None) -> None:
        """The shipped rules and those of `packs`, or a rule base that is loaded already. Raises RuleError where a rule file is wrong."""
        self.book: Rulebook = book or load_rulebook(packs)
        self.complaints: list[str] = []
        self._packs = tuple(packs)
        self._matcher = Matcher(self.book.section("signatures"), {name: self.book.section(name) for name in LITERALS}, quick=not long_lived)
        self._program = Program(self.book.program)
        self._recognition = Recognition(self.book.tables)
        keep(Expressions(self.book).find)

    @classmethod
    def equipped(cls, packs: Sequence[str] = (), *, project: str | None = None, long_lived: bool = True) -> Triage:
        """The shipped rules, those of the given packs, and those of packs that are installed, that TRIAGE_RULES names, or that the project
        of the directory `project` has in `.triage/rules`.

        A pack that was only found and cannot be used is left out; `complaints` says why. Raises RuleError where a given one is wrong.
        """
        found = [directory for directory in discover(os.environ, sys.path, project, cache_places()) if directory not in packs]
        complaints: list[str] = []
        wanted = [*found, *packs]
        if found:
            try:
                load_rulebook(wanted)
            except RuleError:
                wanted, complaints = usable_packs(found, packs)
        engine = cls(wanted, long_lived=long_lived)
        require_rules(packs)
        engine.complaints = complaints
        return engine

    def explain(self, source: Source, *, extra: Iterable[Observation] = ()) -> Report:
        """Read a text and reason about it. Raises OSError where a path or file cannot be read, nothing for any content."""
        return self._explain(read(source, keep=self.sieve()), tuple(extra))

    def read(self, source: Source, name: str = "") -> Log:
        """A text as `explain_logs` takes it; of a huge one what may matter. Raises OSError where it cannot be read."""
        log = read(source, keep=self.sieve())
        log.name = name or log.name
        return log

    def sieve(self) -> Keep:
        """What tells, chunk by chunk from the first, in which lines of a log a failure is reported."""
        return self._matcher.sieve()

    def explain_logs(self, logs: Sequence[Log], *, extra: Iterable[Observation] = ()) -> Report:
        """Reason about the logs of one job together: of its ranks, of a launcher, of the kernel. Each needs a name of its own."""
        if len(logs) == 1:
            return self._explain(logs[0], tuple(extra))
        from triage.reading.job import Job

        return self._explain(Job(logs), tuple(extra))

    def count(self, chunks: Iterable[bytes], groups: Mapping[str, Iterable[tuple[str, str]]]) -> dict[str, Tally]:
        """How often signatures, given in groups by their failures and ids, match in a log, and from which line to which. `chunks` are the
        log; each but the last ends with a line. `Report.rests_on` gives the group of a diagnosis."""
        return self._matcher.census(chunks, groups)

    def reconsider(self, report: Report, extra: Iterable[Observation]) -> Report:
        """A report on the same text that knows these facts besides it: what the verifier found, what this machine is."""
        return self._explain(report.log, tuple(extra))

    def _explain(self, log: Log, extra: tuple[Observation, ...]) -> Report:
        observations = [*self._observe(log), *extra]
        if any(observation.template == "emulation" for observation in extra):
            from triage.facts.emulation import under_emulation

            observations = under_emulation(observations)
        observations += self._recognition.observe(observations)
        try:
            return Report(log, observations, self._reason(observations, log), self.book)
        except _PackRunsAwayError as error:
            report = Triage([pack for pack in self._packs if pack not in error.packs], long_lived=False)._explain(log, extra)
            report.notes.append(str(error))
            return report

    def _observe(self, log: Log) -> list[Observation]:
        """What parsers and signatures read from a log, or from each of the logs of a job; of many logs a fair share of each."""
        if not log.parts:
            return [*parse(log), *self._matcher.observe(log), *_about(log)]
        from triage.parsers.gathering import gather

        share = max(min(MOST_FACTS, MOST_OF_A_JOB // len(log.parts)), 8)
        return [*gather(log, lambda part: fold([*parse(part), *self._matcher.observe(part)], share)), *_about(log)]

    def _reason(self, observations: Sequence[Observation], log: Log) -> Model:
        """What follows from the observations. A text that would make joins run away is reasoned about from ever fewer of its facts."""
        limit = MOST_OF_A_JOB if log.parts else MOST_FACTS
        for most in (limit, limit // 8, limit // 64):
            facts = [Fact(observation.template, observation.slots) for observation in fold(observations, most)]
            facts.extend(self.book.table_facts(facts))
            try:
                return self._program.run(facts, PACK_LIMIT if self._packs else LIMIT)
            except RunawayError as error:
                if self._packs:
                    self._blame(error)
        return self._program.run([])

    def _blame(self, error: RunawayError) -> None:
        """Raises _PackRunsAwayError where a rule of a pack is among those that kept firing."""
        foreign: dict[str, str] = self.book.section("foreign")
        blamed = [foreign.get(name) or foreign.get(name.partition("/")[0]) for name in error.rules]
        culprits = {pack for pack in blamed if pack is not None}
        if culprits:
            raise _PackRunsAwayError(f"the rules of {', '.join(sorted(culprits))} are left out: {error}", frozenset(culprits))


class _PackRunsAwayError(Exception):
    def __init__(self, message: str, packs: frozenset[str]) -> None:
        super().__init__(message)
        self.packs = packs


def _about(log: Log) -> list[Observation]:
    about: dict[str, Value] = {"detail": log.kind, "count": log.total_lines}
    if _has_title(log):
        about["line"] = 1
    return [Observation("text", about)]


def _has_title(log: Log) -> bool:
    """Whether the first line is a title: marked as one, or short, without the end of a sentence, and apart from what follows."""
    first, *below = [line.text.strip() for line in log.lines[:2]] or [""]
    if not 0 < len(first) <= _LONGEST_TITLE or first.startswith(_LEVELS):
        return False
    return first.startswith("# ") or (not any(below) and first[-1] not in ".,:;。，：；")


def fold(observations: Sequence[Observation], most: int) -> list[Observation]:
    """The observations that take part in reasoning: of a message repeated with the same values by the same process the first few, and
    at most `most` of each template, or of each topic: thousands of warnings leave room for a remark of another kind that comes late.
    A storm of a million lines reasons like its beginning."""
    kept: dict[object, int] = {}
    of_kind: dict[object, int] = {}
    folded = []
    for observation in observations:
        template = observation.template
        if template == "signal":
            key = tuple(sorted((name, repr(value)) for name, value in observation.slots.items() if name not in ("line", "time")))
            kept[key] = kept.get(key, 0) + 1
            if kept[key] > SAME_SIGNAL:
                continue
        kind = (template, observation.slots.get("topic")) if template == "remark" else template
        of_kind[kind] = of_kind.get(kind, 0) + 1
        if of_kind[kind] <= most:
            folded.append(observation)
    return folded


_shared: Triage | None = None
_lock = allocate_lock()


def shared_triage(*, long_lived: bool = True) -> Triage:
    """The rule base of this process, loaded on first use."""
    global _shared
    if _shared is None:
        with _lock:
            if _shared is None:
                _shared = Triage.equipped(long_lived=long_lived)
    return _shared


def explain(source: Source, *, name: str | None = None) -> Report:
    """Explain what failed on the GPU in a text.

    `source` is the text itself (`str` or `bytes`), a path object, or an open file. Needs neither torch nor a GPU, never raises for any
    content, and is thread-safe. Raises OSError where a path cannot be read.
    """
    return shared_triage().explain(source)


def explain_job(sources: Mapping[str, Source]) -> Report:
    """Explain what failed in a job whose processes wrote logs of their own: name → text, path object or open file.

    The failure that came first leads, in whichever log it stands; what other ranks report of it are its consequences. A rank is read from
    a log's name where its lines tell none. Raises as `explain` does.
    """
    engine = shared_triage()
    return engine.explain_logs([engine.read(source, name) for name, source in sources.items()])
