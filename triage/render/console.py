"""How texts go to a terminal, or whatever a stream leads to: language, colour, width, encoding, pipes that close early."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import IO, Any, Final

_PIPED_WIDTH: Final = 100
_WIDEST: Final = 100
_BAR_CHARACTERS: Final = "█▓▒░·├─┤│▶"
_PLAINER: Final = str.maketrans(
    {"·": "-", "…": "...", "—": "-", "–": "-", "×": "x", "≈": "~", "≥": ">=", "≤": "<=", "→": "->", "‘": "'", "’": "'", "“": '"', "”": '"'}
)


def language(wanted: str | None, environ: Mapping[str, str] | None = None) -> str:
    """`wanted`, or what the environment asks for: TRIAGE_LANG, then the locale; English where nothing says Chinese."""
    environ = os.environ if environ is None else environ
    for value in (wanted, environ.get("TRIAGE_LANG"), environ.get("LC_ALL") or environ.get("LC_MESSAGES") or environ.get("LANG")):
        if value:
            return "zh" if value.lower().startswith("zh") else "en"
    return "en"


def colored(when: str, stream: IO[str] | None, environ: Mapping[str, str] | None = None) -> bool:
    """Whether to use colours: `always`, `never`, or `auto`, which honours NO_COLOR, FORCE_COLOR, CLICOLOR and TERM."""
    environ = os.environ if environ is None else environ
    if when != "auto":
        return when == "always"
    if environ.get("NO_COLOR"):
        return False
    if any(environ.get(name, "0") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    if environ.get("TERM") == "dumb" or environ.get("CLICOLOR") == "0" or stream is None or not stream.isatty():
        return False
    return sys.platform != "win32" or "WT_SESSION" in environ or "TERM" in environ


def columns(stream: IO[str] | None, environ: Mapping[str, str] | None = None) -> int:
    """Width to write for, in cells: COLUMNS, or the terminal's own, at most 100; 100 where there is no terminal."""
    environ = os.environ if environ is None else environ
    given = environ.get("COLUMNS", "")
    if given.isdecimal() and int(given[:5]) > 0:
        return int(given[:5])
    try:
        width = os.get_terminal_size(stream.fileno()).columns if stream is not None else 0
    except (OSError, ValueError):
        width = 0
    return min(width or _PIPED_WIDTH, _WIDEST)


def draws_blocks(stream: IO[str] | None) -> bool:
    """Whether the stream's encoding has the characters of the memory bar."""
    try:
        _BAR_CHARACTERS.encode(getattr(stream, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def write(text: str, stream: IO[str] | None, encoding: str | None = None) -> bool:
    """Write all of `text`, in the stream's encoding unless one is given; what that cannot say becomes an escape. Says whether somebody
    reads on: a pipe whose reader has gone is no error. Raises OSError where writing fails otherwise.
    """
    if stream is None:
        return True
    try:
        binary = getattr(stream, "buffer", None)
        if binary is None:
            stream.write(text)
        else:
            stream.flush()
            binary.write(encoded(text, encoding or getattr(stream, "encoding", None) or "utf-8"))
        stream.flush()
    except BrokenPipeError:
        discard(stream)
        return False
    except OSError:
        discard(stream)
        raise
    return True


def encoded(text: str, encoding: str) -> bytes:
    """`text` in an encoding that may not have all of its characters: plainer signs first, escapes for the rest."""
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_PLAINER).encode(encoding, "backslashreplace")


def discard(stream: IO[str]) -> None:
    """Lead the stream nowhere, so that flushing it when the interpreter ends cannot fail a second time."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)
    except (OSError, ValueError):
        pass


def show(report: Mapping[str, Any], stream: IO[str] | None, *, color: str = "auto", why: bool = False, verbose: bool = False) -> None:
    """Write a report as text to a terminal, or whatever the stream leads to."""
    from triage.render.text import render

    text = render(
        report, width=columns(stream), color=colored(color, stream), why=why, verbose=verbose, ascii_only=not draws_blocks(stream)
    )
    write(text, stream)
