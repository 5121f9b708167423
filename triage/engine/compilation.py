"""Rules → the data of a program: checked, ordered, with their strata and the index of what calls for them."""

from __future__ import annotations

from json import dumps

from triage.engine.errors import ExpressionError, RuleError
from triage.engine.expressions import decode_value
from triage.engine.matching import Compiled
from triage.engine.program import FORMAT, write_needs, write_rule
from triage.engine.rules import PICKING, check_rule, nested, templates_read
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
        if "orders" not in rule:
            check_rule(rule)
    rules = _in_order(rules)
    orders = [_orders(rule) for rule in rules]
    strata = Strata(rules)
    index, always, filed = _index(rules)
    recursive = _recursive(rules, strata)
    return {
        "format": FORMAT,
        "names": [rule["name"] for rule in rules],
        "rules": [write_rule(rule, order) for rule, order in zip(rules, orders, strict=True)],
        "strata": strata.rules,
        "components": strata.components,
        "needs": [
            write_needs(_needs(rule, under, recursive.get(str(component), ())))
            for rule, under, component in zip(rules, filed, strata.components, strict=True)
        ],
        "recursive": recursive,
        "templates": strata.templates,
        "readers": _readers(rules, strata),
        "givers": _givers(rules),
        "inputs": sorted(set(inputs)),
        "always": always,
        **{f"index/{template}": gate for template, gate in index.items()},
    }


def _orders(rule: RuleData) -> Any:
    """The orders in which the conditions of a rule are met."""
    if "orders" in rule:
        return rule["orders"]
    try:
        return Compiled(rule["when"], frozenset()).orders()
    except ExpressionError as error:
        raise RuleError(rule["name"], error.message) from None


def _in_order(rules: list[RuleData]) -> list[RuleData]:
    """The rules by name and content, so that their order says nothing; a rule given twice is one rule."""
    named: dict[str, list[RuleData]] = {}
    for rule in rules:
        named.setdefault(rule["name"], []).append(rule)
    ordered: list[RuleData] = []
    for _, same in sorted(named.items()):
        by_content = {_content(rule): rule for rule in same} if len(same) > 1 else {"": same[0]}
        ordered += [rule for _, rule in sorted(by_content.items())]
    return ordered


def _content(rule: RuleData) -> str:
    return dumps([rule["when"], rule["then"]], sort_keys=True)


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


def _needs(rule: RuleData, filed: Requirement | None, recursive: Iterable[str]) -> list[list[Any]]:
    """What a rule cannot do without besides what it is filed under: [template, slot, texts of which the slot holds one]; the texts are
    [] for any value, the slot is "" for any fact. A rule that lacks some of it need not be made ready.

    Of the templates in `recursive`, those of its component, facts may come while the rule runs.
    """
    found: dict[tuple[str, str, tuple[str, ...]], None] = {}
    for template, slot, values in [*required_facts(rule["when"]), *_slots_asked(rule["when"])]:
        if template not in recursive:
            texts = tuple([value for value in values if isinstance(value, str)])
            found[template, slot, texts if len(texts) == len(values) else ()] = None
    under = filed[:2] if filed else ("", "")
    told = {under[0], *(template for template, slot, _ in found if slot)}
    closer = {under, *((template, slot) for template, slot, texts in found if texts)}
    return [
        [template, slot, list(texts)]
        for template, slot, texts in found
        if (template not in told if not slot else (template, slot, texts) != filed if texts else (template, slot) not in closer)
    ]


def _slots_asked(conditions: list[Condition]) -> Iterator[Requirement]:
    """The slots that facts must have for conditions to hold, whatever is in them."""
    for condition in conditions:
        if condition[0] == "match":
            for slot, term in condition[2].items():
                if term[0] in ("var", "any"):
                    yield condition[1], slot, ()
        elif _asks(condition):
            yield from _slots_asked(nested(condition))


def _index(rules: list[RuleData]) -> tuple[dict[str, Any], list[int], list[Requirement | None]]:
    """Each rule under the rarest fact it cannot do without: the one that the fewest rules ask for; and which one that is."""
    wanted = [list(required_facts(rule["when"])) for rule in rules]
    shared: dict[Key, int] = {}
    for requirements in wanted:
        for key in {key for requirement in requirements for key in _keys(requirement)}:
            shared[key] = shared.get(key, 0) + 1
    always: list[int] = []
    under: list[Requirement | None] = []
    filed: dict[Key, tuple[Value | None, list[int]]] = {}
    for position, requirements in enumerate(wanted):
        if not requirements:
            always.append(position)
            under.append(None)
            continue
        # A value is rarer than any fact of the template, even where as many rules ask for it.
        rarest = min(requirements, key=lambda requirement: (sum(shared[key] for key in _keys(requirement)), not requirement[2]))
        under.append(rarest)
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
    return index, always, under


def _keys(requirement: Requirement) -> Iterator[Key]:
    template, slot, values = requirement
    if not values:
        yield template, "", None
    for value in values:
        yield template, slot, key_of(value)


def required_facts(conditions: list[Condition]) -> Iterator[Requirement]:
    """What must be there for conditions to hold: a template, a slot and the values of which it has one; "" and () for any fact."""
    for condition in conditions:
        if condition[0] == "match":
            yield condition[1], "", ()
            for slot, term in condition[2].items():
                if term[0] == "const":
                    yield condition[1], slot, (decode_value(term[1]),)
                elif term[0] == "in":
                    # Values that are the same are one: each rule stands under a value once.
                    yield condition[1], slot, tuple({key_of(value): value for value in map(decode_value, term[1])}.values())
        elif _asks(condition):
            yield from required_facts(nested(condition))


def _asks(condition: Condition) -> bool:
    """Whether a condition holds only where those inside it do."""
    return condition[0] == "exists" or (condition[0] == "aggregate" and condition[1] in PICKING)
