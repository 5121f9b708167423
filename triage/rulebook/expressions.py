"""The code of Python's regular expressions, kept beside the compiled rules.

`re` takes a fifth of a millisecond to compile an expression, and forty times less to take over the code that came of it, as it stands
in a list of integers. The parsers have hundreds of expressions, of which a traceback needs some twenty. As with `.pyc` files, code is
used by the releases of Python alone that say they write it in the same way; others compile.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from triage.rulebook.rulebook import Rulebook

_ROOMS = ("reading", "parsers", "knowledge")


def sections() -> dict[str, Any]:
    """What the compiled file keeps of the expressions in this package; nothing where `re` is not made as CPython's has been since 3.11."""
    try:
        return _kept() if sys.implementation.name == "cpython" else {}
    except (ImportError, AttributeError, TypeError):
        return {}


def _kept() -> dict[str, Any]:
    from array import array

    codes = array("I")
    sources: list[bytes] = []
    heads = []
    for source, flags in sorted(set(_lazy_patterns())):
        code, *head = _compiled(source, flags)
        heads.append([len(codes), len(codes) + len(code), *head])
        codes.extend(code)
        sources.append(_key(source, flags))
    starts = array("i", [0])
    for key in sources:
        starts.append(starts[-1] + len(key))
    return {
        "expressions/form": _form(),
        "expressions/sources": b"".join(sources),
        "expressions/starts": starts,
        "expressions/heads": tuple(heads),
        "expressions/codes": codes,
    }


class Expressions:
    """The expressions that a rule base keeps the code of."""

    __slots__ = ("_book", "_known")

    def __init__(self, book: Rulebook) -> None:
        self._book = book
        self._known = book.section("expressions/form") == _form()

    def find(self, source: str, flags: int) -> re.Pattern[str] | None:
        """The expression, ready to match, or None where its code is not kept or not that of this Python."""
        if not self._known:
            return None
        section = self._book.section
        at = section("expressions/sources").find(_key(source, flags))
        if at < 0:
            return None
        low, high, flags, groups, names = section("expressions/heads")[bisect_left(section("expressions/starts"), at)]
        code = section("expressions/codes")[low:high].cast("B").cast("I").tolist()
        named = [None] * (groups + 1)
        for name, group in names.items():
            named[group] = name
        try:
            return _sre_compile(source, flags, code, groups, names, tuple(named))
        except (RuntimeError, TypeError, ValueError, OverflowError):  # it checks what it is given
            return None


def _sre_compile(*parts: Any) -> re.Pattern[str]:
    from _sre import compile as from_code  # type: ignore[import-not-found]

    return from_code(*parts)  # type: ignore[no-any-return]


def _form() -> list[int]:
    """What the code is written in; [] where that is not said."""
    try:
        from _sre import CODESIZE, MAGIC
    except ImportError:
        return []
    return [MAGIC, CODESIZE]


def _key(source: str, flags: int) -> bytes:
    return f"\0{flags:d}\0{source}\0".encode("utf-8", "surrogatepass")


def _compiled(source: str, flags: int) -> tuple[list[int], int, int, dict[str, int]]:
    """Code, flags with those that the source sets, number of groups and the names of groups."""
    from re import _compiler, _parser  # type: ignore[attr-defined]

    tree = _parser.parse(source, flags)
    return _compiler._code(tree, flags), flags | tree.state.flags, tree.state.groups - 1, tree.state.groupdict


def _lazy_patterns() -> Iterator[tuple[str, int]]:
    """Source and flags of the expressions that modules of the rooms hold, on their own or in lists, tables and rows."""
    from importlib import import_module
    from pkgutil import walk_packages

    for room in _ROOMS:
        package = import_module(f"triage.{room}")
        for found in walk_packages(package.__path__, f"triage.{room}."):
            yield from _held(list(vars(import_module(found.name)).values()), 4)


def _held(value: Any, depth: int) -> Iterator[tuple[str, int]]:
    from triage.reading.lazy import Gated, Pattern
    from triage.reading.prefixes import Form

    if isinstance(value, (Pattern, Gated, Form)):
        yield value.written
    elif depth and isinstance(value, (list, tuple)):
        for inner in value:
            yield from _held(inner, depth - 1)
    elif depth and isinstance(value, dict):
        for inner in value.values():
            yield from _held(inner, depth - 1)
