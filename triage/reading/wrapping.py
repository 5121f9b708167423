"""Text that a terminal, an editor or a mail program wrapped at a fixed width, joined again."""

from __future__ import annotations

from triage.reading.lazy import Pattern
from triage.reading.log import Line

_NARROWEST, _WIDEST = 50, 220
_CUT_OFF = Pattern(r".*[\w,;(/<>=+-] ?\Z")
_UNIT = Pattern(r"(?:[KMG]i?B|bytes)\b")
_FRAGMENT = Pattern(
    r"(?:[a-z]\w*(?:[ ,)]|\.? |\.?$)|[,.;)%] ?[a-z(]|(?:[KMG]i?B|bytes)\b|[0-9.]+ [KMG]i?B\b|PYTORCH_|[A-Z][a-z]+ [a-z]|[A-Z]+[a-z]* )"
)
_NEW_MESSAGE = Pattern(r"(?:Traceback|During|The above|File \"|terminate called|frame #|at::|\S+: |\S+=|\S+\[[0-9])")


def unwrap(lines: list[Line]) -> list[Line]:
    """Logical lines, or an empty list where nothing seems wrapped.

    Lines belong together when at least two in a row stop in the middle of a sentence and the next word would not have fitted, or
    when a number stands at the end of one and its unit at the beginning of the next.
    """
    logical: list[Line] = []
    joined = False
    index = 0
    while index < len(lines):
        last = _stretch(lines, index)
        if last == index:
            logical.append(lines[index])
        else:
            logical.append(_join(lines[index : last + 1]))
            joined = True
        index = last + 1
    return logical if joined else []


def _stretch(lines: list[Line], first: int) -> int:
    """Index of the last line that continues the one at `first`; `first` itself where nothing does."""
    last = first
    while last + 1 < len(lines) and _NARROWEST <= len(lines[last].text) <= _WIDEST and _continues(lines[last], lines[last + 1]):
        last += 1
    if last == first:
        return first
    width = max(len(line.text) for line in lines[first:last])
    full = first
    while full < last and len(lines[full].text) + len(lines[full + 1].text.split(" ", 1)[0]) + 1 > width:
        full += 1
    if full - first >= 2 or (full > first and _splits_number(lines[first].text, lines[full].text)):
        return full
    return first


def _continues(line: Line, after: Line) -> bool:
    text = after.text.lstrip()
    first = text.split(" ", 1)[0]
    return (
        after.role == line.role
        and line.role in ("output", "prose")
        and after.prefix is line.prefix
        and _CUT_OFF.match(line.text) is not None
        and _FRAGMENT.match(text) is not None
        and _NEW_MESSAGE.match(text) is None
        and not after.prefix.stamp
        and (first.isalpha() or first != line.text.split(" ", 1)[0])  # lines of a table or a log begin alike
        and text.split(" ", 2)[:2] != line.text.split(" ", 2)[:2]
    )


def _splits_number(text: str, after: str) -> bool:
    return text.rstrip()[-1:].isdigit() and _UNIT.match(after.lstrip()) is not None


def _join(lines: list[Line]) -> Line:
    """A terminal cuts words at its last column, so all lines are equally long; an editor cuts between words."""
    full = [line.text for line in lines[:-1]]
    equal = len({len(text) for text in full}) == 1
    hard = equal and len(full) > 1 and (len(full) > 2 or any(text[0] == " " or text[-1] == " " for text in full))
    text = "".join(line.text for line in lines) if hard else " ".join(line.text.strip() for line in lines)
    return Line(lines[0].number, "\n".join(line.raw for line in lines), text, lines[0].prefix, lines[0].role)
