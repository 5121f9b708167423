"""Long pages of prose: essays, manuals, notes on a system. What they say of failures is told to readers.

Their lines get the role 'document'. A page has many headings, and nobody fills in the form of an issue in it, or shows how a program ended.
"""

from __future__ import annotations

from triage.reading.lazy import Pattern
from triage.reading.log import NO_PREFIX, Line, as_document
from triage.reading.prose import NONE, looks_like_prose

_FEWEST_LINES, _FEWEST_HEADINGS = 48, 8  # outside of fences, of a page of Chinese or Japanese
_MOST_OF_A_FORM = 20  # headings; a page with more is none, whatever they say
_FEWEST_SENTENCES, _FEW_HEADINGS = 30, 4  # long ones, of a page in whatever language
_LONG_SENTENCE, _LONG_EASTERN = 140, 60  # characters
_MOST_PRINTED = 0.1  # of its lines
_EASTERN = Pattern(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]")
_HEADING = Pattern(r"#{1,4} \S.{0,80}$")
_FENCE = Pattern(r"[ \t>]{0,12}(?:```|~~~)")
_FORM = Pattern(  # what forms of issues have, and those who fill them in
    r"^#{1,6} .{0,24}(?:[Bb]ug|[Rr]epro|[Bb]ehavio|[Ee]nvironment|[Ss]ystem [Ii]nfo|[Ww]hat happened|问题描述|复现|报错|错误信息|日志|期望"
    r"|环境信息|运行环境)"
    r"|^- \[[xX√ ]\] |请问|求助|大佬|怎么(?:办|解决)[？?。]?$|\b(?:[Aa]ny (?:help|ideas?)|[Pp]lease help|[Hh]elp me)\b"
)
_TRACEBACK = "Traceback (most recent call last)"


def mark_essays(lines: list[Line]) -> None:
    """Mark all lines of such a page."""
    said = _outside(lines)
    headings = sum(line.text.startswith("#") and _HEADING.match(line.text) is not None for line in said)
    if headings < _FEW_HEADINGS or any(_TRACEBACK in line.text for line in lines):
        return
    if sum(line.prefix is not NO_PREFIX for line in said) > _MOST_PRINTED * len(said):
        return
    if headings < _MOST_OF_A_FORM and any(_FORM.search(line.text[:200]) for line in said):
        return
    eastern = [line for line in said if _EASTERN.search(line.text[:200])]
    page = len(said) >= _FEWEST_LINES and headings >= _FEWEST_HEADINGS and 3 * len(eastern) > len(said)
    if page or sum(map(_is_long, said)) >= _FEWEST_SENTENCES:
        as_document(lines)


def _outside(lines: list[Line]) -> list[Line]:
    """The lines that hold anything and stand outside of fences; code is not said either."""
    said = []
    fenced = False
    for line in lines:
        if "```" in line.text or "~~~" in line.text:
            fenced ^= _FENCE.match(line.text) is not None
        elif not fenced and line.role not in ("code", "diff") and line.text.strip():
            said.append(line)
    return said


def _is_long(line: Line) -> bool:
    length = len(line.text)
    return (
        looks_like_prose(line.text) != NONE
        and length >= _LONG_EASTERN
        and (length >= _LONG_SENTENCE or _EASTERN.search(line.text[:200]) is not None)
    )
