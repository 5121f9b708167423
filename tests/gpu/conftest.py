"""Tests that need a card. They skip without one; with one, `pytest tests/gpu` runs them all and writes evidence files."""

from __future__ import annotations

import sys
from importlib.util import find_spec

import pytest

from triage.verify.backends import Machine


@pytest.fixture(scope="session")
def card() -> Machine:
    """An interpreter with torch and a GPU that it can use."""
    if find_spec("torch") is None:
        pytest.skip("torch is not installed")
    machine = Machine.ask(sys.executable)
    if not machine.facts.get("gpus"):
        pytest.skip("torch sees no GPU here")
    return machine
