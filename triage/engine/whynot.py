"""Why a rule did not fire: the partial assignment that came furthest, and what stood in its way."""

from __future__ import annotations

from triage.engine.describe import show_condition
from triage.engine.errors import Unknown
from triage.engine.expressions import compile_expression, variables
from triage.engine.matching import Compiled, Pattern, bind, excluded, folding
from triage.engine.rules import names_bound, names_needed, nested
from triage.engine.values import TYPE_CHECKING, from_data, plain

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Literal, TypeAlias

    from triage.engine.evaluation import State
    from triage.engine.facts import Fact
    from triage.engine.matching import Env, Row
    from triage.engine.program import Rule
    from triage.engine.rules import Condition
    from triage.engine.values import Value

    Kind: TypeAlias = Literal["absent", "other-value", "blocked-by-negation", "test-false", "test-unknown", "never"]

_EFFORT = 20_000  # facts looked at before the search for a better assignment ends
_SHOWN = 5


class Failure:
    """A condition that does not hold.

    `kind` is one of
      absent: no fact of the template, or nothing that an `exists` or aggregate asks for;
      other-value: there are facts of the template, but with other values (`facts` has the nearest ones);
      blocked-by-negation: what must not be there is there (`facts`);
      test-false: a test is false, or a `let` or aggregate gives a value other than the one bound already;
      test-unknown: a test or `let` over values that are not known (`unknown` names the unbound variables);
      never: neither an input nor a rule gives this template.
    `condition` describes the condition, `bindings` are those under which it was tried, `givers` the rules that could give
    what is missing, `wanted` the values that the fact must have, by slot.
    """

    __slots__ = ("bindings", "condition", "facts", "givers", "kind", "template", "unknown", "wanted")

    def __init__(
        self,
        kind: Kind,
        condition: str,
        bindings: Env,
        template: str | None = None,
        facts: tuple[Fact, ...] = (),
        unknown: tuple[str, ...] = (),
        givers: tuple[str, ...] = (),
        wanted: Mapping[str, tuple[Value, ...]] | None = None,
    ) -> None:
        self.kind: Kind = kind
        self.condition = condition
        self.bindings = bindings
        self.template = template
        self.facts = facts
        self.unknown = unknown
        self.givers = givers
        self.wanted: Mapping[str, tuple[Value, ...]] = wanted or {}

    def to_data(self) -> dict[str, object]:
        """As JSON has it; what is empty is left out."""
        data: dict[str, object] = {"kind": self.kind, "condition": self.condition}
        if self.template is not None:
            data["template"] = self.template
        if self.wanted:
            data["wanted"] = {slot: [plain(value) for value in values] for slot, values in self.wanted.items()}
        if self.facts:
            data["facts"] = [fact.to_data() for fact in self.facts]
        if self.unknown:
            data["unknown"] = list(self.unknown)
        if self.givers:
            data["given_by"] = list(self.givers)
        if self.bindings:
            data["bindings"] = {name: plain(self.bindings[name]) for name in sorted(self.bindings)}
        return data

    def __repr__(self) -> str:
        return f"Failure({self.kind!r}, {self.condition!r})"


class WhyNot:
    """`failures`, the nearest first: the condition at which the best assignment stopped, then those further on that fail
    under its bindings too. `fired` tells that the rule did fire after all; then there are none."""

    __slots__ = ("failures", "fired", "rule")

    def __init__(self, rule: str, fired: bool, failures: tuple[Failure, ...]) -> None:
        self.rule = rule
        self.fired = fired
        self.failures = failures

    def to_data(self) -> dict[str, object]:
        """As JSON has it."""
        return {"rule": self.rule, "fired": self.fired, "failures": [failure.to_data() for failure in self.failures]}

    def __repr__(self) -> str:
        return f"WhyNot({self.rule!r}, fired={self.fired}, {self.failures!r})"


def explain_silence(state: State, name: str) -> WhyNot:
    """Why no rule of this name fired; of several, the one that came nearest. Raises KeyError when there is none."""
    rules = state.program.named(name)
    if not rules:
        raise KeyError(name)
    best: tuple[Failure, ...] | None = None
    for rule in rules:
        failures = _Search(state, rule).failures()
        if not failures:
            return WhyNot(name, True, ())
        if best is None or len(failures) < len(best):
            best = failures
    return WhyNot(name, False, best or ())


