"""What guides show and where they lead: messages that one might see, links to other pages, questions that are answered below.

Their lines get the role 'document'. Where a person tells of their own case, only links do.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

from triage.reading.lazy import Pattern
from triage.reading.log import NO_PREFIX, Line, as_document
from triage.reading.prose import ERROR_LINE, PERSON

_LONG = 2000
_LINK = Pattern(r".*\]\((?:\.{0,2}/|#|[\w./-]{1,120}\.(?:md|rst|html|ipynb)(?:#|\)))")  # to another place of the same project
_LINK_MARKS = ("](.", "](/", "](#", ".md)", ".md#", ".rst)", ".html)", ".html#", ".ipynb)")
_REFERRED = Pattern(r"\s{0,8}[-*+] +(?:\[ ?[xX]?\] +)?\[?(?:[Ii]ssue|PR|Closes|Fixes|See|Refs?) ?#[0-9]")  # to what others reported
_MIGHT_SEE = Pattern(
    r"\b(?:[Yy]ou(?:r \w+)?|[Uu]sers|[Oo]ne) (?:may|might|are likely to|sometimes|occasionally|often)\b.{0,40}"
    r"\b(?:see|get|find|encounter|notice|observe|meet|hit|face|run into)\b"
    r"|\b(?:[Ii]f|[Ii]n case|[Ss]hould) (?:you|users|one|the (?:log|output|message))\b.{0,40}"
    r"\b(?:see|get|find|encounter|notice|observe|meet|hit|face|shows?|says?|prints?|run into)\b"
    r"|^If .{3,80}\b(?:causes?|produces|raises|throws|fails with|results? in|returns|prints)\b|\b[Yy]ou (?:just|only|simply) (?:get|see)\b"
    r"|\b(?:may|might|can|could) (?:fail|crash|abort|exit|stop|die) with (?:the following|an?|one of)\b"
    r"|\b(?:common|typical|usual|frequent) (?:error|message|failure)s?\b.{0,60}\b(?:is|are|looks? like)\s*:\s*$"
    r"|\b[Aa] (?:common|typical|frequent) (?:[\w-]+ ){0,3}(?:problem|issue|failure|error) (?:occurs|arises|happens|appears)\b"
    r"|\b[Hh]ere (?:is|are) (?:an |some |a few )?examples? of (?:such|these|the new|the old|the current)"
    r" (?:\w+ )?(?:errors?|messages?|outputs?|logs?)\b"
    r"|\b[Yy]ou(?:'re| are) (?:running|training|using|trying|doing|serving|fine-?tuning)\b.{0,120}\b(?:hit|get|see|run into)\s*:\s*$"
    r"|\b[Yy]ou(?:'ll| will) (?:get|see) .{0,40}\b(?:output|messages?|errors?|logs?|something) (?:like|similar to)\b"
    r"|\b(?:[Ii]f|[Oo]therwise)\b.{0,160}\bwill be (?:raised|thrown|printed|shown|reported)\b"
    r"|\b(?:often|usually|typically|commonly) (?:happen|occur|appear|come) together\b"
    r"|\b[Yy]ou(?:'ll| will) (?:get|see) (?:one|some|any|all|two)(?: or more)? of (?:these|the following)\b"
    r"|\b(?:looks?|one|any) (?:like )?(?:one |any )?of (?:these|the following)\b.{0,40}\b(?:strings|messages|errors|lines)\b"
    r"|\b(?:[Ll]ook|[Ss]earch|[Ww]atch|[Gg]rep) (?:\w+ ){0,3}for\b"
    r"|(?:如果|若|可能会?|有时会?)(?:您|你)?.{0,12}(?:看到|遇到|出现|提示|报错)"
)
_COMES_OF = Pattern(
    r"\b(?:[Ii]f|[Ww]hen|[Oo]nce) you (?:just |simply |only |try to )?(?:run|execute|call|launch|start|train)\b.{0,120}"
    r"\byou(?:'ll| will)? (?:get|see|hit|run into|encounter)\b"
)
_ADVISES = Pattern(
    r"(?:^|[.!?:,] )(?:\W{0,4}|[Pp]lease |[Tt]hen )(?:[Uu]se|[Rr]un|[Ss]et|[Ii]nstall|[Rr]educe|[Ll]ower|[Ii]ncrease|[Cc]heck|[Ee]nsure"
    r"|[Mm]ake sure|[Tt]ry|[Aa]dd|[Pp]ass|[Dd]isable|[Ee]nable|[Uu]pdate|[Uu]pgrade|[Rr]estart|[Rr]ebuild|[Rr]einstall|[Vv]erify|[Ss]ee"
    r"|[Ff]ollow|[Ii]gnore)\b"
    r"|\b[Yy]ou(?:'ll| will)? (?:can|should|need|must|have to|may|might)\b|(?:可以|需要|请)(?:检查|尝试|确认|使用|安装|重新|升级|设置)"
)
_RAN = 3  # lines with the prefix of a program that a run prints at least
_FORM = Pattern(  # of a message
    r"\b(?:are|is) (?:written|printed|logged|reported|shown) (?:[\w.-]+ ){0,6}(?:as|like|in the form)\s*:?\s*$"
    r"|\b(?:reports?|logs|prints|writes|emits) (?:[\w.-]+ ){0,3}(?:errors?|events|messages|faults) .{0,60}\bin (?:this|its own"
    r"|the following) (?:\w+ )?(?:form|format)\s*:?\s*$|\b(?:[Ss]ample|[Ee]xample) (?:[\w-]+ )?output (?:of|from|for) .{0,80}:\s*$"
    r"|^(?:Surface|Render|Display) (?:it |this )?as\s*:\s*$|\bpayload \(`[\w./]+\.\w+:[0-9-]+`\)\s*:\s*$"
)
_SENTENCE = 600  # characters of a sentence that shows what follows it
_ERROR_THEN = Pattern(
    r"\s{0,8}(?:[-*+] +|[0-9]{1,2}[.)] +)?(?:\*\*)?(?:Error|Problem|Issue|Symptom|错误|报错|问题|现象)(?:\*\*)? ?[:：]", 2
)
_SOLUTION = Pattern(
    r"\s{0,8}(?:[-*+] +)?(?:\*\*)?(?:Solution|Fix|Resolution|Workaround|Remedy|解决(?:方案|方法|办法)?|处理(?:方法|方式)?)"
    r"(?:\*\*)? ?[:：] ?\S",
    2,
)
_CAUSE = Pattern(r"\s{0,8}\*\*(?:(?:Likely |Root )?[Cc]ause|Solution|Fix|Resolution)\*\* ?:")
_BETWEEN = 14  # lines between a problem and its cause
_ITEM = Pattern(r"\s{0,8}(?:[-*+]|[0-9]{1,2}[.)]) +\S")
_FENCE = Pattern(r"\s{0,12}(?:```|~~~)")
_SHOWN_MOST = 40  # lines of what one might see
_FORM_ITEM = Pattern(r"\s{0,4}[-*+] `[^`]{3,200}`")  # a message as code; one with an ellipsis is its form, and nothing that was printed
_LISTED_HEADING = Pattern(r"\s{0,3}[-*+] #{1,6} \S")  # questions and errors, each an item of a list and a heading: a page of help
_FEWEST_LISTED = 3
_WHAT_IS = Pattern(
    r"#{2,6} +(?:(?:What (?:is|are)|How does) (?:an? |the )?[\w-]+(?: [\w-]+)?|How (?:do|can|should|to) (?:I |we |you )?[a-z].{2,80})\?\s*$"
)
# That a class of cards will not do, or what to do instead: said to readers, in general.
_WARNS = Pattern(
    r".{0,80}\b(?:on|with|using) (?:an? |any |one )?"
    r"(?:(?:[0-9]{1,3} ?Gi?B?|[Ss]maller|[Cc]onsumer|[Oo]lder|[Ll]ow[- ]\w+) (?:\w+ )?(?:GPU|card)s?"
    r"|(?:GPU|card)s? with (?:less|fewer|only|under|at most|below|[0-9]))\b.{0,40}\b(?:will|may|might|can|could|would)\b"
    r"|.{0,160}\b(?:will|may|might|can|could|would) (?:\w+ )?(?:result in|lead to|cause|give|produce|trigger|run out|OOM)\b.{0,60}"
    r"[;,.] ?(?:so )?(?:[Uu]se|[Ww]e (?:recommend|suggest|advise)|[Rr]educe|[Cc]onsider|[Pp]lease (?:use|reduce))\b"
)
_HEADING = Pattern(r"#{2,6} +")
_QUOTED_ITEM = Pattern(
    r"\s{0,4}[-*+] +[\"`\u201c].{0,300}(?:[Ee]rror|out of memory|OOM|[Ff]ail|[Cc]annot open|not found|[Tt]ime-?d? ?out|错)"
    r".{0,300}[\"`\u201d]\s*$"
)
# A question of a list of questions, set in bold with the message that it asks about.
_BOLD_ITEM = Pattern(r"\s{0,4}[-*+] +\*\*.{0,200}\b(?:[Ee]rror|[Mm]essage|[Ff]ail\w*|[Ww]arning)\b.{0,60}[:?].{0,500}\*\*\W{0,3}$")
_EXPLAINS = Pattern(
    r"\s*\*\*(?:Symptoms?|(?:Root )?[Cc]auses?)\*\* ?:"
    r"|\s*(?:[-*+] +|[0-9]{1,2}[.)] +)?(?:(?:It|(?:This|That|The)(?: error| message| warning| issue| problem| reason)?)(?:'s| is| was"
    r"| may| might| can| could| will| usually| often| happens| occurs| arises| appears| means| indicates)\b"
    r"|(?:This|That|The) (?:error|message) (?:probably|most likely|likely|usually|commonly|generally) \w"
    r"|If (?:you|your|the)\b|You(?:r \w+)? (?:might|may|probably|most likely) \w|You are (?:probably |likely )?(?:not|using|missing"
    r"|running)\b"
    r"|There (?:is|are|may be|might be) (?:probably|likely|usually|often)\b|One of the most \w"
    r"|.{0,200}\b(?:[Ww]e|[Yy]ou) (?:can|should|need to) (?:check|try|use|set|install)\b"
    r"|.{0,200}(?:可以|需要)(?:检查|尝试|确认|使用|安装|重新)"
    r"|(?:Please |You (?:need|can|should|must|have to|may|might)\b|Make sure|Try|Check|Ensure|Reduce|Lower|Set|Use|Run|Install|Upgrade"
    r"|Update|Add|See|Refer|Follow|Pass|Disable|Enable|Increase|Decrease|Rebuild|Reinstall|Restart)\b"
    r"|(?:请|可以|通常|一般|检查|重新|升级|安装|减小|降低|确认|确保|使用|设置|可能|很可能|该错误|此错误|这(?:个|种|是|说明|表示|通常|可能))"
    r"|.{0,40}(?:原因|解决))"
)
# A heading that names a failure in words of its own, and one that shows a message as code.
_NAMES = Pattern(
    r".{0,200}(?:[Ee]rror|ERROR|_STATUS_|[Oo]ut[ -][Oo]f[ -][Mm]emory|\bOOM\b|[Nn]ot (?:defined|compiled|found|available|supported)\b"
    r"|[Nn]o kernel image|[Nn]o module named"
    r"|[Uu]nable to|[Cc](?:an|ould )not|[Ii]nsufficient|\b[Tt]oo old\b"
    r"|[Ff]ail|\b[Hh]ang|[Uu]ndefined symbol|\bNaN\b|[Tt]ime-?d? ?out|不足|报错|错误|失败|卡住)"
)
_CODED = Pattern(r"#{2,6} +[^`]{0,40}`[^`]{0,80}(?:[Ee]rror|ERROR_|_STATUS_|[Nn]o such|[Nn]ot found|[Oo]ut of memory)[^`]{0,160}`.{0,120}$")
_COMMON = Pattern(r"#{2,6} +(?:Common|Typical|Possible) .{0,40}(?:[Ee]rrors?|[Mm]essages?|[Ff]ailures?)\s*$")
_ROW = Pattern(
    r"\s*\|[^|]{0,300}(?:[Ee]rror|[Oo]ut of memory|OOM|[Ff]ail|not found|[Tt]ime-?d? ?out|错|不足)[^|]{0,300}\|(.{0,1000})\|\s*$"
)
# A row of a table of messages: the first cell is a message, the others say what it means and what to do.
_MESSAGE_ROW = Pattern(r"\s*\| ?[`\"\u201c][^|`]{0,200} [^|`]{0,200}[`\"\u201d][^|]{0,300}\|[^|]{8,2000}\|[^|]{8,2000}\|\s*$")
_MESSAGE_ROWS = 2
_CAUSES = Pattern(r"\W{0,4}(?:Common|Likely|Possible|Potential|Typical|Usual) (?:[Cc]auses|[Rr]easons)\W{0,4}$")
# Pages that lost the marks of their headings when they were copied.
_BARE = Pattern(r"(?:Introduction|Overview|Symptoms?|Error [Mm]essages?)\s*:?\s*$")
_OTHERS = Pattern(r"\W{0,6}(?:Other|Related|Similar) (?:[\w.]+ ){0,2}(?:[Ee]rrors|[Ii]ssues)\W{0,4}$")  # a page leads to them
_SECTION = 25  # lines from a heading to the causes of what it names
_TOLD = Pattern(
    r"\s*(?:Use|Run|Set|Install|Reduce|Lower|Increase|Decrease|Check|Ensure|Make sure|Try|Add|Pass|Disable|Enable|Update|Upgrade|Restart"
    r"|Rebuild|Reinstall|Verify|Switch|Free|Close|Kill|Move|检查|确认|确保|使用|设置|安装|升级|减小|降低|重启|重新)"
)
_REMEDY = Pattern(
    r"\s*(?:[-*+] |[0-9]{1,2}[.)] )?\s{0,3}\**(?:Use|Set|Reduce|Lower|Increase|Decrease|Ensure|Make sure|Try|Add|Pass|Disable|Enable"
    r"|Update|Upgrade"
    r"|Restart|Rebuild|Reinstall|Switch|Free|Close|Drop|Verify) \w"
)
_FEWEST_SAID = 2
_TRACEBACK = "Traceback (most recent call last)"
_ANSWERS = (" causes", " Causes", '- "', "- `", "* `", "olution", "ix:", "ix**", "ause**", "解决", "处理")
_LABELS = frozenset("eEpPiIsS错报问现 -*+0123456789")


def mark_guides(lines: list[Line], has: Callable[[str], bool]) -> None:
    """Mark what guides show and where they lead. `has` tells whether a string occurs in the input at all."""
    if any(map(has, _LINK_MARKS)):
        as_document([line for line in lines if "](" in line.text and len(line.text) <= _LONG and _LINK.match(line.text)], prefixed=False)
    if has(" #") and (has("- ") or has("* ")):
        as_document([line for line in lines if "#" in line.text[:40] and _REFERRED.match(line.text[:_LONG])], prefixed=False)
    if has("- #") or has("* #"):
        listed = [line for line in lines if "#" in line.text[:8] and _LISTED_HEADING.match(line.text)]
        as_document(listed if len(listed) >= _FEWEST_LISTED else [], prefixed=False)
    if has(" ... ") and (has("- `") or has("* `")):
        _forms(lines)
    if has("Other ") or has("Related ") or has("Similar "):
        _others(lines)
    shows = any(map(has, (":\n", "：\n", " below", " as\n"))) and any(_leads(line.text) for line in lines)
    asks = lines[0].text.startswith("##") or has("\n## ") or has("\n### ") or has("\n#### ") or any(map(has, _ANSWERS))
    rows = has("| ") and any(line.text.lstrip()[:1] == "|" for line in lines)
    if not (shows or asks or rows) or _somebody_asks([line.text for line in lines if len(line.text) <= _LONG and not _titles(line.text)]):
        return
    if shows:
        _shown(lines)
    if asks:
        if has("OOM") or has("ut of memory"):
            warns = [line for line in lines if len(line.text) <= _SENTENCE and "Error: " not in line.text and _WARNS.match(line.text)]
            as_document(warns, prefixed=False)
        _answered(lines)
        _causes_below(lines)
    if rows:
        told = [line for line in lines if len(line.text) <= _LONG and (row := _ROW.match(line.text)) and _TOLD.match(row[1])]
        as_document(told, prefixed=False)
        messages = [line for line in lines if len(line.text) <= 2 * _LONG and _MESSAGE_ROW.match(line.text)]
        if len(messages) >= _MESSAGE_ROWS:
            as_document(messages, prefixed=False)


def _forms(lines: list[Line]) -> None:
    """Mark lists of messages as code, of which one has an ellipsis in its middle: forms to compare one's own log with."""
    for is_form, run in groupby(lines, lambda line: _FORM_ITEM.match(line.text) is not None):
        items = list(run) if is_form else []
        if len(items) >= _FEWEST_LISTED and any(" ... " in item.text for item in items):
            as_document(items, prefixed=False)


