"""Conditions that exclude each other, say nothing, or ask for what never is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from typing import Any

from triage.engine.describe import show_condition, show_expression
from triage.engine.expressions import parse_expression, variables
from triage.rulebook.conditions import Condition
from triage.workshop.lint.base import Base, Finding, Keys, RuleView
from triage.workshop.lint.domains import Domain, atoms, conjuncts, constant, needed
from triage.workshop.lint.supply import Supply

_MOST_ALTERNATIVES = 64  # of one rule: any-of multiplies them


def contradictions(base: Base) -> Iterator[Finding]:
    """L010 and L011: what the conditions of one rule say of each other."""
    for view in base.checked_rules():
        told: set[tuple[Keys, str]] = set()
        verdicts: dict[tuple[Keys, str], int] = {}
        alternatives = list(product(*[[(part.keys, alternative) for alternative in part.alternatives] for part in view.parts]))
        alternatives = alternatives[:_MOST_ALTERNATIVES]
        for choice in alternatives:
            conditions = [(keys, condition) for keys, alternative in choice for condition in alternative]
            for keys, code, message in _judged(conditions):
                verdicts[keys, code] = verdicts.get((keys, code), 0) + 1
                certain = code == "L010" or verdicts[keys, code] == len(alternatives)  # a truth must hold in every alternative
                if certain and (keys, code) not in told:
                    told.add((keys, code))
                    yield Finding(view.source, keys, code, f"{view.name}: {message}")


def _judged(conditions: list[tuple[Keys, Condition]]) -> Iterator[tuple[Keys, str, str]]:
    """What is wrong with conditions that must all hold, each judged against those before it."""
    domains: dict[str, Domain] = {}
    before: list[Condition] = []
    for keys, condition in conditions:
        kind = condition[0]
        if kind == "test":
            for part in conjuncts(condition[1]):
                verdict = _test(part, domains)
                if verdict:
                    yield keys, *verdict
        elif kind == "not" and len(condition[1]) == 1:
            if any(_covers(condition[1][0], other) for other in before):
                yield keys, "L010", f"'{show_condition(condition, {})}' excludes what another condition asks for"
        elif kind in ("match", "exists"):
            wanted = condition if kind == "match" else condition[1][0] if len(condition[1]) == 1 else None
            if wanted is not None and any(_repeats(wanted, other, kind == "exists") for other in before):
                yield keys, "L011", f"'{show_condition(condition, {})}' repeats another condition"
        elif kind == "aggregate" and condition[1] == "count":
            domain = domains.setdefault(json.dumps(["var", condition[2]]), Domain())
            domain.narrow(">=", 0)
        before.append(condition)


def _test(part: Any, domains: dict[str, Domain]) -> tuple[str, str] | None:
    shown = show_expression(part)
    value = constant(part)
    if value is not None:
        return ("L011", f"'{shown}' is always true") if value is True else ("L010", f"'{shown}' is never true")
    found = atoms(part)
    if found is None:
        return None
    implied = True
    for subject, operator, against in found:
        if subject == "0":
            return ("L011", f"'{shown}' is always true") if operator in ("==", "<=", ">=") else ("L010", f"'{shown}' is never true")
        domain = domains.setdefault(subject, Domain())
        implied = implied and domain.implies(operator, against)
        domain.narrow(operator, against)
        if domain.empty:
            return "L010", f"'{shown}' excludes what is tested before"
    return ("L011", f"'{shown}' follows from what is tested before") if implied else None


def _covers(general: Condition, special: Condition) -> bool:
    """Whether every fact that satisfies the pattern `special` satisfies `general`."""
    if general[0] != "match" or special[0] != "match" or general[1] != special[1]:
        return False
    for slot, term in general[2].items():
        other = special[2].get(slot)
        if other is None:
            return False
        if term[0] == "any" or term == other:
            continue
        if term[0] == "in" and other[0] == "const" and other[1] in term[1]:
            continue
        if term[0] == "in" and other[0] == "in" and all(value in term[1] for value in other[1]):
            continue
        return False
    return True


def _repeats(wanted: Condition, other: Condition, exists: bool) -> bool:
    """Whether a pattern asks again for a fact that is there already. A pattern that binds by `bind_all` says more."""
    if exists:
        return _covers(wanted, other)
    return wanted == other and not wanted[3]


def never(base: Base, supply: Supply) -> Iterator[Finding]:
    """L012: rules that need what nothing gives, and L011: negations of what never is."""
    for view in base.checked_rules():
        for keys, condition in supply.obstacle(view):
            yield Finding(view.source, keys, "L012", f"{view.name}: nothing gives '{show_condition(condition, {})}'")
        for keys, condition in view.conditions():
            if condition[0] == "not":
                for inner in condition[1]:
                    if inner[0] == "match" and not supply.gives(inner):
                        shown = show_condition(inner, {})
                        yield Finding(view.source, keys, "L011", f"{view.name}: nothing ever gives '{shown}', so its negation says nothing")
        yield from _unknown_tests(view, supply)


def _unknown_tests(view: RuleView, supply: Supply) -> Iterator[Finding]:
    """Tests over variables that nothing binds: unknown, hence never true."""
    names = supply.bindable(view)
    for keys, condition in view.conditions():
        if condition[0] != "test":
            continue
        for part in conjuncts(condition[1]):
            missing = sorted(needed(part) - names)
            if missing:
                yield Finding(view.source, keys, "L012", f"{view.name}: nothing binds {', '.join(missing)}, so the test is never true")


def confidences(base: Base, supply: Supply) -> Iterator[Finding]:
    """L016: expressions for a confidence that give no probability, or depend on what nothing binds."""
    views = {(view.source.path, view.keys): view for view in base.checked_rules() if view.kind == "diagnosis"}
    for source in base.checked:
        for number, rule in enumerate(source.model.diagnoses):
            if not isinstance(rule.confidence, str):
                continue
            keys: Keys = ("diagnoses", number)
            expr = parse_expression(rule.confidence)
            missing = sorted(needed(expr) - supply.bindable(views[source.path, keys]))
            if missing:
                message = f"{rule.id}: nothing binds {', '.join(missing)}, so the confidence is unknown"
                yield Finding(source, (*keys, "confidence"), "L016", message)
            elif not variables(expr):
                value = constant(expr)
                if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 < value < 1:
                    yield Finding(source, (*keys, "confidence"), "L016", f"{rule.id}: '{rule.confidence}' is no probability")
