"""For MkDocs: makes its search answer with whole pages, and find Chinese words.

Its search knows words by the blanks between them. Chinese has none, so every pair of neighbouring characters is added to the
index as a word; segment.js splits what a reader asks for in the same way.
"""

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

_CHINESE = re.compile(r"[㐀-䶿一-鿿]{2,}")


def on_post_build(config: Any, **_: Any) -> None:
    """Rewrite the index of the site's search; MkDocs calls it when all pages are written."""
    path = Path(config["site_dir"]) / "search" / "search_index.json"
    if not path.exists():
        return
    index = json.loads(path.read_text(encoding="utf-8"))
    index["docs"] = _pages(index["docs"])
    for page in index["docs"]:
        words = [run[at : at + 2] for run in _CHINESE.findall(f"{page['title']} {page['text']}") for at in range(len(run) - 1)]
        page["text"] += " " + " ".join(dict.fromkeys(words))
    path.write_text(json.dumps(index, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


def _pages(entries: list[dict[str, str]]) -> list[dict[str, str]]:
    """One entry a page: its own holds the text of all its sections already."""
    return [{**entry, "title": unescape(entry["title"]).strip("¶ ")} for entry in entries if "#" not in entry["location"]]
