"""Messages that end in the middle of a word: of a log that stopped, of a title, of a viewer that shortens lines.

A line that breaks off within a text that some signature requires is read as if that text went on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from triage.reading import Line

SHORTEST = 16  # characters of a required text that must stand there
SHARE = 0.5  # of it, where it breaks off within a word
SHARE_OF_WORDS = 0.6  # of it, where it stops at the end of one: so do other messages that begin alike
FARTHEST = 400  # characters from the end of a line in which it may begin
MOST_LINES = 16
# What stands before every message of its kind: which one it would have been, these words don't tell.
_BEFORE_ALL = (
    "terminate called after throwing an instance of '",
    *(f"{before}is killed by signal: " for before in ("", ") ", ") exited ", "exited ")),
)
_DOTS = ("…", "...")


def cut_lines(lines: Sequence[Line]) -> list[tuple[int, str]]:
    """(index, text without dots) of the lines that may have been cut: the last, the first as a title, and those that end with dots."""
    found = [(at, _bare(line.text)) for at, line in enumerate(lines) if line.text.endswith(_DOTS)][:MOST_LINES]
    last = next((at for at in range(len(lines) - 1, -1, -1) if lines[at].text.strip(" `")), None)
    titled = len(lines) > 1 and not lines[1].text.strip()
    for at in sorted({0 if titled else last, last} if last is not None else ()):
        if at is not None and not lines[at].text.endswith(_DOTS):
            found.append((at, lines[at].text.rstrip()))
    return [(at, text) for at, text in found if len(text) >= SHORTEST]


def _bare(text: str) -> str:
    return text.rstrip(".… ")


def _is_enough(piece: str, literal: str) -> bool:
    return len(piece) >= len(literal) * (SHARE if literal[len(piece)].isalnum() else SHARE_OF_WORDS)


def _says_nothing(piece: str, literal: str) -> bool:
    return _is_name(piece, literal) or any(words.startswith(piece) for words in _BEFORE_ALL)


def _is_name(piece: str, literal: str) -> bool:
    """Whether what stands there is a name that is whole, like that of a service with which a message goes on."""
    return " " not in piece and not literal[len(piece)].isalnum() and not piece.endswith(("error", "exception"))


class Completions:
    """The required texts by how they begin."""

    __slots__ = ("_beginning",)

    def __init__(self, literals: Iterable[str]) -> None:
        self._beginning: dict[str, list[tuple[int, str]]] = {}
        for number, literal in enumerate(literals):
            if len(literal) > SHORTEST:
                self._beginning.setdefault(literal[:SHORTEST], []).append((number, literal))

    def of(self, text: str) -> Iterator[tuple[int, str]]:
        """(number of a required text, what is missing of it) for those that a line breaks off in; the longest piece first."""
        lowered = " ".join(text[-FARTHEST:].lower().split())
        for start in range(len(lowered) - SHORTEST + 1):
            if start and lowered[start - 1].isalnum() and lowered[start].isalnum():
                continue
            piece = lowered[start:]
            for number, literal in self._beginning.get(piece[:SHORTEST], ()):
                if (
                    len(piece) < len(literal)
                    and literal.startswith(piece)
                    and _is_enough(piece, literal)
                    and not _says_nothing(piece, literal)
                ):
                    yield number, literal[len(piece) :]
