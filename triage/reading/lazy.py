"""Regular expressions that are compiled when they are first used.

Compiling all patterns of the parsers takes longer than explaining a traceback, which needs few of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Pattern:
    """Stands for `re.compile(source, flags)`; after the first use its methods are those of the compiled pattern."""

    __slots__ = ("_flags", "_source", "findall", "finditer", "match", "search", "sub")

    findall: Callable[..., list[str]]
    finditer: Callable[..., Iterator[re.Match[str]]]
    match: Callable[..., re.Match[str] | None]
    search: Callable[..., re.Match[str] | None]
    sub: Callable[..., str]

    def __init__(self, source: str, flags: int = 0) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        """Called as long as the slots are empty."""
        if name not in self.__slots__:
            raise AttributeError(name)
        compiled = re.compile(self._source, self._flags)
        for method in ("findall", "finditer", "match", "search", "sub"):
            setattr(self, method, getattr(compiled, method))
        return getattr(self, name)
