"""The weights alone do not fit the card: each of the data-parallel processes holds all of them.

A LLaMA decoder is built in 16 bits, tensor by tensor, until the card is full. In 4 bits (NF4: two weights a byte and
one 32-bit scale for 64 weights) the same decoder fits and takes a training step of LoRA adapters; spread over the
cards, each holds its share of the layers.
"""

from __future__ import annotations

from typing import Any

from triage.verify.allocator_settings import GIB
from triage.verify.reproduction import Facts, Fix, Reproduction, choice, count, size, wording
from triage.verify.toolkit.card import Card
from triage.verify.toolkit.decoder import LLAMA_7B, LLAMA_13B, Shape, build_decoder, parameters_of
from triage.verify.toolkit.harness import Parameters, measure

_SHAPES = {
    "7B": LLAMA_7B,
    "13B": LLAMA_13B,
    "33B": Shape(60, 6656, 17920, 52, 32000),
    "70B": Shape(80, 8192, 28672, 64, 32000),
}


def _smallest_that_fails(facts: Facts) -> str | None:
    """The smallest known decoder whose 16-bit weights do not fit the reported card."""
    capacity = facts.get("capacity_bytes")
    if not isinstance(capacity, int):
        return None
    return next((name for name in _SHAPES if parameters_of(_SHAPES[name]) * 2 > capacity), None)


REPRODUCTION = Reproduction(
    id="memory.gpu-oom.model-too-large",
    family="memory.gpu-oom",
    cause="model-too-large",
    title="Out of memory because the weights do not fit the card",
    shows="16-bit weights fill the card before the first step; 4-bit weights or a share of the layers leave room to train.",
    backends={
        "cuda": "a plain decoder stands for the model; NF4 storage is laid out, not computed with a quantisation library",
        "fake": "a plain decoder stands for the model; NF4 storage is laid out, not computed; workspaces are not counted",
    },
    parameters=(
        size("capacity_bytes", 25_383_256_719, "total memory of one card", "capacity_bytes", low=GIB),
        choice("model", "13B", tuple(_SHAPES), "the smallest decoder that does not fit the card", _smallest_that_fails),
        count("sequence", 10, "tokens of the training step", high=4096),
        count("adapter_rank", 64, "rank of the LoRA adapters", high=1024),
        count("cards", 3, "cards the model is spread over", low=2, high=64),
        wording(),
    ),
    fixes={
        "quantize": Fix("holds the projections in NF4 and trains LoRA adapters"),
        "shard-model": Fix("gives each card its share of the layers"),
        "reduce-batch-or-sequence": Fix("trains on one token", advised=False),
        "lower-precision": Fix("float16 in place of bfloat16", advised=False),
        "allocator-config": Fix("sets expandable_segments:True", advised=False),
    },
    sources=("https://arxiv.org/abs/2305.14314", "https://huggingface.co/docs/transformers/quantization/bitsandbytes"),
)


def reported(p: Parameters) -> None:
    """All weights on one card in bfloat16, then a training step."""
    _train(p, _SHAPES[p.model], p.sequence)


def fixed(p: Parameters, fix: str) -> None:
    """The same with smaller weights, fewer layers, or what does not help."""
    shape = _SHAPES[p.model]
    if fix == "shard-model":
        shape = shape._replace(layers=-(-shape.layers // p.cards))
    setting = "expandable_segments:True" if fix == "allocator-config" else ""
    dtype = "float16" if fix == "lower-precision" else "bfloat16"
    sequence = 1 if fix == "reduce-batch-or-sequence" else p.sequence
    _train(p, shape, sequence, dtype=dtype, setting=setting, quantized=fix == "quantize")


def _train(p: Parameters, shape: Shape, sequence: int, dtype: str = "bfloat16", setting: str = "", quantized: bool = False) -> None:
    import torch

    with Card(p, p.capacity_bytes, setting=setting) as card:
        linear = _projection(card.device, p.adapter_rank, quantized, getattr(torch, dtype))
        model = build_decoder(shape, card.device, dtype, linear)
        for name, weight in model.named_parameters():
            weight.requires_grad_("adapter" in name)
        measure(weights_bytes=sum(each.nbytes for each in [*model.parameters(), *model.buffers()]))
        trained = [weight for weight in model.parameters() if weight.requires_grad]
        optimizer = torch.optim.AdamW(trained, foreach=False)
        tokens = torch.zeros(1, sequence, dtype=torch.long, device=card.device)
        model(tokens).float().pow(2).mean().backward()
        optimizer.step()


def _projection(device: str, rank: int, quantized: bool, dtype: Any) -> Any:
    """Makes frozen projections with LoRA adapters; the frozen weight is NF4 storage when quantised."""
    import torch
    from torch import nn

    class Projection(nn.Module):  # type: ignore[misc]
        def __init__(self, inputs: int, outputs: int) -> None:
            super().__init__()
            self.shape = (outputs, inputs)
            if quantized:
                self.register_buffer("codes", torch.empty(inputs * outputs // 2, dtype=torch.uint8, device=device))
                self.register_buffer("scales", torch.empty(inputs * outputs // 64, dtype=torch.float32, device=device))
            else:
                self.weight = nn.Parameter(torch.empty(outputs, inputs, dtype=dtype, device=device))
            self.adapter_down = nn.Parameter(torch.empty(rank, inputs, dtype=dtype, device=device))
            self.adapter_up = nn.Parameter(torch.empty(outputs, rank, dtype=dtype, device=device))

        def forward(self, x: Any) -> Any:
            product = FourBitProduct.apply(x, self.codes, self.shape) if quantized else x @ self.weight.t()
            return product + (x @ self.adapter_down.t()) @ self.adapter_up.t()

    class FourBitProduct(torch.autograd.Function):  # type: ignore[misc]
        """Keeps the codes for the backward pass, not the 16-bit weight, as quantisation libraries do."""

        @staticmethod
        def forward(context: Any, x: Any, codes: Any, shape: Any) -> Any:
            context.save_for_backward(codes)
            context.shape = shape
            return x @ codes.new_empty(shape, dtype=dtype).t()

        @staticmethod
        def backward(context: Any, gradient: Any) -> Any:
            (codes,) = context.saved_tensors
            return gradient @ codes.new_empty(context.shape, dtype=dtype), None, None

    return Projection
