"""A limit set for the process is reached before the card is full."""

from __future__ import annotations

import os

from triage.verify.allocator_model import CachingAllocator
from triage.verify.allocator_settings import GIB, MIB
from triage.verify.reproduction import Fix, Reproduction, size, wording
from triage.verify.toolkit.harness import Parameters, measure
from triage.verify.toolkit.traces import wording_of

REPRODUCTION = Reproduction(
    id="memory.gpu-oom.memory-cap",
    family="memory.gpu-oom",
    cause="memory-cap",
    cause_shown=True,
    title="Out of memory below a limit set for the process",
    shows="set_per_process_memory_fraction refuses what the card could serve; without the limit it is served.",
    backends={"cuda": "", "model": "the allocator is simulated"},
    parameters=(
        size("capacity_bytes", 24 * GIB, "total memory of the card", "capacity_bytes", low=GIB),
        size("allowed_bytes", 6 * GIB, "limit of the process", "allowed_bytes", low=64 * MIB),
        size("requested_bytes", 2 * GIB, "the request that failed", "requested_bytes", low=2 * MIB),
        wording(),
    ),
    fixes={"allocator-config": Fix("raises the fraction to 1"), "reduce-batch-or-sequence": Fix("asks for an eighth at a time")},
    sources=("https://pytorch.org/docs/stable/generated/torch.cuda.memory.set_per_process_memory_fraction.html",),
)


def reported(p: Parameters) -> None:
    """Under the limit."""
    _allocate(p, p.allowed_bytes, p.requested_bytes)


def fixed(p: Parameters, fix: str) -> None:
    """No limit, or smaller requests."""
    if fix == "allocator-config":
        _allocate(p, p.capacity_bytes, p.requested_bytes)
    else:
        _allocate(p, p.allowed_bytes, p.requested_bytes // 8)


def _allocate(p: Parameters, allowed: int, request: int) -> None:
    """Live tensors up to the limit less half a request, then the request."""
    sizes = [max(2 * MIB, (p.allowed_bytes - p.requested_bytes // 2) // 8)] * 8
    if p.backend == "cuda":
        os.environ["PYTORCH_CUDA_ALLOC_CONF"] = ""
        import torch

        total = torch.cuda.get_device_properties(0).total_memory
        torch.cuda.set_per_process_memory_fraction(min(1.0, allowed / total), 0)
        kept = [torch.empty(size, dtype=torch.uint8, device="cuda:0") for size in [*sizes, request]]
        measure(peak_allocated_bytes=sum(each.nbytes for each in kept))
        return
    allocator = CachingAllocator(p.capacity_bytes, allowed=min(allowed, p.capacity_bytes), wording=wording_of(p))
    for each in [*sizes, request]:
        allocator.malloc(each)
    measure(peak_allocated_bytes=allocator.peak_allocated)
