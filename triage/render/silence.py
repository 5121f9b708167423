"""Why a rule did not fire, as text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from triage.render.page import Page
from triage.render.wording import shown_value

_OUTDONE = ("not overshadowed(", "not harmless(")  # what a diagnosis meets after its rule fired


def render(rule: str, failures: Sequence[Mapping[str, Any]], *, lang: str, width: int = 100, color: bool = False) -> str:
    """The conditions that do not hold, as `Report.why_not` gives them; none means that the rule fired and nothing took its place."""
    page = Page(lang, width, color, True)
    if not failures:
        page.prose(page.say("rule-fired", rule=rule), 0, "", "heading")
        return page.text()
    outdone = all(failure["condition"].startswith(_OUTDONE) and "bindings" not in failure for failure in failures)
    page.prose(page.say("rule-outdone" if outdone else "rule-silent", rule=rule), 0, "", "heading")
    for number, failure in enumerate(failures, 1):
        page.gap()
        page.prose(failure["condition"], 2, f"{number}. ", "command")
        page.prose(page.say(failure["kind"], names=", ".join(failure.get("unknown", ()))), 5)
        if "because" in failure:
            page.prose(failure["because"][lang], 5)
        for fact in failure.get("facts", ()):
            page.prose(_fact(fact), 7, "- ", "dim")
        values = _spoken_of(failure) or (failure.get("bindings") if number == 1 else None)
        if values:
            page.prose(page.say("with-values", values=_values(values)), 5, "", "dim")
        if failure.get("given_by"):
            page.prose(page.say("given-by", rules=", ".join(failure["given_by"])), 5, "", "dim")
    return page.text()


def _spoken_of(failure: Mapping[str, Any]) -> dict[str, Any]:
    """The values that the condition names, of all that were known when it was met."""
    names = set(re.findall(r"[A-Za-z_]\w*", failure["condition"]))
    return {name: value for name, value in failure.get("bindings", {}).items() if name in names}


def _fact(fact: Mapping[str, Any]) -> str:
    return f"{fact['template']} {_values(fact.get('slots', {}))}"


def _values(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {shown_value(name, value)}" for name, value in values.items())
