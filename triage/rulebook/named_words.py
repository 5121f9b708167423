"""Lists of words that a rule file names once and its patterns refer to: `%{card}` for `words: {card: ['gpus?', 'cards?']}`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

NAME = r"[a-z][a-z0-9-]*"
_REFERENCE = re.compile(rf"%\{{({NAME})\}}")
_DEEPEST = 4  # lists that refer to lists


def expand(pattern: str, words: Mapping[str, str | Sequence[str]]) -> str:
    """A pattern with every list that it refers to written out as alternatives. Raises ValueError where a name has no list."""
    for _ in range(_DEEPEST):
        if not _REFERENCE.search(pattern):
            return pattern
        pattern = _REFERENCE.sub(lambda match: _alternatives(match[1], words), pattern)
    raise ValueError("words that refer to each other")


def _alternatives(name: str, words: Mapping[str, str | Sequence[str]]) -> str:
    if name not in words:
        raise ValueError(f"there are no words called {name}: `words` of the file has {', '.join(sorted(words)) or 'none'}")
    listed = words[name]
    return f"(?:{listed if isinstance(listed, str) else '|'.join(listed)})"
