"""The model of the caching allocator against the real one: the same random requests, the same sizes after every step."""

from __future__ import annotations

from pathlib import Path

import pytest

from triage.verify import runner
from triage.verify.backends import Machine

ROOT = Path(__file__).parents[2]
PROGRAM = """
import argparse, json, os, random, sys
sys.path.insert(0, {root!r})
parser = argparse.ArgumentParser(); parser.add_argument("--result"); options = parser.parse_args()
os.environ["PYTORCH_CUDA_ALLOC_CONF"] = {setting!r}
import torch
from triage.verify.allocator_model import CachingAllocator, OutOfDeviceMemoryError
from triage.verify.allocator_settings import AllocatorSettings

MIB = 1 << 20
random.seed({seed})
torch.cuda.init()
total = torch.cuda.get_device_properties(0).total_memory
allowed = 2048 * MIB
torch.cuda.set_per_process_memory_fraction(allowed / total, 0)
model = CachingAllocator(total, settings=AllocatorSettings.parse({setting!r}), allowed=int(allowed / total * total))
live, differences, refusals = [], [], 0
for step in range(1500):
    if live and random.random() < 0.45:
        tensor, address = live.pop(random.randrange(len(live)))
        del tensor
        model.release(address)
    else:
        size = random.randint(1, random.choice([4096, 2 * MIB, 30 * MIB, 400 * MIB]))
        try:
            address = model.malloc(size)
        except OutOfDeviceMemoryError:
            address = None
        try:
            tensor = torch.empty(size, dtype=torch.uint8, device="cuda:0")
        except torch.cuda.OutOfMemoryError:
            tensor = None
        refusals += tensor is None
        if (tensor is None) != (address is None):
            differences.append([step, "refused by one only", size])
            break
        if tensor is not None:
            live.append((tensor, address))
    real = (torch.cuda.memory_allocated(0), torch.cuda.memory_reserved(0))
    if real != (model.allocated, model.reserved):
        differences.append([step, real, (model.allocated, model.reserved)])
        break
json.dump({{"measurements": {{"differences": differences, "refusals": refusals, "steps": step + 1}}}}, open(options.result, "w"))
"""


@pytest.mark.parametrize(
    "setting", ["", "max_split_size_mb:64", "expandable_segments:True", "roundup_power2_divisions:4", "garbage_collection_threshold:0.6"]
)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_model_goes_as_the_card_goes(setting: str, seed: int, card: Machine) -> None:
    program = PROGRAM.format(root=str(ROOT), setting=setting, seed=seed)
    visible = {"CUDA_VISIBLE_DEVICES": str(card.facts["gpus"][0]["visible_as"])}
    arm = runner.run(program, [], python=card.python, timeout_s=300, variables=visible)
    assert arm.outcome == "passed", arm.output
    assert arm.measurements["differences"] == []
    assert arm.measurements["refusals"] > 0, "the sequence must come to the limit"
