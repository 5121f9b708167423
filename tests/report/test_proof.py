"""The steps from the lines of a text to a diagnosis."""

from __future__ import annotations

from triage import explain


def test_a_reason_that_holds_an_unknown_value_adds_no_empty_step() -> None:
    report = explain("Found GPU0 GeForce 820M which is of cuda capability 2.1.\nPyTorch no longer supports this GPU because it is too old.")
    steps = [step for diagnosis in report.to_dict()["diagnoses"] for step in diagnosis["why"]]
    assert steps
    assert all(steps)
