"""An index is outside its table, and a kernel on the GPU notices."""

from __future__ import annotations

from triage.verify.reproduction import Fix, Reproduction, choice, count
from triage.verify.toolkit.harness import Parameters

REPRODUCTION = Reproduction(
    id="kernel.device-assert.index-out-of-range",
    family="kernel.device-assert",
    cause="index-out-of-range",
    diagnoses=(
        "kernel.device-assert.embedding-index",
        "kernel.device-assert.class-label",
        "kernel.device-assert.index",
    ),
    title="A device-side assert for an index out of range",
    shows="A token or label outside the table trips an assert in the kernel; within it, nothing happens.",
    backends={"cuda": ""},
    parameters=(
        count("size", 32000, "rows of the table", high=1 << 20, slot="size"),
        count("index", 32000, "index that is looked up", low=0, high=1 << 31, slot="index"),
        choice("lookup", "embedding", ("embedding", "cross_entropy"), "what looks it up"),
    ),
    fixes={"fix-index-range": Fix("makes the table as large as the index needs"), "fix-shape": Fix("clamps the index to the table")},
    sources=("https://pytorch.org/docs/stable/notes/cuda.html#asynchronous-execution",),
)


def reported(p: Parameters) -> None:
    """Outside the table."""
    _look_up(p, p.size, max(p.index, p.size))


def fixed(p: Parameters, fix: str) -> None:
    """Inside it."""
    index = max(p.index, p.size)
    if fix == "fix-index-range":
        _look_up(p, min(index, 1 << 20) + 1, min(index, 1 << 20))
    else:
        _look_up(p, p.size, p.size - 1)


def _look_up(p: Parameters, size: int, index: int) -> None:
    import torch

    device = "cuda"
    at = torch.tensor([index], device=device)
    if p.lookup == "embedding":
        torch.nn.functional.embedding(at, torch.zeros(size, 2, device=device))
    else:
        torch.nn.functional.cross_entropy(torch.zeros(1, size, device=device), at)
    torch.cuda.synchronize()
