"""Texts that speak of failures without reporting one: documentation, changelogs, version history, names of tests.

Their lines get the role 'document', in which no signature counts. A whole text is documentation only where it has the
form of documentation and nobody speaks in it who has a problem; issues that quote a changelog or a commit keep the
roles of their other lines.
"""

from __future__ import annotations

from collections.abc import Callable

from triage.reading.lazy import Gated, Pattern
from triage.reading.log import NO_PREFIX, SPOKEN, Line, as_document
from triage.reading.prose import ERROR_LINE, NONE, is_list_item, looks_like_prose

_IGNORE_CASE = 2
_LONG = 4096  # characters of a line beyond which it is not looked at
_HEADING = 60  # characters of a heading without marks
_TITLE = 120  # characters of the title of a change
_BEGINNING = 400  # characters of a line in which a person or an advice is looked for
_FEWEST_HEADINGS = 2  # of the notes of a release
_MANY_LINES = 5000  # beyond which a text is a log, whatever it quotes
_WRAPPED, _UNEVEN = 79, 4  # columns of a line that may be cut, and by how many the next may differ
_ENOUGH = 4  # sentences that tell the reader what to do, from which on a text is documentation

# version history
_COMMIT = Pattern(r"[*|\\/ ]{0,12}commit [0-9a-f]{7,40}(?: \(.{1,200}\))?\s*$")
_COMMIT_HEADER = Pattern(r"[*|\\/ ]{0,12}(?:commit [0-9a-f]{7}|(?:Author|AuthorDate|Commit|CommitDate|Date|Merge|Notes):|    |\t)")
_ONE_LINE = Pattern(
    r"[*|\\/_ ]{0,12}(?:(?:pick|reword|edit|squash|fixup|drop|[presfd]) )?"
    r"(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{7,12} (?:\([^)]{1,200}\) )?\S"
)
_NEXT_LINE = Pattern(r"[*|\\/_ ]{1,40}$|[0-9]{7,12} \S")  # the graph between commits, and hashes that happen to be numbers
_GIT_SAYS = Pattern(
    r"(?:error: )?(?:[Cc]ould not (?:apply|revert) [0-9a-f]{7}|HEAD is now at|Rebasing \([0-9]|Applying: |Auto-merging |CONFLICT \(|hint: "
    r"|(?:pick|fixup|squash|reword|drop|edit|dropping) [0-9a-f]{7}|\[[\w/. -]{1,80} [0-9a-f]{7,12}\] )"
)
_GIT_WORDS = (
    "could not apply",
    "Could not apply",
    "could not revert",
    "HEAD is now",
    "Rebasing (",
    "Applying: ",
    "hint: ",
    "CONFLICT (",
    "pick ",
)
_SEARCH_COMMAND = Pattern(r"\S{0,60}[$#%] (?:git (?!push|fetch|clone|pull)|(?:e|f|rip)?grep |rg |ag )")
_PROMPT = Pattern(r"\S{0,60}[$#%] \S|\(\w{1,40}\) \S{0,60}[$#] |>>> ")
_TRAILER = Pattern(
    r"(?:Signed-off-by|Reviewed-by|Acked-by|Tested-by|[Cc]o-[Aa]uthored-[Bb]y|Differential Revision): \S|\W{0,4}Generated with \[\w"
)
_CONVENTIONAL = Pattern(r"(?:# )?(?:feat|fix|docs?|chore|refactor|perf|test|tests|ci|build|style|revert)(?:\([\w ./,*-]{1,40}\))?!?: \S")
# The title of a change without such a kind: what is changed, or why.
_TITLED = Pattern(
    r"(?:# )?(?:\[[\w ./-]{1,30}\] ?){0,3}(?:[\w./-]{2,30}(?: [\w./-]{2,20})?: )?"
    r"(?:add|allow|avoid|bump|decrease|disable|enable|fix|guard|handle|improve|increase|limit|lower|prevent|raise|reduce|remove|skip|update|use)"
    r"(?: [\w`./()-]{1,40}){1,12}\s*$",
    _IGNORE_CASE,
)
_PURPOSE = Pattern(
    r".{0,200}\b(?:to|and) (?:avoid|prevent|reduce|fix|handle|survive)\b|(?:# )?(?:\[[\w ./-]{1,30}\] ?)?[\w./-]{2,30}: ",
    _IGNORE_CASE,
)
_CHANGED_FILE = Pattern(
    r"\s{0,4}[-*] `?[\w.-]{1,40}/[\w./-]{1,80}\.[a-z]{1,5}`?: (?:add|change|fix|guard|move|remove|rename|report|update|use)s? ",
    _IGNORE_CASE,
)
# What a program shall do from now on.
_BEHAVES = Pattern(
    r"(?:# )?(?:only|always|also|never|do not|don't) (?:catch|count|evict|ignore|log|mark|raise|reboot|relaunch|report|reschedule|restart"
    r"|retry|show|skip|treat|warn)(?: [\w`./()-]{1,40}){1,12}\s*$",
    _IGNORE_CASE,
)
# What a program shall do with an error, by the name of its class.
_TREATS = Pattern(
    r"(?:# )?(?:\[[\w ./-]{1,30}\] ?){0,3}"
    r"(?:align|catch|convert|detect|expose|handle|ignore|map|propagate|rename|re-?raise|suppress|swallow|wrap)"
    r"(?: [\w`./()+-]{1,40}){0,6}? `?[\w.]*(?:Error|Exception)s?\b`?(?: [\w`./()+-]{1,40}){0,8}\s*$",
    _IGNORE_CASE,
)
# The title of a change that names the error it ends and where.
_ENDS = Pattern(
    r"(?:# )?(?:\[[\w ./-]{1,30}\] ?){0,3}fix(?:ed|es)? (?:an? |the |some |potential |rare )?`?\w*(?:Error|ERROR|STATUS)_?[A-Z]\w+`?"
    r"(?: errors?| crash(?:es)?| failures?)? (?:at|by|caused by|during|for|in|of|on|when|with) \S.{0,100}$"
)
_PROPOSED = Pattern(
    r"(?:# )?(?:\[(?:rfc|fea|rfe|feature(?: request)?|enhancement|proposal|roadmap)\]|(?:rfc|feature request|proposal|roadmap):)[ :]"
    r"|(?:# )?(?:ability|option|possibility|a way) to \w"
    r"|(?:# )?document (?:an?|the|how|known|that|why) \w"
    r"|(?:# )?(?:we|it|you) (?:need to|should|could|must) (?:add|describe|document|explain|mention|provide) \w",
    _IGNORE_CASE,
)
_KINDS = ("feat", "fix", "doc", "chore", "refactor", "perf", "test", "ci", "build", "style", "revert")
_GRAPH = 60  # characters in which a graph of commits, a word and a hash have room
_HEX = frozenset("0123456789abcdef")
_MAIL = Pattern(r"From [0-9a-f]{40} ")

