"""Known cases, as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from triage.render.page import Page
from triage.render.wording import percent, shown_value


def render_found(found: Sequence[tuple[Mapping[str, Any], float]], *, lang: str, width: int = 100, color: bool = False) -> str:
    """Cases with the score of a search, best first."""
    page = Page(lang, width, color, True)
    if not found:
        page.prose(page.say("no-cases"), 0)
    for case, score in found:
        page.prose(f"{case['id']}  {percent(score)}", 0, "", "heading")
        page.prose(case["title"][lang], 2)
    return page.text()


def render_case(case: Mapping[str, Any], *, lang: str, width: int = 100, color: bool = False) -> str:
    """One case in full: symptom, environment, cause, fix, what was checked, sources."""
    page = Page(lang, width, color, True)
    page.prose(case["title"][lang], 0, "", "failure")
    page.prose(" · ".join([case["id"], case["family"], *case["causes"], case["date"]]), 0, "", "dim")
    page.heading("symptom")
    for line in case["symptom"]:
        page.quote(None, line, 2000)
    if case["environment"]:
        page.heading("environment")
        for name, value in case["environment"].items():
            page.prose(f"{name}: {_listed(value)}")
    if case["facts"]:
        page.heading("facts")
        for name, value in case["facts"].items():
            page.prose(f"{name}: {shown_value(name, value)}")
    for key in ("cause", "fix", "no_use"):
        if case[key]:
            page.heading(key.replace("_", "-"))
            page.prose(case[key][lang])
    page.gap()
    page.prose(page.say(f"outcome-{case['outcome']}"), 0, "", "dim")
    _checked(page, case["checked"])
    page.heading("references")
    for source in case["source"]:
        page.whole(source["url"], 2, "link")
        if source.get("note"):
            page.prose(source["note"], 4, "", "dim")
    return page.text()


def _checked(page: Page, checks: Sequence[Mapping[str, Any]]) -> None:
    if checks:
        page.heading("checked")
    for check in checks:
        page.prose(f"{check['claim']}: {check['result']}", 2, "- ")
        if check.get("finding"):
            page.prose(check["finding"], 4, "", "dim")


def _listed(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {item}" for name, item in value.items())
    return shown_value("", value)
