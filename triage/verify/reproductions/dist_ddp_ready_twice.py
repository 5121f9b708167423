"""Reentrant checkpointing runs a layer's backward pass twice, and DDP counts its gradients twice."""

from __future__ import annotations

from triage.verify.reproduction import Fix, Reproduction, count
from triage.verify.toolkit.harness import Parameters
from triage.verify.toolkit.ranks import rendezvous_file, with_ranks

REPRODUCTION = Reproduction(
    id="distributed.ddp-reduction.ready-twice",
    family="distributed.ddp-reduction",
    cause=None,
    diagnoses=("distributed.ddp-reduction.ready-twice",),
    title="DDP marks a parameter ready twice",
    shows="A layer used twice under reentrant checkpointing fails; a static graph or the other checkpointing passes.",
    backends={"cpu": ""},
    parameters=(count("uses", 2, "how often the layer is used in a step", low=2, high=8),),
    fixes={
        "find-unused-parameters": Fix("tells DDP that the graph is static (static_graph=True)"),
        "update-code": Fix("checkpoints with use_reentrant=False"),
    },
    sources=(
        "https://pytorch.org/docs/stable/checkpoint.html",
        "https://pytorch.org/docs/stable/generated/torch.nn.parallel.DistributedDataParallel.html",
    ),
)


def reported(p: Parameters) -> None:
    """One layer, checkpointed and used more than once."""
    with_ranks(p, 2, lambda rank: _train(p, rank))


def fixed(p: Parameters, fix: str) -> None:
    """A static graph, or checkpointing without a backward pass inside the backward pass."""
    with_ranks(p, 2, lambda rank: _train(p, rank, static=fix == "find-unused-parameters", reentrant=fix != "update-code"))


def _train(p: Parameters, rank: int, static: bool = False, reentrant: bool = True) -> None:
    from datetime import timedelta

    import torch
    from torch import distributed, nn
    from torch.utils.checkpoint import checkpoint

    distributed.init_process_group("gloo", rendezvous_file(), rank=rank, world_size=2, timeout=timedelta(seconds=60))

    class Model(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.Linear(8, 8)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            for _ in range(p.uses):
                x = checkpoint(self.layer, x, use_reentrant=reentrant)
            return x

    model = nn.parallel.DistributedDataParallel(Model(), find_unused_parameters=not static, static_graph=static)
    model(torch.ones(4, 8, requires_grad=True)).sum().backward()
