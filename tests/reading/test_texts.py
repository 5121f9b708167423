"""Fixed texts are found alike whether a process has read a few texts or many."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from triage.reading.texts import FixedTexts

_WANTED = ("ab", "abc", "b", "\u6607\u817e", "GTX ")


@given(st.text(alphabet="abcGTX \u6607\u817e\n", max_size=60))
def test_the_automaton_finds_what_looking_for_each_text_finds(text: str) -> None:
    few, many = FixedTexts(_WANTED), FixedTexts(_WANTED)
    for _ in range(10):
        many.held("")
    assert few.held(text) == many.held(text) == {one for one in _WANTED if one in text}
    expected = [at for one in _WANTED for at in range(len(text)) if text.startswith(one, at)]
    assert sorted(few.starts(text)) == sorted(many.starts(text)) == sorted(expected)
