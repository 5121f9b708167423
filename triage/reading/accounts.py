"""Accounts of failures with what repaired them, and Markdown tables that name failures: they report none.

Their lines get the role 'document'.
"""

from __future__ import annotations

from collections.abc import Callable

from triage.reading.lazy import Pattern
from triage.reading.log import Line

_HEADING = Pattern(r"(#{1,6}) +\S")
_REPAIRED = Pattern(r"\b(?:FIXED|RESOLVED|SOLVED|[Ff]ixed|[Rr]esolved)\b|已(?:经)?(?:修复|解决)")
_OPEN = Pattern(r"\b(?:[Nn]ot|[Hh]ow|[Ww]hen|[Uu]n|be|isn't|never|should|must)\b|\?|未|没|如何|怎么")  # "how can it be fixed?"
_LABEL = Pattern(
    r"\s{0,4}(?:[-*+] |[0-9]{1,2}[.)] )?\*\*(?:problem|symptoms?|issue|error|(?:root )?cause|solution|fix(?: applied)?|resolution|result"
    r"|问题|现象|原因|根因|解决(?:方案|方法|办法)?|修复)\b[^*]{0,40}\*\*",
    2,
)
_ANSWER = Pattern(  # not a proposed one
    r"\s{0,4}(?:[-*+] |[0-9]{1,2}[.)] )?\*\*(?:solution|fix(?: applied)?|resolution|recommended approach"
    r"|解决(?:方案|方法|办法)?|处理(?:方法|方式)?|修复(?:方法)?)\s{0,2}[:：]?\s{0,2}\*\*",
    2,
)
_PERSON = Pattern(r"\b(?:I|I'm|I've|[Mm]y|[Aa]nyone|[Tt]hanks?)\b(?![=:./_(\[`])|我(?!们)|请问|求助|怎么(?:办|解决)")
_RULE = Pattern(r"\s{0,3}\|?(?:\s*:?-{2,}:?\s*\|)+\s*(?::?-{2,}:?\s*)?$")
_NAMED = Pattern(
    r"[Ee]rror|[Oo]ut of memory|\bOOM\b|\bN[aA]N\b|[Mm]ismatch|[Tt]ime-?d? ?out|[Ff]ail|[Cc]rash|ERROR|FAIL|_STATUS_"
    r"|显存|超时|崩溃|溢出|不足|报错"
)
_FEWEST_ROWS = 3  # a smaller table may be somebody's report in columns
_LONG = 4096


def mark_accounts(lines: list[Line], has: Callable[[str], bool]) -> None:
    """Mark sections of problems with their solutions, and rows of Markdown tables that name a failure.

    `has` tells whether a string occurs in the input at all.
    """
    if has("# ") and has("**"):
        _settled(lines)
    if has("|-") or has("| -") or has("|:-") or has("| :-"):
        _tables(lines)


def _settled(lines: list[Line]) -> None:
    section: list[Line] = []
    depth = 0  # of the heading that says so; 0 outside of its section
    fenced = False
    for line in lines:
        text = line.text
        if text.lstrip(" >").startswith("```"):
            fenced = not fenced
        heading = None if fenced or len(text) > _LONG else _HEADING.match(text)
        if heading and (not depth or len(heading[1]) <= depth):
            _account(section, bool(depth))
            section = []
            depth = len(heading[1]) if _REPAIRED.search(text) and not _OPEN.search(text) else 0
        section.append(line)
    _account(section, bool(depth))


def _account(section: list[Line], settled: bool) -> None:
    """Mark a section that tells a problem and what repaired it under labels of their own, or any label where its heading says so."""
    label = _LABEL if settled else _ANSWER
    spoken = [line.text for line in section if len(line.text) <= _LONG]
    if any(map(label.match, spoken)) and not any(map(_PERSON.search, spoken)):
        for line in section:
            _mark(line)


def _tables(lines: list[Line]) -> None:
    rows: list[Line] = []
    ruled = False
    for line in lines:
        text = line.text
        if "|" in text and len(text) <= _LONG and text.lstrip().startswith("|"):
            if ruled:
                rows.append(line)
            elif _RULE.match(text):
                ruled = True
            continue
        _rows(rows)
        rows, ruled = [], False
    _rows(rows)


def _rows(rows: list[Line]) -> None:
    if len(rows) >= _FEWEST_ROWS:
        for line in rows:
            if _NAMED.search(line.text):
                _mark(line)


def _mark(line: Line) -> None:
    if line.role in ("output", "prose", "table"):
        line.role = "document"
