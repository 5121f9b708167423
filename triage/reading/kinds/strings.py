"""Strings over several lines that stand in source: what documents a file, what was cut at its beginning, what is joined of parts.

Their lines get the role 'code': a message that a string holds is none that was printed.
"""

from __future__ import annotations

from collections.abc import Callable

from triage.reading.lazy import Pattern
from triage.reading.log import NO_PREFIX, Line

_MARKS = ('"""', "'''")
_LONGEST = 80  # lines of a string
_MANY = 2000  # lines beyond which a text is no piece of source
_WHOLE = Pattern(r"(?: {4,}|\t+)[rfbu]{0,2}(?:\"[^\"]{12,400}\"|'[^']{12,400}')\s*$")  # a part of a string
_JOINED = Pattern(r"(?: {4,}|\t+)[rfbu]{0,2}(?:\"[^\"]{1,400}\"|'[^']{1,400}')\)?\s*$|\s+\)[:,;]?\s*$")
_AFTER = Pattern(r"(?:import \w|from [\w.]+ import |(?:async )?def \w+\(|class \w+[:(]|@\w[\w.]*(?:\(.*)?$|[A-Za-z_]\w*(?:: ?\w+)? = \S)")
_HEAD = Pattern(r"(?:#|//)(?: |$|!)|from __future__ import ")  # a license, above what documents a file
_LICENSE = Pattern(r"(?:#|//) ?(?:SPDX-License|Copyright|Licensed under|-\*-)|#!/")
_SECTION = Pattern(r"\s*(?:Args|Arguments|Parameters|Returns|Raises|Yields):\s*$")


def mark_strings(lines: list[Line], has: Callable[[str], bool]) -> None:
    """Mark such strings. `has` tells whether a string occurs in the input at all."""
    if len(lines) > _MANY:
        return
    for index in range(len(lines) - 1):
        if lines[index].text[:1] in " \t" and _WHOLE.match(lines[index].text) and _JOINED.match(lines[index + 1].text):
            _set(lines[index : index + 2])
    if any(map(has, _MARKS)):
        _documenting(lines)


def _documenting(lines: list[Line]) -> None:
    """Mark what documents a file, at its beginning or below its license, and a string whose beginning was cut off."""
    odd = [index for index, line in enumerate(lines) if any(line.text.count(mark) % 2 for mark in _MARKS)]
    if not odd:
        return
    first = odd[0]
    above = [line.text for line in lines[:first] if line.text and not line.text.isspace()]
    licensed = any(map(_LICENSE.match, above)) and all(map(_HEAD.match, above))
    opens = not above and len(odd) > 1 and _AFTER.match(_next(lines, odd[1])) is not None
    if lines[first].text.startswith(_MARKS) and (licensed or opens):
        _set(lines[first : (odd[1] if len(odd) > 1 else len(lines) - 1) + 1])
        return
    alone = lines[first].text.strip() in _MARKS and first <= _LONGEST
    if alone and (_AFTER.match(_next(lines, first)) or any(map(_SECTION.match, above))):
        _set(lines[: first + 1])


def _next(lines: list[Line], index: int) -> str:
    """What stands next, within the few lines that may be empty."""
    return next((line.text for line in lines[index + 1 : index + 5] if line.text.strip()), "")


def _set(lines: list[Line]) -> None:
    for line in lines:
        if line.role in ("output", "prose") and line.prefix is NO_PREFIX:
            line.role = "code"
