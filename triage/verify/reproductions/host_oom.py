"""A tensor does not fit the memory of the host: PyTorch's CPU allocator is refused.

The host is emulated by an address-space limit on this process alone (a process that used CUDA could not bear one).
"""

from __future__ import annotations

import resource
import sys

from triage.verify.allocator_settings import GIB, MIB
from triage.verify.reproduction import Fix, Reproduction, size
from triage.verify.toolkit.harness import NotPossibleHere, Parameters

REPRODUCTION = Reproduction(
    id="memory.host-oom.allocator",
    family="memory.host-oom",
    cause=None,
    diagnoses=("memory.host-oom.allocation",),
    title="The host has no memory for a tensor",
    shows="A tensor beyond what the host may give is refused; half the dtype, chunks, or more memory let it through.",
    backends={"cpu": "the host's memory is emulated by a limit on the address space; Linux only"},
    parameters=(
        size("room_bytes", 256 * MIB, "memory the host has left", low=64 * MIB),
        size("needed_bytes", 384 * MIB, "size of the tensor", low=96 * MIB),
    ),
    fixes={
        "lower-precision": Fix("holds the tensor in 16 bits"),
        "reduce-batch-or-sequence": Fix("works through it in eight chunks"),
        "increase-host-memory": Fix("gives the host twice what the tensor needs"),
    },
    sources=("https://github.com/pytorch/pytorch/blob/main/c10/core/impl/alloc_cpu.cpp",),
    memory_bytes=3 * GIB,
)


def reported(p: Parameters) -> None:
    """One tensor beyond the limit."""
    _allocate(p.room_bytes, p.needed_bytes // 4, "float32")


def fixed(p: Parameters, fix: str) -> None:
    """A smaller tensor, several after each other, or more room."""
    if fix == "lower-precision":
        _allocate(p.room_bytes, p.needed_bytes // 4, "float16")
    elif fix == "reduce-batch-or-sequence":
        for _ in range(8):
            _allocate(p.room_bytes, p.needed_bytes // 32, "float32")
    else:
        _allocate(2 * p.needed_bytes, p.needed_bytes // 4, "float32")


def _allocate(room: int, elements: int, dtype: str) -> None:
    import torch

    if not sys.platform.startswith("linux"):
        raise NotPossibleHere("Linux, where a limit on the address space holds and its use can be read")
    with open("/proc/self/statm", encoding="ascii") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + room, resource.RLIM_INFINITY))
    torch.ones(elements, dtype=getattr(torch, dtype))
