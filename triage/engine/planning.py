"""In which order the conditions of a rule are met."""

from __future__ import annotations

from triage.engine.errors import ExpressionError
from triage.engine.rules import names_bound, names_needed
from triage.engine.values import TYPE_CHECKING

if TYPE_CHECKING:
    from triage.engine.rules import Condition

# Once their variables are bound: what is cheap and what rejects comes first.
_RANKS = {"test": 0, "let": 1, "exists": 2, "not": 3, "aggregate": 4}


def plan(conditions: list[Condition], outer: frozenset[str], first: int | None = None) -> list[int]:
    """The positions of the conditions in the order they are met: each waits for whatever can bind its variables.

    An aggregate comes before the patterns that join with its value. A pattern written after one that binds all slots comes
    after it, for it may join with them. `outer` names the variables bound outside; `first` is the pattern to begin with where
    that rule allows it.
    Raises ExpressionError when conditions wait for one another.
    """
    order: list[int] = []
    left = list(range(len(conditions)))
    bound = set(outer)
    while left:
        position = _filter_at_hand(conditions, left, bound)
        if position is None and (order or first is None):
            position = _key_at_hand(conditions, left, bound)
        if position is None:
            position = _next_pattern(conditions, left, bound, first if not order else None)
        if position is None:
            position = _other_at_hand(conditions, left, bound)
        order.append(position)
        left.remove(position)
        bound |= names_bound(conditions[position])
    return order


def _filter_at_hand(conditions: list[Condition], left: list[int], bound: set[str]) -> int | None:
    for position in left:
        if conditions[position][0] in ("test", "let") and _ready(conditions, left, bound, position):
            return position
    return None


def _key_at_hand(conditions: list[Condition], left: list[int], bound: set[str]) -> int | None:
    """An aggregate whose value a pattern that is left joins with: met after the pattern it would be computed for each of its facts."""
    for position in left:
        if conditions[position][0] == "aggregate" and _ready(conditions, left, bound, position):
            value = names_bound(conditions[position])
            if any(conditions[other][0] == "match" and not value.isdisjoint(names_bound(conditions[other])) for other in left):
                return position
    return None


def _ready(conditions: list[Condition], left: list[int], bound: set[str], position: int) -> bool:
    """Whether nothing that is left can bind a variable that the condition needs and that is not bound yet."""
    missing = names_needed(conditions[position]) - bound
    if not missing:
        return True
    for other in left:
        condition = conditions[other]
        if other != position and ((condition[0] == "match" and condition[3]) or not missing.isdisjoint(names_bound(condition))):
            return False
    return True


def _next_pattern(conditions: list[Condition], left: list[int], bound: set[str], first: int | None) -> int | None:
    best, best_score = None, -1
    for position in left:
        condition = conditions[position]
        if condition[0] != "match":
            continue
        if position == first:
            return position
        score = 0
        for term in condition[2].values():
            kind = term[0]
            score += 4 if kind == "const" else 3 if kind == "in" or (kind == "var" and term[1] in bound) else 0
        if score > best_score:
            best, best_score = position, score
        if condition[3]:  # what is written below may join with the slots that this one binds
            break
    return best


def _other_at_hand(conditions: list[Condition], left: list[int], bound: set[str]) -> int:
    ready = [position for position in left if _ready(conditions, left, bound, position)]
    if not ready:
        names = sorted(set().union(*[names_needed(conditions[position]) for position in left]) - bound)
        raise ExpressionError(f"conditions that wait for one another, over {', '.join(names)}")
    return min(ready, key=lambda position: (_RANKS[conditions[position][0]], position))
