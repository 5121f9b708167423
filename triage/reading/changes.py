"""What tells of changes that were made: version history, pull requests, changelogs, the notes of a release.

Their lines get the role 'document', in which no signature counts; what a program printed among them keeps its own.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

from triage.reading.lazy import Pattern
from triage.reading.log import NO_PREFIX, SPOKEN, Line, as_document
from triage.reading.prose import BULLET, ERROR_LINE, LONGEST_HEADING, MANY_LINES, is_printed, is_short, says, tells_of_a_person

_IGNORE_CASE = 2
_TITLE, _LONGEST_TITLE = 120, 240  # characters of the title of a change
_FEWEST_HEADINGS = 2  # of the notes of a release
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
    r"(?:Signed-off-by|Reviewed-by|Acked-by|Tested-by|[Cc]o-[Aa]uthored-[Bb]y|Differential Revision|Former-commit-id): \S"
    r"|\W{0,4}Generated with \[\w"
)
_CONVENTIONAL = Pattern(
    r"(?:# )?(?:\[[\w ./-]{1,30}\] ?){0,2}"
    r"(?:feat|fix|docs?|chore|refactor|perf|test|tests|ci|build|style|revert)(?:\([\w ./,*-]{1,40}\))?!?: \S"
)
# The title of a change without such a kind: what is changed, or why.
_TITLED = Pattern(
    r"(?:# )?(?:\[[\w ./-]{1,30}\] ?){0,3}(?:[\w./-]{2,30}(?: [\w./-]{2,20})?: )?"
    r"(?!\w+ failed\s*$)"  # an operator of that name, as in `ggml_cuda_compute_forward: ADD failed`
    r"(?:add|allow|avoid|bump|decrease|detect|disable|enable|fix|guard|handle|improve|increase|limit|lower|make(?= (?:an?|it|sure|the) )"
    r"|prevent|raise|reduce|remove|skip|update|use)"
    r"(?: [\w`'\",./()=-]{1,40}){1,14}\s*$",
    _IGNORE_CASE,
)
# A title that mends, over a text that says so again: "Fix the build on SM 87", "This fixes error …".
_FIX = Pattern(r"(?:# )?(?:\[[\w ./-]{1,30}\] ?){0,3}(?:fix(?:e[sd])?|resolve[sd]?) (?!.*\bplease\b)", _IGNORE_CASE)
_FIXES_BELOW = Pattern(
    r"(?:this )?(?:(?:pr|mr|pull request|patch|commit|change) )?(?:fix|(?:fixe|resolve|solve|addresse|close)s)\b"
    r"(?::|\s*$| (?:an?|the|this|errors?|issue|#|`))",
    _IGNORE_CASE,
)
_PURPOSE = Pattern(
    r".{0,200}(?:\b(?:to|and)|,) (?:avoid|prevent|reduce|fix|handle|survive)\b|(?:# )?(?:\[[\w ./-]{1,30}\] ?)?[\w./-]{2,30}: ",
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
# What a program shall do with an error, by the name of its class or in words.
_TREATS = Pattern(
    r"(?:# )?(?:\[[\w ./-]{1,30}\] ?){0,3}(?:(?:better|gracefully|properly|try to) )?"
    r"(?:align|catch|convert|detect|expose|handle|ignore|map|propagate|recover(?: gracefull?y)? from|rename|re-?raise|suppress|swallow"
    r"|wrap)"
    r"(?: [\w`./()+-]{1,40}){0,6}? `?(?:[\w.]*(?:Error|Exception)s?\b`?|(?:out[- ]of[- ]memory|oom|nccl|cuda) (?:errors|failures|crashes))"
    r"(?: [\w`./()+-]{1,40}){0,8}\s*$",
    _IGNORE_CASE,
)
# The title of a change that was merged ends with its number, as the forge writes it.
_MERGED = Pattern(r"\S.{0,160} \(#[0-9]{1,7}\)\s*$")
# The title of a change that names the error it ends and where.
_ENDS = Pattern(
    r"(?:# )?(?:\[[\w ./-]{1,30}\] ?){0,3}fix(?:ed|es)? (?:an? |the |some |potential |rare )?`?\w*(?:Error|ERROR|STATUS)_?[A-Z]\w+`?"
    r"(?: errors?| crash(?:es)?| failures?)? (?:at|by|caused by|during|for|in|of|on|when|with) \S.{0,100}$"
)
# The title of a change that says of an error that it is mended; who asks how to mend it asks.
_MENDS = Pattern(
    r"(?:# )?(?:\[[\w ./-]{1,30}\] ?){0,3}fix(?:ed|es)? (?:an? |the |some |all )?(?:problems?|issues?|bugs?|crash(?:es)?)"
    r" (?:about|caused by|for|in|of|on|when|where|with) \S.{0,120}$"
    r"|(?:# )?(?:\[[\w ./-]{1,30}\] ?){0,3}fix(?:ed|es)? (?:an? |the )?(?:errors? )?(?P<quote>['\"`]).{8,120}(?P=quote)[.!]?\s*$",
    _IGNORE_CASE,
)
# What a change, or a note on one, says that it did.
_DID = Pattern(
    r"(?:# )?(?:\[[\w ./-]{1,30}\] ?){0,3}"
    r"(?:fixe[ds]|resolve[ds]|solve[ds]|worked around|prevent(?:ed|s)):? (?!by\b|with\b|[0-9])\S.{2,120}$",
    _IGNORE_CASE,
)
# The title of a change to one file, as forges propose it.
_ONE_FILE = Pattern(r"(?:Add|Create|Delete|Rename|Update) [\w./-]{1,60}\.[a-z]{1,5}\s*$")
# The same of one that raises a release.
_RAISED = Pattern(r"(?:[\w()/ -]{1,30}: )?bumps? \S{2,120} from v?[0-9]\S{0,40} to v?[0-9]", _IGNORE_CASE)
_FIXING = Pattern(r"fix(?:e[ds]|ing)? .{3,160}? (?:for|from|in|of|see) (?:issue )?#[0-9]{1,6}\.?\s*$", _IGNORE_CASE)
_SCOPED = Pattern(r"(?:\[[\w ./-]{1,30}\] ?)?(?:feat|fix|docs?|chore|refactor|perf|test|ci|build|style|revert)\([\w ./,*-]{1,40}\)!?: \S")
# The title of a commit in words of its own; what stands below it is wrapped by hand.
_IMPERATIVE = Pattern(
    r"(?:[\w./-]{2,30}: )?(?:add|allow|avoid|bump|catch|clear|decrease|detect|disable|document|drop|enable|ensure|expose|fix|guard|handle"
    r"|implement|improve|include|increase|initiali[sz]e|introduce|keep|key|lower|make|mark|merge|move|pass|pin|prevent|propagate|provide"
    r"|queue|raise|reduce|refactor|remove|rename|replace|reset|restore|revert|select|simplify|skip|split|stop|support|switch|synchroni[sz]e"
    r"|tag"
    r"|treat|update|use|verify|warn|wire|wrap)(?! of\b| for\b)(?: \S{1,60}){1,14}(?<![.!?:])\s*$",
    _IGNORE_CASE,
)
_FAILS = Pattern(r".*\b(?:fail(?:s|ed|ing|ure)?|crash(?:es|ed|ing)?|broken|does(?: not|n't) work|not working)\s*$|make -", _IGNORE_CASE)
_SPEAKER = Pattern(r"\b(?:I|I'm|I've|[Mm]y|[Tt]hanks|[Hh]elp me|[Aa]nyone)\b|\?\s*$")
_COLUMNS = 50, 76  # of a line that is wrapped by hand
# A heading of a report that waits for an answer, whatever its title.
_FORM = Pattern(
    r"#{1,6} +(?:\W{1,3} ?)?(?:(?:steps )?to reproduce|repro|environment|(?:your |current )?system info|expected|actual|what happened)",
    _IGNORE_CASE,
)
_FEWEST_STEPS = 3  # lines of a message that join as many commits
_PROPOSED = Pattern(
    r"(?:# )?(?:\[(?:rfc|fea|rfe|(?:feature ?)?request|feature|enhancement"
    r"|proposal|roadmap)\]|(?:rfc|feature request|proposal|roadmap):)[ :]"
    r"|(?:# )?(?:ability|option|possibility|a way) to \w"
    r"|(?:# )?document (?:an?|the|how|known|that|why) \w|(?:# )?document (?:[\w-]+ ){1,5}(?:errors?|failures?|issues?|crash(?:es)?)\s*$"
    r"|(?:# )?(?:we|it|you) (?:need to|should|could|must) (?:add|describe|document|explain|mention|provide) \w",
    _IGNORE_CASE,
)
# The heading that forges' forms give to a wish.
_PITCH = Pattern(
    r"(?:#{1,4} |\*\*)(?:\W{1,3} ?)?(?:the feature, motivation and pitch|feature request|motivation and pitch"
    r"|is your feature request related to an? \w)",
    _IGNORE_CASE,
)
_HEAD = 6  # lines in which it stands
_KINDS = ("feat", "fix", "doc", "chore", "refactor", "perf", "test", "ci", "build", "style", "revert")
_GRAPH = 60  # characters in which a graph of commits, a word and a hash have room
_HEX = frozenset("0123456789abcdef")
_MAIL = Pattern(r"From [0-9a-f]{40} ")
_PULL_REQUEST = Pattern(
    r"(?:.{8,300}?[a-z0-9/)]\. )?this (?:pr|pull request|patch|commit|mr)(?:\s*:\s*$"
    r"| (?:(?:will )?fix(?:es)?|resolves|adds|implements|enables|allows|updates|refactors|wraps"
    r"|replaces|improves|aims|addresses|contains|lets|skips|switches|solves|corrects|repairs)\b)"
    r"|this (?:fixes (?:an?|the)|reverts commit) \w"
    r"|(?:fix(?:es)?|closes|resolves) https://github\.com/[\w./-]{1,100}/(?:issues|pull)/[0-9]"
    r"|(?:this (?:pr|pull request|patch|commit) )?(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?) (?:[\w./-]{1,80})?#[0-9]{1,7}\b"
    r"|#{1,6} (?:\W{1,4} ?)?(?:what does this pr do|what changes were proposed in this pull request|test plan|type of change"
    r"|motivation and context"
    r"|what (?:type of pr is (?:it|this)|is this pr for|this pr does)|pr (?:docs|apis|description|type)"
    r"|how (?:was|has|were) (?:it|this(?: patch| pr)?|these changes)(?: been)? tested"
    r"|checklist before (?:creating|requesting))\b.*$"
    r"|- \[[ x]\] (?:i have (?:added|made corresponding|performed a self|commented my))\b"
    r"|- \[[ x]\] (?:my (?:code follows|changes generate)|new and existing)\b"
    r"|#{1,6} (?:summary by coderabbit|what changed|changes made|what this changes)\s*$"
    r"|#{1,6} (?:\W{1,4} ?)?(?:pr summary|key changes|purpose (?:&|and) impact)\s*$"
    r"|\W{0,5}(?:before|after) this (?:pr|pull request|patch|change)\W*$"
    r"|(?:summary of (?:the |this |these )?changes?|type of change)\s?: \S",
    _IGNORE_CASE,
)
# How a change shows the better words of a message: the old one against the new one. A person that expected something has no "just" there.
_REWORDED = Pattern(
    r".{0,80}\binstead of (?:just|only|simply|merely|an? (?:bare|generic|plain|cryptic|vague))\b.{2,160}"
    r"\b(?:you|users|one|we|it) (?:will |now |would )?(?:get|see|read|say|print|show)s?\b",
    _IGNORE_CASE,
)
_OLD_WORDS = Pattern(r"\W{0,4}(?:for (?:example|instance),? )?instead of(?: just| only)?\s?:?\s*$", _IGNORE_CASE)
_NEW_WORDS = Pattern(
    r"\W{0,4}(?:(?:after|with)(?: applying)? this (?:pr|pull request|patch|commit|change)|now|we now|it now|you now|users now)\b.{0,40}"
    r"\b(?:error|message|output|get|see|print|say|show|is|reads?)s?\b.{0,20}:\s*$",
    _IGNORE_CASE,
)
_REFERENCES = (
    "# ", "his PR", "his Pr", "his pr ", "his pr:", "his pull", "his Pull", "his patch", "his Patch", "his commit", "his MR", "his fixes",
    "his reverts", "/issues/", "/pull/", "ummary of ", "ype of change",
    *[f"#{digit}" for digit in "123456789"],
)  # fmt: skip
# changelogs
_VERSION_HEADING = Pattern(
    r"[a-z][a-z0-9.+-]{1,60} \([0-9][^ )]{0,60}\) [\w ,-]{1,60}; urgency="
    r"|(?:#{1,4} )?\[?(?:[\w-]{1,40} )?[vV]?[0-9]{1,4}\.[0-9]{1,4}(?:\.[\w.+-]{1,40})?\]?(?:\([^)]{0,200}\))?(?:[ –—:(（-].{0,60})?$"
)
_CHANGE_HEADING = Pattern(
    r"(?:#{1,5} |\*{1,2})\W{0,4}(?:added|changed?s?|fixe[ds]|removed|deprecated|security|(?:critical |other )?bug ?-?fix(?:es)?|fixed bugs"
    r"|(?:new )?features?|improvements?|enhancements?|breaking(?: changes?)?|highlights|what'?s (?:changed|new)|change ?log"
    r"|release notes?|internal|misc(?:ellaneous)?|maintenance|known issues"
    r"|更新日志|更新内容|更新记录|修复|新增|优化|变更|改进|其他)\b.{0,30}$|(?:#{0,2} ?)(?:change ?log|release notes)\b.{0,60}$",
    _IGNORE_CASE,
)
# Stands above what was raised and above what somebody's environment holds alike.
_EITHER_HEADING = Pattern(r"(?:#{1,5} |\*{1,2})\W{0,4}dependencies\b.{0,30}$", _IGNORE_CASE)
_CHANGE = Pattern(
    r"(?:\[[^\]]{1,60}\](?:\([^)]{0,200}\))?:? *|\*\*[^*]{1,60}\*\*:? *|`?[\w/.&+ -]{1,30}`?: +|\([^)]{1,40}\) *|\W{1,3} ?){0,2}"
    r"(?:fix(?:e[sd])?|add(?:s|ed)?|remove[sd]?|change[sd]?|improve[sd]?|deprecate[sd]?|bump(?:s|ed)?|refactor(?:s|ed)?|revert(?:s|ed)?"
    r"|rename[sd]?|update[sd]?|support(?:s|ed)?|do not|don't|does not|reduce[sd]?|avoid(?:s|ed)?|prevent(?:s|ed)?|allow(?:s|ed)?"
    r"|handle[sd]?|introduce[sd]?|implement(?:s|ed)?|resolve[sd]?|correct(?:s|ed)?|work ?around|better|increase[sd]?|raise[sd]?"
    r"|修复|新增|支持|移除|更新|优化|解决|改进|增加|调整)(?:\b|(?<=[\u4e00-\u9fff]))",
    _IGNORE_CASE,
)
_REFERENCE = Pattern(
    r"\(#[0-9]{1,7}\)|\[#[0-9]{1,7}\]|\bby @\w|#[0-9]{2,7}\)?\.?$|^\s*[-*+] (?:PR )?`?#[0-9]{2,7}\b|/(?:pull|issues)/[0-9]{1,7}\)"
)
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


def mark_changes(lines: list[Line], has: Callable[[str], bool]) -> None:
    """Give the role 'document' to what tells of changes. `has` tells whether a string occurs in the input at all."""
    _history(lines, has)
    if has("- ") or has("* ") or has("• ") or has("1. "):
        _changelogs(lines)
    if any(map(has, _RELEASE_WORDS)):
        _release(lines)


def _history(lines: list[Line], has: Callable[[str], bool]) -> None:
    """Commits and their messages, and what git says while it moves them."""
    if has("commit ") and has("Author: "):
        _commits(lines)
    if has("git ") or has("grep ") or has("rg ") or has("ag "):
        _searched(lines)
    speaks = any(map(has, _GIT_WORDS))
    run: list[Line] = []
    for line in lines:
        if is_short(line) and ((_names_commit(line.text) and _ONE_LINE.match(line.text)) or (run and _NEXT_LINE.match(line.text))):
            run.append(line)
            continue
        if len(run) >= 2:
            as_document(run)
        run = []
        if speaks and is_short(line) and _GIT_SAYS.match(line.text):
            as_document([line])
    if len(run) >= 2:
        as_document(run)
    if any(map(has, ("-by: ", "-By: ", "Generated with [", "Differential Revision: ", "Former-commit-id: ", "From "))):
        _messages(lines)
    if lines:
        _titled(lines, lines[0].text)
    head = lines[:MANY_LINES]
    refers = any(map(has, _REFERENCES)) and any(is_short(line) and _PULL_REQUEST.match(line.text) for line in head)
    if refers or (has("nstead of") and _rewords(head)):
        as_document(_not_printed(lines))


def _rewords(lines: list[Line]) -> bool:
    """Whether a text compares the words of a message before a change with those after it."""
    old = False
    for line in lines:
        if not is_short(line):
            continue
        if _REWORDED.match(line.text) or (old and _NEW_WORDS.match(line.text)):
            return True
        old = old or _OLD_WORDS.match(line.text) is not None
    return False


def _titled(lines: list[Line], title: str) -> None:
    """What the first line says of the rest: a change with its reasons, or what is proposed as one."""
    changed = any(line.role == "diff" for line in lines)
    if not changed and len(title) <= _TITLE and _TITLED.match(title):
        changed = any(is_short(line) and _CHANGED_FILE.match(line.text) for line in lines)
    if _is_made(lines, title):
        as_document(lines)  # who made the change may tell of themselves, and show the log that it repairs
    elif not any(map(is_printed, lines)):
        if _titles_a_change(title, changed) and not any(map(tells_of_a_person, lines)):
            as_document(lines)  # a commit or what is proposed as one
        elif _mends(lines, title) and not any("?" in line.text or "？" in line.text for line in lines):
            as_document(lines)
        elif _is_wished(lines, title):
            as_document(_wished(lines))
    elif _names_a_kind(title):
        as_document(_not_printed(lines[:1]))


def _is_wished(lines: list[Line], title: str) -> bool:
    """Whether a text wishes for something, by its title or the form that it fills in."""
    if _PROPOSED.match(title) and "Error: " not in title:  # forms of issues are chosen wrongly
        return True
    return any(_PITCH.match(line.text) for line in lines[:_HEAD] if line.text.startswith(("#", "**")))


def _wished(lines: list[Line]) -> list[Line]:
    """What is said in a proposal: not the message of an error, nor what somebody shows who tells why they wish for it."""
    told = any(map(tells_of_a_person, lines)) and any(line.role == "prose" and "```" in line.text for line in lines)
    return [line for line in lines if not ERROR_LINE.match(line.text) and not (told and line.role == "output")]


def _mends(lines: list[Line], title: str) -> bool:
    """Whether a title tells that something is mended, by its words or because it calls for that and nothing stands below it."""
    if _MENDS.match(title):
        return True
    if _DID.match(title):
        return not any(map(tells_of_a_person, lines))
    return len(title) <= _TITLE and _TITLED.match(title) is not None and not any(line.text.strip() for line in lines[1:])


def _is_made(lines: list[Line], title: str) -> bool:
    """Whether a text is the message of a change that was made, with whatever log it repairs: reports have other titles."""
    title = title.removeprefix("# ")
    if len(title) > _LONGEST_TITLE or ERROR_LINE.match(title) or "?" in title or "？" in title:
        return False
    if any(form.match(title) for form in (_MERGED, _ONE_FILE, _RAISED, _FIXING)):
        return True
    if _FIX.match(title) and _FIXES_BELOW.match(next((line.text for line in lines[1:] if says(line)), "")):
        return True
    if _TITLED.match(title):
        steps = [line.text for line in lines[1:] if says(line)]
        if len(steps) >= _FEWEST_STEPS and all(len(text) <= _TITLE and text[-1] not in ".!?:" for text in steps):
            return sum(_TITLED.match(text) is not None for text in steps) >= 0.6 * len(steps)
    if not (_SCOPED.match(title) or (_IMPERATIVE.match(title) and not _FAILS.match(title) and _is_wrapped(lines))):
        return False
    return not any(map(is_printed, lines)) and not any(line.text.startswith("#") and _FORM.match(line.text) for line in lines)


def _is_wrapped(lines: list[Line]) -> bool:
    """Whether a text below its title is wrapped by hand, and nobody speaks of themselves in it or asks."""
    below = [line.text for line in lines[1:]]
    if len(lines) < 4 or below[0].strip() or any(map(_SPEAKER.search, below)):
        return False
    least, most = _COLUMNS
    return max(map(len, below)) <= 2 * most and any(
        least <= len(text) <= most and text[-1] not in ".!?:;" and following.lstrip()[:1].islower()
        for text, following in itertools.pairwise(below)
        if text
    )


def _not_printed(lines: list[Line]) -> list[Line]:
    """What no program printed. What a traceback raised counts as printed where a person says that they met it."""
    person = any(map(tells_of_a_person, lines))
    said = []
    traced = False
    for line in lines:
        frame = line.text.startswith(' File "')  # of a traceback whose indentation was lost
        printed = is_printed(line) or (person and (frame or (traced and ERROR_LINE.match(line.text) is not None)))
        traced = printed and line.prefix is NO_PREFIX
        if not printed:
            said.append(line)
    return said


def _titles_a_change(text: str, changed: bool) -> bool:
    """Whether a first line is the title of a commit, or of what is proposed as one; `changed`: a diff stands below it."""
    return _names_a_kind(text) or (
        len(text) <= _TITLE
        and (
            (_TITLED.match(text) is not None and (changed or _PURPOSE.match(text) is not None))
            or _BEHAVES.match(text) is not None
            or _TREATS.match(text) is not None
            or _ENDS.match(text[:1].lower() + text[1:]) is not None
        )
    )


def _names_a_kind(text: str) -> bool:
    """Whether a first line begins with the kind of a change, as commits are titled by convention."""
    return text.removeprefix("# ").startswith(("[", *_KINDS)) and _CONVENTIONAL.match(text) is not None


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


def _changelogs(lines: list[Line]) -> None:
    """Sections that list changes: below a heading that names a release or a kind of change, items that say what was done."""
    section: list[Line] = []
    head = ""
    for line in lines:
        text = line.text
        if text[:1].strip() and is_short(line) and not BULLET.match(text):
            kind = "change" if _CHANGE_HEADING.match(text) else ""
            if not kind and (_VERSION_HEADING.match(text) or _EITHER_HEADING.match(text)):
                kind = "version"
            if kind or text.startswith("#"):
                _changes(section, head)
                section = [line]
                head = kind or ("version" if head and text.startswith("###") else "")
                continue
        section.append(line)
    _changes(section, head)


def _release(lines: list[Line]) -> None:
    """Notes of a release and pages for help whose headings have no marks, where nobody tells of a case and no program printed anything."""
    headings = sum(len(line.text) <= LONGEST_HEADING and _RELEASE_HEADING.match(line.text) is not None for line in lines)
    if headings >= _FEWEST_HEADINGS and not any(map(is_printed, lines)) and not any(map(tells_of_a_person, lines)):
        as_document(lines)


def _changes(section: list[Line], head: str) -> None:
    """Mark a section whose items tell changes: under a heading that says so some, without one nearly all."""
    items = [(line, match) for line in section if is_short(line) and line.role in SPOKEN and (match := BULLET.match(line.text))]
    if not items:
        return
    referred = [line for line, _ in items if _REFERENCE.search(line.text)]
    told = [line for line, match in items if line in referred or _CHANGE.match(line.text[match.end() :])]
    if head == "change" or (head and len(told) >= 0.3 * len(items)):
        as_document([section[0], *_items(section)])
    elif len(items) >= 3 and len(told) >= 0.7 * len(items) and (referred or len(items) >= 0.8 * sum(map(says, section))):
        as_document([line for line, _ in items])


def _items(section: list[Line]) -> list[Line]:
    """The items of a section with what continues them, and its sentences."""
    items = []
    inside = False
    for line in section:
        if BULLET.match(line.text):
            inside = True
        elif not says(line):
            continue
        elif not line.text[:1].isspace():
            inside = False
        if inside or (line.role == "prose" and not tells_of_a_person(line)):
            items.append(line)
    return items