def _somebody_asks(texts: list[str]) -> bool:
    """Whether somebody speaks of themselves, or asks."""
    return PERSON.in_any(texts) or any(text.rstrip().endswith(("?", "\uff1f")) for text in texts)


def _titles(text: str) -> bool:
    """Whether a line is the title of a page, or a heading or question that asks, in order to answer."""
    if text[:1] == "#":
        return text[:2] == "# " or _WHAT_IS.match(text) is not None
    return "**" in text[:10] and _BOLD_ITEM.match(text) is not None


def _leads(text: str) -> bool:
    """Whether a sentence may lead to what is shown below it."""
    return _TRACEBACK not in text and (text.rstrip().endswith((":", "：", " as")) or " below" in text)


def _shown(lines: list[Line]) -> None:
    """Mark the fence, or the quoted or indented lines, that follow a sentence about what one might see."""
    for index, line in enumerate(lines):
        if len(line.text) > _SENTENCE or not _leads(line.text):
            continue
        sentence = f"{_above(lines, index)} {line.text}".lstrip()
        if not (_MIGHT_SEE.search(sentence) or _FORM.search(line.text)):
            continue
        first = index + 1
        while first < len(lines) and first - index < 3 and not lines[first].text.strip():
            first += 1
        if first == len(lines):
            break
        last = first
        if _FENCE.match(lines[first].text):
            last = first + len(_fence(lines, first))
        elif lines[first].raw.startswith(">"):
            while last < len(lines) and last - first < _SHOWN_MOST and lines[last].raw.startswith(">"):
                last += 1
        elif lines[first].text.startswith(("    ", "`")):
            while last < len(lines) and last - first < _SHOWN_MOST and lines[last].text.strip():
                last += 1
        elif _ITEM.match(lines[first].text):
            while last < len(lines) and last - first < _SHOWN_MOST and _ITEM.match(lines[last].text):
                last += 1
        elif first > index + 1 and (ERROR_LINE.match(lines[first].text) or lines[first].role == "output"):
            while last < len(lines) and last - first < _SHOWN_MOST and lines[last].text.strip():
                last += 1
        if not _FORM.search(line.text) and _reports(lines, sentence, lines[first:last]):
            continue
        for shown in lines[first:last]:  # with the prefix of a program too: it shows what a program prints
            if shown.role in ("output", "prose", "table"):
                shown.role = "document"


