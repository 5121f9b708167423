"""One failure as a page of the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from triage.render.page import Page
from triage.render.wording import aside, colon, separator
from triage.workshop.words import status_word, word

_SHOWN_EXAMPLE = 12  # lines of an example


def render(page: Mapping[str, Any], *, lang: str, width: int = 100, color: bool = False, only: str | None = None) -> str:
    """The page that `reference.page_of` made; `only` is the last part of the id of the one diagnosis to show."""
    writer = _Writer(lang, width, color)
    writer.head(page)
    diagnoses = [item for item in page["diagnoses"] if only is None or item["id"].endswith(f".{only}")]
    on = {name for item in diagnoses for name in item["on"] or ()} if only is not None else set()
    writer.messages([message for message in page["messages"] if not on or message["id"] in on])
    if diagnoses:
        writer.heading("diagnoses")
    for diagnosis in diagnoses:
        writer.diagnosis(diagnosis)
    writer.proof(page, diagnoses)
    writer.examples(page["examples"])
    if page["references"]:
        writer.heading("sources")
    for reference in page["references"]:
        writer.page.whole(reference["url"], 2, "link")
        if reference["note"]:
            writer.page.prose(reference["note"], 4, "", "dim")
    if page["changes"]:
        writer.heading("changes")
    for change in page["changes"]:
        writer.page.prose(change["text"], 2, f"{change['version']}  ")
    return writer.page.text()


class _Writer:
    def __init__(self, lang: str, width: int, color: bool) -> None:
        self.page = Page(lang, width, color, True)
        self.lang = lang

    def say(self, key: str, **values: object) -> str:
        return word(key, self.lang, **values)

    def heading(self, key: str) -> None:
        self.page.gap()
        self.page.prose(self.say(key), 0, "", "heading")

    def head(self, page: Mapping[str, Any]) -> None:
        self.page.prose(page["title"], 0, "", "failure")
        names = [name for name in (page["failure"], page["family_title"]) if name]
        self.page.prose(" · ".join([*names, status_word(page["status"], page["since"], self.lang), page["path"]]), 0, "", "dim")
        if page["status"] == "nursery":
            self.page.prose(self.say("nursery"), 0, "", "bad")
        elif page["status"] == "deprecated":
            successor = page["superseded_by"]
            self.page.prose(self.say("superseded", name=successor) if successor else self.say("deprecated"), 0, "", "bad")
        if page["meaning"]:
            self.heading("meaning")
            for sentence in page["meaning"]:
                self.page.prose(sentence)

    def messages(self, messages: Sequence[Mapping[str, Any]]) -> None:
        if messages:
            self.heading("recognise")
        for message in messages:
            versions = separator(self.lang).join(f"{package} {text}" for package, text in message["versions"].items())
            tail = aside(self.say("printed-by", versions=versions), self.lang) if versions else ""
            self.page.prose(message["id"] + tail, 2, "", "dim")
            for form in message["forms"]:
                self.page.prose(form, 4, "", "command")

    def diagnosis(self, item: Mapping[str, Any]) -> None:
        page = self.page
        page.gap()
        page.prose(item["id"] + aside(self.say("confidence", value=item["confidence"]), self.lang), 2, "", "heading")
        page.prose(self.say("cause", cause=item["cause_title"]) if item["cause"] else self.say("no-cause"), 4)
        if item["on"]:
            page.prose(self.say("on", signatures=separator(self.lang).join(item["on"])), 4, "", "dim")
        for condition in item["when"]:
            page.prose(condition, 4, "? ", "dim")
        for sentence in item["summary"]:
            page.prose(sentence, 4)
        for number, fix in enumerate(item["fixes"], 1):
            self.fix(number, fix)
        for vain in item["no_use"]:
            page.prose(vain["title"] + colon(self.lang) + vain["why"], 4, "x ")
        for missing in item["missing"]:
            page.prose(missing["fact"] + colon(self.lang) + missing["how"], 4, "? ")
        for key, names, value in (
            ("consequence-of", "consequence_of", "families"),
            ("yields-to", "yields_to", "names"),
            ("cases", "cases", "cases"),
        ):
            if item[names]:
                page.prose(self.say(key, **{value: separator(self.lang).join(item[names])}), 4, "", "dim")

    def fix(self, number: int, fix: Mapping[str, Any]) -> None:
        page = self.page
        page.prose(f"{fix['title']}  [{fix['id']}]", 4, f"{number}. ", "good")
        if fix["when"]:
            page.prose(self.say("when", conditions=" and ".join(fix["when"])), 7, "", "dim")
        if fix["detail"]:
            page.prose(fix["detail"], 7)
        for command in fix["commands"]:
            page.whole(command, 9, "command")
        if fix["leads_to"]:
            page.prose(self.say("leads-to", ids=separator(self.lang).join(fix["leads_to"])), 7, "", "dim")

    def proof(self, page: Mapping[str, Any], diagnoses: Sequence[Mapping[str, Any]]) -> None:
        self.heading("verified")
        near = sum(example["near_miss"] for example in page["examples"])
        self.page.prose(self.say("examples-count", positive=len(page["examples"]) - near, near=near))
        tried = sorted({fix["id"] for item in diagnoses for fix in item["fixes"] if fix["verifiable"]})
        self.page.prose(self.say("reproduced", fixes=separator(self.lang).join(tried)) if tried else self.say("not-reproduced"))

    def examples(self, examples: Sequence[Mapping[str, Any]]) -> None:
        for key, near in (("examples", False), ("near-misses", True)):
            chosen = [example for example in examples if example["near_miss"] is near]
            if chosen:
                self.heading(key)
            for example in chosen:
                if example["name"]:
                    self.page.prose(example["name"], 2, "", "dim")
                lines = example["text"].rstrip("\n").split("\n")
                for line in lines[:_SHOWN_EXAMPLE]:
                    self.page.quote(None, line, 2000)
                if len(lines) > _SHOWN_EXAMPLE:
                    self.page.quote(None, f"… +{len(lines) - _SHOWN_EXAMPLE}", 100)
