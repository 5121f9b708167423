"""A device index beyond the visible devices."""

from __future__ import annotations

from triage.verify.reproduction import Fix, Reproduction, count
from triage.verify.toolkit.harness import Parameters

REPRODUCTION = Reproduction(
    id="device.invalid-ordinal.beyond-visible",
    family="device.invalid-ordinal",
    cause=None,
    diagnoses=(
        "device.invalid-ordinal.beyond",
        "device.invalid-ordinal.renumbered",
    ),
    title="A device index beyond the visible devices",
    shows="An index at or above the number of visible GPUs is refused; an index below is not.",
    backends={"cuda": ""},
    parameters=(count("beyond", 7, "how far beyond the last device", high=64),),
    fixes={"fix-visible-devices": Fix("uses the last visible device"), "select-device": Fix("uses device 0")},
    sources=("https://pytorch.org/docs/stable/generated/torch.cuda.set_device.html",),
)


def reported(p: Parameters) -> None:
    """An index that does not exist."""
    import torch

    torch.zeros(1, device=f"cuda:{torch.cuda.device_count() - 1 + p.beyond}")


def fixed(p: Parameters, fix: str) -> None:
    """An index that exists."""
    import torch

    torch.zeros(1, device="cuda:0" if fix == "select-device" else f"cuda:{torch.cuda.device_count() - 1}")
