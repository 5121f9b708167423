"""cuBLAS finds no memory for its workspace, because the caching allocator holds all of the card."""

from __future__ import annotations

from typing import Any

from triage.verify.allocator_settings import MIB
from triage.verify.reproduction import Fix, Reproduction
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
    fixes={
        "reduce-batch-or-sequence": Fix("leaves 2 GiB of the card free"),
        "free-memory": Fix("frees the tensors and calls torch.cuda.empty_cache() first"),
    },
    sources=("https://docs.nvidia.com/cuda/cublas/#cublasstatus-t",),
)


def reported(p: Parameters) -> None:
    """The card full, then a product."""
    _multiply(0, release=False)


def fixed(p: Parameters, fix: str) -> None:
    """Room for the library."""
    _multiply(0 if fix == "free-memory" else 2048 * MIB, release=fix == "free-memory")


def _multiply(left: int, release: bool) -> None:
    import torch

    square, product = torch.ones(64, 64, device="cuda"), torch.empty(64, 64, device="cuda")
    filling = _fill(left)
    print(f"{len(filling)} tensors, {torch.cuda.mem_get_info()[0] // MIB} MiB free on the card")
    if release:
        filling.clear()
        torch.cuda.empty_cache()
    torch.mm(square, square, out=product)  # the first use of cuBLAS; its output needs no memory any more
    torch.cuda.synchronize()


def _fill(left: int) -> list[Any]:
    """Tensors until nothing fits any more, or `left` bytes are free; smaller ones take less than a large segment each."""
    import torch

    filling: list[Any] = []
    for step in (1024 * MIB,) if left else (1024 * MIB, 64 * MIB, 10 * MIB, MIB):
        try:
            while torch.cuda.mem_get_info()[0] > left + (step if left else 0):
                filling.append(torch.empty(step, dtype=torch.uint8, device="cuda"))
        except torch.cuda.OutOfMemoryError:
            continue
    return filling
