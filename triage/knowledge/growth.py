"""What is refused before a YAML text is loaded: aliases, by which a small text stands for a huge one, and depth that overflows a stack."""

from __future__ import annotations

from typing import Any, NamedTuple

import yaml

MAX_DEPTH = 60  # levels of nesting; the deepest file that is needed has about twenty
_SUSPICIOUS = 500  # so many brackets, or so wide an indentation, might be deeper than the composer's stack bears


class Growth(NamedTuple):
    """What is refused, with line and column from 1."""

    line: int
    column: int
    message: str
    alias: bool


def growth(text: str, loader: Any) -> Growth | None:
    """The first thing in a text that must not be loaded. Raises yaml.YAMLError where the text is not YAML."""
    aliases = "&" in text and "*" in text
    brackets = text.count("[") + text.count("{")
    widest = max(len(line) - len(line.lstrip(" -?:")) for line in text.split("\n"))
    if not aliases and brackets < _SUSPICIOUS and widest < _SUSPICIOUS:
        return None
    depth = 0
    for event in yaml.parse(text, Loader=loader):
        mark: Any = event.start_mark
        if isinstance(event, yaml.AliasEvent):
            return Growth(mark.line + 1, mark.column + 1, "aliases (*name) are not allowed: write it out", True)
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                return Growth(mark.line + 1, mark.column + 1, f"nested more than {MAX_DEPTH} levels deep", False)
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
    return None
