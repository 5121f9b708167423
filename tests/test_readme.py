"""The README shows what the program prints."""

from __future__ import annotations

from pathlib import Path

import triage
from triage.render.text import render

ROOT = Path(__file__).parents[1]


def test_the_report_in_the_readme_is_the_one_on_the_shipped_log() -> None:
    shown = (ROOT / "README.md").read_text().split("```console\n")[1].split("```")[0].splitlines()
    report = triage.explain(ROOT / "examples" / "train-oom.log")
    printed = {line.strip() for line in render(report.to_dict(), width=100).splitlines()}
    lines = [line.strip() for line in shown if line.strip() and not line.startswith("$") and "…" not in line]
    assert len(lines) > 20
    assert [line for line in lines if line not in printed] == []
