"""torch.triu on a bfloat16 mask: no CUDA kernel before PyTorch 2.1.

transformers builds the causal mask of LLaMA with torch.triu in the model's dtype from 4.38 on (seen in its
modeling_llama.py). PyTorch 2.0 lists no BFloat16 in the CUDA kernel of triu and tril; 2.1 does. The processor's kernel
cannot show it: it takes bfloat16 in 1.13.1, 2.0.1 and 2.13.0 alike, as tried.
"""

from __future__ import annotations

from triage.verify.reproduction import Fix, Reproduction, count
from triage.verify.toolkit.harness import Parameters

REPRODUCTION = Reproduction(
    id="dtype.not-implemented.bf16-triu",
    family="dtype.not-implemented",
    cause=None,
    diagnoses=("dtype.not-implemented.triu-bf16",),
    title="triu or tril has no kernel for bfloat16",
    shows="Building a causal mask in bfloat16 fails where PyTorch has no such kernel.",
    backends={"cuda": ""},
    parameters=(count("length", 16, "length of the sequence", low=2, high=8192),),
    fixes={
        "cast-dtype": Fix("builds the mask in float32 and casts the result"),
        "pin-package": Fix("builds the mask without triu, by comparing positions, as transformers 4.33 does"),
        "upgrade-package": Fix("runs the same program under another release of PyTorch", package="torch"),
    },
    gone_since=("torch", "2.1", "triu and tril take bfloat16 on CUDA from there on"),
    sources=(
        "https://github.com/pytorch/pytorch/issues/101932",
        "https://github.com/huggingface/transformers/blob/v4.38.0/src/transformers/models/llama/modeling_llama.py",
    ),
)


def reported(p: Parameters) -> None:
    """The mask as the model builds it."""
    _mask(p, "bfloat16")


def fixed(p: Parameters, fix: str) -> None:
    """The mask another way."""
    import torch

    device = "cuda:0"
    if fix == "cast-dtype":
        _mask(p, "float32")
        return
    positions = torch.arange(p.length, device=device)
    mask = torch.full((p.length, p.length), torch.finfo(torch.bfloat16).min, dtype=torch.bfloat16, device=device)
    mask.masked_fill_(positions < (positions + 1).view(p.length, 1), 0)


def _mask(p: Parameters, dtype: str) -> None:
    import torch

    device = "cuda:0"
    kind = getattr(torch, dtype)
    mask = torch.full((p.length, p.length), torch.finfo(torch.bfloat16).min, dtype=kind, device=device)
    torch.triu(mask, diagonal=1).to(torch.bfloat16)
