"""Questions with their answers: entries of a FAQ or a troubleshooting guide, which quote a failure to say what it means or what to do.

Their lines get the role 'document'. Where a person tells of their own case, nothing does.
"""

from __future__ import annotations

from collections.abc import Callable

from triage.reading.lazy import Gated, Pattern
from triage.reading.log import Line, as_document
from triage.reading.prose import LONG

_START = 16  # characters in which a heading, a label or a question begins
_TRACEBACK = "Traceback (most recent call last)"  # guides quote messages; who shows the way to one reports it, with a remedy or not
_INNERMOST = 7  # deeper than any heading
_HEADING = Pattern(r" {0,3}(#{1,6}) +\S")
_SOLUTION = (
    r"(?:the |quick )?(?:solutions?|fix(?:es)?|workarounds?|resolution|remedy"
    r"|how to (?:fix|solve|resolve)(?: (?:it|this))?"
    r"|what to (?:do|try|check)|解决(?:方案|方法|办法|步骤)?|處理(?:方式|方法)|解決(?:方案|方法|策|法)?|対処(?:法|方法)?|対策"
    r"|해결(?: ?(?:방법|전략|책|방안))?|대처 ?(?:방법|법)?|조치(?: ?방법)?"
    r"|Lösung(?:en)?|Abhilfe|Behebung|Oplossing(?:en)?|Solución(?:es)?|Soluç(?:ão|ões)|Soluzione|Résolution|Решени[ея]|Исправление)"
)
_ANSWER = Pattern(r" {0,3}(#{1,6}) +(?:\W{1,4} ?)?(?:[0-9][.0-9]{0,6}[.)]? )?" + _SOLUTION + r"\s{0,2}[:：]?\s*$", 2)
_LABEL = Pattern(r"\s{0,4}(?:[-*+] |[0-9]{1,2}[.)] )?\*\*(?:\W{1,4} ?)?" + _SOLUTION + r"\s{0,2}[:：]?\s{0,2}\*\*", 2)
_QUOTED = Pattern(
    r" {0,3}(#{1,6} |\*\*).{0,80}[`\"'\u201c\u300c].{0,200}(?:[Ee]rror|out of memory|OOM|[Ff]ail|[Tt]ime-?d? ?out|错|超时)"
    r".{0,200}[`\"'\u201d\u300d]"
)
_EXPLAINS = Pattern(
    r"\s*(?:This|It|That|The (?:error|message)|These)\b.{0,40}\b(?:usually|typically|generally|often|indicates?|means|happens|occurs"
    r"|(?:is|can be|may be) caused|comes from|appears)\b"
    r"|\s*(?:You (?:need|can|should|must|have to|are|do not|don't)|Make sure|Try|Check|Ensure|Reduce|Lower|Set|Use"
    r"|Install|Upgrade|Update)\b"
    r"|\s*(?:通常|一般|这(?:是|说明|表示|通常)|请|可以|该错误|此错误)"
)
# What readers ask, as headings of a page; a single one may be somebody's own.
_ASKED = Pattern(
    r"#{2,6} +(?:How (?:can|do|should) (?:I|we)|Why (?:do|does|is|am|are)|What (?:is|are|does)|Can I|I(?:'m| am) (?:getting|seeing)"
    r"|I (?:get|see))\b"
)
_FEWEST_ASKED = 2
_QUESTION = Pattern(r"\s{0,4}(?:[-*+] |#{1,6} |\*\*|[0-9]{1,2}(?:\.[0-9]{1,2})? )?(?:Q|Question|问题?) ?[0-9]{0,3}\s{0,2}[:：.、]")
_REPLY = Pattern(
    r"\s{0,4}(?:[-*+] |#{1,6} |\*\*|[0-9]{1,2}(?:\.[0-9]{1,2})? )?(?:A|Answer|答复?|回[答复]|报错分析|解决(?:方法|方案"
    r"|办法)) ?[0-9]{0,3}\s{0,2}[:：.、]"
)
_MANY_REPLIES = 4  # of a page of questions, which may be put as readers put them
_NUMBERED = Pattern(r"#{2,6} +(?:Q|问)[0-9]{1,3}\s{0,2}[:：.、]")  # which only a page of questions has
_SPEAKS = (
    r"\b(?:I|I'm|I've|I'd|[Mm]y|[Aa]nyone|[Tt]hanks?|[Pp]lease help)\b(?![=:./_(\[`-])|我(?!们)|请问|请教|想问|求助|大佬"
    r"|初步怀疑|(?<!如果)(?<!若)怀疑是"
)
_SPEAKER = Gated(_SPEAKS, 2)
_MANY_SOLUTIONS = 3  # of a guide, whose sections may be called as those of a form are
_PERSON = Gated(
    _SPEAKS + r"|[\[(](?:bug|question|help)[\])]"
    r"|#{1,6} (?:\W{1,4} ?)?(?:describe|to reproduce|steps|expected|actual|environment|system info|your )"
    r"|\*\*(?:gpus?|image|environment|versions?|os|hardware|system|(?:steps to )?repro\w*|expected|actual)\b[^*\n]{0,24}\*\*",
    2,
)


