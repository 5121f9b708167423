"""What a terminal would have shown: escape sequences, carriage returns, progress bars, HTML entities, links of editors.

`Cleaner` looks at a whole text once, to learn which of these occur at all, so that the lines of an ordinary log
cost one comparison each.
"""

from __future__ import annotations

import re

from triage.reading.lazy import Pattern

# Each alternative starts with a distinct byte after ESC and its classes are disjoint, so matching is linear.
_ESCAPE = (
    r"(?:\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor movements
    r"|\][^\x07\x1b\x9c]{0,4096}(?:\x07|\x1b\\|\x9c)?"  # OSC: titles, hyperlinks
    r"|[PX^_][^\x1b\x9c]{0,4096}(?:\x1b\\|\x9c)?"  # DCS and other strings
    r"|[ -/][0-~]|[0-~])?"  # character sets, single functions
)
_PRINTED_ESCAPES = ("^[[", "\\x1b[", "\\u001b[", "\\033[", "#033[", "\u241b[")  # as `cat -v`, JSON and rsyslog write them
_LOST_RESETS = ("[0m", "[0;0m", "[39m", "[00m")  # what is left when copying dropped the ESC
_CONTROLS = bytes(byte for byte in (*range(0x20), 0x7F) if byte not in b"\t\n")
_DROP_CONTROLS = dict.fromkeys(_CONTROLS)
_ENTITIES = (("&gt;", ">"), ("&lt;", "<"), ("&quot;", '"'), ("&#39;", "'"), ("&#x27;", "'"), ("&nbsp;", " "), ("&amp;", "&"))
_WIDE = "".join(map(chr, (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B))))  # digits and letters
_TYPED = _WIDE + "\uff0b\uff0d\uff0e\uff0f\uff1d\uff3f\uff05\xa0\u3000\u2018\u2019\u201c\u201d"  # of input methods and web pages
_AS_PRINTED = str.maketrans(_TYPED, "".join(chr(ord(wide) - 0xFEE0) for wide in _WIDE) + "+-./=_%  ''\"\"")
_ANY_TYPED = re.compile(f"[{_TYPED}]")
MAX_DIGITS = 40  # of a number; what has more is no quantity, and Python refuses to read thousands of them
_LONG_NUMBER = Pattern(rf"(\d{{{MAX_DIGITS}}})\d+")
_TO_ZERO = dict.fromkeys(map(ord, "123456789"), "0")
# What editors make of a path or a name when it is copied: [674](file:///…/model.py:674), [flash_attn.so](http://flash_attn.so/)
_LINK = Pattern(
    r"\[([^\[\]\n]{1,300})\]\((?:(?:vscode-(?:notebook-cell|remote)|file:///|command:|https?://vscode-)[^()\s]{0,800}|https?://\1/?)\)"
)
_LINK_MARKS = ("](vscode-", "](file:///", "](command:", "](http")
_BAR_MARKS = ("%|", "it/s", "s/it", "\u2501", "\u2588", "=>", "B/s", "ETA", "eta ")
_BAR_END = Pattern(r"(?:it/s|s/it|B/s)[^\[\]|\n]{0,200}\](?=[^\s,.])")  # what follows without a blank is another message


