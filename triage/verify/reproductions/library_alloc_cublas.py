"""cuBLAS finds no memory for its workspace, because the caching allocator holds all of the card."""

from __future__ import annotations

from triage.verify.allocator_settings import MIB
from triage.verify.reproduction import Fix, Reproduction, size
from triage.verify.toolkit.harness import Parameters

REPRODUCTION = Reproduction(
    id="memory.library-alloc.cublas",
    family="memory.library-alloc",
    cause=None,
    diagnoses=(
        "memory.library-alloc.handle-not-created",
        "memory.library-alloc.no-room-for-workspace",
    ),
    title="cuBLAS cannot allocate what it needs",
    shows="With the card full of tensors the first matrix product fails in the library; with room left it runs.",
    backends={"cuda": "fills the whole card for a moment"},
    parameters=(size("left_bytes", 8 * MIB, "memory left on the card when cuBLAS starts"),),
    fixes={
        "reduce-batch-or-sequence": Fix("leaves 2 GiB of the card free"),
        "free-memory": Fix("frees the tensors and calls torch.cuda.empty_cache() first"),
    },
    sources=("https://docs.nvidia.com/cuda/cublas/#cublasstatus-t",),
)


def reported(p: Parameters) -> None:
    """The card full, then a product."""
    _multiply(p.left_bytes, release=False)


def fixed(p: Parameters, fix: str) -> None:
    """Room for the library."""
    _multiply(p.left_bytes if fix == "free-memory" else 2048 * MIB, release=fix == "free-memory")


def _multiply(left: int, release: bool) -> None:
    import torch

    square = torch.ones(64, 64, device="cuda")
    filling = [square]
    for step in (1024 * MIB, 64 * MIB, 2 * MIB):
        while torch.cuda.mem_get_info()[0] > left + step:
            filling.append(torch.empty(step, dtype=torch.uint8, device="cuda"))
    if release:
        filling.clear()
        torch.cuda.empty_cache()
    square @ square
    torch.cuda.synchronize()
