"""The values a slot can hold: `str`, `int`, `float`, `bool`, `Version`, and tuples of these."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias, Union


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


Value: TypeAlias = Union[str, int, float, bool, Version, tuple["Value", ...]]


def to_data(value: Value) -> Any:
    """A value as JSON can hold it: versions as ["v", "2.1"], other tuples as ["t", ...]."""
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
