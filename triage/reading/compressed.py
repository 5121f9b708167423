"""Logs that rotation or a collector compressed: gzip, bzip2, xz, and zstd where Python or the package `zstandard` reads it.

What a file is tells its beginning, not its name. A log that is still being compressed, or was damaged, is read as far as it goes.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol

    class Readable(Protocol):
        def read(self, size: int = -1, /) -> bytes: ...


_GZIP, _BZIP2, _XZ, _ZSTD, _ZIP = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd", b"PK\x03\x04"
_LONGEST_MARK = 10
_PIECE = 1 << 17


class ArchiveError(OSError):
    """A file that holds other files."""


class Unpacked:
    """The text of a compressed file. `damage` says, once the end is reached, why that is not the end of what was compressed; else ''."""

    def __init__(self, piece: Callable[[int], bytes]) -> None:
        """`piece` gives the next bytes of the text, at most so many, none at its end."""
        self._piece = piece
        self.damage = ""

    def read(self, size: int = -1) -> bytes:
        """The next `size` bytes, fewer at the end; all that is left where `size` is negative. Never raises for what the file holds."""
        parts = []
        left = size
        while left and not self.damage:
            try:
                part = self._piece(min(left, _PIECE) if left > 0 else _PIECE)
            except Exception as error:  # each library raises errors of its own
                self.damage = "it ends early" if isinstance(error, EOFError) else f"it is damaged ({' '.join(str(error).split())})"
                break
            if not part:
                break
            parts.append(part)
            left -= len(part) if left > 0 else 0
        return b"".join(parts)


class Begun:
    """A file whose beginning has been read, from that on."""

    def __init__(self, start: bytes, rest: Readable) -> None:
        self._start = start
        self._rest = rest

    def read(self, size: int = -1) -> bytes:
        """As the file's own `read`."""
        if not self._start:
            return self._rest.read(size)
        start, self._start = (self._start, b"") if size < 0 else (self._start[:size], self._start[size:])
        return start if len(start) == size else start + self._rest.read(size - len(start) if size >= 0 else -1)


def unpacked(file: Readable) -> Readable:
    """What gives the bytes of a file from its beginning, or, of a compressed one, those of its text.

    Raises ArchiveError for archives, and OSError for what nothing that is installed here reads; they say what to do.
    """
    start = file.read(_LONGEST_MARK)
    raw: Any = Begun(start, file)
    if start.startswith(_GZIP):
        import gzip

        return Unpacked(gzip.GzipFile(fileobj=raw, mode="rb").read1)
    if start.startswith(_BZIP2) and start[4:10] in (b"1AY&SY", b"\x17\x72\x45\x38\x50\x90"):
        import bz2

        return Unpacked(bz2.BZ2File(raw).read1)
    if start.startswith(_XZ):
        import lzma

        return Unpacked(lzma.LZMAFile(raw).read1)
    if start.startswith(_ZSTD):
        return Unpacked(_zstd(raw))
    if start.startswith(_ZIP):
        raise ArchiveError("a zip archive; unpack it first, or pipe one of its files: unzip -p ARCHIVE FILE | triage explain")
    return raw  # type: ignore[no-any-return]


def _zstd(raw: Any) -> Callable[[int], bytes]:
    try:
        from compression import zstd  # type: ignore[import-not-found, unused-ignore]  # Python 3.14

        return zstd.ZstdFile(raw).read1  # type: ignore[no-any-return, unused-ignore]
    except ImportError:
        pass
    try:
        import zstandard
    except ImportError:
        raise OSError(
            "compressed with zstd: `pip install zstandard` lets triage read it, or pipe it: zstd -dc FILE | triage explain"
        ) from None
    return zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True).read