_PULL_REQUEST = Pattern(
    r"this (?:pr|pull request|patch|commit|mr)(?:\s*:\s*$| (?:fixes|resolves|adds|implements|enables|allows|updates|refactors|wraps"
    r"|replaces|improves|aims|addresses|contains|lets|skips|switches|solves|corrects|repairs)\b)"
    r"|this (?:fixes (?:an?|the)|reverts commit) \w"
    r"|(?:fix(?:es)?|closes|resolves) https://github\.com/[\w./-]{1,100}/(?:issues|pull)/[0-9]"
    r"|(?:this (?:pr|pull request|patch|commit) )?(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?) (?:[\w./-]{1,80})?#[0-9]{1,7}\b"
    r"|#{1,6} (?:\W{1,4} ?)?(?:what does this pr do|what changes were proposed in this pull request|test plan|type of change"
    r"|what (?:type of pr is (?:it|this)|is this pr for|this pr does)|pr (?:docs|apis|description|type)"
    r"|how (?:was|has|were) (?:it|this(?: patch| pr)?|these changes)(?: been)? tested"
    r"|checklist before (?:creating|requesting))\b.*$"
    r"|- \[[ x]\] (?:i have (?:added|made corresponding|performed a self|commented my))\b"
    r"|- \[[ x]\] (?:my (?:code follows|changes generate)|new and existing)\b"
    r"|#{1,6} (?:summary by coderabbit|what changed|changes made|what this changes)\s*$"
    r"|\W{0,5}(?:before|after) this (?:pr|pull request|patch|change)\W*$"
    r"|(?:summary of (?:the |this |these )?changes?|type of change)\s?: \S",
    _IGNORE_CASE,
)

