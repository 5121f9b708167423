"""DistributedDataParallel waits for gradients of parameters that took no part in the loss."""

from __future__ import annotations

from triage.verify.reproduction import Fix, Reproduction, count
from triage.verify.toolkit.harness import Parameters
from triage.verify.toolkit.ranks import rendezvous_file, with_ranks

REPRODUCTION = Reproduction(
    id="distributed.ddp-reduction.unused-parameters",
    family="distributed.ddp-reduction",
    cause=None,
    diagnoses=("distributed.ddp-reduction.unused-parameters",),
    title="DDP meets parameters that receive no gradient",
    shows="The second iteration fails because a layer was not used in the first; find_unused_parameters or using it helps.",
    backends={"cpu": ""},
    parameters=(count("steps", 2, "training steps; the error comes with the second", low=2, high=10),),
    fixes={
        "find-unused-parameters": Fix("passes find_unused_parameters=True"),
        "update-code": Fix("leaves the unused layer out of the model"),
    },
    sources=("https://pytorch.org/docs/stable/generated/torch.nn.parallel.DistributedDataParallel.html",),
)


def reported(p: Parameters) -> None:
    """A model with a layer that forward does not use."""
    with_ranks(p, 2, lambda rank: _train(p, rank))


def fixed(p: Parameters, fix: str) -> None:
    """DDP looks for unused parameters, or there are none."""
    with_ranks(p, 2, lambda rank: _train(p, rank, find=fix == "find-unused-parameters", spare=fix != "update-code"))


def _train(p: Parameters, rank: int, find: bool = False, spare: bool = True) -> None:
    from datetime import timedelta

    import torch
    from torch import distributed, nn

    distributed.init_process_group("gloo", rendezvous_file(), rank=rank, world_size=2, timeout=timedelta(seconds=60))
    used = nn.Linear(8, 8)

    class Model(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.used = used
            if spare:
                self.spare = nn.Linear(8, 8)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.used(x)

    model = nn.parallel.DistributedDataParallel(Model(), find_unused_parameters=find)
    for _ in range(p.steps):
        model(torch.ones(4, 8)).sum().backward()
