"""Version ranges as rule files write them: `>=2.1,<2.3`."""

from __future__ import annotations

import re
from typing import Any

from triage.engine.values import Version, to_data
from triage.facts.quantities import parse_version

_PART = re.compile(r"\s*(>=|>|<=|<|==)\s*([0-9]+(?:\.[0-9]+)*)\s*\Z")


def parse_range(text: str) -> list[Any]:
    """`[low, high)` as data, None where open. Raises ValueError for anything but a conjunction of comparisons.

    `>` and `<=` take the next release of the precision given: `<=2.0` means below 2.1.
    """
    low: Version | None = None
    high: Version | None = None
    for part in text.split(","):
        match = _PART.match(part)
        version = parse_version(match.group(2)) if match else None
        if match is None or version is None:
            raise ValueError(f"'{part.strip()}' is no version range: write for instance >=2.1,<2.3")
        operator, after = match.group(1), _next(match.group(2))
        if operator in (">=", "==", ">"):
            low = after if operator == ">" else version
        if operator in ("<", "<=", "=="):
            high = version if operator == "<" else after
    return [to_data(low) if low is not None else None, to_data(high) if high is not None else None]


def _next(text: str) -> Version:
    parts = [int(part) for part in text.split(".")]
    parts[-1] += 1
    return Version(parts)
