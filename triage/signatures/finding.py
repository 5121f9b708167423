"""RE2's search for one expression.

The wrapper of RE2 for Python makes a generator and an object for each match, which takes three times as long as to search a line, and keeps
the last expressions in a table that does not pay for thousands. What it wraps is used directly where it is as releases from
1.1.20240702 to 1.1.20251105 have it; where another release has changed that, the wrapper serves, and finds the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import re2

# Gives from where to where in bytes, between two places, the first match stands, and each of its groups; -1 for what does not.
Find = Callable[[bytes, int, int], Sequence[tuple[int, int]]]


def finder(regex: bytes, options: re2.Options) -> Find:
    """The search for an expression. Raises re2.error."""
    return _inner(regex, options) if _HAS_INNER else wrapped(regex, options)


def wrapped(regex: bytes, options: re2.Options) -> Find:
    """The same by what RE2's package documents. Raises re2.error."""
    compiled = re2.compile(regex, options)
    groups = range(compiled.groups + 1)

    def find(text: bytes, start: int, end: int) -> Sequence[tuple[int, int]]:
        found = compiled.search(text, start, end)
        return [found.span(group) if found else (-1, -1) for group in groups]

    return find


def _inner(regex: bytes, options: re2.Options) -> Find:
    return partial(re2._Regexp(regex, options)._regexp.Match, re2._Anchor.UNANCHORED)


def _has_inner() -> bool:
    """Whether this release of the package has inside what is known of it."""
    try:
        return list(_inner(b"(a)b|(c)", re2.Options())(b"xab", 0, 3)) == [(1, 3), (1, 2), (-1, -1)]
    except (AttributeError, TypeError):
        return False


_HAS_INNER = _has_inner()
