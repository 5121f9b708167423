"""Documents of one or several reports, by the name of their format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

DOCUMENTS: Final = ("json", "markdown", "sarif", "html")


def document(reports: Sequence[Mapping[str, Any]], kind: str, version: str, as_list: bool = False) -> str:
    """The reports as one document of a kind in `DOCUMENTS`; `version` is triage's own, which SARIF names.

    JSON is an object for one report and a list for several, or when `as_list` asks for it. Writers are imported only here:
    each costs start-up time that only its readers should pay.
    """
    if kind == "json":
        from triage.render import json

        return json.render(reports if as_list or len(reports) != 1 else reports[0])
    if kind == "sarif":
        from triage.render import sarif

        return sarif.render(reports, version)
    if kind == "html":
        from triage.render import html

        return html.render(reports)
    if kind == "markdown":
        return _markdown(reports)
    raise ValueError(f"unknown format {kind!r}: one of {', '.join(DOCUMENTS)}")


def _markdown(reports: Sequence[Mapping[str, Any]]) -> str:
    from triage.render import markdown

    if len(reports) == 1:
        return markdown.render(reports[0])
    return "\n".join(f"## {markdown.code(report['input'].get('name', ''))}\n\n{markdown.render(report)}" for report in reports)