class Cleaner:
    """Turns a raw line into the texts a reader would have seen, for one input."""

    __slots__ = ("_carriage", "_entities", "_escapes", "_flat", "_glued", "_links", "_long", "_typed", "idle")

    def __init__(self, text: str, has_controls: bool) -> None:
        forms = []
        if has_controls and ("\x1b" in text or "\x9b" in text):
            forms += [r"\x1b" + _ESCAPE, r"\x9b[0-?]*[ -/]*[@-~]"]
        elif "0m" in text or "[m" in text:  # whoever colours also resets
            printed = [re.escape(form) for form in _PRINTED_ESCAPES if form in text]
            if printed:
                forms.append("(?:" + "|".join(printed) + r")[0-9;]*[mKGHJABCD]")
            elif any(reset in text for reset in _LOST_RESETS):
                forms.append(r"\[(?:0?0|0;0|39)m|(?<!\w)\[[0-9]{1,3}(?:;[0-9]{1,3}){0,5}m")
        self._escapes = re.compile("|".join(forms)) if forms else None
        self._carriage = has_controls or "^M" in text
        self._entities = [pair for pair in _ENTITIES if pair[0] in text] if "&" in text else []
        self._glued = ("it/s" in text or "s/it" in text or "B/s" in text) and _BAR_END.search(text) is not None
        self._flat = "\\n" in text and ("\\n  File " in text or "\\n\\nTraceback" in text)
        self._typed = not text.isascii() and _ANY_TYPED.search(text) is not None
        self._links = "](" in text and any(mark in text for mark in _LINK_MARKS) and _LINK.search(text) is not None
        self._long = _has_long_number(text)
        rare = self._glued or self._flat or self._links or self._typed or self._long
        self.idle = not (self._escapes or self._carriage or self._entities or rare)

    def clean(self, raw: str) -> str:
        """The line without sequences, control characters, entities and links of editors; carriage returns must be gone already."""
        text = raw
        if self._escapes is not None:
            text = self._escapes.sub("", text)
        if self._carriage and not text.isprintable():
            text = text.translate(_DROP_CONTROLS)
        for entity, character in self._entities:
            if entity in text:
                text = text.replace(entity, character)
        if self._links and "](" in text:
            text = _LINK.sub(r"\1", text)
        if self._typed:
            text = text.translate(_AS_PRINTED)
        return _LONG_NUMBER.sub(r"\1", text) if self._long else text

    def pieces(self, raw: str) -> list[str]:
        """The pieces of a raw line that a reader could have seen one after the other.

        States of a progress bar that were overwritten by a later one are dropped; a traceback that follows a bar on
        the same line, or that was flattened with a literal backslash and n, comes apart.
        """
        if self._carriage and raw.endswith("^M"):
            raw = raw[:-2]
        rewritten = self._carriage and ("\r" in raw or "\b" in raw)
        pieces = _last_states(_split_rewrites(raw)) if rewritten else [raw]
        if self._glued and "]" in raw:
            pieces = [part for piece in pieces for part in _split_after_bar(piece)]
        if self._flat and "\\n" in raw:
            pieces = [part for piece in pieces for part in _unflatten(piece)]
        return pieces


def _has_long_number(text: str) -> bool:
    if text.isascii():
        return "0" * (MAX_DIGITS + 1) in text.translate(_TO_ZERO)
    return _LONG_NUMBER.search(text) is not None


def has_controls(data: bytes) -> bool:
    """Whether there is any control character besides tab and newline (C1 as UTF-8 counts too)."""
    return len(data.translate(None, _CONTROLS)) != len(data) or b"\xc2\x9b" in data


def _split_rewrites(raw: str) -> list[str]:
    """Split where the cursor went back: at carriage returns and at runs of backspaces (Keras)."""
    if "\b" in raw:
        raw = re.sub("\b{2,}", "\r", raw)
    return [piece for piece in raw.split("\r") if piece]


def _is_bar(piece: str) -> bool:
    return any(mark in piece for mark in _BAR_MARKS) or piece.rstrip().endswith("%")


def _bar_state(piece: str) -> tuple[str, int]:
    """Label of a progress bar and its percentage, -1 without one."""
    head = piece[: piece.find("%")] if "%" in piece else ""
    label = head.rstrip("0123456789.")
    digits = head[len(label) :].partition(".")[0]
    return label.strip(), int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 4 else -1


def _last_states(pieces: list[str]) -> list[str]:
    """Drop every state of a bar that a later state of the same run replaces; all other text stays."""
    kept: list[str] = []
    pending = ""
    state = ("", -1)
    for piece in pieces:
        if not _is_bar(piece):
            if pending:
                kept.append(pending)
                pending = ""
            kept.append(piece)
            continue
        now = _bar_state(piece)
        if pending and (now[0] != state[0] or now[1] < state[1]):
            kept.append(pending)
        pending, state = piece, now
    if pending:
        kept.append(pending)
    return kept


def _split_after_bar(piece: str) -> list[str]:
    match = _BAR_END.search(piece)
    return [piece[: match.end()], piece[match.end() :]] if match else [piece]


def _unflatten(piece: str) -> list[str]:
    if "\\n  File " not in piece and "\\n\\nTraceback" not in piece:
        return [piece]
    return piece.split("\\n")
