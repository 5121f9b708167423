"""Makes a sequence of allocations happen, on a real card or on the model of its allocator."""

from __future__ import annotations

import os
from typing import Any

from triage.verify.allocator_model import CachingAllocator, OutOfDeviceMemoryError
from triage.verify.allocator_settings import AllocatorSettings
from triage.verify.toolkit.harness import Parameters, measure

Step = tuple[str, int, int]
"""`("alloc", block, bytes)` or `("free", block, 0)`."""


def play(p: Parameters, steps: list[Step], setting: str, capacity: int, outside: int, others: int = 0) -> None:
    """Runs the steps with PYTORCH_CUDA_ALLOC_CONF set to `setting`; raises out of memory where they do not fit.

    `outside` is what this process holds besides its tensors, `others` what other processes hold; bytes.
    """
    if p.backend == "cuda":
        _play_on_card(steps, setting, capacity - outside - others)
        return
    allocator = CachingAllocator(capacity, outside, AllocatorSettings.parse(setting), wording=wording_of(p), others=others)
    addresses: dict[int, int] = {}
    try:
        for action, block, size in steps:
            if action == "alloc":
                addresses[block] = allocator.malloc(size)
            else:
                allocator.release(addresses.pop(block))
    finally:
        measure(peak_allocated_bytes=allocator.peak_allocated, peak_reserved_bytes=allocator.peak_reserved)


def fits(steps: list[Step], setting: str, capacity: int, outside: int) -> bool:
    """Whether the model of the allocator serves all steps under a setting."""
    allocator = CachingAllocator(capacity, outside, AllocatorSettings.parse(setting))
    addresses: dict[int, int] = {}
    for action, block, size in steps:
        if action == "free":
            allocator.release(addresses.pop(block))
            continue
        try:
            addresses[block] = allocator.malloc(size)
        except OutOfDeviceMemoryError:
            return False
    return True


def wording_of(p: Parameters) -> tuple[int, int]:
    """The release whose out-of-memory message the model uses."""
    major, minor = str(p.wording).split(".")
    return int(major), int(minor)


def _play_on_card(steps: list[Step], setting: str, allowed: int) -> None:
    os.environ["PYTORCH_CUDA_ALLOC_CONF"] = os.environ["PYTORCH_HIP_ALLOC_CONF"] = setting  # read when torch starts CUDA
    import torch

    total = torch.cuda.get_device_properties(0).total_memory
    torch.cuda.set_per_process_memory_fraction(min(1.0, allowed / total), 0)
    blocks: dict[int, Any] = {}
    try:
        for action, block, size in steps:
            if action == "alloc":
                blocks[block] = torch.empty(size, dtype=torch.uint8, device="cuda:0")
            else:
                del blocks[block]
    finally:
        measure(peak_allocated_bytes=torch.cuda.max_memory_allocated(0), peak_reserved_bytes=torch.cuda.max_memory_reserved(0))
