"""The description of a change, as forges show it below the title, which need not be there.

Its lines get the role 'document'; what a program printed among them keeps its own.
"""

from __future__ import annotations

from collections.abc import Callable

from triage.reading.lazy import Pattern
from triage.reading.log import Line, as_document
from triage.reading.prose import MANY_LINES, is_short, not_printed

_IGNORE_CASE = 2
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


def mark_described(lines: list[Line], has: Callable[[str], bool]) -> None:
    """Mark a text that describes a change. `has` tells whether a string occurs in the input at all."""
    head = lines[:MANY_LINES]
    refers = any(map(has, _REFERENCES)) and any(is_short(line) and _PULL_REQUEST.match(line.text) for line in head)
    if refers or (has("nstead of") and _rewords(head)):
        as_document(not_printed(lines))


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
