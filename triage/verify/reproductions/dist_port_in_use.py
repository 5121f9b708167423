"""The rendezvous port is held by another process."""

from __future__ import annotations

import socket

from triage.verify.reproduction import Fix, Parameter, Reproduction
from triage.verify.toolkit.harness import Parameters
from triage.verify.toolkit.ranks import free_port, leave_group

REPRODUCTION = Reproduction(
    id="distributed.port-in-use.busy-port",
    family="distributed.port-in-use",
    cause=None,
    diagnoses=(
        "distributed.port-in-use.master-port",
        "distributed.port-in-use.under-a-launcher",
    ),
    title="The master port is already taken",
    shows="The store cannot listen on a port that another socket holds, and can on a free one.",
    backends={"cpu": ""},
    parameters=(Parameter("port", "count", 29500, "port of the store", low=1024, high=65535, slot="port"),),
    fixes={"change-port": Fix("listens on a port the system says is free")},
    sources=("https://pytorch.org/docs/stable/distributed.html#tcp-initialization",),
)


def reported(p: Parameters) -> None:
    """Another socket listens on the port first."""
    with _listen(p.port) as other:
        _start_store(other.getsockname()[1])


def fixed(p: Parameters, fix: str) -> None:
    """The other socket stays where it is, the store goes elsewhere."""
    with _listen(p.port):
        _start_store(0)


def _listen(port: int) -> socket.socket:
    """A listening socket on the port; on another one where the port is not to be had."""
    holder = socket.socket()
    try:
        holder.bind(("127.0.0.1", port))
    except OSError:
        holder.bind(("127.0.0.1", 0))
    holder.listen()
    return holder


def _start_store(port: int) -> None:
    """On this port, or where it is 0 on one that is free."""
    from datetime import timedelta

    from torch import distributed

    address = f"tcp://127.0.0.1:{port or free_port()}"
    distributed.init_process_group("gloo", address, rank=0, world_size=1, timeout=timedelta(seconds=60))
    leave_group()
