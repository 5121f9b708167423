"""One page per failure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from triage.render.wording import colon, separator
from triage.workshop.docs.markdown import block, bullets, code, inline, link, plain, web_link
from triage.workshop.words import status_word, word

_MOST_EXAMPLES = 4  # of each kind


def address(failure: str) -> str:
    """The file name of a failure's page, without its ending."""
    return failure.replace("/", "--").replace(":", "--")


def failure_page(page: Mapping[str, Any], lang: str) -> str:
    """What it means, why it happens, how to recognise it, what to do, how it is verified, sources, changes."""
    return "\n\n".join(_parts(page, lang)) + "\n"


def _parts(page: Mapping[str, Any], lang: str) -> Iterator[str]:
    other = "en" if lang == "zh" else "zh"
    yield f"# {plain(page['title'])}"
    status = status_word(page["status"], page["since"], lang)
    elsewhere = f"[{word('other-language', lang)}](../../{other}/failures/{address(page['failure'])}.md)"
    yield f"{code(page['failure'])} · {plain(status)} · {elsewhere}"
    if page["status"] == "nursery":
        yield f"**{plain(word('nursery', lang))}**"
    elif page["status"] == "deprecated":
        successor = page["superseded_by"]
        said = plain(word("deprecated", lang)) if successor is None else plain(word("superseded", lang, name=successor))
        yield f"**{said}**"
    yield f"## {word('meaning', lang)}"
    yield "\n\n".join(inline(sentence) for sentence in page["meaning"])
    headings = _headings(page)
    if len(headings) > 1:
        yield f"## {word('in-short', lang)}"
        yield bullets([_in_short(item, heading) for item, heading in zip(page["diagnoses"], headings, strict=True)])
    yield f"## {word('recognise', lang)}"
    for message in page["messages"]:
        versions = separator(lang).join(f"{package} {text}" for package, text in message["versions"].items())
        yield f"{code(message['id'])}" + (f" · {plain(word('printed-by', lang, versions=versions))}" if versions else "")
        yield block("\n".join(message["forms"]))
    if page["diagnoses"]:
        yield f"## {word('diagnoses', lang)}"
    for item, heading in zip(page["diagnoses"], headings, strict=True):
        yield from _diagnosis(item, heading, lang)
    yield from _proof(page, lang)
    if page["references"]:
        yield f"## {word('sources', lang)}"
        yield bullets([web_link(item["url"], item["note"]) for item in page["references"]])
    if page["changes"]:
        yield f"## {word('changes', lang)}"
        yield bullets([f"{plain(item['version'])}: {inline(item['text'])}" for item in page["changes"]])


def _headings(page: Mapping[str, Any]) -> list[str]:
    """One for each diagnosis: its cause, else its title; the last word of its id where that says no more than another one or the page."""
    found = [str(item["cause_title"] or item["title"] or item["id"]) for item in page["diagnoses"]]
    named = [name if name != page["title"] and found.count(name) == 1 else "" for name in found]
    return [name or f"{found[at]}: {_tail(page['diagnoses'][at])}" for at, name in enumerate(named)]


def _tail(item: Mapping[str, Any]) -> str:
    return str(item["id"]).rpartition(".")[2]


def _in_short(item: Mapping[str, Any], heading: str) -> str:
    """A cause, and what to do about it first."""
    first = next((fix["title"] for fix in item["fixes"]), "")
    return link(heading, f"#{_tail(item)}") + (f" → {plain(first)}" if first else "")


def _diagnosis(item: Mapping[str, Any], heading: str, lang: str) -> Iterator[str]:
    yield f"### {plain(heading)} {{#{_tail(item)}}}"
    yield f"{code(item['id'])} · {plain(word('confidence', lang, value=item['confidence']))}"
    if item["cause_about"]:
        yield inline(item["cause_about"])
    if item["summary"]:
        yield "\n\n".join(inline(sentence) for sentence in item["summary"])
    if item["on"]:
        yield plain(word("on", lang, signatures=separator(lang).join(item["on"])))
    if item["when"]:
        yield f"**{word('conditions', lang)}**"
        yield bullets([code(condition) for condition in item["when"]])
    yield from _advice(item, lang)
    relations = {"consequence-of": ("consequence_of", "families"), "yields-to": ("yields_to", "names"), "cases": ("cases", "cases")}
    for key, (names, value) in relations.items():
        if item[names]:
            yield plain(word(key, lang, **{value: separator(lang).join(item[names])}))


def _advice(item: Mapping[str, Any], lang: str) -> Iterator[str]:
    if item["fixes"]:
        yield f"#### {word('fixes', lang)}"
    for number, fix in enumerate(item["fixes"], 1):
        tried = f" · {inline(word('can-be-tried', lang))}" if fix["verifiable"] else ""
        yield f"**{number}&#46; {plain(fix['title'])}** {code(fix['id'])}{tried}"
        if fix["when"]:
            yield plain(word("when", lang, conditions=" and ".join(fix["when"])))
        if fix["detail"]:
            yield inline(fix["detail"])
        if fix["commands"]:
            yield block("\n".join(fix["commands"]))
        if fix["leads_to"]:
            yield plain(word("leads-to", lang, ids=separator(lang).join(fix["leads_to"])))
    if item["no_use"]:
        yield f"#### {word('no-use', lang)}"
        yield bullets([f"**{plain(vain['title'])}**{colon(lang)}{inline(vain['why'])}" for vain in item["no_use"]])
    if item["missing"]:
        yield f"#### {word('missing', lang)}"
        yield bullets([f"{inline(missing['fact'])}{colon(lang)}{code(missing['how'])}" for missing in item["missing"]])


def _proof(page: Mapping[str, Any], lang: str) -> Iterator[str]:
    examples: Sequence[Mapping[str, Any]] = page["examples"]
    near = [example for example in examples if example["near_miss"]]
    positive = [example for example in examples if not example["near_miss"]]
    yield f"## {word('verified', lang)}"
    yield inline(word("examples-count", lang, positive=len(positive), near=len(near)))
    tried = sorted({fix["id"] for item in page["diagnoses"] for fix in item["fixes"] if fix["verifiable"]})
    yield inline(word("reproduced", lang, fixes=separator(lang).join(tried)) if tried else word("not-reproduced", lang))
    for key, chosen in (("examples", positive), ("near-misses", near)):
        if chosen:
            yield f"### {word(key, lang)}"
        for example in chosen[:_MOST_EXAMPLES]:
            if example["name"]:
                yield plain(example["name"])
            yield block(example["text"])


def entry(page: Mapping[str, Any], lang: str, above: str = "failures/") -> str:
    """A link to a page, with its id."""
    return f"{link(page['title'], above + address(page['failure']) + '.md')} {code(page['failure'])}"
