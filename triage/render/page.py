"""A page of a terminal: lines so far, and how to add more. Every text that is added is made safe here."""

from __future__ import annotations

from triage.render.escape import shorten, visible, visible_lines
from triage.render.layout import cells, chop, wrap
from triage.render.phrases import phrase

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

_STYLES: Final = {
    "failure": "1;31", "heading": "1", "dim": "2", "command": "36", "good": "32", "bad": "33", "link": "4;34",
}  # fmt: skip
_LEAST_WIDTH: Final = 40
_MAX_SENTENCE: Final = 2000
_MAX_COMMAND: Final = 4000  # nobody copies more; a log may hold it


class Page:
    """Lines of at most `width` cells, at least 40; words in `lang`; colours, and block characters, only where wanted."""

    __slots__ = ("ascii_only", "color", "lang", "lines", "width")

    def __init__(self, lang: str, width: int, color: bool, ascii_only: bool) -> None:
        self.lines: list[str] = []
        self.lang = lang
        self.width = max(width, _LEAST_WIDTH)
        self.color = color
        self.ascii_only = ascii_only

    def say(self, key: str, **values: object) -> str:
        """A phrase of `render/phrases.py` in the page's language. Raises KeyError for one that is not there."""
        return phrase(key, self.lang, **values)

    def paint(self, text: str, style: str) -> str:
        """The text in a style of `_STYLES` where the page has colours; '' is no style."""
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.color and style and text else text

    def gap(self) -> None:
        """One empty line, wherever lines stand above that do not end in one."""
        if self.lines and self.lines[-1]:
            self.lines.append("")

    def heading(self, key: str, indent: int = 0) -> None:
        """A phrase as a heading; one that is not indented stands after a gap."""
        if not indent:
            self.gap()
        self.lines.append(" " * indent + self.paint(self.say(key), "heading"))

    def prose(self, text: str, indent: int = 2, first: str = "", style: str = "") -> None:
        """A wrapped paragraph. `first` (a number, a dash) stands before the first line, the others hang below its text."""
        text = shorten(visible(text), _MAX_SENTENCE)
        hang = indent + cells(first)
        lead = " " * indent + first
        for line in wrap(text, max(self.width - hang, 20)):
            self.lines.append(lead + self.paint(line, style))
            lead = " " * hang

    def whole(self, text: str, indent: int, style: str = "") -> None:
        """Lines that must stay whole so that they can be copied, however wide: commands and addresses."""
        for line in visible_lines(text):
            self.lines.append(" " * indent + self.paint(shorten(line, _MAX_COMMAND), style))

    def quote(self, number: object, text: str, limit: int) -> None:
        """A line of the log behind its number."""
        gutter = f"{number!s:>7} | " if number is not None else " " * 7 + " | "
        room = max(self.width - len(gutter), 20)
        for piece in chop(shorten(visible(text), limit), room):
            self.lines.append(self.paint(gutter, "dim") + piece)
            gutter = " " * 7 + " | "

    def parts(self, parts: Sequence[str], separator: str, indent: int, style: str = "") -> None:
        """Parts beside each other as far as they fit; none is cut."""
        lead = " " * indent
        line = ""
        for part in [shorten(visible(part), _MAX_SENTENCE) for part in parts]:
            if line and cells(line) + len(separator) + cells(part) > self.width - indent:
                self.lines.append(lead + self.paint(line, style))
                line = part
            else:
                line = line + separator + part if line else part
        if line:
            self.lines.append(lead + self.paint(line, style))

    def text(self) -> str:
        """Everything so far, ending in a line feed."""
        return "\n".join(self.lines) + "\n"
