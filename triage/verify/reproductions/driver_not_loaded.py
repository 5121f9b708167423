"""A program asks NVML about GPUs where no NVIDIA driver is installed."""

from __future__ import annotations

from triage.verify.reproduction import Fix, Reproduction
from triage.verify.toolkit.harness import Parameters

REPRODUCTION = Reproduction(
    id="env.driver-not-loaded.nvml",
    family="env.driver-not-loaded",
    cause=None,
    diagnoses=("env.driver-not-loaded.library-absent",),
    title="NVML does not find the driver",
    shows="nvmlInit fails without the driver's library; a program that asks torch.cuda.is_available() first does not get there.",
    backends={"cpu": "fails only on a machine without an NVIDIA driver"},
    needs=("torch", "nvidia-ml-py"),
    fixes={"run-on-cpu": Fix("asks torch.cuda.is_available(), and NVML only where that says yes")},
    sources=("https://docs.nvidia.com/deploy/nvml-api/index.html", "https://pytorch.org/docs/stable/notes/cuda.html"),
)


def reported(p: Parameters) -> None:
    """Ask NVML, whatever is there."""
    _ask()


def fixed(p: Parameters, fix: str) -> None:
    """Ask PyTorch first."""
    import torch

    if torch.cuda.is_available():
        _ask()


def _ask() -> None:
    import pynvml

    pynvml.nvmlInit()
