"""The description of a change, as forges show it below the title, which need not be there, and as authors wrap it by hand.

Its lines get the role 'document'; what a program printed among them keeps its own.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

from triage.reading.kinds.titles import changes_something
from triage.reading.kinds.verbs import CHANGING
from triage.reading.lazy import Pattern
from triage.reading.log import Line, as_document
from triage.reading.prose import ERROR_LINE, MANY_LINES, is_printed, is_short, not_printed, says, tells_of_a_person

_IGNORE_CASE = 2
_PULL_REQUEST = Pattern(
    r"(?:.{8,300}?[a-z0-9/)]\. )?this (?:pr|pull request|patch|commit|mr)(?:\s*:\s*$"
    r"| (?:(?:will )?fix(?:es)?|resolves|adds|implements|enables|allows|updates|refactors|wraps"
    r"|replaces|improves|aims|addresses|contains|lets|skips|switches|solves|corrects|repairs)\b)"
    r"|this (?:fixes (?:an?|the)|reverts commit) \w"
    r"|(?:fix(?:es)?|closes|resolves) https://github\.com/[\w./-]{1,100}/(?:issues|pull)/[0-9]"
    r"|(?:this (?:pr|pull request|patch|commit) )?(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?) (?:[\w./-]{1,80})?#[0-9]{1,7}\b"
    r"|.{8,300}?[a-z0-9/)`]\. (?:fixes|closes|resolves) (?:[\w./-]{1,80})?#[0-9]{1,7}\.?\s*$"
    r"|#{1,6} (?:\W{1,4} ?)?(?:what does this pr do|what changes were proposed in this pull request|test plan|type of change"
    r"|what changes are included in this pr|are these changes tested|are there any user-facing changes|rationale for this change"
    r"|motivation and context"
    r"|what (?:type of pr is (?:it|this)|is this pr for|this pr does)|pr (?:docs|apis|description|type)"
    r"|how (?:was|has|were) (?:it|this(?: patch| pr)?|these changes)(?: been)? tested"
    r"|checklist before (?:creating|requesting))\b.*$"
    r"|- \[[ x]\] (?:i have (?:added|made corresponding|performed a self|commented my))\b"
    r"|- \[[ x]\] (?:my (?:code follows|changes generate)|new and existing)\b"
    r"|#{2,4} (?:why|how|what|out of scope)\s*$"
    r"|#{1,6} (?:summary by coderabbit|what changed|changes made|what this changes)\s*$"
    r"|#{1,6} (?:\W{1,4} ?)?(?:pr summary|key changes|purpose (?:&|and) impact)\s*$"
    r"|\W{0,5}(?:before|after) this (?:pr|pull request|patch|change)\W*$"
    r"|by submitting this (?:pull request|pr), (?:i|you|we)\b"
    r"|(?:summary of (?:the |this |these )?changes?|type of change)\s?: \S",
    _IGNORE_CASE,
)
# How a change names the matter it belongs to, which who reports one may do as well.
_BELONGS = Pattern(
    r"(?:#{1,6} |\*\*)?(?:relates to|related to|part of|towards?|contributes to|follow[- ]?up (?:to|of)|progress on|refs?:?)"
    r" (?:[\w./-]{1,80})?#[0-9]{1,7}"
    r"[\w\s,.*()]{0,40}$"
    r"|without this(?: (?:change|fix|patch|pr|commit))?, (?:[\w`./-]{1,40} ){1,5}?(?:will|would|crash(?:es)?|fails?|breaks?|ends?|stops)\b",
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
# How a description without its title opens.
_OPENS = Pattern(
    r"(?:[*-] )?this (?:adds|allows|backports|bumps|changes|converts|corrects|drops|enables|ensures|exposes|extends|implements|improves"
    r"|introduces|moves|ports|reduces|refactors|removes|renames|replaces|restores|sets up|simplifies|skips|switches|updates|wires|wraps)\b"
    r"(?! me\b)"
    r"|(?:[*-] )?(?:adds|allows|avoids|bumps|changes|enables|ensures|extends|improves|implements|introduces|makes|moves|prevents|refactors"
    r"|removes|renames|replaces|reverts|skips|switches|updates) [`\w].{8,}",
    _IGNORE_CASE,
)
# What forges and tools for review put below one.
_RECORDED = Pattern(
    r"(?:Pull Request resolved: https://|ghstack-source-id: |fbshipit-source-id: |X-link: https://|Reviewed By: |Approvers:\s*$"
    r"|PiperOrigin-RevId: |Closes:? #[0-9])"
)
_RECORDS = ("equest resolved: ", "-source-id: ", "X-link: ", "Reviewed By: ", "Approvers:", "PiperOrigin-RevId: ")
# Its headings: those that only changes have, and those that reports have as well.
_PART = Pattern(
    r"(?:#{1,6} +|\*\*)\W{0,4}(?:(changes(?: made)?|code changes|modifications?|what changed|tests? run|tests added|test coverage|testing"
    r"|test plan|how tested|scope note|backwards? compatibility|notes? (?:for|to) (?:the )?reviewers?|reviewer notes)"
    r"|summary|description|why|what|how|motivation|problem|background|context|fix|solution|approach|root cause|target|purpose|results?"
    r"|verification|validation)\W*$",
    _IGNORE_CASE,
)
_FEWEST_PARTS = 2
_LONGEST = 300  # lines of a description
# What speaks for one that has neither, where it is wrapped by hand: what shall be done, begun as titles of commits are; how it was
# tested, or that nothing else changes; commits that were joined; and what was and is now, and numbers of others.
_ORDERS = Pattern(rf"(?:[*-] )?(?:[Aa]lso |[Tt]hen )?(?i:{CHANGING})s?(?! (?:you|your|me|my|of|errors?|failed|failure|codes?)\b) [`\w]")
_TESTED = Pattern(
    r"\b[Nn]o (?:behaviou?r(?:al)?|functional) changes?\b|\b[Rr]egression tests?\b|\b[Tt]ests?: [0-9A-Za-z]"
    r"|\b[Aa]dds? (?:an? |the )?(?:[\w-]+ ){0,3}(?:unit |regression )?tests?\b"
)
_JOINED = Pattern(r"[*-] (?!I\b)\S.{8,100}[^.?!:]\s*$")
_THEN_AND_NOW = Pattern(
    r"\b(?:is|are|does|do|can) now\b|\bnow (?:\w+s|\w+ed)\b|\b[Pp]reviously\b|\bno longer\b|\bused to\b|\bso that\b|\binstead of\b"
    r"|\b[Tt]his (?:change|commit|patch|diff|fix)\b|\bthe fix\b|\b[Ff]ix:"
)
_NUMBER = Pattern(r"(?:\bPR ?|\()?#[0-9]{1,7}\b|\breview feedback\b|\b[Ff]ollow-?up\b")
_FEWEST_SIGNS = 2
_FEWEST_JOINED, _OF_CHANGES = 2, 0.5  # commits that were joined to one, and the share of them whose titles change something
_NARROW, _WIDE = 50, 90  # columns of what is wrapped by hand
_FORM = Pattern(
    r"(?:#{1,6} +|\*\*)?\W{0,3}(?:(?:steps )?to reproduce|(?:how|steps) to reproduce|reproduc|repro\b|(?:your |my )?environment"
    r"|(?:your |current )?system info|expected|actual|versions?\b|additional context|what happened|describe the bug|bug description)",
    _IGNORE_CASE,
)


def mark_described(lines: list[Line], has: Callable[[str], bool]) -> None:
    """Mark a text that describes a change. `has` tells whether a string occurs in the input at all."""
    head = lines[:MANY_LINES]
    refers = any(map(has, _REFERENCES)) and any(is_short(line) and _PULL_REQUEST.match(line.text) for line in head)
    belongs = (
        (has("#") or has("ithout this"))
        and changes_something(lines[0].text.removeprefix("# "))
        and any(is_short(line) and _BELONGS.match(line.text) for line in head)
    )
    if refers or belongs or (has("nstead of") and _rewords(head)) or (len(lines) <= _LONGEST and _is_untitled(lines, has)):
        as_document(not_printed(lines))


def _is_untitled(lines: list[Line], has: Callable[[str], bool]) -> bool:
    """Whether a text describes a change by what it opens with, what a tool recorded below it, its headings, or its form."""
    return _opens(lines) or _is_recorded(lines, has) or _has_parts(lines) or _joins_commits(lines) or _is_wrapped_by_hand(lines)


def _opens(lines: list[Line]) -> bool:
    """Whether a text opens as descriptions do, and nobody asks or tells of themselves below."""
    first = next((line.text for line in lines if says(line)), "")
    return _OPENS.match(first) is not None and not any(map(_speaks, lines)) and not _fills_a_form(lines)


def _is_recorded(lines: list[Line], has: Callable[[str], bool]) -> bool:
    """Whether a tool for review closed the text with its records."""
    return any(map(has, _RECORDS)) and any(is_short(line) and _RECORDED.match(line.text) for line in lines)


def _has_parts(lines: list[Line]) -> bool:
    """Whether a text has the headings of a description and none of a report."""
    found = [match for line in lines if line.text[:1] in "#*" and is_short(line) and (match := _PART.match(line.text))]
    names = {match[0].strip("#*: ").lower() for match in found}
    return len(names) >= _FEWEST_PARTS and any(match[1] for match in found) and not _fills_a_form(lines)


def _joins_commits(lines: list[Line]) -> bool:
    """Whether a text begins with a commit's title in a list that goes on with those of others, each followed by its message or none."""
    first = next((line.text for line in lines if says(line)), "")
    titles = _joined(lines) if _JOINED.match(first) else []
    if len(titles) < _FEWEST_JOINED or titles[0] != first[2:]:
        return False
    return sum(map(changes_something, titles)) >= _OF_CHANGES * len(titles) and not any(map(is_printed, lines))


