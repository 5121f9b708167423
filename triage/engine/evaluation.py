"""Bottom-up evaluation, stratum by stratum; semi-naive inside recursive components."""

from __future__ import annotations

from math import inf

from triage.engine.errors import Exhausted, RunawayError
from triage.engine.matching import Relation, Relations, arranged, newest
from triage.engine.values import TYPE_CHECKING, key_of

if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from triage.engine.facts import Fact
    from triage.engine.matching import Compiled, Emit, Env, Premises, Row
    from triage.engine.program import Program, Rule

    # The round of the component that found it, the number of the rule, the bindings, the facts its patterns matched.
    Record: TypeAlias = tuple[int, int, Env, Premises]

# So many derivations are kept for each fact: of the earliest stratum and round first, then by rule and premises.
KEPT = 64
# A run may look at this many facts for each derivation that it may make.
EFFORT = 100


class State:
    """The facts known, and for each the derivations that support it; given facts need none."""

    __slots__ = ("_agenda", "_awake", "_from", "_limit", "count", "given", "program", "relations", "support")

    def __init__(self, program: Program, limit: int, first_stratum: int = 0) -> None:
        self.program = program
        self.relations = Relations()
        self.support: dict[Fact, list[Record]] = {}
        self.given: set[Fact] = set()
        self.count = 0
        self._limit = limit
        self._from = first_stratum
        self._awake: set[int] = set()
        self._agenda: dict[int, list[int]] = {}
        self._wake(program.data["always"])

    def give(self, fact: Fact) -> None:
        """Adds a given fact; comes before any `keep`."""
        count = len(self.given)
        self.given.add(fact)
        if len(self.given) > count:
            self.support[fact] = []
            self._insert(fact)

    def keep(self, fact: Fact, records: list[Record]) -> None:
        """Adds a fact derived in a stratum that is not evaluated again."""
        self.count += len(records)
        known = fact in self.support
        self.support[fact] = records
        if not known:
            self._insert(fact)

    def evaluate(self) -> None:
        """Derives all that follows. Raises RunawayError."""
        self.relations.effort = EFFORT * self._limit
        agenda, rule_of = self._agenda, self.program.rule
        while agenda:
            stratum = min(agenda)
            components: dict[int, list[Rule]] = {}
            for index in sorted(agenda.pop(stratum)):
                if not self._may_fire(index):
                    continue
                rule = rule_of(index)
                if rule.component < 0:
                    self._fire(rule)
                else:
                    components.setdefault(rule.component, []).append(rule)
            for rules in components.values():
                self._saturate(stratum, rules)
        self.relations.effort = inf

    def rank(self, record: Record) -> tuple[Any, ...]:
        """Orders the derivations of a fact; those that come first do not rest on the fact itself."""
        return (self.program.data["strata"][record[1]], record[0], record[1], tuple([fact.sort_key for fact in record[3]]))

    def born(self, fact: Fact) -> tuple[int, int]:
        """The stratum and round in which a fact was first known; given facts come before all others."""
        if fact in self.given:
            return (-1, 0)
        record = self.support[fact][0]
        return (self.program.data["strata"][record[1]], record[0])

    def _insert(self, fact: Fact) -> None:
        relation = self.relations.get(fact._template)
        if relation is None:
            gate = self.program.gate(fact._template)
            relation = self.relations[fact._template] = Relation(gate.slots)
            self._wake(gate.rules)
        relation.facts.append(fact)
        if relation.indexes:
            relation.index(fact)
        calls = relation.calls
        for slot, value in fact._slots.items():
            called = calls.get(slot)
            if called is not None:
                rules = called[0].get(value) if type(value) is str else called[1].get(key_of(value))
                if rules is not None:
                    self._wake(rules)

    def _wake(self, rules: list[int]) -> None:
        strata = self.program.data["strata"]
        for index in rules:
            if index not in self._awake:
                self._awake.add(index)
                stratum = strata[index]
                if stratum >= self._from:
                    self._agenda.setdefault(stratum, []).append(index)

    def _may_fire(self, index: int) -> bool:
        """Whether what a rule cannot do without is there: looked up before the rule is made ready or met, which costs more."""
        for template, slot, texts in self.program.needs(index):
            relation = self.relations.get(template)
            if relation is None or (slot and not _some(relation.facts, slot, texts)):
                return False
        return True

    def _fire(self, rule: Rule) -> None:
        """Evaluates a rule that does not depend on what it gives."""
        conditions, order = rule.steps
        derive = self._derive

        def emit(row: Row) -> None:
            derive(rule, 0, row[0], row[1] if order is None else arranged(row[1], order))

        self._search(rule, conditions, emit)

    def _search(self, rule: Rule, conditions: Compiled, emit: Emit) -> None:
        try:
            conditions.run(self.relations, {}, (), emit)
        except Exhausted:
            raise self._runaway(f"more than {EFFORT * self._limit} facts looked at", rule) from None

    def _derive(self, rule: Rule, round_: int, env: Env, premises: Premises) -> list[Fact]:
        """Records one firing of a rule; answers the facts that were not known before."""
        self.count += 1
        if self.count > self._limit:
            raise self._runaway(f"more than {self._limit} derivations", rule)
        record = (round_, rule.index, env, premises)
        brought = []
        for head in rule.heads:
            fact = head.build(env)
            new = [record]
            records = self.support.setdefault(fact, new)
            if records is new:
                self._insert(fact)
                brought.append(fact)
            elif not records or records[-1] is not record:  # two heads may give the same fact
                records.append(record)
                if len(records) >= 8 * KEPT:  # sorting costs more than keeping some for a while
                    records.sort(key=self.rank)
                    del records[KEPT:]
        return brought

    def _saturate(self, stratum: int, rules: list[Rule]) -> None:
        """Evaluates the rules of a recursive component until nothing new comes.

        Each round sees only what earlier rounds brought, so that the round of a derivation does not depend on any order.
        """
        component = rules[0].component
        running: list[Rule] = []
        seen: set[tuple[int, Premises]] = set()
        round_ = 0
        while True:
            found = self._round(running, rules)
            running += rules
            latest: dict[str, Relation] = {}
            for rule, env, premises in found:
                key = (rule.index, premises)
                if key not in seen:
                    seen.add(key)
                    for fact in self._derive(rule, round_, env, premises):
                        latest.setdefault(fact._template, Relation()).facts.append(fact)
            for key_ in [key_ for key_ in self.relations if type(key_) is tuple]:
                del self.relations[key_]
            if not latest:
                return
            for template, relation in latest.items():
                self.relations[newest(template)] = relation
            rules = self._called(stratum, component)
            round_ += 1

    def _round(self, running: list[Rule], rules: list[Rule]) -> list[tuple[Rule, Env, Premises]]:
        """What rules find: those that took part before in what the last round brought, the others in all facts."""
        found: list[tuple[Rule, Env, Premises]] = []

        def collect(rule: Rule, conditions: Compiled, order: list[int] | None) -> None:
            most = len(found) + self._limit

            def emit(row: Row) -> None:
                env, premises = row
                found.append((rule, env, premises if order is None else arranged(premises, order)))
                if len(found) > most:
                    raise self._runaway(f"more than {self._limit} derivations", rule)

            self._search(rule, conditions, emit)

        for rule in rules:
            collect(rule, *rule.steps)
        for rule in running:
            for conditions, order in [rule.steps] if rule.deltas is None else rule.deltas:
                collect(rule, conditions, order)
        return found

    def _called(self, stratum: int, component: int) -> list[Rule]:
        """The rules of a component that the last round called for; those of other components stay on the agenda."""
        waiting = sorted(self._agenda.pop(stratum, ()))
        rules = [self.program.rule(index) for index in waiting]
        others = [rule.index for rule in rules if rule.component != component]
        if others:
            self._agenda[stratum] = others
        return [rule for rule in rules if rule.component == component]

    def _runaway(self, message: str, rule: Rule) -> RunawayError:
        """The error that names the rule at work, or those of its component by how much they derived."""
        data = self.program.data
        firings: dict[int, int] = {rule.index: 1}
        for records in self.support.values():
            for _, index, _, _ in records:
                if index == rule.index or (rule.component >= 0 and data["components"][index] == rule.component):
                    firings[index] = firings.get(index, 0) + 1
        busiest = sorted(firings, key=lambda index: (-firings[index], index))
        return RunawayError(message, tuple([data["names"][index] for index in busiest]))


def _some(facts: list[Fact], slot: str, texts: tuple[str, ...]) -> bool:
    """Whether a fact has the slot, with one of the texts where there are any."""
    for fact in facts:
        value = fact._slots.get(slot)
        if value is not None and (not texts or value in texts):
            return True
    return False
