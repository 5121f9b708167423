"""A program asks NVML about GPUs where no NVIDIA driver is installed."""

from __future__ import annotations

from triage.verify.reproduction import Fix, Reproduction
from triage.verify.toolkit.harness import NotPossibleHere, Parameters

REPRODUCTION = Reproduction(
    id="env.driver-not-loaded.nvml",
    family="env.driver-not-loaded",
    cause=None,
    diagnoses=("env.driver-not-loaded.library-absent",),
    title="NVML does not find the driver",
    shows="nvmlInit fails without the driver's library; a program that asks first goes on without a GPU.",
    backends={"cpu": "fails only on a machine without an NVIDIA driver"},
    needs=("nvidia-ml-py",),
    fixes={
        "run-on-cpu": Fix("asks whether there is a driver, and goes on without"),
        "reinstall-driver": Fix("asks again where a driver is installed"),
    },
    sources=("https://docs.nvidia.com/deploy/nvml-api/index.html",),
)


def reported(p: Parameters) -> None:
    """Ask, whatever is there."""
    import pynvml

    pynvml.nvmlInit()


def fixed(p: Parameters, fix: str) -> None:
    """Ask carefully, or with a driver."""
    import pynvml

    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError_LibraryNotFound:
        if fix != "run-on-cpu":
            raise NotPossibleHere("an NVIDIA driver") from None
        print("no GPU here; continuing on the processor")
