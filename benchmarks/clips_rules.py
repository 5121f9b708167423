"""Compiled rules of this engine as CLIPS constructs, so that both can run the same rules over the same facts.

An unknown value is the symbol `nil`, a list a text whose parts are separated, a version a number that sorts like it. Negation is
stratified by salience. Rules with aggregates, for which CLIPS has no condition, are left out: of both engines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from triage.engine.values import Value, Version, from_data

Rule = dict[str, Any]
_PRESENT = frozenset({"line", "id"})  # slots that no fact which a rule takes whole is without
_MARK = "\x02"  # before, between and behind the parts of a list
_BINARY = {"==": "q-eq", "!=": "q-ne", "<": "q-lt", "<=": "q-le", ">": "q-gt", ">=": "q-ge", "+": "q-add", "-": "q-sub", "*": "q-mul",
           "/": "q-div", "contains": "q-contains", "startswith": "q-starts", "endswith": "q-ends",
           "max": "q-max", "min": "q-min"}  # fmt: skip
_UNARY = {"not": "q-not", "lower": "q-lower", "first": "q-first", "last": "q-last", "len": "q-len", "floor": "q-floor", "abs": "q-abs"}

FUNCTIONS = rf"""
(deffunction q-eq (?a ?b) (if (or (eq ?a nil) (eq ?b nil)) then nil else
  (if (and (numberp ?a) (numberp ?b)) then (= ?a ?b) else (eq ?a ?b))))
(deffunction q-not (?a) (if (eq ?a TRUE) then FALSE else (if (eq ?a FALSE) then TRUE else nil)))
(deffunction q-ne (?a ?b) (q-not (q-eq ?a ?b)))
(deffunction q-lt (?a ?b) (if (and (numberp ?a) (numberp ?b)) then (< ?a ?b) else
  (if (and (stringp ?a) (stringp ?b)) then (< (str-compare ?a ?b) 0) else nil)))
(deffunction q-gt (?a ?b) (q-lt ?b ?a))
(deffunction q-le (?a ?b) (q-not (q-lt ?b ?a)))
(deffunction q-ge (?a ?b) (q-not (q-lt ?a ?b)))
(deffunction q-and (?a ?b) (if (or (eq ?a FALSE) (eq ?b FALSE)) then FALSE else (if (and (eq ?a TRUE) (eq ?b TRUE)) then TRUE else nil)))
(deffunction q-or (?a ?b) (if (or (eq ?a TRUE) (eq ?b TRUE)) then TRUE else (if (and (eq ?a FALSE) (eq ?b FALSE)) then FALSE else nil)))
(deffunction q-add (?a ?b) (if (and (numberp ?a) (numberp ?b)) then (+ ?a ?b) else
  (if (and (stringp ?a) (stringp ?b)) then (str-cat ?a ?b) else nil)))
(deffunction q-sub (?a ?b) (if (and (numberp ?a) (numberp ?b)) then (- ?a ?b) else nil))
(deffunction q-mul (?a ?b) (if (and (numberp ?a) (numberp ?b)) then (* ?a ?b) else nil))
(deffunction q-div (?a ?b) (if (and (numberp ?a) (numberp ?b) (<> ?b 0)) then (/ ?a ?b) else nil))
(deffunction q-max (?a ?b) (if (and (numberp ?a) (numberp ?b)) then (max ?a ?b) else nil))
(deffunction q-min (?a ?b) (if (and (numberp ?a) (numberp ?b)) then (min ?a ?b) else nil))
(deffunction q-abs (?a) (if (numberp ?a) then (abs ?a) else nil))
(deffunction q-floor (?a) (if (numberp ?a) then (if (= ?a (integer ?a)) then (integer ?a) else
  (if (< ?a 0) then (- (integer ?a) 1) else (integer ?a))) else nil))
