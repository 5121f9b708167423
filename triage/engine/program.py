"""Programs: rules compiled to data, and the rules made ready to run, one by one, when facts call for them."""

from __future__ import annotations

from json import JSONDecoder, dumps

from triage.engine.errors import RuleError, RunawayError, StratificationError, Unknown
from triage.engine.expressions import compile_expression, decode_value
from triage.engine.facts import Fact
from triage.engine.matching import Compiled
from triage.engine.rules import nested
from triage.engine.values import TYPE_CHECKING, key_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any, TypeAlias

    from triage.engine.matching import Calls, Env
    from triage.engine.model import Model
    from triage.engine.rules import Condition, RuleData

    Need: TypeAlias = tuple[str, str, tuple[str, ...]]  # a template, one of its slots or "", the texts that it may hold

__all__ = ["FORMAT", "LIMIT", "Program", "Rule", "RuleError", "RunawayError", "StratificationError", "compile_program"]

FORMAT = 4
LIMIT = 100_000


def compile_program(rules: list[RuleData], inputs: Iterable[str]) -> dict[str, Any]:
    """Checked, ordered and indexed rules as data that JSON can hold. The order of `rules` makes no difference.

    `inputs` names the templates that facts will be given of. A rule that `read_rule` gave is not checked and planned again. Raises
    RuleError for a rule that is not well formed, and StratificationError when a rule negates, or aggregates over, what depends on it.
    """
    from triage.engine.compilation import compile_rules

    return compile_rules(rules, inputs)


# A program of thousands of rules is read at every start, and a case needs a few of them: each rule stands in the data as
# JSON text of its own, parsed on first use, with single and double quotes exchanged so that text within text needs few escapes.
_loads = JSONDecoder().raw_decode
_EXCHANGE = str.maketrans({"'": '"', '"': "'"})


def write_rule(rule: RuleData, orders: Any) -> str:
    """The text in which the data of a program holds a rule; `orders` is what `Compiled.orders` gives."""
    return dumps([rule["when"], rule["then"], orders], ensure_ascii=False, separators=(",", ":")).translate(_EXCHANGE)


def read_rule(name: str, text: str) -> RuleData:
    """The rule of this name that `write_rule` wrote."""
    when, then, orders = _loads(text.translate(_EXCHANGE))[0]
    return {"name": name, "when": when, "then": then, "orders": orders}


def write_needs(needs: list[list[Any]]) -> str:
    """The text in which the data of a program holds what a rule cannot do without; "" for nothing."""
    return dumps(needs, ensure_ascii=False, separators=(",", ":")).translate(_EXCHANGE) if needs else ""


class Head:
    """A fact to derive."""

    __slots__ = ("constants", "template", "terms", "variables")

    def __init__(self, template: str, slots: dict[str, Any]) -> None:
        self.template = template
        self.constants = {slot: decode_value(term[1]) for slot, term in slots.items() if term[0] == "const"}
        self.variables = tuple([(slot, term[1]) for slot, term in slots.items() if term[0] == "var"])
        self.terms = tuple([(slot, compile_expression(term[1])) for slot, term in slots.items() if term[0] == "expr"])

    def build(self, env: Env) -> Fact:
        """The fact for these bindings; a slot whose value is unknown is left out."""
        slots = self.constants.copy()
        for slot, name in self.variables:
            if name in env:
                slots[slot] = env[name]
        for slot, term in self.terms:
            try:
                slots[slot] = term(env)
            except Unknown:
                continue
        return Fact(self.template, slots)


