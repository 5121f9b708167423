"""What follows from given facts, and why."""

from __future__ import annotations

from triage.engine.describe import show_conditions
from triage.engine.evaluation import KEPT, State
from triage.engine.matching import folding
from triage.engine.values import TYPE_CHECKING, plain, sort_key

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from triage.engine.evaluation import Record
    from triage.engine.facts import Fact
    from triage.engine.matching import Env, Row
    from triage.engine.program import Program, Rule
    from triage.engine.proofs import Proof
    from triage.engine.rules import Condition
    from triage.engine.values import Value
    from triage.engine.whynot import WhyNot


class Derivation:
    """One way in which a rule gives a fact.

    `rule` is the name of the rule, `bindings` the variables' values by name, `premises` the facts it rests on: those its
    patterns matched, in the order written, one witness for each `exists`, and all facts that an aggregate ranged over.
    `conditions` are those of the rule, as data.
    """

    __slots__ = ("_negations", "bindings", "conditions", "premises", "rule")

    def __init__(
        self,
        rule: str,
        bindings: dict[str, Value],
        premises: tuple[Fact, ...],
        negations: list[tuple[list[Condition], Env]],
        conditions: list[Condition],
    ) -> None:
        self.rule = rule
        self.bindings = bindings
        self.premises = premises
        self.conditions = conditions
        self._negations = negations

    @property
    def absent(self) -> tuple[str, ...]:
        """The negated conditions that held, in words: worked out when asked for, since few readers ask."""
        return tuple([f"not {show_conditions(conditions, env)}" for conditions, env in self._negations])

    def to_data(self) -> dict[str, object]:
        """As JSON has it."""
        return {
            "rule": self.rule,
            "bindings": {name: plain(value) for name, value in self.bindings.items()},
            "premises": [fact.to_data() for fact in self.premises],
            "absent": list(self.absent),
        }

    def __repr__(self) -> str:
        return f"Derivation({self.rule!r}, {self.premises!r})"


class Withdrawal:
    """A fact that the last change took away. `reasons` says why, a sentence for each support it had."""

    __slots__ = ("fact", "reasons")

    def __init__(self, fact: Fact, reasons: tuple[str, ...]) -> None:
        self.fact = fact
        self.reasons = reasons

    def to_data(self) -> dict[str, object]:
        """As JSON has it."""
        return {"fact": self.fact.to_data(), "reasons": list(self.reasons)}

    def __repr__(self) -> str:
        return f"Withdrawal({self.fact!r}, {self.reasons!r})"


class Model:
    """All facts that follow from the given ones. Made by `Program.run`.

    `withdrawn` holds what the last `assert_facts` or `retract_facts` took away, in order.
    """

    __slots__ = ("_derivations", "_first", "_limit", "_sorted", "_state", "withdrawn")

    def __init__(self, program: Program, facts: Iterable[Fact], limit: int) -> None:
        self._limit = limit
        self._derivations: dict[Fact, tuple[Derivation, ...]] = {}
        self._first: dict[Fact, Derivation | None] = {}
        self._sorted: dict[str, list[Fact]] = {}
        self._state = State(program, limit)
        for fact in facts:
            self._state.give(fact)
        self._state.evaluate()
        self.withdrawn: tuple[Withdrawal, ...] = ()

    @property
    def program(self) -> Program:
        """The program that made this model."""
        return self._state.program

    def facts(self, template: str | None = None) -> list[Fact]:
        """The facts of a template, or all facts, sorted."""
        if template is None:
            return sorted(self._state.support, key=_fact_key)
        found = self._sorted.get(template)
        if found is None:
            relation = self._state.relations.get(template)
            found = self._sorted[template] = [] if relation is None else sorted(relation.facts, key=_fact_key)
        return found.copy()

    def __contains__(self, fact: Fact) -> bool:
        return fact in self._state.support

    def __len__(self) -> int:
        return len(self._state.support)

    def is_given(self, fact: Fact) -> bool:
        """Whether a fact was given rather than (or as well as) derived."""
        return fact in self._state.given

    def derivations(self, fact: Fact) -> tuple[Derivation, ...]:
        """The derivations of a fact, at most 64: those found in the earliest stratum and round first, then by rule name
        and premises. The first never rests on the fact itself. Empty for a fact that was only given, or is not known."""
        found = self._derivations.get(fact)
        if found is None:
            state = self._state
            records = sorted(state.support.get(fact, ()), key=state.rank)[:KEPT]
            derivations = [_derivation(state, record) for record in records]
            if len(records) > 1:  # assignments that differ only in which of two patterns matched a fact are one to the reader
                derivations = list({repr((one.rule, one.bindings, one.premises)): one for one in derivations}.values())
            found = self._derivations[fact] = tuple(derivations)
        return found

    def derivation(self, fact: Fact) -> Derivation | None:
        """The first of the derivations of a fact, without working out the others."""
        if fact in self._derivations:
            return next(iter(self._derivations[fact]), None)
        if fact not in self._first:
            state = self._state
            records = state.support.get(fact)
            self._first[fact] = _derivation(state, min(records, key=state.rank)) if records else None
        return self._first[fact]

    def why(self, fact: Fact) -> Proof:
        """The proof of a fact. Raises KeyError when it is not in the model."""
        from triage.engine.proofs import prove

        return prove(self, fact)

    def why_not(self, rule: str) -> WhyNot:
        """Why a rule did not fire, the nearest failed condition first. Raises KeyError when there is no such rule."""
        from triage.engine.whynot import explain_silence

        return explain_silence(self._state, rule)

    def assert_facts(self, facts: Iterable[Fact]) -> None:
        """Adds given facts and recomputes from the first stratum that depends on them. Raises RunawayError; the model then
        stays as it was."""
        given = self._state.given
        new = {fact: None for fact in facts if fact not in given}
        self._change([*given, *new], {fact.template for fact in new})

    def retract_facts(self, facts: Iterable[Fact]) -> None:
        """Takes given facts back and recomputes from the first stratum that depended on them. A fact that is also derived
        stays; one that was not given is ignored. Raises RunawayError; the model then stays as it was."""
        given = self._state.given
        gone = {fact for fact in facts if fact in given}
        self._change([fact for fact in given if fact not in gone], {fact.template for fact in gone})

    def _change(self, given: list[Fact], touched: set[str]) -> None:
        old = self._state
        data = old.program.data
        strata: list[int] = data["strata"]
        first = min([data["readers"].get(template, len(strata)) for template in touched], default=len(strata))
        new = State(old.program, self._limit, first)
        for fact in sorted(given, key=_fact_key):
            new.give(fact)
        for fact, records in old.support.items():
            kept = [record for record in records if strata[record[1]] < first]
            if kept:
                new.keep(fact, kept)
        new.evaluate()
        self._state = new
        self._derivations, self._first, self._sorted = {}, {}, {}
        gone = sorted([fact for fact in old.support if fact not in new.support], key=_fact_key)
        self.withdrawn = tuple([Withdrawal(fact, _reasons(old, new, fact)) for fact in gone])


