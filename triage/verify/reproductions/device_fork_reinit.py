"""A process that has used CUDA forks, and the child uses CUDA too."""

from __future__ import annotations

import sys

from triage.verify.reproduction import Fix, Reproduction, choice
from triage.verify.toolkit.harness import Parameters

REPRODUCTION = Reproduction(
    id="device.fork-reinit.after-fork",
    family="device.fork-reinit",
    cause=None,
    diagnoses=(
        "device.fork-reinit.forked",
        "device.fork-reinit.vllm",
    ),
    title="CUDA is used in a forked process",
    shows="A child made by fork cannot start CUDA again; a spawned one can.",
    backends={"cuda": ""},
    parameters=(choice("start", "fork", ("fork",), "start method as reported"),),
    fixes={
        "spawn-start-method": Fix("starts the child with spawn"),
        "run-on-cpu": Fix("keeps the child on the CPU"),
    },
    sources=("https://pytorch.org/docs/stable/notes/multiprocessing.html#cuda-in-multiprocessing",),
)


def reported(p: Parameters) -> None:
    """Fork after CUDA was used."""
    _start_child(p.start, "cuda")


def fixed(p: Parameters, fix: str) -> None:
    """Spawn, or no CUDA in the child."""
    _start_child("spawn" if fix == "spawn-start-method" else p.start, "cpu" if fix == "run-on-cpu" else "cuda")


def _start_child(method: str, device: str) -> None:
    import torch

    torch.zeros(1, device="cuda")
    child = torch.multiprocessing.get_context(method).Process(target=use_device, args=(device,))
    child.start()
    child.join()
    sys.exit(1 if child.exitcode else 0)


def use_device(device: str) -> None:
    """What the child does; a spawned child finds it by name."""
    import torch

    torch.zeros(1, device=device)
