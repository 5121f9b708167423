"""A build of PyTorch with CUDA runs where no GPU is visible."""

from __future__ import annotations

import os

from triage.verify.reproduction import Fix, Reproduction
from triage.verify.toolkit.harness import Parameters

REPRODUCTION = Reproduction(
    id="device.unavailable.hidden-gpus",
    family="device.unavailable",
    cause=None,
    diagnoses=(
        "device.unavailable.hidden",
        "device.unavailable.none",
        "device.unavailable.no-gpu",
    ),
    title="No CUDA GPUs are available",
    shows="With CUDA_VISIBLE_DEVICES empty the process sees no GPU; with it unset, or on the CPU, it goes on.",
    backends={"cuda": ""},
    fixes={
        "fix-visible-devices": Fix("leaves the GPU in CUDA_VISIBLE_DEVICES"),
        "run-on-cpu": Fix("asks torch.cuda.is_available() and stays on the CPU"),
    },
    sources=("https://pytorch.org/docs/stable/notes/cuda.html",),
)


def reported(p: Parameters) -> None:
    """No GPU visible."""
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    import torch

    torch.zeros(1, device="cuda")


def fixed(p: Parameters, fix: str) -> None:
    """The GPU visible, or not asked for."""
    if fix == "fix-visible-devices":
        import torch

        torch.zeros(1, device="cuda")
        return
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    import torch

    torch.zeros(1, device="cuda" if torch.cuda.is_available() else "cpu")