def _fact_key(fact: Fact) -> Any:
    return fact.sort_key


def _derivation(state: State, record: Record) -> Derivation:
    _, index, env, matched = record
    rule = state.program.rule(index)
    premises: dict[Fact, None] = {}
    negations: list[tuple[list[Condition], Env]] = []
    patterns = iter(matched)
    for position, condition in enumerate(rule.data["when"]):
        kind = condition[0]
        if kind == "match":
            premises[next(patterns)] = None
        elif kind == "not":
            negations.append((condition[1], _visible(rule, position, env)))
        elif kind == "exists":
            rows = [sorted(set(row[1]), key=_fact_key) for row in _rows(state, rule, position, env)]
            premises.update(dict.fromkeys(min(rows, key=lambda facts: _earliest(state, facts))))
        elif kind == "aggregate":
            _, counted = folding(condition)(_rows(state, rule, position, env))
            premises.update(dict.fromkeys(sorted({fact for row in counted for fact in row[1]}, key=_fact_key)))
    bindings = {name: env[name] for name in sorted(env)}
    return Derivation(rule.name, bindings, tuple(premises), negations, rule.data["when"])


def _visible(rule: Rule, position: int, env: Env) -> Env:
    """The bindings that a condition holding others sees."""
    hidden = rule.conditions.hidden(position)
    return {name: value for name, value in env.items() if name not in hidden} if hidden else env


def _rows(state: State, rule: Rule, position: int, env: Env) -> list[Row]:
    """All ways in which the conditions inside a condition hold."""
    rows: list[Row] = []
    rule.conditions.inner(position).run(state.relations, _visible(rule, position, env), (), rows.append)
    return rows


def _earliest(state: State, facts: Iterable[Fact]) -> Any:
    """Orders witnesses: what was known first cannot rest on what it supports."""
    return (max([state.born(fact) for fact in facts], default=(-1, 0)), [fact.sort_key for fact in facts])


def _reasons(old: State, new: State, fact: Fact) -> tuple[str, ...]:
    """What each support of a fact that is gone has lost."""
    reasons: dict[str, None] = {}
    if fact in old.given:
        reasons["it was retracted"] = None
    for record in sorted(old.support[fact], key=old.rank):
        rule = old.program.rule(record[1])
        reasons[f"rule {rule.name}: {_loss(new, rule, record)}"] = None
    return tuple(reasons)


def _loss(new: State, rule: Rule, record: Record) -> str:
    _, _, env, premises = record
    lost = [premise for premise in premises if premise not in new.support]
    if lost:
        return ", ".join([f"{premise!r} is gone" for premise in dict.fromkeys(lost)])
    for position, condition in enumerate(rule.data["when"]):
        if condition[0] == "not" and (rows := _rows(new, rule, position, env)):
            blocking = sorted({fact for row in rows for fact in row[1]}, key=_fact_key)
            return f"not {show_conditions(condition[1], _visible(rule, position, env))}: there is {', '.join(map(repr, blocking[:3]))}"
        if condition[0] == "exists" and not _rows(new, rule, position, env):
            return f"{show_conditions(condition[1], _visible(rule, position, env))} is gone"
        if condition[0] == "aggregate":
            value, _ = folding(condition)(_rows(new, rule, position, env))
            if value is None or sort_key(value) != sort_key(env[condition[2]]):
                return f"{condition[2]} changed"
    return "its conditions no longer hold"