(deffunction q-if (?c ?a ?b) (if (eq ?c TRUE) then ?a else (if (eq ?c FALSE) then ?b else nil)))
(deffunction q-list (?a) (and (stringp ?a) (eq (str-index "{_MARK}" ?a) 1)))
(deffunction q-contains (?a ?b) (if (not (and (stringp ?a) (stringp ?b))) then nil else
  (neq FALSE (if (q-list ?a) then (str-index (str-cat "{_MARK}" ?b "{_MARK}") ?a) else (if (eq ?b "") then 1 else (str-index ?b ?a))))))
(deffunction q-starts (?a ?b) (if (and (stringp ?a) (stringp ?b)) then (eq (sub-string 1 (str-length ?b) ?a) ?b) else nil))
(deffunction q-ends (?a ?b) (if (and (stringp ?a) (stringp ?b)) then
  (eq (sub-string (+ 1 (- (str-length ?a) (str-length ?b))) (str-length ?a) ?a) ?b) else nil))
(deffunction q-lower (?a) (if (stringp ?a) then (lowcase ?a) else nil))
(deffunction q-parts (?a) (bind ?n -1) (bind ?left ?a)
  (while (bind ?at (str-index "{_MARK}" ?left)) do (bind ?n (+ ?n 1)) (bind ?left (sub-string (+ ?at 1) (str-length ?left) ?left))) ?n)
(deffunction q-len (?a) (if (q-list ?a) then (q-parts ?a) else (if (stringp ?a) then (str-length ?a) else nil)))
(deffunction q-first (?a) (if (not (q-list ?a)) then nil else
  (bind ?left (sub-string 2 (str-length ?a) ?a)) (bind ?at (str-index "{_MARK}" ?left))
  (if ?at then (sub-string 1 (- ?at 1) ?left) else nil)))
(deffunction q-last (?a) (if (or (not (q-list ?a)) (< (q-parts ?a) 1)) then nil else
  (bind ?left (sub-string 2 (- (str-length ?a) 1) ?a))
  (while (bind ?at (str-index "{_MARK}" ?left)) do (bind ?left (sub-string (+ ?at 1) (str-length ?left) ?left))) ?left))
