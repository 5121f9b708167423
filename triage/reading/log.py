"""What a text becomes once it is read: `Line`, the `Prefix` a process put before it, and `Log`."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from triage.reading.clock import seconds


class Prefix:
    """What stood before a message: who printed it, when, how loudly and from which source line.

    `stamp` is the time as printed; `Line.time` converts it when somebody asks.
    """

    __slots__ = ("level", "origin", "rank", "stamp", "stream")

    def __init__(self, stream: str = "", rank: int | None = None, stamp: str = "", level: str = "", origin: str = "") -> None:
        self.stream = stream
        self.rank = rank
        self.stamp = stamp
        self.level = level
        self.origin = origin


NO_PREFIX = Prefix()
QUOTED = ("document", "mention")  # roles of lines that report nothing of their own
SPOKEN = ("output", "prose", "table")  # roles of lines that a program printed or a person said


class Line:
    """A line, or the piece of one that stood between two carriage returns.

    `number` counts raw lines from 1 as `sed -n Np` does, so several lines may share one. `raw` is the piece as it
    stood in the input, without the newline; `text` is what was printed: without terminal sequences, control characters
    and the prefixes of launchers and loggers, its own indentation kept. `role` is one of output, prose, code, source, diff, document,
    mention.
    """

    __slots__ = ("number", "prefix", "raw", "role", "text")

    def __init__(self, number: int, raw: str, text: str, prefix: Prefix = NO_PREFIX, role: str = "output") -> None:
        self.number = number
        self.raw = raw
        self.text = text
        self.prefix = prefix
        self.role = role

    @property
    def stream(self) -> str:
        """Label of the process that printed the line: 'rank3', 'EngineCore pid=7'; '' when none was printed."""
        return self.prefix.stream

    @property
    def rank(self) -> int | None:
        """Rank of the process that printed the line, where the prefix names it."""
        return self.prefix.rank

    @property
    def time(self) -> float | None:
        """Time stamp in seconds; only differences between lines of one text mean anything."""
        return seconds(self.prefix.stamp) if self.prefix.stamp else None

    @property
    def level(self) -> str:
        """'debug', 'info', 'warning', 'error', 'critical', or '' where no level was printed."""
        return self.prefix.level

    @property
    def origin(self) -> str:
        """Where in its source the program printed the line: 'core.py:781', a logger's name, or ''."""
        return self.prefix.origin

    def __repr__(self) -> str:
        return f"Line({self.number}, {self.text!r}, stream={self.stream!r}, role={self.role!r})"


class Block:
    """Consecutive lines with their cleaned texts joined by newlines, so that one search covers them all."""

    __slots__ = ("lines", "starts", "text")

    def __init__(self, lines: list[Line]) -> None:
        self.lines = lines
        texts = [line.text for line in lines]
        self.text = "\n".join(texts)
        starts = []
        offset = 0
        for text in texts:
            starts.append(offset)
            offset += len(text) + 1
        self.starts = starts

    def index(self, offset: int) -> int:
        """Index into `lines` of the line that holds this offset of `text`."""
        return bisect_right(self.starts, offset) - 1

    def line(self, offset: int) -> Line:
        """The line that holds this offset of `text`."""
        return self.lines[bisect_right(self.starts, offset) - 1]


class Log:
    """A text that was read: its lines, and what is known of it as a whole.

    `omitted` lists the raw lines (first, last; inclusive) of a huge text that were passed over. `kind` is 'empty',
    'binary', 'document', 'issue' (prose or Markdown), 'traceback' or 'log'.
    """

    __slots__ = ("_blocks", "_unwrapped", "kind", "lines", "name", "omitted", "total_bytes", "total_lines")

    BLOCK_LINES = 8192  # bounds the joined text: one emoji widens every character of a joined string to four bytes

    def __init__(
        self,
        lines: list[Line],
        total_lines: int,
        total_bytes: int,
        omitted: list[tuple[int, int]] | None = None,
        name: str = "",
        kind: str = "log",
    ) -> None:
        self.lines = lines
        self.total_lines = total_lines
        self.total_bytes = total_bytes
        self.omitted = omitted or []
        self.name = name
        self.kind = kind
        self._blocks: list[Block] | None = None
        self._unwrapped: list[Line] | None = None

    def blocks(self) -> Iterator[Block]:
        """The lines in blocks of at most `BLOCK_LINES`; kept when there is only one."""
        if self._blocks is not None:
            yield from self._blocks
        elif len(self.lines) <= self.BLOCK_LINES:
            self._blocks = [Block(self.lines)] if self.lines else []
            yield from self._blocks
        else:
            for first in range(0, len(self.lines), self.BLOCK_LINES):
                yield Block(self.lines[first : first + self.BLOCK_LINES])

    @property
    def parts(self) -> Sequence[tuple[Log, int]]:
        """The logs of a job, each with what to add to its line numbers; none where the log is one text."""
        return ()

    def place(self, number: int) -> tuple[str, int]:
        """The file, and the line in it, of a line number; the file is '' where there is only one."""
        return "", number

    def streams(self) -> dict[str, list[Line]]:
        """The lines of each process, in order of first appearance; '' holds those without a label."""
        streams: dict[str, list[Line]] = {}
        for line in self.lines:
            streams.setdefault(line.prefix.stream, []).append(line)
        return streams

    @property
    def unwrapped(self) -> list[Line]:
        """The logical lines of a text that was wrapped at a fixed width; empty when it was not.

        Each carries the number of its first raw line; its `raw` joins the raw lines by newlines.
        """
        if self._unwrapped is None:
            from triage.reading.wrapping import unwrap

            self._unwrapped = unwrap(self.lines)
        return self._unwrapped

    def __repr__(self) -> str:
        return f"Log({self.name!r}, kind={self.kind!r}, {len(self.lines)} of {self.total_lines} lines)"


def as_document(lines: Iterable[Line], *, prefixed: bool = True) -> None:
    """Give lines that were printed or said the role 'document'; with `prefixed` also those that bear a program's prefix."""
    for line in lines:
        if line.role in SPOKEN and (prefixed or line.prefix is NO_PREFIX):
            line.role = "document"
