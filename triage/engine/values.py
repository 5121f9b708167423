"""The values a slot can hold: `str`, `int`, `float`, `bool`, `Version`, and tuples of these.

How values compare (`key_of`, `same`): a number is a number, so 1 equals 1.0, and an integral float is kept as an
`int` (`normal`), which gives every number one form. A `bool` is no number: `True` differs from 1. A `Version`
differs from the tuple of its numbers. NaN is no value; where one turns up the slot counts as unknown.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable
    from typing import Any, TypeAlias

    Value: TypeAlias = "str | int | float | bool | Version | tuple[Value, ...]"
    SortKey: TypeAlias = tuple[int, Any]
else:  # the real alias needs `typing`, which costs more to import than the whole engine
    Value = SortKey = object


class Version(tuple[int, ...]):
    """A dotted version, compared number by number; missing numbers count as zero (2.1 equals 2.1.0)."""

    __slots__ = ()

    def __new__(cls, parts: Iterable[int] = ()) -> Version:
        numbers = list(parts)
        while numbers and numbers[-1] == 0:
            numbers.pop()
        return super().__new__(cls, numbers)

    def __str__(self) -> str:
        numbers = list(self) + [0] * (2 - len(self))
        return ".".join(map(str, numbers))

    def __repr__(self) -> str:
        return f"v{self}"


_TRUE = ("bool", True)
_FALSE = ("bool", False)
_RANKS = {bool: 0, int: 1, float: 1, str: 2, Version: 3, tuple: 4}


def normal(value: Value) -> Value | None:
    """The one form of a value: integral floats become `int`, also inside tuples; None for NaN or a tuple that holds it.

    Raises TypeError when it is no value.
    """
    kind = type(value)
    if kind is float:
        number: float = value  # type: ignore[assignment]
        if number.is_integer():
            return int(number)
        return value if number == number else None
    if kind is tuple:
        parts: list[Value] = []
        for part in value:  # type: ignore[union-attr]
            item = normal(part)
            if item is None:
                return None
            parts.append(item)
        return tuple(parts)
    if kind not in _RANKS:
        raise TypeError(f"{value!r} is a {kind.__name__}, which no slot can hold")
    return value


def key_of(value: Value) -> Hashable:
    """A hashable that is equal for two values exactly when the values are the same (see above). Takes normal values."""
    kind = type(value)
    if kind is str or kind is int or kind is float:
        return value
    if kind is bool:
        return _TRUE if value else _FALSE
    if kind is Version:
        return ("version", *value)  # type: ignore[misc]
    return ("tuple", *map(key_of, value))  # type: ignore[arg-type]


def same(one: Value, other: Value) -> bool:
    """Whether two normal values are the same."""
    if type(one) is type(other) and type(one) is not tuple:
        return one == other
    return one == other and key_of(one) == key_of(other)


def sort_key(value: Value) -> SortKey:
    """Orders values of all types: booleans, numbers, strings, versions, tuples."""
    kind = type(value)
    if kind is tuple:
        return (4, tuple(map(sort_key, value)))  # type: ignore[arg-type]
    if kind is Version:
        return (3, tuple(value))  # type: ignore[arg-type]
    return (_RANKS[kind], value)


def to_data(value: Value) -> Any:
    """A value as JSON can hold it and give it back: versions as ["v", "2.1"], other tuples as ["t", ...]."""
    if isinstance(value, Version):
        return ["v", str(value)]
    if isinstance(value, tuple):
        return ["t", *map(to_data, value)]
    return value


def from_data(data: Any) -> Value:
    """The value that `to_data` wrote."""
    if isinstance(data, list):
        if data[0] == "v":
            return Version(int(part) for part in data[1].split("."))
        return tuple(from_data(item) for item in data[1:])
    return data  # type: ignore[no-any-return]


def plain(value: Value) -> object:
    """A value as JSON shows it to readers: a version is its text, a tuple a list."""
    if isinstance(value, Version):
        return str(value)
    if isinstance(value, tuple):
        return [plain(part) for part in value]
    return value
