"""The reference: Datalog as its definition has it, without indexes, plans or deltas.

Shares with the engine only the values and the meaning of expressions. A fact is a pair (template, slots); two are the same
when their keys are. Slow on purpose; every run of the engine must agree with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from triage.engine.expressions import Unknown, decode_value, evaluate, variables
from triage.engine.values import Value, normal, sort_key

Slots = Mapping[str, Value]
Given = tuple[str, Slots]
Key = tuple[str, tuple[tuple[str, str], ...]]
Row = tuple[dict[str, Value], list[Key]]  # bindings, and the facts matched or aggregated over


def key(fact: Given) -> Key:
    """Values in normal form are the same exactly when they are written the same."""
    return fact[0], tuple(sorted((slot, repr(value)) for slot, value in fact[1].items()))


Layers = list[list[tuple[dict[str, Any], set[str]]]]


def layered(rules: list[dict[str, Any]]) -> Layers:
    """The rules by stratum, each with the templates that its patterns name: where one of these has no fact, there are no rows."""
    layers: dict[int, list[tuple[dict[str, Any], set[str]]]] = {}
    for rule, stratum in zip(rules, stratify(rules), strict=True):
        layers.setdefault(stratum, []).append((rule, {condition[1] for condition in rule["when"] if condition[0] == "match"}))
    return [layers[stratum] for stratum in sorted(layers)]


def solve(rules: list[dict[str, Any]], given: Iterable[Given], layers: Layers | None = None) -> dict[Key, Given]:
    """All facts that follow. `layers` are those of `layered`, where they are known already."""
    known = {key(fact): fact for fact in given}
    for layer in layered(rules) if layers is None else layers:
        while True:
            there = {fact[0] for fact in known.values()}
            new = {
                key(fact): fact
                for rule, templates in layer
                if templates <= there
                for env, _ in rows(rule["when"], {}, known)
                for fact in heads(rule, env)
            }
            if new.keys() <= known.keys():
                break
            known = {**new, **known}
    return known


def derivations(rules: list[dict[str, Any]], known: dict[Key, Given]) -> set[tuple[Key, str, tuple[tuple[str, str], ...], frozenset[Key]]]:
    """Every (fact, rule, bindings, premises) there is among the facts that follow."""
    return {
        (key(fact), rule["name"], tuple(sorted((name, repr(value)) for name, value in env.items())), frozenset(premises))
        for rule in rules
        for env, premises in rows(rule["when"], {}, known)
        for fact in heads(rule, env)
    }


def stratify(rules: list[dict[str, Any]]) -> list[int]:
    """The stratum of each rule: not below what it asks for, above what it negates or aggregates over."""
    level: dict[str, int] = {}

    def needed(rule: dict[str, Any]) -> int:
        return max((level.get(template, 0) + (not positive) for template, positive in asked(rule["when"])), default=0)

    changed = True
    while changed:
        changed = False
        for rule in rules:
            assert needed(rule) <= len(rules) + 1, "not stratifiable"
            for template, _ in rule["then"]:
                if level.get(template, 0) < needed(rule):
                    level[template] = needed(rule)
                    changed = True
    return [needed(rule) for rule in rules]


def asked(conditions: list[Any], positive: bool = True) -> Iterator[tuple[str, bool]]:
    for condition in conditions:
        if condition[0] == "match":
            yield condition[1], positive
        elif condition[0] in ("not", "exists"):
            yield from asked(condition[1], positive and condition[0] == "exists")
        elif condition[0] == "aggregate":
            yield from asked(condition[6], False)


def heads(rule: dict[str, Any], env: dict[str, Value]) -> Iterator[Given]:
    for template, terms in rule["then"]:
        slots: dict[str, Value] = {}
        for slot, (kind, what) in terms.items():
            if kind == "const":
                slots[slot] = decode_value(what)
            elif kind == "var":
                if what in env:
                    slots[slot] = env[what]
            else:
                with suppress(Unknown):
                    slots[slot] = evaluate(what, env)
        yield template, slots


def rows(conditions: list[Any], env: dict[str, Value], known: dict[Key, Given]) -> list[Row]:
    """All assignments that satisfy the conditions: patterns in the order written, then whatever waits for nothing else."""
    found: list[Row] = [(env, [])]
    for condition in conditions:
        if condition[0] == "match":
            computed = {name for other in conditions for name in binds(other)} if condition[3] else set()
            found = [
                (extended, [*premises, key(fact)])
                for current, premises in found
                for fact in known.values()
                if fact[0] == condition[1] and (extended := match(condition, fact, current, computed)) is not None
            ]
            if not found:
                return []
    others = [condition for condition in conditions if condition[0] != "match"]
    bound = set(env).union(*[needs(condition) for condition in conditions if condition[0] == "match"])
    while others:
        condition = next(
            condition
            for condition in others
            if (needs(condition) - bound).isdisjoint(name for other in others if other is not condition for name in binds(other))
        )
        others = [other for other in others if other is not condition]
        found = [result for row in found if (result := apply(condition, row, known)) is not None]
    return found


def match(condition: Any, fact: Given, env: dict[str, Value], computed: set[str]) -> dict[str, Value] | None:
    _, template, terms, bind_all = condition
    if fact[0] != template:
        return None
    env = dict(env)
    for slot, term in terms.items():
        if slot not in fact[1]:
            return None
        value = fact[1][slot]
        allowed = {"const": term[1:], "in": term[-1], "any": None, "var": None}[term[0]]
        if allowed is not None and repr(value) not in [repr(choice if type(choice) is str else decode_value(choice)) for choice in allowed]:
            return None
        if term[0] == "var" and repr(env.setdefault(term[1], value)) != repr(value):
            return None
    if bind_all:
        env = {**{slot: value for slot, value in fact[1].items() if slot not in computed}, **env}
    return env


def binds(condition: Any) -> set[str]:
    return {condition[1]} if condition[0] == "let" else {condition[2]} if condition[0] == "aggregate" else set()


def needs(condition: Any) -> set[str]:
    if condition[0] == "match":
        return {term[1] for term in condition[2].values() if term[0] == "var"}
    expressions = {"test": condition[1:2], "let": condition[2:3], "aggregate": condition[3:6]}.get(condition[0], [])
    inner = condition[6] if condition[0] == "aggregate" else condition[1] if condition[0] in ("not", "exists") else []
    return set().union(*map(variables, expressions), *[needs(one) | binds(one) for one in inner])


def apply(condition: Any, row: Row, known: dict[Key, Given]) -> Row | None:
    """The row when a test, let, negation, exists or aggregate holds, with what it binds."""
    env, premises = row
    kind = condition[0]
    if kind in ("not", "exists"):
        return row if bool(rows(condition[1], env, known)) is (kind == "exists") else None
    if kind == "aggregate":
        value, more = aggregate(condition, env, known)
        premises = [*premises, *more]
    else:
        value = valued(condition[-1], env)
    if kind == "test":
        return row if value is True else None
    name = condition[1] if kind == "let" else condition[2]
    if value is None or repr(env.get(name, value)) != repr(value):
        return None
    return {**env, name: value}, premises


def valued(expression: Any, env: dict[str, Value]) -> Value | None:
    try:
        return evaluate(expression, env)
    except Unknown:
        return None


def aggregate(condition: Any, env: dict[str, Value], known: dict[Key, Given]) -> tuple[Value | None, list[Key]]:
    _, function, _, value, by, distinct, inner = condition
    entries = []
    premises: list[Key] = []
    for bound, matched in rows(inner, env, known):
        one = valued(1 if value is None else value, bound)
        rank = one if by is None else valued(by, bound)
        part: Any = len(entries) if distinct is None else valued(distinct, bound)
        if one is not None and rank is not None and part is not None:
            entries.append((sort_key(rank), sort_key(one), one, repr(part)))
            premises += matched
    entries.sort(key=lambda entry: entry[:2])
    if distinct is not None:
        entries = [entry for place, entry in enumerate(entries) if entry[3] not in [earlier[3] for earlier in entries[:place]]]
    values: list[Any] = [entry[2] for entry in entries]
    if function == "count":
        return len(values), premises
    if function == "sum":
        return (normal(sum(values)) if all(type(one) in (int, float) for one in values) else None), premises
    if function in ("min", "max"):
        values.sort(key=sort_key)
    return (values[0 if function in ("min", "first") else -1] if values else None), premises
