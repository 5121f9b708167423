"""How far a program got is told only where another attempt is spoken of, and never by a line that tells of a failure."""

from __future__ import annotations

import pytest

from triage.parsers.outcome import parse_outcome
from triage.reading import read

RETRY = "retrying with a smaller batch\n"


def outcome(text: str) -> dict[str, int]:
    return {str(seen.slots["detail"]): int(str(seen.slots["line"])) for seen in parse_outcome(read(text))}


def test_the_last_line_of_each_kind() -> None:
    assert outcome(RETRY + "step 10 loss 1.2\nstep 20 loss 1.1\ntraining finished\n") == {"progress": 3, "success": 4}


@pytest.mark.parametrize(
    "line",
    [
        "Epoch 3/10",
        "{'loss': 1.9121, 'grad_norm': 1.332}",
        " 600/1875 [========>.....................] - ETA: 4s",
        "12.6 samples/s",
        "saved checkpoint to out/1",
        "2025-01-01 10:00:00,000 - INFO - 第 3 轮",
    ],
)
def test_work(line: str) -> None:
    assert outcome(f"{RETRY}{line}\n") == {"progress": 2}


@pytest.mark.parametrize(
    "line",
    [
        "finished in 5:12:40, 0 failures",
        "Process 220114 exits successfully.",
        "exit code 0",
        "exited with code: 0",
        "2025-01-01 10:00:00,000 - INFO - 训练完成",
    ],
)
def test_success(line: str) -> None:
    assert outcome(f"{RETRY}{line}\n") == {"success": 2}


@pytest.mark.parametrize(
    "line",
    [
        "failed at step 10",
        "RuntimeError: step 3",
        "exit code 1",
        "exit code 01",
        "not finished",
        "unsuccessful",
        "out of memory in epoch 3",
        "训练未完成",
    ],
)
def test_neither(line: str) -> None:
    assert outcome(f"{RETRY}{line}\n") == {}


def test_nothing_is_told_without_another_attempt() -> None:
    assert outcome("step 10 loss 1.2\ntraining finished\n") == {}


def test_what_a_person_says_is_no_outcome() -> None:
    assert outcome("I tried it again.\n\nMy training finished epoch 3, as I said.\n") == {}
