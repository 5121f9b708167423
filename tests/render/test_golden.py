"""What each writer makes of a report, character by character.

After a wanted change: `TRIAGE_REGENERATE=1 pytest tests/render/test_golden.py`, then read the difference.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from render_samples import EMPTY, NOTHING, OOM, oom

from triage.render import html, json, markdown, sarif, text

GOLDEN = Path(__file__).with_name("golden")

WRITTEN: dict[str, Callable[[], str]] = {
    "oom.txt": lambda: text.render(OOM, width=100),
    "oom-narrow-ascii.txt": lambda: text.render(OOM, width=60, ascii_only=True),
    "oom-why-verbose.txt": lambda: text.render(OOM, width=100, why=True, verbose=True),
    "oom-color.txt": lambda: text.render(OOM, width=100, color=True),
    "oom-zh.txt": lambda: text.render(oom("zh"), width=80),
    "nothing.txt": lambda: text.render(NOTHING),
    "empty.txt": lambda: text.render(EMPTY),
    "oom.json": lambda: json.render(OOM),
    "oom.md": lambda: markdown.render(OOM),
    "oom-zh.md": lambda: markdown.render(oom("zh")),
    "nothing.md": lambda: markdown.render(NOTHING),
    "oom.html": lambda: html.render([named(OOM, "a.log"), named(NOTHING, "b.log")]),
    "oom.sarif": lambda: sarif.render([named(OOM, "logs/a b.log"), NOTHING], "1.2.3"),
}


def named(report: dict[str, Any], name: str) -> dict[str, Any]:
    return {**report, "input": {**report["input"], "name": name}}


@pytest.mark.parametrize("name", WRITTEN)
def test_matches_the_golden_file(name: str) -> None:
    path = GOLDEN / name
    written = WRITTEN[name]()
    if os.environ.get("TRIAGE_REGENERATE"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(written, encoding="utf-8", newline="\n")
    assert written == path.read_text(encoding="utf-8")


def test_every_golden_file_is_compared() -> None:
    assert {path.name for path in GOLDEN.iterdir()} == set(WRITTEN)
