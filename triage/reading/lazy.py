"""Regular expressions that are compiled when they are first used.

Compiling all patterns of the parsers takes longer than explaining a traceback, which needs few of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Finder = Callable[[str, int], re.Pattern[str] | None]

_PATIENCE = 2000  # characters that `re` has searched sooner than RE2 has compiled a gate
_kept: Finder | None = None


def keep(find: Finder) -> None:
    """Ask `find` for an expression, of this source and these flags, before one is compiled: it may know its code."""
    global _kept
    _kept = find


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

    @property
    def written(self) -> tuple[str, int]:
        """Its source and flags."""
        return self._source, int(self._flags)

    def __getattr__(self, name: str) -> Any:
        """Called as long as the slots are empty."""
        if name not in self.__slots__:
            raise AttributeError(name)
        compiled = (_kept and _kept(self._source, self._flags)) or re.compile(self._source, self._flags)
        for method in ("findall", "finditer", "match", "search", "sub"):
            setattr(self, method, getattr(compiled, method))
        return getattr(self, name)


class Gated:
    """A pattern that few texts match: RE2 looks for it first (see `triage.reading.gates`), and only where it finds something `re` does."""

    __slots__ = ("_asked", "_flags", "_gate", "_pattern", "_source")

    def __init__(self, source: str, flags: int = 0) -> None:
        self._source = source
        self._flags = flags
        self._asked = 0  # characters
        self._gate: Any = None
        self._pattern = Pattern(source, flags)

    @property
    def written(self) -> tuple[str, int]:
        """Its source and flags."""
        return self._pattern.written

    def may_match(self, text: str) -> bool:
        """Whether the pattern may match somewhere in a text; when not, it does not."""
        if self._gate is None:
            self._asked += len(text)
            if self._asked < _PATIENCE:
                return True
            from triage.reading.gates import compile_gate

            self._gate = compile_gate(self._source, self._flags)
        return self._gate.search(text.encode("utf-8", "surrogatepass")) is not None

    def in_any(self, texts: Sequence[str]) -> bool:
        """Whether the pattern matches in one of many short texts."""
        return self.may_match("\n".join(texts)) and any(map(self.search, texts))

    def search(self, text: str) -> re.Match[str] | None:
        """As `re.Pattern.search`."""
        return self._pattern.search(text) if self.may_match(text) else None

    def findall(self, text: str) -> list[str]:
        """As `re.Pattern.findall`."""
        return self._pattern.findall(text) if self.may_match(text) else []

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """As `re.Pattern.finditer`."""
        return self._pattern.finditer(text) if self.may_match(text) else iter(())
