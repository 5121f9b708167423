"""The network interface named for the job does not exist."""

from __future__ import annotations

import os

from triage.verify.reproduction import Fix, Parameter, Reproduction
from triage.verify.toolkit.harness import Parameters
from triage.verify.toolkit.ranks import leave_group, rendezvous_file

REPRODUCTION = Reproduction(
    id="distributed.rendezvous.network-interface",
    family="distributed.rendezvous",
    cause="network-interface",
    diagnoses=("distributed.rendezvous.wrong-interface",),
    title="The process group is told to use a network interface that does not exist",
    shows="A wrong GLOO_SOCKET_IFNAME stops the process group before any collective; the right name lets it start.",
    backends={"cpu": "gloo's variable; NCCL reads NCCL_SOCKET_IFNAME and words its failure otherwise"},
    parameters=(Parameter("interface", "name", "ib9", "the interface that is not there"),),
    fixes={"network-interface": Fix("names the loopback interface, which exists")},
    sources=("https://pytorch.org/docs/stable/distributed.html#choosing-the-network-interface-to-use",),
)


def reported(p: Parameters) -> None:
    """An interface that is not there."""
    _join(p.interface)


def fixed(p: Parameters, fix: str) -> None:
    """An interface that is there."""
    _join(os.environ["GLOO_SOCKET_IFNAME"])


def _join(interface: str) -> None:
    from datetime import timedelta

    os.environ["GLOO_SOCKET_IFNAME"] = interface
    import torch
    from torch import distributed

    distributed.init_process_group("gloo", rendezvous_file(), rank=0, world_size=1, timeout=timedelta(seconds=20))
    distributed.all_reduce(torch.ones(1))
    leave_group()
