"""The processes that an out-of-memory message lists are found also where a terminal cut it."""

from __future__ import annotations

import textwrap

import triage

MESSAGE = (
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.50 GiB. GPU 0 has a total capacity of 15.77 GiB of which 900.00 MiB "
    "is free. Process 12447 has 14.83 GiB memory in use. Of the allocated memory 14.01 GiB is allocated by PyTorch, and 472.05 MiB is "
    "reserved by PyTorch but unallocated."
)


def test_a_cut_message_tells_the_process_too() -> None:
    whole = triage.explain(MESSAGE).diagnoses[0].facts
    assert whole["process_bytes"] > 14 * 2**30
    for width in (80, 100, 115, 120):
        assert triage.explain(textwrap.fill(MESSAGE, width)).diagnoses[0].facts == whole


def test_a_message_broken_after_its_sentences_tells_the_process_too() -> None:
    [whole, *_] = triage.explain(MESSAGE).diagnoses
    [broken, *_] = triage.explain(MESSAGE.replace(". ", ".\n")).diagnoses
    assert broken.facts == whole.facts


def test_the_index_that_a_release_prints_as_a_character_is_read() -> None:
    [printed, *_] = triage.explain(MESSAGE.replace("GPU 0", "GPU \x03")).diagnoses
    [meant, *_] = triage.explain(MESSAGE.replace("GPU 0", "GPU 3")).diagnoses
    assert printed.facts["gpu"] == meant.facts["gpu"] == 3
