"""A checkpoint written on a GPU is loaded where there is none."""

from __future__ import annotations

from triage.verify.reproduction import Fix, Reproduction, count
from triage.verify.toolkit.harness import Parameters

REPRODUCTION = Reproduction(
    id="device.deserialize.no-such-device",
    family="device.deserialize",
    cause=None,
    diagnoses=(
        "device.deserialize.no-gpu",
        "device.deserialize.cpu-build",
        "device.deserialize.fewer-gpus",
        "device.deserialize.other",
    ),
    title="A checkpoint names a device that is not here",
    shows="torch.load restores tensors to the device they were saved from; map_location sends them elsewhere.",
    backends={"cpu": "the checkpoint is written here and tagged cuda:N with PyTorch's own registry of tags"},
    parameters=(count("index", 0, "index of the device in the checkpoint", low=0, high=15, slot="gpu"),),
    fixes={
        "map-location": Fix("passes map_location='cpu'"),
        "run-on-cpu": Fix("passes map_location='cpu' and stays there"),
    },
    sources=("https://pytorch.org/docs/stable/generated/torch.load.html",),
)


def reported(p: Parameters) -> None:
    """Loaded as it is."""
    _write(p.index)
    import torch

    torch.load("checkpoint.pt")


def fixed(p: Parameters, fix: str) -> None:
    """Loaded to the CPU."""
    _write(p.index)
    import torch

    torch.load("checkpoint.pt", map_location="cpu")


def _write(index: int) -> None:
    """A checkpoint whose storages carry the tag of a GPU."""
    import torch
    from torch import serialization

    before = list(serialization._package_registry)
    serialization.register_package(0, lambda storage: f"cuda:{index}", lambda storage, location: None)
    torch.save({"weight": torch.zeros(2)}, "checkpoint.pt")
    serialization._package_registry[:] = before
