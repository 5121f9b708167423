"""What an earlier compilation made of the forms of signatures, which is most of what compiling takes.

What forms become depends on nothing but their text and the modules that compile them. Where these are as they were, the rules of which
one file has changed take over the forms of all others.
"""

from __future__ import annotations

from hashlib import blake2b
from json import dumps
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from triage.rulebook.rulebook import Rulebook
    from triage.rulebook.schema import Signature

MADE = ("regexes", "literals", "needs", "further")  # what of a compiled signature comes from its forms
_BYTES = 8  # of a digest


def digest(signature: Signature) -> str:
    """What tells apart signatures whose forms are compiled to different things."""
    made_from = [signature.text is not None, signature.forms, signature.literal, signature.span > 1, signature.ignore_case]
    return blake2b(dumps(made_from).encode(), digest_size=_BYTES).hexdigest()


class Earlier:
    """The compiled forms of a rule base that the same modules made; of none, where there is no such rule base."""

    __slots__ = ("_place", "_signatures")

    def __init__(self, book: Rulebook | None = None) -> None:
        self._signatures = book.section("signatures") if book else ()
        self._place = {name: number for number, name in enumerate(book.section("made-from"))} if book else {}

    def forms(self, name: str) -> dict[str, Any] | None:
        """What the forms of the signature with a digest became, or None where it was not there."""
        if name not in self._place:
            return None
        signature = self._signatures[self._place[name]]
        return {part: signature[part] for part in MADE if part in signature}