class Rule:
    """A rule ready to run.

    `steps` meets its conditions over all facts. `deltas`, for a rule of a recursive component, has one entry for each pattern
    over a template of the component: the same over assignments in which that pattern matches a fact of the last round. It is
    None where only evaluating the whole rule again will do. Beside each comes the order that restores how premises are written.
    """

    __slots__ = ("_heads", "component", "conditions", "data", "deltas", "index", "name", "steps", "stratum")

    def __init__(self, index: int, data: RuleData, stratum: int, component: int, recursive: frozenset[str]) -> None:
        self.index = index
        self.data = data
        self.name: str = data["name"]
        self.stratum = stratum
        self.component = component
        when: list[Condition] = data["when"]
        self.conditions = Compiled(when, frozenset(), orders=data["orders"])
        self._heads: tuple[Head, ...] | None = None
        self.steps = _with_order(self.conditions, when)
        self.deltas: list[tuple[Compiled, list[int] | None]] | None = []
        for position, condition in enumerate(when) if recursive else ():
            if condition[0] == "match":
                if condition[1] in recursive:
                    self.deltas.append(_with_order(Compiled(when, frozenset(), position), when))
            elif any(template in recursive for template in _matched(nested(condition))):
                self.deltas = None
                break

    @property
    def heads(self) -> tuple[Head, ...]:
        """What it derives, made ready when it first fires."""
        if self._heads is None:
            self._heads = tuple([Head(template, slots) for template, slots in self.data["then"]])
        return self._heads


class Gate:
    """Which rules the facts of a template call for: `rules` whatever the fact, `slots` by a slot's value."""

    __slots__ = ("rules", "slots")

    def __init__(self, data: dict[str, Any]) -> None:
        self.rules: list[int] = data["rules"]
        self.slots: Calls = {
            slot: (index["texts"], {key_of(decode_value(value)): rules for value, rules in index["others"]})
            for slot, index in data["slots"].items()
        }


class Program:
    """Rules to run over facts. Cheap to make, however many rules there are; may be used by several threads."""

    __slots__ = ("_gates", "_needs", "_rules", "data")

    def __init__(self, data: Mapping[str, Any]) -> None:
        """`data` is what `compile_program` gave, possibly through JSON; its parts are read when they are needed. Raises
        ValueError for data of another release."""
        if data.get("format") != FORMAT:
            raise ValueError(f"compiled rules of format {data.get('format')!r}; this engine reads {FORMAT}")
        self.data = data
        self._rules: dict[int, Rule] = {}
        self._gates: dict[str, Gate] = {}
        self._needs: dict[int, tuple[Need, ...]] = {}

    def run(self, facts: Iterable[Fact], limit: int = LIMIT) -> Model:
        """Everything that follows from the facts. Raises RunawayError beyond `limit` derivations."""
        from triage.engine.model import Model

        return Model(self, facts, limit)

    def rule(self, index: int) -> Rule:
        """A rule by its number, made ready on first use."""
        rule = self._rules.get(index)
        if rule is None:
            data = self.data
            component = data["components"][index]
            recursive = frozenset(data["recursive"][str(component)]) if component >= 0 else frozenset()
            rule = Rule(index, read_rule(data["names"][index], data["rules"][index]), data["strata"][index], component, recursive)
            self._rules[index] = rule
        return rule

    def needs(self, index: int) -> tuple[Need, ...]:
        """What a rule cannot do without, read on first use; see `triage.engine.compilation`."""
        needs = self._needs.get(index)
        if needs is None:
            text = self.data["needs"][index]
            held = _loads(text.translate(_EXCHANGE))[0] if text else ()
            needs = self._needs[index] = tuple([(template, slot, tuple(texts)) for template, slot, texts in held])
        return needs

    def named(self, name: str) -> list[Rule]:
        """The rules of a name; several share one where a rule has alternatives."""
        return [self.rule(index) for index, other in enumerate(self.data["names"]) if other == name]

    def gate(self, template: str) -> Gate:
        """What facts of a template call for."""
        gate = self._gates.get(template)
        if gate is None:
            gate = self._gates[template] = Gate(self.data.get(f"index/{template}", {"rules": [], "slots": {}}))
        return gate


def _with_order(compiled: Compiled, conditions: list[Condition]) -> tuple[Compiled, list[int] | None]:
    met = [position for position in compiled.order if conditions[position][0] == "match"]
    order = [met.index(position) for position in sorted(met)]
    return compiled, None if order == sorted(order) else order


def _matched(conditions: list[Condition]) -> Iterator[str]:
    for condition in conditions:
        if condition[0] == "match":
            yield condition[1]
        else:
            yield from _matched(nested(condition))
