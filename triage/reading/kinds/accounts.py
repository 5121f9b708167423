"""Accounts of failures with what repaired them, and Markdown tables that name failures: they report none.

Their lines get the role 'document'.
"""

from __future__ import annotations

from collections.abc import Callable

from triage.reading.lazy import Pattern
from triage.reading.log import Line, as_document
from triage.reading.prose import LONG, PERSON

_HEADING = Pattern(r"(#{1,6}) +\S")
_REPAIRED = Pattern(r"\b(?:FIXED|RESOLVED|SOLVED|[Ff]ixed|[Rr]esolved|Fix #?[0-9]{1,3}(?::| [—–-]))(?![A-Za-z])|已(?:经)?(?:修复|解决)")
_OPEN = Pattern(r"\b(?:[Nn]ot|[Hh]ow|[Ww]hen|[Uu]n|be|isn't|never|should|must)\b|\?|未|没|如何|怎么")  # "how can it be fixed?"
_LABEL = Pattern(
    r"\s{0,4}(?:[-*+] |[0-9]{1,2}[.)] )?\*\*(?:problem|symptoms?|issue|error|(?:root )?cause|solution|fix(?: applied)?|resolution|result"
    r"|问题|现象|原因|根因|解决(?:方案|方法|办法)?|修复|증상|문제|원인|해결(?: ?방법)?|症状|対策"
    r"|Symptoo?m(?:en)?|Ursache|Lösung|Oorzaak|Oplossing|Probleem|Symptôme|Síntoma|Sintoma|Causa|Soluci[óo]n|Solução|Симптом|Причина"
    r"|Решение"
    r")\b[^*]{0,40}\*\*",
    2,
)
_ANSWER = Pattern(  # not a proposed one
    r"\s{0,4}(?:[-*+] |[0-9]{1,2}[.)] )?\*\*(?:\W{1,4} ?)?(?:solutions?|fix(?:es)?(?: applied)?|resolution|recommended approach"
    r"|解决(?:方案|方法|办法)?|处理(?:方法|方式)?|修复(?:方法)?|해결(?: ?(?:방법|책))?|조치|対策|対処(?:法|方法)?"
    r"|Lösung(?:en)?|Abhilfe|Oplossing(?:en)?"
    r"|Soluci(?:ón|on|ones)|Soluç(?:ão|ões)|Soluzion[ei]|Résolution|Решени[ея])\s{0,2}[:：]?\s{0,2}\*\*",
    2,
)
_TROUBLE = Pattern(
    r"#{2,6} +(?:[^\w\s]{1,3} )?(?:the )?(?:problem(?: description| statement| analysis)?|symptoms?|issues?|issues? (?:fixed|resolved)"
    r"|error|[问問][题題](?:描述)?|现象|错误(?:信息|描述)?)"
    r"\s{0,2}[:：]?\s*$",
    2,
)
_BETWEEN = Pattern(
    r"#{2,6} +(?:[^\w\s]{1,3} )?(?:technical details|(?:root )?causes?|why|analysis|diagnosis"
    r"|(?:根本)?原因|根因|分析)(?![a-z])",
    2,
)
_REPAIR = Pattern(
    r"#{2,6} +(?:[^\w\s]{1,3} )?(?:the )?(?:solutions?|fix(?:es)?|(?:solutions?|fix(?:es)?) (?:applied|implemented)|resolution"
    r"|解[决決](?:方案|方法|[办辦]法)?|修[复復](?:方法|方案|内容)?)\s{0,2}[:：]?\s*$",
    2,
)
# Headings of a report that waits for an answer, even where its writer proposes one.
_FORM = Pattern(
    r"#{1,6} +(?:(?:steps )?to reproduce|reproduction|repro\b|(?:minimal )?reproduc|environment|(?:your |current )?system info"
    r"|expected|actual|versions?\b|additional context|what happened|环境|复现|重现|期望|预期)",
    2,
)
_BEFORE = Pattern(r"\s{0,3}(?:#{1,6} +|\*\*|[-*] +\*\*)?\W{0,3}(?:Before|BEFORE)(?: (?:this|the) (?:PR|change|fix|patch))?(?:[:*]|\s*$)")
_AFTER = Pattern(r"\s{0,3}(?:#{1,6} +|\*\*|[-*] +\*\*)?\W{0,3}(?:After|AFTER)(?: (?:this|the) (?:PR|change|fix|patch))?(?:[:*]|\s*$)")
_RULE = Pattern(r"\s{0,3}\|?(?:\s*:?-{2,}:?\s*\|)+\s*(?::?-{2,}:?\s*)?$")
_NAMED = Pattern(
    r"[Ee]rror|[Ee]xception|[Ii]llegal|[Mm]isaligned"
    r"|[Oo]ut of memory|\bOOM(?:Killed)?\b|\bN[aA]N\b|[Mm]ismatch|[Tt]ime-?d? ?out|[Ff]ail|[Cc]rash|ERROR|FAIL|_STATUS_"
    r"|undefined symbol|cannot open shared"
    r"|显存|超时|崩溃|溢出|不足|报错"
)
_ADVICE = Pattern(
    r"\|\s*\**(?:fix(?:es)?|how to fix|solutions?|resolution|remed(?:y|iation)|actions?|workaround|what to do|countermeasures?|mitigations?"
    r"|Gegenma(?:ß|ss)nahmen?|Lösung(?:en)?|Abhilfe|soluci(?:ón|ones)|対(?:策|処(?:法)?)|해결(?: ?방법)?|решени[ея]"
    r"|解决(?:方案|方法|办法)?|处理(?:方法|方式)?)\**\s*\|",
    2,
)
_WORKED_OUT = Pattern(r"`[^`]{0,80}(?:Error|Exception): [^`]{1,500}`.{0,1500}\b[Rr]oot cause\b.{0,2500}\b[Ff]ixed\b")  # in one paragraph
_ITEM = Pattern(r"\s{0,8}(?:[-*+]|[0-9]{1,2}[.)]) +\S")
_DONE = Pattern(r"\b(?:RESOLVED|FIXED|[Ff]ixed (?:by|via|with)|[Rr]esolved (?:by|via|with))\b|已(?:经)?(?:修复|解决)")
_DONE_WORDS = ("RESOLVED", "FIXED", "ixed ", "esolved ", "修复", "解决")
_KEYED = Pattern(  # what one row names is one case: somebody's own
    r"\s*\|?\s*(?:item|key|field|name|what|property|项目|项|字段)?\s*\|"
    r"\s*(?:values?|info(?:rmation)?|details?|content|值|内容|信息)\s*\|?\s*$",
    2,
)
_MESSAGE = Pattern(r"\|[^|]*[A-Za-z]{2}[^|]* [^|]* [^|]*\|")  # a cell with some words in it: no mere "OOM"
_TIMED = Pattern(r"\s*\|?\s*`?(?:[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}[ T])?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?[^|]{0,12}\|")  # a row of a log
_DATED = Pattern(r"#{1,4} +\[20[0-9]{2}-[0-9]{2}-[0-9]{2}\]")  # an entry of a journal, with what it was about
_RESOLVED = Pattern(r"\s{0,8}[-*+] \*{1,2}(?:[\w-]+ ){0,3}(?:Resolution|Remedy|Mitigation|Fix|Solution)\*{1,2} ?:")
_PASSED = Pattern(r"\|\s*\**(?:PASS(?:ED)?|FAIL(?:ED)?|XFAIL|OK)\**(?:\s*\||\s*[—–-] )")  # a row of a table of tests
_NAMED_KIND = Pattern(r"\*\*[A-Z][A-Z0-9]*_[A-Z0-9_]{2,40}\*\*")  # of a catalogue: how each kind of failure looks in a log
_KNOWN = Pattern(
    r".{0,40}\b(?:is|are) (?:an? )?(?:well-)?(?:known|documented|upstream) (?:\w+ ){0,2}"
    r"(?:constraints?|limitations?|restrictions?|quirks?)\b"
)
_SYMPTOM = Pattern(r"\s{0,4}[-*+] \*\*(?:symptoms?|症状|现象)\s{0,2}[:：]?\*\*", 2)
_FEWEST_KINDS = 3
_FEWEST_DONE = 2  # of one list; a single one may be said of something else
_FEWEST_ROWS = 3  # a smaller table without a column of advice may be somebody's report in columns


