"""Facts: a template and its slots."""

from __future__ import annotations

from types import MappingProxyType

from triage.engine.values import TYPE_CHECKING, Version, key_of, normal, plain, sort_key

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping
    from typing import Any

    from triage.engine.values import SortKey, Value

_PLAIN = frozenset((str, int))


class Fact:
    """A fact. It cannot be changed, and is equal to another by template and slots; values compare as `triage.engine.values` says.

    The order in which slots were given means nothing. An integral float is kept as an `int`, a NaN is left out.
    Raises TypeError for a value that no slot can hold (None, a list: a slot that is not known is left out).
    """

    __slots__ = ("_hash", "_key", "_slots", "_sort_key", "_template")

    def __init__(self, template: str, slots: Mapping[str, Value]) -> None:
        own = dict(slots)
        key: frozenset[tuple[str, Hashable]]
        if _PLAIN.issuperset(map(type, own.values())):
            key = frozenset(own.items())
        else:
            _normalise(template, own)
            key = frozenset([(slot, key_of(value)) for slot, value in own.items()])
        self._template = template
        self._slots = own
        self._key = key
        self._hash = hash((template, key))
        self._sort_key: tuple[str, tuple[tuple[str, SortKey], ...]] | None = None

    @property
    def template(self) -> str:
        """What kind of fact it is."""
        return self._template

    @property
    def slots(self) -> Mapping[str, Value]:
        """The slots, read-only."""
        return MappingProxyType(self._slots)

    def get(self, slot: str) -> Value | None:
        """The value of a slot, None when it is not known."""
        return self._slots.get(slot)

    @property
    def sort_key(self) -> tuple[str, tuple[tuple[str, SortKey], ...]]:
        """Orders facts of all templates, the same in every run."""
        key = self._sort_key
        if key is None:
            key = (self._template, tuple([(slot, sort_key(value)) for slot, value in sorted(self._slots.items(), key=_first)]))
            self._sort_key = key
        return key

    def to_data(self) -> dict[str, object]:
        """`{"template": …, "slots": {…}}` as JSON has it, slots in alphabetical order."""
        return {"template": self._template, "slots": {slot: plain(value) for slot, value in sorted(self._slots.items(), key=_first)}}

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Fact) and self._template == other._template and self._key == other._key)

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        return (Fact, (self._template, self._slots))

    def __repr__(self) -> str:
        slots = ", ".join(f"{slot}={value!r}" for slot, value in sorted(self._slots.items(), key=_first))
        return f"{self._template}({slots})"


def _first(pair: tuple[str, Value]) -> str:
    return pair[0]


def _normalise(template: str, slots: dict[str, Value]) -> None:
    for slot, value in list(slots.items()):
        kind = type(value)
        if kind is str or kind is int or kind is bool or kind is Version:
            continue
        try:
            form = normal(value)
        except TypeError as error:
            raise TypeError(f"slot {slot} of {template}: {error}") from None
        if form is None:
            del slots[slot]
        else:
            slots[slot] = form
