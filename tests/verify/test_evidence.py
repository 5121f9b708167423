"""Evidence from machines with a GPU is replayed here: the logs are real, and triage must read the same from them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from triage.facts.observation import Observation
from triage.pipeline import shared_triage
from triage.verify import evidence
from triage.verify.backends import Machine
from triage.verify.campaign import Campaign, jobs_of_name
from triage.verify.catalog import catalog
from triage.verify.evidence import Evidence

KEPT = evidence.read(Path(__file__).parents[1] / "gpu" / "evidence")


def replay(found: Evidence) -> None:
    extra = [Observation("emulation", found.emulation)] if found.emulation else []
    diagnoses = shared_triage().explain(found.log, extra=extra).diagnoses
    one = catalog()[found.name]
    assert diagnoses, found.log[-1000:]
    assert diagnoses[0].family == one.family
    if one.cause_shown:
        assert one.cause in {diagnosis.cause for diagnosis in diagnoses}


@pytest.mark.parametrize("found", KEPT, ids=lambda found: found.name)
def test_kept_logs_are_read_as_they_were(found: Evidence) -> None:
    replay(found)
    assert found.date
    assert all(verdict["environment"]["gpu_name"] for verdict in found.verdicts)


def test_evidence_is_written_and_read(tmp_path: Path) -> None:
    machine = Machine(sys.executable, {"versions": {"torch": "2.6.0"}, "tools": [], "gpus": []})
    verdicts = list(Campaign(machine, backend="model").verdicts(jobs_of_name("memory.gpu-oom.fragmentation")))
    never_failed = {
        **verdicts[0],
        "reproduction": "shape.mismatch.matmul",
        "arms": {"reported": verdicts[0]["arms"]["reported"], "fixed": None},
    }
    written = evidence.write([*verdicts, never_failed], tmp_path, "2025-01-31")
    assert [path.name for path in written] == ["memory.gpu-oom.fragmentation.log", "memory.gpu-oom.fragmentation.json"]
    (found,) = evidence.read(tmp_path)
    assert (found.name, found.date, len(found.verdicts)) == ("memory.gpu-oom.fragmentation", "2025-01-31", 3)
    assert "output_tail" not in json.dumps(found.verdicts)
    replay(found)


def test_an_emulated_card_is_read_as_the_card_it_stands_for() -> None:
    """A card of 32 GiB on one of 140: what is free follows from the limit, and the limit is not the cause."""
    log = (
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 6.00 GiB. GPU 0 has a total capacity of 139.81 GiB of which "
        "112.00 GiB is free. Including non-PyTorch memory, this process has 27.30 GiB memory in use. 31.36 GiB allowed; Of the allocated "
        "memory 21.11 GiB is allocated by PyTorch, and 5.64 GiB is reserved by PyTorch but unallocated."
    )
    capacity = round(31.74 * (1 << 30))
    (diagnosis,) = shared_triage().explain(log, extra=[Observation("emulation", {"capacity_bytes": capacity, "gpu": 0})]).diagnoses
    assert diagnosis.cause == "fragmentation"
    assert diagnosis.facts["capacity_bytes"] == capacity
    assert diagnosis.facts["free_bytes"] == pytest.approx((31.36 - 21.11 - 5.64) * (1 << 30), rel=1e-3)
    assert "allowed_bytes" not in diagnosis.facts
    (plain,) = shared_triage().explain(log).diagnoses
    assert plain.cause == "memory-cap"
