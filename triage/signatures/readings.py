"""The readings of a text: a message may have been aligned, pasted with a margin, as an item of a list, or marked as code."""

from __future__ import annotations

import re

from triage.reading.marks import bare
from triage.signatures.literals import encode

_SPACES = re.compile(rb"  +")


def readings(text: str) -> list[bytes]:
    """A text; the same with single blanks where it is retyped or aligned: blanks that the message does not have; and both without what
    people put around a line, or without the margin that all lines have."""
    found = [encode(text)]
    _add_with_single_blanks(found)
    if "\n" not in text:
        _add(found, bare(text), text)
        return found
    margin = len(text) - len(text.lstrip(" "))
    if margin:
        _add(found, text[margin:].replace("\n" + " " * margin, "\n"), text)
    _add(found, "\n".join(map(bare, text.split("\n"))), text)
    return found


def _add(found: list[bytes], text: str, whole: str) -> None:
    if text is whole:
        return
    reading = encode(text)
    if reading not in found:
        found.append(reading)
        _add_with_single_blanks(found)


def _add_with_single_blanks(found: list[bytes]) -> None:
    reading = found[-1]
    inside = reading.lstrip(b" ")
    if b"  " in inside:
        found.append(reading[: len(reading) - len(inside)] + _SPACES.sub(b" ", inside))
