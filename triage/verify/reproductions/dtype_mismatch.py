"""Half-precision weights meet single-precision inputs."""

from __future__ import annotations

from triage.verify.reproduction import Facts, Fix, Reproduction, choice
from triage.verify.toolkit.harness import Parameters


def _low(facts: Facts) -> str | None:
    """The half-precision dtype that the message names."""
    told = str(facts.get("dtypes")).lower()
    return "bfloat16" if "bfloat16" in told else "float16" if "half" in told or "float16" in told else None


REPRODUCTION = Reproduction(
    id="dtype.mismatch.operands",
    family="dtype.mismatch",
    cause=None,
    diagnoses=("dtype.mismatch.mixed",),
    title="Two operands have different dtypes",
    shows="A product of float16 or bfloat16 weights with float32 inputs fails; casting one side, or autocast, does not.",
    backends={"cuda": "", "cpu": "the processor's kernels"},
    parameters=(
        choice("weights", "bfloat16", ("bfloat16", "float16"), "dtype of the weights", _low),
        choice("layer", "linear", ("linear", "conv", "bmm"), "the operation"),
    ),
    fixes={"cast-dtype": Fix("casts the inputs to the weights' dtype"), "lower-precision": Fix("runs under autocast")},
    sources=("https://pytorch.org/docs/stable/amp.html",),
)


def reported(p: Parameters) -> None:
    """Inputs in float32."""
    _apply(p, "float32", autocast=False)


def fixed(p: Parameters, fix: str) -> None:
    """Inputs cast, or autocast."""
    _apply(p, p.weights if fix == "cast-dtype" else "float32", autocast=fix == "lower-precision")


def _apply(p: Parameters, inputs: str, autocast: bool) -> None:
    import torch

    device = "cuda" if p.backend == "cuda" else "cpu"
    of_weights, of_inputs = getattr(torch, p.weights), getattr(torch, inputs)
    with torch.autocast(device, dtype=of_weights, enabled=autocast):
        if p.layer == "linear":
            torch.nn.Linear(8, 8, device=device, dtype=of_weights)(torch.ones(2, 8, device=device, dtype=of_inputs))
        elif p.layer == "conv":
            torch.nn.Conv1d(8, 8, 3, device=device, dtype=of_weights)(torch.ones(2, 8, 8, device=device, dtype=of_inputs))
        else:
            torch.bmm(torch.ones(2, 4, 4, device=device, dtype=of_weights), torch.ones(2, 4, 4, device=device, dtype=of_inputs))
