"""Texts of rules as Markdown for MkDocs: whatever stands in a rule is text, nothing of it is markup.

Characters that Markdown or HTML acts on become character references, which neither reads as markup.
"""

from __future__ import annotations

import re
from html import escape

from triage.render.escape import is_web_address, spans, visible, visible_lines

_ACTIVE = re.compile(r"[\\`*_\[\]{}<>&#|~!$\"']")
_START = re.compile(r"^([-+=:]|\d+[.)])(?=\s|$|-)")


def plain(text: str) -> str:
    """A text without any markup."""
    shown = _ACTIVE.sub(lambda char: f"&#{ord(char.group())};", visible(text))
    return _START.sub(lambda start: "".join(f"&#{ord(char)};" for char in start.group()), shown)


def inline(text: str) -> str:
    """A sentence: what stands between backticks is code."""
    return "".join(code(piece) if is_code else plain(piece) for is_code, piece in spans(visible(text)))


def code(text: str) -> str:
    """A code span."""
    return f"<code>{plain(text)}</code>"


def block(text: str) -> str:
    """A block of code."""
    lines = [escape(line, quote=False) for line in visible_lines(text.rstrip("\n"))]
    return "<pre><code>" + "\n".join(line or " " for line in lines) + "</code></pre>"


def link(text: str, address: str) -> str:
    """A link to a page of the site."""
    return f"[{plain(text)}]({address})"


def web_link(address: str, note: str = "") -> str:
    """A link out of the site, as its address; an address that is none stays text."""
    if not is_web_address(address):
        return code(address) + (f": {plain(note)}" if note else "")
    target = escape(address)
    return f'<a href="{target}">{plain(address)}</a>' + (f": {plain(note)}" if note else "")


def bullets(items: list[str]) -> str:
    """A list of finished pieces."""
    return "\n".join(f"- {item}" for item in items)
