"""Everything of the site: pages in both languages, indexes, and `mkdocs.yml`."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from triage.knowledge.tables import Table
from triage.rulebook.loader import Source
from triage.rulebook.taxonomy import Taxonomy
from triage.workshop.docs import authors, indexes
from triage.workshop.docs.pages import address, failure_page
from triage.workshop.reference import Page, Verifiable, page_of
from triage.workshop.words import domain_word, word

LANGUAGES = ("en", "zh")
_STATIC = Path(__file__).with_name("static")
_NAMES = {"en": "English", "zh": "中文"}


def write_site(
    directory: Path, sources: Sequence[Source], taxonomy: Taxonomy, tables: Iterable[Table], verifiable: Verifiable | None = None
) -> int:
    """Write `mkdocs.yml` and `docs/` below a directory, which is made where it is missing, and return the number of pages.

    What an earlier run wrote under `docs/` is removed. Raises OSError.
    """
    pages = directory / "docs"
    if (pages / "index.md").exists():
        shutil.rmtree(pages)
    files = {source.failure: source.model for source in sources if source.failure is not None}
    table = next((table for table in tables if table.name == "xid"), None)
    texts = {"authors/lint.md": authors.lint_page(), "authors/facts.md": authors.facts_page()}
    nav: list[Any] = [{word("index-title", "en"): "index.md"}]
    for lang in LANGUAGES:
        found = _distinct([page_of(source, taxonomy, lang, verifiable) for source in sources if source.model.failure is not None])
        texts[f"{lang}/index.md"] = indexes.home(found, lang)
        texts[f"{lang}/messages.md"] = indexes.messages(found, lang)
        texts[f"{lang}/libraries.md"] = indexes.libraries(found, lang)
        texts[f"{lang}/xid.md"] = indexes.xids(found, files, table, lang)
        for page in found:
            texts[f"{lang}/failures/{address(page['failure'])}.md"] = failure_page(page, lang)
        nav.append({_NAMES[lang]: _nav(found, lang)})
    nav.append({"Writing rules": [{"What lint finds": "authors/lint.md"}, {"Facts": "authors/facts.md"}]})
    texts["index.md"] = _start()
    for name, text in texts.items():
        path = pages / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    for name in ("segment.js", "reference.css"):
        shutil.copy(_STATIC / name, pages / name)
    shutil.copy(_STATIC / "hooks.py", directory / "hooks.py")
    (directory / "mkdocs.yml").write_text(_configuration(nav), encoding="utf-8", newline="\n")
    return len(texts)


def _distinct(pages: list[Page]) -> list[Page]:
    """Pages whose titles tell them apart: where several have one, the finer name of the failure is added."""
    titles = Counter(page["title"] for page in pages)
    for page in pages:
        finer = page["failure"].partition("/")[2]
        if finer and titles[page["title"]] > 1:
            page["title"] += f" ({finer})"
    return pages


def _nav(pages: Sequence[Mapping[str, Any]], lang: str) -> list[Any]:
    ways = [("by-domain", "index"), ("by-message", "messages"), ("by-library", "libraries"), ("by-xid", "xid")]
    nav: list[Any] = [{word(key, lang): f"{lang}/{name}.md"} for key, name in ways]
    for domain, members in indexes.domains(pages).items():
        nav.append({domain_word(domain, lang): [{page["title"]: f"{lang}/failures/{address(page['failure'])}.md"} for page in members]})
    return nav


def _start() -> str:
    parts = ["# triage"]
    for lang in LANGUAGES:
        parts += [f"## {_NAMES[lang]}", word("index-about", lang), f"[{word('index-title', lang)}]({lang}/index.md)"]
    return "\n\n".join(parts) + "\n"


def _configuration(nav: list[Any]) -> str:
    """JSON is YAML, and needs no care about quoting."""
    settings = {
        "site_name": "triage",
        "site_description": word("index-about", "en"),
        "docs_dir": "docs",
        "site_dir": "site",
        "use_directory_urls": False,  # pages open from disk too
        "theme": {"name": "readthedocs", "highlightjs": False, "navigation_depth": 3, "titles_only": True},
        "markdown_extensions": ["attr_list", {"toc": {"permalink": True}}],
        "plugins": [{"search": {"lang": list(LANGUAGES), "min_search_length": 2}}],
        "hooks": ["hooks.py"],
        "extra_javascript": ["segment.js"],
        "extra_css": ["reference.css"],
        "validation": {"omitted_files": "warn", "absolute_links": "warn", "unrecognized_links": "warn", "anchors": "warn"},
        "nav": nav,
    }
    return json.dumps(settings, ensure_ascii=False, indent=2) + "\n"
