"""Frames as IPython, rich and pytest print them."""

from __future__ import annotations

from triage.reading import Line
from triage.reading.lazy import Pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from triage.parsers.tracebacks import Traceback

_OLD_FRAME = Pattern(
    r"\[?(<ipython-input-[^>]{1,80}>|(?:[A-Za-z]:)?[~/.\\\w][^\s\]:]{0,500}\.py)"
    r"(?:\]\([^)]{0,500}\))? in ([\w.<>]+)(?:\(|\s*$)"
)
_FILE_FRAME = Pattern(r"File ((?:[A-Za-z]:)?[^:\"]{1,500}):([0-9]{1,9})(?:, in ([\w.<> ]{1,200}))?")
_CELL_FRAME = Pattern(
    r"((?:Cell|Input) In ?\[[0-9]{1,6}\]),? (?:line ([0-9]{1,9})(?:, in ([\w.<>]{1,200}))?|in <cell line: ([0-9]{1,9})>|in (\w+))"
)
_RICH_FRAME = Pattern(r"((?:[A-Za-z]:)?[^:\s]{1,500}):([0-9]{1,9}) in (\S{1,200})")
_RICH_PATH = Pattern(r"((?:[A-Za-z]:)?[^:\s]{1,500}\.pyx?):([0-9]{1,9})\Z")  # the function did not fit into the line
_RICH_FUNCTION = Pattern(r"in ([\w.<>]{1,200})\Z")
_PYTEST_FRAME = Pattern(r"((?:[A-Za-z]:)?[^:\s]{1,500}\.py):([0-9]{1,9}): (?:in (\S{1,200})|[A-Z]\w{2,80}$)")
_ARROW = Pattern(r"-{1,6}> ?([0-9]{1,9})\s?(.*)")
_NUMBERED = Pattern(r"[0-9]{1,9}(?:\s|$)")
_RICH_ARROW = Pattern(r"(?:\u2771|>)\s*([0-9]{1,9}) [\u2502|] ?(.*)")


def feed(traceback: Traceback, line: Line, body: str) -> bool:
    """Take a line of such a traceback: a frame, its source, or decoration. False for what else it may be."""
    if traceback.style == "rich":
        return _feed_rich(traceback, line, body)
    match = _CELL_FRAME.match(body)
    if match:
        number = match[2] or match[4]
        _add(traceback, line, match[1], int(number) if number else None, match[3] or match[5] or "<module>")
        return True
    match = _FILE_FRAME.match(body)
    if match:
        _add(traceback, line, match[1], int(match[2]), (match[3] or "").strip())
        return True
    match = _OLD_FRAME.match(body)
    if match:
        _add(traceback, line, match[1], None, match[2])
        return True
    match = _PYTEST_FRAME.match(body)
    if match:
        _add(traceback, line, match[1], int(match[2]), match[3] or "")
        return True
    return _feed_source(traceback, line, body)


def _add(traceback: Traceback, line: Line, path: str, source_line: int | None, function: str) -> None:
    from triage.parsers.tracebacks import Frame

    # "Module.to.<locals>.convert(t)": only IPython qualifies names; rules compare with those of the interpreter
    traceback.frames.append(Frame(line, path, source_line, function.rsplit(".", 1)[-1]))


def _feed_source(traceback: Traceback, line: Line, body: str) -> bool:
    match = _ARROW.match(body)
    if match:
        _set_code(traceback, line, int(match[1]), match[2])
        return True
    if body.startswith("> ") and traceback.style == "pytest":
        _set_code(traceback, line, None, body[2:])
        return True
    return _NUMBERED.match(body) is not None or body.startswith(("(...)", "----"))


def _set_code(traceback: Traceback, line: Line, number: int | None, code: str) -> None:
    if traceback.frames:
        frame = traceback.frames[-1]
        if frame.source_line is None:
            frame.source_line = number
        frame.code = code.strip(" \t\u2502")[:500]
        frame.code_line = line


def _feed_rich(traceback: Traceback, line: Line, body: str) -> bool:
    if body[0] not in "\u2502\u2503|\u2570\u2514+":
        return False
    content = body.strip("\u2502\u2503| \t")
    match = _RICH_FRAME.match(content)
    if match:
        _add(traceback, line, match[1], int(match[2]), match[3])
        return True
    match = _RICH_PATH.match(content)
    if match:
        _add(traceback, line, match[1], int(match[2]), "")
        return True
    match = _RICH_FUNCTION.match(content)
    if match and traceback.frames and not traceback.frames[-1].function:
        traceback.frames[-1].function = match[1].rsplit(".", 1)[-1]
        return True
    match = _RICH_ARROW.match(content)
    if match:
        _set_code(traceback, line, int(match[1]), match[2])
    return True
