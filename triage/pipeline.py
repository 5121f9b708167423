"""explain: bytes → Log → observations → model → Report."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Sequence
from typing import IO, TYPE_CHECKING

from triage.engine import Fact, Program
from triage.facts.observation import Observation
from triage.parsers import parse
from triage.reading import read
from triage.report import Report
from triage.rulebook.store import Rulebook, load_rulebook
from triage.signatures.matcher import Matcher

if TYPE_CHECKING:
    from triage.reading import Log

Source = str | bytes | bytearray | os.PathLike[str] | IO[str] | IO[bytes]
SAME_SIGNAL = 6  # occurrences of one message, values and process alike, that take part in reasoning


class Triage:
    """A loaded rule base. Making one costs a few milliseconds, using it less; it may be used by several threads at once."""

    def __init__(self, packs: Sequence[str] = (), *, long_lived: bool = True) -> None:
        self.book: Rulebook = load_rulebook(packs)
        index = self.book.index
        self._matcher = Matcher(index["signatures"], fast_build=not long_lived)
        self._program = Program(index["program"])

    def explain(self, source: Source, *, extra: Iterable[Observation] = ()) -> Report:
        """Read a text and reason about it. Raises OSError where a path or file cannot be read, nothing for any content."""
        log = read(source, keep=self._matcher.hits)
        observations = [*parse(log), *self._matcher.observe(log), *_about(log), *extra]
        facts = [Fact(observation.template, observation.slots) for observation in fold(observations)]
        facts.extend(self.book.table_facts(facts))
        return Report(log, observations, self._program.run(facts), self.book)


def _about(log: Log) -> list[Observation]:
    return [Observation("text", {"detail": log.kind, "count": log.total_lines})]


def fold(observations: Sequence[Observation]) -> list[Observation]:
    """Without the later repetitions of a message in one process: a storm of a million lines reasons like its first few."""
    counts: dict[object, int] = {}
    kept = []
    for observation in observations:
        if observation.template == "signal":
            slots = observation.slots
            key = tuple(sorted((name, repr(value)) for name, value in slots.items() if name not in ("line", "time")))
            counts[key] = counts.get(key, 0) + 1
            if counts[key] > SAME_SIGNAL:
                continue
        kept.append(observation)
    return kept


_shared: Triage | None = None
_lock = threading.Lock()


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
