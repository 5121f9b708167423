"""The engine agrees with the naive reference on the shipped rules and the facts of shipped examples, retractions included.

Of each rule file the first example of every outcome is taken, since examples of one outcome differ in wording, not in what is
reasoned; and of these a share, so that more rules do not make the test longer: that engine and reference agree on rules of every kind
is seen on hundreds of random programs in tests/engine.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.engine import naive
from triage.engine import Fact, Model
from triage.engine.program import read_rule
from triage.pipeline import Triage
from triage.rulebook.loader import load_rules
from triage.rulebook.schema import Example, Expectation
from triage.rulebook.store import shipped_directory

PARTS = 4
MOST = 500  # texts
SOURCES = load_rules([Path(shipped_directory("rules"))])


def _one_of_each_outcome(examples: Iterable[Example]) -> list[str]:
    texts: dict[object, str] = {}
    for example in examples:
        expected = example.expect
        outcome: object = expected
        if isinstance(expected, Expectation):
            outcome = (expected.id, expected.family, expected.cause, tuple(expected.facts), tuple(expected.also), tuple(expected.fixes))
        texts.setdefault((outcome, example.near_miss), example.text)
    return list(texts.values())


ALL = [text for source in SOURCES for text in _one_of_each_outcome(source.model.examples)]
TEXTS = ALL[:: -(-len(ALL) // MOST)]


@pytest.fixture(scope="module")
def triage() -> Triage:
    return Triage([])


@pytest.fixture(scope="module")
def rules(triage: Triage) -> list[dict[str, Any]]:
    program = triage.book.program
    return [read_rule(name, text) for name, text in zip(program["names"], program["rules"], strict=True)]


@pytest.fixture(scope="module")
def layers(rules: list[dict[str, Any]]) -> naive.Layers:
    return naive.layered(rules)


def given(model: Model) -> list[Fact]:
    return [fact for fact in model.facts() if model.is_given(fact)]


def keys(model: Model) -> set[naive.Key]:
    return {naive.key((fact.template, fact.slots)) for fact in model.facts()}


def known(rules: list[dict[str, Any]], facts: list[Fact], layers: naive.Layers) -> set[naive.Key]:
    return set(naive.solve(rules, [(fact.template, fact.slots) for fact in facts], layers))


@pytest.mark.parametrize("part", range(PARTS))
def test_every_example(triage: Triage, rules: list[dict[str, Any]], layers: naive.Layers, part: int) -> None:
    for text in TEXTS[part::PARTS]:
        model = triage.explain(text)._model
        assert keys(model) == known(rules, given(model), layers), text


def test_what_is_withdrawn_and_told_again(triage: Triage, rules: list[dict[str, Any]], layers: naive.Layers) -> None:
    for text in TEXTS[:: len(TEXTS) // 25]:
        model = triage.explain(text)._model
        facts = given(model)
        whole = keys(model)
        model.retract_facts(facts[::2])
        assert keys(model) == known(rules, facts[1::2], layers), text
        model.assert_facts(facts[::2])
        assert keys(model) == whole
