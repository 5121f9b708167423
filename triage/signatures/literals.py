"""Finds which of thousands of literals stand where in a text.

Two searches that give the same answer. An Aho-Corasick automaton scans hundreds of megabytes a second, but building it costs as
much as all the rest of explaining one traceback. So a process that has only a short text to read looks the four-byte pieces of the
text up among those of the literals instead: each literal is filed under its rarest piece, and compared in full where that stands.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

GRAM = 4  # bytes of a piece
_AS_BLANKS = bytes.maketrans(b"\t\r\f\v", b"    ")
SHORT = 1 << 16  # bytes of text up to which looking up pieces is cheaper than building the automaton


class Filed:
    """Literals in the order of their rarest pieces, and the numbers that find them by these. Sequences of integers, as they are stored.

    `pieces` are the distinct pieces, as integers, in ascending order; the literals that have the n-th are those from `first[n]` up to,
    but not including, `first[n + 1]`; what comes after them all is shorter than a piece. In a literal its piece stands at `offsets`.
    """

    __slots__ = ("first", "literals", "offsets", "pieces")

    def __init__(self, literals: Sequence[bytes], pieces: Sequence[int], first: Sequence[int], offsets: Sequence[int]) -> None:
        self.literals = literals
        self.pieces = pieces
        self.first = first
        self.offsets = offsets


def file_literals(literals: Iterable[bytes]) -> Filed:
    """File each literal, encoded, under the piece that fewest of them hold; the first of equals."""
    encoded = sorted(literals)
    counts: dict[int, int] = {}
    for literal in encoded:
        for piece in set(_pieces(literal)):
            counts[piece] = counts.get(piece, 0) + 1
    long = []
    for literal in encoded:
        held = _pieces(literal)
        if held:
            offset = min(range(len(held)), key=lambda at: counts[held[at]])
            long.append((held[offset], literal, offset))
    long.sort()
    first: dict[int, int] = {}
    for number, (piece, _, _) in enumerate(long):
        first.setdefault(piece, number)
    ordered = [literal for _, literal, _ in long] + [literal for literal in encoded if len(literal) < GRAM]
    return Filed(ordered, list(first), [*first.values(), len(long)], [offset for _, _, offset in long])


def _pieces(text: bytes) -> list[int]:
    """The piece at every offset, as the integer that the machine reads there."""
    found = [0] * max(len(text) - GRAM + 1, 0)
    for shift in range(min(GRAM, len(found))):
        found[shift::GRAM] = _aligned(text, shift)
    return found


def _aligned(text: bytes, shift: int) -> memoryview:
    """The pieces at every fourth offset, beginning with `shift`."""
    return memoryview(text)[shift : len(text) - (len(text) - shift) % GRAM].cast("i")


def encode(text: str) -> bytes:
    """A text, or a literal, as it is searched."""
    return text.encode("utf-8", "surrogatepass")


def with_single_blanks(text: bytes) -> bytes:
    """A text as literals are looked for in it: each run of blanks in a line as one."""
    text = text.translate(_AS_BLANKS)
    while text.find(b"  ") >= 0:  # sooner done than by a regular expression
        text = text.replace(b"  ", b" ")
    return text


class LiteralSearch:
    """A search over filed literals. `quick` says that the process may end after one short text."""

    __slots__ = ("_automaton", "_filed", "_known", "_quick")

    def __init__(self, filed: Filed, quick: bool) -> None:
        self._filed = filed
        self._quick = quick
        self._automaton: Any = None
        self._known: frozenset[int] | None = None

    def find(self, text: bytes) -> Iterator[tuple[int, int]]:
        """(number of a literal, offset where it starts) for every occurrence, in no particular order; `text` is in lower case."""
        if not self._filed.literals:
            return iter(())
        if self._automaton is None and self._quick and len(text) < SHORT:
            return self._by_pieces(text)
        return ((literal, start) for literal, start, _ in self._built().find_matches_as_indexes(text, overlapping=True))

    def _built(self) -> Any:
        if self._automaton is None:
            import ahocorasick_rs

            kinds = ahocorasick_rs.Implementation
            kind = kinds.NoncontiguousNFA if self._quick else kinds.ContiguousNFA
            self._automaton = ahocorasick_rs.BytesAhoCorasick(self._filed.literals, implementation=kind)
        return self._automaton

    def _by_pieces(self, text: bytes) -> Iterator[tuple[int, int]]:
        if self._known is None:
            self._known = frozenset(self._filed.pieces)
        filed, known = self._filed, self._known
        for shift in range(min(GRAM, len(text) - GRAM + 1)):
            for at, piece in [(at, piece) for at, piece in enumerate(_aligned(text, shift)) if piece in known]:
                named = bisect_left(filed.pieces, piece)
                for number in range(filed.first[named], filed.first[named + 1]):
                    start = GRAM * at + shift - filed.offsets[number]
                    if start >= 0 and text.startswith(filed.literals[number], start):
                        yield number, start
        for number in range(filed.first[-1], len(filed.literals)):
            start = text.find(filed.literals[number])
            while start >= 0:
                yield number, start
                start = text.find(filed.literals[number], start + 1)
