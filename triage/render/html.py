"""The report as one HTML page that needs nothing else: no script, no font, no image, no network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from markupsafe import Markup, escape

from triage.render import documents
from triage.render.escape import is_web_address, shorten, spans, visible, visible_lines
from triage.render.wording import aside, place, spot, titles, verdict

_MAX_SENTENCE: Final = 2000
_MAX_LINE: Final = 2000


def render(reports: Sequence[Mapping[str, Any]]) -> str:
    """One page for one or several reports; a report's `input.name`, where there is one, is its heading."""
    lang = str(reports[0].get("lang", "en")) if reports else "en"
    pages = [documents.context(report) for report in reports]
    frame = {
        "pages": pages,
        "lang": lang,
        "say": documents.say(lang),
        "aside": partial(aside, lang=lang),
        "place": partial(place, lang=lang),
        "titles": partial(titles, lang=lang),
        "verdict": partial(verdict, lang=lang),
    }
    return _ENVIRONMENT.get_template("report.html.j2").render(frame)


def _prose(text: object) -> Markup:
    """A sentence; what stands in backticks is set as code."""
    line = shorten(visible(str(text)), _MAX_SENTENCE)
    return Markup("").join(Markup("<code>{}</code>").format(piece) if is_code else escape(piece) for is_code, piece in spans(line))


def _block(text: object) -> Markup:
    """Lines as they are, for a `pre` element."""
    return escape("\n".join(shorten(line, _MAX_LINE) for line in visible_lines(str(text))))


def _link(address: object) -> Markup:
    text = str(address)
    if not is_web_address(text):
        return Markup("<code>{}</code>").format(visible(text))
    return Markup('<a href="{0}" rel="noopener noreferrer">{0}</a>').format(text)


def _finalize(value: object) -> object:
    """Everything printed is text of a report unless it is finished `Markup`; Jinja2 escapes the result."""
    return value if isinstance(value, Markup) else visible(str(value))


_ENVIRONMENT: Final = documents.environment(_finalize, {"prose": _prose, "block": _block, "link": _link, "spot": spot})
