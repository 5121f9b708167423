"""Scaled dot-product attention is confined to a kernel that does not take these arguments."""

from __future__ import annotations

from triage.verify.reproduction import Fix, Reproduction, choice
from triage.verify.toolkit.harness import Parameters

REPRODUCTION = Reproduction(
    id="config.attention-backend.no-kernel",
    family="config.attention-backend",
    cause=None,
    diagnoses=("config.attention-backend.refuses",),
    title="No attention kernel is available for what is asked",
    shows="With one kernel allowed that does not take an argument attention fails; with the plain one allowed it runs.",
    backends={"cuda": "", "cpu": "the processor's flash kernel; a GPU's takes other arguments"},
    parameters=(choice("reason", "mask-grad", ("mask-grad", "strides"), "what the kernel does not take"),),
    fixes={
        "disable-feature": Fix("allows the plain kernel as well"),
        "update-code": Fix("gives arguments that the kernel takes"),
    },
    sources=("https://pytorch.org/docs/stable/generated/torch.nn.attention.sdpa_kernel.html",),
)


def reported(p: Parameters) -> None:
    """One kernel, arguments it does not take."""
    _attend(p, plain=False, plain_arguments=False)


def fixed(p: Parameters, fix: str) -> None:
    """More kernels, or other arguments."""
    _attend(p, plain=fix == "disable-feature", plain_arguments=fix == "update-code")


def _attend(p: Parameters, plain: bool, plain_arguments: bool) -> None:
    import torch
    from torch.nn.attention import SDPBackend, sdpa_kernel
    from torch.nn.functional import scaled_dot_product_attention

    device = "cuda" if p.backend == "cuda" else "cpu"
    dtype = torch.float16 if p.backend == "cuda" else torch.float32
    query = torch.ones(1, 2, 8, 16, device=device, dtype=dtype)
    mask = None
    if not plain_arguments and p.reason == "mask-grad":
        mask = torch.zeros(1, 2, 8, 8, device=device, dtype=dtype, requires_grad=True)
    elif not plain_arguments:
        query = torch.ones(1, 2, 16, 8, device=device, dtype=dtype).transpose(-1, -2)
    allowed = [SDPBackend.FLASH_ATTENTION, *([SDPBackend.MATH] if plain else [])]
    with sdpa_kernel(allowed):
        scaled_dot_product_attention(query, query, query, attn_mask=mask)
