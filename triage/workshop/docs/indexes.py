"""Pages that lead to failures: by domain, by message, by library, by Xid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from triage.knowledge.tables import Table
from triage.render.wording import separator
from triage.rulebook.schema import RuleFile
from triage.workshop.docs.markdown import bullets, code, inline, plain
from triage.workshop.docs.pages import entry
from triage.workshop.words import domain_word, word

Pages = Sequence[Mapping[str, Any]]
# A release of one of these says nothing of which library printed the message.
_NOT_LIBRARIES = frozenset({"cuda", "driver", "python"})


def domains(pages: Pages) -> dict[str, list[Mapping[str, Any]]]:
    """Pages by the first part of their family, in order of names."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for page in sorted(pages, key=lambda page: page["failure"]):
        found.setdefault(page["family"].split(".")[0], []).append(page)
    return found


def home(pages: Pages, lang: str) -> str:
    """The first page of a language: every failure by domain."""
    return "\n\n".join(_home(pages, lang)) + "\n"


def _home(pages: Pages, lang: str) -> Iterator[str]:
    other = "en" if lang == "zh" else "zh"
    yield f"# {word('index-title', lang)}"
    yield word("index-about", lang)
    ways = [f"[{word(f'by-{way}', lang)}]({name}.md)" for way, name in (("message", "messages"), ("library", "libraries"), ("xid", "xid"))]
    yield " · ".join([*ways, f"[{word('other-language', lang)}](../{other}/index.md)"])
    for domain, members in domains(pages).items():
        yield f"## {plain(domain_word(domain, lang))}"
        yield bullets([entry(page, lang) for page in members])


def messages(pages: Pages, lang: str) -> str:
    """Every form of every message, in alphabetical order."""
    rows = sorted({(form, page["failure"]): page for page in pages for message in page["messages"] for form in message["forms"]}.items())
    parts = [f"# {word('by-message', lang)}", inline(word("messages-about", lang))]
    letter = ""
    group: list[str] = []
    for (form, _), page in sorted(rows, key=lambda row: _sorted_by(row[0])):
        first = _sorted_by((form, ""))[0][:1].upper()
        first = first if first.isalpha() and first.isascii() else "#"
        if first != letter:
            if group:
                parts.append(bullets(group))
            parts.append(f"## {plain(first)}")
            letter, group = first, []
        group.append(f"{code(form)} → {entry(page, lang)}")
    if group:
        parts.append(bullets(group))
    return "\n\n".join(parts) + "\n"


def _sorted_by(key: tuple[str, str]) -> tuple[str, str, str]:
    """Without what stands before the first letter: brackets and values say little."""
    bare = key[0].lstrip("[]()<>{}'\"`…. -:*#").lower()
    return bare, key[0], key[1]


def libraries(pages: Pages, lang: str) -> str:
    """Failures by the software that prints the messages."""
    found: dict[str, dict[str, Mapping[str, Any]]] = {}
    for page in pages:
        for message in page["messages"]:
            names = {str(message["framework"])} if message["framework"] else set()
            for name in names | (set(message["versions"]) - _NOT_LIBRARIES):
                found.setdefault(name, {})[page["failure"]] = page
    parts = [f"# {word('by-library', lang)}"]
    for name, members in sorted(found.items()):
        parts += [f"## {plain(name)}", bullets([entry(page, lang) for _, page in sorted(members.items())])]
    return "\n\n".join(parts) + "\n"


def xids(pages: Pages, files: Mapping[str, RuleFile], table: Table | None, lang: str) -> str:
    """Failures by the codes that their conditions name, with the meaning of each code."""
    by_code: dict[int, dict[str, Mapping[str, Any]]] = {}
    for page in pages:
        for number in xids_of(files[page["failure"]]):
            by_code.setdefault(number, {})[page["failure"]] = page
    by_family = {page["failure"]: page for page in pages}
    parts = [f"# {word('by-xid', lang)}", inline(word("xid-about", lang))]
    rows = {row["xid"]: row for row in table.where()} if table is not None else {}
    items = []
    for number in sorted(set(by_code) | {int(number) for number in rows if isinstance(number, int)}):
        row = rows.get(number, {})
        meaning = str(row.get(f"meaning_{lang}") or row.get("meaning_en") or "")
        found = dict(by_code.get(number, {}))
        family = str(row.get("family") or "")
        if family in by_family:
            found.setdefault(family, by_family[family])
        links = separator(lang).join(entry(page, lang) for _, page in sorted(found.items()))
        items.append(f"**{number}** {plain(meaning)}" + (f" → {links}" if links else ""))
    return "\n\n".join([*parts, bullets(items)]) + "\n"


def xids_of(file: RuleFile) -> set[int]:
    """The codes that conditions and signatures of a file name."""
    found: set[int] = set()
    pending: list[Any] = [[rule.when for rule in file.diagnoses], [signature.constants for signature in file.signatures]]
    while pending:
        node = pending.pop()
        if isinstance(node, dict):
            for key, value in node.items():
                if key == "xid":
                    found.update(item for item in (value if isinstance(value, list) else [value]) if isinstance(item, int))
                pending.append(value)
        elif isinstance(node, list):
            pending.extend(node)
    return found
