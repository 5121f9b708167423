"""What the doctor reads of a card, and that a killed arm leaves nothing on it."""

from __future__ import annotations

import pytest

from triage.live.examination import examine
from triage.verify import runner
from triage.verify.backends import Machine

MIB = 1 << 20
HANGING = """
import argparse, time
parser = argparse.ArgumentParser(); parser.add_argument("--result"); parser.parse_args()
import torch
kept = torch.empty(4 << 30, dtype=torch.uint8, device="cuda:0")
print("holding", flush=True)
time.sleep(600)
"""


def test_the_doctor_sees_what_torch_sees(card: Machine) -> None:
    """By NVML, which numbers all GPUs of the machine, and by torch, which may see some of them."""
    reading = examine().reading
    if reading.error:
        pytest.skip(f"NVML does not answer here: {reading.error}")
    assert reading.driver_version
    for seen in card.facts["gpus"]:
        (same,) = [gpu for gpu in reading.gpus if not seen["uuid"] or (gpu.uuid or "").endswith(seen["uuid"])][:1]
        assert same.capability == seen["capability"]
        assert same.total is not None
        assert same.total == pytest.approx(seen["total_bytes"], rel=0.05)


def test_a_killed_arm_leaves_the_card_free(card: Machine) -> None:
    gpu = card.facts["gpus"][0]
    arm = runner.run(HANGING, [], python=card.python, timeout_s=45.0, variables={"CUDA_VISIBLE_DEVICES": str(gpu["visible_as"])})
    assert arm.outcome == "timeout"
    assert "holding" in arm.output, arm.output
    after = Machine.ask(card.python).facts["gpus"][0]["free_bytes"]
    assert after >= gpu["free_bytes"] - 256 * MIB
