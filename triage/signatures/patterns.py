"""The pattern language of signatures: message text with typed holes, turned into RE2 and required literals.

`text` is the message as the software's source prints it; only `%{TYPE}` and `%{TYPE:slot}` are special and a run of
blanks matches any run of blanks. `pattern` is RE2 in which the same holes, and `(?P<slot>…)`, stand.

Every match contains one of the *required literals*: that is what lets one Aho-Corasick pass find the few lines that are
worth a regular expression. They are found here, when rules are compiled, never while a log is read.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, product, takewhile
from typing import Any

import re2

from triage.signatures.frequencies import LINES
from triage.signatures.holes import HOLES
from triage.signatures.spacing import spaced

with warnings.catch_warnings():  # the parser module is undocumented but stable; only its parse tree is used
    warnings.simplefilter("ignore")
    from re import _constants as sre  # type: ignore[attr-defined]
    from re import _parser as sre_parser  # type: ignore[attr-defined]

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
# What stands in one sentence: `[^.\n]{0,40}`. A dot within a word or a number ends none ("Qwen2.5", "train.py", "2.5.1").
_SENTENCE = re.compile(r"(?P<of>\[\^(?=[^\]]*\.)(?=[^\]]*\\n)[^\]]*\])\{0,(?P<most>[0-9]+)\}(?P<lazy>\??)")
MOST_DOTS, WIDEST_BEHIND_DOT = 4, 24  # two releases have four
_SYNTAX = re.compile(rf"{_CLASS}|\\.|[()|]")
MAX_PATTERN = 8000  # characters of RE2 source
MIN_LITERAL = 3  # bytes of UTF-8
MOST_FURTHER, MOST_ALTERNATIVES = 4, 24  # sets of literals kept beside the one that is searched for, and their size
USELESS = 6000  # of ten thousand lines: a set that stands on more tells nothing
MOST_LETTERS, MOST_SPELLINGS = 3, 8  # of a part of a literal, and of one literal: `out[- ]of[- ]memory` has four


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

    def __init__(self, regex: str, slots: list[str], spans: bool, literals: list[str], further: Sequence[list[str]] = ()) -> None:
        self.regex = regex
        self.slots = slots
        self.spans = spans
        self.literals = literals
        self.further = further

    def alternatives(self) -> list[CompiledPattern]:
        """The alternatives of a pattern that captures nothing, each with literals of its own; itself where some alternative has none.

        A line then needs the regular expression of those alone that may match.
        """
        sources = [] if self.slots else _alternatives(self.regex)
        if len(sources) < 2:
            return [self]
        options = [_Required(self.spans).options(sre_parser.parse(source)) for source in sources]
        literals = [_best(option) for option in options]
        if not all(literals):
            return [self]
        return [
            CompiledPattern(source, [], self.spans, sorted(set(chosen)), _further(option, chosen))
            for source, option, chosen in zip(sources, options, literals, strict=True)
        ]

    def runs(self) -> set[str]:
        """Every text of which some alternative, within however many groups, requires one."""
        required = _Required(self.spans)
        required.options(sre_parser.parse(self.regex))
        return required.runs


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
    options = _Required(spans).options(tree)
    literals = [literal.lower()] if literal else _best(options)
    if not literals:
        raise PatternError(f"no text of {MIN_LITERAL} or more bytes is required by this pattern: add one, or name `literal`", "literal")
    return CompiledPattern(regex, slots, spans, sorted(set(literals)), _further(options, literals))


def _within_sentence(found: re.Match[str]) -> str:
    of, most, lazy = found["of"], int(found["most"]), found["lazy"]
    behind = rf"\.\b{of}{{0,{min(most, WIDEST_BEHIND_DOT)}}}{lazy}"
    return f"{of}{{0,{most}}}{lazy}(?:{behind}){{0,{MOST_DOTS}}}{lazy}"


def _run(found: re.Match[str]) -> str:
    if found["most"] is None or int(found["most"]) <= WIDEST_RUN:
        return found[0]
    return found["of"] + ("+" if found["least"] == "1" else "*")


def _best(options: Sequence[list[str]], least: int = MIN_LITERAL) -> list[str]:
    """The set of literals, none shorter than `least` bytes, that stands on the fewest lines, and of such sets that of the longest;
    [] if there is none."""
    long = [option for option in options if _shortest(option) >= least]
    return min(long, key=lambda option: (_lines(option), -_shortest(option)), default=[])


def _further(options: Sequence[list[str]], chosen: list[str]) -> list[list[str]]:
    """The most selective of the other sets of which every match holds one: a line that lacks all of a set needs no regular expression."""
    sets = {tuple(sorted(set(option))) for option in options} - {tuple(sorted(set(chosen)))}
    useful = [(_lines(option), -_shortest(option), option) for option in sets if len(option) <= MOST_ALTERNATIVES]
    return [list(option) for lines, shortest, option in sorted(useful)[:MOST_FURTHER] if lines < USELESS and shortest < -1]


def _shortest_of(literals: set[str]) -> list[str]:
    """The literals but those that hold another of them."""
    return sorted(literal for literal in literals if not any(other in literal for other in literals if other != literal))


def _length(literal: str) -> int:
    """Length in UTF-8: two Chinese characters select as well as six Latin ones."""
    return len(literal.encode("utf-8", "surrogatepass"))


def _lines(literals: Iterable[str]) -> int:
    """On how many of ten thousand lines one of these literals stands, about; 0 where that is hardly ever."""
    return sum(LINES.get(literal.strip(), 0 if _length(literal) >= MIN_LITERAL else USELESS // 2) for literal in set(literals))


def _shortest(literals: Iterable[str]) -> int:
    return min(map(_length, literals))


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


class _Required:
    """What a match must hold. `spans` says that matches may have several lines; `runs` collects all texts that were chosen from."""

    def __init__(self, spans: bool) -> None:
        self.spans = spans
        self.runs: set[str] = set()

    def options(self, tree: Any) -> list[list[str]]:
        """Every set of lower-case literals of which each match of a parsed pattern must hold one: runs of the sequence, and what lies
        inside groups and alternatives."""
        options: list[list[str]] = []
        run: list[Any] = []  # the nodes of the literal run so far
        spellings = 1  # of the run
        nodes = list(getattr(tree, "data", tree))  # a parsed pattern is slow to iterate over
        for at, (operator, argument) in enumerate(nodes):
            if _ends_line(operator, argument, self.spans):
                break  # a window begins at the line of its literal, so the literal must stand in the first line
            if letters := _letters(operator, argument):
                run.append((operator, argument))
                spellings *= len(letters)
                if spellings > MOST_SPELLINGS:
                    options += self._spelled(run[:-1])
                    run.clear()
                    spellings = 1
                continue
            # What stands right before and after a group belongs to each of its alternatives: `(?:torch|nn)\.`.
            after = takewhile(lambda node: _letters(*node), nodes[at + 1 :])
            if operator is sre.BRANCH:
                following = list(after)
                options += self._of_branches([[*run, *branch.data, *following] for branch in argument[1]])
                if run or following:  # the best of each may lie in what they share, and tell nothing of them
                    options += self._of_branches([branch.data for branch in argument[1]])
            if operator is sre.SUBPATTERN:
                options += self.options([*run, *argument[3].data, *after])
            options += self._spelled(run)
            run.clear()
            spellings = 1
            if operator in (sre.MAX_REPEAT, sre.MIN_REPEAT) and argument[0] >= 1:
                options += self.options(argument[2])
        return options + self._spelled(run)

    def _of_branches(self, branches: Iterable[Sequence[Any]]) -> list[list[str]]:
        """The set of the best literals of all alternatives, where each has some."""
        inner = [self.options(branch) for branch in branches]
        chosen = [_best(options) or _best(options, 2) for options in inner]
        return [_shortest_of({literal for best in chosen for literal in best})] if all(chosen) else []

    def _spelled(self, run: Sequence[Any]) -> list[list[str]]:
        """The set of all spellings of a run, where there is one."""
        literals = {"".join(letters).strip(" ") for letters in product(*[_letters(*node) or "" for node in run])}
        if not run or not all(literals):
            return []
        self.runs |= literals
        return [sorted(literals)]


def _letters(operator: Any, argument: Any) -> str | None:
    """The characters, in lower case, one of which a part of a pattern matches, where it matches a character and they are few."""
    if operator is sre.LITERAL:
        return chr(argument).lower()
    if operator is sre.MAX_REPEAT and argument[0] >= 1 and _is_blanks(argument[2]):
        return " "  # a run of blanks; logs with several in a row are found by the other runs only
    if operator is sre.IN and all(kind is sre.LITERAL for kind, _ in argument):
        letters = sorted({chr(code).lower() for _, code in argument})
        return "".join(letters) if len(letters) <= MOST_LETTERS else None
    return None


def _ends_line(operator: Any, argument: Any, spans: bool) -> bool:
    """Whether a part of a pattern matches line ends: a newline, a blank where matches may have several lines, or anything at all."""
    if operator is sre.LITERAL:
        return bool(argument == _NEWLINE)
    if operator in (sre.MAX_REPEAT, sre.MIN_REPEAT):
        items = list(argument[2])
        return len(items) == 1 and _ends_line(items[0][0], items[0][1], spans)
    if operator is sre.IN and argument[0][0] is not sre.NEGATE:  # `[^"]` matches one too, but is written for what stands within a line
        kinds = [item[1] for item in argument if item[0] is sre.CATEGORY]
        any_blank = sre.CATEGORY_SPACE in kinds
        return (sre.LITERAL, _NEWLINE) in argument or (any_blank and (spans or sre.CATEGORY_NOT_SPACE in kinds))
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
