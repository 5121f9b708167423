"""Texts that speak of failures without reporting one: documentation, articles, names of tests.

Their lines get the role 'document', in which no signature counts. A whole text is documentation only where it has the
form of documentation and nobody speaks in it who has a problem; issues that quote a changelog or a commit keep the
roles of their other lines.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

from triage.reading.lazy import Gated, Pattern
from triage.reading.log import Line, as_document
from triage.reading.marks import BULLET
from triage.reading.prose import (
    BEGINNING,
    ERROR_LINE,
    LONGEST_HEADING,
    MANY_LINES,
    NONE,
    PERSON,
    is_list_item,
    is_printed,
    is_short,
    looks_like_prose,
    says,
    tells_of_a_person,
)  # fmt: skip

_IGNORE_CASE = 2
_WRAPPED, _UNEVEN = 79, 4  # columns of a line that may be cut, and by how many the next may differ
_SHORTEST_TITLE = 12  # characters
_MUCH_SHOWN, _MOST_SHOWN = 0.3, 0.45  # share of what programs printed: with more, only advice makes documentation; with most, nothing
_ENOUGH = 4  # sentences that tell the reader what to do, from which on a text is documentation
# results and names of tests that did not fail
_TEST = Pattern(
    r"(?:PASSED|SKIPPED|XFAIL|XPASS) |\[ +(?:RUN|OK) +\] |(?:---|===) (?:PASS|RUN|SKIP)\b"
    r"|\s*<(?:Function|TestCaseFunction|Module|Class) |\s*Start +[0-9]{1,6}: "
    r"|\s*[0-9]{1,6}/[0-9]{1,6} Test +#[0-9]{1,6}: .{1,300} Passed |test\w{0,200} \([\w.]{1,300}\) \.\.\. (?:ok|skipped)"
    r"|\S{1,300}\.py(?:::[^\s:]{1,300}){1,3}(?:\[.{0,200}\])?(?: (?:PASSED|SKIPPED|XFAIL|XPASS)\b|\s*$)"
)
# documentation
_DOC_HEADING = Pattern(
    r"(?:#{1,6} |\*\*)?(?:[0-9][.0-9]{0,6} )?(?:install(?:ation|ing)?|usage|(?:getting|get) started|quick ?start|requirements|features"
    r"|what it (?:is|means)|why (?:it|this) matters|reality check|how to (?:monitor|fix|detect|diagnose|prevent|recover)(?: it)?"
    r"|(?:possible|common) causes"
    r"|licen[cs]e|citation|citing|contributing|acknowledge?ments|tutorial|overview|introduction|examples?|performance|configuration"
    r"|environment variables|limitations|references|parameters|returns|raises|options|notes?"
    r"|安装|使用(?:方法|说明)?|快速开始|环境要求|引用|致谢|简介|参数说明)\**\s*:?\s*$",
    _IGNORE_CASE,
)
_HELP_HEADING = Pattern(
    r"(?:#{1,6} |\*\*)?(?:[0-9][.0-9]{0,6} )?(?:\W{1,3} ?)?(?:troubleshooting|faqs?|frequently asked questions"
    r"|known (?:issues|limitations)|common (?:issues|errors|problems|questions)|error codes|常见问题.{0,10}|故障排[除查]|问题排查)"
    r"\**\s*:?\s*$",
    _IGNORE_CASE,
)
# The title of a page that guides its reader, not of what somebody says about one.
_PAGE_TITLE = Pattern(
    r"(?:#{1,3} )?(?:run|play)book\b|#{1,2} (?!.*\?).{0,80}\b(?:run|play)book\s*$"
    r"|Overview\s*$|#{1,6} what (?:is|are) (?:an? |the )?(?!(?:issue|problem|bug|error|failure|question|matter|symptom)s?\?)[\w-]+\?\s*$"
    r"|#{1,2} (?:how to (?:fix|solve|resolve)|fixing|solving|resolving|troubleshooting|debugging|diagnosing) \w.{0,60}"
    r"\b(?:errors|issues|failures|problems|crashes|hang(?:ing)?s|deadlocks)\b"
    r"|(?:#{1,3} )?(?!.*\?).{0,60}\b(?:gotchas|pitfalls|anti-?patterns|best practices)\b(?!.*\b(?:fail|crash|hang))"
    r"|#{1,2} (?!.*\?).{0,60}\b(?:guidelines|checklist|style guide|conventions|coding standards)\b(?!.*\b(?:fail|crash|hang|error))"
    r"|#{1,2} (?:.{0,60} )?(?:common errors(?: (?:&|and) (?:fixes|solutions))?|cheat ?sheet|reference card"
    r"|troubleshooting (?:guide|tips|notes|steps|common \w+)|debugging guide)\s*$"
    r"|#{1,2} (?!.*(?:不|没|错误的|问题在)).{0,40}(?:指南|教程|手册|速查表?)\s*$"
    r"|(?:#{1,3} )?(?!.*[?？]).{0,40}(?:(?:终极|完全|完整|实战|避坑)(?:指南|教程|手册)|全攻略"
    r"|常见.{0,16}(?:错误|报错|故障|问题|异常).{0,2}(?:解读|汇总|大全|总结|整理|合集)"
    r"|완벽 ?(?:가이드|정리)|총정리|트러블 ?슈팅 가이드|문제 해결법|(?:完全|徹底|確実な)(?:ガイド|解説|解決策|解決法|対処法))"
    r"|#{1,3} (?!.*[?？]).{0,60}(?:日报|周报|月报|简报|早报|晚报)(?:摘要)?(?:\W.{0,30})?$"
    r"|#{1,3} (?!.*\?).{0,60}\b(?:daily|weekly|monthly) (?:digest|roundup|news|highlights)\b"
    r"|(?:#{1,3} )?(?:深入|全面|一文)(?:解析|剖析|理解|读懂|搞懂)(?!.*[?？])"
    r"|(?:#{1,3} )?第[一二三四五六七八九十]{1,3}(?:章|讲|课|单元)[ :：]"
    r"|#{1,2} (?!.*[?？]).{0,20}(?:(?:学习|读书|课程|阅读|论文)笔记|科普|升级说明|迁移指南|发布说明|更新说明)(?:[:： ]|\s*$)"
    r"|(?:#{1,3} )?(?!.*[?？]).{0,40}(?:速度|性能|显存(?:占用)?|吞吐|延迟|训练|推理)[^，。]{0,6}(?:对比|测评|评测|实测|基准测试)\s*$"
    r"|#{1,2} .{2,60}(?:分析|排查|定位|原因)(?:与|和|及|以及)(?:修复|解决|处理|优化)(?:方案|方法|办法|总结|记录|建议)?\s*$",
    _IGNORE_CASE,
)
# The title of a page that tells what was measured, what goes with what, or what was learned.
_RESULTS_TITLE = Pattern(
    r"#{1,2} (?!.*\?)(?!.*\b(?:fail|crash|hang|error|broken|regress|slow|bug|issue))(?!.*\b(?:OOM|NaN)\b).{0,90}"
    r"\b(?:benchmarks?|results|compatibility|requirements|lessons learned|knowledge)\b",
    _IGNORE_CASE,
)
_FEWEST_HEADINGS = 4  # of a page that is one by its title, whatever it shows
# In the head of a page that answers anybody; templates of issues ask nothing there.
_ASKING_TITLE = Pattern(
    r"title: [\"']?(?:How (?:to|can|do|does)|Why (?:am|are|is|does|do|did)|What (?:is|are|causes?))\b.{8,300}\?[\"']?\s*$"
)
# How an article or an answer opens what it says to anybody.
_OPENING = Pattern(
    r"\b[Hh]ere(?:'s|\u2019s| is) how (?:to|you can) (?:address|avoid|deal|fix|free|handle|prevent|resolve|solve|troubleshoot)\b"
    r"|\b[Hh]ere are (?:some|a few|several|[0-9]{1,2}) (?:\w+ ){0,3}(?:causes|solutions|fixes|ways|methods|tips)\b"
    r"|\b(?:[Ee]rror|[Ee]xception)\b[^.]{0,40}? (?:occurs|happens|arises) (?:when|because) your (?:GPU|gpu|graphics card)\b"
    r"|\b[Tt]his (?:\w+ )?(?:guide|article|post|tutorial) (?:\w+ )?"
    r"(?:covers?|shows?|explains?|walks?|delves?|describes?|explores?|will)\b"
    r"|\b[Ii]n this (?:\w+ )?(?:guide|article|post|blog)\b|^(?:.{0,60}\b)?[0-9]{1,2} ?min(?:ute)?s? read\b"
    r"|\b(?:[0-9]{1,2}|several|some) (?:proven|simple|easy|effective|practical) (?:fixes|methods|ways|solutions|steps)\b"
    r"|本文(?:将|介绍|总结|主要|详细|分享|记录)"
    r"|(?:主要|通常|一般)(?:包含|包括|有)以下(?:几[个种点])?(?:原因|情况)"
    r"|(?:主要|通常|一般|往往)(?:是)?由(?:以下|下列)[^，。]{0,8}(?:原因|因素|情况)[^，。]{0,6}(?:导致|引起|造成|引发)"
    r"|以下是(?:一些|几[种个])?(?:常见|可能)?的?(?:原因|解决(?:方案|方法|办法))|(?:下面|接下来)(?:介绍|总结|给出)",
)
_OPENINGS = (
    " read\n", "ere's how", "ere\u2019s how", "ere is how", "ere are ", "uide ", "rticle", "his post", "his tut", "his blog", "proven ",
    "simple ", "easy ", "effective ", "practical ", "本文", "以下是", "有以下", "含以下", "括以下", "由以下", "由下列",
    "介绍", "总结", "给出",
    "when your ", "because your ",
)  # fmt: skip
# What only an author says to readers, whatever the text asks them.
_ADDRESSED = Pattern(
    r"(?<![^\W_A-Za-z])你是否(?:也|还|曾经?|经常|正|遇|在)|常见的?(?:痛点|误区|误解|困惑)|(?:很多|许多|不少)(?:开发者|新手|初学者)(?:都|常|会|曾|在)"
    r"|(?:最|更)?(?:令|让)(?:很多)?人(?:沮丧|头疼|抓狂|崩溃|困惑|头痛)的|让人无从下手|(?:每个|几乎所有).{0,10}(?:工程师|开发者|人)都(?:曾|会|遇)|莫过于"
    r"|最容易踩坑|(?:怎么办|咋办)呢?[?？] ?答案(?:就)?是|(?:^|[，。,])假设你(?:在|有|正|想)|(?:答案|问题)往往(?:不在|不出在|并不)"
    r"|本文(?:旨在|将)"
    r"|一文(?:定位|搞[懂定]|看懂|讲[透清]|带你|彻底|解决|读懂|(?:详细|全面)?(?:介绍|讲解|了解))"
    r"|^(?:#{1,3} )?第[一二三四五六七八九十]章[ :：]"
    r"|\b(?:[Aa]lright,? (?:guys|folks|everyone)|[Bb]uckle up"
    r"|(?:[Ll]et's|[Ww]e're going to|[Ww]e'll) (?:talk about|dive in|break down|explore|walk through))\b",
)
_ADDRESSES = (
    "你是否", "常见", "很多", "许多", "不少", "一文", "让人", "令人", "莫过于", "都曾", "都会", "踩坑", "答案", "假设你", "问题往往",
    "本文", "第一章", "lright", "uckle up", "et's ", "going to ", "e'll ",
)  # fmt: skip
_COLUMN = Pattern(r"[\u4e00-\u9fff ]{2,20}$")  # behind the time
_OWN_CASE = Pattern(
    r"\b(?:I|I'm|I've|I'd|[Mm]y)\b(?![=:./_(\[`'\"*-])"
    r"|我(?!们|就?结合|来?[为给]大家|将[为从和与带]|已经在|明明)|请问|请教|求助|谢谢|大佬|\b[Tt]hanks\b"
)
# What somebody wonders about that met it, in passing.
_WONDERS = Pattern(
    r"\b(?:[Ss]trangely|[Ww]eirdly|[Ss]omehow|[Ff]or no (?:apparent )?reason|out of nowhere|happens (?:randomly|at random))\b"
)
_RHETORICAL = Pattern(r"怎么(?:回事|办)|为什么|如何解决|是什么原因")
_REFERENCE_HEADING = Pattern(r"\W{0,8}(?:environment variables|parameters|returns|raises|options)\b", _IGNORE_CASE)
_MARKUP = Pattern(
    r"\.\. (?:_|[\w-]{2,40}::)|\[!\[|<a name=|\[\^\w{1,40}\]:|:(?:align|header-rows|widths|maxdepth|hidden):|<Tip|- \[.{1,200}\]\(#"
)
_ROLE = Pattern(r":(?:ref|doc|class|func|meth|envvar|attr|mod|code|term|issue|pr):`")
_DIRECTIVE = Pattern(
    r"\s{0,12}\.\. (?:rubric|code-block|literalinclude|note|warning|tip|admonition|seealso|toctree|list-table|_[\w-]{2,60}):"
    r"|#{1,6} \[.{1,120}\]\(@id\b|```(?:@(?:docs|example|repl|setup|meta|eval|autodocs|contents)|jldoctest)\b|.{0,300}`\]\(@ref\b"
)  # the last of Documenter.jl
# A heading in a program whose remarks are a page: Literate.jl, Jupytext.
_HEADING_IN_A_REMARK = Pattern(r"# #{1,6} \w")
_LITERAL = Pattern(r"``[^`]{2,200}``")
_UNDERLINE = Pattern(r"([=~^\"*+#-])\1{3,}\s*$")
_KEY = Pattern(r"[a-z][\w-]{0,40}: ?\S")
_KEYS_OF_ISSUES = ("about: ", "labels: ", "assignees:", "assignee:")
_UNTICKED = Pattern(r"\s{0,4}[-*] \[ \] ")
_MARKDOWN_HEADING = Pattern(r"#{1,6} \w(?!.{0,80}: [0-9])")  # not what counts: "# GPU blocks: 229"
_OF_CUDA = "stacktrace below might be incorrect"  # PyTorch, behind every error of CUDA
# What Paddle advises below each report of a full device, in numbered lines.
_OF_PADDLE = Pattern(
    r"Please check whether there is any other process using |[12]\. If (?:yes|no), please |\s+[12]\) (?:Decrease the batch size|FLAGS_)"
    r"|\s+The command is `export FLAGS_|If the above ways do not solve the out of memory problem"
)
# An item that tells what somebody did, below a heading of help.
_DONE = Pattern(
    r"\s{0,4}(?:[-*+]|[0-9]{1,2}[.)]) +(?:[Aa]lso |[Aa]lready )?(?:[Tt]ried|[Tt]ested|[Ff]ollowed|[Cc]hecked|[Vv]erified|[Rr]einstalled"
    r"|[Rr]estarted|[Rr]ebooted|[Rr]an)\b"
)
_ITEM = Pattern(r"(?:[-*+]|[0-9]{1,2}[.)]|#{1,6})? {0,3}(?:\*\*[^*]{3,300}\*\*|(?<=[-*+.)] )`[^`]{3,200}`(?=\s?[:：—-]))[:：.]?")
_ADVICE = Gated(
    r"\b[Yy]ou (?:can|may|might|should|must|need|could|want|have to)\b|`[^`]{3,300}` (?:means|indicates|says that|is raised"
    r"|is printed)\b|\b(?:usually|typically|generally|often|(?:prevents|preventing)(?! (?:me|us|my|our) ))\b"
    r"|\b(?:may|might|can|could|must|should) (?:be|come|cause|lead|result|happen|occur|fail|hang|indicate|need|also|deadlock|require)\b"
    r"|\b(?:may|might|must|should) not\b"
    r"|往往|莫过于|本文|(?<!可不)(?<!是否)(?<!是不是)可以(?!用|跑|正常|成功|训练|推理|运行|加载|编译|启动)|建议|请(?:注意|检查|确认|确保|使用|参考|安装|设置|减小|降低|升级|先)|一般是|说明"
)
_SUPPOSITION = Gated(
    r"\b(?:[Ii]f|[Ww]hen|[Oo]nce|[Ii]n case|[Ss]hould) (?:you|your|the|there|this|that|these|an?|it|multiple|using|one|either)\b"
    r"|\b[Yy]ou (?:will|are|do)\b|\blikely\b|如果|需要"
)
_INSTRUCTION = Pattern(
    r"\s*(?:(?:[-*+>]|[0-9]{1,2}[.)])\s+)?(?:\*\*[^*]{1,100}\*\*[:.]?\s*|`[^`]{1,60}`: ?|[A-Z][\w ]{2,40}: )?"
    r"(?:Use|Set|Run|Install|Make sure|Ensure|Try|Reduce|Increase|Lower|Raise|Check|Add|Pass|See|Note|Decrease|Disable|Enable|Download"
    r"|Please(?! (?:enter|choose|select|input|type|take a look|have a look|help|fix|advise|let me))"
    r"|Refer|Follow|Clone|Create|Specify|Upgrade|Update|Verify|Consider|Start|Switch|Watch|Monitor|Do not|Don't|Avoid|For more"
    r"|To (?:install|use|run|avoid|fix|enable|disable|build|train|get|start|prevent|do))\b"
)
_QUESTION = Pattern(r"[?？]\s*$")
# A field of a form that somebody filled in: "Python version: 3.6.8"
_FILLED = Pattern(r"\W{0,6}[\w./ -]{2,40}\bversion(?: ?\([^()]{0,60}\))?\W{0,3}[:=]\W{0,4}v?[0-9]{1,4}\.[0-9]", _IGNORE_CASE)
_VERSION_ALONE = Pattern(r"(?:[A-Za-z.]{2,12} )?v?[0-9]{1,4}\.[0-9][\w.+-]{0,30}(?:\s|$)")  # below the heading that asks for it
_REPORT_HEADING = Pattern(
    r"\[(?:bug|question|issue|help)\]|bug: |[0-9][.)] see (?:the )?error|(?:#{1,6} |\*\*)(?:\W{1,4} ?)?(?:describe the (?:bug|issue"
    r"|problem)|to reproduce|(?:how|steps?) to reproduce|steps|(?:minimal )?repro(?:duc\w*)?\b.{0,40}"
    r"|(?:expected|actual|current) (?:behaviou?r|results?)|(?:question|detailed) description(?: of the problem)?|reminder"
    r"|your current environment|system info\w*|(?:relevant )?log output|error (?:message|log|output)s?|stack ?trace|traceback"
    r"|who can help.{0,3}|bug description|what(?: is|'s) the (?:problem|issue|bug)\??|(?:full )?console logs?(?:, from start to end\.?)?"
    r"|(?:issue|problem) description|what happened.{0,3}|root cause"
    r"|问题描述.{0,10}|详细描述.{0,10}|复现.{0,10}|期望.{0,10}|当前行为|报错.{0,10}|错误(?:信息|日志).{0,6})"
    r"(?: ?[|/] ?[^|/]{1,60})?\**\s*[:：?]?\**\s*$",  # in two languages
    _IGNORE_CASE,
)
_MAYBE_REPORT_HEADING = Pattern(
    r"(?:#{1,6} |\*\*)(?:\W{1,4} ?)?(?:(?:your )?environment(?: info\w*)?|additional (?:context|info\w*)|logs?|errors?|screenshots?"
    r"|bug(?: report)?|issue|problem|impact|description|环境(?:信息)?|日志.{0,10}|问题)\**\s*[:：?]?\**\s*$",
    _IGNORE_CASE,
)
_SAID_TO_FAIL = Pattern(
    r"\b(?:fail(?:s|ed)?|crash(?:es|ed)?|abort(?:s|ed)?|die[sd]|end(?:s|ed)?) (?:\w+ ){0,3}with [\"`\u201c][^\"`\u201d]{3,300}[\"`\u201d]"
    r"|\b(?:raises|raised|throws|threw) [\"`\u201c][^\"`\u201d]{3,300}[\"`\u201d]"
)
_HAPPENS = Pattern(
    r"\b(?:fails|failed|crash(?:es|ed)|hangs|hung|occur(?:s|red)|happens|happened|got|gets|Traceback)\b|:[0-9]{2}:[0-9]{2}\b"
)
_SHOWN = Pattern(r"[:\uff1a] ?[`*\"]{0,3}[A-Z]\w{2,40}(?:Error|Exception): ")
_WARNED = Pattern(r"(?:[A-Za-z]:)?[\\/<][^\s:]{1,200}:[0-9]{1,6}: \w{0,40}Warning\b")  # as Python prints it
_MEASURED = Pattern(r"[0-9] ?[KMGT]i?B\b")


def mark_tests(lines: list[Line]) -> None:
    """Mark names of tests and results of those that did not fail."""
    as_document([line for line in lines if is_short(line) and _TEST.match(line.text)])


def mark_documents(lines: list[Line], has: Callable[[str], bool]) -> None:
    """Give the role 'document' to the lines of documents. `has` tells whether a string occurs in the input at all."""
    if lines and lines[0].text.startswith(("--- name: ", "--- title: ", "--- description: ")):
        as_document(lines[:1])  # the head of a page, in one line
    if has("\n# #") and _HEADING_IN_A_REMARK.match(lines[0].text) and sum(map(_is_heading_in_a_remark, lines)) > 1:
        for line in lines:  # its statements, too
            line.role = "document"
        return
    if len(lines) <= MANY_LINES and _may_be_documentation(lines, has):
        _titles_of_advice(lines)
        _documentation(lines)
    if len(lines) <= MANY_LINES and any(map(has, _OPENINGS)):
        _article(lines)
    if len(lines) <= MANY_LINES and any(map(has, _ADDRESSES)):
        _addressed(lines)


def _may_be_documentation(lines: list[Line], has: Callable[[str], bool]) -> bool:
    return any(map(has, (".. ", ":`", "](@id ", "](@ref", "```@", "```jldoctest", "\nWhat it ", "\nWhy it ", "ook: "))) or any(
        line.role == "prose" or line.text[:2] in ("# ", "##", "**", "- ", "1.", "==", "--", "~~", "^^") for line in lines
    )


def _titles_of_advice(lines: list[Line]) -> None:
    """Messages that are titles, underlined, above what the reader shall do: "No GPU found" above "Check that the driver is loaded.".

    Who reports one speaks of themselves, asks, or says what happens.
    """
    said = [line for line in lines if line.text.strip()]
    if any(PERSON.search(line.text[:BEGINNING]) or _QUESTION.search(line.text) or _HAPPENS.search(line.text[:BEGINNING]) for line in said):
        return
    for title, underline, first in zip(said, said[1:], said[2:], strict=False):
        if _is_underlined(underline.text, title.text) and first.role in ("prose", "output") and _INSTRUCTION.match(first.text):
            as_document([title])


def _is_heading_in_a_remark(line: Line) -> bool:
    return line.text.startswith("# #") and _HEADING_IN_A_REMARK.match(line.text) is not None


def _is_reference(said: list[Line]) -> bool:
    """Whether a text has the marks of reStructuredText or Documenter.jl, which only documentation is written in."""
    if any(_DIRECTIVE.match(line.text) or _ROLE.search(line.text[:BEGINNING]) for line in said):
        return True
    titled = any(_is_underlined(line.text, above.text) for above, line in itertools.pairwise(said))
    return titled and any(_LITERAL.search(line.text[:BEGINNING]) for line in said)


class _Tally:
    """What speaks for and against documentation."""

    __slots__ = ("advice", "headed", "helps", "parts", "person", "reference", "score")

    def __init__(self) -> None:
        self.advice: list[Line] = []  # lines that tell the reader what to do
        self.score = self.parts = self.person = 0
        self.headed = self.helps = self.reference = False

    def add(self, line: Line, above: str) -> None:
        """Look at a line; `above` is the line before it."""
        text = line.text
        beginning = text[:BEGINNING]
        marked = not text[0].isalpha()  # most forms begin with a mark; looking for them in sentences would cost most
        if len(text) <= LONGEST_HEADING and _HELP_HEADING.match(text):
            self.headed = self.helps = True
            self.score += _ENOUGH
        elif marked and _MAYBE_REPORT_HEADING.match(text):
            self.person += 1
        elif (len(text) <= LONGEST_HEADING and _DOC_HEADING.match(text)) or (marked and _is_markup(text, above)) or _ROLE.search(beginning):
            self.headed = True
            self.reference = _REFERENCE_HEADING.match(text) is not None
            self.score += 1
        elif self.helps and marked and _DONE.match(text):
            self.person += 1
        elif marked and (item := _ITEM.match(text)) is not None:
            self.parts += 1
            rest = text[item.end() : item.end() + BEGINNING].strip()
            if self.reference or _advises(rest[:1].upper() + rest[1:]):
                self.advice.append(line)
        elif marked and _MARKDOWN_HEADING.match(text):
            self.parts += 1
        elif "ersion" in above and above[0] == "#" and _VERSION_ALONE.match(text):
            self.person += 1  # who fills in a form tells of a case
        elif _OF_CUDA in text or (line.role == "output" and ERROR_LINE.match(text)) or _OF_PADDLE.match(text):
            pass  # what it advises is said to whoever runs the program
        elif "ersion" in beginning and _FILLED.match(text):
            self.person += 1
        elif marked and _UNTICKED.match(text):
            self.advice.append(line)
        elif self.helps and BULLET.match(text):
            self.advice.append(line)  # questions of readers, in their own words
            self.score += _advises(beginning) or _SUPPOSITION.search(beginning) is not None
        elif _advises(beginning) and _advises(_without_message(beginning)):
            self.advice.append(line)
            self.score += 1
            self.person += PERSON.search(beginning) is not None
        else:
            supposes = _SUPPOSITION.search(beginning) is not None
            self.score += supposes
            self.person += PERSON.search(beginning) is not None or (not supposes and _QUESTION.search(text) is not None)

    @property
    def is_documentation(self) -> bool:
        """Whether the text as a whole is documentation."""
        score = self.score + self.parts // 3
        formed = self.headed or self.parts > 0
        return formed and score >= _ENOUGH and (self.helps or bool(self.advice)) and 3 * self.person <= score


def _documentation(lines: list[Line]) -> None:
    """A whole text that tells its reader what to do; or single sentences of that kind where nobody reports anything."""
    spoken = [line for line in lines if says(line) and is_short(line) and line.role not in ("code", "diff")]
    said = _said(spoken)
    printed = len(spoken) - len(said)
    page = _has_front_matter(lines)
    if _is_page(lines, said, page=page, printed=printed):
        as_document(lines)
        return
    said = [line for line in said if not _WARNED.match(line.text[:BEGINNING])]  # warnings advise whoever runs the program
    shown_by_others = (len(spoken) - len(said)) / max(1, len(spoken))
    if shown_by_others > _MOST_SHOWN:
        return
    tally = _Tally()
    above = ""
    if page:
        tally.headed = True
        tally.score = _ENOUGH
    shown = False  # what a program printed, between fences: it advises its user, too
    fences = any(line.text.startswith("```") for line in said)
    for line in said:
        text = line.text
        if fences and text.startswith("```"):
            shown = not shown
        if shown and line.role == "output":
            continue
        if text[0] in "[#*B0123456789" and _REPORT_HEADING.match(text):
            return
        tally.add(line, above)
        above = text
    if lines[0].text.startswith("---") and any(_ASKING_TITLE.match(line.text) for line in lines[1:4]):
        as_document(lines)
        return
    if shown_by_others > _MUCH_SHOWN:
        if tally.is_documentation and not tally.person and len(tally.advice) >= _ENOUGH:
            as_document(lines)
        return
    titled = page or _PAGE_TITLE.match(lines[0].text[:BEGINNING])
    published = page and not printed and any(line.text.startswith("date: ") for line in lines[1:20])  # authors speak of themselves
    if published or (titled and not any(map(_tells_a_case, said))):
        as_document(lines)
        return
    formed = tally.headed or tally.parts > 0
    if not tally.person and _is_reference(said):
        as_document(lines, prefixed=False)
        return
    if formed and not tally.person and not printed:  # notes of a project: what once failed is told in passing, in quotes
        as_document([line for line in said if _SAID_TO_FAIL.search(line.text[: 2 * BEGINNING]) and not ERROR_LINE.match(line.text)])
    if tally.is_documentation:
        as_document(lines)
    elif not tally.person and not printed and len(tally.advice) >= (1 if formed else 2):
        told = [line for line in tally.advice if line.role == "prose" or is_list_item(line.text) or (formed and _is_sentence(line.text))]
        title = lines[0].text.strip("#* ").rstrip(".:!")  # of a report that repeats the message it is named after
        as_document([line for line in told if len(title) < _SHORTEST_TITLE or not line.text.startswith(f"{title}: ")])


def _is_page(lines: list[Line], said: list[Line], *, page: bool, printed: int) -> bool:
    """Whether a text is a page of many sections by its title, where nobody tells of a case: what it shows is shown to anybody.

    A page of results says in passing what could not be measured; who shows what was printed may have met it.
    """
    title = lines[0].text[:BEGINNING]
    guides = page or _PAGE_TITLE.match(title) is not None
    if not guides and (printed or not _RESULTS_TITLE.match(title) or any(ERROR_LINE.match(line.text) for line in said)):
        return False
    headings = sum(line.text.startswith("#") and _MARKDOWN_HEADING.match(line.text) is not None for line in said)
    if headings < _FEWEST_HEADINGS or any(map(_tells_a_case, said)):
        return False
    return guides or not any(line.text[0] in "[#*B0123456789" and _REPORT_HEADING.match(line.text) for line in said)


def _tells_a_case(line: Line) -> bool:
    """Whether somebody speaks of themselves; guides ask why, too."""
    return tells_of_a_person(line) and PERSON.search(_RHETORICAL.sub("", line.text[:BEGINNING])) is not None


def _said(spoken: list[Line]) -> list[Line]:
    """What no program printed, nor a terminal cut off what one did: lines as long as the printed one before them."""
    said = []
    width = 0  # of what was printed last, while lines go on at it
    for line in spoken:
        if is_printed(line):
            width = len(line.raw)
        elif width < _WRAPPED or abs(len(line.raw) - width) > _UNEVEN:
            width = 0
            said.append(line)
    return said


def _article(lines: list[Line]) -> None:
    """A whole text that opens as articles do, where nobody tells of a case, asks or fills in a form, and no program printed anything."""
    said = [line for line in lines if says(line) and is_short(line)]
    if any(map(is_printed, said)) or any(
        tells_of_a_person(line) or _QUESTION.search(line.text) or (line.text[0] in "[#*B0123456789" and _REPORT_HEADING.match(line.text))
        for line in said
    ):
        return
    if any(_OPENING.search(line.text[:BEGINNING]) for line in said if line.role not in ("code", "diff")):
        as_document(lines)


def _addressed(lines: list[Line]) -> None:
    """A whole text whose author addresses readers, where nobody tells of a case of their own and no program printed anything."""
    said = [line for line in lines if says(line) and is_short(line)]
    for line in said:
        if (
            (is_printed(line) and not _is_dateline(line, said))
            or (ERROR_LINE.match(line.text) and not line.text.rstrip().endswith(("...", "…")))  # programs do not leave the end out
            or _OWN_CASE.search(line.text[: 2 * BEGINNING])
        ):
            return
        if line.text[0] in "[#*B0123456789" and _REPORT_HEADING.match(line.text):
            return
    if any(line.role not in ("code", "diff") and _ADDRESSED.search(line.text[:BEGINNING]) for line in said):
        as_document(lines)


def _is_dateline(line: Line, said: list[Line]) -> bool:
    """Whether a line is the one under the title of a Chinese page: when it was written, and in which column."""
    return any(line is head for head in said[:3]) and _COLUMN.match(line.text) is not None


def _has_front_matter(lines: list[Line]) -> bool:
    """Whether a page begins with its title and the like, between two rules; templates of issues do, too, with keys of their own."""
    if lines[0].text.rstrip() != "---":
        return False
    keys = 0
    for line in lines[1:20]:
        if line.text.rstrip() == "---":
            return keys > 0
        if line.text.startswith(_KEYS_OF_ISSUES):
            return False
        keys += _KEY.match(line.text) is not None
    return False


def _advises(text: str) -> bool:
    return (_ADVICE.search(text) is not None or _INSTRUCTION.match(text) is not None) and _WONDERS.search(text) is None


def _without_message(text: str) -> str:
    """What is said before a message that is shown behind a colon, which may advise whoever meets it: "报错：ValueError: You need …"."""
    shown = _SHOWN.search(text)
    return text[: shown.start()] if shown else text


def _is_sentence(text: str) -> bool:
    return looks_like_prose(text) > NONE and not ERROR_LINE.match(text) and not _MEASURED.search(text)


def _is_markup(text: str, above: str) -> bool:
    """Whether a line is markup that only documentation has, or underlines the title above it."""
    return _MARKUP.match(text) is not None or _is_underlined(text, above)


def _is_underlined(text: str, above: str) -> bool:
    """Whether a line underlines the title above it."""
    alike = abs(len(text.rstrip()) - len(above.rstrip())) <= 2
    return alike and above[:1].isalpha() and len(above) <= 80 and _UNDERLINE.match(text) is not None