def _above(lines: list[Line], index: int) -> str:
    """What a sentence that was wrapped begins with on the line before; '' where that line ends one, or is of another kind."""
    above = lines[index - 1].text if index else ""
    wrapped = 40 <= len(above) <= _SENTENCE and above[:1].isalpha() and not above.rstrip().endswith((".", ":", "!", "?", "。", "："))
    return above if wrapped else ""


def _reports(lines: list[Line], sentence: str, shown: list[Line]) -> bool:
    """Whether what is shown happened: where nothing is advised, it came of what the sentence says to run, or a program ran for it."""
    if any(line.text.startswith("#") or (len(line.text) <= _LONG and _ADVISES.search(line.text)) for line in lines):
        return False
    return _COMES_OF.search(sentence) is not None or sum(line.prefix is not NO_PREFIX for line in shown) >= _RAN


def _answered(lines: list[Line]) -> None:
    """Mark headings and items of a list that are a message, where the next sentence says what it means or what to do."""
    for index, line in enumerate(lines):
        text = line.text
        if len(text) > _LONG:
            continue
        if text[:1] in _LABELS and _ERROR_THEN.match(text) and index + 1 < len(lines) and _SOLUTION.match(lines[index + 1].text[:_LONG]):
            as_document(lines[index : index + 2], prefixed=False)
            continue
        if "**" in text[:12] and _ERROR_THEN.match(text):
            _explained(lines, index)
            continue
        heading = _HEADING.match(text)
        if heading and _CODED.match(text):
            as_document([line, *(near for near in _section(lines, index) if near.role == "prose")], prefixed=False)
            continue
        if heading and _COMMON.match(text):
            as_document(_fence(lines, index + 1), prefixed=False)
            continue
        if heading and _NAMES.match(text):
            below = next((near.text for near in lines[index + 1 : index + 4] if near.text.strip()), "")
        elif text[:5].lstrip()[:1] in "-*+" and (_QUOTED_ITEM.match(text) or _BOLD_ITEM.match(text)):
            below = next((near.text for near in lines[index + 1 : index + 4] if near.text.strip()), "")
            below = below if below[:1].isspace() else ""
        else:
            continue
        if _EXPLAINS.match(below[:_LONG]) or (heading and _remedied(_section(lines, index))):
            as_document([line], prefixed=False)


