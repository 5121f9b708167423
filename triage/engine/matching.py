"""How the conditions of a rule are met: each condition is a step that extends the bindings and calls the next one.

A step is `step(relations, env, premises, emit)`: `relations` holds the facts by template, `env` the bindings so far
(never changed in place), `premises` the facts matched so far. The last step calls `emit((env, premises))`; a true
answer ends the search.
"""

from __future__ import annotations

from math import fsum, inf

from triage.engine.errors import Exhausted, Unknown
from triage.engine.expressions import bounded_number, compile_expression, decode_value
from triage.engine.planning import plan
from triage.engine.rules import names_bound, nested
from triage.engine.values import TYPE_CHECKING, key_of, same, sort_key

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence
    from typing import Any, TypeAlias

    from triage.engine.expressions import Term
    from triage.engine.facts import Fact
    from triage.engine.rules import Condition
    from triage.engine.values import Value

    Env: TypeAlias = dict[str, Value]
    Premises: TypeAlias = tuple[Fact, ...]
    Calls: TypeAlias = Sequence[tuple[str, dict[str, list[int]], dict[Hashable, list[int]]]]
    Row: TypeAlias = tuple[Env, Premises]
    Emit: TypeAlias = Callable[[Row], object]
    Candidates: TypeAlias = Callable[["Relation", Env], Sequence[Fact]]
    Match: TypeAlias = Callable[[Env, Env], Env | None]
    Step: TypeAlias = Callable[["Relations", Env, Premises, Emit], object]
    Rest: TypeAlias = Callable[[], Step]  # makes the step that comes next

_SCAN = 8  # up to so many facts are looked at one by one


class Relation:
    """The facts of one template, in the order they came, indexed by the slots that joins ask for.

    `calls` has what `Gate.slots` has: which rules the values of a slot call for.
    """

    __slots__ = ("calls", "facts", "indexes")

    def __init__(self, calls: Calls = ()) -> None:
        self.calls = calls
        self.facts: list[Fact] = []
        self.indexes: dict[str, dict[Hashable, list[Fact]]] = {}

    def index(self, fact: Fact) -> None:
        """Puts a fact just added to `facts` into the indexes."""
        for slot, index in self.indexes.items():
            value = fact._slots.get(slot)
            if value is not None:
                index.setdefault(key_of(value), []).append(fact)

    def with_value(self, slot: str, key: Hashable) -> Sequence[Fact]:
        """The facts whose slot holds a value, by its key."""
        index = self.indexes.get(slot)
        if index is None:
            index = self.indexes[slot] = {}
            for fact in self.facts:
                value = fact._slots.get(slot)
                if value is not None:
                    index.setdefault(key_of(value), []).append(fact)
        return index.get(key, ())


class Relations(dict["Hashable", Relation]):
    """Relations by template (and by `newest`). `effort` is how many more facts may be looked at."""

    __slots__ = ("effort",)

    def __init__(self) -> None:
        self.effort: float = inf

    def pay(self, count: int) -> None:
        """Raises Exhausted when the effort is spent."""
        self.effort -= count
        if self.effort < 0:
            raise Exhausted


class Pattern:
    """A match condition, ready to be compared with facts.

    `match(slots, env)` gives the bindings extended by those of a fact with these slots, None when it does not match;
    `candidates(relation, env)` the facts worth trying.
    """

    __slots__ = ("candidates", "match", "template")

    match: Match
    candidates: Candidates

    def __init__(self, condition: Condition, exclude: frozenset[str], bound: frozenset[str]) -> None:
        """`exclude` names the slots that are not bound although the pattern binds all; `bound` the variables that certainly are."""
        _, self.template, terms, bind_all = condition
        texts: list[tuple[str, str]] = []
        keyed: list[tuple[str, Hashable]] = []
        choices: list[tuple[str, dict[Hashable, None]]] = []
        present: list[str] = []
        variables: list[tuple[str, str]] = []
        for slot, term in terms.items():
            kind = term[0]
            if kind == "var":
                variables.append((slot, term[1]))
            elif kind == "any":
                present.append(slot)
            elif kind == "in":
                choices.append((slot, dict.fromkeys([key_of(decode_value(data)) for data in term[1]])))
            elif type(term[1]) is str:
                texts.append((slot, term[1]))
            else:
                keyed.append((slot, key_of(decode_value(term[1]))))
        joined = [(slot, name) for slot, name in variables if name in bound]
        free = [(slot, name) for slot, name in variables if name not in bound]
        self.candidates = _candidates([*texts, *keyed], choices, joined, free)
        match = _binding(texts, joined, free)
        if keyed or choices or present:
            match = _checking([*keyed, *[(slot, None) for slot in present]], choices, match)
        self.match = _binding_all(exclude, match) if bind_all else match


