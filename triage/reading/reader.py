"""`read`: any source to a `Log`."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Iterator, Sequence

from triage.reading.decoding import decode, wide_encoding
from triage.reading.log import NO_PREFIX, QUOTED, Line, Log
from triage.reading.prefixes import Stripper, find_labels
from triage.reading.roles import assign_roles
from triage.reading.terminal import Cleaner, has_controls
from triage.reading.windows import CHUNK, Keep, Part, Piece, Windows, errors, selected

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

    from triage.reading.compressed import Readable
    from triage.reading.records import Message

    Source = str | bytes | bytearray | memoryview | os.PathLike[str] | IO[str] | IO[bytes] | Readable


WHOLE_BYTES = 2 << 20  # inputs up to here are read completely
WHOLE_LINES = 10_000
MAX_LINE = 16 << 10  # characters; a longer line is cut into several of the same number
MAX_PIECES = 300_000  # lines after the splitting of carriage returns
_CUT_SEARCH = 256  # characters before a cut in which a blank is looked for
_SAMPLE = 64 << 10  # bytes looked at to tell binary data
_TAIL_HEADER = "==> "


def read(source: Source, keep: Keep | None = None) -> Log:
    """Read a text into lines. A `str` is the text itself, never a path; paths are `os.PathLike`, and may lead to a compressed file.

    Inputs beyond 2 MiB or 10 000 lines are not kept completely: `keep` is called with chunks of about 1 MiB and gives the
    ascending offsets of what is interesting there; the surroundings of those places, the beginning and the end are
    kept, under their true line numbers, and `Log.omitted` names the rest.

    Raises OSError where a path can't be read and TypeError for other sources; never because of what the text holds.
    """
    name = ""
    if isinstance(source, str):
        data = source.encode("utf-8", "replace") if source.isascii() or not _has_surrogates(source) else _replace_surrogates(source)
    elif isinstance(source, (bytes, bytearray, memoryview)):
        data = bytes(source)
    elif isinstance(source, os.PathLike):
        name = os.fspath(source)
        from triage.reading.compressed import unpacked

        with open(name, "rb") as opened:
            return _read_stream(unpacked(opened).read, name, keep or errors)
    elif hasattr(source, "read"):
        named = getattr(source, "name", None)
        name = named if isinstance(named, str) else ""
        return _read_stream(_reader(source), name, keep or errors)
    else:
        raise TypeError(f"can't read a text from {type(source).__name__}")
    if len(data) <= WHOLE_BYTES and data.count(b"\n") <= WHOLE_LINES:
        return _read_whole(data, name)
    return _read_windows(chunks(io.BytesIO(data).read), name, keep or errors)


def read_parts(parts: Sequence[Part], load: Callable[[Part], bytes], name: str = "") -> Log:
    """Read a large file of which it is known what is interesting where, without reading all of it. `load` gives the bytes of a part."""
    return _from_windows(selected(parts, load), name)


def _has_surrogates(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _replace_surrogates(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


def _reader(file: IO[str] | Readable) -> Callable[[int], bytes]:
    def read_bytes(size: int) -> bytes:
        data = file.read(size)
        return data.encode("utf-8", "replace") if isinstance(data, str) else bytes(data or b"")

    return read_bytes


def _read_stream(read_bytes: Callable[[int], bytes], name: str, keep: Keep) -> Log:
    parts = []
    size = 0
    while size <= WHOLE_BYTES:
        part = read_bytes(WHOLE_BYTES + 1 - size)
        if not part:
            break
        parts.append(part)
        size += len(part)
    data = b"".join(parts)
    parts.clear()
    if size <= WHOLE_BYTES and data.count(b"\n") <= WHOLE_LINES:
        return _read_whole(data, name)
    return _read_windows(chunks(read_bytes, data), name, keep)


def chunks(read_bytes: Callable[[int], bytes], start: bytes = b"") -> Iterator[bytes]:
    """Chunks that end with a newline where there is one, else before a character; UTF-16 comes as UTF-8."""
    rest, position = start, 0
    decoder = None
    buffer = b""
    first = True
    while True:
        if position < len(rest):
            part = rest[position : position + CHUNK]
            position += CHUNK
        else:
            rest, position = b"", 0
            part = read_bytes(CHUNK)
        if first:
            first = False
            wide = wide_encoding(part)
            if wide:
                import codecs

                decoder = codecs.getincrementaldecoder(wide)("replace")
            part = part.removeprefix(b"\xef\xbb\xbf")
        buffer += decoder.decode(part, not part).encode("utf-8", "replace") if decoder is not None else part
        if not part:
            if buffer:
                yield buffer
            return
        cut = buffer.rfind(b"\n") + 1
        if not cut and len(buffer) >= CHUNK:
            cut = len(buffer)
            while cut > len(buffer) - 4 and buffer[cut - 1] & 0xC0 == 0x80:
                cut -= 1
            cut -= buffer[cut - 1] >= 0xC0
        if cut:
            yield buffer[:cut]
            buffer = buffer[cut:]


def _read_whole(data: bytes, name: str) -> Log:
    text = decode(data)
    raws = text.split("\n")
    if raws[-1] == "":
        raws.pop()
    wide = bool(wide_encoding(data))
    controls = has_controls(text.encode("utf-8", "replace") if wide else data)
    total = len(raws)
    messages = _unwrapped(raws, text)
    if messages is not None:
        raws, text, controls = _apart(messages)
    builder = _Builder(Stripper(find_labels(raws, text)))
    builder.add(1, raws, text, controls)
    lines = builder.lines
    if messages is not None:
        _attribute(lines, messages, 1)
    if any(mark in text for mark in _CLEANED):  # what roles look for ends with lines: `:\n`, "\n## "
        text = "\n".join([line.text.rstrip() for line in lines]) + "\n"
    inside = assign_roles(lines, text.__contains__)
    return Log(lines, total, len(data), [], name, _kind(lines, inside, b"" if wide else data))


def _unwrapped(raws: list[str], text: str) -> list[Message] | None:
    """The lines with the records of collectors unwrapped, None where there are none, as in most texts."""
    if '{"' not in text and '{ "' not in text and '": ' not in text:
        return None
    from triage.reading.records import unwrapped

    return unwrapped(raws, text)


def _attribute(lines: list[Line], messages: Sequence[Message], number: int) -> None:
    from triage.reading.records import attribute

    attribute(lines, messages, number)


def _apart(messages: Sequence[Message]) -> tuple[list[str], str, bool]:
    """Messages as lines, as one text, and whether there are control characters in it."""
    raws = [message.text for message in messages]
    text = "\n".join(raws) + "\n"
    return raws, text, has_controls(text.encode("utf-8", "replace"))


def _read_windows(chunks: Iterator[bytes], name: str, keep: Keep) -> Log:
    windows = Windows(keep)
    for chunk in chunks:
        windows.feed(chunk)
    return _from_windows(windows, name)


def _from_windows(windows: Windows, name: str) -> Log:
    sample = b""
    builder: _Builder | None = None
    omitted: list[tuple[int, int]] = []
    after = 1  # first line not yet accounted for
    for piece in _joined(windows.pieces()):
        text = decode(piece.data)
        raws = text.split("\n")
        if raws[-1] == "":
            raws.pop()
        if piece.line > after:
            omitted.append((after, piece.line - 1))
        after = piece.line + len(raws)
        controls = has_controls(piece.data)
        messages = _unwrapped(raws, text)
        if messages is not None:
            raws, text, controls = _apart(messages)
        if builder is None:
            sample = piece.data[:_SAMPLE]
            builder = _Builder(Stripper(find_labels(raws, text)))
        known = len(builder.lines)
        builder.add(piece.line if messages is None else 1, raws, text, controls)
        if messages is not None:
            _attribute(builder.lines[known:], messages, piece.line)
    if after <= windows.total_lines:
        omitted.append((after, windows.total_lines))
    lines = builder.lines if builder else []
    assign_roles(lines, ('File "', "---> ").__contains__)
    return Log(lines, windows.total_lines, windows.total_bytes, omitted, name, _kind(lines, -1, sample))


def _joined(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Pieces that touch, joined up to about a megabyte, so that a line cut between two is whole again."""
    run: list[Piece] = []
    size = 0
    for piece in pieces:
        if run and (run[-1].end != piece.offset or (size > CHUNK and run[-1].data.endswith(b"\n"))):
            yield Piece(run[0].offset, run[0].line, b"".join(part.data for part in run))
            run, size = [], 0
        run.append(piece)
        size += len(piece.data)
    if run:
        yield Piece(run[0].offset, run[0].line, b"".join(part.data for part in run))


