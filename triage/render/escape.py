"""Text from a log, made safe to show.

Everything a report holds may carry bytes of the log: a path in a sentence, a package name in a command.
Writers therefore pass every string through `visible` before anything else. What it returns has no
character that moves a cursor, changes colours, reorders or hides its neighbours, or cannot be encoded.
"""

from __future__ import annotations

# Printable by Unicode's classes, and yet drawn as nothing: a text could be hidden in them. The two selectors that emoji need are left.
_INVISIBLE = frozenset(
    ["\u034f", "\u115f", "\u1160", "\u17b4", "\u17b5", "\u3164", "\uffa0", "\u2800", "\u180b", "\u180c", "\u180d", "\u180f"]
    + [chr(code) for code in (*range(0xFE00, 0xFE0E), *range(0xE0100, 0xE01F0))]
)
_BLANKS = frozenset("\t\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000")


def visible(text: str) -> str:
    """One line, every control, format, private or unassigned character and lone surrogate as an escape such as `\\x1b`.

    Blanks of any width become a space. Line ends at the end are dropped, others shown as `\\n` and `\\r`.
    """
    if text.isprintable() and _INVISIBLE.isdisjoint(text):
        return text
    return "".join(map(_shown, text.rstrip("\r\n")))


def visible_lines(text: str) -> list[str]:
    """The lines of a text that may have several (a command), each as `visible` gives it."""
    return [visible(line) for line in text.replace("\r\n", "\n").split("\n")]


def shorten(text: str, limit: int) -> str:
    """About `limit` characters: of a longer text the middle gives way to the number of characters left out."""
    if len(text) <= limit + 20:
        return text
    tail = limit // 3
    return f"{text[: limit - tail]} …[+{len(text) - limit}]… {text[len(text) - tail :]}"


def spans(text: str) -> list[tuple[bool, str]]:
    """A sentence as pieces `(is_code, text)`: what stands between two backticks is code. A lone backtick is text."""
    pieces = text.split("`")
    if len(pieces) % 2 == 0:
        last = pieces.pop()
        pieces[-1] += "`" + last
    return [(number % 2 == 1, piece) for number, piece in enumerate(pieces) if piece]


def is_web_address(text: str) -> bool:
    """Whether a string may become a link: http or https, and nothing that could end the link early."""
    return text.startswith(("https://", "http://")) and text.isascii() and text.isprintable() and not set(text) & set(" <>\"'`\\|{}^")


def _shown(char: str) -> str:
    if char in _BLANKS:
        return " "
    if char.isprintable() and char not in _INVISIBLE:
        return char
    code = ord(char)
    if char in "\n\r":
        return "\\n" if char == "\n" else "\\r"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