def _candidates(
    fixed: list[tuple[str, Hashable]],
    choices: list[tuple[str, dict[Hashable, None]]],
    joined: list[tuple[str, str]],
    free: list[tuple[str, str]],
) -> Candidates:
    """The facts that may match: the fewest that one slot with a known value leaves."""

    def candidates(relation: Relation, env: Env) -> Sequence[Fact]:
        best: Sequence[Fact] = relation.facts
        if len(best) <= _SCAN:
            return best
        for slot, key in fixed:
            found = relation.with_value(slot, key)
            if len(found) < len(best):
                best = found
        for slot, name in joined:
            found = relation.with_value(slot, key_of(env[name]))
            if len(found) < len(best):
                best = found
        for slot, keys in choices:
            several = [relation.with_value(slot, key) for key in keys]
            if sum(map(len, several)) < len(best):
                best = [fact for found in several for fact in found]
        if len(best) > _SCAN and env:
            for slot, name in free:  # a pattern that binds all slots may have bound it
                value = env.get(name)
                if value is not None:
                    found = relation.with_value(slot, key_of(value))
                    if len(found) < len(best):
                        best = found
        return best

    return candidates


def _binding(texts: list[tuple[str, str]], joined: list[tuple[str, str]], free: list[tuple[str, str]]) -> Match:
    """Matches constants that are strings, and variables: those that are certainly bound, and the others."""

    def filtering(slots: Env, env: Env) -> Env | None:
        for slot, text in texts:
            if slots.get(slot) != text:
                return None
        for slot, name in joined:
            value = slots.get(slot)
            if value is None or not same(env[name], value):
                return None
        return env

    def binding(slots: Env, env: Env) -> Env | None:
        for slot, text in texts:
            if slots.get(slot) != text:
                return None
        for slot, name in joined:
            value = slots.get(slot)
            if value is None or not same(env[name], value):
                return None
        found = env.copy()
        for slot, name in free:
            value = slots.get(slot)
            if value is None:
                return None
            known = found.setdefault(name, value)
            if known is not value and not same(known, value):
                return None
        return found

    return binding if free else filtering


def _checking(keyed: list[tuple[str, Hashable]], choices: list[tuple[str, dict[Hashable, None]]], match: Match) -> Match:
    """Also matches other constants (None stands for any value), and choices."""

    def checking(slots: Env, env: Env) -> Env | None:
        for slot, key in keyed:
            value = slots.get(slot)
            if value is None or (key is not None and key_of(value) != key):
                return None
        for slot, keys in choices:
            value = slots.get(slot)
            if value is None or key_of(value) not in keys:
                return None
        return match(slots, env)

    return checking


def _binding_all(exclude: frozenset[str], match: Match) -> Match:
    """Also binds every slot but the excluded ones, where its name is not bound yet."""

    def binding_all(slots: Env, env: Env) -> Env | None:
        found = match(slots, env)
        if found is None:
            return None
        if exclude:
            return {**{slot: value for slot, value in slots.items() if slot not in exclude}, **found}
        return {**slots, **found} if found else slots

    return binding_all


