"""Expressions as data, and what they mean.

An expression is a scalar (a string, a number, true, false), or a list with its operator first: `["var", "x"]`,
`["v", "2.1"]` (a version), `["list", …]`, `["+", a, b]`, `["chain", a, "<", b, "<=", c]`, `["has", ["var", "x"]]`.
`parse_expression` makes them from text; `compile_expression` turns them into closures. Nothing is given to `eval`.

The value of an expression is unknown when it depends on a variable that is not bound, when types do not fit, and
when a result leaves the bounds below: then, and only then, `Unknown` is raised. Every operation takes time and
space linear in its operands.
"""

from __future__ import annotations

from math import ceil, floor
from operator import add, ge, gt, le, lt, mul, sub, truediv

from triage.engine.errors import ExpressionError, Unknown
from triage.engine.values import TYPE_CHECKING, Version, normal, same, sort_key

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, TypeAlias

    from triage.engine.values import Value

    Expr: TypeAlias = Any
    Env: TypeAlias = Mapping[str, Value]
    Term: TypeAlias = Callable[[Env], Value]
else:
    Expr = Term = object

__all__ = [
    "FUNCTIONS",
    "MAX_DEPTH",
    "Expr",
    "ExpressionError",
    "Term",
    "Unknown",
    "bounded_number",
    "compile_expression",
    "decode_value",
    "depth",
    "evaluate",
    "parse_expression",
    "variables",
]

MAX_DEPTH = 100
MAX_TEXT = 10_000  # characters of a string that an expression makes
MAX_NUMBER = 1 << 512  # absolute value of a number that an expression makes

_MANY = 1 << 30
# How many arguments each function takes.
FUNCTIONS: dict[str, tuple[int, int]] = {
    "has": (1, 1),
    "if": (3, 3),
    "min": (1, _MANY),
    "max": (1, _MANY),
    "abs": (1, 1),
    "round": (1, 2),
    "floor": (1, 1),
    "ceil": (1, 1),
    "len": (1, 1),
    "contains": (2, _MANY),
    "startswith": (2, _MANY),
    "endswith": (2, _MANY),
    "lower": (1, 1),
    "first": (1, 1),
    "last": (1, 1),
    "sum": (1, 1),
    "join": (1, 2),
    "version": (1, 1),
}


def parse_expression(text: str) -> Expr:
    """The expression that a text stands for, as nested lists. Raises ExpressionError with message and column."""
    from triage.engine.parsing import parse

    return parse(text)


def variables(expr: Expr) -> frozenset[str]:
    """The names of all variables in an expression, those asked for by `has` too."""
    found: set[str] = set()
    pending = [expr]
    while pending:
        node = pending.pop()
        if isinstance(node, (list, tuple)):
            if node[0] == "var":
                found.add(node[1])
            elif node[0] != "v":
                pending.extend(node[1:])
    return frozenset(found)


def depth(expr: Expr) -> int:
    """How deeply lists are nested in an expression; a scalar has 0."""
    level, rank = 0, [expr]
    while rank := [part for node in rank if isinstance(node, (list, tuple)) for part in node]:
        level += 1
    return level


def evaluate(expr: Expr, bindings: Env) -> Value:
    """The value of an expression. Raises Unknown when it has none, and no other exception for a well-formed expression."""
    return compile_expression(expr)(bindings)


def compile_expression(expr: Expr) -> Term:
    """A function from bindings to the value of the expression; it raises Unknown where `evaluate` does.

    Raises ExpressionError when the expression is not well formed.
    """
    if depth(expr) > MAX_DEPTH:
        raise ExpressionError(f"nested more than {MAX_DEPTH} levels deep")
    return _compile(expr)


