"""The memory of one GPU as a bar, and the request that failed drawn against it.

Reserved and free memory stand side by side at the right end, and the request starts where they start: a
request that sticks out could not have fit; one that does not was refused because what is reserved lies in pieces.
"""

from __future__ import annotations

from triage.facts.quantities import format_bytes
from triage.render.phrases import phrase

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Final

# In the order drawn: label, cell, ASCII cell.
_PARTS: Final = (("live", "█", "#"), ("other", "▒", "%"), ("unknown", "·", "?"), ("reserved", "▓", "+"), ("free", "░", "."))


def draw(memory: Mapping[str, Any], width: int, lang: str, ascii_only: bool = False) -> tuple[str, str, list[str]]:
    """The bar of `width` cells, the request below it (or ''), and the legend, one entry a part.

    `memory` is `gpu_memory` of a diagnosis: `parts` (label, bytes), `capacity` and perhaps `requested`, all in bytes.
    """
    sizes = {label: 0 for label, _, _ in _PARTS}
    for part in memory["parts"]:
        if part["label"] in sizes:
            sizes[part["label"]] += max(0, part["bytes"])
    capacity = max(memory["capacity"], sum(sizes.values()), 1)
    counts = _cells([sizes[label] for label, _, _ in _PARTS], capacity, width)
    bar = "".join((plain if ascii_only else fancy) * count for (_, fancy, plain), count in zip(_PARTS, counts, strict=True))
    legend = [
        f"{plain if ascii_only else fancy} {phrase(label, lang, size=format_bytes(sizes[label]))}"
        for label, fancy, plain in _PARTS
        if sizes[label]
    ]
    requested = memory.get("requested")
    if not requested:
        return bar, "", legend
    start = sum(counts[:3])
    label = phrase("requested", lang, size=format_bytes(requested))
    return bar, _request(start, round(requested / capacity * width), width, label, ascii_only), legend


def _cells(sizes: list[int], capacity: int, width: int) -> list[int]:
    """Whole cells for each size by largest remainder, so that they add up to what the sum deserves."""
    exact = [size * width / capacity for size in sizes]
    cells = [int(value) for value in exact]
    spare = round(sum(exact)) - sum(cells)
    by_remainder = sorted(range(len(sizes)), key=lambda index: (cells[index] - exact[index], index))
    for index in by_remainder[:spare]:
        cells[index] += 1
    return cells


def _request(start: int, cells: int, width: int, label: str, ascii_only: bool) -> str:
    """The line below the bar. A request wider than the bar's room ends in an arrow at most eight cells beyond it."""
    left, run, right, arrow, tick = ("|", "-", "|", ">", "|") if ascii_only else ("├", "─", "┤", "▶", "│")
    room = width + 8 - start
    fitting = left + run * (cells - 2) + right if cells >= 2 else tick
    drawn = fitting if cells <= room else left + run * (room - 2) + arrow
    return f"{' ' * start}{drawn} {label}"
