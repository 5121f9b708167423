"""A checkpoint's tensors are of another size than the model's."""

from __future__ import annotations

from triage.verify.reproduction import Fix, Reproduction, count
from triage.verify.toolkit.harness import Parameters

REPRODUCTION = Reproduction(
    id="shape.mismatch.checkpoint",
    family="shape.mismatch",
    cause=None,
    diagnoses=("shape.mismatch.checkpoint",),
    title="A checkpoint does not fit the model's sizes",
    shows="load_state_dict names the tensors that differ; a model of the checkpoint's size, or without them, loads.",
    backends={"cpu": ""},
    parameters=(
        count("saved", 32000, "rows of the embedding in the checkpoint", high=1 << 20),
        count("built", 32001, "rows of the embedding in the model", high=1 << 20),
    ),
    fixes={
        "fix-shape": Fix("builds the model with the checkpoint's size"),
        "update-code": Fix("loads only the tensors that fit, with strict=False"),
    },
    sources=("https://pytorch.org/docs/stable/generated/torch.nn.Module.html#torch.nn.Module.load_state_dict",),
)


def reported(p: Parameters) -> None:
    """Sizes differ."""
    _model(p.built).load_state_dict(_model(p.saved).state_dict())


def fixed(p: Parameters, fix: str) -> None:
    """Sizes agree, or what differs is left out."""
    saved = _model(p.saved).state_dict()
    model = _model(p.saved if fix == "fix-shape" else p.built)
    own = model.state_dict()
    fitting = {name: tensor for name, tensor in saved.items() if own[name].shape == tensor.shape}
    model.load_state_dict(fitting, strict=fix == "fix-shape")


def _model(rows: int):  # type: ignore[no-untyped-def]  # a module of torch, which is not imported here
    from torch import nn

    return nn.ModuleDict({"embed": nn.Embedding(rows, 4), "norm": nn.LayerNorm(4)})
