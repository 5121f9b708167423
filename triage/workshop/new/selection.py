"""Which lines of a log a rule is to be written for."""

from __future__ import annotations

import re

from triage.reading import read

_LINES = re.compile(r"(\d+)(?:-(\d+))?\Z")
_MESSAGE = re.compile(r"\b(?:[A-Za-z_.]*(?:Error|Exception|Fault)\b|error\b|fatal\b|failed\b|abort|cannot\b|could not\b)", re.IGNORECASE)
_FRAME = re.compile(r'\s+File ".*", line \d+|\s{4,}\S|Traceback \(most recent call last\)')
_SHOWN = 12  # lines of a log that lead to the one that is proposed


class DraftError(Exception):
    """A draft that cannot be made from what was given; the message says what to give instead."""


def selected(log: bytes, lines: str) -> tuple[list[str], str]:
    """The lines `A` or `A-B` of a log, without prefixes, and as they stand. Raises DraftError."""
    found = _LINES.match(lines)
    if not found:
        raise DraftError(f"--lines takes one line or a range, such as 12 or 12-14, not {lines}")
    first, last = int(found.group(1)), int(found.group(2) or found.group(1))
    every = read(log).lines
    chosen = [line for line in every if first <= line.number <= last]
    if not chosen or first > last:
        raise DraftError(f"the log has no lines {lines}: they are numbered from 1 to {max((line.number for line in every), default=0)}")
    return [line.text for line in chosen], "\n".join(line.raw for line in chosen)


def proposed(log: bytes) -> tuple[str, list[str]]:
    """The line that looks most like a message, as `selected` takes it ("" where none does), and it with the lines before it, numbered."""
    lines = read(log).lines
    if not lines:
        return "", []
    likely = [at for at, line in enumerate(lines) if _MESSAGE.search(line.text) and not _FRAME.match(line.text)]
    at = likely[-1] if likely else len(lines) - 1
    near = lines[max(0, at + 1 - _SHOWN) : at + 1]
    return (str(lines[at].number) if likely else ""), [f"{line.number:7} | {line.text}" for line in near]
