"""A rank dies, and the others see only that its connection closed.

Rank 1 reads through a null pointer, as a broken extension does, and the kernel ends it without a word of Python's.
"""

from __future__ import annotations

import ctypes

from triage.verify.reproduction import Fix, Reproduction
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
    backends={"cpu": "gloo; a null pointer in rank 1 stands for whatever ended it"},
    fixes={"find-root-rank": Fix("mends what ends rank 1, its pointer; rank 0 is left as it is")},
    sources=("https://pytorch.org/docs/stable/elastic/errors.html",),
)


def reported(p: Parameters) -> None:
    """Rank 1 has a null pointer where its data should be."""
    with_ranks(p, 2, lambda rank: _reduce(null=rank == 1, rank=rank))


def fixed(p: Parameters, fix: str) -> None:
    """Both have their data."""
    with_ranks(p, 2, lambda rank: _reduce(null=False, rank=rank))


def _reduce(null: bool, rank: int) -> None:
    from datetime import timedelta

    import torch
    from torch import distributed

    distributed.init_process_group("gloo", rendezvous_file(), rank=rank, world_size=2, timeout=timedelta(seconds=60))
    data, copy = (ctypes.c_char * 16)(), (ctypes.c_char * 16)()
    distributed.barrier()
    ctypes.memmove(copy, 0 if null else ctypes.addressof(data), len(data))
    distributed.all_reduce(torch.ones(4))
