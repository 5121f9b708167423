"""What stands around a message that was pasted: a bullet, a number, tags, the marks of code and emphasis, a place."""

from __future__ import annotations

from triage.reading.lazy import Pattern

BULLET = Pattern(r"\s{0,8}(?:[-*+•]|[0-9]{1,2}[.)]) +(?=\S)")
_MARKS = ("***", "**", "```", "``", "`")
_OPENING = ("<pre>", "<code>", "<b>", "<strong>", "<p>", "<li>")
_CLOSING = ("<br>", "<br/>", "<br />", "</pre>", "</code>", "</b>", "</strong>", "</p>", "</li>")
_LAST = frozenset(" \t>")  # what a line that begins with a letter ends with where something is to be taken off
_STOPS = ".,:;!?"
# The number of a line, as grep and editors write it, or a service of Docker Compose. Where all lines have one the prefixes know it.
_PLACE = Pattern(r"[0-9]{1,6}(?::(?=[^\s0-9:])|(?: \| *| {2,}(?=\S)))|[a-z][a-z0-9_.]*-[a-z0-9_.-]*? +\| +(?=\S)")


def bare(line: str) -> str:
    """A line without margin, place, bullet, tags and the marks of code and emphasis around all of it."""
    if line[:1].isalpha() and line[-1] not in _LAST and " | " not in line:
        return line
    text = line.strip(" \t")
    if text[:1].isdigit() or " | " in text[:80]:
        place = _PLACE.match(text)
        text = text[place.end() :] if place else text
    bullet = BULLET.match(text)
    return without_marks(_without_tags(text[bullet.end() :] if bullet else text))


def without_marks(line: str) -> str:
    """A line without the marks of code or emphasis around all of it: of `a` and `b` they stay."""
    for mark in _MARKS:
        if line.startswith(mark):
            end = line.rfind(mark)
            inside = line[len(mark) : end]
            return inside.strip() if inside and mark not in inside and not line[end + len(mark) :].strip(_STOPS) else line
    return line


def _without_tags(text: str) -> str:
    while text.startswith("<"):
        tag = next(filter(text.startswith, _OPENING), "")
        if not tag:
            break
        text = text[len(tag) :].lstrip()
    while text.endswith(">"):
        tag = next(filter(text.endswith, _CLOSING), "")
        if not tag:
            break
        text = text[: -len(tag)].rstrip()
    return text
