"""Ranks enter the same collective with different shapes.

With TORCH_DISTRIBUTED_DEBUG=DETAIL PyTorch compares what the ranks are about to do and names the difference.
"""

from __future__ import annotations

from triage.verify.reproduction import Fix, Reproduction, choice, count
from triage.verify.toolkit.harness import Parameters
from triage.verify.toolkit.ranks import rendezvous_file, with_ranks

REPRODUCTION = Reproduction(
    id="distributed.collective-mismatch.rank-diverged",
    family="distributed.collective-mismatch",
    cause=None,
    diagnoses=(
        "distributed.collective-mismatch.one-collective-other-tensors",
        "distributed.collective-mismatch.different-collectives",
        "distributed.collective-mismatch.sizes-differ",
        "distributed.collective-mismatch.watchdog-different-collectives",
    ),
    title="Ranks issue collectives that do not fit each other",
    shows="A collective with different shapes on two ranks is refused; with equal ones it passes.",
    backends={"cpu": "gloo with TORCH_DISTRIBUTED_DEBUG=DETAIL; NCCL without it hangs or corrupts data instead"},
    parameters=(
        count("elements", 8, "elements of the tensor on rank 0", high=1 << 20),
        choice("difference", "shape", ("shape", "operation"), "in what the ranks differ"),
    ),
    fixes={"fix-rank-divergence": Fix("gives all ranks the same tensor and the same operation")},
    sources=("https://pytorch.org/docs/stable/distributed.html#torch-distributed-debug",),
)


def reported(p: Parameters) -> None:
    """Rank 1 differs from rank 0."""
    with_ranks(p, 2, lambda rank: _collect(p, rank, differs=rank == 1), debug="DETAIL")


def fixed(p: Parameters, fix: str) -> None:
    """Both ranks do the same."""
    with_ranks(p, 2, lambda rank: _collect(p, rank, differs=False), debug="DETAIL")


def _collect(p: Parameters, rank: int, differs: bool) -> None:
    from datetime import timedelta

    import torch
    from torch import distributed

    distributed.init_process_group("gloo", rendezvous_file(), rank=rank, world_size=2, timeout=timedelta(seconds=60))
    tensor = torch.ones(p.elements + (differs and p.difference == "shape"))
    if differs and p.difference == "operation":
        distributed.broadcast(tensor, 0)
    else:
        distributed.all_reduce(tensor)
