"""The emulated card counts what PyTorch allocates: without data as with, and as PyTorch's own tracker counts."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from triage.verify import runner

ROOT = Path(__file__).parents[2]
PROGRAM = """
import argparse, json, sys
sys.path.insert(0, {root!r})
parser = argparse.ArgumentParser(); parser.add_argument("--result"); options = parser.parse_args()
import torch
from triage.verify.toolkit.card import Card
from triage.verify.toolkit.decoder import Shape, build_decoder
from triage.verify.toolkit.harness import Parameters, measurements

SHAPE = Shape(2, 64, 160, 4, 100)

def plain(device):
    parts = [torch.nn.Linear(64, 256, device=device), torch.nn.GELU(), torch.nn.Linear(256, 64, device=device)]
    return torch.nn.Sequential(*parts), torch.zeros(32, 64, device=device)

def decoder(device):
    return build_decoder(SHAPE, device), torch.zeros(3, 16, dtype=torch.long, device=device)

def step(make, device, between=lambda: None):
    model, inputs = make(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, foreach=False)
    for _ in range(2):
        model(inputs).pow(2).mean().backward()
        optimizer.step()
        optimizer.zero_grad()
        between()

def same_bytes():
    peaks = {{}}
    for make in (plain, decoder):
        for backend in ("cpu", "fake"):
            with Card(Parameters({{"backend": backend, "wording": "2.6"}}), 1 << 34) as card:
                step(make, card.device)
            peaks[f"{{make.__name__}} {{backend}}"] = measurements["peak_allocated_bytes"]
    return peaks

def tracked():
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch.distributed._tools.mem_tracker import MemTracker

    with Card(Parameters({{"backend": "fake", "wording": "2.6"}}), 1 << 34) as card:
        step(plain, card.device)
    with FakeTensorMode():
        tracker = MemTracker()
        with tracker:
            step(plain, "cpu", tracker.reset_mod_stats)
        total = tracker.get_tracker_snapshot("peak")[torch.device("cpu")]["Total"]
    return {{"card": measurements["peak_allocated_bytes"], "tracker": total}}

def given_back():
    with Card(Parameters({{"backend": "fake", "wording": "2.6"}}), 1 << 30) as card:
        allocator = card.allocators["meta"]
        tensor = torch.empty(1 << 20, device="meta")
        views = [tensor.view(-1, 2), tensor[5:], tensor.t() if tensor.dim() == 2 else tensor.unsqueeze(0)]
        one = allocator.allocated
        other = tensor + 1
        two = allocator.allocated
        del tensor
        held = allocator.allocated
        del views, other
        return {{"one": one, "two": two, "held": held, "after": allocator.allocated}}

def refused():
    with Card(Parameters({{"backend": "fake", "wording": "2.0"}}), 1 << 30):
        kept = torch.empty(200 << 20, device="meta")
        try:
            torch.nn.Linear(20_000, 20_000, device="meta")
        except torch.cuda.OutOfMemoryError as error:
            return str(error)

found = {{part.__name__: part() for part in (same_bytes, tracked, given_back, refused)}}
json.dump({{"measurements": found}}, open(options.result, "w"))
"""


@pytest.fixture(scope="module")
def found(with_torch: None) -> dict[str, Any]:
    """All parts in one process: importing torch takes longer than what is asked of it."""
    arm = runner.run(PROGRAM.format(root=str(ROOT)), [], python=sys.executable, timeout_s=180)
    assert arm.outcome == "passed", arm.output
    return arm.measurements


def test_without_data_as_with(found: dict[str, Any]) -> None:
    """The same bytes for plain layers; for a decoder PyTorch takes a few temporaries apart otherwise on the processor."""
    peaks = found["same_bytes"]
    assert peaks["plain cpu"] == peaks["plain fake"] > 0
    assert abs(peaks["decoder cpu"] - peaks["decoder fake"]) < 0.02 * peaks["decoder cpu"]


def test_as_pytorch_tracks_it(found: dict[str, Any]) -> None:
    """The peak is what `MemTracker` finds, each tensor rounded up to blocks of 512 bytes."""
    tracked = found["tracked"]
    assert tracked["tracker"] <= tracked["card"] <= tracked["tracker"] * 1.05


def test_memory_is_counted_once_and_given_back(found: dict[str, Any]) -> None:
    assert found["given_back"] == {"one": 4 << 20, "two": 8 << 20, "held": 8 << 20, "after": 0}


def test_out_of_memory_is_raised_as_torch_raises_it(found: dict[str, Any]) -> None:
    assert "(GPU 0; 1024.00 MiB total capacity; 800.00 MiB already allocated" in found["refused"]
