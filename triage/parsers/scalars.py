"""Values as configurations and command lines write them, as numbers."""

from __future__ import annotations

from triage.facts.quantities import parse_bytes

_DIGITS = frozenset("0123456789-+.")


def number_of(value: str) -> float | None:
    """`"0.9"` → 0.9, `"1e-4"`, `"1_000"`, `"16GiB"` → bytes; None for what is no number."""
    if not value or value[0] not in _DIGITS or len(value) > 32:
        return None
    try:
        number = float(value)
    except ValueError:
        if not value[0].isdigit() or value[-1] not in "BKMGTbkmgt" or (value[-1] in "Bb" and value[-2].isdigit()):
            return None  # 7B are parameters
        size = parse_bytes(value)
        return None if size is None else float(size)
    return number if number - number == 0 else None  # neither infinite nor NaN
