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
        common = _PLAIN.issuperset(map(type, own.values()))
        if not common:
            common = _normalise(template, own)
        # Among strings and integers dictionaries compare as facts do; other values need a key to compare by.
        self._key: frozenset[tuple[str, Hashable]] | None = None
        if common:
            self._hash = hash((template, frozenset(own.items())))
        else:
            self._key = frozenset([(slot, key_of(value)) for slot, value in own.items()])
            self._hash = hash((template, self._key))
        self._template = template
        self._slots = own
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
        if self is other:
            return True
        if not isinstance(other, Fact) or self._hash != other._hash or self._template != other._template:
            return False
        return self._slots == other._slots if self._key is None and other._key is None else self._key == other._key

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        return (Fact, (self._template, self._slots))

    def __repr__(self) -> str:
        slots = ", ".join(f"{slot}={value!r}" for slot, value in sorted(self._slots.items(), key=_first))
        return f"{self._template}({slots})"


def _first(pair: tuple[str, Value]) -> str:
    return pair[0]


def _normalise(template: str, slots: dict[str, Value]) -> bool:
    """Gives the slots their normal form; whether none but strings and integers are left."""
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
    return _PLAIN.issuperset(map(type, slots.values()))
