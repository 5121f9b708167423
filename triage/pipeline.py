"""explain: bytes → Log → observations → model → Report."""

from __future__ import annotations

import os
from _thread import allocate_lock
from collections.abc import Iterable, Sequence

from triage.engine import Fact, Model, Program, RunawayError
from triage.facts.observation import Observation
from triage.knowledge.recognition import Recognition
from triage.parsers import parse
from triage.reading import read
from triage.report import Report
from triage.rulebook.rulebook import Rulebook
from triage.rulebook.store import load_rulebook
from triage.signatures.matcher import Matcher

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

    from triage.reading import Log

    Source = str | bytes | bytearray | os.PathLike[str] | IO[str] | IO[bytes]

SAME_SIGNAL = 6  # occurrences of one message, values and process alike, that take part in reasoning
MOST_FACTS = 512  # facts of one template that take part in reasoning


class Triage:
    """A loaded rule base. Making one costs a few milliseconds, using it less; it may be used by several threads at once."""

    def __init__(self, packs: Sequence[str] = (), *, long_lived: bool = True, book: Rulebook | None = None) -> None:
        """The shipped rules and those of `packs`, or a rule base that is loaded already. Raises RuleError where a rule file is wrong."""
        self.book: Rulebook = book or load_rulebook(packs)
        self._matcher = Matcher(self.book.section("signatures"), self.book.section("literals"), quick=not long_lived)
        self._program = Program(self.book.program)
        self._recognition = Recognition(self.book.tables)

    def explain(self, source: Source, *, extra: Iterable[Observation] = ()) -> Report:
        """Read a text and reason about it. Raises OSError where a path or file cannot be read, nothing for any content."""
        log = read(source, keep=self._matcher.hits)
        extra = tuple(extra)
        observations = [*parse(log), *self._matcher.observe(log), *_about(log), *extra]
        if any(observation.template == "emulation" for observation in extra):
            from triage.facts.emulation import under_emulation

            observations = under_emulation(observations)
        observations += self._recognition.observe(observations)
        return Report(log, observations, self._reason(observations), self.book)

    def _reason(self, observations: Sequence[Observation]) -> Model:
        """What follows from the observations. A text that would make joins run away is reasoned about from ever fewer of its facts."""
        for most in (MOST_FACTS, MOST_FACTS // 8, MOST_FACTS // 64):
            facts = [Fact(observation.template, observation.slots) for observation in fold(observations, most)]
            facts.extend(self.book.table_facts(facts))
            try:
                return self._program.run(facts)
            except RunawayError:
                continue
        return self._program.run([])


def _about(log: Log) -> list[Observation]:
    return [Observation("text", {"detail": log.kind, "count": log.total_lines})]


def fold(observations: Sequence[Observation], most: int) -> list[Observation]:
    """The observations that take part in reasoning: of a message repeated with the same values by the same process the first few, and
    at most `most` of each template. A storm of a million lines reasons like its beginning."""
    kept: dict[object, int] = {}
    of_template: dict[str, int] = {}
    folded = []
    for observation in observations:
        template = observation.template
        if template == "signal":
            key = tuple(sorted((name, repr(value)) for name, value in observation.slots.items() if name not in ("line", "time")))
            kept[key] = kept.get(key, 0) + 1
            if kept[key] > SAME_SIGNAL:
                continue
        of_template[template] = of_template.get(template, 0) + 1
        if of_template[template] <= most:
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
                _shared = Triage(long_lived=long_lived)
    return _shared


def explain(source: Source, *, name: str | None = None) -> Report:
    """Explain what failed on the GPU in a text.

    `source` is the text itself (`str` or `bytes`), a path object, or an open file. Needs neither torch nor a GPU, never raises for any
    content, and is thread-safe. Raises OSError where a path cannot be read.
    """
    return shared_triage().explain(source)
