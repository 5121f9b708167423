from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from triage.engine import Fact, Value, Version
from triage.engine.values import from_data, key_of, same, sort_key, to_data

# In the order they sort.
VALUES: list[Value] = [
    False, True, -1, 0, 1, 1.5, 2, float("inf"), "", "1", "True", Version((1,)), Version((1, 2)), (), (True,), (0,), (1,), (1, "a"),
]  # fmt: skip


def test_facts_are_equal_by_template_and_slots() -> None:
    one, other = Fact("a", {"x": 1, "y": "k"}), Fact("a", {"y": "k", "x": 1})
    assert one == other
    assert hash(one) == hash(other)
    assert repr(one) == repr(other) == "a(x=1, y='k')"
    assert one != Fact("b", {"x": 1, "y": "k"})
    assert one != Fact("a", {"x": 1})
    assert one != ("a", {"x": 1, "y": "k"})


def test_every_value_is_itself_only() -> None:
    for place, one in enumerate(VALUES):
        for other_place, other in enumerate(VALUES):
            equal = place == other_place
            assert same(one, other) is equal
            assert (key_of(one) == key_of(other)) is equal
            assert (Fact("a", {"x": one}) == Fact("a", {"x": other})) is equal
            assert (sort_key(one) == sort_key(other)) is equal
    assert len({Fact("a", {"x": value}) for value in VALUES}) == len(VALUES)
    assert sorted(VALUES, key=sort_key) == VALUES


def test_numbers_have_one_form() -> None:
    fact = Fact("a", {"x": 2.0, "y": (1.0, 2.5), "z": float("nan"), "w": (float("nan"),)})
    assert repr(fact) == "a(x=2, y=(1, 2.5))"
    assert fact == Fact("a", {"x": 2, "y": (1, 2.5)})


@pytest.mark.parametrize("value", [None, [1], {"a": 1}, b"x", 1j, (1, None)])
def test_what_is_no_value_is_refused_by_slot(value: Any) -> None:
    with pytest.raises(TypeError, match=r"slot x of a: .* which no slot can hold"):
        Fact("a", {"x": value})


def test_facts_cannot_be_changed() -> None:
    slots: dict[str, Value] = {"x": 1}
    fact = Fact("a", slots)
    slots["x"] = 2
    assert fact.get("x") == 1
    assert fact.get("y") is None
    with pytest.raises(TypeError):
        fact.slots["x"] = 2  # type: ignore[index]
    with pytest.raises(AttributeError):
        fact.template = "b"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        fact.slots = {}  # type: ignore[misc]


def test_facts_can_be_copied_and_pickled() -> None:
    fact = Fact("a", {"x": Version((1, 2)), "y": (1, True)})
    for twin in (copy.deepcopy(fact), pickle.loads(pickle.dumps(fact))):
        assert twin == fact
        assert twin.sort_key == fact.sort_key


def test_facts_sort_by_template_then_slots() -> None:
    facts = [Fact("a", {}), Fact("a", {"x": 1}), Fact("a", {"x": 1, "y": 0}), Fact("a", {"x": "1"}), Fact("b", {})]
    backwards = facts[::-1]
    assert sorted(backwards, key=lambda fact: fact.sort_key) == facts


def test_versions() -> None:
    assert Version((2, 1)) == Version((2, 1, 0))
    assert Version((2, 9)) < Version((2, 10))
    assert str(Version((12,))) == "12.0"
    assert repr(Version((2, 1, 3))) == "v2.1.3"


@pytest.mark.parametrize("value", [value for value in VALUES if value != float("inf")])
def test_values_survive_json(value: Value) -> None:
    assert same(from_data(to_data(value)), value)
