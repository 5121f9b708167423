"""How often required texts stand on lines is counted in the examples; patterns are searched by what stands there seldom."""

from __future__ import annotations

import json

from triage.signatures.frequencies import LINES
from triage.signatures.patterns import compile_pattern
from triage.signatures.required import MIN_LITERAL
from triage.workshop.frequencies import LEAST, rendered


def test_the_figures_are_what_counting_gives() -> None:
    counted: dict[str, int] = json.loads(rendered())
    assert counted["cuda"] > counted["out of memory"] > LEAST
    assert all(share >= LEAST and len(text.encode()) >= MIN_LITERAL - 1 for text, share in counted.items())
    kept = len(counted.keys() & LINES.keys())
    assert kept > 0.8 * len(LINES), "patterns have changed: python -m triage.workshop.frequencies"


def test_a_pattern_is_searched_by_the_text_on_fewest_lines() -> None:
    assert LINES["error"] > LINES["memory"]
    assert compile_pattern(r"\berror\b.*\bmemory\b").literals == ["memory"]
    assert compile_pattern(r"\bmemory\b.*\bzyzzyva\b").literals == ["zyzzyva"]
