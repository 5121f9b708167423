"""A build of PyTorch with CUDA runs on a machine without an NVIDIA driver."""

from __future__ import annotations

from triage.verify.reproduction import Fix, Reproduction
from triage.verify.toolkit.harness import NotPossibleHere, Parameters

REPRODUCTION = Reproduction(
    id="device.unavailable.no-driver",
    family="device.unavailable",
    cause=None,
    diagnoses=("device.unavailable.no-driver",),
    title="PyTorch finds no NVIDIA driver",
    shows="A CUDA build of PyTorch starts CUDA and finds no driver; the program runs on where it asks first.",
    backends={"cpu": "needs a build of PyTorch with CUDA on a machine without a driver"},
    fixes={"run-on-cpu": Fix("asks torch.cuda.is_available() and stays on the CPU")},
    sources=("https://pytorch.org/docs/stable/notes/cuda.html",),
)


def reported(p: Parameters) -> None:
    """On the GPU, whatever is there."""
    import torch

    if torch.version.cuda is None:
        raise NotPossibleHere("a build of PyTorch with CUDA")
    torch.zeros(1, device="cuda")


def fixed(p: Parameters, fix: str) -> None:
    """On the GPU where there is one."""
    import torch

    torch.zeros(1, device="cuda" if torch.cuda.is_available() else "cpu")
