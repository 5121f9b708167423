"""Whether `re` can take exponential time: a part that repeats can match the same text in two ways, so that n repetitions have 2^n.

An expression becomes an automaton over sample characters (Weideman et al., "Analyzing Matching Time Behavior of Backtracking Regular
Expression Matchers by Using Ambiguity of NFA", 2016): it is exponentially ambiguous where two different ways lead from a state back to it
over one text. Lookarounds are taken for empty and back references for any text; a bounded repetition of `_MANY` and more has no end.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

_MANY = 6  # of a part that is ambiguous six took a second for a title
_SAMPLE = frozenset(map(chr, (9, 10, *range(32, 127), 0xE9, 0x3002, 0x4E2D)))
_CLASSES = {op.CATEGORY_DIGIT: r"\d", op.CATEGORY_SPACE: r"\s", op.CATEGORY_WORD: r"\w",
            op.CATEGORY_NOT_DIGIT: r"\D", op.CATEGORY_NOT_SPACE: r"\S", op.CATEGORY_NOT_WORD: r"\W"}  # fmt: skip
_REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)


def is_exponential(source: str, flags: int = 0) -> bool:
    """Whether a part of the expression that repeats is ambiguous."""
    automaton = _Automaton()
    tree = parser.parse(source, flags)
    automaton.add(tree, automaton.state(), flags | tree.state.flags)
    return automaton.is_ambiguous()


class _Automaton:
    def __init__(self) -> None:
        self.empty: list[list[int]] = []  # where each state leads without a character
        self.moves: list[list[tuple[frozenset[str], int]]] = []

    def state(self) -> int:
        self.empty.append([])
        self.moves.append([])
        return len(self.empty) - 1

    def add(self, items: Any, start: int, flags: int) -> int:
        """The state in which the items end that begin in `start`."""
        for kind, value in items:
            start = self._add(kind, value, start, flags)
        return start

    def _add(self, kind: Any, value: Any, start: int, flags: int) -> int:
        if kind is op.SUBPATTERN:
            _, added, removed, items = value
            return self.add(items, start, (flags | added) & ~removed)
        if kind is op.ATOMIC_GROUP:
            return self.add(value, start, flags)
        if kind in _REPEATS:
            return self._repeat(*value, start, flags)
        if kind in (op.ASSERT, op.ASSERT_NOT, op.GROUPREF_EXISTS):
            return start
        end = self.state()
        if kind is op.BRANCH:
            for items in value[1]:
                first = self.state()
                self.empty[start].append(first)
                self.empty[self.add(items, first, flags)].append(end)
        elif kind is op.AT:
            ends = value is op.AT_END_STRING or (value is op.AT_END and not flags & re.MULTILINE)
            self.empty[start] += [] if ends else [end]  # nothing comes after the end
        else:
            self.moves[start].append((_SAMPLE if kind is op.GROUPREF else _characters(kind, value, flags), end))
        return end

    def _repeat(self, least: int, most: int, items: Any, start: int, flags: int) -> int:
        for _ in range(min(least, 1)):
            start = self.add(items, start, flags)
        end = self.state()
        if most >= _MANY:
            self.empty[start].append(end)
            self.empty[self.add(items, end, flags)].append(end)
            return end
        for _ in range(min(most - least, 2)):
            self.empty[start].append(end)
            start = self.add(items, start, flags)
        self.empty[start].append(end)
        return end

    def is_ambiguous(self) -> bool:
        moves = {state: [move for near in self._near(state) for move in self.moves[near]] for state in range(len(self.empty))}
        return any(_returns_twice(state, moves) for state in _in_circles(moves))

    def _near(self, state: int) -> set[int]:
        near, waiting = {state}, [state]
        while waiting:
            new = set(self.empty[waiting.pop()]) - near
            near |= new
            waiting += new
        return near


def _characters(kind: Any, value: Any, flags: int) -> frozenset[str]:
    if kind is op.ANY:
        return _SAMPLE if flags & re.DOTALL else _SAMPLE - {"\n"}
    items = value if kind is op.IN else [(op.LITERAL if kind is op.NOT_LITERAL else kind, value)]
    found: set[str] = set()
    for item, what in items:
        if item is op.LITERAL:
            found.add(chr(what))
        elif item is op.RANGE:
            found |= {character for character in _SAMPLE if what[0] <= ord(character) <= what[1]}
        elif item is op.CATEGORY:
            found |= {character for character in _SAMPLE if re.match(_CLASSES[what], character)}
    if flags & re.IGNORECASE:
        found |= {other for character in found for other in (character.lower(), character.upper())}
    negated = kind is op.NOT_LITERAL or items[0][0] is op.NEGATE
    return _SAMPLE - found if negated else frozenset(found)


def _in_circles(moves: dict[int, list[tuple[frozenset[str], int]]]) -> list[int]:
    """The states that a character at least leads back to."""
    return [state for state in moves if _reaches({after for _, after in moves[state]}, state, moves)]


def _reaches(waiting: set[int], wanted: int, moves: dict[int, list[tuple[frozenset[str], int]]]) -> bool:
    seen: set[int] = set()
    while waiting and wanted not in seen:
        seen |= waiting
        waiting = {after for state in waiting for _, after in moves[state]} - seen
    return wanted in seen


def _returns_twice(start: int, moves: dict[int, list[tuple[frozenset[str], int]]]) -> bool:
    """Whether two ways that part lead from a state back to it over the same characters."""
    seen: dict[tuple[int, int, bool], bool] = defaultdict(bool)
    waiting = deque([(start, start, False)])
    while waiting:
        one, other, parted = waiting.popleft()
        for number, (characters, after) in enumerate(moves[one]):
            for place, (others, behind) in enumerate(moves[other]):
                if not characters & others or (one == other and place < number):
                    continue
                pair = (after, behind, parted or after != behind or (one == other and place != number))
                if pair == (start, start, True):
                    return True
                if not seen[pair]:
                    seen[pair] = True
                    waiting.append(pair)
    return False