def decode_value(data: Any) -> Value:
    """A constant of rule data as a value: `["v", "2.1"]` is a version, `["t", …]` a tuple. Raises ExpressionError."""
    if isinstance(data, (list, tuple)):
        if len(data) == 2 and data[0] == "v" and isinstance(data[1], str):
            try:
                return Version(int(part) for part in data[1].split("."))
            except ValueError:
                raise ExpressionError(f"{data[1]!r} is no version") from None
        if data and data[0] == "t":
            return tuple([decode_value(part) for part in data[1:]])
        raise ExpressionError(f"{data!r} is no constant")
    try:
        value = normal(data)
    except TypeError as error:
        raise ExpressionError(str(error)) from None
    if value is None:
        raise ExpressionError("NaN is no constant")
    return value


def _compile(expr: Expr) -> Term:
    if not isinstance(expr, (list, tuple)):
        return _constant(decode_value(expr))
    if not expr or not isinstance(expr[0], str):
        raise ExpressionError(f"{expr!r} is no expression")
    head, *parts = expr
    if head == "v":
        return _constant(decode_value(expr))
    if head == "var" and len(parts) == 1 and isinstance(parts[0], str):
        return _variable(parts[0])
    if head == "has" and len(parts) == 1 and isinstance(parts[0], (list, tuple)) and parts[0][:1] in (["var"], ("var",)):
        name = parts[0][1]
        return lambda env: env.get(name) is not None
    if head == "chain":
        return _chain([_compile(part) for part in parts[::2]], parts[1::2])
    if head in _WITH_TEXTS and len(parts) > 1 and (texts := _texts_given(head, parts[1:])):
        return _WITH_TEXTS[head](_compile(parts[0]), texts)
    terms = [_compile(part) for part in parts]
    if head in _CONNECTIVES:
        return _CONNECTIVES[head](terms)
    if head in _BINARY and len(terms) == 2:
        return _binary(_BINARY[head], terms[0], terms[1])
    if head in _CALLS and FUNCTIONS.get(head, (1, 1))[0] <= len(terms) <= FUNCTIONS.get(head, (1, 1))[1]:
        return _call(_CALLS[head], terms)
    if head == "if" and len(terms) == 3:
        return _condition(*terms)
    raise ExpressionError(f"{expr!r} is no expression")


def _constant(value: Value) -> Term:
    return lambda env: value


def _variable(name: str) -> Term:
    def variable(env: Env) -> Value:
        value = env.get(name)
        if value is None:
            raise Unknown(name)
        return value

    return variable


def _binary(function: Callable[[Any, Any], Value], left: Term, right: Term) -> Term:
    return lambda env: function(left(env), right(env))


def _call(function: Callable[..., Value], terms: list[Term]) -> Term:
    if len(terms) == 1:
        only = terms[0]
        return lambda env: function(only(env))
    return lambda env: function(*[term(env) for term in terms])


def _texts_given(head: str, parts: Sequence[Any]) -> tuple[str, ...]:
    """The texts that an expression gives a value to be compared with; () where they are not known before it is evaluated."""
    if head == "in":
        whole = parts[0]
        parts = whole[1:] if len(parts) == 1 and isinstance(whole, (list, tuple)) and whole[:1] in (["list"], ("list",)) else []
    return tuple(parts) if all(type(part) is str for part in parts) else ()


def _is_one_of(value: Term, texts: tuple[str, ...]) -> Term:
    known = frozenset(texts)

    def is_one(env: Env) -> Value:
        found = value(env)
        return type(found) is str and found in known

    return is_one


def _holds_one_of(value: Term, texts: tuple[str, ...]) -> Term:
    def holds(env: Env) -> Value:
        whole = value(env)
        return any(map(whole.__contains__, texts)) if type(whole) is str else True in [_in(text, whole) for text in texts]

    return holds


def _condition(test: Term, then: Term, otherwise: Term) -> Term:
    return lambda env: then(env) if _truth(test(env)) else otherwise(env)


def _chain(terms: list[Term], signs: list[Any]) -> Term:
    if len(terms) != len(signs) + 1 or any(sign not in _COMPARE for sign in signs):
        raise ExpressionError("a chain of comparisons that is not well formed")
    functions = [_BINARY[sign] for sign in signs]

    def chain(env: Env) -> Value:
        unknown: Unknown | None = None
        left: Value | None = None
        for position, term in enumerate(terms):
            before, left = left, None
            try:
                left = term(env)
                if before is not None and not functions[position - 1](before, left):
                    return False
            except Unknown as reason:
                unknown = unknown or reason
        if unknown is not None:
            raise unknown
        return True

    return chain


