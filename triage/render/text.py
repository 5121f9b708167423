"""The report as a terminal shows it. Made without a template engine: this is on the way of every `triage explain`."""

from __future__ import annotations

from triage.render.escape import shorten, visible
from triage.render.further import consequences, without_repetition
from triage.render.layout import cells
from triage.render.page import Page
from triage.render.wording import (
    aside,
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
    spot,
    titles,
    verdict,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, Final

_EVIDENCE_SHOWN: Final = 6
_BAR_WIDTH: Final = 56


def render(
    report: Mapping[str, Any],
    *,
    width: int = 100,
    color: bool = False,
    why: bool = False,
    verbose: bool = False,
    ascii_only: bool = False,
) -> str:
    """The report in lines of `width` cells, ending in a line feed.

    Commands and addresses are never wrapped. `why` adds the chain of reasoning (`proof` of a diagnosis where it is
    there, else its `why`), `verbose` all facts, `ascii_only` draws the memory bar without block characters.
    """
    page = Page(str(report.get("lang", "en")), width, color, ascii_only)
    diagnoses = report["diagnoses"]
    if diagnoses:
        _lead(page, diagnoses[0], why, verbose)
        _further(page, diagnoses, why, verbose)
    else:
        _nothing(page, report)
    _noise(page, report["noise"])
    _environment(page, report["environment"], verbose)
    if verbose:
        _observations(page, report.get("observations", ()))
    note = passed_over(report, page.lang)
    if note:
        page.gap()
        page.prose(note, 0, "", "dim")
    return page.text()


def _lead(page: Page, diagnosis: Mapping[str, Any], why: bool, verbose: bool) -> None:
    """The diagnosis that leads, in full."""
    _headline(page, diagnosis, "failure")
    page.gap()
    page.prose(diagnosis["summary"])
    _user_frame(page, diagnosis.get("user_frame"))
    _memory(page, diagnosis)
    _evidence(page, diagnosis["evidence"], None if verbose else _EVIDENCE_SHOWN)
    _fixes(page, diagnosis["fixes"])
    _will_not_help(page, diagnosis["will_not_help"])
    _missing(page, diagnosis["missing"])
    _cases(page, diagnosis["cases"])
    if verbose:
        _facts(page, diagnosis["facts"])
        _references(page, diagnosis["references"])
    if why:
        _why(page, diagnosis)


def _headline(page: Page, diagnosis: Mapping[str, Any], style: str, first: str = "", indent: int = 0) -> None:
    page.prose(diagnosis["title"], indent, first, style)
    page.parts([diagnosis["id"], *particulars(diagnosis, page.lang)], " · ", indent + cells(first), "dim")


def _user_frame(page: Page, frame: Mapping[str, Any] | None) -> None:
    if not frame:
        return
    page.gap()
    place = f"{frame['path']}:{frame['line']}"
    if frame.get("function"):
        place += " " + page.say("in-function", function=frame["function"])
    page.prose(place, 2, page.say("your-code") + "  ")
    if frame.get("code"):
        page.whole(shorten(frame["code"].strip(), 2 * page.width), 6, "command")


def _memory(page: Page, diagnosis: Mapping[str, Any]) -> None:
    memory = diagnosis.get("gpu_memory")
    if not memory:
        return
    from triage.render.membar import draw

    bar, request, legend = draw(memory, min(_BAR_WIDTH, page.width - 24), page.lang, page.ascii_only)
    page.gap()
    page.prose(memory_title(diagnosis, page.lang))
    page.lines.append("  " + bar)
    if request:
        page.lines.append("  " + page.paint(request, "bad"))
    page.parts(legend, "   ", 2)


def _evidence(page: Page, evidence: Sequence[Mapping[str, Any]], shown: int | None) -> None:
    if not evidence:
        return
    page.heading("evidence")
    kept = evidence[:shown]
    _quotes(page, kept, 6 * page.width)
    if len(kept) < len(evidence):
        page.quote(None, page.say("more", count=len(evidence) - len(kept)), page.width)


def _quotes(page: Page, items: Sequence[Mapping[str, Any]], limit: int) -> None:
    """Lines of the log behind their numbers; of several logs below their names."""
    file = ""
    for item in items:
        if item.get("file", "") != file:
            file = item["file"]
            page.prose(file, 2, "", "dim")
        page.quote(item["line"], item["text"], limit)


def _fixes(page: Page, fixes: Sequence[Mapping[str, Any]]) -> None:
    if not fixes:
        return
    page.heading("fixes")
    for number, fix in enumerate(fixes, 1):
        _fix(page, fix, f"{number}. ")


def _fix(page: Page, fix: Mapping[str, Any], first: str, indent: int = 2) -> None:
    page.prose(fix["title"], indent, first, "good")
    below = indent + len(first)
    if fix.get("detail"):
        page.prose(fix["detail"], below)
    for command in fix.get("commands", ()):
        page.whole(command, below + 2, "command")
    if fix.get("verdict"):
        page.prose(verdict(fix, page.lang), below, "", "good")
    if fix.get("leads_to"):
        page.prose(page.say("leads-to", ids=titles(fix.get("leads_to_titles") or fix["leads_to"], page.lang)), below, "", "dim")


def _will_not_help(page: Page, advice: Iterable[Mapping[str, Any]]) -> None:
    advice = list(advice)
    if advice:
        page.heading("will-not-help")
    for item in advice:
        page.prose(_titled(item, item["why"], page.lang), 2, "- ")
        if item.get("verdict"):
            page.prose(verdict(item, page.lang), 4, "", "good")


def _missing(page: Page, missing: Iterable[Mapping[str, Any]]) -> None:
    missing = list(missing)
    if missing:
        page.heading("missing")
    for item in missing:
        page.prose(item["fact"], 2, "- ")
        if item.get("how"):
            page.whole(item["how"], 6, "command")


def _cases(page: Page, cases: Iterable[Mapping[str, Any]]) -> None:
    cases = list(cases)
    if cases:
        page.heading("cases")
    for case in cases:
        page.prose(_titled(case, case.get("title"), page.lang) + aside(percent(case["score"]), page.lang), 2, "- ")
        if case.get("url"):
            page.whole(case["url"], 4, "link")


def _references(page: Page, references: Iterable[str]) -> None:
    references = list(references)
    if references:
        page.heading("references")
    for address in references:
        page.whole(address, 2, "link")


def _facts(page: Page, facts: Mapping[str, Any], indent: int = 0) -> None:
    if facts:
        page.heading("facts", indent)
    for name, value in facts.items():
        page.prose(f"{name}: {shown_value(name, value)}", indent + 2)


def _why(page: Page, diagnosis: Mapping[str, Any], indent: int = 0) -> None:
    page.heading("why", indent)
    proof = diagnosis.get("proof")
    if proof:
        for node in proof:
            _proof(page, node, indent + 2)
        return
    for sentence in diagnosis["why"]:
        page.prose(sentence, indent + 2, "- ")


def _proof(page: Page, node: Mapping[str, Any], indent: int) -> None:
    """One step of the proof tree and, further in, what it rests on, down to the raw lines."""
    indent = min(indent, 20)
    rule = f" [{page.say('by-rule', rule=node['rule'])}]" if node.get("rule") else ""
    page.prose(node["text"] + rule, indent, "- ")
    for item in node.get("evidence", ()):
        text = shorten(visible(item["text"]), 2 * page.width)
        page.prose(place([spot(item)], page.lang) + colon(page.lang) + text, indent + 2, "", "dim")
    for child in node.get("children", ()):
        _proof(page, child, indent + 2)


def _further(page: Page, diagnoses: Sequence[Mapping[str, Any]], why: bool, verbose: bool) -> None:
    """The other diagnoses: those that stand for themselves in short, consequences in a line each."""
    own, explained = without_repetition(diagnoses), consequences(diagnoses)
    if own:
        page.heading("further")
    for item in own:
        _short(page, item, why, verbose)
    if explained:
        page.heading("consequences")
    for item in explained:
        places = [item["id"], *particulars(item, page.lang)[:-1]]
        told = comma(page.lang).join([*places, page.say("because-of", id=item["consequence_of"])])
        page.prose(item["title"] + aside(told, page.lang), 2, "- ")
        if why:
            _why(page, item, 4)


def _short(page: Page, diagnosis: Mapping[str, Any], why: bool, verbose: bool) -> None:
    _headline(page, diagnosis, "heading", "- ", 2)
    page.prose(diagnosis["summary"], 4)
    _quotes(page, diagnosis["evidence"][:1], 2 * page.width)
    for fix in diagnosis["fixes"][: None if verbose else 2]:
        _fix(page, fix, "> ", 4)
    if verbose:
        _facts(page, diagnosis["facts"], 4)
    if why:
        _why(page, diagnosis, 4)


def _nothing(page: Page, report: Mapping[str, Any]) -> None:
    page.prose(page.say("nothing"), 0, "", "heading")
    page.prose(nothing_found(report, page.lang))


def _noise(page: Page, noise: Iterable[Mapping[str, Any]]) -> None:
    """Noise is said once for all lines it stands in."""
    found = noise_by_reason(noise)
    if found:
        page.heading("noise")
    for item in found:
        page.prose(_titled({"id": place(item["lines"], page.lang)}, item["why"], page.lang), 2, "- ", "dim")


def _environment(page: Page, environment: Mapping[str, Any], verbose: bool) -> None:
    versions = [f"{name} {version}" for name, version in named_versions(environment).items()]
    gpus = [str(gpu["gpu_name"]) for gpu in environment["gpus"] if gpu.get("gpu_name")] if verbose else []
    if versions or gpus:
        page.heading("environment")
        page.prose(separator(page.lang).join(versions + gpus), 2, "", "dim")


def _observations(page: Page, observations: Iterable[Mapping[str, Any]]) -> None:
    page.heading("observations")
    for item in observations:
        slots = " ".join(f"{name}={shown_value(name, value)}" for name, value in item["slots"].items() if name != "line")
        page.prose(shorten(f"{item['template']} {slots}", 4 * page.width), 2, f"{item['line'] or '-':>5}  ")


def _titled(item: Mapping[str, Any], text: str | None, lang: str) -> str:
    """`name: text`, where the name is a title or, failing that, the id."""
    name = item.get("title") or item["id"]
    if not text or text == name:
        return str(name)
    return f"{name}{colon(lang)}{text}"