"""


class UntranslatableError(Exception):
    """A rule, or a value, that CLIPS cannot hold."""


def encoded(value: Value) -> Any:
    """A value as CLIPS is given it."""
    if isinstance(value, Version):
        parts = [*value, 0, 0, 0, 0][:4]
        if any(part > 9999 for part in parts[1:]):
            raise UntranslatableError("a version with large parts")
        return sum(part * 10 ** (12 - 4 * place) for place, part in enumerate(parts))
    if isinstance(value, tuple):
        if not all(isinstance(part, str) for part in value):
            raise UntranslatableError("a list of other things than texts")
        return _MARK + "".join(f"{part}{_MARK}" for part in value)
    return value


def literal(data: Any) -> str:
    """A constant of rule data."""
    value = encoded(from_data(data))
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return repr(value)


class Translator:
    """Names of templates and slots, and the rules that use them."""

    def __init__(self, rules: Iterable[tuple[Rule, int]], facts: Iterable[tuple[str, Iterable[str]]]) -> None:
        self.slots: dict[str, set[str]] = {}
        for template, names in facts:
            self.slots.setdefault(template, set()).update(names)
        self.kept: list[Rule] = []
        self._texts: list[str] = []
        self._loose: set[str] = set()  # variables of the rule at hand that may be nil
        self._renamed: dict[str, str] = {}  # its variables under the names that they have now
        given = list(rules)
        for rule, _ in given:
            for template, terms in _patterns(rule):
                self.slots.setdefault(template, set()).update(terms)
        self.names = {template: f"t{number}" for number, template in enumerate(sorted(self.slots))}
        for number, (rule, stratum) in enumerate(given):
            try:
                self._texts.append(self._rule(f"r{number}", rule, stratum))
            except UntranslatableError:
                continue
            self.kept.append(rule)

    def constructs(self) -> list[str]:
        """Functions, templates and rules, each for one `build`."""
        functions = ["(deffunction" + part for part in FUNCTIONS.split("(deffunction")[1:]]
        templates = [
            f"(deftemplate {self.names[template]} {' '.join(f'(slot {slot} (default nil))' for slot in sorted(slots))})"
            for template, slots in self.slots.items()
        ]
        return [*functions, *templates, *self._texts]

    def _rule(self, name: str, rule: Rule, stratum: int) -> str:
        self._loose, self._renamed = set(), {}
        conditions = rule["when"]
        matches = [condition for condition in conditions if condition[0] == "match"]
        lets = {condition[1]: condition[2] for condition in conditions if condition[0] == "let"}
        rest = [condition for condition in conditions if condition[0] not in ("match", "let")]
        if any(condition[0] == "aggregate" for condition in conditions) or lets.keys() & set(_terms(conditions)):
            raise UntranslatableError("an aggregate, or a value that a pattern joins with")
        used = set(_terms(conditions)) | set(_variables([condition[1:] for condition in conditions])) | set(_variables(rule["then"]))
        bound: set[str] = set(lets)
        parts = [self._match(condition, bound, used) for condition in matches]
        parts += [f"(test (neq nil {self._expression(value, bound, lets)}))" for value in lets.values()]
        order = {"test": 0, "exists": 1, "not": 2}
        parts += [self._condition(condition, set(bound), lets) for condition in sorted(rest, key=lambda condition: order[condition[0]])]
        heads = [self._head(template, terms, bound, lets) for template, terms in rule["then"]]
        return f"(defrule {name} (declare (salience {-100 * stratum})) {' '.join(parts)} => {' '.join(heads)})"

    def _match(self, condition: Sequence[Any], bound: set[str], used: set[str] | frozenset[str] = frozenset()) -> str:
        _, template, terms, whole = condition
        named = {term[1] for term in terms.values() if term[0] == "var"}
        free = (self.slots[template] & used) - bound - named if whole else set()
        slots = [f"({slot} {self._term(term, slot if slot in free else '', bound)})" for slot, term in terms.items()]
        slots += [f"({slot} ?{slot})" for slot in sorted(free - terms.keys())]
        bound.update(free | named)
        self._loose.update(free - terms.keys() - _PRESENT)
        return f"({self.names[template]} {' '.join(slots)})"

    def _term(self, term: Sequence[Any], name: str, bound: set[str]) -> str:
        """What a slot must be; a name is that of a variable which takes its value besides."""
        if term[0] == "const":
            return f"?{name}&{literal(term[1])}" if name else literal(term[1])
        if term[0] == "in":
            values = [literal(value) for value in term[1]]
            return f"?{name}&:(or {' '.join(f'(eq ?{name} {value})' for value in [*values, values[0]])})" if name else "|".join(values)
        if term[0] == "any":
            return f"?{name}&~nil" if name else "~nil"
        if term[1] not in self._loose:  # CLIPS refuses to compare with nil what an earlier pattern says is a number
            return f"?{term[1]}" if term[1] in bound else f"?{term[1]}&~nil"
        self._loose.discard(term[1])  # a slot that was taken with all others may be absent: then this pattern tells the value
        self._renamed[term[1]] = f"{term[1]}_known"
        return f"?{term[1]}_known&~nil&:(or (eq ?{term[1]} nil) (eq ?{term[1]} ?{term[1]}_known))"

    def _condition(self, condition: Sequence[Any], bound: set[str], lets: dict[str, Any]) -> str:
        if condition[0] == "test":
            return f"(test (eq TRUE {self._expression(condition[1], bound, lets)}))"
        if condition[0] in ("not", "exists"):
            inner = sorted(condition[1], key=lambda item: item[0] != "match")
            local, kept = set(bound), (set(self._loose), dict(self._renamed))
            parts = [self._match(item, local, frozenset()) if item[0] == "match" else self._condition(item, local, lets) for item in inner]
            if any(item[0] == "match" and item[3] for item in inner):
                raise UntranslatableError("all slots bound inside a negation")
            self._loose, self._renamed = kept
            return f"({condition[0]} {parts[0] if len(parts) == 1 else '(and ' + ' '.join(parts) + ')'})"
        raise UntranslatableError(condition[0])

    def _head(self, template: str, terms: dict[str, Any], bound: set[str], lets: dict[str, Any]) -> str:
        slots = []
        for slot, term in terms.items():
            if term[0] == "const":
                slots.append(f"({slot} {literal(term[1])})")
            elif term[0] == "expr" or term[1] in lets:
                slots.append(f"({slot} {self._expression(term[1] if term[0] == 'expr' else lets[term[1]], bound, lets)})")
            elif term[1] in bound:
                slots.append(f"({slot} {self._value(term[1], bound)})")
        return f"(assert ({self.names[template]} {' '.join(slots)}))"

    def _value(self, name: str, bound: set[str]) -> str:
        return f"?{self._renamed.get(name, name)}" if name in bound else "nil"

    def _expression(self, expression: Any, bound: set[str], lets: dict[str, Any]) -> str:
        if not isinstance(expression, list):
            return literal(expression)
        name, *rest = expression
        if name == "v":
            return literal(expression)
        if name == "var":
            return self._expression(lets[rest[0]], bound, lets) if rest[0] in lets else self._value(rest[0], bound)
        if name == "in" and isinstance(rest[1], list) and rest[1][0] == "list":
            return self._expression(["or", *(["==", rest[0], item] for item in rest[1][1:])], bound, lets)
        if name == "in":
            return f"(q-contains {self._expression(rest[1], bound, lets)} {self._expression(rest[0], bound, lets)})"
        if name == "chain":
            pairs = [[rest[place + 1], rest[place], rest[place + 2]] for place in range(0, len(rest) - 2, 2)]
            return self._expression(["and", *pairs], bound, lets)
        parts = [self._expression(item, bound, lets) for item in rest]
        if name in ("and", "or"):
            shown = parts[0]
            for part in parts[1:]:
                shown = f"(q-{name} {shown} {part})"
            return shown
        if name == "if":
            return f"(q-if {' '.join(parts)})"
        if name == "has":
            return f"(neq nil {parts[0]})"
        if (name in _BINARY and len(parts) == 2) or (name in _UNARY and len(parts) == 1):
            return f"({_BINARY.get(name) or _UNARY[name]} {' '.join(parts)})"
        raise UntranslatableError(name)


def _patterns(rule: Rule) -> Iterator[tuple[str, Iterable[str]]]:
    """Every template with slots, as a rule names them."""
    yield from ((template, terms) for template, terms in rule["then"])
    yield from ((condition[1], condition[2]) for condition in _nested(rule["when"]) if condition[0] == "match")


def _nested(conditions: Iterable[Any]) -> Iterator[Any]:
    for condition in conditions:
        yield condition
        if condition[0] in ("not", "exists"):
            yield from _nested(condition[1])
        elif condition[0] == "aggregate":
            yield from _nested(condition[6])


def _terms(conditions: Iterable[Any]) -> Iterator[str]:
    """The variables of patterns."""
    for condition in _nested(conditions):
        if condition[0] == "match":
            yield from (term[1] for term in condition[2].values() if term[0] == "var")


def _variables(data: Any) -> Iterator[str]:
    """Every variable in expressions and heads."""
    if isinstance(data, list) and len(data) == 2 and data[0] == "var" and isinstance(data[1], str):
        yield data[1]
    elif isinstance(data, (list, tuple)):
        for item in data:
            yield from _variables(item)
    elif isinstance(data, dict):
        for item in data.values():
            yield from _variables(item)
