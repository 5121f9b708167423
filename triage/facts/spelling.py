"""What somebody may have meant by a name that nothing has."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is spelled most like `name`; None where none comes near."""
    import difflib  # only where something is misspelt

    close = difflib.get_close_matches(name, sorted(known), n=1)
    return close[0] if close else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a message that `name` is not known: `: did you mean …?`; '' where no known name comes near."""
    meant = nearest(name, known)
    return f": did you mean {meant}?" if meant else ""