class _Search:
    """Meets the conditions of one rule in their order, remembering the assignment that came furthest."""

    def __init__(self, state: State, rule: Rule) -> None:
        self.state = state
        self.rule = rule
        self.conditions: list[Condition] = rule.data["when"]
        self.order = rule.conditions.order
        self.best: list[Failure] = []
        self.reached = -1
        self.effort = _EFFORT

    def failures(self) -> tuple[Failure, ...]:
        """Nothing when all conditions hold under some assignment."""
        if self._advance(0, {}):
            return ()
        return tuple(self.best)

    def _advance(self, place: int, env: Env) -> bool:
        """Whether the conditions from a place on hold under these bindings or an extension of them."""
        if place == len(self.order):
            return True
        held = False
        for found in self._extensions(place, env):
            held = True
            if self._advance(place + 1, found):
                return True
            if self.effort <= 0:
                break
        if not held and (place > self.reached or (place == self.reached and len(self.best) > 1)):
            failures = self._remaining(place, env)
            if place > self.reached or len(failures) < len(self.best):
                self.reached, self.best = place, failures
        return False

    def _remaining(self, place: int, env: Env) -> list[Failure]:
        """The failures from a place on, each condition tried under what the ones before it left.

        What turns on variables that a failed condition would have bound is no failure of its own.
        """
        failures: list[Failure] = []
        lost: set[str] = set()
        lost_slots = False
        for later in range(place, len(self.order)):
            condition = self.conditions[self.order[later]]
            found = next(iter(self._extensions(later, env)), None)
            if found is not None:
                env = found
                continue
            open_names = names_needed(condition) - env.keys()
            if not (open_names and (lost_slots or not lost.isdisjoint(open_names))):
                failures.append(self._failure(later, env))
            lost |= names_bound(condition)
            lost_slots = lost_slots or (condition[0] == "match" and condition[3])
        return failures

    def _extensions(self, place: int, env: Env) -> list[Env]:
        """The bindings under which one condition holds."""
        position = self.order[place]
        condition = self.conditions[position]
        kind = condition[0]
        if kind == "match":
            return self._matches(position, env)
        if kind == "test":
            try:
                return [env] if compile_expression(condition[1])(env) is True else []
            except Unknown:
                return []
        if kind == "let":
            try:
                found = bind(env, condition[1], compile_expression(condition[2])(env))
            except Unknown:
                return []
            return [] if found is None else [found]
        rows = self._rows(condition, env)
        if kind == "aggregate":
            value, _ = folding(condition)(rows)
            found = None if value is None else bind(env, condition[2], value)
            return [] if found is None else [found]
        return [env] if bool(rows) is (kind == "exists") else []

    def _matches(self, position: int, env: Env) -> list[Env]:
        # After a condition that failed, variables are unbound that a plan counts on: nothing is taken for bound here.
        pattern = Pattern(self.conditions[position], excluded(self.conditions, position), frozenset())
        relation = self.state.relations.get(pattern.template)
        if relation is None:
            return []
        candidates = sorted(pattern.candidates(relation, env), key=_fact_key)
        self.effort -= len(candidates)
        return [found for fact in candidates if (found := pattern.match(fact._slots, env)) is not None]

    def _rows(self, condition: Condition, env: Env) -> list[Row]:
        rows: list[Row] = []
        Compiled(nested(condition), frozenset(env)).run(self.state.relations, env, (), rows.append)
        return rows

    def _failure(self, place: int, env: Env) -> Failure:
        position = self.order[place]
        condition = self.conditions[position]
        kind = condition[0]
        shown = show_condition(condition, env)
        if kind == "match":
            return self._no_match(condition, shown, env)
        if kind in ("test", "let"):
            expr = condition[1] if kind == "test" else condition[2]
            unbound = tuple(sorted(name for name in variables(expr) if name not in env))
            try:
                compile_expression(expr)(env)
            except Unknown:
                return Failure("test-unknown", shown, env, unknown=unbound)
            return Failure("test-false", shown, env)
        rows = self._rows(condition, env)
        if kind == "not":
            blocking = sorted({fact for row in rows for fact in row[1]}, key=_fact_key)
            return Failure("blocked-by-negation", shown, env, facts=tuple(blocking[:_SHOWN]))
        if kind == "aggregate" and folding(condition)(rows)[0] is not None:
            return Failure("test-false", shown, env)
        return Failure("absent", shown, env)

    def _no_match(self, condition: Condition, shown: str, env: Env) -> Failure:
        template = condition[1]
        data = self.state.program.data
        givers = tuple(sorted({data["names"][index] for index in data["givers"].get(template, ())}))
        relation = self.state.relations.get(template)
        wanted = _constants(condition)
        if relation is None:
            never = not givers and template not in data["inputs"]
            return Failure("never" if never else "absent", shown, env, template, givers=givers, wanted=wanted)
        nearest = sorted(relation.facts, key=lambda fact: (-_agreement(condition, fact, env), fact.sort_key))
        return Failure("other-value", shown, env, template, facts=tuple(nearest[:_SHOWN]), givers=givers, wanted=wanted)


def _constants(condition: Condition) -> dict[str, tuple[Value, ...]]:
    """The values that a pattern names, by slot."""
    terms = sorted(condition[2].items())
    named = {slot: [term[1]] if term[0] == "const" else term[1] for slot, term in terms if term[0] in ("const", "in")}
    return {slot: tuple(from_data(value) for value in values) for slot, values in named.items()}


def _agreement(condition: Condition, fact: Fact, env: Env) -> int:
    """In how many slots a fact fits a pattern."""
    return sum(
        Pattern(["match", condition[1], {slot: term}, False], frozenset(), frozenset()).match(fact._slots, env) is not None
        for slot, term in condition[2].items()
    )


def _fact_key(fact: Fact) -> Any:
    return fact.sort_key
