"""Sampling from NaN on a GPU: what the processor checks before it samples is an assert inside a kernel there."""

from __future__ import annotations

from triage.verify.reproduction import Fix, Parameter, Reproduction
from triage.verify.toolkit.harness import Parameters

REPRODUCTION = Reproduction(
    id="kernel.device-assert.probabilities",
    family="kernel.device-assert",
    cause="invalid-values",
    diagnoses=("kernel.device-assert.probability",),
    title="A device-side assert for probabilities that are NaN",
    shows="float16 logits overflow at 65504 and sampling asserts in its kernel; in bfloat16, or in range, it does not.",
    backends={"cuda": ""},
    parameters=(Parameter("scale", "real", 300.0, "factor between hidden states and logits", low=250, high=1e6),),
    fixes={
        "fix-input-values": Fix("computes the logits in bfloat16, as large as they are"),
        "fix-numerics": Fix("keeps the logits within the range of float16"),
    },
    sources=("https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/native/cuda/TensorCompare.cu",),
)


def reported(p: Parameters) -> None:
    """Logits that float16 cannot hold."""
    _sample("float16", p.scale)


def fixed(p: Parameters, fix: str) -> None:
    """Logits that the dtype can hold."""
    if fix == "fix-input-values":
        _sample("bfloat16", p.scale)
    else:
        _sample("float16", p.scale / p.scale)


def _sample(dtype: str, scale: float) -> None:
    import torch

    logits = torch.full((1, 8), 300.0, dtype=getattr(torch, dtype), device="cuda") * scale
    print("sampled", torch.multinomial(logits.float().softmax(-1), 1).item())  # reading the sample waits for the kernel