class Compiled:
    """Conditions compiled together: `run` is the first step. Each other step is made when it is first reached, for most rules fail early.

    `order` has the positions of the conditions as they are met.
    """

    __slots__ = ("_before", "_conditions", "_first", "_inner", "_orders", "order", "run")

    run: Step

    def __init__(self, conditions: list[Condition], outer: frozenset[str], first: int | None = None, orders: Any = None) -> None:
        """`orders` is what `orders()` gave for these conditions; without, they are planned."""
        if orders is None:
            self.order = plan(conditions, outer, first)
        else:
            self.order = (orders and orders[0]) or list(range(len(conditions)))
        self._conditions = conditions
        self._first = first
        self._orders = orders
        self._before = [outer]
        self._inner: dict[int, Compiled] = {}
        self.run = self._step(0)

    def orders(self) -> Any:
        """The order of the conditions, 0 for as written, then the same for each that holds others; 0 where all of these are 0."""
        order = 0 if self.order == sorted(self.order) else self.order
        inner = [self.inner(position).orders() for position in self._holding()]
        return [order, *inner] if order or any(inner) else 0

    def inner(self, position: int) -> Compiled:
        """The conditions inside a condition, compiled."""
        inner = self._inner.get(position)
        if inner is None:
            orders = self._orders and self._orders[1 + self._holding().index(position)]
            outer = self._bound(self.order.index(position))
            inner = self._inner[position] = Compiled(nested(self._conditions[position]), outer, orders=orders)
        return inner

    def hidden(self, position: int) -> frozenset[str]:
        """The variables that are bound after a condition that holds others, which it does not see."""
        return self._bound(len(self.order)) - self._bound(self.order.index(position))

    def _holding(self) -> list[int]:
        return [position for position, condition in enumerate(self._conditions) if nested(condition)]

    def _bound(self, place: int) -> frozenset[str]:
        """The variables that are certainly bound before the condition that is met in this place."""
        before = self._before
        while len(before) <= place:
            before.append(before[-1] | names_bound(self._conditions[self.order[len(before) - 1]]))
        return before[place]

    def _step(self, place: int) -> Step:
        position = self.order[place] if place < len(self.order) else -1
        if position < 0:
            return _finish

        def rest() -> Step:
            return self._step(place + 1)

        condition = self._conditions[position]
        kind = condition[0]
        if kind == "match":
            left_alone = excluded(self._conditions, position) if condition[3] else frozenset[str]()
            pattern = Pattern(condition, left_alone, self._bound(place))
            source = newest(pattern.template) if position == self._first else pattern.template
            return _match(pattern, source, None if place + 1 == len(self.order) else rest)
        if kind == "test":
            return _test(compile_expression(condition[1]), rest)
        if kind == "let":
            return _let(condition[1], compile_expression(condition[2]), rest)
        inner = self.inner(position).run
        return _aggregate(condition, inner, rest) if kind == "aggregate" else _holds(kind == "exists", inner, rest)


def newest(template: str) -> Hashable:
    """The key under which relations hold the facts of a template that the last round brought."""
    return (template,)


def excluded(conditions: list[Condition], position: int) -> frozenset[str]:
    """The names that a pattern binding all slots leaves alone: earlier patterns, `let`s and aggregates bind them."""
    names: set[str] = set()
    for other, condition in enumerate(conditions):
        if other < position or condition[0] != "match":
            names |= names_bound(condition)
    return frozenset(names)


def _finish(relations: Relations, env: Env, premises: Premises, emit: Emit) -> object:
    return emit((env, premises))


def _match(pattern: Pattern, source: Hashable, rest: Rest | None) -> Step:
    candidates, match = pattern.candidates, pattern.match
    step: Step | None = None

    def run(relations: Relations, env: Env, premises: Premises, emit: Emit) -> object:
        nonlocal step
        relation = relations.get(source)
        if relation is None:
            return None
        facts = candidates(relation, env)
        if len(facts) > 1:
            relations.pay(len(facts))
        for fact in facts:
            found = match(fact._slots, env)
            if found is not None:
                if step is None:
                    assert rest is not None  # the last pattern has the other form
                    step = rest()
                if step(relations, found, (*premises, fact), emit):
                    return True
        return None

    def run_last(relations: Relations, env: Env, premises: Premises, emit: Emit) -> object:
        relation = relations.get(source)
        if relation is None:
            return None
        facts = candidates(relation, env)
        if len(facts) > 1:
            relations.pay(len(facts))
        for fact in facts:
            found = match(fact._slots, env)
            if found is not None and emit((found, (*premises, fact))):
                return True
        return None

    return run_last if rest is None else run


def _test(test: Term, rest: Rest) -> Step:
    step: Step | None = None

    def run(relations: Relations, env: Env, premises: Premises, emit: Emit) -> object:
        nonlocal step
        try:
            if test(env) is not True:
                return None
        except Unknown:
            return None
        if step is None:
            step = rest()
        return step(relations, env, premises, emit)

    return run


