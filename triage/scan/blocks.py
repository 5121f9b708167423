"""A large file, read block by block, each by whoever has time, and put together again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import IO, Final, NamedTuple

from triage.pipeline import Triage
from triage.reading.decoding import wide_encoding
from triage.reading.log import Log
from triage.reading.reader import read_parts
from triage.reading.windows import CHUNK, Keep, Part
from triage.signatures.census import Tally

BLOCK: Final = 64 << 20  # bytes

Groups = Mapping[str, Sequence[tuple[str, str]]]  # of signatures, by their failures and ids


class Span(NamedTuple):
    """A block of a file, from the beginning of a line to that of another."""

    path: str
    start: int
    end: int


def is_plain(start: bytes) -> bool:
    """Whether in a file that begins so every byte of a line end is one, and no byte stands before the first line."""
    return not wide_encoding(start) and not start.startswith(b"\xef\xbb\xbf")


def spans(path: str, size: int, block: int) -> list[Span]:
    """The blocks of the first `size` bytes of a file, about `block` bytes each. Raises OSError."""
    with open(path, "rb") as file:
        starts = sorted({0, *(_line_start(file, offset) for offset in range(block, size, block))})
    return [Span(path, start, end) for start, end in zip(starts, [*starts[1:], size], strict=True) if start < end]


def _line_start(file: IO[bytes], offset: int) -> int:
    """Where the next line begins; in the middle of a very long one, the offset itself."""
    file.seek(offset)
    return offset + file.readline(CHUNK).find(b"\n") + 1


def _chunks(span: Span) -> Iterator[tuple[int, bytes]]:
    """Pieces of about 1 MiB that end with a line, where one ends, and their offsets."""
    with open(span.path, "rb") as file:
        start = span.start
        while start < span.end:
            file.seek(start)
            data = file.read(min(CHUNK, span.end - start))
            if not data:  # the file was cut meanwhile
                return
            data = data[: data.rfind(b"\n") + 1] or data
            yield start, data
            start += len(data)


def sift(span: Span, sieve: Keep) -> list[Part]:
    """What there is in a block. Raises OSError."""
    return [Part(offset, len(data), data.count(b"\n"), data.endswith(b"\n"), sieve(data)) for offset, data in _chunks(span)]


def assembled(path: str, parts: Sequence[Part], name: str) -> Log:
    """The log, of this name, that reading the whole file would give; of the file only what is kept is read. Raises OSError."""
    with open(path, "rb") as file:

        def load(part: Part) -> bytes:
            file.seek(part.offset)
            return file.read(part.size)

        return read_parts(parts, load, name)


def count(span: Span, engine: Triage, groups: Groups) -> tuple[int, dict[str, Tally]]:
    """The number of line ends in a block, and the tally of each group. Raises OSError."""
    newlines = 0

    def counted() -> Iterator[bytes]:
        nonlocal newlines
        for _, data in _chunks(span):
            newlines += data.count(b"\n")
            yield data

    tallies = engine.count(counted(), groups)
    return newlines, tallies


def added(counts: Iterable[tuple[int, dict[str, Tally]]]) -> dict[str, Tally]:
    """The tallies of a file from those of its blocks, in order."""
    total: dict[str, Tally] = {}
    above = 0
    for newlines, tallies in counts:
        for name, tally in tallies.items():
            total.setdefault(name, Tally()).join(tally, above)
        above += newlines
    return total
