"""What people put around a message is taken off; what belongs to it stays."""

from __future__ import annotations

import pytest

from triage import explain
from triage.reading.marks import bare

MESSAGE = "RuntimeError: CUDA error: an illegal memory access was encountered"


@pytest.mark.parametrize(
    "around",
    [
        "    {}", "\t{}", "- {}", "  * {}", "• {}", "3. {}", "12) {}", "`{}`", "**{}**", "**{}**.", "1. `{}`:", "- **{}**", "{}<br>",
        "<pre><code>{}", "{}</code></pre>", "412:{}", "  7 | {}", "  7  {}", "worker-1  | {}", "vllm-gpu-0 | {}",
    ],
)  # fmt: skip
def test_what_stands_around_is_taken_off(around: str) -> None:
    assert bare(around.format(MESSAGE)) == MESSAGE
    assert [found.family for found in explain(around.format(MESSAGE)).diagnoses] == ["kernel.illegal-access"]


@pytest.mark.parametrize(
    "line",
    [
        MESSAGE, "`a.out` and `b.out`", "*** Error in a.out: double free ***, and more", "12:30:07 start",
        "1: [runtime.cpp::parse::3] Error", "| GPU | Name |", "device: cuda:0 | rank 3", "8 GPUs are busy",
        "<unknown> is no tag", "**", "``", "*", "3.", "gpu-0", "",
    ],
)  # fmt: skip
def test_what_belongs_to_it_stays(line: str) -> None:
    assert bare(line) == line.strip()
