"""On how many of ten thousand lines a text stands that patterns require, where it is 100 or more: lines of the examples, and of the
logs in which nothing failed. Of several texts that a match must hold, a pattern is searched by the one on fewest lines.

The figures in `frequencies.json` are written by `python -m triage.workshop.frequencies`. They change nothing but speed, so they are
counted anew only once in a while. They are read when rules are compiled.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

FIGURES: Final = Path(__file__).with_suffix(".json")
LINES: Final[dict[str, int]] = json.loads(FIGURES.read_text(encoding="utf-8"))
