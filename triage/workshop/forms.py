"""Signatures as people read them: `CUDA out of memory. Tried to allocate <requested_bytes>` instead of an expression."""

from __future__ import annotations

import itertools
import re
import warnings
from typing import Any

from triage.rulebook.schema import Signature

with warnings.catch_warnings():  # the parser module is undocumented but stable; only its parse tree is used
    warnings.simplefilter("ignore")
    from re import _constants as sre  # type: ignore[attr-defined]
    from re import _parser as sre_parser  # type: ignore[attr-defined]

GAP = "…"
_HOLE = re.compile(r"%\{([A-Z]+)(?::([a-z_]+))?\}")
_GROUP = re.compile(r"\(\?P<([a-z_]+)>")
_MOST = 6  # forms of one signature that are shown


def readable(signature: Signature) -> list[str]:
    """The forms of a signature, values as `<slot>` or `<type>`, what may be anything as `…`, each alternative by itself."""
    if signature.text is not None:
        return [_HOLE.sub(_hole, form) for form in signature.forms][:_MOST]
    found: list[str] = []
    for pattern in signature.forms:
        tree = sre_parser.parse(_HOLE.sub(lambda hole: re.escape(_hole(hole)), _distinct(pattern)))
        found += [_tidy(_shown(list(branch), tree.state.groupdict)) for branch in _branches(list(tree))]
    return list(dict.fromkeys(form for form in found if form))[:_MOST]


def _distinct(pattern: str) -> str:
    """The pattern with a number behind the name of every group: Python wants them to differ, a slot may be captured in several branches."""
    count = itertools.count()
    return _GROUP.sub(lambda group: f"(?P<{group.group(1)}__{next(count)}>", pattern)


def _hole(hole: re.Match[str]) -> str:
    kind, slot = hole.group(1), hole.group(2)
    return f"<{slot}>" if slot else GAP if kind in ("ANY", "REST") else f"<{kind.lower()}>"


def _branches(tree: list[Any]) -> list[list[Any]]:
    """The alternatives at the top; the one sequence where there are none."""
    if len(tree) == 1 and tree[0][0] is sre.BRANCH:
        return [list(branch) for branch in tree[0][1][1]]
    return [tree]


def _shown(tree: list[Any], names: dict[str, int]) -> str:
    return "".join(_part(operator, argument, names) for operator, argument in tree)


def _part(operator: Any, argument: Any, names: dict[str, int]) -> str:
    if operator is sre.LITERAL:
        return chr(argument)
    if operator is sre.SUBPATTERN:
        name = next((name for name, number in names.items() if number == argument[0]), None)
        return f"<{name.partition('__')[0]}>" if name else _shown(list(argument[3]), names)
    if operator is sre.BRANCH:
        return _shown(list(argument[1][0]), names)
    if operator is sre.IN:
        return _member(argument)
    if operator in (sre.MAX_REPEAT, sre.MIN_REPEAT):
        low, high, inner = argument
        text = _shown(list(inner), names)
        if low == 0 and high == 1:
            return text
        return text if text == " " else GAP
    return GAP if operator in (sre.ANY, sre.NOT_LITERAL) else ""


def _member(items: list[Any]) -> str:
    """One of a set of characters: blanks as a blank, the first of a few spellings, else a gap."""
    kinds = [kind for kind, _ in items]
    if (sre.CATEGORY, sre.CATEGORY_SPACE) in items or (sre.LITERAL, 32) in items:
        return " "
    return chr(items[0][1]) if kinds[0] is sre.LITERAL and set(kinds) == {sre.LITERAL} else GAP


def _tidy(text: str) -> str:
    """One line, without repeated gaps."""
    text = re.sub(r"\s+", " ", text)
    return re.sub(rf"(?:{GAP} ?)+{GAP}", GAP, text).strip()
