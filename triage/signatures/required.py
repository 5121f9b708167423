"""What every match of a pattern holds: sets of texts, one of each of which stands in whatever the pattern matches.

The more of a message one text has, the fewer lines hold it by chance. So what stands beside each other is put together, as far as it can be
written out: of `(?:no|not) (?:gpu|card)s?` come the eight texts from "no gpu" to "not cards". Where there are too many, the ends
of those before are put before those that follow.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from triage.signatures.frequencies import LINES

with warnings.catch_warnings():  # the parser module is undocumented but stable; only its parse tree is used
    warnings.simplefilter("ignore")
    from re import _constants as sre  # type: ignore[attr-defined]
    from re import _parser as sre_parser  # type: ignore[attr-defined]

MIN_LITERAL = 3  # bytes of UTF-8 of a text that lines are searched for
MOST_FURTHER = 4  # sets kept beside the one that is searched for
MOST_ALTERNATIVES = 24  # texts of such a set
USELESS = 6000  # of ten thousand lines: a set that stands on more tells nothing

_NEWLINE = 10
_BLANKS = "\t\r\f\v"  # what stands for a blank in lines as they are searched
_MOST_TEXTS = 64  # that what stands beside each other is written out to
_MOST_LETTERS = 10  # of a class: the digits
_MANY = 3  # times as many texts
_ENDS = (8, 4, 3, 2, 1)  # characters that are kept of texts that are too many to be written out with what stands beside them
_WORTH = 16  # of ten thousand lines: what looking for one more text costs
_EMPTY = frozenset(("",))
_WORDS = object()  # a part of a pattern that is letters

Texts = frozenset[str]


class _Known:
    """What is known of the texts that a part of a pattern matches.

    `whole` are all of them, where they are few. `first` and `last` are what they begin and end with. Of each set in `near` one stands in
    the line where a match begins, of each in `far` one stands there or below.
    """

    __slots__ = ("far", "first", "last", "near", "whole")

    def __init__(
        self,
        whole: Texts | None = None,
        first: Texts = _EMPTY,
        last: Texts = _EMPTY,
        near: Iterable[Texts] = (),
        far: Iterable[Texts] = (),
    ) -> None:
        self.whole = whole
        self.first = first if whole is None else whole
        self.last = last if whole is None else whole
        self.near = list(near)
        self.far = list(far)

    def sets(self) -> list[Texts]:
        """The sets of which one stands in the first line."""
        return [*self.near, self.whole] if self.whole is not None else self.near


class Requirements:
    """The sets of texts that a pattern requires. `spans` says that matches may have several lines."""

    __slots__ = ("_beyond", "_spans", "far", "near")

    def __init__(self, regex: str, spans: bool) -> None:
        self._spans = spans
        self._beyond = False  # whether the line where a match begins may have ended
        known = self._sequence(sre_parser.parse(regex))
        self.near = _told(known.sets())
        self.far = _told(known.far)

    def searched(self) -> list[str]:
        """The set that lines are searched for: the most selective of those without shorter texts; [] where there is none."""
        long = [_shortest_of(texts) for texts in self.near if min(map(_length, texts)) >= MIN_LITERAL]
        return min(long, key=_selects, default=[])

    def further(self, searched: Sequence[str]) -> list[list[str]]:
        """The most selective sets besides: a line that lacks all of a set needs no regular expression."""
        sets = [_shortest_of(texts) for texts in (*self.near, *self.far)]
        useful = [texts for texts in sets if len(texts) <= MOST_ALTERNATIVES and _lines(texts) < USELESS and min(map(_length, texts)) > 1]
        chosen: list[list[str]] = []
        for texts in sorted(useful, key=_selects):
            if not any(_implies(known, texts) for known in (searched, *chosen)):
                chosen.append(texts)
        return chosen[:MOST_FURTHER]

    def all(self) -> set[str]:
        """Every text of every set."""
        return {text for texts in (*self.near, *self.far) for text in texts}

    def _sequence(self, tree: Any) -> _Known:
        known = _Known()
        run, whole = _EMPTY, True  # the texts of which one ends what was matched so far, and whether they are all of it
        for operator, argument in _with_words(tree):
            told = known.far if self._beyond else known.near
            if self._spans and _ends_line(operator, argument):  # lines below begin with what stands before every message
                told.append(run)
                known.first = run if whole else known.first
                run, whole, self._beyond = _EMPTY, False, True
                continue
            part = self._part(operator, argument)
            joined = _joined(run, part.first)
            if whole and (part.whole is None or joined is None):
                known.first, whole = run if joined is None else joined, False
            if part.whole is not None and joined is not None:
                if len(joined) > _MANY * len(run):  # the few before may select as well
                    told.append(run)
                run = joined
                continue
            told += [run, joined or _joined_ends(run, part.first), *_several(part.whole)]
            known.near += part.near
            known.far += part.far
            run = part.last if part.whole is None else _joined_ends(run, part.whole)
        if whole:
            return _Known(run, near=known.near, far=known.far)
        (known.far if self._beyond else known.near).append(run)
        known.last = run
        return known

    def _part(self, operator: Any, argument: Any) -> _Known:
        """What is known of one part of a pattern."""
        if operator is _WORDS:
            return _Known(frozenset((argument,)))
        if letters := _letters(operator, argument):  # many stand behind what is before them, but make no many of what follows
            return _Known(letters) if len(letters) <= _MANY else _Known(first=letters)
        if operator is sre.AT:
            return _Known(_EMPTY)
        if operator is sre.SUBPATTERN:
            return self._sequence(argument[3])
        if operator is sre.BRANCH:
            return self._branches(argument[1])
        if operator in (sre.MAX_REPEAT, sre.MIN_REPEAT):
            return self._repeated(*argument)
        return _Known()

    def _branches(self, branches: Iterable[Any]) -> _Known:
        beyond = self._beyond
        parts, ends = [], []
        for branch in branches:
            self._beyond = beyond
            parts.append(self._sequence(branch))
            ends.append(self._beyond)
        self._beyond = any(ends)
        whole = _united([part.whole for part in parts])
        if whole is not None and len(whole) <= _MOST_TEXTS:
            return _Known(whole)
        first = _cut([part.first for part in parts], lambda text, length: text[:length])
        last = _cut([part.last for part in parts], lambda text, length: text[-length:])
        near = _united([_best(part.sets()) for part in parts])
        far = None if near else _united([_best([*part.sets(), *part.far]) for part in parts])
        return _Known(None, first, last, [] if beyond else _several(near), _several(near if beyond else far))

    def _repeated(self, least: int, most: int, tree: Any) -> _Known:
        if _is_blanks(tree):  # lines are searched with single blanks
            return _Known(frozenset((" ",) if least else ("", " ")))
        beyond = self._beyond
        part = self._sequence(tree)
        if least == 0:
            return _Known(part.whole | _EMPTY) if most == 1 and part.whole is not None else _Known()
        if least == most == 1:
            return part
        if part.whole is not None and least == most <= 4:
            whole: Texts | None = _EMPTY
            for _ in range(least):
                whole = whole and _joined(whole, part.whole)
            if whole:
                return _Known(whole)
        near = [part.whole] if part.whole is not None and not beyond else part.near
        far = [part.whole] if part.whole is not None and beyond else part.far
        return _Known(None, part.first, part.last, near, far)


def _with_words(tree: Any) -> Iterator[tuple[Any, Any]]:
    """The parts of a sequence, letters that follow each other as one."""
    words: list[str] = []
    for operator, argument in getattr(tree, "data", tree):  # a parsed pattern is slow to iterate over
        if operator is sre.LITERAL and argument != _NEWLINE:
            words.append(_letter(argument))
            continue
        if words:
            yield _WORDS, re.sub("  +", " ", "".join(words))
            words.clear()
        yield operator, argument
    if words:
        yield _WORDS, re.sub("  +", " ", "".join(words))


def _joined(before: Texts, after: Texts) -> Texts | None:
    """Each text of one set with each of another behind it, None where these are too many."""
    if len(before) * len(after) > _MOST_TEXTS:
        return None
    return frozenset([(one + other).replace("  ", " ") for one in before for other in after])


def _joined_ends(before: Texts, after: Texts) -> Texts:
    """What stands where one of a set is followed by one of another: as much of the first as can be written out."""
    for length in _ENDS:
        joined = _joined(frozenset([text[-length:] for text in before]), after)
        if joined is not None:
            return joined
    return after if len(after) <= _MOST_TEXTS else _EMPTY


def _united(sets: Sequence[Texts | None]) -> Texts | None:
    return None if any(texts is None for texts in sets) else frozenset().union(*[texts for texts in sets if texts])


def _cut(sets: Iterable[Texts], part: Callable[[str, int], str]) -> Texts:
    """The texts of several sets, or as much of each as leaves few enough."""
    texts = frozenset().union(*sets)
    for length in (max(map(len, texts)), *_ENDS):
        cut = frozenset([part(text, length) for text in texts])
        if len(cut) <= _MOST_TEXTS:
            return cut
    return _EMPTY


def _several(texts: Texts | None) -> list[Texts]:
    return [texts] if texts else []


def _told(sets: Iterable[Texts]) -> list[Texts]:
    """The sets without those that say nothing, their texts without blanks around them."""
    bare = [frozenset([text.strip(" ") for text in texts]) for texts in sets]
    return [texts for texts in dict.fromkeys(bare) if all(texts)]


def _best(sets: Iterable[Texts]) -> Texts | None:
    """The most selective of several sets, those ahead whose texts are long enough to be searched for; None where all say nothing."""
    told = [(_shortest_of(trimmed), texts) for texts in sets for trimmed in _told([texts])]
    return min(told, key=lambda item: (min(map(_length, item[0])) < MIN_LITERAL, _selects(item[0])))[1] if told else None


def _shortest_of(texts: Iterable[str]) -> list[str]:
    """The texts but those that hold another of them."""
    shortest: list[str] = []
    for text in sorted(set(texts), key=len):
        if not any(map(text.__contains__, shortest)):
            shortest.append(text)
    return sorted(shortest)


def _implies(known: Sequence[str], texts: Sequence[str]) -> bool:
    """Whether one of a set stands wherever one of the known ones does."""
    return all(any(map(one.__contains__, texts)) for one in known)


def _selects(texts: Sequence[str]) -> Any:
    """Orders sets of texts: the most selective first."""
    return _lines(texts) + _WORTH * len(texts), len(texts), -min(map(_length, texts)), texts


def _length(text: str) -> int:
    """Length in UTF-8: two Chinese characters select as well as six Latin ones."""
    return len(text.encode("utf-8", "surrogatepass"))


def _lines(texts: Iterable[str]) -> int:
    """On how many of ten thousand lines one of these texts stands, about; 0 where that is hardly ever."""
    return sum(LINES.get(text, 0) for text in texts)


def _letters(operator: Any, argument: Any) -> Texts | None:
    """The characters, in lower case, one of which a part of a pattern matches, where it matches one of few."""
    if operator is not sre.IN or (sre.LITERAL, _NEWLINE) in argument:
        return None
    letters: set[str] = set()
    for kind, of in argument:
        if kind is sre.LITERAL:
            letters.add(_letter(of))
        elif kind is sre.RANGE and of[1] - of[0] < _MOST_LETTERS:
            letters.update(map(_letter, range(of[0], of[1] + 1)))
        elif kind is sre.CATEGORY and of is sre.CATEGORY_SPACE:
            letters.add(" ")
        else:
            return None
    return frozenset(letters) if len(letters) <= _MOST_LETTERS else None


def _letter(code: int) -> str:
    """A character as it stands in lines as they are searched."""
    return " " if chr(code) in _BLANKS else chr(code).lower()


def _ends_line(operator: Any, argument: Any) -> bool:
    """Whether a part of a pattern matches line ends: a newline, a blank, or anything at all."""
    if operator is sre.LITERAL:
        return bool(argument == _NEWLINE)
    if operator in (sre.MAX_REPEAT, sre.MIN_REPEAT):
        items = list(argument[2])
        return len(items) == 1 and _ends_line(*items[0])
    if operator is sre.IN and argument[0][0] is not sre.NEGATE:  # `[^"]` matches one too, but is written for what stands within a line
        return (sre.LITERAL, _NEWLINE) in argument or (sre.CATEGORY, sre.CATEGORY_SPACE) in argument
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
