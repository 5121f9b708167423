"""The emulated card counts what PyTorch allocates: without data as with, and as PyTorch's own tracker counts."""

from __future__ import annotations

import json
import sys
import textwrap
from pathlib import Path

from triage.verify import runner

ROOT = Path(__file__).parents[2]
COMMON = """
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

def finish(**found):
    json.dump({{"measurements": found}}, open(options.result, "w"))
"""


def run(body: str) -> dict[str, int]:
    arm = runner.run(COMMON.format(root=str(ROOT)) + textwrap.dedent(body), [], python=sys.executable, timeout_s=180)
    assert arm.outcome == "passed", arm.output
    return arm.measurements


def test_without_data_as_with(with_torch: None) -> None:
    """The same bytes for plain layers; for a decoder PyTorch takes a few temporaries apart otherwise on the processor."""
    peaks = run(
        """
        peaks = {}
        for make in (plain, decoder):
            for backend in ("cpu", "fake"):
                with Card(Parameters({"backend": backend, "wording": "2.6"}), 1 << 34) as card:
                    step(make, card.device)
                peaks[f"{make.__name__} {backend}"] = measurements["peak_allocated_bytes"]
        finish(**peaks)
        """
    )
    assert peaks["plain cpu"] == peaks["plain fake"] > 0
    assert abs(peaks["decoder cpu"] - peaks["decoder fake"]) < 0.02 * peaks["decoder cpu"]


def test_as_pytorch_tracks_it(with_torch: None) -> None:
    """The peak is what `MemTracker` finds, each tensor rounded up to blocks of 512 bytes."""
    found = run(
        """
        from torch._subclasses.fake_tensor import FakeTensorMode
        from torch.distributed._tools.mem_tracker import MemTracker

        with Card(Parameters({"backend": "fake", "wording": "2.6"}), 1 << 34) as card:
            step(plain, card.device)
        with FakeTensorMode():
            tracker = MemTracker()
            with tracker:
                step(plain, "cpu", tracker.reset_mod_stats)
            tracked = tracker.get_tracker_snapshot("peak")[torch.device("cpu")]["Total"]
        finish(card=measurements["peak_allocated_bytes"], tracker=tracked)
        """
    )
    assert found["tracker"] <= found["card"] <= found["tracker"] * 1.05


def test_memory_is_counted_once_and_given_back(with_torch: None) -> None:
    found = run(
        """
        with Card(Parameters({"backend": "fake", "wording": "2.6"}), 1 << 30) as card:
            allocator = card.allocators["meta"]
            tensor = torch.empty(1 << 20, device="meta")
            views = [tensor.view(-1, 2), tensor[5:], tensor.t() if tensor.dim() == 2 else tensor.unsqueeze(0)]
            one = allocator.allocated
            other = tensor + 1
            two = allocator.allocated
            del tensor
            held = allocator.allocated
            del views, other
            finish(one=one, two=two, held=held, after=allocator.allocated)
        """
    )
    assert found == {"one": 4 << 20, "two": 8 << 20, "held": 8 << 20, "after": 0}


def test_out_of_memory_is_raised_as_torch_raises_it(with_torch: None) -> None:
    arm = runner.run(
        COMMON.format(root=str(ROOT))
        + textwrap.dedent(
            """
            with Card(Parameters({"backend": "fake", "wording": "2.0"}), 1 << 30) as card:
                kept = torch.empty(200 << 20, device="meta")
                try:
                    torch.nn.Linear(20_000, 20_000, device="meta")
                except torch.cuda.OutOfMemoryError as refused:
                    finish(message=str(refused), peak=0)
            """
        ),
        [],
        timeout_s=180,
    )
    assert arm.outcome == "passed", arm.output
    assert "(GPU 0; 1024.00 MiB total capacity; 800.00 MiB already allocated" in arm.measurements["message"]
    assert json.dumps(arm.measurements)
