"""A rank dies, and the others see only that its connection closed."""

from __future__ import annotations

import os
import signal

from triage.verify.reproduction import Fix, Reproduction, choice
from triage.verify.toolkit.harness import Parameters
from triage.verify.toolkit.ranks import rendezvous_file, with_ranks

REPRODUCTION = Reproduction(
    id="distributed.peer-died.killed-rank",
    family="distributed.peer-died",
    cause=None,
    diagnoses=(
        "distributed.peer-died.connection-closed",
        "distributed.peer-died.remote-error",
        "distributed.peer-died.aborted-elsewhere",
    ),
    title="A collective fails because another rank died",
    shows="The surviving rank reports a closed connection; the cause lies with the rank that is silent.",
    backends={"cpu": "gloo; how the rank dies is chosen"},
    parameters=(choice("end", "SIGKILL", ("SIGKILL", "SIGABRT", "exit"), "how the rank dies"),),
    fixes={"find-root-rank": Fix("removes what ends rank 1; rank 0 is left as it is")},
    sources=("https://pytorch.org/docs/stable/elastic/errors.html",),
)


def reported(p: Parameters) -> None:
    """Rank 1 ends before the collective."""
    with_ranks(p, 2, lambda rank: _reduce(rank, p.end if rank else ""))


def fixed(p: Parameters, fix: str) -> None:
    """Rank 1 lives."""
    with_ranks(p, 2, lambda rank: _reduce(rank, ""))


def _reduce(rank: int, end: str) -> None:
    from datetime import timedelta

    import torch
    from torch import distributed

    distributed.init_process_group("gloo", rendezvous_file(), rank=rank, world_size=2, timeout=timedelta(seconds=20))
    distributed.barrier()
    if end == "exit":
        os._exit(3)
    elif end:
        os.kill(os.getpid(), getattr(signal, end))
    distributed.all_reduce(torch.ones(4))
