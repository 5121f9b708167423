"""The report as GitHub-flavoured Markdown, ready for an issue comment.

What a log says must not mention people, link issues, load images or close the comment's HTML. So text is escaped
piece by piece, and everything GitHub would act on by itself (`@name`, `#12`, addresses, commit ids) is set as code,
where it does nothing. Only `references` and the links of cases, which come from rules, become links.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from markupsafe import Markup

from triage.render import documents
from triage.render.escape import is_web_address, shorten, spans, visible, visible_lines
from triage.report.legend import without_words

_MAX_SENTENCE: Final = 2000
_MAX_LINE: Final = 600

# A run of ASCII that GitHub, or another reader of Markdown, turns into a mention, a reference or a link.
_ASCII_RUN = re.compile(r"[!-~]+")
_ACTIVE = re.compile(r"@|://|www\.|mailto:|xmpp:|#\d|\bGH-\d|^[0-9a-f]{7,40}\W*$", re.IGNORECASE)
_SPECIAL = re.compile(r"[\\`*\[\]~|$#]|(?<![0-9A-Za-z])_|_(?![0-9A-Za-z])")
_BLOCK_START = re.compile(r" *(?:[-+](?=[\s-]|$)|=|\d{1,9}[.)](?=\s|$))")
_ENTITIES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def render(report: Mapping[str, Any]) -> str:
    """The report as one Markdown text."""
    return _ENVIRONMENT.get_template("report.md.j2").render(documents.context(report))


def inline(text: object) -> Markup:
    """A sentence: what stands in backticks stays code, the rest is escaped."""
    line = shorten(visible(str(text)), _MAX_SENTENCE)
    text = _apart(part for is_code, piece in spans(line) for part in ([code(piece)] if is_code else _escaped(piece)))
    if text.startswith(" "):  # four of them would begin a block of code
        text = " " + text.lstrip(" ")
    start = _BLOCK_START.match(text)
    return Markup(f"{text[: start.end() - 1]}\\{text[start.end() - 1 :]}" if start else text)


def _bold(text: object) -> Markup:
    line = inline(text).strip()
    return Markup(f"**{line}**") if line else line


def code(text: object) -> Markup:
    """A code span, fenced by one backtick more than any run within."""
    line = shorten(visible(str(text)), _MAX_SENTENCE)
    fence = "`" * (_longest_run(line) + 1)
    pad = " " if line.startswith(("`", " ")) or line.endswith(("`", " ")) else ""
    return Markup(f"{fence}{pad}{line}{pad}{fence}" if line else "")


def block(text: object, language: str = "text") -> Markup:
    """A fenced block."""
    body = "\n".join(shorten(line, _MAX_LINE) for line in visible_lines(str(text)))
    fence = "`" * max(3, _longest_run(body) + 1)
    return Markup(f"{fence}{language}\n{body}\n{fence}")


def _evidence(items: list[Mapping[str, Any]]) -> Markup:
    """Lines of the log behind their numbers, as one block."""
    lines: list[str] = []
    file = ""
    for item in items:
        if item.get("file", "") != file:
            file = item["file"]
            lines.append(visible(file))
        lines.append(f"{item['line']:>6} | {visible(item['text'])}")
    return block("\n".join(lines))


def _link(address: object) -> Markup:
    text = str(address)
    return Markup(f"<{text}>") if is_web_address(text) else code(text)


def _escaped(text: str) -> Iterator[str]:
    """Plain text with everything that Markdown or HTML would act on escaped, in pieces."""
    position = 0
    for run in _ASCII_RUN.finditer(text):
        if _ACTIVE.search(run.group()):
            word = run.group().rstrip(".,;:!?)")
            yield _plain(text[position : run.start()])
            yield code(word)
            position = run.start() + len(word)
    yield _plain(text[position:])


def _apart(pieces: Iterable[str]) -> str:
    """Pieces side by side, with a blank where the backticks of two would run together and change what they fence."""
    text = ""
    for piece in map(str, pieces):  # a piece that is Markup would escape what stands before it once more
        text += " " + piece if text.endswith("`") and piece.startswith("`") else piece
    return text


def _plain(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text).translate(_ENTITIES)


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)


def _finalize(value: object) -> Markup:
    """What a template prints without a filter of this module is escaped. `Markup` here means: finished Markdown."""
    return value if isinstance(value, Markup) else inline(value)


def _below(text: Markup, width: int) -> Markup:
    """A finished block moved in, to stand below a list item."""
    return Markup(str(text).replace("\n", "\n" + " " * width))


_ENVIRONMENT: Final = documents.environment(
    _finalize,
    {
        "inline": inline,
        "code": code,
        "block": block,
        "evidence": _evidence,
        "link": _link,
        "below": _below,
        "bold": _bold,
        "without_words": without_words,
    },
)
