"""Two ranks of one job use the same GPU."""

from __future__ import annotations

from triage.verify.reproduction import Fix, Reproduction, choice
from triage.verify.toolkit.harness import NotPossibleHere, Parameters
from triage.verify.toolkit.ranks import rendezvous_file, with_ranks

REPRODUCTION = Reproduction(
    id="distributed.duplicate-gpu.same-device",
    family="distributed.duplicate-gpu",
    cause=None,
    diagnoses=("distributed.duplicate-gpu.same-gpu",),
    title="Two ranks on one GPU",
    shows="NCCL refuses two ranks on one device; each on its own, or over gloo, they reduce.",
    backends={"cuda": ""},
    parameters=(choice("instead", "gloo", ("gloo",), "backend that shares a device"),),
    fixes={
        "one-process-per-gpu": Fix("gives each rank its own device"),
        "disable-feature": Fix("uses gloo, which does not care"),
    },
    sources=("https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/usage/communicators.html",),
)


def reported(p: Parameters) -> None:
    """Both on device 0."""
    with_ranks(p, 2, lambda rank: _reduce(rank, "nccl", 0))


def fixed(p: Parameters, fix: str) -> None:
    """One device each, or another backend."""
    if fix == "one-process-per-gpu":
        import torch

        if torch.cuda.device_count() < 2:
            raise NotPossibleHere("two GPUs")
        with_ranks(p, 2, lambda rank: _reduce(rank, "nccl", rank))
    else:
        with_ranks(p, 2, lambda rank: _reduce(rank, p.instead, 0))


def _reduce(rank: int, backend: str, device: int) -> None:
    from datetime import timedelta

    import torch
    from torch import distributed

    torch.cuda.set_device(device)
    distributed.init_process_group(backend, rendezvous_file(), rank=rank, world_size=2, timeout=timedelta(seconds=60))
    distributed.all_reduce(torch.ones(4, device="cuda"))
    torch.cuda.synchronize()
