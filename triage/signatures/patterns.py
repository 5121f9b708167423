"""The pattern language of signatures: message text with typed holes, turned into RE2 and required literals.

`text` is the message as the software's source prints it; only `%{TYPE}` and `%{TYPE:slot}` are special and a run of
blanks matches any run of blanks. `pattern` is RE2 in which the same holes, and `(?P<slot>…)`, stand.

Every match contains one of the *required literals*: that is what lets one Aho-Corasick pass find the few lines that are
worth a regular expression. They are found here, when rules are compiled, never while a log is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import re2

from triage.signatures.holes import HOLES
from triage.signatures.required import MIN_LITERAL, Requirements
from triage.signatures.spacing import spaced

_QUIET = re2.Options()
_QUIET.log_errors = False
_HOLE = re.compile(r"%\{([A-Z]+)(?::([a-z_]+))?\}")
_GROUP = re.compile(r"\(\?P<([a-z_]+)>")
# RE2 unrolls counted repetitions (`.{0,200}` takes a millisecond to compile): a wider gap reaches to the end of the line, or as far as
# the characters of a class go. Narrower ones of a class keep words together.
_WIDE_GAP = re.compile(r"(?<!\\)\.\{[0-9]*,([0-9]+)\}(\??)")
WIDEST_GAP = 30
_CLASS = r"\[\^?\]?(?:\\.|[^\]\\])*\]"
_WIDE_RUN = re.compile(rf"(?P<of>{_CLASS}|\\[SDWswd])\{{(?P<least>[01]),(?P<most>[0-9]+)\}}|{_CLASS}|\\.")
WIDEST_RUN = 99
# What stands in one sentence: `[^.\n]{0,40}`. A dot within a word or a number ends none ("Qwen2.5", "train.py", "2.5.1").
_SENTENCE = re.compile(r"(?P<of>\[\^(?=[^\]]*\.)(?=[^\]]*\\n)[^\]]*\])\{0,(?P<most>[0-9]+)\}(?P<lazy>\??)")
MOST_DOTS, WIDEST_BEHIND_DOT = 4, 24  # two releases have four
_SYNTAX = re.compile(rf"{_CLASS}|\\.|[()|]")
MAX_PATTERN = 8000  # characters of RE2 source


class PatternError(ValueError):
    """A signature's text or pattern is wrong; the message says what and what would be right.

    `kind` is "form" (not well formed), "engine" (outside RE2, so that matching would not be linear) or "literal" (no text is required).
    """

    def __init__(self, message: str, kind: str = "form") -> None:
        super().__init__(message)
        self.kind = kind


class CompiledPattern:
    """RE2 source, the slot of each group in order, and the literals (lower case) of which every match holds one.

    `further` are more such sets: every match also holds one of each.
    """

    __slots__ = ("further", "literals", "regex", "slots", "spans")

    def __init__(self, regex: str, slots: list[str], spans: bool, literals: list[str], required: Requirements) -> None:
        self.regex = regex
        self.slots = slots
        self.spans = spans
        self.literals = literals
        self.further = required.further(literals)

    def alternatives(self) -> list[CompiledPattern]:
        """The alternatives of a pattern that captures nothing, each with literals of its own; itself where some alternative has none.

        A line then needs the regular expression of those alone that may match.
        """
        sources = [] if self.slots else _alternatives(self.regex)
        if len(sources) < 2:
            return [self]
        required = [Requirements(source, self.spans) for source in sources]
        literals = [requirements.searched() for requirements in required]
        if not all(literals):
            return [self]
        return [
            CompiledPattern(source, [], self.spans, chosen, requirements)
            for source, requirements, chosen in zip(sources, required, literals, strict=True)
        ]

    def texts(self) -> set[str]:
        """Every text of every set of which a match, or that of an alternative, must hold one."""
        sources = [self.regex, *([] if self.slots else _alternatives(self.regex))]
        return {text for source in sources for text in Requirements(source, self.spans).all()}


def slots_of(form: str) -> list[str]:
    """The slots that a text or pattern captures, whether or not it is well formed."""
    return [hole.group(2) for hole in _HOLE.finditer(form) if hole.group(2)] + _GROUP.findall(form)


def compile_text(text: str, literal: str | None = None, spans: bool = False) -> CompiledPattern:
    """Compile a message with holes. Raises PatternError for an unknown hole or where no literal is left to search for.

    `spans` says that matches may have several lines; the literals stand in the first.
    """
    parts: list[str] = []
    slots: list[str] = []
    at = 0
    for hole in _HOLE.finditer(text):
        parts.append(_literal_regex(text[at : hole.start()]))
        parts.append(_hole_regex(hole, slots))
        at = hole.end()
    parts.append(_literal_regex(text[at:]))
    return _finish("".join(parts), slots, literal, spans)


def compile_pattern(pattern: str, literal: str | None = None, spans: bool = False) -> CompiledPattern:
    """Compile RE2 with holes and named groups. Plain groups must be written `(?:…)`: a capture needs a slot."""
    slots: list[str] = []
    parts: list[str] = []
    at, in_class = 0, False
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            parts.append(pattern[at : at + 2])
            at += 2
            continue
        hole = _HOLE.match(pattern, at) if char == "%" else None
        if hole:
            parts.append(_hole_regex(hole, slots))
            at = hole.end()
            continue
        if char == "[" and not in_class:
            in_class = True
            opening = "[^" if pattern.startswith("[^", at) else "["
            at += len(opening)
            parts.append(opening)
            if pattern.startswith("]", at):  # a bracket right after the opening stands for itself
                parts.append("\\]")
                at += 1
            continue
        if char == "]":
            in_class = False
        elif char == "(" and not in_class:
            group = _GROUP.match(pattern, at)
            if group:
                slots.append(group.group(1))
                parts.append("(")
                at = group.end()
                continue
            if not pattern.startswith("(?", at):
                raise PatternError(f"group at column {at + 1} captures nothing: write (?:…), or (?P<slot>…) to capture")
        parts.append(char)
        at += 1
    return _finish("".join(parts), slots, literal, spans)


def _hole_regex(hole: re.Match[str], slots: list[str]) -> str:
    kind, slot = hole.group(1), hole.group(2)
    if kind not in HOLES:
        raise PatternError(f"unknown hole %{{{kind}}}: one of {', '.join(sorted(HOLES))}")
    if slot is None:
        return f"(?:{HOLES[kind]})"
    slots.append(slot)
    return f"({HOLES[kind]})"


def _literal_regex(text: str) -> str:
    out = []
    for piece in re.split(r"([ \t]+|\n)", text):
        if piece == "\n":
            out.append(r"[ \t]*\n[ \t]*")
        elif piece.strip() == "":
            out.append(r"[ \t]+" if piece else "")
        else:
            out.append(re.escape(piece))
    return "".join(out)


def _finish(regex: str, slots: list[str], literal: str | None, spans: bool) -> CompiledPattern:
    regex = _SENTENCE.sub(_within_sentence, spaced(regex))
    regex = _WIDE_GAP.sub(lambda gap: f".*{gap.group(2)}" if int(gap.group(1)) >= WIDEST_GAP else gap.group(), regex)
    regex = _WIDE_RUN.sub(_run, regex)
    if len(regex) > MAX_PATTERN:
        raise PatternError(f"longer than {MAX_PATTERN} characters")
    try:
        required = Requirements(regex, spans)
    except (re.error, OverflowError) as error:
        raise PatternError(f"not a regular expression: {error}") from None
    except RecursionError:
        raise PatternError("nested too deeply") from None
    try:
        re2.compile(regex, _QUIET)
    except re2.error as error:
        reason = error.args[0].decode() if error.args and isinstance(error.args[0], bytes) else str(error)
        remedy = "say it without look-around, back-references and large counts"
        raise PatternError(f"not in the linear engine's subset (RE2): {reason}; {remedy}", "engine") from None
    if literal and "\n" in literal:
        raise PatternError("a literal stands in one line", "literal")
    literals = [literal.lower()] if literal else required.searched()
    if not literals:
        raise PatternError(f"no text of {MIN_LITERAL} or more bytes is required by this pattern: add one, or name `literal`", "literal")
    return CompiledPattern(regex, slots, spans, literals, required)


def _within_sentence(found: re.Match[str]) -> str:
    of, most, lazy = found["of"], int(found["most"]), found["lazy"]
    behind = rf"\.\b{of}{{0,{min(most, WIDEST_BEHIND_DOT)}}}{lazy}"
    return f"{of}{{0,{most}}}{lazy}(?:{behind}){{0,{MOST_DOTS}}}{lazy}"


def _run(found: re.Match[str]) -> str:
    if found["most"] is None or int(found["most"]) <= WIDEST_RUN:
        return found[0]
    return found["of"] + ("+" if found["least"] == "1" else "*")


def _alternatives(regex: str) -> list[str]:
    """The alternatives of an expression, and those of an alternative that is nothing but a group of them."""
    flag = "(?i)" if regex.startswith("(?i)") else ""
    bare = regex[len(flag) :]
    if bare.startswith("(?:") and _closing(bare) == len(bare) - 1:
        bare = bare[3:-1]
    cuts = [-1, *_bars(bare), len(bare)]
    if len(cuts) == 2:
        return [flag + bare]
    return [part for low, high in pairwise(cuts) for part in _alternatives(flag + bare[low + 1 : high])]


def _closing(regex: str) -> int:
    """Where the group closes that an expression opens with."""
    return next(at for at, depth, char in _syntax(regex) if char == ")" and depth == 0)


def _bars(regex: str) -> list[int]:
    """Where the bars stand that are inside no group."""
    return [at for at, depth, char in _syntax(regex) if char == "|" and depth == 0]


def _syntax(regex: str) -> Iterator[tuple[int, int, str]]:
    """The parentheses and bars of an expression, where they stand, and in how many groups."""
    depth = 0
    for token in _SYNTAX.finditer(regex):
        char = token[0]
        if char == "(":
            depth += 1
        elif char == ")":
            depth -= 1
        if char in "()|":
            yield token.start(), depth, char