_REFERENCES = (
    "# ", "his PR", "his Pr", "his pr ", "his pr:", "his pull", "his Pull", "his patch", "his Patch", "his commit", "his MR", "his fixes",
    "his reverts", "/issues/", "/pull/", "ummary of ", "ype of change",
    *[f"#{digit}" for digit in "123456789"],
)  # fmt: skip

# results and names of tests that did not fail
_TEST = Pattern(
    r"(?:PASSED|SKIPPED|XFAIL|XPASS) |\[ +(?:RUN|OK) +\] |(?:---|===) (?:PASS|RUN|SKIP)\b"
    r"|\s*<(?:Function|TestCaseFunction|Module|Class) |\s*Start +[0-9]{1,6}: "
    r"|\s*[0-9]{1,6}/[0-9]{1,6} Test +#[0-9]{1,6}: .{1,300} Passed |test\w{0,200} \([\w.]{1,300}\) \.\.\. (?:ok|skipped)"
    r"|\S{1,300}\.py(?:::[^\s:]{1,300}){1,3}(?:\[.{0,200}\])?(?: (?:PASSED|SKIPPED|XFAIL|XPASS)\b|\s*$)"
)

# changelogs
_VERSION_HEADING = Pattern(
    r"[a-z][a-z0-9.+-]{1,60} \([0-9][^ )]{0,60}\) [\w ,-]{1,60}; urgency="
    r"|(?:#{1,4} )?\[?(?:[\w-]{1,40} )?[vV]?[0-9]{1,4}\.[0-9]{1,4}(?:\.[\w.+-]{1,40})?\]?(?:\([^)]{0,200}\))?(?:[ –—:(（-].{0,60})?$"
)
_CHANGE_HEADING = Pattern(
    r"(?:#{1,5} |\*{1,2})\W{0,4}(?:added|changed|fixe[ds]|removed|deprecated|security|(?:critical |other )?bug ?-?fix(?:es)?|fixed bugs"
    r"|(?:new )?features?|improvements?|enhancements?|breaking(?: changes?)?|highlights|what'?s (?:changed|new)|change ?log"
    r"|release notes?|internal|misc(?:ellaneous)?|maintenance|dependencies|known issues"
    r"|更新日志|更新内容|更新记录|修复|新增|优化|变更|改进|其他)\b.{0,30}$|(?:#{0,2} ?)(?:change ?log|release notes)\b.{0,60}$",
    _IGNORE_CASE,
)
_BULLET = Pattern(r"\s{0,8}(?:[-*+•]|[0-9]{1,2}[.)]) +(?=\S)")
_CHANGE = Pattern(
    r"(?:\[[^\]]{1,60}\](?:\([^)]{0,200}\))?:? *|\*\*[^*]{1,60}\*\*:? *|`?[\w/.&+ -]{1,30}`?: +|\([^)]{1,40}\) *|\W{1,3} ?){0,2}"
    r"(?:fix(?:e[sd])?|add(?:s|ed)?|remove[sd]?|change[sd]?|improve[sd]?|deprecate[sd]?|bump(?:s|ed)?|refactor(?:s|ed)?|revert(?:s|ed)?"
    r"|rename[sd]?|update[sd]?|support(?:s|ed)?|do not|don't|does not|reduce[sd]?|avoid(?:s|ed)?|prevent(?:s|ed)?|allow(?:s|ed)?"
    r"|handle[sd]?|introduce[sd]?|implement(?:s|ed)?|resolve[sd]?|correct(?:s|ed)?|work ?around|better|increase[sd]?|raise[sd]?"
    r"|修复|新增|支持|移除|更新|优化|解决|改进|增加|调整)(?:\b|(?<=[\u4e00-\u9fff]))",
    _IGNORE_CASE,
)
_REFERENCE = Pattern(r"\(#[0-9]{1,7}\)|\[#[0-9]{1,7}\]|\bby @\w|#[0-9]{2,7}\)?\.?$|/(?:pull|issues)/[0-9]{1,7}\)")

# Headings without marks of the notes of a release or of a page for help; two of them make one.
_RELEASE_HEADING = Pattern(
    r"(?:bug ?fixes|fixed issues|known issues|resolved issues|release highlights|new features|key features(?: and enhancements)?"
    r"|breaking changes|deprecations|symptoms?|possible causes|root causes?|work-?arounds?|version compatibility|official documentation)"
    r"\s*:?\s*$",
    _IGNORE_CASE,
)
_RELEASE_WORDS = (
    "ug Fixes\n",
    "ixed Issues\n",
    "esolved Issues\n",
    "ug fixes\n",
    "ixed issues\n",
    "nown Issues\n",
    "nown issues\n",
    "ible Causes\n",
    "oot Cause\n",
    "orkarounds\n",
)

