"""Sizes of memory that only the sentences around a failure tell."""

from __future__ import annotations

import pytest

import triage


def _facts(text: str) -> dict[str, object]:
    return dict(triage.explain(f"{text}\n\nRuntimeError: CUDA out of memory.\n").to_dict()["diagnoses"][0]["facts"])


def test_a_card_told_in_a_sentence_has_its_size() -> None:
    assert _facts("Hello, the card has a total of 24 GB.") == {"capacity_bytes": 24 << 30}


@pytest.mark.parametrize(
    "text",
    [
        "It is no lack of memory, as the machine has a total of 192 GB memory (24 GB/GPU).",
        "The 8 GPUs have a total of 192 GB.",
        "There are 192 GB in total across all the cards.",
    ],
)
def test_several_cards_together_are_no_card(text: str) -> None:
    assert _facts(text) == {}
