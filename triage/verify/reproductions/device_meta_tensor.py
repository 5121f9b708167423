"""A model built without data is moved as if it had some."""

from __future__ import annotations

from triage.verify.reproduction import Fix, Reproduction, count
from triage.verify.toolkit.harness import Parameters

REPRODUCTION = Reproduction(
    id="device.meta-tensor.no-data",
    family="device.meta-tensor",
    cause=None,
    diagnoses=("device.meta-tensor.no-data",),
    title="A meta tensor has no data to copy",
    shows="`.to()` of a model on the meta device fails; to_empty() with loaded weights does not.",
    backends={"cpu": ""},
    parameters=(count("width", 8, "width of the model", high=4096),),
    fixes={
        "materialize-weights": Fix("allocates with to_empty() and loads a state dict"),
        "update-code": Fix("loads the state dict with assign=True, which brings its own data"),
    },
    sources=("https://pytorch.org/docs/stable/meta.html",),
)


def reported(p: Parameters) -> None:
    """Built on meta, moved with `.to()`."""
    _model(p, "meta").to("cpu")


def fixed(p: Parameters, fix: str) -> None:
    """Given data first."""
    import torch

    weights = _model(p, "cpu").state_dict()
    model = _model(p, "meta")
    if fix == "materialize-weights":
        model = model.to_empty(device="cpu")
        model.load_state_dict(weights)
    else:
        model.load_state_dict(weights, assign=True)
    model.to("cpu")(torch.ones(1, p.width))


def _model(p: Parameters, device: str):  # type: ignore[no-untyped-def]  # a module of torch, which is not imported here
    import torch

    return torch.nn.Linear(p.width, p.width, device=device)
