"""NCCL is asked of a PyTorch build without CUDA."""

from __future__ import annotations

from triage.verify.reproduction import Fix, Reproduction
from triage.verify.toolkit.harness import Parameters
from triage.verify.toolkit.ranks import leave_group, rendezvous_file

REPRODUCTION = Reproduction(
    id="distributed.backend-missing.nccl",
    family="distributed.backend-missing",
    cause=None,
    diagnoses=("distributed.backend-missing.not-built",),
    title="The distributed backend is not built in",
    shows="A build without CUDA has no NCCL; gloo is there.",
    backends={"cpu": "fails only on a build of PyTorch without CUDA"},
    fixes={"disable-feature": Fix("uses gloo"), "run-on-cpu": Fix("uses gloo, on the processor")},
    sources=("https://pytorch.org/docs/stable/distributed.html#backends",),
)


def reported(p: Parameters) -> None:
    """NCCL."""
    _start("nccl")


def fixed(p: Parameters, fix: str) -> None:
    """Gloo."""
    _start("gloo")


def _start(backend: str) -> None:
    import torch
    from torch import distributed

    distributed.init_process_group(backend, rendezvous_file(), rank=0, world_size=1)
    distributed.all_reduce(torch.ones(1))
    leave_group()
