"""Conditions and expressions as a reader sees them, with what is bound put in."""

from __future__ import annotations

from triage.engine.expressions import decode_value
from triage.engine.rules import nested
from triage.engine.values import TYPE_CHECKING, Version

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from triage.engine.expressions import Expr
    from triage.engine.rules import Condition
    from triage.engine.values import Value

    Bindings = Mapping[str, Value]

_PRECEDENCE = {"or": 1, "and": 2, "not": 3, "in": 4, "chain": 4, "+": 5, "-": 5, "*": 6, "/": 6, "neg": 7}
_PRECEDENCE.update(dict.fromkeys(("<", "<=", ">", ">=", "==", "!="), 4))
_MOST = 60  # characters of a text that a description shows


def show_value(value: Value) -> str:
    """A value as expressions write it, long texts cut."""
    if type(value) is str:
        return repr(value if len(value) <= _MOST else value[: _MOST - 1] + "…")
    if type(value) is bool:
        return "true" if value else "false"
    if type(value) is tuple:
        return f"[{', '.join(map(show_value, value))}]"
    return repr(value) if type(value) is Version else str(value)


def show_expression(expr: Expr) -> str:
    """An expression in the words it is written in."""
    return _show(expr, 0)


def _show(expr: Expr, level: int) -> str:
    if not isinstance(expr, (list, tuple)) or expr[0] == "v":
        return show_value(decode_value(expr))
    head, *parts = expr
    if head == "var":
        return str(parts[0])
    if head == "list":
        return f"[{', '.join(_show(part, 0) for part in parts)}]"
    own = _PRECEDENCE.get(head)
    if own is None:
        return f"{head}({', '.join(_show(part, 0) for part in parts)})"
    if head == "chain":
        text = " ".join(_show(part, 5) if place % 2 == 0 else part for place, part in enumerate(parts))
    elif head in ("and", "or"):
        text = f" {head} ".join(_show(part, own + 1) for part in parts)
    elif head == "not":
        text = f"not {_show(parts[0], own)}"
    elif head == "neg":
        text = f"-{_show(parts[0], own)}"
    else:  # operators of two operands lean to the left; comparisons do not lean
        text = f"{_show(parts[0], own + (own == 4))} {head} {_show(parts[1], own + 1)}"
    return f"({text})" if own < level else text


def show_conditions(conditions: Iterable[Condition], bindings: Bindings) -> str:
    """Conditions joined by "and"."""
    return " and ".join([show_condition(condition, bindings) for condition in conditions])


def show_condition(condition: Condition, bindings: Bindings) -> str:
    """One condition; variables that are bound are shown by their values."""
    kind = condition[0]
    if kind == "match":
        slots = ", ".join([_show_slot(slot, term, bindings) for slot, term in condition[2].items()])
        return f"{condition[1]}({slots})"
    if kind == "test":
        return show_expression(condition[1])
    if kind == "let":
        return f"let {condition[1]} = {show_expression(condition[2])}"
    inner = show_conditions(nested(condition), bindings)
    if kind in ("not", "exists"):
        several = len(nested(condition)) > 1
        return f"{kind} ({inner})" if several else f"{kind} {inner}"
    _, function, variable, value, by, distinct, _ = condition
    words = [("", value), (" by ", by), (" distinct ", distinct)]
    shown = "".join([f"{word}{show_expression(expr)}" for word, expr in words if expr is not None])
    return f"{variable} = {function}({shown}) of {inner}"


def _show_slot(slot: str, term: list[object], bindings: Bindings) -> str:
    kind = term[0]
    if kind == "const":
        return f"{slot}={show_value(decode_value(term[1]))}"
    if kind == "in":
        choices: list[object] = term[1]  # type: ignore[assignment]
        return f"{slot} in [{', '.join(show_value(decode_value(value)) for value in choices)}]"
    if kind == "any":
        return f"{slot}=…"
    name = str(term[1])
    value = bindings.get(name)
    return f"{slot}=${name}" if value is None else f"{slot}={show_value(value)}"