def _truth(value: Value) -> bool:
    if value is True or value is False:
        return value
    raise Unknown("a truth value")


def _not(terms: list[Term]) -> Term:
    if len(terms) != 1:
        raise ExpressionError("not takes one expression")
    only = terms[0]
    return lambda env: not _truth(only(env))


def _junction(terms: list[Term], decisive: bool) -> Term:
    """`and` (decided by the first False) or `or` (by the first True), whatever else is unknown."""
    if not terms:
        raise ExpressionError("and, or: nothing to join")

    def junction(env: Env) -> Value:
        unknown: Unknown | None = None
        for term in terms:
            try:
                if _truth(term(env)) is decisive:
                    return decisive
            except Unknown as reason:
                unknown = unknown or reason
        if unknown is not None:
            raise unknown
        return not decisive

    return junction


def _is_number(value: Value) -> bool:
    return type(value) is int or type(value) is float


def bounded_number(value: Any) -> Value:
    """The normal form of a number, unknown when out of bounds (NaN never compares as inside them)."""
    if -MAX_NUMBER <= value <= MAX_NUMBER:
        return normal(value)  # type: ignore[return-value]
    raise Unknown("a number in bounds")


def _arithmetic(function: Callable[[Any, Any], Any]) -> Callable[[Value, Value], Value]:
    def operate(left: Value, right: Value) -> Value:
        if not (_is_number(left) and _is_number(right)):
            raise Unknown("a number")
        try:
            return bounded_number(function(left, right))
        except (ArithmeticError, ValueError):
            raise Unknown("a number in bounds") from None

    return operate


_add_numbers = _arithmetic(add)


def _plus(left: Value, right: Value) -> Value:
    if type(left) is str and type(right) is str:
        return _text_in_bounds(left, right)
    return _add_numbers(left, right)


def _text_in_bounds(*parts: str) -> str:
    if sum(map(len, parts)) > MAX_TEXT:
        raise Unknown("a text in bounds")
    return "".join(parts)


def _comparison(function: Callable[[Any, Any], bool]) -> Callable[[Value, Value], Value]:
    def compare(left: Value, right: Value) -> Value:
        if (_is_number(left) and _is_number(right)) or (type(left) is type(right) and type(left) in (str, Version)):
            return function(left, right)
        raise Unknown("values that can be ordered")

    return compare


def _in(item: Value, whole: Value) -> Value:
    if type(whole) is tuple:
        return any(same(item, part) for part in whole)
    if type(whole) is str and type(item) is str:
        return item in whole
    raise Unknown("a list or text to look in")


def _number(value: Value) -> Any:
    if not _is_number(value):
        raise Unknown("a number")
    return value


def _list(value: Value) -> tuple[Value, ...]:
    if type(value) is not tuple:
        raise Unknown("a list")
    return value


def _flat(parts: list[Value]) -> Value:
    # Lists inside lists could double their size with every firing of a recursive rule.
    if any(type(part) is tuple for part in parts):
        raise Unknown("a list of plain values")
    return tuple(parts)


def _text(value: Value) -> str:
    if type(value) is not str:
        raise Unknown("a text")
    return value


def _least(sign: int) -> Callable[..., Value]:
    def extreme(*values: Value) -> Value:
        if len(values) == 1 and type(values[0]) is tuple:
            values = values[0]
        kinds = {float if _is_number(value) else type(value) for value in values}
        if len(kinds) != 1 or not kinds <= {float, str, Version}:
            raise Unknown("values that can be ordered")
        return min(values, key=sort_key) if sign < 0 else max(values, key=sort_key)

    return extreme


