"""Throw-away environments: what goes into one, that it is built once, and what is said where it cannot be had."""

from __future__ import annotations

from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from triage.verify import environments
from triage.verify.backends import Machine, Unavailable


@pytest.fixture
def steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that would build environments; nothing is run."""
    commands: list[list[str]] = []

    def run(command: list[str], **_: Any) -> CompletedProcess[str]:
        commands.append(command)
        if "torch==9.9" in command:
            return CompletedProcess(command, 1, "", "ERROR: No matching distribution found for torch==9.9\n")
        Path(command[-1]).mkdir(parents=True) if "venv" in command else None
        return CompletedProcess(command, 0, "", "")

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(environments.subprocess, "run", run)
    monkeypatch.setattr(environments.Machine, "ask", lambda python: Machine(python, {}))
    return commands


def test_an_environment_is_built_once(steps: list[list[str]], tmp_path: Path) -> None:
    told: list[str] = []
    first = environments.machine_with({"torch": "2.0.1"}, ["accelerate"], told.append)
    assert len(told) == 1
    assert "downloads packages" in told[0]
    assert first.python.startswith(str(tmp_path / "triage" / "environments"))
    assert steps[-1][-3:] == ["torch==2.0.1", "accelerate", "numpy<2"]
    built = len(steps)
    assert environments.machine_with({"torch": "2.0.1"}, ["accelerate"], told.append).python == first.python
    assert (len(steps), len(told)) == (built, 1)


def test_a_pin_counts_more_than_what_a_reproduction_needs(steps: list[list[str]]) -> None:
    """So that a release can be tried in which a failure is gone."""
    environments.machine_with({"torch": "2.13.0", "transformers": "5.1.0"}, ["transformers>=4.30,<5", "accelerate"], print)
    assert steps[-1][-4:] == ["torch==2.13.0", "transformers==5.1.0", "accelerate", "numpy"]


def test_what_cannot_be_had_is_told_and_not_kept(steps: list[list[str]], tmp_path: Path) -> None:
    for _ in range(2):
        with pytest.raises(Unavailable, match=r"which cannot be had here: .*No matching distribution found for torch==9\.9"):
            environments.machine_with({"torch": "9.9"}, [], lambda text: None)
    assert len(steps) == 4
    assert not list(tmp_path.rglob("complete"))
