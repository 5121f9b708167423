"""A fact together with the raw lines it was read from."""

from __future__ import annotations

from triage.engine.values import Value


class Evidence:
    """A raw line: its number (from 1) and its text as it stood in the input, undecorated; of several logs also which, and `order`, its
    number among the lines of all."""

    __slots__ = ("file", "line", "order", "text")

    def __init__(self, line: int, text: str, file: str = "", order: int | None = None) -> None:
        self.line = line
        self.text = text
        self.file = file
        self.order = line if order is None else order

    def to_dict(self) -> dict[str, object]:
        """As the JSON report has it."""
        place: dict[str, object] = {"file": self.file, "line": self.line} if self.file else {"line": self.line}
        return {**place, "text": self.text}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Evidence) and (self.order, self.text) == (other.order, other.text)

    def __hash__(self) -> int:
        return hash((self.order, self.text))

    def __repr__(self) -> str:
        return f"Evidence({self.line}, {self.text!r})"


class Observation:
    """What a signature or a parser read: a template, its slots, and the lines that show it."""

    __slots__ = ("evidence", "slots", "template")

    def __init__(self, template: str, slots: dict[str, Value], evidence: tuple[Evidence, ...] = ()) -> None:
        self.template = template
        self.slots = slots
        self.evidence = evidence

    def __repr__(self) -> str:
        return f"Observation({self.template!r}, {self.slots!r})"
