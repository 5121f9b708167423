"""Lines that were wrapped at a fixed width are joined again, others are left alone."""

from __future__ import annotations

import textwrap

import pytest

from triage.reading import read

MESSAGE = (
    "RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 7.79 GiB total capacity; 6.10 GiB already allocated; "
    "15.31 MiB free; 6.30 GiB reserved in total by PyTorch) If reserved memory is much larger try setting max_split_size_mb"
)


@pytest.mark.parametrize("width", [72, 76, 80, 100])
def test_editor_wraps_at_words(width: int) -> None:
    wrapped = textwrap.fill(MESSAGE, width)
    log = read(f"start\n{wrapped}")
    assert MESSAGE in [line.text for line in log.unwrapped]
    joined = next(line for line in log.unwrapped if line.text == MESSAGE)
    assert (joined.number, joined.raw) == (2, wrapped)


def test_terminal_wraps_anywhere() -> None:
    wrapped = "\n".join(MESSAGE[start : start + 80] for start in range(0, len(MESSAGE), 80))
    assert [line.text for line in read(wrapped).unwrapped] == [MESSAGE]


def test_ordinary_log_has_no_unwrapped_lines() -> None:
    line = "2025-01-01 00:00:00,000 - INFO - the loss of step {} is {:.3f} and that is that, we go on\n"
    assert read("".join(line.format(step, step * 1.5) for step in range(30))).unwrapped == []


def test_traceback_has_no_unwrapped_lines() -> None:
    text = "Traceback (most recent call last):\n" + "".join(
        f'  File "/opt/conda/lib/python3.11/site-packages/torch/nn/modules/module.py", line {line}, in _call_impl\n'
        "    return forward_call(*args, **kwargs)\n"
        for line in range(5)
    )
    assert read(text + "RuntimeError: x").unwrapped == []