def arranged(premises: Premises, order: list[int]) -> Premises:
    """Premises in another order."""
    return tuple([premises[place] for place in order])


def bind(env: Env, name: str, value: Value) -> Env | None:
    """The bindings with one more; None when the name is bound to another value already."""
    known = env.get(name)
    if known is None:
        return {**env, name: value}
    return env if same(known, value) else None


def _let(name: str, term: Term, rest: Rest) -> Step:
    step: Step | None = None

    def run(relations: Relations, env: Env, premises: Premises, emit: Emit) -> object:
        nonlocal step
        try:
            found = bind(env, name, term(env))
        except Unknown:
            return None
        if found is None:
            return None
        if step is None:
            step = rest()
        return step(relations, found, premises, emit)

    return run


def _found(row: Row) -> bool:
    return True


def _holds(wanted: bool, inner: Step, rest: Rest) -> Step:
    step: Step | None = None

    def run(relations: Relations, env: Env, premises: Premises, emit: Emit) -> object:
        nonlocal step
        if bool(inner(relations, env, (), _found)) is not wanted:
            return None
        if step is None:
            step = rest()
        return step(relations, env, premises, emit)

    return run


def _aggregate(condition: Condition, inner: Step, rest: Rest) -> Step:
    name = condition[2]
    fold = folding(condition)
    step: Step | None = None

    def run(relations: Relations, env: Env, premises: Premises, emit: Emit) -> object:
        nonlocal step
        rows: list[Row] = []
        inner(relations, env, (), rows.append)
        value, _ = fold(rows)
        found = None if value is None else bind(env, name, value)
        if found is None:
            return None
        if step is None:
            step = rest()
        return step(relations, found, premises, emit)

    return run


def folding(condition: Condition) -> Callable[[list[Row]], tuple[Value | None, list[Row]]]:
    """A function from the rows that an aggregate ranges over to its value, and the rows that have part in it.

    A row whose value, key or distinct part is unknown has none. Of rows with equal distinct parts the one with the
    smallest value counts; `first` and `last` go by the key (the value, where none is given), then by the value.
    """
    _, function, _, value_expr, by_expr, distinct_expr, _ = condition
    value_of = compile_expression(value_expr if value_expr is not None else 1)
    by = compile_expression(by_expr) if by_expr is not None else value_of
    distinct = compile_expression(distinct_expr) if distinct_expr is not None else None
    finish = _FOLDS[function]
    if function == "count" and value_expr is None and by_expr is None and distinct is None:
        return lambda rows: (len(rows), rows)

    def fold(rows: list[Row]) -> tuple[Value | None, list[Row]]:
        counted: list[Row] = []
        entries: list[Any] = []
        for row in rows:
            try:
                value = value_of(row[0])
                entries.append((sort_key(by(row[0])), sort_key(value), value, distinct and key_of(distinct(row[0]))))
            except Unknown:
                continue
            counted.append(row)
        if distinct is not None:
            smallest: dict[Hashable, Any] = {}
            for entry in entries:
                if entry[3] not in smallest or entry[:2] < smallest[entry[3]][:2]:
                    smallest[entry[3]] = entry
            entries = list(smallest.values())
        return finish(entries), counted

    return fold


def _sum(entries: list[Any]) -> Value | None:
    # Floats are summed exactly, so that the order of the facts cannot show in the last digits.
    values = [entry[2] for entry in entries]
    if not all(type(value) is int or type(value) is float for value in values):
        return None
    try:
        return bounded_number(sum(values) if all(type(value) is int for value in values) else fsum(values))
    except (Unknown, ArithmeticError, ValueError):
        return None


_FOLDS: dict[str, Callable[[list[Any]], Value | None]] = {
    "count": len,
    "sum": _sum,
    "min": lambda entries: min(entries, key=_value_key)[2] if entries else None,
    "max": lambda entries: max(entries, key=_value_key)[2] if entries else None,
    "first": lambda entries: min(entries, key=_by_key)[2] if entries else None,
    "last": lambda entries: max(entries, key=_by_key)[2] if entries else None,
}


def _value_key(entry: Any) -> Any:
    return entry[1]


def _by_key(entry: Any) -> Any:
    return entry[:2]
