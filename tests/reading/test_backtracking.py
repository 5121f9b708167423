"""No expression that `re` searches takes exponential time, whatever the text."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from ambiguity import is_exponential

import triage
from triage.reading.lazy import Gated, Pattern


@pytest.mark.parametrize(
    ("source", "exponential"),
    [
        (r"(?:a+)+b", True),
        (r"(?:abx|a[bc]x)*d", True),
        (r"(?:--[a-z-]+ ?)*\Z", True),
        (r"(?:--[a-z-]+(?: |\Z))*\Z", False),
        (r"(?:[A-Z][A-Z0-9_]*=\S+ )*end", False),
        (r"(?:ax|Ax)*c", False),
        (r"(?i:ax|A[xy])*c", True),
        (r"(?:x{1,3}y)*", False),
        (r"(?:\w{1,60} ?){0,60}:", True),
        (r"(?:\w{1,40} ?){1,8}$", True),
        (r"\w{1,40}(?: \w{1,40}){0,7}$", False),
        (r"a*a*a*b", False),  # polynomial
    ],
)
def test_what_is_ambiguous(source: str, exponential: bool) -> None:
    assert is_exponential(source) == exponential


def test_no_expression_of_the_package_is_ambiguous() -> None:
    found = {written for module in _modules() for written in _expressions(vars(module), 6)}
    assert len(found) > 1000
    assert [source for source, flags in sorted(found) if is_exponential(source, flags)] == []


def _modules() -> Iterator[Any]:
    for info in pkgutil.walk_packages(triage.__path__, "triage."):
        if not info.name.endswith("__main__"):
            yield importlib.import_module(info.name)


def _expressions(value: object, depth: int) -> Iterator[tuple[str, int]]:
    """Sources and flags of all expressions for `re` in what a module holds."""
    if isinstance(value, Pattern | Gated):
        yield value.written
    elif isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield value.pattern, value.flags
    elif depth and isinstance(value, Mapping):
        for key, inner in value.items():
            yield from (*_expressions(key, depth - 1), *_expressions(inner, depth - 1))
    elif depth and isinstance(value, list | tuple | set | frozenset):
        for inner in value:
            yield from _expressions(inner, depth - 1)
    elif depth and type(value).__module__.startswith("triage."):
        yield from _expressions(getattr(value, "__dict__", {}), depth - 1)
