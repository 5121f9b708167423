"""Lines that fit a terminal: widths in cells, wrapping that knows Chinese."""

from __future__ import annotations

from collections.abc import Iterator

# What must not begin a line, and what must not end one.
_NO_START = frozenset("，。、；：？！）」』】》〉”’…％%),.;:!?]}")
_NO_END = frozenset("（「『【《〈“‘([{")


def cells(text: str) -> int:
    """Width of a text in terminal cells: wide and full-width characters take two, combining marks none."""
    if text.isascii() or max(text) < "\u0300":  # the first that combines; none before it is wide
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def wrap(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` cells. A word that is wider by itself stays whole, so that it can be copied."""
    lines: list[str] = []
    current, used = "", 0
    for atom, spaced in _atoms(text):
        size = cells(atom)
        gap = 1 if spaced and current else 0
        if current and used + gap + size > width:
            lines.append(current)
            current, used = atom, size
        else:
            current, used = f"{current}{' ' * gap}{atom}", used + gap + size
    if current:
        lines.append(current)
    return lines


def chop(text: str, width: int) -> list[str]:
    """The text cut into pieces of at most `width` cells, after a blank where one is near: for what is quoted, so nothing is lost."""
    lines: list[str] = []
    start = used = blank = 0
    narrow = text.isascii()
    for place, char in enumerate(text):
        size = 1 if narrow else cells(char)
        if used + size > width:
            end = blank if blank > start + (place - start) // 2 else place
            lines.append(text[start:end])
            used = cells(text[end:place])
            start = end
        if char == " ":
            blank = place + 1
        used += size
    lines.append(text[start:])
    return lines


def _atoms(text: str) -> Iterator[tuple[str, bool]]:
    """What wrapping may not cut, with whether a blank stood before it."""
    for word in text.split():
        if word.isascii():
            yield word, True
            continue
        spaced = True
        for atom in _split_wide(word):
            yield atom, spaced
            spaced = False


def _split_wide(word: str) -> list[str]:
    """A line may break before and after every wide character, except where punctuation forbids it."""
    pieces: list[str] = []
    glue = wide_before = False
    for char in word:
        wide = not char.isascii() and cells(char) == 2
        if pieces and (glue or char in _NO_START or not (wide or wide_before)):
            pieces[-1] += char
        else:
            pieces.append(char)
        glue, wide_before = char in _NO_END, wide
    return pieces
