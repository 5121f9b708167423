"""The pattern language of signatures: message text with typed holes, turned into RE2 and required literals.

`text` is the message as the software's source prints it; only `%{TYPE}` and `%{TYPE:slot}` are special and a run of
blanks matches any run of blanks. `pattern` is RE2 in which the same holes, and `(?P<slot>…)`, stand.

Every match contains one of the *required literals*: that is what lets one Aho-Corasick pass find the few lines that are
worth a regular expression. They are found here, when rules are compiled, never while a log is read.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from typing import Any

import re2

with warnings.catch_warnings():  # the parser module is undocumented but stable; only its parse tree is used
    warnings.simplefilter("ignore")
    from re import _constants as sre  # type: ignore[attr-defined]
    from re import _parser as sre_parser  # type: ignore[attr-defined]

HOLES: dict[str, str] = {
    "SIZE": r"[0-9][0-9.,]*[ \t]?(?:[KMGTP]i?[Bb](?:ytes)?|[KMGT]|[Bb]ytes?|B)",
    "INT": r"-?[0-9]+",
    "NUM": r"-?[0-9]+(?:[.,][0-9]+)*(?:[eE][-+]?[0-9]+)?",
    "DURATION": (
        r"(?:[0-9]+ days?, )?[0-9]+(?::[0-9]{2}:[0-9]{2})?(?:\.[0-9]+)?[ \t]*"
        r"(?:milliseconds?|microseconds?|seconds?|minutes?|hours?|msecs?|secs?|mins?|ms|us|s)?"
    ),
    "WORD": r"[A-Za-z0-9_.\-]+",
    "NAME": r"[A-Za-z_][A-Za-z0-9_.:\-]*",
    "PATH": r"(?:[A-Za-z]:)?[^\s'\"`:,;()<>|]+",
    "DEVICE": r"(?:cuda|cpu|xpu|mps|hip|npu|meta|privateuseone|xla|hpu|musa|CUDA|CPU|GPU|gpu)(?:[: ][0-9]+)?",
    "DTYPE": r"(?:c10::|torch\.|at::)?[A-Za-z](?:[A-Za-z0-9_.]*[A-Za-z0-9_])?",
    "VERSION": r"v?[0-9]+(?:\.[0-9]+)*(?:[A-Za-z0-9_.+\-]*[A-Za-z0-9])?",
    "HEX": r"(?:0x)?[0-9a-fA-F_]+",
    "HOST": r"[A-Za-z0-9_.\-:\[\]]*[A-Za-z0-9_\]]",
    "QUOTED": r"(?:'[^']*'|\"[^\"]*\"|`[^`]*`)",
    "LIST": r"(?:\[[^\]]*\]|\([^)]*\))",
    "ANY": r".*?",
    "REST": r".*",
    "PCI": r"(?:[0-9a-fA-F]{4,8}:)?[0-9a-fA-F]{2}(?::[0-9a-fA-F]{2})?(?:\.[0-9a-fA-F])?",
    "OP": r"[A-Za-z_][A-Za-z0-9_:.<>, ~\-]*",
    "SM": r"(?:sm_|compute_)?[0-9]{1,3}(?:\.[0-9])?[a-z]?",
    # How people lead up to an error that they name in a sentence, and what may stand between: "with two cards I only get an …".
    "TELLS": (
        r"(?:\b(?:get|gets|got|getting|gives?|gave|giving|say|says|said|saying|raises?|raised|raising|throws?|threw|throwing|sees?|saw|seeing"
        r"|hits?|hitting|have|had|shows?|showed|reports?|reported|complain(?:s|ed|ing)?|encounter(?:s|ed|ing)?|fac(?:es?|ed|ing)"
        r"|fail(?:s|ed|ing)?|crash(?:es|ed|ing)?|stop(?:s|ped)?|ends?|ended|die[sd]?|becomes?|became|turns?|runs? into|ran into"
        r"|running into|there (?:is|was|are|were|will be)|errors?|errored|lead(?:s|ing)? to|results? in|resulted in|causes?|caused"
        r"|brings?|goes|went|met|meets?)\b"
        r"|报|出现|遇到|提示|抛出|变成|变为|显示|说)[^\n.;。；]{0,60}?"
    ),
}
_NEWLINE = 10
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
MAX_PATTERN = 8000  # characters of RE2 source
MIN_LITERAL = 3  # bytes of UTF-8
MOST_FURTHER, MOST_ALTERNATIVES = 4, 24  # sets of literals kept beside the one that is searched for, and their size
# Found on a great share of all error lines: searched for only where a pattern has nothing rarer.
COMMON = frozenset({"runtimeerror:", "valueerror:", "error:", "importerror:", "typeerror:", "assertionerror:", "oserror:", "exception:",
                    "warning:", "cuda error:", "cuda", "attributeerror:", "failed", "error", "torch", "nvidia"})  # fmt: skip


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

    __slots__ = ("further", "literals", "regex", "slots")

    def __init__(self, regex: str, slots: list[str], literals: list[str], further: Sequence[list[str]] = ()) -> None:
        self.regex = regex
        self.slots = slots
        self.literals = literals
        self.further = further


def slots_of(form: str) -> list[str]:
    """The slots that a text or pattern captures, whether or not it is well formed."""
    return [hole.group(2) for hole in _HOLE.finditer(form) if hole.group(2)] + _GROUP.findall(form)


def compile_text(text: str, literal: str | None = None) -> CompiledPattern:
    """Compile a message with holes. Raises PatternError for an unknown hole or where no literal is left to search for."""
    parts: list[str] = []
    slots: list[str] = []
    at = 0
    for hole in _HOLE.finditer(text):
        parts.append(_literal_regex(text[at : hole.start()]))
        parts.append(_hole_regex(hole, slots))
        at = hole.end()
    parts.append(_literal_regex(text[at:]))
    return _finish("".join(parts), slots, literal)


def compile_pattern(pattern: str, literal: str | None = None) -> CompiledPattern:
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
    return _finish("".join(parts), slots, literal)


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


def _finish(regex: str, slots: list[str], literal: str | None) -> CompiledPattern:
    regex = _WIDE_GAP.sub(lambda gap: f".*{gap.group(2)}" if int(gap.group(1)) >= WIDEST_GAP else gap.group(), regex)
    regex = _WIDE_RUN.sub(_run, regex)
    if len(regex) > MAX_PATTERN:
        raise PatternError(f"longer than {MAX_PATTERN} characters")
    try:
        tree = sre_parser.parse(regex)
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
    options = _options(tree)
    literals = [literal.lower()] if literal else _best(options)
    if not literals:
        raise PatternError(f"no text of {MIN_LITERAL} or more bytes is required by this pattern: add one, or name `literal`", "literal")
    return CompiledPattern(regex, slots, sorted(set(literals)), _further(options, literals))


def _run(found: re.Match[str]) -> str:
    if found["most"] is None or int(found["most"]) <= WIDEST_RUN:
        return found[0]
    return found["of"] + ("+" if found["least"] == "1" else "*")


def _best(options: Sequence[list[str]]) -> list[str]:
    """The set of literals that is searched for; [] if there is none."""
    best: list[str] = []
    rarest = 0.0
    for option in options:
        rarity = _rarity(option)
        if rarity > rarest and min(map(_length, option)) >= MIN_LITERAL:
            best, rarest = option, rarity
    return best


def _further(options: Sequence[list[str]], chosen: list[str]) -> list[list[str]]:
    """The most selective of the other sets of which every match holds one: a line that lacks all of a set needs no regular expression."""
    sets = {tuple(sorted(set(option))) for option in options} - {tuple(sorted(set(chosen)))}
    useful = [option for option in sets if len(option) <= MOST_ALTERNATIVES and min(map(_length, option)) > 1]
    useful.sort(key=lambda option: (-min(map(_length, option)), option))
    return [list(option) for option in useful[:MOST_FURTHER]]


def _length(literal: str) -> int:
    """Length in UTF-8: two Chinese characters select as well as six Latin ones."""
    return len(literal.encode("utf-8", "surrogatepass"))


def _rarity(literals: list[str]) -> float:
    """How selective a set of literals is: the length of its shortest, halved-to-nothing for words that stand in every log."""
    return min((0.5 if literal.strip() in COMMON else _length(literal) for literal in literals), default=0)


def _options(tree: Any) -> list[list[str]]:
    """Every set of lower-case literals of which each match of a parsed pattern must hold one: runs of the sequence, and what lies
    inside groups and alternatives."""
    options: list[list[str]] = []
    run: list[Any] = []  # the nodes of the literal run so far

    def flush() -> None:
        literal = "".join([chr(argument) for _, argument in run]).lower().strip(" ")
        if literal:
            options.append([literal])
        run.clear()

    for operator, argument in getattr(tree, "data", tree):  # a parsed pattern is slow to iterate over
        if operator is sre.LITERAL and argument != _NEWLINE:
            run.append((operator, argument))
            continue
        if _ends_line(operator, argument):
            break  # a window begins at the line of its literal, so the literal must stand in the first line
        same = _one_letter(operator, argument)
        if same is not None:
            run.append((sre.LITERAL, same))
            continue
        if operator is sre.MAX_REPEAT and argument[0] >= 1 and _is_blanks(argument[2]):
            run.append((sre.LITERAL, 32))  # a run of blanks; logs with several in a row are found by the other runs only
            continue
        if operator is sre.BRANCH:  # the parser moves what alternatives begin with alike in front of them
            branches = [_best(_options([*run, *branch.data])) for branch in argument[1]]
            if all(branches):
                options.append([literal for branch in branches for literal in branch])
        flush()
        if operator is sre.SUBPATTERN:
            options.extend(_options(argument[3]))
        elif operator in (sre.MAX_REPEAT, sre.MIN_REPEAT) and argument[0] >= 1:
            options.extend(_options(argument[2]))
    flush()
    return options


def _one_letter(operator: Any, argument: Any) -> int | None:
    """The code of the character that a set in a pattern matches, capital or not: `[Nn]` is one in lower case."""
    if operator is sre.IN and all(kind is sre.LITERAL for kind, _ in argument):
        letters = {chr(code).lower() for _, code in argument}
        if len(letters) == 1:
            return ord(letters.pop()[0])
    return None


def _ends_line(operator: Any, argument: Any) -> bool:
    """Whether a part of a pattern matches line ends: a newline, or a repetition of anything at all."""
    if operator is sre.LITERAL:
        return bool(argument == _NEWLINE)
    if operator in (sre.MAX_REPEAT, sre.MIN_REPEAT):
        items = list(argument[2])
        return len(items) == 1 and _ends_line(*items[0])
    if operator is sre.IN and argument[0][0] is not sre.NEGATE:  # `[^"]` matches one too, but is written for what stands within a line
        kinds = [item[1] for item in argument if item[0] is sre.CATEGORY]
        return (sre.LITERAL, _NEWLINE) in argument or {sre.CATEGORY_SPACE, sre.CATEGORY_NOT_SPACE} <= set(kinds)
    return False


def _is_blanks(tree: Any) -> bool:
    items = list(tree)
    if len(items) != 1:
        return False
    operator, argument = items[0]
    if operator is sre.LITERAL:
        return bool(argument == 32)
    blanks = ((sre.LITERAL, 32), (sre.LITERAL, 9), (sre.CATEGORY, sre.CATEGORY_SPACE))
    return operator is sre.IN and all(item in blanks for item in argument)