def _section(lines: list[Line], first: int) -> list[Line]:
    """What stands below a heading, up to the next one."""
    last = first + 1
    while last < len(lines) and last - first < _SECTION and not lines[last].text.startswith("#"):
        last += 1
    return lines[first + 1 : last]


def _remedied(section: list[Line]) -> bool:
    """Whether what stands below a heading says what to do and how it comes, and shows nothing that a program printed."""
    said = [line for line in section if line.text.strip()]
    if any(line.prefix is not NO_PREFIX or "```" in line.text or ERROR_LINE.match(line.text) for line in said):
        return False
    return sum(_REMEDY.match(line.text) is not None for line in said) >= 1 and len(said) >= _FEWEST_SAID


def _fence(lines: list[Line], first: int) -> list[Line]:
    """The lines of the fence that opens within the next few lines."""
    while first < len(lines) and not lines[first].text.strip():
        first += 1
    if first == len(lines) or not _FENCE.match(lines[first].text):
        return []
    last = first + 1
    while last < len(lines) and last - first < _SHOWN_MOST and not _FENCE.match(lines[last].text):
        last += 1
    return lines[first:last]


def _causes_below(lines: list[Line]) -> None:
    """Mark what stands between a heading and a list of its common causes: the form of a page of help, not of a report."""
    for index, line in enumerate(lines):
        if "auses" in line.text[:40] or "easons" in line.text[:40]:
            if not _CAUSES.match(line.text):
                continue
            above = range(index - 1, max(index - _SECTION, -1), -1)
            first = next((at for at in above if _HEADING.match(lines[at].text) or _BARE.match(lines[at].text)), None)
            if first is not None:
                last = next((at for at in range(index + 2, len(lines)) if not lines[at].text.strip()), len(lines))
                as_document(lines[first:last], prefixed=False)


def _others(lines: list[Line]) -> None:
    """Mark the items below a heading of other errors: titles of pages, which nothing printed."""
    for index, line in enumerate(lines):
        if _OTHERS.match(line.text):
            last = next((at for at in range(index + 1, len(lines)) if not _ITEM.match(lines[at].text)), len(lines))
            as_document(lines[index + 1 : last], prefixed=False)


def _explained(lines: list[Line], first: int) -> None:
    """Mark a problem that is set in bold, what it shows, and the cause that is set in bold a few lines below."""
    for index in range(first + 1, min(first + _BETWEEN, len(lines))):
        if _CAUSE.match(lines[index].text[:_LONG]):
            end = index
            while end < len(lines) and lines[end].text.strip():
                end += 1
            as_document(lines[first:end], prefixed=False)
            return
