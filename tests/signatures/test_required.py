"""What every match of a pattern holds."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triage.signatures.required import Requirements
from triage.signatures.signature import as_searched

PATTERNS = (
    r"gizmo (?:is|was) (?:not|never) (?:lit|on)\b",
    r"(?i)\b(?:no|not|never)(?: (?:an?|the|other))* (?:gizmos?|widget(?:s|ry)?)\b",
    r"--?(?:gizmos?|gizmo[-_]ids?|widget(?:[-_]ids?)?)[ =](?:w:)?([0-9]{1,2})(?:[^0-9,.]|$)",
    r"(?:gizmo|wid|g)[ei]t{1,3}(?: x)?[0-9]{2}\.? {0,3}(?:[A-F]|sprocket)+ ends?",
    r"gizmo\s+(?:fell|[^a-z]{2,5}rose)\s*:\s(?:(?:to|on) )?\w+ ?ground",
    r"gizmo(?:[ .]?(?:one|two|three|four|five|six|seven|eight|nine|ten)[ ,]?(?:a|b|c|d|e|f|g|h|i|j)){2} ends",
    "显存(?:不足|不够)[，,]?(?:GPU|卡) ?[0-9]",
)


def near(regex: str, spans: bool = False) -> list[list[str]]:
    return sorted(map(sorted, Requirements(regex, spans).near))


@pytest.mark.parametrize("regex", PATTERNS)
@given(st.data())
def test_a_match_holds_one_text_of_each_set(regex: str, data: st.DataObject) -> None:
    match = data.draw(st.from_regex(re.compile(regex, re.ASCII), fullmatch=True))
    searched = as_searched(match.encode())
    for texts in Requirements(regex, spans=False).near:
        assert any(text.encode().decode("latin-1") in searched for text in texts), (match, texts)


def test_what_stands_beside_each_other_is_put_together() -> None:
    assert near("gizmos? (?:fell|rose)") == [["gizmo fell", "gizmo rose", "gizmos fell", "gizmos rose"]]


def test_digits_belong_to_what_stands_before_them_alone() -> None:
    assert sorted(map(len, near("-gizmo[=:][0-9] sprockets"))) == [1, 2, 20]


def test_of_what_is_too_much_the_ends_are_put_together() -> None:
    sets = near("(?:" + "|".join(f"{letter}gizmo" for letter in "abcdefghijklm") + ") (?:fell|rose|went|broke|burst|stood)")
    assert ["zmo broke", "zmo burst", "zmo fell", "zmo rose", "zmo stood", "zmo went"] in sets


def test_what_may_stand_in_a_later_line_is_not_required_of_the_first() -> None:
    required = Requirements(r"gizmo fell(?: down\n|; )then rose", spans=True)
    assert frozenset(("gizmo fell",)) in required.near
    assert all("then rose" not in text for texts in required.near for text in texts)
    assert ["then rose"] in required.further(["gizmo fell"])
    required = Requirements(r"gizmo\s+fell\s+down", spans=True)
    assert (required.near, required.far) == ([frozenset(("gizmo",))], [frozenset(("fell",)), frozenset(("down",))])


def test_a_set_that_another_one_implies_is_left_out() -> None:
    required = Requirements("gizmo (?:fell|rose)[^.]*gizmo", spans=False)
    assert required.further(["gizmo fell", "gizmo rose"]) == []
    assert required.further(["gizmo"]) == [["gizmo fell", "gizmo rose"]]
