"""What Markdown and HTML have in common: the Jinja2 environment and the pieces templates put together.

Templates are ours; nothing of a report is ever compiled as one. Each format gives a `finalize` function that makes
whatever a template prints safe, so that a forgotten filter shows too many escapes, never too few.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from triage.render import membar
from triage.render.further import consequences, without_repetition
from triage.render.phrases import phrase
from triage.render.wording import (
    colon,
    comma,
    memory_title,
    named_versions,
    noise_by_reason,
    nothing_found,
    particulars,
    passed_over,
    percent,
    place,
    separator,
    shown_value,
    titles,
    verdict,
)
from triage.report.wording import together

_TEMPLATES: Final = Path(__file__).with_name("templates")
BAR_WIDTH: Final = 56


def environment(finalize: Callable[[Any], Any], filters: Mapping[str, Callable[..., Any]]) -> Environment:
    """An environment over the templates of this package."""
    result = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        finalize=finalize,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    result.filters.update(filters)
    return result


def context(report: Mapping[str, Any]) -> dict[str, Any]:
    """The names a template may use."""
    lang = str(report.get("lang", "en"))
    diagnoses: Sequence[Mapping[str, Any]] = report["diagnoses"]
    return {
        "report": report,
        "versions": named_versions(report["environment"]),
        "lang": lang,
        "lead": diagnoses[0] if diagnoses else None,
        "further": without_repetition(diagnoses),
        "consequences": consequences(diagnoses),
        "noise": noise_by_reason(report["noise"]),
        "colon": colon(lang),
        "comma": comma(lang),
        "separator": separator(lang),
        "brackets": ("（", "）") if lang == "zh" else (" (", ")"),
        "titles": partial(titles, lang=lang),
        "together": partial(together, lang=lang),
        "say": say(lang),
        "particulars": partial(particulars, lang=lang),
        "bar": partial(_bar, lang=lang),
        "memory_title": partial(memory_title, lang=lang),
        "nothing_found": nothing_found(report, lang),
        "passed_over": passed_over(report, lang),
        "place": partial(place, lang=lang),
        "verdict": partial(verdict, lang=lang),
        "percent": percent,
        "shown_value": shown_value,
    }


def say(lang: str) -> Callable[..., str]:
    """`phrase` in one language: `say(key, name=value)`."""
    return partial(phrase, lang=lang)


def _bar(memory: Mapping[str, Any], lang: str) -> str:
    """The memory bar with request and legend, as lines."""
    bar, request, legend = membar.draw(memory, BAR_WIDTH, lang)
    return "\n".join([bar, *([request] if request else []), "   ".join(legend)])
