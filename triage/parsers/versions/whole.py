"""Versions without a dot, by the words before them: "driver version: 535", "CUDA 版本是 12", "| ROCm | 6 |"."""

from __future__ import annotations

from itertools import islice

from triage.parsers.versions.finds import Finds
from triage.parsers.versions.numbers import MAX_CANDIDATES, package_by_words, words_before
from triage.parsers.versions.packages import REQUESTED, SAID
from triage.reading import Block
from triage.reading.lazy import Pattern

# Each with the numbers that it has had; what else follows the name counts things or tells an error.
_RANGES = {"driver": (340, 699), "cuda": (8, 13), "cudnn": (5, 9), "rocm": (4, 7), "windows": (7, 11)}
_NAMES = ("driver", "\u9a71\u52a8", "cuda", "cudnn", "rocm", "indows")
_WHOLE = Pattern(
    r"(?<![A-Za-z0-9_.+/\\,-])(?<![0-9] )(?<![A-Za-z0-9_]:)[vVR]?([0-9]{1,3})(?![A-Za-z0-9_%*\u00d7+/\\-]|[.,:][A-Za-z0-9*])"
    r"(?! ?(?:[KMGTkm]i?B\b|[GM]\b|fps|x\b|\u4e2a|\u5f20|\u5757|\u6b21))"
    r"(?! (?:(?:CUDA|cuda) )?(?:[Dd]evice|[Gg][Pp][Uu]|layer|card|second|sec|minute|min|hour|day|time|node|engine|kernel|stream|op|core"
    r"|thread|step|epoch|error)s?\b)"
)
_UNTOLD = ("error", "code", "device", "count", "gpus", "failed", "exit", "line", "returned", "status")


def whole_versions(block: Block, finds: Finds) -> None:
    """Add the numbers of those few that people tell without a dot, where the words before them name one."""
    text = block.text
    lowered = text.lower()
    if not any(map(lowered.__contains__, _NAMES)):
        return
    for match in islice(_WHOLE.finditer(text), MAX_CANDIDATES):
        start = match.start(1)
        near = lowered[max(0, start - 48) : start]
        if not any(map(near.__contains__, _NAMES)) or any(map(near[-16:].__contains__, _UNTOLD)):
            continue
        line = block.line(start)
        if line.role in ("source", "code", "diff"):
            continue
        words = words_before(text[max(0, start - 84) : start], block, start)
        package = package_by_words(words, match[1], block, start)
        least, most = _RANGES.get(package, (1, 0))
        if least <= int(match[1]) <= most:
            known = package == "driver" and not finds.contrast.holds(start)
            finds.add(package, match[1], line, SAID - 1 if known else REQUESTED)
