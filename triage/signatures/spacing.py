"""Chinese beside Latin: `显存 OOM` and `显存OOM` are the same text, so a pattern need not say which of the two its writer chose.

Works on RE2 source, before it is compiled: ` ?` is put wherever a Chinese character can meet a Latin letter or a digit.
"""

from __future__ import annotations

import re
from typing import NamedTuple

CHINESE, LATIN = "chinese", "latin"
_NONE: frozenset[str] = frozenset()
_HAN = "\u3400-\u4dbf\u4e00-\u9fff"
_ANY_HAN = re.compile(f"[{_HAN}]")
_ANY_LATIN = re.compile(r"(?<!\\)[A-Za-z0-9]|\\[dw]")
_ATOM = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.", re.DOTALL)
_QUANTIFIER = re.compile(r"(?:[?*+]|\{(?P<least>[0-9]+)(?:,[0-9]*)?\})\??")
_OPENING = re.compile(r"\((?:\?(?:P<[a-z_]+>|[a-z]*:))?")
_FLAGS = re.compile(r"\(\?[a-z]+\)")
_BLANK = re.compile(r"[ .]|\\[sSWDn]|\[\^.*|\[.*(?: |\\s).*\]", re.DOTALL)
_NO_WIDTH = frozenset({"^", "$", r"\b", r"\B", r"\A", r"\z"})


class _Part(NamedTuple):
    """What a part of a pattern can begin and end with, whether it can match nothing, and whether it can match a blank."""

    source: str
    first: frozenset[str]
    last: frozenset[str]
    optional: bool
    blank: bool


def spaced(regex: str) -> str:
    """A pattern that takes a blank, or none, wherever Chinese meets Latin letters or digits."""
    if not _ANY_HAN.search(regex):
        return regex
    flags = _FLAGS.match(regex)
    start = flags.end() if flags else 0
    part, end = _choice(regex, start)
    return regex[:start] + part.source + regex[end:]


def _choice(regex: str, at: int) -> tuple[_Part, int]:
    """The alternatives from here to the end of their group, and where that is."""
    branches = []
    while True:
        branch, at = _sequence(regex, at)
        branches.append(branch)
        if not regex.startswith("|", at):
            break
        at += 1
    first = frozenset[str]().union(*(branch.first for branch in branches))
    last = frozenset[str]().union(*(branch.last for branch in branches))
    sources = "|".join(branch.source for branch in branches)
    return _Part(sources, first, last, any(branch.optional for branch in branches), any(branch.blank for branch in branches)), at


def _sequence(regex: str, at: int) -> tuple[_Part, int]:
    sources: list[str] = []
    first, before = _NONE, _NONE  # what the whole begins with, and what can stand right before the next part
    optional, blank, blank_before = True, False, False
    border = 0  # behind the last part that has a width: `\b` can stand on either side of a blank
    while at < len(regex) and regex[at] not in "|)":
        part, at = _quantified(regex, at)
        if _meet(before, part.first) and not blank_before and not part.blank:
            sources[border:] = [" ?", *sources[border:], " ?"] if border < len(sources) else [" ?"]
        sources.append(part.source)
        border = border if part.source in _NO_WIDTH else len(sources)
        first |= part.first if optional else _NONE
        before = part.last | before if part.optional else part.last
        blank_before = part.blank or (blank_before and part.optional)
        optional, blank = optional and part.optional, blank or part.blank
    return _Part("".join(sources), first, before, optional, blank and optional), at


def _meet(before: frozenset[str], after: frozenset[str]) -> bool:
    return (CHINESE in before and LATIN in after) or (LATIN in before and CHINESE in after)


def _quantified(regex: str, at: int) -> tuple[_Part, int]:
    part, at = _single(regex, at)
    quantifier = _QUANTIFIER.match(regex, at)
    if not quantifier:
        return part, at
    optional = part.optional or quantifier[0][0] in "?*" or quantifier["least"] == "0"
    return part._replace(source=part.source + quantifier[0], optional=optional), quantifier.end()


def _single(regex: str, at: int) -> tuple[_Part, int]:
    """One group, class or character."""
    opening = _OPENING.match(regex, at)
    if opening:
        inside, end = _choice(regex, opening.end())
        return inside._replace(source=f"{opening[0]}{inside.source})"), end + 1
    atom = _ATOM.match(regex, at)
    assert atom  # every character is one
    source = atom[0]
    if source in _NO_WIDTH:
        return _Part(source, _NONE, _NONE, True, False), atom.end()
    kinds = _NONE if source.startswith("[^") else _kinds(source)
    return _Part(source, kinds, kinds, False, bool(_BLANK.fullmatch(source))), atom.end()


def _kinds(source: str) -> frozenset[str]:
    found = {CHINESE} if _ANY_HAN.search(source) else set[str]()
    if _ANY_LATIN.search(source):
        found.add(LATIN)
    return frozenset(found)
