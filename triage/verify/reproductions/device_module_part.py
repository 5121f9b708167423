"""A tensor kept as a plain attribute stays behind when the module moves."""

from __future__ import annotations

from triage.verify.reproduction import Fix, Reproduction, count
from triage.verify.toolkit.harness import Parameters

REPRODUCTION = Reproduction(
    id="device.mismatch.module-part-not-moved",
    family="device.mismatch",
    cause="module-part-not-moved",
    title="A module's plain tensor attribute stays on the host",
    shows="Moving parameters and buffers leaves a plain attribute behind; a buffer, or a tensor made where it is used, goes along.",
    backends={"cuda": "", "fake": "the module is made of real tensors on the host and moved to a card of fake ones"},
    parameters=(count("width", 8, "width of the module", high=8192),),
    fixes={
        "move-to-same-device": Fix("makes the tensor on the device of the input"),
        "update-code": Fix("registers the tensor as a buffer, so that it moves with the module"),
    },
    sources=("https://pytorch.org/docs/stable/generated/torch.nn.Module.html#torch.nn.Module.register_buffer",),
)


def reported(p: Parameters) -> None:
    """A plain attribute."""
    _apply(p, "")


def fixed(p: Parameters, fix: str) -> None:
    """A buffer, or a tensor made in place."""
    _apply(p, fix)


def _apply(p: Parameters, fix: str) -> None:
    import contextlib

    import torch
    from torch import nn
    from torch._subclasses.fake_tensor import FakeTensorMode

    class Scaled(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.ones(p.width), requires_grad=False)
            if fix == "update-code":
                self.register_buffer("scale", torch.ones(p.width))
            else:
                self.scale = torch.ones(p.width)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            scale = self.scale.to(x.device) if fix == "move-to-same-device" else self.scale
            return x * self.weight * scale

    module = Scaled()
    with FakeTensorMode(allow_non_fake_inputs=True) if p.backend == "fake" else contextlib.nullcontext(), torch.no_grad():
        module.to("cuda:0")
        module(torch.ones(2, p.width, device="cuda:0"))
