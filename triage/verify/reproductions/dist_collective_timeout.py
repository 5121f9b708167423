"""One rank reaches a collective later than the timeout allows.

The other rank waits in all_reduce and gives up; the late one then meets a closed connection. A longer timeout covers
the delay, doing the same work on every rank removes it.
"""

from __future__ import annotations

from triage.verify.reproduction import Fix, Parameter, Reproduction
from triage.verify.toolkit.harness import Parameters
from triage.verify.toolkit.ranks import rendezvous_file, with_ranks

REPRODUCTION = Reproduction(
    id="distributed.collective-timeout.rank-diverged",
    family="distributed.collective-timeout",
    cause="rank-diverged",
    diagnoses=(
        "distributed.collective-timeout.timed-out",
        "distributed.collective-timeout.one-rank-still-busy",
        "distributed.collective-timeout.failed-or-timed-out",
    ),
    title="A collective times out because one rank comes late",
    shows="all_reduce fails on the rank that waits, and passes with a longer timeout or without the delay.",
    backends={"cpu": "gloo, not NCCL: no watchdog and other words; times are scaled down to seconds"},
    parameters=(
        Parameter("timeout_s", "real", 2.0, "timeout of the process group, seconds", low=0.5, high=30),
        Parameter("delay_s", "real", 5.0, "what one rank does in the meantime, seconds", low=1, high=60),
    ),
    fixes={
        "increase-timeout": Fix("gives the process group a timeout longer than the delay"),
        "fix-rank-divergence": Fix("lets every rank do the same work before the collective"),
    },
    sources=("https://pytorch.org/docs/stable/distributed.html#torch.distributed.init_process_group",),
)


def reported(p: Parameters) -> None:
    """One rank is late by more than the timeout."""
    with_ranks(p, 2, lambda rank: _reduce(rank, p.timeout_s, p.delay_s if rank else 0.0))


def fixed(p: Parameters, fix: str) -> None:
    """A longer timeout, or the same delay on all ranks."""
    if fix == "increase-timeout":
        with_ranks(p, 2, lambda rank: _reduce(rank, p.timeout_s + 3 * p.delay_s, p.delay_s if rank else 0.0))
    else:
        with_ranks(p, 2, lambda rank: _reduce(rank, p.timeout_s, p.delay_s))


def _reduce(rank: int, timeout_s: float, delay_s: float) -> None:
    import time
    from datetime import timedelta

    import torch
    from torch import distributed

    distributed.init_process_group("gloo", rendezvous_file(), rank=rank, world_size=2, timeout=timedelta(seconds=60))
    distributed.barrier()  # both are there before the short timeout counts, and before the delay does
    group = distributed.new_group(timeout=timedelta(seconds=timeout_s), backend="gloo")
    distributed.barrier()
    time.sleep(delay_s)
    distributed.all_reduce(torch.ones(4), group=group)
