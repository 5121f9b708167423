"""Near misses: texts that hold the words of a message and do not report it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

_HOLE = re.compile(r"%\{[A-Z]+(?::[a-z_]+)?\}")
_WORDS = {
    "SIZE": "nothing",
    "INT": "none",
    "NUM": "some",
    "HEX": "(nil)",
    "PCI": "no address",
    "VERSION": "unknown",
    "HOST": "",
    "PATH": "",
    "DEVICE": "any device",
    "DURATION": "long",
}


def near_miss(text: str, matches: Callable[[str], bool], literals: list[str]) -> str:
    """A text that holds a required literal of a signature and is not matched by it: the words with other values, or without some of
    them, and where nothing can be left out, the message as a change of a program quotes it.
    """
    for candidate in _candidates(text):
        line = " ".join(candidate.split())
        if any(literal in line.lower() for literal in literals) and not matches(line):
            return line
    quoted = _HOLE.sub("x", text).split("\n")[0].replace('"', "'")
    return f'```diff\n- # raises "{quoted}"\n+ # does not raise it any more\n```'


def _candidates(text: str) -> Iterator[str]:
    holes = list(_HOLE.finditer(text))
    filled = _HOLE.sub(lambda hole: _WORDS.get(hole.group()[2:-1].partition(":")[0], "x"), text)
    if holes:
        yield filled
    words = filled.split()
    for cut in range(1, len(words)):  # the message without its end, then without its beginning
        yield " ".join(words[:-cut])
        yield " ".join(words[cut:])
    for cut in range(1, len(words)):
        yield " ".join([*words[:cut], "…", *words[cut:]])
