"""Finds which of thousands of literals stand where in a text.

Two searches that give the same answer. An Aho-Corasick automaton scans hundreds of megabytes a second, but building it costs as
much as all the rest of explaining one traceback. So a process that has only a short text to read looks its four-byte pieces up
in a table instead: each literal is filed under its rarest piece, and compared in full where that piece stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

GRAM = 4  # bytes of a piece
SHORT = 1 << 16  # bytes of text up to which looking up pieces is cheaper than building the automaton


def rarest_pieces(literals: Sequence[str]) -> list[int]:
    """For each literal the offset, in bytes, of the piece that fewest literals hold; the first of equals."""
    encoded = [encode(literal) for literal in literals]
    counts: dict[bytes, int] = {}
    for literal in encoded:
        for piece in {literal[at : at + GRAM] for at in range(max(len(literal) - GRAM + 1, 1))}:
            counts[piece] = counts.get(piece, 0) + 1
    return [min(range(max(len(literal) - GRAM + 1, 1)), key=lambda at: counts[literal[at : at + GRAM]]) for literal in encoded]


def encode(text: str) -> bytes:
    """A text, or a literal, as it is searched."""
    return text.encode("utf-8", "surrogatepass")


class LiteralSearch:
    """A search over encoded literals; `offsets` are what `rarest_pieces` gave. `quick`: the process may end with one short text."""

    __slots__ = ("_automaton", "_literals", "_offsets", "_pieces", "_quick", "_tiny")

    def __init__(self, literals: Sequence[bytes], offsets: Sequence[int], quick: bool) -> None:
        self._literals = literals
        self._offsets = offsets
        self._quick = quick
        self._automaton: Any = None
        self._pieces: Mapping[bytes, list[int]] | None = None
        self._tiny: list[int] = []

    def find(self, text: bytes) -> Iterator[tuple[int, int]]:
        """(number of a literal, offset where it starts) for every occurrence, in no particular order; `text` is in lower case."""
        if not self._literals:
            return iter(())
        if self._automaton is None and self._quick and len(text) < SHORT:
            return self._by_pieces(text)
        return ((literal, start) for literal, start, _ in self._built().find_matches_as_indexes(text, overlapping=True))

    def starts(self, text: bytes) -> list[int]:
        """Offsets where some literal starts, in order; of literals that overlap only the first."""
        return [start for _, start, _ in self._built().find_matches_as_indexes(text)] if self._literals else []

    def _built(self) -> Any:
        if self._automaton is None:
            import ahocorasick_rs

            kinds = ahocorasick_rs.Implementation
            kind = kinds.NoncontiguousNFA if self._quick else kinds.ContiguousNFA
            self._automaton = ahocorasick_rs.BytesAhoCorasick(self._literals, implementation=kind)
        return self._automaton

    def _by_pieces(self, text: bytes) -> Iterator[tuple[int, int]]:
        if self._pieces is None:
            self._pieces = self._filed()
        filed = self._pieces
        for at in range(len(text) - GRAM + 1):
            piece = text[at : at + GRAM]
            if piece in filed:
                for number in filed[piece]:
                    start = at - self._offsets[number]
                    if start >= 0 and text.startswith(self._literals[number], start):
                        yield number, start
        for number in self._tiny:
            start = text.find(self._literals[number])
            while start >= 0:
                yield number, start
                start = text.find(self._literals[number], start + 1)

    def _filed(self) -> Mapping[bytes, list[int]]:
        pieces: dict[bytes, list[int]] = {}
        for number, (literal, offset) in enumerate(zip(self._literals, self._offsets, strict=True)):
            if len(literal) < GRAM:
                self._tiny.append(number)
            else:
                pieces.setdefault(literal[offset : offset + GRAM], []).append(number)
        return pieces
