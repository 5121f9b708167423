"""What the first line says of the rest of a text: a change that was made or is proposed, or a wish.

Their lines get the role 'document'.
"""

from __future__ import annotations

import itertools

from triage.reading.kinds.verbs import CHANGING, MENDING
from triage.reading.lazy import Pattern
from triage.reading.log import Line, as_document
from triage.reading.prose import ERROR_LINE, is_printed, is_short, looks_like_prose, not_printed, says, tells_of_a_person

_IGNORE_CASE = 2
_TITLE, _LONGEST_TITLE = 120, 240  # characters of the title of a change
# not "build: 3432 (45f2c19c)", which llama.cpp prints
_CONVENTIONAL = Pattern(
    r"(?:# )?(?:\[[\w ./-]{1,30}\] ?){0,2}"
    r"(?:feat|fix|docs?|chore|refactor|perf|test|tests|ci|build|style|revert)(?:\([\w ./,*-]{1,40}\))?!?: (?![0-9]+ \()\S"
)
_DOCUMENTS = Pattern(r"(?:# )?docs?\([\w ./,*-]{1,40}\)!?: \S")  # what it shows is shown to readers
# The title of a change without such a kind: what is changed, or why.
_TITLED = Pattern(
    r"(?:# )?(?:\[[\w ./-]{1,30}\] ?){0,3}(?:[\w./-]{2,30}(?: [\w./-]{2,20})?: )?"
    r"(?!\w+ failed\s*$)"  # an operator of that name, as in `ggml_cuda_compute_forward: ADD failed`
    rf"(?:{MENDING})"
    r"(?: [\w`'\",./()=-]{1,40}){1,14}\s*$",
    _IGNORE_CASE,
)
# A title that mends, over a text that says so again: "Fix the build on SM 87", "This fixes error …".
_FIX = Pattern(
    r"(?:# )?(?:\[[\w ./-]{1,30}\] ?){0,3}(?:(?:(?:error|bug|quick|hot|small|proposed) )?fix(?:e[sd])?|resolve[sd]?) (?!.*\bplease\b)",
    _IGNORE_CASE,
)
_FIXES_BELOW = Pattern(
    r"(?:this )?(?:(?:pr|mr|pull request|patch|commit|change) )?(?:fix|(?:fixe|resolve|solve|addresse|close)s)\b"
    r"(?::|\s*$| (?:to |for )?(?:an?|the|this|errors?|\[?issue|\[?#|`|for\b))",
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
# By its tag a report is one, whatever its title calls for.
_REPORTED = Pattern(r"(?:# )?\[(?:bug|help|question|issue|usage|installation|\u6c42\u52a9|\u95ee\u9898)\b", _IGNORE_CASE)
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
# The title of a commit in words of its own; what stands below it is wrapped by hand. A verb in capitals is the level of a log: NCCL WARN.
_IMPERATIVE = Pattern(
    r"(?:[\w./-]{2,30}: |(?-i:[A-Z]{2,6}) )?"
    rf"(?!(?-i:[A-Z]{{2,}})\b)(?:{CHANGING})"
    r"(?! of\b| for\b)(?: \S{1,60}){1,14}(?<![.!?:])\s*$",
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
# A heading of the form that whoever proposes a change fills in.
_CHANGE_FORM = Pattern(
    r"(?:#{1,6} +|\*\*)(?:\W{1,3} ?)?(?:pr (?:types?|changes|category|description|checklist)|types? of changes?|what does this pr do"
    r"|what this pr does|what changes were proposed|how (?:was|has) this (?:change |patch |pr )?(?:been )?tested|merge requirements?"
    r"|description of changes?)\b",
    _IGNORE_CASE,
)
_FEWEST_STEPS = 3  # lines of a message that join as many commits
_PROPOSED = Pattern(
    r"(?:# )?(?:\[(?:rfc|fea|rfe|(?:feature ?)?request|feature|enhancement"
    r"|proposal|roadmap)\]|(?:rfc|feature requests?|proposal|roadmap):)[ :]"
    r"|(?:# )?(?:ability|option|possibility|a way) to \w"
    r"|(?:# )?document (?:an?|the|how|known|that|why) \w|(?:# )?document (?:[\w-]+ ){1,5}(?:errors?|failures?|issues?|crash(?:es)?)\s*$"
    r"|(?:# )?(?:we|it|you) (?:need to|should|could|must) (?:add|describe|document|explain|mention|provide) \w",
    _IGNORE_CASE,
)
# The heading that forges' forms give to a wish.
_PITCH = Pattern(
    r"(?:#{1,4} |\*\*)(?:\W{1,3} ?)?(?:the feature, motivation and pitch|feature request|motivation and pitch"
    r"|what is the goal of this request|who will benefit from this feature"
    r"|is your feature request related to an? \w)",
    _IGNORE_CASE,
)
_HEAD = 6  # lines in which it stands
# A title about the words of a message, a code or a page of documentation, which shall be better or are wrong: no failure, but what
# is told of one.
_WORDS = (
    r"(?:(?:error|warning|failure|exception|log|oom|diagnostic|debug)[ -])?"
    r"(?:messages?|msgs?|descriptions?|codes?|texts?|hints?|logging|reporting|printing|diagnostics?|docs?|docstrings?|documentation)"
)
_ABOUT_WORDS = Pattern(
    r"(?:# )?(?:\[[\w ./-]{1,30}\] ?){0,3}(?:"
    r"(?:better|clarify|clean up|clearer|correct|customi[sz]e|edit|enhance|extend|fix|improve|locali[sz]e"
    r"|(?:more|less)(?: \w+)?|polish|refactor"
    r"|refine|rephrase|reword|rewrite|shorten|translate|unify|update|(?:tweak|change)) (?:[\w./()'\"`-]{1,30} ){0,6}?" + _WORDS + r"\b(?!:)"
    r"|(?:wrong|incorrect|misleading|confusing|cryptic|unclear|unhelpful|inaccurate|missing|outdated|opaque|poor|uninformative|useless"
    r"|vague)"
    r" (?:[\w./()'\"`-]{1,30} ){0,5}?" + _WORDS + r"\b(?!:)"
    r"|.{0,80}\b" + _WORDS + r" (?:\w+ ){0,4}?(?:is|are|was|were) (?:(?:too|very|quite|really|so|not|always) ){0,3}"
    r"(?:hard to (?:understand|read)|unclear|confusing|misleading|cryptic|unhelpful|vague|wrong|incorrect|outdated|missing|clear|helpful"
    r"|informative|useful|descriptive|generic)\b"
    # what a page of documentation shall say of it
    r"|(?:[\w./-]{2,30}: )?(?:add|create|write|include) (?:an? |some |the |more )?(?:[\w-]{2,20} ){0,3}?(?:notes?|sections?|entry|entries"
    r"|pages?|paragraphs?|faqs?|guides?|hints?|tips?|docs?|documentation|troubleshooting)"
    r" (?:about|concerning|for|how|of|on|regarding|to|what|when|why)\b(?!.*[.!?]\s+\S)"
    r"|(?:tell|show|print|include|log|mention|report|expose|display) (?:[\w./()'\"`-]{1,30} ){1,8}?(?:when|if|on|in|after)"
    r" [\w./()'\"`-]{1,40}(?: [\w./()'\"`-]{1,40}){0,7}(?<!failed)\s*$"
    r")",
    _IGNORE_CASE,
)
# The same about the code that a function gives instead of another.
_CODE = (
    r"`?(?:(?:\w+\.)?(?:CUDA|HIP|NVML|NVRTC|VK|CL|CU\w{2,8}|HIP\w{2,8}|UR_RESULT|ZE_RESULT)_(?:ERROR|STATUS)_\w+"
    r"|(?:cuda|hip|nccl)\w*Error\w*)`?"
)
_ABOUT_CODES = Pattern(
    r"(?:# )?.{0,120}\b(?:returns?|returning|reports?|emits?|gives?|maps? to|translates? to)\b.{0,40}?"
    + _CODE
    + r".{0,40}? (?:instead of|rather than|not) "
    r"(?!\w*success)" + _CODE,
    _IGNORE_CASE,
)
_KINDS = ("feat", "fix", "doc", "chore", "refactor", "perf", "test", "ci", "build", "style", "revert")


def mark_titled(lines: list[Line]) -> None:
    """Mark what the first line says of the rest: a change with its reasons, or what is proposed as one."""
    if not lines:
        return
    title = lines[0].text
    changed = any(line.role == "diff" for line in lines)
    if not changed and len(title) <= _TITLE and _TITLED.match(title):
        changed = any(is_short(line) and _CHANGED_FILE.match(line.text) for line in lines)
    if _is_made(lines, title) or _DOCUMENTS.match(title):
        as_document(lines)  # who made the change may tell of themselves, and show the log that it repairs
    elif not any(map(is_printed, lines)):
        if _titles_a_change(title, changed) and not any(map(tells_of_a_person, lines)):
            as_document(lines)  # a commit or what is proposed as one
        elif _mends(lines, title) and not any("?" in line.text or "？" in line.text for line in lines):
            as_document(lines[:1] if _shows_alone(lines[1:]) else lines)
        elif _is_wished(lines, title):
            as_document(_wished(lines))
        elif _is_about_words(title) and not any(map(tells_of_a_person, lines)):
            as_document(_in_words(lines))
    elif _names_a_kind(title):
        as_document(not_printed(lines[:1]))


def _is_wished(lines: list[Line], title: str) -> bool:
    """Whether a text wishes for something, by its title or the form that it fills in."""
    if _PROPOSED.match(title) and "Error: " not in title:  # forms of issues are chosen wrongly
        return True
    return any(_PITCH.match(line.text) for line in lines[:_HEAD] if line.text.startswith(("#", "**")))


def _is_about_words(title: str) -> bool:
    """Whether a title is about what is told of failures, and asks nothing."""
    if len(title) > _LONGEST_TITLE or ERROR_LINE.match(title) or title.rstrip().endswith(("?", "\uff1f")):
        return False
    return _ABOUT_WORDS.match(title) is not None or _ABOUT_CODES.match(title) is not None


def _in_words(lines: list[Line]) -> list[Line]:
    """The title, and what is said below it; only the title where something is shown there, which may have been met."""
    if any(line.text.rstrip().endswith((":", "\uff1a")) or "```" in line.text for line in lines[1:]):
        return lines[:1]
    said = [line for line in lines[1:] if line.role == "prose" or looks_like_prose(line.text)]
    return [lines[0], *(line for line in said if not ERROR_LINE.match(line.text))]


def _wished(lines: list[Line]) -> list[Line]:
    """What is said in a proposal: not the message of an error, nor what somebody shows who tells why they wish for it."""
    told = any(map(tells_of_a_person, lines)) and any(line.role == "prose" and "```" in line.text for line in lines)
    return [line for line in lines if not ERROR_LINE.match(line.text) and not (told and line.role == "output")]


def _mends(lines: list[Line], title: str) -> bool:
    """Whether a title tells that something is mended, by its words or because it calls for that and nothing stands below it."""
    if _REPORTED.match(title):
        return False
    if _MENDS.match(title):
        return True
    if _DID.match(title):
        return not any(map(tells_of_a_person, lines))
    return len(title) <= _TITLE and _TITLED.match(title) is not None and not any(line.text.strip() for line in lines[1:])


def _shows_alone(below: list[Line]) -> bool:
    """Whether nothing but the message of an error stands below a title: it was met."""
    shown = [line for line in below if line.text.strip()]
    if not shown or not ERROR_LINE.match(shown[0].text):
        return False
    return all(ERROR_LINE.match(line.text) or not (line.role == "prose" or looks_like_prose(line.text)) for line in shown)


def _is_made(lines: list[Line], title: str) -> bool:
    """Whether a text is the message of a change that was made, with whatever log it repairs: reports have other titles."""
    title = title.removeprefix("# ")
    if len(title) > _LONGEST_TITLE or ERROR_LINE.match(title) or "?" in title or "？" in title:
        return False
    if any(form.match(title) for form in (_MERGED, _ONE_FILE, _RAISED, _FIXING)):
        return True
    if any(line.text[:1] in "#*" and _CHANGE_FORM.match(line.text) for line in lines[1:]):
        return not any(is_printed(line) or ERROR_LINE.match(line.text) for line in lines)
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


def changes_something(title: str) -> bool:
    """Whether a line alone would do as the title of a commit."""
    return _names_a_kind(title) or _IMPERATIVE.match(title) is not None
