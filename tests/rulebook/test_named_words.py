"""Patterns take lists of words by name; a name without a list is told, and lists that refer to each other end."""

from __future__ import annotations

import pytest

from triage.rulebook.named_words import expand


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"\b%{card} fails", r"\b(?:gpus?|cards?) fails"),
        ("%{near}x", "(?:[^;]{0,9})x"),
        ("%{both} %{INT:port}", "(?:(?:gpus?|cards?)|fans?) %{INT:port}"),
        (r"\d{2}%{ANY}", r"\d{2}%{ANY}"),
    ],
)
def test_names_stand_for_their_words(pattern: str, expected: str) -> None:
    words = {"card": ["gpus?", "cards?"], "near": "[^;]{0,9}", "both": ["%{card}", "fans?"]}
    assert expand(pattern, words) == expected


@pytest.mark.parametrize("words", [{}, {"card": "%{card}"}, {"card": "%{other}", "other": "%{card}"}])
def test_a_name_that_leads_nowhere_is_an_error(words: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="words"):
        expand("%{card}", words)
