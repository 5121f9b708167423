"""What git and searches of sources print: commits with their messages, graphs of them, and what git says while it moves them.

Their lines get the role 'document'.
"""

from __future__ import annotations

from collections.abc import Callable

from triage.reading.lazy import Pattern
from triage.reading.log import NO_PREFIX, Line, as_document
from triage.reading.prose import is_short

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
_GRAPH = 60  # characters in which a graph of commits, a word and a hash have room
_HEX = frozenset("0123456789abcdef")
_MAIL = Pattern(r"From [0-9a-f]{40} ")


def mark_history(lines: list[Line], has: Callable[[str], bool]) -> None:
    """Mark commits and their messages, and what git says. `has` tells whether a string occurs in the input at all."""
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