def mark_answers(lines: list[Line], has: Callable[[str], bool]) -> None:
    """Mark entries that ask and answer. `has` tells whether a string occurs in the input at all."""
    starts = [line.text[:_START] for line in lines] if has("# ") or has("**") or (has("Q") and has("A")) or has("问") else []
    headed = any("#" in start or "**" in start for start in starts)
    asked = any("Q" in start or "问" in start for start in starts)
    if headed:
        _asked(lines)
    if asked:
        _numbered(lines)
    if asked and sum(_REPLY.match(line.text[:80]) is not None for line in lines) >= _MANY_REPLIES:
        _replied(lines)
    if not (headed or asked):
        return
    guide = headed and sum(_LABEL.match(line.text[:80]) is not None for line in lines) >= _MANY_SOLUTIONS
    if (_SPEAKER if guide else _PERSON).in_any(_others(lines, asked)):
        return
    if headed:
        _headed(lines)
    if asked:
        _replied(lines)


def _others(lines: list[Line], asked: bool) -> list[str]:
    """What may be a person's own words: of a page of questions, all but the questions, in which a reader speaks."""
    said = [line.text for line in lines if len(line.text) <= LONG]
    if not asked:
        return said
    questions = [text for text in said if ("Q" in text[:_START] or "问" in text[:_START]) and _QUESTION.match(text)]
    return [text for text in said if text not in questions] if len(questions) >= _FEWEST_ASKED else said


def _numbered(lines: list[Line]) -> None:
    """Mark numbered questions that are headings, and what is shown and said below one where it is answered and nobody tells of a case."""
    for index, line in enumerate(lines):
        if not (line.text.startswith("##") and _NUMBERED.match(line.text)):
            continue
        last = next((at for at in range(index + 1, len(lines)) if lines[at].text.startswith("#")), len(lines))
        said = [near.text for near in lines[index + 1 : last] if near.role == "prose" and not near.text.startswith("```")]
        answered = said and not said[-1].rstrip().endswith(("?", "\uff1f")) and not any(_PERSON.search(text[:LONG]) for text in said)
        as_document(lines[index : last if answered else index + 1], prefixed=False)


def _asked(lines: list[Line]) -> None:
    """Mark headings that ask as readers do, where nobody speaks of their own case below them."""
    headings = [line for line in lines if line.text.startswith("##") and _ASKED.match(line.text[:LONG])]
    if len(headings) >= _FEWEST_ASKED:
        others = [line.text for line in lines if len(line.text) <= LONG and line not in headings]
        if not _PERSON.in_any(others):
            as_document(headings, prefixed=False)


def _headed(lines: list[Line]) -> None:
    """Mark what stands under the heading above a solution, and under a heading that quotes a failure to say what it means."""
    above: list[tuple[int, int]] = []  # the headings that a line stands under, outermost first: depth and index
    told: dict[int, int] = {}  # sections that go on: index of their heading → its depth
    fenced = False
    for index, line in enumerate(lines):
        text = line.text
        if text.lstrip(" >").startswith("```"):
            fenced = not fenced or len(text.strip(" >`")) > 0  # what names a language opens, also where a text begins amid a block
        if fenced or len(text) > LONG:
            continue
        heading = _HEADING.match(text)
        depth = len(heading[1]) if heading else _INNERMOST
        if heading:
            told = _ended(lines, told, depth, index)
            above = [item for item in above if item[0] < depth]
        if len(text) <= 200 and (_ANSWER if heading else _LABEL).match(text):
            outer, first = above[-1] if above else (depth, 0)
            told.setdefault(first, outer)
        elif _QUOTED.match(text) and _EXPLAINS.match(_below(lines, index)):
            told.setdefault(index, depth)
        if heading:
            above.append((depth, index))
    _ended(lines, told, 0, len(lines))


def _ended(lines: list[Line], told: dict[int, int], depth: int, index: int) -> dict[int, int]:
    """Marks the sections that a heading of this depth ends; gives those that go on."""
    for first, own in told.items():
        if own >= depth and not any(line.text.lstrip(" >").startswith(_TRACEBACK) for line in lines[first:index]):
            as_document(lines[first:index], prefixed=False)
    return {first: own for first, own in told.items() if own < depth}


def _below(lines: list[Line], index: int) -> str:
    """What is said next, within the few lines that may be empty."""
    return next((line.text[:LONG] for line in lines[index + 1 : index + 4] if line.text.strip()), "")


def _replied(lines: list[Line]) -> None:
    """Mark questions that are answered, from one to the next."""
    asked: int | None = None
    answered = False
    for index, line in enumerate(lines):
        text = line.text[:80]
        if _QUESTION.match(text):
            if asked is not None and answered:
                as_document(lines[asked:index], prefixed=False)
            asked, answered = index, False
        elif asked is not None and _REPLY.match(text):
            answered = True
    if asked is not None and answered:
        as_document(lines[asked:], prefixed=False)
