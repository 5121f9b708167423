"""The gradient of a square root at zero is infinite, and times zero it is NaN."""

from __future__ import annotations

from triage.verify.reproduction import Fix, Parameter, Reproduction
from triage.verify.toolkit.harness import Parameters

REPRODUCTION = Reproduction(
    id="numerics.nan.gradient",
    family="numerics.nan",
    cause=None,
    diagnoses=("numerics.nan.training",),
    title="A backward function returns NaN",
    shows="The norm of a zero vector written as sqrt(sum) has no gradient; a small constant under the root gives one.",
    backends={"cuda": "", "cpu": ""},
    parameters=(Parameter("epsilon", "real", 1e-12, "constant under the root in the fixed arm", low=1e-30, high=1.0),),
    fixes={"fix-numerics": Fix("adds a small constant under the root"), "fix-input-values": Fix("gives a vector that is not zero")},
    sources=("https://pytorch.org/docs/stable/autograd.html#anomaly-detection",),
)


def reported(p: Parameters) -> None:
    """The norm of a zero vector."""
    _differentiate(p, 0.0, 0.0)


def fixed(p: Parameters, fix: str) -> None:
    """A constant under the root, or another vector."""
    _differentiate(p, p.epsilon if fix == "fix-numerics" else 0.0, 1.0 if fix == "fix-input-values" else 0.0)


def _differentiate(p: Parameters, epsilon: float, value: float) -> None:
    import torch

    x = torch.full((4,), value, device="cuda" if p.backend == "cuda" else "cpu", requires_grad=True)
    with torch.autograd.detect_anomaly():
        norm = (x.pow(2).sum() + epsilon).sqrt()
        (norm * 0.5 + x.sum() * 0.0).backward()
