"""What tests say of a value when taken together: enough arithmetic to see that they exclude or imply each other.

A test is split at `and`; each part that compares an expression with a constant, or two expressions with each other, narrows the
domain of that expression: an interval, and sets of values it must or must not be. Anything else is left alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from triage.engine.errors import Unknown
from triage.engine.expressions import evaluate, variables
from triage.engine.values import Value, Version, key_of

_MIRROR = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
Atom = tuple[str, str, Any]  # subject, operator (a comparison, "in" or "not in"), a value or the keys of several


class Domain:
    """The values that an expression may still have. Bounds are of one kind (numbers, texts or versions); others are not compared."""

    __slots__ = ("excluded", "high", "high_open", "low", "low_open", "only")

    def __init__(self) -> None:
        self.low: Any = None
        self.high: Any = None
        self.low_open = self.high_open = False
        self.only: frozenset[Any] | None = None
        self.excluded: frozenset[Any] = frozenset()

    def copy(self) -> Domain:
        """Another one with the same bounds, to narrow further."""
        other = Domain()
        for name in self.__slots__:
            setattr(other, name, getattr(self, name))
        return other

    def narrow(self, operator: str, value: Any) -> None:
        """Take a further atom into account."""
        if operator == "in":
            self.only = value if self.only is None else self.only & value
        elif operator == "not in":
            self.excluded |= value
        elif operator == "==":
            self.narrow("in", frozenset({key_of(value)}))
            self._below(value, False)
            self._above(value, False)
        elif operator == "!=":
            self.excluded |= {key_of(value)}
        elif operator in ("<", "<="):
            self._below(value, operator == "<")
        else:
            self._above(value, operator == ">")

    @property
    def empty(self) -> bool:
        """Whether no value is left."""
        if self.only is not None and not self.only - self.excluded:
            return True
        if self.low is None or self.high is None or not _ordered(self.low, self.high):
            return False
        if self.low == self.high:
            return self.low_open or self.high_open or key_of(self.low) in self.excluded
        return bool(self.low > self.high)

    def implies(self, operator: str, value: Any) -> bool:
        """Whether every value that is left satisfies an atom: whether its negation leaves none."""
        other = self.copy()
        if operator in ("in", "not in"):
            other.narrow("not in" if operator == "in" else "in", value)
        else:
            other.narrow(_NEGATED[operator], value)
        return other.empty and not self.empty

    def _below(self, value: Any, is_open: bool) -> None:
        if self.high is None or (_ordered(value, self.high) and (value < self.high or (value == self.high and is_open))):
            self.high, self.high_open = value, is_open

    def _above(self, value: Any, is_open: bool) -> None:
        if self.low is None or (_ordered(value, self.low) and (value > self.low or (value == self.low and is_open))):
            self.low, self.low_open = value, is_open


def conjuncts(expr: Any) -> Iterator[Any]:
    """The parts of an expression that must all be true."""
    if isinstance(expr, list) and expr and expr[0] == "and":
        for part in expr[1:]:
            yield from conjuncts(part)
    else:
        yield expr


def constant(expr: Any) -> Value | None:
    """The value of an expression without variables; None where it has some, or no value."""
    if variables(expr):
        return None
    try:
        return evaluate(expr, {})
    except Unknown:
        return None


def atoms(expr: Any) -> list[Atom] | None:
    """One conjunct as atoms; None where it is of another form."""
    if not isinstance(expr, list) or not expr:
        return None
    head, *parts = expr
    if head == "not":
        inner = atoms(parts[0])
        if inner is None or len(inner) != 1:
            return None
        [(subject, operator, value)] = inner
        return [(subject, {"in": "not in", "not in": "in"}.get(operator) or _NEGATED[operator], value)]
    if head in _MIRROR and len(parts) == 2:
        return _compared(parts[0], head, parts[1])
    if head == "chain":
        found: list[Atom] = []
        for at in range(0, len(parts) - 2, 2):
            link = _compared(parts[at], parts[at + 1], parts[at + 2])
            if link is None:
                return None
            found += link
        return found
    if head == "in" and isinstance(parts[1], list) and parts[1][:1] == ["list"]:
        values = [constant(item) for item in parts[1][1:]]
        if variables(parts[0]) and all(value is not None for value in values):
            return [(_subject(parts[0]), "in", frozenset(key_of(value) for value in values if value is not None))]
    return None


def _compared(left: Any, operator: str, right: Any) -> list[Atom] | None:
    if variables(left) and variables(right):
        one, other = sorted((_subject(left), _subject(right)))
        if one == other:
            return [("0", operator, 0)]
        if _subject(left) != one:
            operator = _MIRROR[operator]
        return [(f"{one} - {other}", operator, 0)]
    if not variables(left) and not variables(right):
        return None
    if variables(right):
        left, operator, right = right, _MIRROR[operator], left
    value = constant(right)
    return None if value is None else [(_subject(left), operator, value)]


def _subject(expr: Any) -> str:
    return json.dumps(expr, ensure_ascii=False)


def _ordered(one: Any, other: Any) -> bool:
    def kind(value: Any) -> str:
        return "number" if isinstance(value, (int, float)) and not isinstance(value, bool) else type(value).__name__

    return kind(one) == kind(other) and isinstance(one, (int, float, str, Version))


def needed(expr: Any) -> set[str]:
    """Variables without which an expression is unknown: not those of `or`, `if` and `has`, which can do without some."""
    if not isinstance(expr, list) or not expr or expr[0] in ("or", "if", "has", "v"):
        return set()
    if expr[0] == "not" and isinstance(expr[1], list) and expr[1][:1] == ["and"]:
        return set()
    if expr[0] == "var":
        return {expr[1]}
    return set().union(*(needed(part) for part in expr[1:]))
