"""How often messages stand in a log, however large, and from which line to which: counted exactly, where a reading stops at the first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from triage.signatures.sieve import TRACEBACK, Search, Sieve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from triage.signatures.signature import Signature


class Tally:
    """The number of lines on which messages of a group begin, the number of the first of these lines and that of the last, from 1."""

    __slots__ = ("first", "last", "lines")

    def __init__(self) -> None:
        self.lines = self.first = self.last = 0

    def add(self, lines: set[int]) -> None:
        """Take further lines, all below those that were taken before."""
        if lines:
            self.lines += len(lines)
            self.first = self.first or min(lines)
            self.last = max(lines)

    def join(self, other: Tally, above: int) -> None:
        """Take the tally of what follows, above which stand so many lines in all."""
        if other.lines:
            self.lines += other.lines
            self.first = self.first or other.first + above
            self.last = other.last + above


def census(
    chunks: Iterable[bytes], search: Search, signature: Callable[[int], Signature], groups: Mapping[str, frozenset[int]]
) -> dict[str, Tally]:
    """A tally for each group of signatures, given by their numbers. `chunks` are the log's, each but the last ending with a line;
    `search` looks for all signatures of all groups."""
    tallies = {name: Tally() for name in groups}
    sieve = Sieve(search, signature, brief=False)
    above = 0
    for chunk in chunks:
        found: dict[int, set[int]] = {}
        line, counted = above + 1, 0
        for offset, number in sieve(chunk):
            if number != TRACEBACK:
                line += chunk.count(b"\n", counted, offset)
                counted = offset
                found.setdefault(number, set()).add(line)
        for name, numbers in groups.items():
            tallies[name].add(set().union(*[found[number] for number in numbers if number in found]))
        above += chunk.count(b"\n")
    return tallies
