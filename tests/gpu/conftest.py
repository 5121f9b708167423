"""Tests that need a card. They skip without one; with one, `pytest tests/gpu` runs them all and writes evidence files."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.util import find_spec

import pytest

from triage.verify.backends import Machine


@pytest.fixture(autouse=True)
def alone_on_the_card(card: Machine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Where tests run in several processes, those of a card take turns: they measure its memory."""
    fcntl = pytest.importorskip("fcntl")
    with (tmp_path_factory.getbasetemp().parent / "card.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def card() -> Machine:
    """An interpreter with torch and a GPU that it can use."""
    if find_spec("torch") is None:
        pytest.skip("torch is not installed")
    machine = Machine.ask(sys.executable)
    if not machine.facts.get("gpus"):
        pytest.skip("torch sees no GPU here")
    return machine
