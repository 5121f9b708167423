"""CUDA is asked of a PyTorch build without it."""

from __future__ import annotations

from triage.verify.reproduction import Fix, Reproduction, choice
from triage.verify.toolkit.harness import Parameters

REPRODUCTION = Reproduction(
    id="device.not-compiled.cpu-only-build",
    family="device.not-compiled",
    cause="cpu-only-build",
    diagnoses=(
        "device.not-compiled.cpu-build",
        "device.not-compiled.plain",
    ),
    title="PyTorch was built without CUDA",
    shows="A CPU-only build refuses .cuda(); the same program runs on the CPU, and on a GPU only with another build.",
    backends={"cpu": "fails only on a build of PyTorch without CUDA"},
    parameters=(choice("call", "to", ("to", "cuda", "set_device"), "how the GPU is asked for"),),
    fixes={
        "run-on-cpu": Fix("keeps everything on the CPU"),
    },
    sources=("https://pytorch.org/get-started/locally/",),
)


def reported(p: Parameters) -> None:
    """To the GPU."""
    _move(p.call, "cuda")


def fixed(p: Parameters, fix: str) -> None:
    """Not to the GPU."""
    _move("to", "cpu")


def _move(call: str, device: str) -> None:
    import torch

    if call == "set_device":
        torch.cuda.set_device(0)
    elif call == "cuda":
        torch.nn.Linear(2, 2).cuda()
    else:
        torch.nn.Linear(2, 2).to(device)
