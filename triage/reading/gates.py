"""Whether a text can hold a match at all, told by RE2 in one pass.

Python's `re` tries the alternatives of an expression at each character; most texts hold none of them. The expression that asks RE2 is
made from the one for `re`: it lets through whatever that one matches, and a little more, since RE2 has no look-around and knows letters
and blanks of ASCII alone.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_TOKEN = re.compile(
    r"\\u(?P<code>[0-9a-fA-F]{4})|\\(?P<escape>.)|\((?P<look>\?<?[=!])|(?P<group>\()|(?P<close>\))|(?P<open>\[\^?\]?)|(?P<end>\])"
    r"|\{(?P<least>[0-9]*),(?P<most>[0-9]+)\}|(?s:.)"
)
_BEYOND_ASCII = r"\x{80}-\x{10FFFF}"
_WIDEST = 9  # RE2 unrolls counted repetitions; wider ones are let go on


def gate_source(source: str) -> str:
    """An expression of RE2 that finds something wherever `source`, of Python's `re` and without backreferences, does."""
    parts: list[str] = []
    skipped = 0  # depth of parentheses inside a look-around
    opened = ""  # how the class that a token stands in began
    for token in _TOKEN.finditer(source):
        kind = token.lastgroup
        if skipped:
            if not opened:
                skipped += (kind in ("look", "group")) - (kind == "close")
            opened = _class(opened, kind, token[0])
            continue
        if kind == "look" and not opened:
            skipped = 1
            continue
        parts.append(_translated(token, opened))
        opened = _class(opened, kind, token[0])
    return "".join(parts)


def _class(opened: str, kind: str | None, text: str) -> str:
    """How the class began that stands open after a token; '' for none."""
    if kind == "open" and not opened:
        return text
    return "" if kind == "end" else opened


def _translated(token: re.Match[str], opened: str) -> str:
    text = token[0]
    if token["code"]:
        return rf"\x{{{token['code']}}}"
    if token["escape"]:
        if token["escape"] == "Z":
            return r"\z"
        if token["escape"] in "wsd" and not opened.startswith("[^"):  # a negated class lets more through as it is
            return text + _BEYOND_ASCII if opened else f"[{text}{_BEYOND_ASCII}]"
        return text
    if token["most"] and not opened and int(token["most"]) > _WIDEST:
        return f"{{{min(int(token['least'] or 0), _WIDEST)},}}"
    if token["open"] and not opened and text.endswith("]"):
        return text[:-1] + r"\]"  # a bracket right after the opening stands for itself
    return text


def compile_gate(source: str, flags: int) -> Any:
    """The gate of an expression, compiled; it searches bytes."""
    import re2

    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = not flags & re.IGNORECASE
    return re2.compile(f"(?m){gate_source(source)}".encode(), options)  # `$` also stands before a last newline
