"""The engine agrees with the naive reference, whatever the order of rules, facts and changes."""

from __future__ import annotations

import json
import random
from typing import Any

from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from tests.engine import naive
from tests.engine.worlds import dump, facts, programs, worlds
from triage.engine import Fact, Model, Program, RuleError, compile_program

SETTINGS = settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
CHANGES = st.lists(st.tuples(st.booleans(), st.lists(facts, max_size=3)), min_size=1, max_size=4)
INPUTS = ("a", "b", "p")


def build(rules: list[dict[str, Any]]) -> Program:
    try:
        data = compile_program(rules, INPUTS)
    except RuleError as error:
        if "wait for one another" not in str(error):
            raise
        reject()
    return Program(json.loads(json.dumps(data)))


def sort_key(fact: Fact) -> Any:
    return fact.sort_key


def key(fact: Fact) -> naive.Key:
    return naive.key((fact.template, fact.slots))


def assert_agrees(model: Model, rules: list[dict[str, Any]], given_facts: list[Fact]) -> None:
    known = naive.solve(rules, [(fact.template, fact.slots) for fact in given_facts])
    assert {key(fact) for fact in model.facts()} == known.keys()
    with_witness = {rule["name"] for rule in rules if any(condition[0] == "exists" for condition in rule["when"])}

    def compared(fact: naive.Key, rule: str, bindings: Any, premises: Any) -> Any:
        return fact, rule, bindings, None if rule in with_witness else premises

    expected = {compared(*derivation) for derivation in naive.derivations(rules, known)}
    found = {
        compared(
            key(fact),
            derivation.rule,
            tuple(sorted((name, repr(value)) for name, value in derivation.bindings.items())),
            frozenset(map(key, derivation.premises)),
        )
        for fact in model.facts()
        for derivation in model.derivations(fact)
    }
    assert found <= expected
    full = {fact for fact in model.facts() if len(model.derivations(fact)) < 64}
    assert {one for one in expected if one[0] in {key(fact) for fact in full}} <= found


def assert_well_founded(model: Model) -> None:
    """First derivations never lead back to the fact they support."""
    done: set[Fact] = set()

    def visit(fact: Fact, above: tuple[Fact, ...]) -> None:
        assert fact not in above
        assert fact in model
        if fact not in done:
            done.add(fact)
            if not model.is_given(fact):
                for premise in model.derivations(fact)[0].premises:
                    visit(premise, (*above, fact))

    for fact in model.facts():
        visit(fact, ())
        model.why(fact).to_data()


@SETTINGS
@given(programs, worlds)
def test_agrees_with_the_reference(rules: list[dict[str, Any]], given_facts: list[Fact]) -> None:
    model = build(rules).run(given_facts)
    assert_agrees(model, rules, given_facts)
    assert_well_founded(model)


@SETTINGS
@given(programs, worlds, CHANGES)
def test_changes_lead_to_what_a_fresh_run_gives(
    rules: list[dict[str, Any]], start: list[Fact], changes: list[tuple[bool, list[Fact]]]
) -> None:
    program = build(rules)
    model = program.run(start)
    current = set(start)
    for number, (added, some) in enumerate(changes):
        before = set(model.facts())
        if added:
            model.assert_facts(some)
            current |= set(some)
        else:
            some = [*some, *sorted(current, key=sort_key)[number : number + 2]]
            model.retract_facts(some)
            current -= set(some)
        assert dump(model) == dump(program.run(current))
        assert [withdrawal.fact for withdrawal in model.withdrawn] == [
            fact for fact in sorted(before, key=lambda fact: fact.sort_key) if fact not in model
        ]
        assert all(withdrawal.reasons for withdrawal in model.withdrawn)


@SETTINGS
@given(programs, worlds, st.randoms(use_true_random=False))
def test_the_order_of_rules_and_facts_makes_no_difference(rules: list[dict[str, Any]], given_facts: list[Fact], rng: random.Random) -> None:
    one = dump(build(rules).run(given_facts))
    for _ in range(3):
        rules, given_facts = rng.sample(rules, len(rules)), rng.sample(given_facts, len(given_facts))
        assert dump(build(rules).run(given_facts)) == one


@SETTINGS
@given(programs, worlds)
def test_why_not_tells_what_fired_from_what_did_not(rules: list[dict[str, Any]], given_facts: list[Fact]) -> None:
    model = build(rules).run(given_facts)
    fired = {derivation.rule for fact in model.facts() for derivation in model.derivations(fact)}
    for name in {rule["name"] for rule in rules}:
        answer = model.why_not(name)
        assert answer.fired == (name in fired)
        assert bool(answer.failures) != answer.fired
        json.dumps(answer.to_data())
