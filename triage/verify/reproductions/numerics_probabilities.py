"""Logits overflow in half precision, softmax turns infinities into NaN, and sampling refuses the probabilities."""

from __future__ import annotations

from triage.verify.reproduction import Fix, Parameter, Reproduction
from triage.verify.toolkit.harness import Parameters

REPRODUCTION = Reproduction(
    id="numerics.nan.probabilities",
    family="numerics.nan",
    cause=None,
    diagnoses=("numerics.nan.sampling",),
    title="Sampling meets probabilities that are NaN",
    shows="float16 overflows at 65504; the same logits in bfloat16 or clamped give probabilities.",
    backends={"cpu": "on a GPU the same check is an assert in a kernel: kernel.device-assert.probabilities"},
    parameters=(Parameter("scale", "real", 300.0, "factor between hidden states and logits", low=1, high=1e6),),
    fixes={"fix-numerics": Fix("computes the logits in bfloat16"), "fix-input-values": Fix("clamps the logits to finite values")},
    sources=("https://pytorch.org/docs/stable/generated/torch.multinomial.html",),
)


def reported(p: Parameters) -> None:
    """Half precision."""
    _sample(p, "float16", clamp=False)


def fixed(p: Parameters, fix: str) -> None:
    """A dtype with range, or finite values."""
    _sample(p, "float16" if fix == "fix-input-values" else "bfloat16", clamp=fix == "fix-input-values")


def _sample(p: Parameters, dtype: str, clamp: bool) -> None:
    import torch

    hidden = torch.full((1, 8), 300.0, dtype=getattr(torch, dtype))
    logits = hidden * p.scale
    if clamp:
        logits = torch.nan_to_num(logits).clamp(-30_000, 30_000)
    torch.multinomial(logits.float().softmax(-1), 1)
