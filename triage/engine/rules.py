"""Rules as data: their form, a check of it, and what a rule reads and gives.

{"name": str, "when": [CONDITION, …], "then": [HEAD, …]}

CONDITION  ["match", template, {slot: TERM}, bind_all]
           ["not", [CONDITION, …]]      ["exists", [CONDITION, …]]
           ["test", EXPR]               ["let", variable, EXPR]
           ["aggregate", function, variable, value EXPR | null, by EXPR | null, distinct EXPR | null, [CONDITION, …]]
TERM       ["const", VALUE]  ["var", name]  ["any"]  ["in", [VALUE, …]]
HEAD       [template, {slot: ["const", VALUE] | ["var", name] | ["expr", EXPR]}]
VALUE      a scalar, ["v", "2.1"] for a version, ["t", …] for a tuple
"""

from __future__ import annotations

from triage.engine.errors import ExpressionError, RuleError
from triage.engine.expressions import compile_expression, decode_value, variables
from triage.engine.values import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, TypeAlias

    RuleData: TypeAlias = dict[str, Any]
    Condition: TypeAlias = list[Any]

# Aggregates that need a value to work on; `count` does without.
# Those that pick one of the values have none, and the rule does not hold, where nothing meets their conditions.
PICKING = frozenset(("min", "max", "first", "last"))
VALUED = PICKING | {"sum"}
AGGREGATES = VALUED | {"count"}


def nested(condition: Condition) -> list[Condition]:
    """The conditions inside a `not`, an `exists` or an aggregate; none otherwise."""
    kind = condition[0]
    if kind in ("not", "exists"):
        return condition[1]  # type: ignore[no-any-return]
    return condition[6] if kind == "aggregate" else []


def names_bound(condition: Condition) -> frozenset[str]:
    """The variables that a condition names and binds for the others (the slots bound by `bind_all` are not named)."""
    kind = condition[0]
    if kind == "match":
        return frozenset([term[1] for term in condition[2].values() if term[0] == "var"])
    if kind == "let":
        return frozenset((condition[1],))
    return frozenset((condition[2],)) if kind == "aggregate" else frozenset()


def names_needed(condition: Condition) -> frozenset[str]:
    """The variables whose value a condition waits for: those of its expressions, and all that conditions inside it name."""
    kind = condition[0]
    if kind == "match":
        return frozenset()
    if kind == "test":
        return variables(condition[1])
    if kind == "let":
        return variables(condition[2])
    found: set[str] = set()
    for inner in nested(condition):
        found |= names_bound(inner) | names_needed(inner)
    if kind == "aggregate":
        for expr in condition[3:6]:
            found |= variables(expr)
    return frozenset(found)


def templates_read(conditions: list[Condition], positive: bool = True) -> Iterator[tuple[str, bool]]:
    """Every template that conditions ask for, with whether more of its facts can only make them hold more often."""
    for condition in conditions:
        if condition[0] == "match":
            yield condition[1], positive
        else:
            yield from templates_read(nested(condition), positive and condition[0] == "exists")


def check_rule(rule: RuleData) -> None:
    """Raises RuleError when a rule is not well formed."""
    name = rule.get("name")
    if not isinstance(name, str) or not name:
        raise RuleError(repr(name), "a rule needs a name")
    try:
        _check_conditions(rule["when"])
        for template, slots in rule["then"]:
            _require(isinstance(template, str), f"{template!r} is no template")
            for slot, term in slots.items():
                _check_head_term(slot, term)
    except ExpressionError as error:
        raise RuleError(name, str(error)) from error
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise RuleError(name, f"not the form of a rule: {type(error).__name__}: {error}") from error
    except _FormError as error:
        raise RuleError(name, str(error)) from None


class _FormError(Exception):
    pass


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise _FormError(message)


def _check_conditions(conditions: Any, level: int = 0) -> None:
    _require(isinstance(conditions, (list, tuple)), f"{conditions!r} is no list of conditions")
    _require(level < 20, "conditions nested more than 20 levels deep")
    for condition in conditions:
        _check_condition(condition, level)


def _check_condition(condition: Any, level: int) -> None:
    kind = condition[0]
    if kind == "match":
        _, template, slots, bind_all = condition
        _require(isinstance(template, str) and isinstance(bind_all, bool), f"{condition!r} is no match")
        for slot, term in slots.items():
            _check_term(slot, term)
    elif kind in ("not", "exists"):
        _, inner = condition
        _check_conditions(inner, level + 1)
        _require(bool(inner), f"{kind} of nothing")
    elif kind == "test":
        _, expr = condition
        compile_expression(expr)
    elif kind == "let":
        _, variable, expr = condition
        _require(isinstance(variable, str), f"{variable!r} is no variable")
        compile_expression(expr)
    elif kind == "aggregate":
        _, function, variable, value, by, distinct, inner = condition
        _require(function in AGGREGATES, f"there is no aggregate {function!r}")
        _require(isinstance(variable, str), f"{variable!r} is no variable")
        _require(function not in VALUED or value is not None, f"{function} needs a value")
        for expr in (value, by, distinct):
            if expr is not None:
                compile_expression(expr)
        _check_conditions(inner, level + 1)
        _require(bool(inner), f"{function} of nothing")
    else:
        raise _FormError(f"there is no condition {kind!r}")


def _check_term(slot: str, term: Any) -> None:
    kind = term[0]
    if kind == "const":
        _, data = term
        decode_value(data)
    elif kind == "in":
        _, choices = term
        _require(bool(choices), f"slot {slot}: one of nothing")
        for data in choices:
            decode_value(data)
    elif kind == "var":
        _, name = term
        _require(isinstance(name, str), f"slot {slot}: {name!r} is no variable")
    else:
        _require(kind == "any" and len(term) == 1, f"slot {slot}: there is no term {term!r}")


def _check_head_term(slot: str, term: Any) -> None:
    _require(term[0] in ("const", "var", "expr"), f"slot {slot}: {term!r} gives no value")
    if term[0] == "expr":
        _, expr = term
        compile_expression(expr)
    else:
        _check_term(slot, term)
