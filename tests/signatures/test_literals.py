"""The two searches for literals give the same answer."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from triage.rulebook.store import load_rulebook
from triage.signatures.literals import LiteralSearch, encode, file_literals

WORDS = st.text("abc \u663e\n", min_size=1, max_size=7)


def _both(literals: Iterable[bytes], text: bytes) -> tuple[list[bytes], set[tuple[int, int]], set[tuple[int, int]]]:
    filed = file_literals(literals)
    pieces = LiteralSearch(filed, quick=True)
    automaton = LiteralSearch(filed, quick=False)
    return list(filed.literals), set(pieces.find(text)), set(automaton.find(text))


@given(st.lists(WORDS, min_size=1, max_size=12, unique=True), st.text("abc \u663e\n", max_size=80))
def test_pieces_and_automaton_agree(literals: list[str], text: str) -> None:
    data = encode(text)
    filed, by_pieces, by_automaton = _both(map(encode, literals), data)
    assert by_pieces == by_automaton
    assert sorted(filed) == sorted(map(encode, literals))
    for number, literal in enumerate(filed):
        found = {start for other, start in by_pieces if other == number}
        assert found == {at for at in range(len(data)) if data.startswith(literal, at)}


def test_they_agree_on_the_shipped_literals_and_real_logs() -> None:
    literals = load_rulebook().section("literals").split(b"\n")
    for path in sorted((Path(__file__).parents[1] / "data" / "founding").glob("*.txt")):
        filed, by_pieces, by_automaton = _both(literals, path.read_bytes().lower())
        assert filed == literals
        assert by_pieces == by_automaton
        assert by_pieces
