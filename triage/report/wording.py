"""What is said of a diagnosis: the texts of rules, filled in, and those of the vocabulary where a rule has none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from triage.engine.facts import Fact
from triage.engine.values import Value
from triage.facts.messages import fill, heading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from triage.rulebook.rulebook import Rulebook


class Wording:
    """The texts of a rulebook, in the language that each is asked for."""

    def __init__(self, book: Rulebook) -> None:
        self._book = book

    def title(self, identifier: str, bindings: Mapping[str, Value], lang: str) -> str:
        """The title of a diagnosis, or of its family where it speaks of values that are not known."""
        message = self._book.texts(identifier).get("title")
        title = heading(message[lang], bindings, lang) if message else ""
        return title or self.label(f"family:{identifier.rpartition('.')[0]}", lang)

    def about(self, family: str, cause: Value | None, lang: str) -> str:
        """What the vocabulary says of family and cause, for a summary all of whose sentences speak of values that are not known."""
        return together((self.label(f"about:{name}", lang) for name in (family, cause) if name), lang)

    def label(self, key: str, lang: str) -> str:
        """What the vocabulary calls a family or cause: `family:memory.gpu-oom`."""
        label = self._book.label(key)
        return str(label.get(lang, key.partition(":")[2])) if isinstance(label, dict) else key

    def of(self, fact: Fact) -> dict[str, Any]:
        """What the rule that derived advice says of it."""
        owner, _, path = str(fact.get("text")).rpartition("#")
        texts = self._book.texts(owner)
        kind, _, number = path.partition(".")
        entry = texts.get(kind, {})
        return entry[int(number)] if number else entry  # type: ignore[no-any-return]

    def of_library(self, fix: str, identifier: str) -> dict[str, Any]:
        """What the library says of a fix for this failure: of its family, else of its domain, else in general."""
        domain, _, family = identifier.rpartition(".")[0].partition(".")
        places = (f"@{domain}.{family}", f"@{domain}", "")
        return next((text for place in places if (text := self._book.label(f"fix:{fix}{place}"))), {})


def filled(message: dict[str, Any] | None, bindings: Mapping[str, Value], lang: str) -> str:
    """A message with its values, in a language; '' where there is none."""
    return fill(message[lang], bindings, lang) if message else ""


def together(sentences: Iterable[str], lang: str) -> str:
    """Sentences one after the other, as the language parts them."""
    return ("" if lang == "zh" else " ").join(filter(None, sentences))