_CLEANED = (" \n", "\r\n", "\x1b[", "&quot;", "&#")  # marks of texts whose lines were cleaned


class _Builder:
    """Raw lines → `Line` objects."""

    __slots__ = ("_quoted", "_stripper", "lines")

    def __init__(self, stripper: Stripper) -> None:
        self.lines: list[Line] = []
        self._stripper = stripper

    def add(self, number: int, raws: list[str], text: str, controls: bool) -> None:
        """Append the lines of consecutive raw lines, the first of which has this number; `text` is all of them."""
        cleaner = Cleaner(text, controls)
        quoted = "\n> " in text or text.startswith("> ")
        headers = _TAIL_HEADER in text
        plain = cleaner.idle and not quoted and not headers and max(map(len, raws), default=0) <= MAX_LINE
        if plain:
            self._add_plain(number, raws)
            return
        for offset, raw in enumerate(raws):
            if raw.endswith("\r"):
                raw = raw[:-1]
            for piece in cleaner.pieces(raw) if not cleaner.idle and len(self.lines) < MAX_PIECES else (raw,):
                for part in (piece,) if len(piece) <= MAX_LINE else _cut(piece):
                    self._add(number + offset, part, cleaner, quoted, headers)

    def _add_plain(self, number: int, raws: list[str]) -> None:
        strip = self._stripper.strip
        starts = self._stripper.starts
        append = self.lines.append
        for raw in raws:
            if starts and raw[:1] not in starts and not (raw[:1] == " " and raw[1:2].isupper()):
                append(Line(number, raw, raw))
            else:
                text, prefix = strip(raw)
                append(Line(number, raw, text, prefix))
            number += 1

    def _add(self, number: int, raw: str, cleaner: Cleaner, quoted: bool, headers: bool) -> None:
        text = cleaner.clean(raw)
        if headers and text.startswith(_TAIL_HEADER) and text.endswith(" <=="):
            self._stripper.section(text[len(_TAIL_HEADER) : -4][:200])
            self.lines.append(Line(number, raw, text))
            return
        if quoted:
            while text.startswith("> ") and not text.startswith("> >>>"):
                text = text[2:]
        text, prefix = self._stripper.strip(text) if text else (text, NO_PREFIX)
        self.lines.append(Line(number, raw, text, prefix))


def _cut(text: str) -> Iterator[str]:
    """Parts of at most `MAX_LINE` characters, cut behind a blank where one is near."""
    start = 0
    while start < len(text):
        end = start + MAX_LINE
        if end < len(text):
            blank = text.rfind(" ", end - _CUT_SEARCH, end)
            end = blank + 1 if blank > 0 else end
        yield text[start:end]
        start = end


def _kind(lines: list[Line], fenced: int, data: bytes) -> str:
    spoken = [line for line in lines if line.text and not line.text.isspace()]
    if not spoken:
        return "empty"
    sample = data[:_SAMPLE]
    odd = len(sample) - len(sample.translate(None, bytes([*range(7), *range(14, 27), *range(28, 32), 127])))
    if odd > 0.05 * len(sample):
        return "binary"
    if sum(line.role in QUOTED for line in spoken) >= 0.8 * len(spoken):
        return "document"
    prose = sum(line.role == "prose" for line in spoken)
    if fenced > 0 or prose >= 0.4 * len(spoken) or (prose and len(spoken) <= 12):
        return "issue"
    frames = sum(line.role == "source" or 'File "' in line.text or "Traceback (most recent" in line.text for line in spoken)
    return "traceback" if frames >= 0.4 * len(spoken) else "log"
