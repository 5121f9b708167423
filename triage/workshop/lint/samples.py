"""Texts that a pattern matches, made from its parse tree: to see which other patterns match them too."""

from __future__ import annotations

import warnings
from itertools import islice
from typing import Any

with warnings.catch_warnings():  # the parser module is undocumented but stable; only its parse tree is used
    warnings.simplefilter("ignore")
    from re import _constants as sre  # type: ignore[attr-defined]
    from re import _parser as sre_parser  # type: ignore[attr-defined]

_MOST = 24  # samples of one pattern
_CATEGORIES = {sre.CATEGORY_DIGIT: "7", sre.CATEGORY_WORD: "q", sre.CATEGORY_SPACE: " ", sre.CATEGORY_NOT_SPACE: "q",
               sre.CATEGORY_NOT_DIGIT: "q", sre.CATEGORY_NOT_WORD: "-"}  # fmt: skip
_FILLERS = "q7Q- \t_~"


def samples(regex: str) -> list[str]:
    """Up to 24 texts that the whole of a regular expression matches: every branch, and optional parts both ways, as far as these go."""
    return list(dict.fromkeys(islice(_all(list(sre_parser.parse(regex))), _MOST)))


def _all(tree: list[Any]) -> list[str]:
    """Samples of a sequence: the first of every part, then each part's others while all the rest keep their first."""
    options = [_part(operator, argument) for operator, argument in tree]
    first = [option[0] for option in options]
    found = ["".join(first)]
    for place, option in enumerate(options):
        for other in option[1:]:
            found.append("".join([*first[:place], other, *first[place + 1 :]]))
            if len(found) >= _MOST:
                return found
    return found


def _part(operator: Any, argument: Any) -> list[str]:
    if operator is sre.LITERAL:
        return [chr(argument)]
    if operator is sre.NOT_LITERAL:
        return [next(char for char in _FILLERS if ord(char) != argument)]
    if operator is sre.ANY:
        return ["q"]
    if operator is sre.IN:
        return [_member(argument)]
    if operator is sre.SUBPATTERN:
        return _all(list(argument[3]))
    if operator is sre.BRANCH:
        return list(dict.fromkeys(text for branch in argument[1] for text in _all(list(branch))))
    if operator in (sre.MAX_REPEAT, sre.MIN_REPEAT):
        low, high, inner = argument
        texts = _all(list(inner))
        count = max(low, 1 if high else 0)
        filled = [text * count for text in texts]
        return [*filled, ""] if low == 0 else filled
    return [""]  # anchors and boundaries


def _member(items: list[Any]) -> str:
    """A character of a class."""
    if items and items[0][0] is sre.NEGATE:
        excluded = items[1:]
        return next((char for char in _FILLERS if not any(_holds(item, char) for item in excluded)), "é")
    kind, value = items[0]
    if kind is sre.LITERAL:
        return chr(value)
    if kind is sre.RANGE:
        return chr(value[0])
    return _CATEGORIES.get(value, "q")


def _holds(item: Any, char: str) -> bool:
    kind, value = item
    if kind is sre.LITERAL:
        return bool(ord(char) == value)
    if kind is sre.RANGE:
        return bool(value[0] <= ord(char) <= value[1])
    tests = {sre.CATEGORY_DIGIT: char.isdigit(), sre.CATEGORY_WORD: char.isalnum() or char == "_", sre.CATEGORY_SPACE: char.isspace(),
             sre.CATEGORY_NOT_SPACE: not char.isspace(), sre.CATEGORY_NOT_DIGIT: not char.isdigit(),
             sre.CATEGORY_NOT_WORD: not (char.isalnum() or char == "_")}  # fmt: skip
    return tests.get(value, False)