def mark_accounts(lines: list[Line], has: Callable[[str], bool]) -> None:
    """Mark sections of problems with their solutions, and rows of Markdown tables that name a failure.

    `has` tells whether a string occurs in the input at all.
    """
    if has("# ") and has("**"):
        _settled(lines)
    if has("## "):  # headings below the first level
        _headed(lines)
    if has("**") and any(map(has, _DONE_WORDS)):
        _journals(lines)
    if has("\n**"):
        _catalogues(lines)
    if has("ymptom") and any(map(has, ("onstraint", "imitation", "estriction", "quirk"))):
        _limits(lines)
    if has("efore") and has("fter"):
        _compared(lines)
    if has("oot cause"):
        for line in lines:
            if "oot cause" in line.text and _WORKED_OUT.search(line.text[:LONG]) and not PERSON.search(line.text[:LONG]):
                as_document([line])
    if has("<table") and has("<tr"):
        _html_tables(lines)
    if has("PASS"):
        tested = [line for line in lines if line.text.lstrip().startswith("|") and len(line.text) <= LONG and _PASSED.search(line.text)]
        if len(tested) >= _FEWEST_DONE:
            as_document(tested)
    if has("|-") or has("| -") or has("|:-") or has("| :-"):
        _tables(lines)


def _settled(lines: list[Line]) -> None:
    section: list[Line] = []
    depth = 0  # of the heading that says so; 0 outside of its section
    fenced = dated = False
    for line in lines:
        text = line.text
        if text.lstrip(" >").startswith("```"):
            fenced = not fenced
        heading = None if fenced or len(text) > LONG else _HEADING.match(text)
        if heading and (not depth or len(heading[1]) <= depth):
            _account(section, bool(depth), dated)
            section = []
            dated = _DATED.match(text) is not None
            depth = len(heading[1]) if dated or (_REPAIRED.search(text) and not _OPEN.search(text)) else 0
        section.append(line)
    _account(section, bool(depth), dated)


