"""Huge inputs: what of them is kept.

A log of 100 MB has a million lines; as Python objects they would take half a gigabyte. So only the beginning, the end and
the surroundings of whatever interests a scanner become lines: of each kind of thing the first ones and the latest, so that a storm of one
does not drown another. The input is read in chunks of 1 MiB that end with a
newline. At any moment there are in memory: two chunks (the current one and the one before, for the lines above a hit), and
copies of the windows, whose sizes are bounded by the budgets below (11 MiB in all). Lines cost about four times their
bytes as objects, and one block of joined text at a time, so that a file of any size stays below 150 MB resident.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from math import inf
from typing import NamedTuple

CHUNK = 1 << 20
HEAD_LINES, HEAD_BYTES = 1_000, 1 << 20
TAIL_LINES, TAIL_BYTES = 2_000, 2 << 20
BEFORE, AFTER = 60, 40
REACH = 64 << 10  # bytes a window reaches from its hit at most, where lines are long
_PART_LINES = 500  # grain in which pieces are given up
WINDOWS_LINES, WINDOWS_BYTES = 20_000, 4 << 20  # once for the earliest hits, once for the latest

FIRST = 40  # windows of one kind of hit that are kept among the earliest
Kind = int
Keep = Callable[[bytes], "list[tuple[int, Kind]]"]  # a chunk → (offset, what is there), offsets ascending
_LITERALS = (b"Traceback (most", b"Error", b"rror:", b"Xid", b"out of memory", b"FATAL", b"Assertion")


def errors(chunk: bytes) -> list[tuple[int, Kind]]:
    """Offsets of words that tell of an error: the scanner used where none is given."""
    hits = []
    for kind, literal in enumerate(_LITERALS):
        offset = chunk.find(literal)
        while offset >= 0:
            hits.append((offset, kind))
            newline = chunk.find(b"\n", offset)
            offset = chunk.find(literal, newline) if newline >= 0 else -1
    return sorted(hits)


class Part(NamedTuple):
    """A chunk of a file that a scanner has seen: where it stands, its bytes and line ends, whether it ends with one, and what is there."""

    offset: int
    size: int
    newlines: int
    ends_line: bool
    hits: list[tuple[int, Kind]]


class Piece:
    """Consecutive bytes of the input: where they start, and the number of the line they start in."""

    __slots__ = ("data", "line", "lines", "offset")

    def __init__(self, offset: int, line: int, data: bytes) -> None:
        self.offset = offset
        self.line = line
        self.data = data
        self.lines = data.count(b"\n")

    @property
    def end(self) -> int:
        """Offset behind the last byte."""
        return self.offset + len(self.data)

    def after(self, offset: int) -> Piece:
        """The part from this offset of the input on."""
        cut = offset - self.offset
        return Piece(offset, self.line + self.data.count(b"\n", 0, cut), self.data[cut:]) if cut > 0 else self


class _Bounded:
    """Pieces within a budget of lines and bytes; the oldest give way when `sliding`."""

    def __init__(self, lines: int, size: int, sliding: bool) -> None:
        self.pieces: deque[Piece] = deque()
        self._lines_left = lines
        self._bytes_left = size
        self._sliding = sliding

    def add(self, piece: Piece) -> bool:
        if not self._sliding and (self._lines_left <= 0 or self._bytes_left <= 0):
            return False
        self.pieces.append(piece)
        self._lines_left -= piece.lines
        self._bytes_left -= len(piece.data)
        while self._sliding and (self._lines_left < 0 or self._bytes_left < 0) and len(self.pieces) > 1:
            oldest = self.pieces.popleft()
            self._lines_left += oldest.lines
            self._bytes_left += len(oldest.data)
        return True


class _Latest:
    """The latest pieces within a budget of lines and bytes. What came once stays while storms of other kinds pass: the latest piece
    of each kind gives way last."""

    def __init__(self, lines: int, size: int) -> None:
        self._held: dict[int, tuple[Piece, frozenset[Kind]]] = {}  # by offset, in order
        self._last: dict[Kind, int] = {}  # offset of the latest piece of a kind
        self._lines_left = lines
        self._bytes_left = size

    @property
    def pieces(self) -> list[Piece]:
        return [piece for piece, _ in self._held.values()]

    def add(self, piece: Piece, kinds: frozenset[Kind]) -> None:
        self._held[piece.offset] = (piece, kinds)
        for kind in kinds:
            self._last[kind] = piece.offset
        self._lines_left -= piece.lines
        self._bytes_left -= len(piece.data)
        while (self._lines_left < 0 or self._bytes_left < 0) and len(self._held) > 1:
            repeated = (offset for offset, (_, held) in self._held.items() if all(self._last[kind] != offset for kind in held))
            oldest, _ = self._held.pop(next(repeated, next(iter(self._held))))
            self._lines_left += oldest.lines
            self._bytes_left += len(oldest.data)


class Windows:
    """Picks the pieces of an input worth reading, chunk by chunk."""

    def __init__(self, keep: Keep) -> None:
        self._keep = keep
        self._head = _Bounded(HEAD_LINES, HEAD_BYTES, sliding=False)
        self._early = _Bounded(WINDOWS_LINES, WINDOWS_BYTES, sliding=False)
        self._late = _Latest(WINDOWS_LINES, WINDOWS_BYTES)
        self._counts: Counter[Kind] = Counter()
        self._kinds: frozenset[Kind] = frozenset()  # of the part taken last
        self._tail = _Bounded(TAIL_LINES, TAIL_BYTES, sliding=True)
        self._before: Piece | None = None
        self._owed = 0
        self._taken = 0  # offset up to which windows were taken
        self.total_bytes = 0
        self.newlines = 0
        self._ends_open = False

    @property
    def total_lines(self) -> int:
        """Raw lines seen, a last one without newline included."""
        return self.newlines + self._ends_open

    def feed(self, data: bytes) -> None:
        """Take the next chunk."""
        chunk = Piece(self.total_bytes, self.newlines + 1, data)
        self._feed_ends(chunk)
        hits = self._keep(data)
        places = [offset for offset, _ in hits]
        if self._owed:
            self._take(chunk, 0, self._forward(chunk.data, 0, self._owed), hits)
        index = 0
        while index < len(places):
            start = self._backward(chunk, *hits[index])
            end = self._forward(data, places[index], AFTER)
            while True:
                beyond = bisect_left(places, end, index)
                further = self._forward(data, places[beyond - 1], AFTER) if beyond > index + 1 else end
                index = beyond - 1 if beyond > index + 1 else beyond
                if further <= end:
                    index = max(index, beyond)
                    break
                end = further
            self._take(chunk, start, end, hits)
        self.total_bytes += len(data)
        self.newlines += chunk.lines
        self._ends_open = not data.endswith(b"\n")
        self._before = chunk

    @property
    def owes(self) -> bool:
        """Whether lines of the next chunk belong to what was kept last."""
        return self._owed > 0

    def skip(self, part: Part) -> None:
        """Pass over the next chunk, of which nothing is to be kept: neither as the end, nor around a hit."""
        self.total_bytes += part.size
        self.newlines += part.newlines
        self._ends_open = not part.ends_line
        self._before = None

    def _feed_ends(self, chunk: Piece) -> None:
        """Give head and tail their share of a chunk, in parts small enough for their budgets to be kept closely."""
        for part in _parts(chunk):
            self._tail.add(part)
            if part.offset == self._taken and self._head.add(part):
                self._taken = part.end

    def _backward(self, chunk: Piece, offset: int, kind: Kind) -> int:
        """Offset in the chunk where the window of a hit starts; what lies in the chunk before is taken at once."""
        lowest = max(0, offset - REACH)
        position = offset
        for missing in range(BEFORE, -1, -1):
            found = chunk.data.rfind(b"\n", lowest, position)
            if found < 0:
                if lowest == 0 and missing and self._before is not None:
                    self._kinds = frozenset((kind,))
                    self._take_before(self._before, missing, REACH - offset)
                return _whole_character(chunk.data, lowest)
            position = found
        return position + 1

    def _take_before(self, before: Piece, lines: int, reach: int) -> None:
        lowest = max(0, len(before.data) - max(reach, 0))
        position = len(before.data) - before.data.endswith(b"\n")
        for _ in range(lines):
            found = before.data.rfind(b"\n", lowest, position)
            if found < 0:
                break
            position = found
        else:
            lowest = position + 1
        self._take(before, _whole_character(before.data, lowest), len(before.data), ())

    def _forward(self, data: bytes, offset: int, lines: int) -> int:
        """Offset behind so many further lines; notes how many the next chunk owes."""
        highest = min(len(data), offset + REACH)
        position = offset
        for taken in range(lines + 1):
            found = data.find(b"\n", position, highest)
            if found < 0:
                self._owed = lines - taken if highest == len(data) else 0
                return _whole_character(data, highest)
            position = found + 1
        self._owed = 0
        return position

    def _take(self, chunk: Piece, start: int, end: int, hits: Sequence[tuple[int, Kind]]) -> None:
        """Keep a part of a chunk in which these hits lie, among others."""
        start = max(start, self._taken - chunk.offset)
        if start >= end:
            return
        piece = Piece(chunk.offset + start, chunk.line + chunk.data.count(b"\n", 0, start), chunk.data[start:end])
        self._taken = piece.end
        for part in _parts(piece):
            low, high = (bisect_left(hits, (offset - chunk.offset, -inf)) for offset in (part.offset, part.end))
            kinds = {kind for _, kind in hits[low:high]}
            if kinds:  # what lies around a hit goes with it
                self._kinds = frozenset(kinds)
                self._counts.update(kinds)
            if not (any(self._counts[kind] <= FIRST for kind in self._kinds) and self._early.add(part)):
                self._late.add(part, self._kinds)

    def pieces(self) -> Iterator[Piece]:
        """What is kept, in order and without overlaps; neighbours may touch."""
        tail_start = self._tail.pieces[0].offset if self._tail.pieces else self.total_bytes
        last = 0
        for piece in sorted([*self._head.pieces, *self._early.pieces, *self._late.pieces], key=lambda piece: piece.offset):
            if piece.offset < tail_start:
                last = max(last, piece.end)
                yield piece
        for piece in self._tail.pieces:
            if piece.end > last:
                yield piece.after(last)


def selected(parts: Sequence[Part], load: Callable[[Part], bytes]) -> Windows:
    """What feeding all parts of a file would keep. `load` gives the bytes of a part, and is asked only for what may be kept."""
    hits: list[tuple[int, Kind]] = []
    windows = Windows(lambda _: hits)
    size = sum(part.size for part in parts)
    for at, part in enumerate(parts):
        ends = part.offset < HEAD_BYTES + CHUNK or size - part.offset < TAIL_BYTES + 2 * CHUNK
        if ends or windows.owes or any(near.hits for near in parts[at : at + 2]):
            hits = part.hits
            windows.feed(load(part))
        else:
            windows.skip(part)
    return windows


def _whole_character(data: bytes, position: int) -> int:
    """The next place at or behind this one where a character of UTF-8 starts."""
    for place in range(position, min(position + 3, len(data))):
        if data[place] & 0xC0 != 0x80:
            return place
    return min(position + 3, len(data))


def _parts(piece: Piece) -> Iterator[Piece]:
    """Cut a piece at newlines into parts of about `_PART_LINES` lines and at most `REACH` bytes."""
    size = len(piece.data)
    step = min(REACH, size * _PART_LINES // piece.lines + 1) if piece.lines else REACH
    if size <= step:
        yield piece
        return
    position, line = 0, piece.line
    while position < size:
        end = position + step
        if end < size:
            newline = piece.data.rfind(b"\n", position, end)
            end = newline + 1 if newline >= position else _whole_character(piece.data, end)
        part = Piece(piece.offset + position, line, piece.data[position:end])
        yield part
        position, line = end, line + part.lines
