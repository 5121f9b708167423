"""Reports say of each fix whether it can be tried; what they say is what the verifier has."""

from __future__ import annotations

from pathlib import Path

import triage
from triage.workshop.verifiable import path, rendered

DATA = Path(__file__).parents[1] / "data" / "founding"


def test_the_file_is_current() -> None:
    assert path().read_text(encoding="utf-8") == rendered(), "run python -m triage.workshop.verifiable"


def test_the_fix_of_fragmentation_can_be_tried() -> None:
    found = triage.explain(DATA / "memit-oom.txt").diagnoses[0]
    assert {fix.id: fix.verifiable for fix in found.fixes}["allocator-config"]
    assert not {fix.id: fix.verifiable for fix in found.fixes}["update-code"]
