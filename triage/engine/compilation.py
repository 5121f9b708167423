"""Rules → the data of a program: checked, ordered, with their strata and the index of what calls for them."""

from __future__ import annotations

from json import dumps

from triage.engine.errors import ExpressionError, RuleError
from triage.engine.expressions import decode_value
from triage.engine.matching import Compiled
from triage.engine.program import FORMAT, write_rule
from triage.engine.rules import check_rule, nested, templates_read
from triage.engine.stratification import Strata
from triage.engine.values import TYPE_CHECKING, key_of, to_data

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator
    from typing import Any, TypeAlias

    from triage.engine.rules import Condition, RuleData
    from triage.engine.values import Value

    Requirement: TypeAlias = tuple[str, str, tuple[Value, ...]]  # template, slot, the values it may have ("" and none: any fact)
    Key: TypeAlias = tuple[str, str, Hashable]


def compile_rules(rules: list[RuleData], inputs: Iterable[str]) -> dict[str, Any]:
    """See `triage.engine.program.compile_program`."""
    for rule in rules:
        check_rule(rule)
    rules = _in_order(rules)
    orders: list[list[list[int]]] = []
    for rule in rules:
        try:
            orders.append(list(Compiled(rule["when"], frozenset()).orders()))
        except ExpressionError as error:
            raise RuleError(rule["name"], error.message) from None
    strata = Strata(rules)
    index, always = _index(rules)
    return {
        "format": FORMAT,
        "names": [rule["name"] for rule in rules],
        "rules": [write_rule(rule, order) for rule, order in zip(rules, orders, strict=True)],
        "strata": strata.rules,
        "components": strata.components,
        "recursive": _recursive(rules, strata),
        "templates": strata.templates,
        "readers": _readers(rules, strata),
        "givers": _givers(rules),
        "inputs": sorted(set(inputs)),
        "always": always,
        **{f"index/{template}": gate for template, gate in index.items()},
    }


def _in_order(rules: list[RuleData]) -> list[RuleData]:
    """The rules by name and content, so that their order says nothing; a rule given twice is one rule."""
    by_content = {(rule["name"], dumps([rule["when"], rule["then"]], sort_keys=True)): rule for rule in rules}
    return [rule for _, rule in sorted(by_content.items(), key=_content)]


def _content(item: tuple[tuple[str, str], RuleData]) -> tuple[str, str]:
    return item[0]


def _recursive(rules: list[RuleData], strata: Strata) -> dict[str, list[str]]:
    """The templates of each recursive component."""
    read: dict[int, set[str]] = {}
    given: dict[int, set[str]] = {}
    for rule, component in zip(rules, strata.components, strict=True):
        if component >= 0:
            read.setdefault(component, set()).update(template for template, _ in templates_read(rule["when"]))
            given.setdefault(component, set()).update(head[0] for head in rule["then"])
    return {str(component): sorted(read[component] & given[component]) for component in sorted(read)}


def _readers(rules: list[RuleData], strata: Strata) -> dict[str, int]:
    """The first stratum with a rule that asks for a template."""
    found: dict[str, int] = {}
    for rule, stratum in zip(rules, strata.rules, strict=True):
        for template, _ in templates_read(rule["when"]):
            found[template] = min(found.get(template, stratum), stratum)
    return dict(sorted(found.items()))


def _givers(rules: list[RuleData]) -> dict[str, list[int]]:
    """The rules that give facts of a template."""
    found: dict[str, list[int]] = {}
    for position, rule in enumerate(rules):
        for template in {head[0] for head in rule["then"]}:
            found.setdefault(template, []).append(position)
    return dict(sorted(found.items()))


def _index(rules: list[RuleData]) -> tuple[dict[str, Any], list[int]]:
    """Each rule under the rarest fact it cannot do without: the one that the fewest rules ask for."""
    wanted = [list(_requirements(rule["when"])) for rule in rules]
    shared: dict[Key, int] = {}
    for requirements in wanted:
        for key in {key for requirement in requirements for key in _keys(requirement)}:
            shared[key] = shared.get(key, 0) + 1
    always: list[int] = []
    filed: dict[Key, tuple[Value | None, list[int]]] = {}
    for position, requirements in enumerate(wanted):
        if not requirements:
            always.append(position)
            continue
        # A value is rarer than any fact of the template, even where as many rules ask for it.
        rarest = min(requirements, key=lambda requirement: (sum(shared[key] for key in _keys(requirement)), not requirement[2]))
        for key, value in zip(_keys(rarest), rarest[2] or (None,), strict=True):
            filed.setdefault(key, (value, []))[1].append(position)
    index: dict[str, Any] = {}
    for (template, slot, _), (value, positions) in filed.items():
        entry = index.setdefault(template, {"rules": [], "slots": {}})
        if value is None:
            entry["rules"] = positions
            continue
        table = entry["slots"].setdefault(slot, {"texts": {}, "others": []})
        if type(value) is str:
            table["texts"][value] = positions
        else:
            table["others"].append([to_data(value), positions])
    return index, always


def _keys(requirement: Requirement) -> Iterator[Key]:
    template, slot, values = requirement
    if not values:
        yield template, "", None
    for value in values:
        yield template, slot, key_of(value)


def _requirements(conditions: list[Condition]) -> Iterator[Requirement]:
    """What must be there for conditions to hold, each with alternatives of one slot."""
    for condition in conditions:
        if condition[0] == "match":
            yield condition[1], "", ()
            for slot, term in condition[2].items():
                if term[0] == "const":
                    yield condition[1], slot, (decode_value(term[1]),)
                elif term[0] == "in":
                    # Values that are the same are one: each rule stands under a value once.
                    yield condition[1], slot, tuple({key_of(value): value for value in map(decode_value, term[1])}.values())
        elif condition[0] == "exists":
            yield from _requirements(nested(condition))
