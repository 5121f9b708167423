"""A tensor on a device is handed to NumPy, which reads host memory."""

from __future__ import annotations

from triage.verify.reproduction import Fix, Reproduction, count
from triage.verify.toolkit.harness import Parameters

REPRODUCTION = Reproduction(
    id="device.host-conversion.numpy",
    family="device.host-conversion",
    cause=None,
    diagnoses=("device.host-conversion.numpy",),
    title="A device tensor is converted to NumPy",
    shows="`.numpy()` of a tensor that is not on the host fails; with `.cpu()` before it, it does not.",
    backends={
        "cuda": "",
        "fake": "a meta tensor stands for the device tensor: it meets the same check, but has no data to copy to the host",
    },
    needs=("torch", "numpy"),
    parameters=(count("elements", 4, "elements of the tensor", high=1 << 20),),
    fixes={
        "to-host": Fix("calls .cpu() before .numpy()", backends=("cuda",)),
        "run-on-cpu": Fix("makes the tensor on the CPU"),
    },
    sources=("https://pytorch.org/docs/stable/generated/torch.Tensor.numpy.html",),
)


def reported(p: Parameters) -> None:
    """From the device."""
    import torch

    torch.zeros(p.elements, device=_device(p)).numpy()


def fixed(p: Parameters, fix: str) -> None:
    """By way of the host, or never elsewhere."""
    import torch

    tensor = torch.zeros(p.elements, device="cpu" if fix == "run-on-cpu" else _device(p))
    tensor.cpu().numpy()


def _device(p: Parameters) -> str:
    return "cuda" if p.backend == "cuda" else "meta"
