"""Text that a terminal or an editor wrapped at a fixed width, joined again."""

from __future__ import annotations

from triage.reading.lazy import Pattern
from triage.reading.log import Line

_NARROWEST, _WIDEST, _SLACK = 70, 130, 12
_STARTS_ANEW = Pattern(
    r"\s*(?:Traceback \(most|File \"|During handling|The above exception|[-*+#>|] |\[|\(|[0-9]{4}-[0-9]{2}|```|~~~|frame #|at::|"
    r"[A-Za-z_][\w.]*(?:Error|Exception|Warning): |[\^~]+\s*$)"
)


def unwrap(lines: list[Line]) -> list[Line]:
    """Logical lines, or an empty list where nothing seems wrapped.

    A width counts as that of the wrap when no line is longer, and at least three lines end just below it and are continued.
    """
    lengths = [len(line.text) for line in lines]
    logical: list[Line] = []
    joined = 0
    index = 0
    while index < len(lines):
        end = _stretch(lines, lengths, index)
        if end == index:
            logical.append(lines[index])
            index += 1
            continue
        width = max(lengths[index:end])
        joined += _join(lines[index : end + 1], lengths[index : end + 1], width, logical)
        index = end + 1
    return logical if joined else []


def _stretch(lines: list[Line], lengths: list[int], first: int) -> int:
    """Index of the last line that continues a run of full lines starting here; `first` itself when there is no run."""
    if not _NARROWEST <= lengths[first] <= _WIDEST:
        return first
    widest = narrowest = lengths[first]
    last = first
    full = 0
    while last + 1 < len(lines) and _continues(lines[last], lines[last + 1]):
        length = lengths[last]
        if not _NARROWEST <= length <= _WIDEST:
            break
        widest, narrowest = max(widest, length), min(narrowest, length)
        if widest - narrowest > _SLACK:
            break
        full += 1
        last += 1
    return last if full >= 2 or (full == 1 and _is_fragment(lines[first + 1].text)) else first


def _continues(line: Line, after: Line) -> bool:
    return (
        after.role == line.role
        and after.prefix is line.prefix
        and bool(after.text)
        and not after.text.isspace()
        and _STARTS_ANEW.match(after.text) is None
    )


def _is_fragment(text: str) -> bool:
    """Whether a line reads as the rest of a sentence."""
    first = text.lstrip()[:1]
    return first.islower() or first in ",.;)%" or text.lstrip().startswith(("GiB", "MiB", "GB", "MB", "PYTORCH_"))


def _join(lines: list[Line], lengths: list[int], width: int, logical: list[Line]) -> int:
    hard = len(lines) > 2 and all(length == width for length in lengths[:-1])  # a terminal cuts words, an editor does not
    glue = "" if hard else " "
    text = glue.join(line.text if hard or number == 0 else line.text.strip() for number, line in enumerate(lines))
    raw = "\n".join(line.raw for line in lines)
    logical.append(Line(lines[0].number, raw, text, lines[0].prefix, lines[0].role))
    return len(lines) - 1
