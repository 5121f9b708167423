"""A line that breaks off in the middle of a message reports it, where only one failure can be meant."""

from __future__ import annotations

import pytest

import triage
from triage.signatures.cut import Completions

MESSAGE = "RuntimeError: CUDA error: an illegal memory access was encou"
CUT = {
    "the last line": f"step 4 loss 2.1\n{MESSAGE}",
    "the last line of a traceback": f'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    g()\n{MESSAGE}',
    "dots": f"ERROR {MESSAGE}…\nThe job has ended\n",
    "three dots": f"{MESSAGE}...\n",
    "a title": "[Bug] The server ends with CUDA error: an illegal memory access\n\nThe log is gone.",
}
NOT_CUT = [
    "RuntimeError: CUDA error",  # may be anything
    "loading an illegal",
    "step 3 loss 2.2\nRuntimeError: CUDA error: an illegal memory acc\nstep 4 loss 2.1",  # of no line that goes on
    "RuntimeError: CUDA error: an illegal memory acc\nstep 4 loss 2.1\nstep 5",  # no title
]


@pytest.mark.parametrize("text", CUT.values(), ids=CUT)
def test_a_cut_message(text: str) -> None:
    assert [diagnosis.family for diagnosis in triage.explain(text).diagnoses] == ["kernel.illegal-access"]


@pytest.mark.parametrize("text", NOT_CUT)
def test_too_little_of_a_message(text: str) -> None:
    assert not triage.explain(text).diagnoses


def test_the_evidence_is_what_stands_there() -> None:
    assert triage.explain(MESSAGE).to_dict()["diagnoses"][0]["evidence"][0]["text"] == MESSAGE


def test_what_is_missing() -> None:
    completions = Completions(["device-side assert triggered", "short", "an illegal memory access"])
    assert list(completions.of("x: Device-side  assert tri")) == [(0, "ggered")]
    assert not list(completions.of("mydevice-side assert tri"))  # begins within a word
    assert not list(completions.of("device-side assert triggered"))  # whole
    named = Completions(["CoordinationService/RegisterTask".lower(), "outofmemoryerror: cuda out of memory"])
    assert not list(named.of("Propagate timeouts through CoordinationService"))  # the name of something
    assert list(named.of("while calling CoordinationService/Regis"))


@pytest.mark.parametrize(
    "whole",
    [
        "RuntimeError: No CUDA GPUs are available",
        "RuntimeError: Expected all tensors to be on the same device",
        "ValueError: Cannot use GPU, CuPy is not installed",
    ],
)
def test_a_message_of_which_signatures_of_several_failures_speak(whole: str) -> None:
    """That the whole line is known by more than one signature makes it no less clear what it is."""
    families = [diagnosis.family for diagnosis in triage.explain(whole).diagnoses]
    assert families
    assert [diagnosis.family for diagnosis in triage.explain(whole[:-3]).diagnoses] == families


def test_what_only_the_rest_would_tell_is_not_told() -> None:
    """A line that breaks off before a value has none, whatever may have followed."""
    [diagnosis] = triage.explain("RuntimeError: CUDA error: an illegal memory access was encou").to_dict()["diagnoses"]
    whole = triage.explain("RuntimeError: CUDA error: an illegal memory access was encountered").to_dict()["diagnoses"][0]
    assert set(diagnosis["facts"]) <= set(whole["facts"])