def _account(section: list[Line], settled: bool, dated: bool) -> None:
    """Mark a section that tells a problem and what repaired it under labels of their own, or any label where its heading says so; an entry
    of a journal where it has an item with what was done."""
    label = _RESOLVED if dated else _LABEL if settled else _ANSWER
    spoken = [line.text for line in section if len(line.text) <= LONG]
    if any(map(label.match, spoken)) and not any(map(PERSON.search, spoken)):
        for line in section:
            as_document([line])


def _limits(lines: list[Line]) -> None:
    """Mark how a known limit of a library shows, as its documentation tells it."""
    spoken = [line for line in lines if len(line.text) <= LONG]
    if any(_KNOWN.match(line.text) for line in spoken) and not any(PERSON.search(line.text) for line in spoken):
        as_document([line for line in spoken if _SYMPTOM.match(line.text)])


def _compared(lines: list[Line]) -> None:
    """Mark what is shown as it was before a change, where what follows it is how it is after."""
    spoken = [line.text for line in lines if len(line.text) <= LONG]
    if any(map(PERSON.search, spoken)) or any(text.startswith("#") and _FORM.match(text) for text in spoken):
        return
    shown: list[Line] = []
    for line in lines:
        if _BEFORE.match(line.text[:LONG]):
            shown = [line]
        elif shown and _AFTER.match(line.text[:LONG]):
            as_document(shown)
            shown = []
        elif shown:
            shown.append(line)


