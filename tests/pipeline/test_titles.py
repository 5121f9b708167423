"""What the title of a report says counts where nothing is shown; what a change shall do does not."""

from __future__ import annotations

import pytest

import triage

MET = {
    "# NCCL timeout with a model of 3B parameters": "distributed.collective-timeout",
    "[Bug]: Some model, CUDA illegal memory access": "kernel.illegal-access",
    "Any error triggers device-side assert\n\nThe picture shows it.": "kernel.device-assert",
    "# Tensors found on different devices": "device.mismatch",
    "# PyTorch in the nightly image: driver too old": "version.driver-too-old",
}
WISHED = [
    "# Make the watchdog timeout configurable",
    "# Detect NaN loss early",
    "# Add forced crashing for NCCL timeouts\n\nOur training shall end when it runs into one.",
    "# NCCL timeout handling\n\nThere are functions that abort running kernels.",
    "# [docs or feature request] elastic: OOM recovery, skipping of batches with nan gradients",
    "# NaN in the date picker",
]


@pytest.mark.parametrize("text", MET)
def test_what_a_title_names_was_met(text: str) -> None:
    assert [diagnosis.family for diagnosis in triage.explain(text).diagnoses] == [MET[text]]


@pytest.mark.parametrize("text", WISHED)
def test_what_a_title_wishes_was_not(text: str) -> None:
    assert not triage.explain(text).diagnoses


def test_the_first_sentence_of_a_text_is_no_title() -> None:
    assert not triage.explain("Loads from a misaligned address are split by the compiler.").diagnoses
