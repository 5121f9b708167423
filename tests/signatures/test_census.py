"""Messages are counted exactly, in logs of any size."""

from __future__ import annotations

import pytest

from triage.pipeline import shared_triage
from triage.reading.reader import chunks
from triage.signatures.census import Tally

OOM = b"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate %d.00 GiB.\n"
ASSERT = b"../aten/src/ATen/native/cuda/Indexing.cu:1292: indexSelectLargeIndex: block: [1,0,0], thread: [5,0,0] Assertion `x` failed.\n"
HEALTHY = b"step %d: loss 0.31, memory 12 GiB\n"


def tallies(data: bytes) -> dict[str, Tally]:
    engine = shared_triage()
    rest = [data]
    report = engine.explain(data)
    groups = {diagnosis.id: report.rests_on(diagnosis.id) for diagnosis in report.diagnoses}
    return engine.count(chunks(lambda _: rest.pop() if rest else b""), groups)


@pytest.mark.parametrize("times", [1, 3, 1_000, 60_000])
def test_every_line_with_the_message_counts(times: int) -> None:
    lines = [line for number in range(times) for line in (HEALTHY % number, OOM % (number % 7 + 1))]
    [tally] = tallies(b"".join(lines)).values()
    assert (tally.lines, tally.first, tally.last) == (times, 2, 2 * times)


def test_each_failure_has_a_count_of_its_own() -> None:
    found = tallies(ASSERT * 3 + HEALTHY % 1 + OOM % 2)
    assert {name.rpartition(".")[0]: (tally.lines, tally.first, tally.last) for name, tally in found.items()} == {
        "kernel.device-assert": (3, 1, 3),
        "memory.gpu-oom": (1, 5, 5),
    }


def test_a_log_without_failures_has_nothing_to_count() -> None:
    assert tallies(HEALTHY % 1) == {}
