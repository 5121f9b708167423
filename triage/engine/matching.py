"""How the conditions of a rule are met: each condition is a step that extends the bindings and calls the next one.

A step is run with `relations`, the facts by template; `env`, the bindings so far (never changed in place); and `premises`, the
facts matched so far. The last step calls `emit((env, premises))`; a true answer ends the search.
"""

from __future__ import annotations

from math import fsum, inf

from triage.engine.errors import Exhausted, Unknown
from triage.engine.expressions import bounded_number, compile_expression, decode_value
from triage.engine.planning import plan
from triage.engine.rules import names_bound, nested
from triage.engine.values import TYPE_CHECKING, key_of, same, sort_key

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence
    from typing import Any, TypeAlias

    from triage.engine.expressions import Term
    from triage.engine.facts import Fact
    from triage.engine.rules import Condition
    from triage.engine.values import Value

    Env: TypeAlias = dict[str, Value]
    Premises: TypeAlias = tuple[Fact, ...]
    Calls: TypeAlias = Mapping[str, tuple[dict[str, list[int]], dict[Hashable, list[int]]]]
    Row: TypeAlias = tuple[Env, Premises]
    Emit: TypeAlias = Callable[[Row], object]

_SCAN = 8  # up to so many facts are looked at one by one


class Relation:
    """The facts of one template, in the order they came, indexed by the slots that joins ask for.

    `calls` has what `Gate.slots` has: which rules the values of a slot call for.
    """

    __slots__ = ("calls", "facts", "indexes")

    def __init__(self, calls: Calls | None = None) -> None:
        self.calls: Calls = calls or {}
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

    The slots hold pairs of a slot of the fact and what is asked of it: a string, the key of another constant (None stands for any
    value), the keys of several, the name of a variable that is certainly bound or of one that may not be.
    """

    __slots__ = ("_choices", "_exclude", "_free", "_joined", "_keyed", "_texts", "template")

    def __init__(self, condition: Condition, exclude: frozenset[str], bound: frozenset[str]) -> None:
        """`exclude` names the slots that are not bound although the pattern binds all; `bound` the variables that certainly are."""
        _, self.template, terms, bind_all = condition
        texts: list[tuple[str, str]] = []
        keyed: list[tuple[str, Hashable]] = []
        choices: list[tuple[str, dict[Hashable, None]]] = []
        joined: list[tuple[str, str]] = []
        free: list[tuple[str, str]] = []
        for slot, term in terms.items():
            kind = term[0]
            if kind == "var":
                (joined if term[1] in bound else free).append((slot, term[1]))
            elif kind == "any":
                keyed.append((slot, None))
            elif kind == "in":
                choices.append((slot, dict.fromkeys([key_of(decode_value(data)) for data in term[1]])))
            elif type(term[1]) is str:
                texts.append((slot, term[1]))
            else:
                keyed.append((slot, key_of(decode_value(term[1]))))
        # Tuples of what holds no object are left alone by the garbage collector: thousands of patterns are kept.
        self._texts = tuple(texts)
        self._keyed = tuple(keyed)
        self._choices = tuple(choices)
        self._joined = tuple(joined)
        self._free = tuple(free)
        self._exclude = exclude if bind_all else None

    def match(self, slots: Env, env: Env) -> Env | None:
        """The bindings extended by those of a fact with these slots, None when it does not match."""
        for slot, text in self._texts:
            if slots.get(slot) != text:
                return None
        for slot, key in self._keyed:
            value = slots.get(slot)
            if value is None or (key is not None and key_of(value) != key):
                return None
        for slot, keys in self._choices:
            value = slots.get(slot)
            if value is None or key_of(value) not in keys:
                return None
        for slot, name in self._joined:
            value = slots.get(slot)
            if value is None or not same(env[name], value):
                return None
        found = env
        if self._free:
            found = env.copy()
            for slot, name in self._free:
                value = slots.get(slot)
                if value is None:
                    return None
                known = found.setdefault(name, value)
                if known is not value and not same(known, value):
                    return None
        if self._exclude is None:
            return found
        if self._exclude:
            return {**{slot: value for slot, value in slots.items() if slot not in self._exclude}, **found}
        return {**slots, **found} if found else slots

    def candidates(self, relation: Relation, env: Env) -> Sequence[Fact]:
        """The facts worth trying: the fewest that one slot with a known value leaves."""
        best: Sequence[Fact] = relation.facts
        if len(best) <= _SCAN:
            return best
        for slot, key in (*self._texts, *self._keyed):
            if key is not None:
                best = _fewer(best, relation.with_value(slot, key))
        for slot, name in self._joined:
            best = _fewer(best, relation.with_value(slot, key_of(env[name])))
        for slot, keys in self._choices:
            several = [relation.with_value(slot, key) for key in keys]
            if sum(map(len, several)) < len(best):
                best = [fact for found in several for fact in found]
        if len(best) > _SCAN and env:
            for slot, name in self._free:  # a pattern that binds all slots may have bound it
                value = env.get(name)
                if value is not None:
                    best = _fewer(best, relation.with_value(slot, key_of(value)))
        return best


def _fewer(best: Sequence[Fact], found: Sequence[Fact]) -> Sequence[Fact]:
    return found if len(found) < len(best) else best


class Compiled:
    """Conditions compiled together. Each step is made when it is first reached, for most rules fail early.

    `order` has the positions of the conditions as they are met.
    """

    __slots__ = ("_bounds", "_conditions", "_first", "_hidden", "_inner", "_orders", "_start", "order")

    def __init__(self, conditions: list[Condition], outer: frozenset[str], first: int | None = None, orders: Any = None) -> None:
        """`orders` is what `orders()` gave for these conditions; without, they are planned."""
        if orders is None:
            self.order = plan(conditions, outer, first)
        else:
            self.order = (orders and orders[0]) or list(range(len(conditions)))
        self._conditions = conditions
        self._first = first
        self._orders = orders
        self._bounds = {0: outer}
        self._inner: dict[int, Compiled] | None = None
        self._hidden: dict[int, frozenset[str]] | None = None
        self._start = self.step(0)

    def run(self, relations: Relations, env: Env, premises: Premises, emit: Emit) -> object:
        """Calls `emit` with every way in which the conditions hold."""
        return self._start.run(relations, env, premises, emit)

    def orders(self) -> Any:
        """The order of the conditions, 0 for as written, then the same for each that holds others; 0 where all of these are 0."""
        order = 0 if self.order == sorted(self.order) else self.order
        inner = [self.inner(position).orders() for position in self._holding()]
        return [order, *inner] if order or any(inner) else 0

    def inner(self, position: int) -> Compiled:
        """The conditions inside a condition, compiled."""
        if self._inner is None:
            self._inner = {}
        inner = self._inner.get(position)
        if inner is None:
            orders = self._orders and self._orders[1 + self._holding().index(position)]
            outer = self._bound(self.order.index(position))
            inner = self._inner[position] = Compiled(nested(self._conditions[position]), outer, orders=orders)
        return inner

    def hidden(self, position: int) -> frozenset[str]:
        """The variables that are bound after a condition that holds others, which it does not see."""
        if self._hidden is None:
            self._hidden = {}
        hidden = self._hidden.get(position)
        if hidden is None:
            hidden = self._hidden[position] = self._bound(len(self.order)) - self._bound(self.order.index(position))
        return hidden

    def _holding(self) -> list[int]:
        return [position for position, condition in enumerate(self._conditions) if nested(condition)]

    def _bound(self, place: int) -> frozenset[str]:
        """The variables that are certainly bound before the condition that is met in this place."""
        bound = self._bounds.get(place)
        if bound is None:
            bound = self._bounds[place] = self._bound(place - 1) | names_bound(self._conditions[self.order[place - 1]])
        return bound

    def step(self, place: int) -> Step:
        """The step that meets the condition in this place of the order, and goes on to the next one."""
        if place == len(self.order):
            return _END
        position = self.order[place]
        condition = self._conditions[position]
        kind = condition[0]
        if kind == "match":
            left_alone = excluded(self._conditions, position) if condition[3] else _NOTHING
            pattern = Pattern(condition, left_alone, self._bound(place))
            source = newest(pattern.template) if position == self._first else pattern.template
            return _Match(self, place, pattern, source)
        if kind == "test":
            return _Test(self, place, compile_expression(condition[1]))
        if kind == "let":
            return _Let(self, place, condition[1], compile_expression(condition[2]))
        inner = self.inner(position)
        return _Aggregate(self, place, condition, inner) if kind == "aggregate" else _Holds(self, place, inner, kind == "exists")


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


class Step:
    """Meets one condition, and calls the step of the next for every way in which it is met."""

    __slots__ = ("_compiled", "_next", "_place")

    def __init__(self, compiled: Compiled | None, place: int) -> None:
        self._compiled = compiled
        self._place = place
        self._next: Step | None = None

    def next(self) -> Step:
        """The next step, made when it is first reached; the last one ends the search."""
        assert self._compiled is not None  # the last step goes on to none
        step = self._next = self._compiled.step(self._place + 1)
        return step

    def run(self, relations: Relations, env: Env, premises: Premises, emit: Emit) -> object:
        """The conditions from this one on, over `relations`; a true answer says that the search is over."""
        return emit((env, premises))


class _Match(Step):
    __slots__ = ("_pattern", "_source")

    def __init__(self, compiled: Compiled, place: int, pattern: Pattern, source: Hashable) -> None:
        super().__init__(compiled, place)
        self._pattern = pattern
        self._source = source

    def run(self, relations: Relations, env: Env, premises: Premises, emit: Emit) -> object:
        relation = relations.get(self._source)
        if relation is None:
            return None
        pattern = self._pattern
        facts: Sequence[Fact] = relation.facts
        if len(facts) > 1:
            facts = pattern.candidates(relation, env)
            relations.pay(len(facts))
        for fact in facts:
            found = pattern.match(fact._slots, env)
            if found is not None:
                step = self._next or self.next()
                if step.run(relations, found, (*premises, fact), emit):
                    return True
        return None


class _Test(Step):
    __slots__ = ("_test",)

    def __init__(self, compiled: Compiled, place: int, test: Term) -> None:
        super().__init__(compiled, place)
        self._test = test

    def run(self, relations: Relations, env: Env, premises: Premises, emit: Emit) -> object:
        try:
            if self._test(env) is not True:
                return None
        except Unknown:
            return None
        return (self._next or self.next()).run(relations, env, premises, emit)


class _Let(Step):
    __slots__ = ("_name", "_term")

    def __init__(self, compiled: Compiled, place: int, name: str, term: Term) -> None:
        super().__init__(compiled, place)
        self._name = name
        self._term = term

    def run(self, relations: Relations, env: Env, premises: Premises, emit: Emit) -> object:
        try:
            found = bind(env, self._name, self._term(env))
        except Unknown:
            return None
        return None if found is None else (self._next or self.next()).run(relations, found, premises, emit)


class _Holds(Step):
    __slots__ = ("_inner", "_wanted")

    def __init__(self, compiled: Compiled, place: int, inner: Compiled, wanted: bool) -> None:
        super().__init__(compiled, place)
        self._inner = inner
        self._wanted = wanted

    def run(self, relations: Relations, env: Env, premises: Premises, emit: Emit) -> object:
        if bool(self._inner.run(relations, env, (), _found)) is not self._wanted:
            return None
        return (self._next or self.next()).run(relations, env, premises, emit)


class _Aggregate(Step):
    __slots__ = ("_fold", "_inner", "_name")

    def __init__(self, compiled: Compiled, place: int, condition: Condition, inner: Compiled) -> None:
        super().__init__(compiled, place)
        self._name: str = condition[2]
        self._fold = folding(condition)
        self._inner = inner

    def run(self, relations: Relations, env: Env, premises: Premises, emit: Emit) -> object:
        rows: list[Row] = []
        self._inner.run(relations, env, (), rows.append)
        value, _ = self._fold(rows)
        found = None if value is None else bind(env, self._name, value)
        return None if found is None else (self._next or self.next()).run(relations, found, premises, emit)


_END = Step(None, 0)
_NOTHING: frozenset[str] = frozenset()


def _found(row: Row) -> bool:
    return True


def arranged(premises: Premises, order: list[int]) -> Premises:
    """Premises in another order."""
    return tuple([premises[place] for place in order])


def bind(env: Env, name: str, value: Value) -> Env | None:
    """The bindings with one more; None when the name is bound to another value already."""
    known = env.get(name)
    if known is None:
        return {**env, name: value}
    return env if same(known, value) else None


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
