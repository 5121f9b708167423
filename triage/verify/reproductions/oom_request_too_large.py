"""One tensor alone is larger than the card can serve: attention scores of a long sequence."""

from __future__ import annotations

import math

from triage.verify.allocator_settings import GIB
from triage.verify.reproduction import Facts, Fix, Parameter, Reproduction, count, size, wording
from triage.verify.toolkit.card import Card
from triage.verify.toolkit.harness import Parameters

_HEADS = 32
_CARD = 24 * GIB


def _tokens(facts: Facts) -> int | None:
    """As many tokens as make the scores of all heads in 16 bits the reported request, or two and a half cards where that is small."""
    requested, capacity = facts.get("requested_bytes"), facts.get("capacity_bytes")
    if not isinstance(requested, int) and not isinstance(capacity, int):
        return None
    card = capacity if isinstance(capacity, int) else _CARD
    scores = requested if isinstance(requested, int) and 2 * requested > card else 5 * card // 2
    return math.isqrt(max(0, scores) // (2 * _HEADS))


REPRODUCTION = Reproduction(
    id="memory.gpu-oom.request-too-large",
    family="memory.gpu-oom",
    cause="request-too-large",
    title="Out of memory for one request beyond the card",
    shows="Scores of all pairs of tokens are one tensor that grows with the square of the length; in parts, or not kept, it fits.",
    backends={
        "cuda": "",
        "fake": "PyTorch's flash kernel is asked for its outputs only; what it uses inside is not counted",
    },
    parameters=(
        size("capacity_bytes", _CARD, "total memory of the card", "capacity_bytes", low=2 * GIB),
        count("heads", _HEADS, "heads", high=512),
        Parameter("length", "count", 32768, "tokens, so that their scores are the request", low=128, high=1 << 20, read=_tokens),
        Parameter("chunk", "count", 512, "tokens of a part in the fixed arm", low=1, high=4096),
        wording(),
    ),
    fixes={
        "reduce-batch-or-sequence": Fix("attends in parts of the sequence"),
        "efficient-attention": Fix("uses a kernel that does not keep the scores"),
        "allocator-config": Fix("sets expandable_segments:True", advised=False),
    },
    sources=("https://arxiv.org/abs/2205.14135",),
)


def reported(p: Parameters) -> None:
    """All scores at once."""
    _attend(p, p.length)


def fixed(p: Parameters, fix: str) -> None:
    """In parts, or without keeping scores."""
    if fix == "reduce-batch-or-sequence":
        _attend(p, min(p.chunk, p.length))
    else:
        setting = "expandable_segments:True" if fix == "allocator-config" else ""
        _attend(p, p.length, efficient=fix == "efficient-attention", setting=setting)


def _attend(p: Parameters, rows: int, efficient: bool = False, setting: str = "") -> None:
    import torch

    with Card(p, p.capacity_bytes, setting=setting) as card, torch.no_grad():
        query, key, value = (torch.empty(1, p.heads, p.length, 128, dtype=torch.float16, device=card.device) for _ in range(3))
        if efficient:
            torch.ops.aten._scaled_dot_product_flash_attention(query, key, value)
            return
        for start in range(0, p.length, rows):
            part = query[:, :, start : start + rows]
            (part @ key.transpose(-1, -2)).softmax(-1) @ value
