"""A process waits at the store for peers that come too late, or not at all."""

from __future__ import annotations

import pathlib
import time

from triage.verify.reproduction import Fix, Parameter, Reproduction
from triage.verify.toolkit.harness import Parameters
from triage.verify.toolkit.ranks import free_port, with_ranks

REPRODUCTION = Reproduction(
    id="distributed.rendezvous.late-peer",
    family="distributed.rendezvous",
    cause=None,
    diagnoses=(
        "distributed.rendezvous.not-everyone-came",
        "distributed.rendezvous.store-did-not-answer",
        "distributed.rendezvous.unreachable-master",
        "distributed.rendezvous.still-waiting",
    ),
    title="Not all processes reach the store in time",
    shows="The store gives up when a rank starts later than its timeout, and waits long enough with a longer one.",
    backends={"cpu": "times are scaled down to seconds"},
    parameters=(
        Parameter("timeout_s", "real", 3.0, "timeout of the store, seconds", low=1, high=30),
        Parameter("delay_s", "real", 5.0, "how late the second rank starts, seconds", low=1, high=60),
    ),
    fixes={"increase-timeout": Fix("waits longer than the peer is late"), "find-root-rank": Fix("lets the late rank start in time")},
    sources=("https://pytorch.org/docs/stable/distributed.html#torch.distributed.TCPStore",),
)


def reported(p: Parameters) -> None:
    """The second rank comes late."""
    with_ranks(p, 2, lambda rank: _join(rank, p.timeout_s, p.delay_s))


def fixed(p: Parameters, fix: str) -> None:
    """A longer timeout, or a rank in time."""
    if fix == "increase-timeout":
        with_ranks(p, 2, lambda rank: _join(rank, p.timeout_s + p.delay_s + 30, p.delay_s))
    else:
        with_ranks(p, 2, lambda rank: _join(rank, p.timeout_s, 0.0))


def _join(rank: int, timeout_s: float, delay_s: float) -> None:
    """Both ranks are ready before the first one's clock starts: so late is late, and in time in time, however slow the machine."""
    from datetime import timedelta

    from torch import distributed

    if rank == 0:
        _wait_for("second-rank")
        port = free_port()
        _tell("first-rank", str(port))
    else:
        _tell("second-rank", "ready")
        port = int(_wait_for("first-rank"))
        time.sleep(delay_s)
    distributed.init_process_group("gloo", f"tcp://127.0.0.1:{port}", rank=rank, world_size=2, timeout=timedelta(seconds=timeout_s))


def _tell(name: str, text: str) -> None:
    """A file that appears with its content."""
    written = pathlib.Path(name + ".new")
    written.write_text(text, encoding="ascii")
    written.rename(name)


def _wait_for(name: str) -> str:
    while not pathlib.Path(name).exists():
        time.sleep(0.02)
    return pathlib.Path(name).read_text(encoding="ascii")