def _joined(lines: list[Line]) -> list[str]:
    """Items of a list that stand alone: titles of commits that were joined to one."""
    texts = [*(line.text for line in lines), ""]
    return [text[2:] for text, below in itertools.pairwise(texts) if text[:1] in "*-" and not below.strip() and _JOINED.match(text)]


def _is_wrapped_by_hand(lines: list[Line]) -> bool:
    """Whether a text is the message of a commit without its title: wrapped by hand, and nobody speaks of themselves or asks in it."""
    texts = [line.text for line in lines]
    if not any(_goes_on(text, below) for text, below in itertools.pairwise(texts)):
        return False
    if any(map(_speaks, lines)) or any(map(is_printed, lines)) or any(map(_shows, lines)) or _fills_a_form(lines):
        return False
    begins = [text for above, text in itertools.pairwise(["", *texts]) if not above.strip()]
    tested = any(map(_TESTED.search, texts))
    ordered = any(map(_ORDERS.match, begins))
    joined = len(_joined(lines)) >= _FEWEST_JOINED
    signs = [tested, ordered, joined, any(map(_THEN_AND_NOW.search, texts)), any(map(_NUMBER.search, texts))]
    return (tested or ordered or joined) and sum(signs) >= _FEWEST_SIGNS


def _goes_on(text: str, below: str) -> bool:
    """Whether a sentence was wrapped by hand at the end of a line."""
    return _NARROW <= len(text) <= _WIDE and text[-1] not in ".!?:;" and below[:1].islower() and text[:1].isalpha()


def _shows(line: Line) -> bool:
    """Whether a line stands in a fence or is the message of an error."""
    return "```" in line.text or ERROR_LINE.match(line.text) is not None


def _speaks(line: Line) -> bool:
    return tells_of_a_person(line) or line.text.rstrip().endswith(("?", "？"))


def _fills_a_form(lines: list[Line]) -> bool:
    return any(is_short(line) and _FORM.match(line.text) for line in lines)


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
