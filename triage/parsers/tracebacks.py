"""Python tracebacks: frames, exceptions and what led to what.

Each stream is read by itself, so that ranks which print at the same time do not disturb each other. Forms: the
interpreter's own (chained, grouped, of syntax errors, without header where a text starts in the middle, and with lines
of other processes in between), IPython's, rich's boxes and pytest's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from triage.engine.values import Value
from triage.facts import Observation
from triage.parsers.frames import backend_call, checked_by, is_user_code, operator_of, package_of
from triage.parsers.seen import observe
from triage.reading import Line, Log
from triage.reading.lazy import Pattern

MAX_TRACEBACKS = 400
MAX_FRAMES = 200
_FOREIGN_LINES = 20  # lines of other programs inside a traceback before it counts as cut off
_MAX_MESSAGE = 2000

_HEADER = "Traceback (most recent call last)"
_FRAME = Pattern(r'File "([^"]{1,1000})", line ([0-9]{1,9})(?:, in (.{1,300}))?')
_EXCEPTION = Pattern(r"((?:[A-Za-z_]\w*\.){0,12}[A-Z_]\w*(?:\([\w.]{1,200}\))?)(?::(?: (.*))?|\s*$)")
_TELLING = Pattern(r"(?:Error|Exception|Interrupt|SystemExit|Failure|Timeout|Died|Failed|StopIteration|StopAsyncIteration|OutOfMemory)\b")
_NOT_EXCEPTIONS = frozenset(("Error", "Failed", "Failure", "Timeout", "Died"))  # what programs in other languages print
_CARETS = Pattern(r"[\^~ ]*\Z")
_GROUP_BAR = Pattern(r"[ \t]*(?:\+-\+-[- 0-9.]*|\+-[- 0-9.]*|\| ?|\+ )")
_PROMPT = ">>> "
_TYPED = ("<stdin>", "<console>")
_CONTEXT = "During handling of the above exception"
_CAUSE = "The above exception was the direct cause"
_MARKS = ('File "', "Traceback", "Error", "Exception", "Interrupt", "OutOfMemory", "StopIteration", ", line ", "Died")


class Frame:
    """One frame of a traceback."""

    __slots__ = ("code", "code_line", "function", "line", "path", "source_line")

    def __init__(self, line: Line, path: str, source_line: int | None, function: str) -> None:
        self.line = line
        self.path = path
        self.source_line = source_line
        self.function = function
        self.code = ""
        self.code_line: Line | None = None


class Traceback:
    """A traceback while it is read."""

    __slots__ = ("chain", "exception", "first", "frames", "indent", "message", "number", "parent", "style", "type")

    def __init__(self, first: Line, indent: int, style: str) -> None:
        self.first = first
        self.indent = indent
        self.style = style  # 'python', 'ipython', 'rich', 'pytest', 'line' (an exception without frames)
        self.frames: list[Frame] = []
        self.exception: Line | None = None
        self.type = ""
        self.message = ""
        self.chain = ""
        self.parent: Traceback | None = None
        self.number = 0

    def close(self, line: Line, name: str, message: str) -> None:
        """End with this exception."""
        self.exception = line
        self.type = name
        self.message = message[:_MAX_MESSAGE]


def parse_tracebacks(log: Log) -> list[Observation]:
    """Facts `frame` and `exception` of all tracebacks of a log, in order of their first lines."""
    if not any(mark in block.text for block in log.blocks() for mark in _MARKS):
        return []
    found: list[Traceback] = []
    for lines in log.streams().values():
        reader = _StreamReader()
        reader.read(lines)
        found.extend(reader.found)
    position = {id(line): index for index, line in enumerate(log.lines)}
    found.sort(key=lambda traceback: position[id(traceback.first)])
    if len(found) > MAX_TRACEBACKS:
        found = found[: MAX_TRACEBACKS * 3 // 4] + found[-MAX_TRACEBACKS // 4 :]
    for number, traceback in enumerate(found):
        traceback.number = number
    known = set(map(id, found))
    observations: list[Observation] = []
    for traceback in found:
        _report(traceback, known, observations)
    return observations


def _report(traceback: Traceback, known: set[int], observations: list[Observation]) -> None:
    frames = traceback.frames
    depths: Iterable[int] = range(len(frames))
    if len(frames) > MAX_FRAMES:
        depths = [*range(MAX_FRAMES // 4), *range(len(frames) - MAX_FRAMES * 3 // 4, len(frames))]
    innermost = None
    for depth in depths:
        frame = frames[depth]
        package = package_of(frame.path)
        user = is_user_code(frame.path, package)
        slots: dict[str, Value] = {"path": frame.path, "user": user, "innermost_user": False, "depth": depth, "traceback": traceback.number}
        if frame.source_line is not None:
            slots["source_line"] = frame.source_line
        if frame.function:
            slots["function"] = frame.function
        if frame.code:
            slots["code"] = frame.code
        if package:
            slots["package"] = package
        if depth == len(frames) - 1:
            operator = operator_of(frame.code) or checked_by(frame.path, frame.function, frame.code)
            operator = operator or backend_call([other.function for other in frames[-3:]])
            if operator:
                slots["op"] = operator
        if user:
            innermost = slots
        observations.append(observe("frame", slots, frame.line, *((frame.code_line,) if frame.code_line else ())))
    if innermost is not None:
        innermost["innermost_user"] = True
    if traceback.exception is not None:
        slots = {"type": traceback.type, "message": traceback.message, "traceback": traceback.number}
        if traceback.chain:
            slots["chain"] = traceback.chain
        if traceback.parent is not None and id(traceback.parent) in known:
            slots["parent"] = traceback.parent.number
        observations.append(observe("exception", slots, traceback.exception))


class _StreamReader:
    """Reads the lines of one stream in order."""

    def __init__(self) -> None:
        self.found: list[Traceback] = []
        self._open: Traceback | None = None  # the traceback that waits for frames or its exception
        self._last: Traceback | None = None  # the one that was completed last
        self._awaits_code = False
        self._foreign = 0
        self._link = ""  # how the last one leads to the next: 'cause' or 'context'
        self._outer: Traceback | None = None  # the exception whose message holds the traceback that follows
        self._group: Traceback | None = None
        self._ignored = False
        self._statement: Line | None = None  # the last that somebody typed at a prompt

    def read(self, lines: list[Line]) -> None:
        for line in lines:
            text = line.text
            if self._group is not None or "Exception Group Traceback" in text:
                bar = _GROUP_BAR.match(text)
                text = text[bar.end() :] if bar else text
            body = text.lstrip()
            if body:
                self._line(line, text, body)
            elif self._open is not None:
                self._awaits_code = False

    def _line(self, line: Line, text: str, body: str) -> None:
        first = body[0]
        if first == "F" and body.startswith('File "'):
            match = _FRAME.match(body)
            if match:
                self._frame(line, len(text) - len(body), match)
                return
        if _HEADER in body:
            self._header(line, text, body)
            return
        if first == ">" and body.startswith(_PROMPT):
            self._statement = line
        traceback = self._open
        if traceback is not None and traceback.style != "python":
            from triage.parsers.notebook import feed

            known = len(traceback.frames)
            if feed(traceback, line, body):
                self._awaits_code = len(traceback.frames) > known and traceback.style == "pytest"
                return
        if traceback is not None:
            indent = len(text) - len(body)
            if traceback.frames and self._take_code(traceback.frames[-1], line, body, indent - traceback.indent):
                return
            if first.isalpha() or first == "_":
                match = _EXCEPTION.match(body)
                if match and (_TELLING.search(match[1]) or (self._foreign == 0 and indent <= traceback.indent and not match[1].isupper())):
                    self._close(line, match)
                    return
            self._foreign += 1
            if self._foreign > _FOREIGN_LINES:
                self._open = None
            return
        self._between(line, text, body)

    def _between(self, line: Line, text: str, body: str) -> None:
        """A line outside tracebacks: what links two, or an exception that was printed without its frames."""
        if body.startswith(_CONTEXT):
            self._link = "context"
        elif body.startswith(_CAUSE):
            self._link = "cause"
        elif body.startswith("Exception ignored in"):
            self._ignored = True
        elif body.startswith("ray::") and self._last is not None:
            self._outer = self._last
        elif body.startswith(("Cell In", "Input In", "<ipython-input", "File ")) or ".py:" in body or (".py in " in body and "(" in body):
            self._headless(line, body)
        elif line.role != "prose" and len(text) - len(body) <= 4 and ("A" <= body[0] <= "Z" or "." in body[:60] or body[0] == "_"):
            match = _EXCEPTION.match(body)
            if match and match[2] and _TELLING.search(match[1]) and match[1] not in _NOT_EXCEPTIONS and not match[1].endswith("Warning"):
                self._start(line, 0, "line")
                self._close(line, match)

    def _headless(self, line: Line, body: str) -> None:
        """A frame of IPython or pytest whose header is missing."""
        from triage.parsers.notebook import feed

        boxed = "rich" if body[0] == "\u2502" else "pytest"
        traceback = Traceback(line, 0, "ipython" if ".py:" not in body or body.startswith("File ") else boxed)
        if feed(traceback, line, body) and traceback.frames:
            self._start(line, 0, traceback.style)
            assert self._open is not None
            self._open.frames = traceback.frames
            self._awaits_code = traceback.style == "pytest"

    def _start(self, line: Line, indent: int, style: str) -> None:
        traceback = Traceback(line, indent, style)
        if self._link and self._last is not None:
            self._last.chain, self._last.parent = self._link, traceback
        elif self._outer is not None:
            traceback.chain, traceback.parent = "cause", self._outer
        elif self._group is not None:
            traceback.chain, traceback.parent = "cause", self._group
        elif self._ignored:
            traceback.chain = "ignored"
        self._link, self._outer, self._ignored = "", None, False
        self._open = traceback
        self._awaits_code = False
        self._foreign = 0
        self.found.append(traceback)

    def _header(self, line: Line, text: str, body: str) -> None:
        if self._open is not None and self._open.frames and not body.startswith(_HEADER):
            match = _EXCEPTION.match(body)
            if match and match[2] and match[2].startswith(_HEADER):  # the message is the traceback of a worker
                self._close(line, match)
                self._outer = self._last
        if body.startswith(("Original " + _HEADER, "Original Trace")) and self._last is not None:
            self._outer = self._last
        indent = len(text) - len(body)
        before = body.split(" ", 1)[0]
        if body[0] in "\u256d\u250c+|":
            style = "python" if "Group" in body else "rich"
        elif _TELLING.search(before) and not body.startswith((_HEADER, "Original ", "Exception Group")) and not before.endswith(":"):
            style = "ipython"  # "RuntimeError      Traceback (most recent call last)"
        else:
            style = "python"
        previous = self._open
        if previous is not None and previous.style == "python" and not previous.frames and self.found[-1] is previous:
            self.found.pop()  # a header that was printed twice
        self._start(line, indent, style)
        if "Exception Group Traceback" in body:
            self._group = self._open

    def _frame(self, line: Line, indent: int, match: re.Match[str]) -> None:
        if self._open is None:
            self._start(line, max(indent - 2, 0), "python")
        traceback = self._open
        assert traceback is not None
        traceback.indent = min(traceback.indent, max(indent - 2, 0)) if traceback.frames else max(indent - 2, 0)
        function = (match[3] or "").strip()
        frame = Frame(line, match[1], int(match[2]), function)
        if frame.path in _TYPED and self._statement is not None:  # until Python 3.13 its source is not printed again
            frame.code, frame.code_line = self._statement.text.lstrip()[len(_PROMPT) :].strip()[:500], self._statement
        traceback.frames.append(frame)
        self._awaits_code = True
        self._foreign = 0

    def _take_code(self, frame: Frame, line: Line, body: str, indent: int) -> bool:
        """Whether this line is source below the last frame; the first such line is its code."""
        if indent > 2 or (self._awaits_code and indent >= 0 and not frame.code and not _EXCEPTION.match(body)):
            if self._awaits_code and not _CARETS.match(body):
                frame.code = body.strip()[:500]
                frame.code_line = line
            self._awaits_code = False
            return True
        return body.startswith("[Previous line repeated")

    def _close(self, line: Line, match: re.Match[str]) -> None:
        traceback = self._open
        assert traceback is not None
        message = (match[2] or "").strip()
        if "RemoteTraceback" in match[1] and not traceback.frames:
            self.found.pop()
            self._open = None
            return
        traceback.close(line, match[1], message)
        self._last = traceback
        self._open = None
        if message.startswith("ray::") or message.endswith((" raised:", "(look up to see its traceback):")):
            self._outer = traceback
