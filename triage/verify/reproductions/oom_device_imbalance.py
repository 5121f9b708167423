"""One card carries most of the layers while others are nearly empty."""

from __future__ import annotations

from triage.verify.allocator_settings import GIB, MIB
from triage.verify.reproduction import Fix, Parameter, Reproduction, count, size, wording
from triage.verify.toolkit.card import Card
from triage.verify.toolkit.harness import Parameters

REPRODUCTION = Reproduction(
    id="memory.gpu-oom.device-imbalance",
    family="memory.gpu-oom",
    cause="device-imbalance",
    title="Out of memory on one of several cards",
    shows="Layers spread unevenly overfill the first card; spread evenly they fit.",
    backends={"fake": "weights alone are placed; the true placement is not in the report"},
    parameters=(
        size("capacity_bytes", 24 * GIB, "total memory of one card", "capacity_bytes", low=GIB),
        count("cards", 2, "cards", low=2, high=64),
        Parameter("fill", "real", 0.75, "how full all cards together are", low=0.1, high=0.95),
        Parameter("first", "real", 0.9, "share of the layers on the first card", low=0.1, high=1.0),
        wording(),
    ),
    fixes={
        "balance-device-map": Fix("gives every card as many layers"),
        "allocator-config": Fix("sets expandable_segments:True", advised=False),
    },
    sources=("https://huggingface.co/docs/accelerate/usage_guides/big_modeling#designing-a-device-map",),
)


def reported(p: Parameters) -> None:
    """Most layers on the first card."""
    _place(p, p.first)


def fixed(p: Parameters, fix: str) -> None:
    """Spread evenly, or as before under another setting."""
    if fix == "balance-device-map":
        _place(p, 1 / p.cards)
    else:
        _place(p, p.first, "expandable_segments:True")


def _place(p: Parameters, first: float, setting: str = "") -> None:
    import torch
    from torch._subclasses.fake_tensor import FakeTensorMode

    devices = tuple(f"cuda:{index}" for index in range(p.cards))
    layer_bytes = 256 * MIB
    layers = round(p.capacity_bytes * p.cards * p.fill / layer_bytes)
    on_first = round(layers * first)
    kept = []
    with FakeTensorMode(), torch.no_grad(), Card(p, p.capacity_bytes, setting=setting, devices=devices):
        for index in range(layers):
            card = 0 if index < on_first else 1 + (index - on_first) * (p.cards - 1) // max(1, layers - on_first)
            kept.append(torch.empty(layer_bytes // 2, dtype=torch.float16, device=devices[card]))
