"""Which facts a rule base can ever hold: what parsers read, what signatures assert, what rules derive from that.

A shape says of a template which slots its facts can have, and where known which values: constants of a signature or a rule's
head. A rule lives when every fact that it cannot do without has a living shape; the shapes grow until nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from triage.engine.expressions import decode_value
from triage.engine.rules import nested
from triage.engine.values import key_of
from triage.facts.vocabulary import ASSERTED, LEVELS, TEMPLATES
from triage.rulebook.conditions import Condition
from triage.workshop.lint.base import Base, Keys, RuleView

READ = frozenset(TEMPLATES) - ASSERTED  # come from parsers, the pipeline or the verifier; a test holds this against their source
_WHERE = ("line", "stream", "rank", "time", "role")
Shape = dict[str, frozenset[Any] | None]  # slot → the keys of its possible values, None: any


class Supply:
    """The living shapes of every template, and the rules that live."""

    def __init__(self, base: Base) -> None:
        self._shapes: dict[str, list[Shape]] = {}
        self._naming: dict[tuple[str, str, Any], list[Shape]] = {}  # by template, slot and the key of a value that it can have there
        self._open: dict[tuple[str, str], list[Shape]] = {}  # by template and a slot that can have any value
        self._seen: set[tuple[str, Any]] = set()
        for name in sorted(READ):
            self._add(name, dict.fromkeys(TEMPLATES[name][0]))
        for name, columns in base.knowledge.columns.items():
            self._add(f"table:{name}", dict.fromkeys(columns))
        for views in base.signatures.values():
            for signature in views:
                for template, shape in _asserted(signature.data, signature.slots):
                    self._add(template, shape)
        written = {view.name for view in base.rules}
        for rule in base.compiled.rules:  # those that the compiler adds: consequences, precedence, advice
            if rule["name"] not in written:
                for template, slots in rule["then"]:
                    self._add(template, _head(slots))
        waiting = [view for view in base.rules if view.kind != "follower"]
        grown = True
        while grown:
            grown = False
            for view in list(waiting):
                if not any(self.obstacle(view)):
                    waiting.remove(view)
                    for template, slots in view.heads:
                        grown |= self._add(template, _head(slots))

    def obstacle(self, view: RuleView) -> list[tuple[Keys, Condition]]:
        """The conditions of a rule that nothing can satisfy, one for each part of which no alternative can hold."""
        found = []
        for part in view.parts:
            missing = [next(iter(self._unmet(alternative)), None) for alternative in part.alternatives]
            if missing and all(item is not None for item in missing):
                found.append((part.keys, missing[0]))
        return [(keys, condition) for keys, condition in found if condition is not None]

    def gives(self, condition: Condition) -> bool:
        """Whether some living shape fits a `match`."""
        wanted = _wanted(condition[2])
        return any(_fits(wanted, shape) for shape in self._near(condition[1], wanted))

    def bindable(self, view: RuleView) -> set[str]:
        """The variables that a rule can bind, with those of the diagnosis it follows: `bind_all` binds every slot of a fitting shape."""
        names = self.bindable(view.parent) if view.parent is not None else set()
        for _, condition in view.conditions():
            if condition[0] == "match":
                names.update(term[1] for term in condition[2].values() if term[0] == "var")
                if condition[3]:
                    wanted = _wanted(condition[2])
                    for shape in self._near(condition[1], wanted):
                        if _fits(wanted, shape):
                            names.update(shape)
            elif condition[0] == "let":
                names.add(condition[1])
            elif condition[0] == "aggregate":
                names.add(condition[2])
        return names

    def _unmet(self, conditions: Iterable[Condition]) -> Iterator[Condition]:
        for condition in conditions:
            if condition[0] == "match" and not self.gives(condition):
                yield condition
            elif condition[0] == "exists" or (condition[0] == "aggregate" and condition[1] not in ("count", "sum")):
                yield from self._unmet(nested(condition))

    def _near(self, template: str, wanted: Shape) -> list[Shape]:
        """The shapes of a template among which those that fit are: of a signal there are thousands, of one that is named a few."""
        near = self._shapes.get(template, [])
        for slot, keys in wanted.items():
            if keys is not None and len(near) > 1:
                fewer = [shape for key in keys for shape in self._naming.get((template, slot, key), ())]
                fewer += self._open.get((template, slot), ())
                near = min(near, fewer, key=len)
        return near

    def _add(self, template: str, shape: Shape) -> bool:
        key = (template, frozenset(shape.items()))
        if key in self._seen:
            return False
        self._seen.add(key)
        self._shapes.setdefault(template, []).append(shape)
        for slot, values in shape.items():
            if values is None:
                self._open.setdefault((template, slot), []).append(shape)
            for value in values or ():
                self._naming.setdefault((template, slot, value), []).append(shape)
        return True


def _asserted(data: dict[str, Any], slots: set[str]) -> Iterator[tuple[str, Shape]]:
    """What a match of a signature asserts."""
    where: Shape = {} if data.get("once") else dict.fromkeys([*_WHERE, "sentence"] if data.get("sentences") else _WHERE)
    constants: Shape = {slot: _one(value) for slot, value in data.get("set", {}).items()}
    if data.get("failure") is not None and data.get("signal", True):
        named: Shape = {"failure": _one(data["failure"]), "signature": _one(data["id"])}
        level: Shape = {"level": frozenset(map(key_of, LEVELS)), "origin": None} if where else {}
        yield "signal", {**where, **level, **named, **dict.fromkeys(slots), **constants}
    for template, terms in data.get("asserts", []):
        shape: Shape = {}
        for slot, term in terms.items():
            if term[0] == "const":
                shape[slot] = _one(term[1])
            elif term[0] == "var" and (term[1] in slots or term[1] in _WHERE):
                shape[slot] = constants.get(term[1])
        yield template, {**where, **shape}
    for package in data.get("versions", {}):
        yield "version-bound", {"package": _one(package), "low": None, "high": None, "signature": _one(data["id"]), "line": None}


def _head(slots: dict[str, Any]) -> Shape:
    return {slot: _one(term[1]) if term[0] == "const" else None for slot, term in slots.items()}


def _wanted(terms: dict[str, Any]) -> Shape:
    """The slots that a `match` asks for, with the keys of the values it takes."""
    wanted: Shape = {}
    for slot, term in terms.items():
        values = {"const": term[1:], "in": term[-1]}.get(term[0])
        wanted[slot] = None if values is None else frozenset(key_of(decode_value(value)) for value in values)
    return wanted


def _fits(wanted: Shape, shape: Shape) -> bool:
    for slot, keys in wanted.items():
        if slot not in shape:
            return False
        values = shape[slot]
        if keys is not None and values is not None and values.isdisjoint(keys):
            return False
    return True


def _one(data: Any) -> frozenset[Any] | None:
    value = decode_value(data)
    return None if isinstance(value, tuple) else frozenset({key_of(value)})