def _rounded(function: Callable[..., Any]) -> Callable[..., Value]:
    def rounded(value: Value, digits: Value = 0) -> Value:
        number = _number(value)
        if type(digits) is not int or not -30 <= digits <= 30:
            raise Unknown("a number of digits")
        try:
            return bounded_number(function(number, digits) if digits else function(number))
        except (ArithmeticError, ValueError):
            raise Unknown("a number in bounds") from None

    return rounded


def _len(value: Value) -> Value:
    if type(value) is str or type(value) is tuple:
        return len(value)
    raise Unknown("a list or text")


def _end(position: int) -> Callable[[Value], Value]:
    def end(value: Value) -> Value:
        parts = _list(value)
        if not parts:
            raise Unknown("an item of the list")
        return parts[position]

    return end


def _sum(value: Value) -> Value:
    total: Value = 0
    for part in _list(value):
        total = _add_numbers(total, part)
    return total


def _join(value: Value, separator: Value = ", ") -> Value:
    between = _text(separator)
    pieces: list[str] = []
    for part in _list(value):
        if pieces:
            pieces.append(between)
        pieces.append(part if type(part) is str else _shown(part))
    return _text_in_bounds(*pieces)


def _version(value: Value) -> Value:
    """The version that a text begins with: "2.0.0rc4" → 2.0.0. As texts "4.9" would come after "4.41"."""
    if type(value) is Version:
        return value
    parts: list[int] = []
    for part in _text(value)[:80].removeprefix("v").split("."):
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        if not digits or len(digits) > 9:
            break
        parts.append(int(digits))
        if digits != part:
            break
    if not parts:
        raise Unknown("a version")
    return Version(parts)


def _shown(value: Value) -> str:
    if type(value) is bool:
        return "true" if value else "false"
    if type(value) is tuple or (type(value) is int and abs(value) > MAX_NUMBER):
        raise Unknown("a text")
    return str(value)


_COMPARE: dict[str, Callable[[Any, Any], Value]] = {
    "<": _comparison(lt),
    "<=": _comparison(le),
    ">": _comparison(gt),
    ">=": _comparison(ge),
    "==": same,
    "!=": lambda left, right: not same(left, right),
}
_BINARY: dict[str, Callable[[Any, Any], Value]] = {
    **_COMPARE,
    "+": _plus,
    "-": _arithmetic(sub),
    "*": _arithmetic(mul),
    "/": _arithmetic(truediv),
    "in": _in,
}
_CONNECTIVES: dict[str, Callable[[list[Term]], Term]] = {
    "and": lambda terms: _junction(terms, False),
    "or": lambda terms: _junction(terms, True),
    "not": _not,
    "list": lambda terms: lambda env: _flat([term(env) for term in terms]),
}
# The same where what a value is compared with are texts that the expression gives: most expressions do, and ask for it fact by fact.
_WITH_TEXTS: dict[str, Callable[[Term, tuple[str, ...]], Term]] = {
    "in": _is_one_of,
    "contains": _holds_one_of,
    "startswith": lambda value, texts: lambda env: _text(value(env)).startswith(texts),
    "endswith": lambda value, texts: lambda env: _text(value(env)).endswith(texts),
}
_CALLS: dict[str, Callable[..., Value]] = {
    "neg": lambda value: bounded_number(-_number(value)),
    "min": _least(-1),
    "max": _least(1),
    "abs": lambda value: bounded_number(abs(_number(value))),
    "round": _rounded(round),
    "floor": _rounded(lambda value, digits=0: floor(value)),
    "ceil": _rounded(lambda value, digits=0: ceil(value)),
    "len": _len,
    "contains": lambda whole, *items: True in [_in(item, whole) for item in items],
    "startswith": lambda whole, *starts: _text(whole).startswith(tuple(map(_text, starts))),
    "endswith": lambda whole, *ends: _text(whole).endswith(tuple(map(_text, ends))),
    "lower": lambda value: _text(value).lower(),
    "first": _end(0),
    "last": _end(-1),
    "sum": _sum,
    "join": _join,
    "version": _version,
}