def _headed(lines: list[Line]) -> None:
    """Mark what stands under a heading `Problem`, with what stands under `Fix` after it at the same depth, outside of reports by form."""
    if any(line.text.startswith("#") and _FORM.match(line.text[:LONG]) for line in lines):
        return
    told: list[Line] = []  # from the first of the two headings on
    depth = 0
    repaired = fenced = False
    for line in lines:
        text = line.text
        if text.lstrip(" >").startswith("```"):
            fenced = not fenced
        heading = None if fenced or len(text) > LONG else _HEADING.match(text)
        if heading and len(heading[1]) == depth and not repaired and (_REPAIR.match(text) or _BETWEEN.match(text)):
            repaired = _REPAIR.match(text) is not None
        elif heading and (not depth or len(heading[1]) <= depth):
            _tell(told, repaired)
            told, repaired = [], False
            depth = len(heading[1]) if _TROUBLE.match(text) else 0
        if depth:
            told.append(line)
    _tell(told, repaired)


def _journals(lines: list[Line]) -> None:
    """Mark lists that tell of several failures how each was repaired."""
    items: list[Line] = []
    done = 0
    for line in lines:
        text = line.text[:LONG]
        if _ITEM.match(text):
            items.append(line)
            done += _DONE.search(text) is not None
        elif text.strip() and not text[0].isspace():
            _entries(items, done)
            items, done = [], 0
    _entries(items, done)


def _catalogues(lines: list[Line]) -> None:
    """Mark a catalogue of kinds of failures, each with a constant for its name, which nobody met."""
    kinds = sum(line.text.startswith("**") and _NAMED_KIND.match(line.text) is not None for line in lines)
    if kinds >= _FEWEST_KINDS and not any(PERSON.search(line.text[:LONG]) for line in lines):
        as_document(lines)


def _entries(items: list[Line], done: int) -> None:
    if done >= _FEWEST_DONE and not any(PERSON.search(line.text[:LONG]) for line in items):
        for line in items:
            as_document([line])


def _tell(told: list[Line], repaired: bool) -> None:
    spoken = [line.text for line in told if len(line.text) <= LONG]
    if repaired and not any(PERSON.search(text) or text.lstrip(" >").startswith("Traceback (") for text in spoken):
        for line in told:
            as_document([line])


def _tables(lines: list[Line]) -> None:
    told = any(PERSON.search(line.text[:LONG]) for line in lines if not line.text.lstrip().startswith("|"))
    rows: list[Line] = []
    header = ""
    ruled = False
    for line in lines:
        text = line.text
        if "|" in text and len(text) <= LONG and (text.lstrip().startswith("|") or text.count("|") >= 2):
            if ruled:
                rows.append(line)
            elif _RULE.match(text):
                ruled = True
            else:
                header = text
            continue
        _rows(rows, header, told)
        rows, header, ruled = [], "", False
    _rows(rows, header, told)


def _html_tables(lines: list[Line]) -> None:
    """Mark a table of HTML with several rows that show a failure each, outside of what a person tells."""
    table: list[Line] = []
    inside = False
    for line in lines:
        inside = inside or "<table" in line.text
        if inside:
            table.append(line)
        elif PERSON.search(line.text[:LONG]):
            return
        if "</table" in line.text:
            if sum(_NAMED.search(row.text) is not None for row in table) >= _FEWEST_ROWS:
                as_document(table)
            table, inside = [], False


def _rows(rows: list[Line], header: str, told: bool) -> None:
    """Mark the rows that name a failure; the only one is somebody's own where its table is about one case, or `told` by a person.

    Rows that begin with the time are a log's."""
    advises = _ADVICE.search(header) is not None
    if not advises and rows and all(_TIMED.match(line.text) for line in rows):
        return
    if len(rows) >= _FEWEST_ROWS or advises:
        named = [line for line in rows if _NAMED.search(line.text)]
        if len(named) > 1 or advises or not (_KEYED.match(header) or (told and _MESSAGE.search(named[0].text if named else ""))):
            as_document(named)
