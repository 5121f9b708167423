"""Which of many fixed texts stand in another, found in one pass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_PATIENCE = 4  # so many texts are cheaper to search for each wanted text than an automaton is to load and to build


class FixedTexts:
    """The wanted texts. A process that reads a few texts looks for one after the other; one that reads many builds an Aho-Corasick
    automaton. Both find the same. May be used by several threads."""

    __slots__ = ("_automaton", "_searches", "_wanted")

    def __init__(self, wanted: Iterable[str]) -> None:
        self._wanted = tuple(dict.fromkeys(wanted))
        self._searches = 0
        self._automaton: Any = None

    def held(self, text: str) -> set[str]:
        """The wanted texts that stand in `text`."""
        wanted = self._wanted
        if self._patient():
            return {one for one in wanted if one in text}
        return {wanted[number] for number in {number for number, _, _ in self._found(text)}}

    def starts(self, text: str) -> list[int]:
        """Where a wanted text starts in `text`, once for each that does, in no particular order."""
        if not self._patient():
            return [start for _, start, _ in self._found(text)]
        return [start for one in self._wanted for start in _starts(text, one)]

    def _patient(self) -> bool:
        self._searches += 1
        return self._searches <= _PATIENCE

    def _found(self, text: str) -> Any:
        if self._automaton is None:
            import ahocorasick_rs

            self._automaton = ahocorasick_rs.AhoCorasick(self._wanted, implementation=ahocorasick_rs.Implementation.ContiguousNFA)
        return self._automaton.find_matches_as_indexes(text, overlapping=True)


def _starts(text: str, wanted: str) -> Iterator[int]:
    start = text.find(wanted)
    while start >= 0:
        yield start
        start = text.find(wanted, start + 1)
