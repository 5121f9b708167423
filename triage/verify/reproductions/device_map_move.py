"""A model that accelerate has spread over places is moved as a whole."""

from __future__ import annotations

from triage.verify.reproduction import Fix, Reproduction, choice
from triage.verify.toolkit.harness import Parameters

REPRODUCTION = Reproduction(
    id="config.device-map.moved-after-dispatch",
    family="config.device-map",
    cause=None,
    diagnoses=("config.device-map.moved",),
    title="A dispatched model is moved with .to()",
    shows="accelerate refuses to move a model with parts on disk or CPU; without the move, or without the map, it runs.",
    backends={"cpu": "parts are placed on the CPU and on disk; no GPU is among the places"},
    needs=("torch", "accelerate"),
    parameters=(choice("place", "disk", ("disk",), "where the second part is"),),
    fixes={
        "remove-argument": Fix("keeps the model in one place (no device_map) and moves it"),
        "update-code": Fix("keeps the map and does not move the model"),
    },
    sources=("https://huggingface.co/docs/accelerate/concept_guides/big_model_inference",),
)


def reported(p: Parameters) -> None:
    """Spread, then moved."""
    _use(p, spread=True, move=True)


def fixed(p: Parameters, fix: str) -> None:
    """Spread or moved, not both."""
    _use(p, spread=fix == "update-code", move=fix == "remove-argument")


def _use(p: Parameters, spread: bool, move: bool) -> None:
    import torch
    from accelerate import dispatch_model
    from torch import nn

    model = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 8))
    if spread:
        model = dispatch_model(model, {"0": "cpu", "1": p.place}, main_device="cpu", offload_dir="offload")
    if move:
        model.to("cpu")
    model(torch.ones(1, 8))