# documentation
_DOC_HEADING = Pattern(
    r"(?:#{1,6} |\*\*)?(?:[0-9][.0-9]{0,6} )?(?:install(?:ation|ing)?|usage|(?:getting|get) started|quick ?start|requirements|features"
    r"|what it (?:is|means)|why it matters|how to (?:monitor|fix|detect|diagnose|prevent|recover)(?: it)?|(?:possible|common) causes"
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
    r"(?:#{1,3} )?(?:run|play)book\b|Overview\s*$|#{1,6} what (?:is|are) (?:an? |the )?[\w-]+\?\s*$"
    r"|#{1,2} (?:how to (?:fix|solve|resolve)|fixing|solving|resolving|troubleshooting|debugging) \w.{0,60}"
    r"\b(?:errors|issues|failures|problems|crashes)\b"
    r"|#{1,2} (?:.{0,60} )?(?:common errors(?: (?:&|and) (?:fixes|solutions))?|cheat ?sheet|reference card"
    r"|troubleshooting (?:guide|tips|notes|steps)|debugging guide)\s*$"
    r"|#{1,2} (?!.*(?:不|没|错误的|问题在)).{0,40}(?:指南|教程|手册|速查表?)\s*$"
    r"|#{1,2} .{2,60}(?:分析|排查|定位|原因)(?:与|和|及|以及)(?:修复|解决|处理|优化)(?:方案|方法|办法|总结|记录|建议)?\s*$",
    _IGNORE_CASE,
)
# In the head of a page that answers anybody; templates of issues ask nothing there.
_ASKING_TITLE = Pattern(
    r"title: [\"']?(?:How (?:to|can|do|does)|Why (?:am|are|is|does|do|did)|What (?:is|are|causes?))\b.{8,300}\?[\"']?\s*$"
)
# How an article or an answer opens what it says to anybody.
_OPENING = Pattern(
    r"\b[Hh]ere(?:'s|\u2019s| is) how (?:to|you can) (?:address|avoid|deal|fix|free|handle|prevent|resolve|solve|troubleshoot)\b"
    r"|\b[Hh]ere are (?:some|a few|several|[0-9]{1,2}) (?:\w+ ){0,3}(?:causes|solutions|fixes|ways|methods|tips)\b"
    r"|\b[Tt]his (?:\w+ )?(?:guide|article|post|tutorial) (?:\w+ )?"
    r"(?:covers?|shows?|explains?|walks?|delves?|describes?|explores?|will)\b"
    r"|\b[Ii]n this (?:\w+ )?(?:guide|article|post|blog)\b"
    r"|\b(?:[0-9]{1,2}|several|some) (?:proven|simple|easy|effective|practical) (?:fixes|methods|ways|solutions|steps)\b"
    r"|本文(?:将|介绍|总结|主要|详细|分享|记录)"
    r"|以下是(?:一些|几[种个])?(?:常见|可能)?的?(?:原因|解决(?:方案|方法|办法))|(?:下面|接下来)(?:介绍|总结|给出)",
)
_OPENINGS = (
    "ere's how", "ere\u2019s how", "ere is how", "ere are ", "uide ", "rticle", "his post", "his tut", "his blog", "proven ", "simple ",
    "easy ", "effective ", "practical ", "本文", "以下是", "介绍", "总结", "给出",
)  # fmt: skip
_REFERENCE_HEADING = Pattern(r"\W{0,8}(?:environment variables|parameters|returns|raises|options)\b", _IGNORE_CASE)
_MARKUP = Pattern(
    r"\.\. (?:_|[\w-]{2,40}::)|\[!\[|<a name=|\[\^\w{1,40}\]:|:(?:align|header-rows|widths|maxdepth|hidden):|<Tip|- \[.{1,200}\]\(#"
)
_ROLE = Pattern(r":(?:ref|doc|class|func|meth|envvar|attr|mod|code|term|issue|pr):`")
_UNDERLINE = Pattern(r"([=~^\"*+#-])\1{3,}\s*$")
_KEY = Pattern(r"[a-z][\w-]{0,40}: ?\S")
_KEYS_OF_ISSUES = ("about: ", "labels: ", "assignees:", "assignee:")
_UNTICKED = Pattern(r"\s{0,4}[-*] \[ \] ")
_MARKDOWN_HEADING = Pattern(r"#{1,6} \w(?!.{0,80}: [0-9])")  # not what counts: "# GPU blocks: 229"
_ITEM = Pattern(r"(?:[-*+]|[0-9]{1,2}[.)]|#{1,6})? {0,3}(?:\*\*[^*]{3,300}\*\*|(?<=[-*+.)] )`[^`]{3,200}`(?=\s?[:：—-]))[:：.]?")
_ADVICE = Gated(
    r"\b[Yy]ou (?:can|may|might|should|must|need|could|want|have to)\b|`[^`]{3,300}` (?:means|indicates|says that|is raised"
    r"|is printed)\b|\b(?:usually|typically|generally|often|prevents|preventing)\b"
    r"|\b(?:may|might|can|could|must|should) (?:be|come|not|cause|lead|result|happen|occur|fail|hang|indicate|need|also|deadlock|require)\b"
    r"|往往|莫过于|本文|可以(?!用|跑)|建议|请(?:注意|检查|确认|确保|使用|参考|安装|设置|减小|降低|升级|先)|一般是|说明"
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
_PERSON = Gated(
    r"\b(?:I|I'm|I've|I'd|I'll|[Mm]y|[Mm]e|[Mm]ine|im|i)\b(?![=:./_(\[`'\"*-])|\b[Ww]e (?:get|got|saw|encounter(?:ed)?|hit|run into"
    r"|ran into|noticed|tried|have tried|are (?:seeing|getting|running|using|trying|facing|hitting|unable))\b"
    r"|\b[Oo]ur (?:cluster|machines?|servers?|nodes?|setup)\b"
    r"|\b(?:[Tt]hanks?|[Tt]hank you|any (?:help|idea|suggestion|advice)|[Pp]lease help|help me|anyone)\b"
    r"|我(?!们提供|们建议|们推荐)|请问|请教|想问|求助|谢谢|大佬|怎么(?:办|解决|回事)|如何解决|是什么原因|为什么|有没有人"
)
_QUESTION = Pattern(r"[?？]\s*$")
_REPORT_HEADING = Pattern(
    r"\[(?:bug|question|issue|help)\]|bug: |[0-9][.)] see (?:the )?error|(?:#{1,6} |\*\*)(?:\W{1,4} ?)?(?:describe the (?:bug|issue"
    r"|problem)|to reproduce|(?:how|steps?) to reproduce|steps|(?:minimal )?repro(?:duc\w*)?\b.{0,40}"
    r"|(?:expected|actual|current) (?:behaviou?r|results?)|(?:question|detailed) description(?: of the problem)?|reminder"
    r"|your current environment|system info\w*|(?:relevant )?log output|error (?:message|log|output)s?|stack ?trace|traceback"
    r"|who can help.{0,3}|bug description|(?:issue|problem) description|what happened.{0,3}|root cause"
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
_SHOWN = Pattern(r"[:\uff1a] ?[`*\"]{0,3}[A-Z]\w{2,40}(?:Error|Exception): ")
_MEASURED = Pattern(r"[0-9] ?[KMGT]i?B\b")


# Python's and C++'s own words on their way out.
_PRINTED = (
    '  File "', "Traceback (most recent call last)", "terminate called ", "  what():", "Aborted (core dumped)", "Segmentation fault (",
)  # fmt: skip


def mark_documents(lines: list[Line], has: Callable[[str], bool]) -> None:
    """Give the role 'document' to the lines of documents. `has` tells whether a string occurs in the input at all."""
    _history(lines, has)
    if has("test") or has("Test") or has(" ] "):
        as_document([line for line in lines if _short(line) and _TEST.match(line.text)])
    if has("- ") or has("* ") or has("• ") or has("1. "):
        _changelogs(lines)
    if any(map(has, _RELEASE_WORDS)):
        _release(lines)
    if lines and lines[0].text.startswith(("--- name: ", "--- title: ", "--- description: ")):
        as_document(lines[:1])  # the head of a page, in one line
    if len(lines) <= _MANY_LINES and _may_be_documentation(lines, has):
        _documentation(lines)
    if len(lines) <= _MANY_LINES and any(map(has, _OPENINGS)):
        _article(lines)


def _short(line: Line) -> bool:
    return len(line.text) <= _LONG


# version history


def _history(lines: list[Line], has: Callable[[str], bool]) -> None:
    """Commits and their messages, and what git says while it moves them."""
    if has("commit ") and has("Author: "):
        _commits(lines)
    if has("git ") or has("grep ") or has("rg ") or has("ag "):
        _searched(lines)
    speaks = any(map(has, _GIT_WORDS))
    run: list[Line] = []
    for line in lines:
        if _short(line) and ((_names_commit(line.text) and _ONE_LINE.match(line.text)) or (run and _NEXT_LINE.match(line.text))):
            run.append(line)
            continue
        if len(run) >= 2:
            as_document(run)
        run = []
        if speaks and _short(line) and _GIT_SAYS.match(line.text):
            as_document([line])
    if len(run) >= 2:
        as_document(run)
    if any(map(has, ("-by: ", "-By: ", "Generated with [", "Differential Revision: ", "From "))):
        _messages(lines)
    changed = any(line.role == "diff" for line in lines)
    if lines and not changed and len(lines[0].text) <= _TITLE and _TITLED.match(lines[0].text):
        changed = any(_short(line) and _CHANGED_FILE.match(line.text) for line in lines)
    if lines and not any(map(_is_printed, lines)):
        if _titles_a_change(lines[0].text, changed) and not any(map(_tells_of_a_person, lines)):
            as_document(lines)  # a commit or what is proposed as one
        elif _PROPOSED.match(lines[0].text) and "Error: " not in lines[0].text:  # forms of issues are chosen wrongly
            as_document([line for line in lines if not ERROR_LINE.match(line.text)])
    if any(map(has, _REFERENCES)) and any(_short(line) and _PULL_REQUEST.match(line.text) for line in lines[:_MANY_LINES]):
        as_document(_not_printed(lines))


def _not_printed(lines: list[Line]) -> list[Line]:
    """What no program printed. What a traceback raised counts as printed where a person says that they met it."""
    person = any(map(_tells_of_a_person, lines))
    said = []
    traced = False
    for line in lines:
        frame = line.text.startswith(' File "')  # of a traceback whose indentation was lost
        printed = _is_printed(line) or (person and (frame or (traced and ERROR_LINE.match(line.text) is not None)))
        traced = printed and line.prefix is NO_PREFIX
        if not printed:
            said.append(line)
    return said


def _titles_a_change(text: str, changed: bool) -> bool:
    """Whether a first line is the title of a commit, or of what is proposed as one; `changed`: a diff stands below it."""
    if text.removeprefix("# ").startswith(_KINDS) and _CONVENTIONAL.match(text):
        return True
    return len(text) <= _TITLE and (
        (_TITLED.match(text) is not None and (changed or _PURPOSE.match(text) is not None))
        or _BEHAVES.match(text) is not None
        or _TREATS.match(text) is not None
        or _ENDS.match(text[:1].lower() + text[1:]) is not None
    )


def _names_commit(text: str) -> bool:
    """Whether a line begins with what may be a commit's hash, alone or after a word; told without a pattern."""
    words = text[:_GRAPH].lstrip("*|\\/_ ").split(" ", 2)
    return any(len(word) >= 7 and _HEX.issuperset(word) for word in words[:2])


def _commits(lines: list[Line]) -> None:
    """The output of git log: from a commit and its author to what no commit holds."""
    inside = False
    for index, line in enumerate(lines):
        text = line.text
        if _COMMIT.match(text) and any(near.text.lstrip("*|\\/ ").startswith("Author: ") for near in lines[index + 1 : index + 4]):
            inside = True
        elif inside and line.role != "diff" and text.strip() and not _COMMIT_HEADER.match(text) and not text.startswith((" ", "|")):
            inside = False
        if inside:
            as_document([line])


def _searched(lines: list[Line]) -> None:
    """What git or a search of the sources printed, up to the next prompt."""
    inside = False
    for line in lines:
        if _SEARCH_COMMAND.match(line.text):
            inside = True
        elif inside and (_PROMPT.match(line.text) or line.prefix is not NO_PREFIX):
            inside = False
        if inside:
            as_document([line])


def _messages(lines: list[Line]) -> None:
    """The message of a commit: all that stands before its trailers, or between the head of a patch and its changes."""
    last = max((index for index, line in enumerate(lines) if _TRAILER.match(line.text)), default=-1)
    if last >= 0 and all(line.prefix is NO_PREFIX for line in lines[: last + 1]):
        as_document(lines[: last + 1])
    inside = False
    for line in lines:
        if _MAIL.match(line.text):
            inside = True
        elif line.text == "---" or line.role == "diff":
            inside = False
        if inside:
            as_document([line])


# changelogs


def _changelogs(lines: list[Line]) -> None:
    """Sections that list changes: below a heading that names a release or a kind of change, items that say what was done."""
    section: list[Line] = []
    head = ""
    for line in lines:
        text = line.text
        if text[:1].strip() and _short(line) and not _BULLET.match(text):
            kind = "version" if _VERSION_HEADING.match(text) else "change" if _CHANGE_HEADING.match(text) else ""
            if kind or text.startswith("#"):
                _changes(section, head)
                section = [line]
                head = kind or ("version" if head and text.startswith("###") else "")
                continue
        section.append(line)
    _changes(section, head)


def _release(lines: list[Line]) -> None:
    """Notes of a release and pages for help whose headings have no marks, where nobody tells of a case and no program printed anything."""
    headings = sum(len(line.text) <= _HEADING and _RELEASE_HEADING.match(line.text) is not None for line in lines)
    if headings >= _FEWEST_HEADINGS and not any(map(_is_printed, lines)) and not any(map(_tells_of_a_person, lines)):
        as_document(lines)


def _changes(section: list[Line], head: str) -> None:
    """Mark a section whose items tell changes: under a heading that says so some, without one nearly all."""
    items = [(line, match) for line in section if _short(line) and line.role in SPOKEN and (match := _BULLET.match(line.text))]
    if not items:
        return
    referred = [line for line, _ in items if _REFERENCE.search(line.text)]
    told = [line for line, match in items if line in referred or _CHANGE.match(line.text[match.end() :])]
    if head == "change" or (head and len(told) >= 0.3 * len(items)):
        as_document([section[0], *_items(section)])
    elif len(items) >= 3 and len(told) >= 0.7 * len(items) and (referred or len(items) >= 0.8 * sum(map(_says, section))):
        as_document([line for line, _ in items])


def _says(line: Line) -> bool:
    return bool(line.text) and not line.text.isspace()


def _items(section: list[Line]) -> list[Line]:
    """The items of a section with what continues them, and its sentences."""
    items = []
    inside = False
    for line in section:
        if _BULLET.match(line.text):
            inside = True
        elif not _says(line):
            continue
        elif not line.text[:1].isspace():
            inside = False
        if inside or (line.role == "prose" and not _tells_of_a_person(line)):
            items.append(line)
    return items


# documentation


def _may_be_documentation(lines: list[Line], has: Callable[[str], bool]) -> bool:
    return any(map(has, (".. ", "\nWhat it ", "\nWhy it ", "ook: "))) or any(
        line.role == "prose" or line.text[:2] in ("# ", "##", "**", "- ", "1.", "==", "--") for line in lines
    )


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
        beginning = text[:_BEGINNING]
        marked = not text[0].isalpha()  # most forms begin with a mark; looking for them in sentences would cost most
        if len(text) <= _HEADING and _HELP_HEADING.match(text):
            self.headed = self.helps = True
            self.score += _ENOUGH
        elif marked and _MAYBE_REPORT_HEADING.match(text):
            self.person += 1
        elif (len(text) <= _HEADING and _DOC_HEADING.match(text)) or (marked and _is_markup(text, above)) or _ROLE.search(beginning):
            self.headed = True
            self.reference = _REFERENCE_HEADING.match(text) is not None
            self.score += 1
        elif marked and (item := _ITEM.match(text)) is not None:
            self.parts += 1
            rest = text[item.end() : item.end() + _BEGINNING].strip()
            if self.reference or _advises(rest[:1].upper() + rest[1:]):
                self.advice.append(line)
        elif marked and _MARKDOWN_HEADING.match(text):
            self.parts += 1
        elif marked and _UNTICKED.match(text):
            self.advice.append(line)
        elif self.helps and _BULLET.match(text):
            self.advice.append(line)  # questions of readers, in their own words
            self.score += _advises(beginning) or _SUPPOSITION.search(beginning) is not None
        elif _advises(beginning) and _advises(_without_message(beginning)):
            self.advice.append(line)
            self.score += 1
            self.person += _PERSON.search(beginning) is not None
        else:
            supposes = _SUPPOSITION.search(beginning) is not None
            self.score += supposes
            self.person += _PERSON.search(beginning) is not None or (not supposes and _QUESTION.search(text) is not None)

    @property
    def is_documentation(self) -> bool:
        """Whether the text as a whole is documentation."""
        score = self.score + self.parts // 3
        formed = self.headed or self.parts > 0
        return formed and score >= _ENOUGH and (self.helps or bool(self.advice)) and 3 * self.person <= score


def _documentation(lines: list[Line]) -> None:
    """A whole text that tells its reader what to do; or single sentences of that kind where nobody reports anything."""
    spoken = [line for line in lines if _says(line) and _short(line) and line.role not in ("code", "diff")]
    said = _said(spoken)
    printed = len(spoken) - len(said)
    if printed > 0.3 * len(spoken):
        return
    tally = _Tally()
    above = ""
    page = _has_front_matter(lines)
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
    titled = page or _PAGE_TITLE.match(lines[0].text[:_BEGINNING])
    published = page and not printed and any(line.text.startswith("date: ") for line in lines[1:20])  # authors speak of themselves
    if published or (titled and not any(map(_tells_of_a_person, said))):
        as_document(lines)
        return
    formed = tally.headed or tally.parts > 0
    if formed and not tally.person and not printed:  # notes of a project: what once failed is told in passing, in quotes
        as_document([line for line in said if _SAID_TO_FAIL.search(line.text[: 2 * _BEGINNING]) and not ERROR_LINE.match(line.text)])
    if tally.is_documentation:
        as_document(lines)
    elif not tally.person and not printed and len(tally.advice) >= (1 if formed else 2):
        told = [line for line in tally.advice if line.role == "prose" or is_list_item(line.text) or (formed and _is_sentence(line.text))]
        as_document(told)


def _said(spoken: list[Line]) -> list[Line]:
    """What no program printed, nor a terminal cut off what one did: lines as long as the printed one before them."""
    said = []
    width = 0  # of what was printed last, while lines go on at it
    for line in spoken:
        if _is_printed(line):
            width = len(line.raw)
        elif width < _WRAPPED or abs(len(line.raw) - width) > _UNEVEN:
            width = 0
            said.append(line)
    return said


def _article(lines: list[Line]) -> None:
    """A whole text that opens as articles do, where nobody tells of a case, asks or fills in a form, and no program printed anything."""
    said = [line for line in lines if _says(line) and _short(line)]
    if any(map(_is_printed, said)) or any(
        _tells_of_a_person(line) or _QUESTION.search(line.text) or (line.text[0] in "[#*B0123456789" and _REPORT_HEADING.match(line.text))
        for line in said
    ):
        return
    if any(_OPENING.search(line.text[:_BEGINNING]) for line in said if line.role not in ("code", "diff")):
        as_document(lines)


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


def _is_printed(line: Line) -> bool:
    """Whether a program printed a line: it has the prefix of one, or belongs to a traceback."""
    return line.prefix is not NO_PREFIX or line.role == "source" or line.text.startswith(_PRINTED)


def _tells_of_a_person(line: Line) -> bool:
    return _PERSON.search(line.text[:_BEGINNING]) is not None


def _advises(text: str) -> bool:
    return _ADVICE.search(text) is not None or _INSTRUCTION.match(text) is not None


def _without_message(text: str) -> str:
    """What is said before a message that is shown behind a colon, which may advise whoever meets it: "报错：ValueError: You need …"."""
    shown = _SHOWN.search(text)
    return text[: shown.start()] if shown else text


def _is_sentence(text: str) -> bool:
    return looks_like_prose(text) > NONE and not ERROR_LINE.match(text) and not _MEASURED.search(text)


def _is_markup(text: str, above: str) -> bool:
    """Whether a line is markup that only documentation has, or underlines the title above it."""
    if _MARKUP.match(text):
        return True
    alike = abs(len(text.rstrip()) - len(above.rstrip())) <= 2
    return alike and above[:1].isalpha() and len(above) <= 80 and _UNDERLINE.match(text) is not None
