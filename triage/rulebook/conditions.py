"""Conditions and derived facts as rule files write them → the data form of the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from math import prod
from typing import Any

from triage.engine.expressions import ExpressionError, parse_expression
from triage.engine.expressions import variables as expression_variables
from triage.engine.values import Value, to_data
from triage.facts.convert import convert, is_list
from triage.facts.vocabulary import SLOTS

MOST_CONDITIONS = 64  # of one list
MOST_ALTERNATIVES = 512  # any-of multiplies
AGGREGATES = ("count", "sum", "min", "max", "first", "last")
KEYWORDS = (*AGGREGATES, "not", "exists", "test", "let", "any-of")
Condition = list[Any]
Report = Callable[[tuple[str | int, ...], str], None]


class Translator:
    """Translates the conditions of one rule; what is wrong is reported with the keys under which it stands."""

    def __init__(self, report: Report) -> None:
        self._report = report

    def conditions(self, items: Any, keys: tuple[str | int, ...]) -> list[list[Condition]]:
        """All alternatives (`any-of` multiplies them), each a list of engine conditions."""
        if isinstance(items, str):
            return [[["test", self.expression(items, keys)]]]
        if isinstance(items, dict):
            items = [items]
        if not isinstance(items, list):
            self._report(keys, "a condition is a mapping, such as {signal: {failure: memory.gpu-oom}}")
            return []
        alternatives = [self._condition(item, (*keys, number)) for number, item in enumerate(items)]
        if len(items) > MOST_CONDITIONS or prod(map(len, alternatives)) > MOST_ALTERNATIVES:
            self._report(keys, f"more than {MOST_CONDITIONS} conditions or {MOST_ALTERNATIVES} alternatives: derive facts on the way")
            return []
        return [[condition for part in choice for condition in part] for choice in product(*alternatives)]

    def _condition(self, item: Any, keys: tuple[str | int, ...]) -> list[list[Condition]]:
        if isinstance(item, str):
            return [[["test", self.expression(item, keys)]]]
        if not isinstance(item, dict) or len(item) != 1:
            self._report(keys, "each condition is a mapping with one key: a template, or one of " + ", ".join(KEYWORDS))
            return []
        [(word, body)] = item.items()
        inner = (*keys, word)
        if word == "any-of":
            if not isinstance(body, list):
                self._report(inner, "any-of takes a list of lists of conditions")
                return []
            return [choice for number, option in enumerate(body) for choice in self.conditions(option, (*inner, number))]
        if word == "test":
            return [[["test", self.expression(body, inner)]]]
        if word == "let":
            return [[["let", name, self.expression(text, (*inner, name))] for name, text in self._mapping(body, inner)]]
        if word in ("not", "exists"):
            options = self.conditions(body, inner)
            if word == "not":  # none of the alternatives may hold
                return [[["not", option] for option in options]]
            return [[["exists", option]] for option in options]
        if word in AGGREGATES:
            return self._aggregate(word, dict(self._mapping(body, inner)), inner)
        slots = dict(self._mapping(body or {}, inner))
        bind_all = slots.pop("*", None) is not None  # `"*": bind` binds every slot to a variable of its own name
        return [[["match", word, self.terms(slots, inner), bind_all]]]

    def _mapping(self, body: Any, keys: tuple[str | int, ...]) -> Iterator[tuple[str, Any]]:
        if not isinstance(body, dict):
            self._report(keys, "a mapping is expected here")
            return iter(())
        return iter(body.items())

    def _aggregate(self, word: str, body: dict[str, Any], keys: tuple[str | int, ...]) -> list[list[Condition]]:
        unknown = sorted(set(body) - {"as", "of", "value", "by", "distinct"})
        if unknown or "as" not in body or "of" not in body:
            self._report(keys, f"{word} takes as, of, value, by and distinct" + (f", not {', '.join(unknown)}" if unknown else ""))
            return []
        options = self.conditions(body["of"], (*keys, "of"))
        if len(options) != 1:
            self._report(keys, "any-of inside an aggregate is not possible: derive a fact first")
            return []
        parts = [self.expression(body[name], (*keys, name)) if name in body else None for name in ("value", "by", "distinct")]
        return [[["aggregate", word, str(body["as"]).lstrip("$"), *parts, options[0]]]]

    def expression(self, text: Any, keys: tuple[str | int, ...]) -> Any:
        """An expression as data; false, with the problem reported, where it is not well formed. `keys` are its place in the file."""
        if isinstance(text, (bool, int, float)):
            return text
        try:
            return parse_expression(str(text))
        except ExpressionError as error:
            self._report(keys, f"in '{text}': {error}")
            return False

    def terms(self, slots: dict[str, Any], keys: tuple[str | int, ...]) -> dict[str, Any]:
        """What a condition asks of slots: a constant, one of a list, a variable to bind or join, or (`$_`) any value."""
        return {slot: self._term(slot, value, (*keys, slot)) for slot, value in slots.items()}

    def _term(self, slot: str, value: Any, keys: tuple[str | int, ...]) -> list[Any]:
        if isinstance(value, str) and value.startswith("$"):
            return ["any"] if value == "$_" else ["var", value[1:]]
        if isinstance(value, list):
            return ["in", [to_data(self.constant(slot, item, keys)) for item in value]]
        return ["const", to_data(self.constant(slot, value, keys))]

    def heads(self, template: str, slots: dict[str, Any], keys: tuple[str | int, ...]) -> list[Any]:
        """A derived fact: constants, `$variables` and `= expressions`."""
        terms: dict[str, Any] = {}
        for slot, value in slots.items():
            if isinstance(value, str) and value.startswith("="):
                terms[slot] = ["expr", self.expression(value[1:], (*keys, slot))]
            else:
                terms[slot] = self._term(slot, value, (*keys, slot))
        return [template, terms]

    def constant(self, slot: str, value: Any, keys: tuple[str | int, ...]) -> Value:
        """A constant in the type of its slot: '2 GiB' for bytes, '2.1' for a version."""
        if isinstance(value, float) and SLOTS.get(slot, ("",))[0] == "version":
            value = str(value)
        if isinstance(value, str) and slot in SLOTS and not is_list(slot) and SLOTS[slot][0] != "str":
            converted = convert(slot, value)
            if converted is None:
                self._report(keys, f"'{value}' is no {SLOTS[slot][0]}")
                return value
            return converted
        if not isinstance(value, (str, int, float, bool)):
            self._report(keys, "a constant, a $variable or a list of constants is expected")
            return str(value)
        return value


def condition_variables(conditions: Iterable[Condition]) -> set[str]:
    """The variables that conditions can bind for what follows (not those inside negations and aggregates)."""
    names: set[str] = set()
    for condition in conditions:
        kind = condition[0]
        if kind == "match":
            names.update(term[1] for term in condition[2].values() if term[0] == "var")
        elif kind == "let":
            names.add(condition[1])
        elif kind == "aggregate":
            names.add(condition[2])
    return names


def used_variables(conditions: Iterable[Condition]) -> set[str]:
    """All variables that stand anywhere in conditions."""
    names: set[str] = set()
    for condition in conditions:
        kind = condition[0]
        if kind == "match":
            names.update(term[1] for term in condition[2].values() if term[0] == "var")
        elif kind == "test":
            names.update(expression_variables(condition[1]))
        elif kind == "let":
            names.add(condition[1])
            names.update(expression_variables(condition[2]))
        elif kind in ("not", "exists"):
            names.update(used_variables(condition[1]))
        elif kind == "aggregate":
            names.add(condition[2])
            for part in condition[3:6]:
                if part is not None:
                    names.update(expression_variables(part))
            names.update(used_variables(condition[6]))
    return names
