"""A decoder like LLaMA's in plain PyTorch modules, of any size: what memory reproductions run."""

from __future__ import annotations

from typing import Any, NamedTuple


class Shape(NamedTuple):
    """The sizes that fix a decoder's memory."""

    layers: int
    hidden: int
    feed_forward: int
    heads: int
    vocabulary: int


LLAMA_7B = Shape(32, 4096, 11008, 32, 32000)
LLAMA_13B = Shape(40, 5120, 13824, 40, 32000)
TINY = Shape(4, 64, 172, 4, 128)


def parameters_of(shape: Shape) -> int:
    """Number of weights of a decoder with separate embedding and head."""
    layer = 4 * shape.hidden**2 + 3 * shape.hidden * shape.feed_forward + 2 * shape.hidden
    return shape.layers * layer + 2 * shape.vocabulary * shape.hidden + shape.hidden


def build_decoder(shape: Shape, device: str, dtype: str = "float32", linear: Any = None, checkpointing: bool = False) -> Any:
    """A decoder on a device.

    Args:
        linear: called as `linear(inputs, outputs)` for each projection of a layer; by default torch.nn.Linear
            without bias.
        checkpointing: recompute each layer in the backward pass instead of keeping its activations.
    """
    import torch
    from torch import nn
    from torch.nn import functional
    from torch.utils.checkpoint import checkpoint

    kind = getattr(torch, dtype)
    project = linear or (lambda inputs, outputs: nn.Linear(inputs, outputs, bias=False, device=device, dtype=kind))

    class Norm(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.ones(shape.hidden, device=device, dtype=kind))

        def forward(self, x: Any) -> Any:
            scale = torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)
            return self.weight * (x * scale)

    class Layer(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            hidden, inner = shape.hidden, shape.feed_forward
            self.query, self.key, self.value, self.out = (project(hidden, hidden) for _ in range(4))
            self.gate, self.up, self.down = project(hidden, inner), project(hidden, inner), project(inner, hidden)
            self.before_attention, self.before_feed_forward = Norm(), Norm()

        def attend(self, x: Any) -> Any:
            batch, length, hidden = x.shape
            heads = [part(x).view(batch, length, shape.heads, -1).transpose(1, 2) for part in (self.query, self.key, self.value)]
            scores = heads[0] @ heads[1].transpose(-1, -2) / (hidden // shape.heads) ** 0.5
            mixed = scores.softmax(-1) @ heads[2]
            return self.out(mixed.transpose(1, 2).reshape(batch, length, hidden))

        def forward(self, x: Any) -> Any:
            x = x + self.attend(self.before_attention(x))
            y = self.before_feed_forward(x)
            return x + self.down(functional.silu(self.gate(y)) * self.up(y))

    class Decoder(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            table = torch.empty(shape.vocabulary, shape.hidden, device=device, dtype=kind)
            if device != "meta":  # without data there is nothing to draw, and drawing makes a copy that a card does not make
                table.normal_()
            self.embed = nn.Embedding.from_pretrained(table, freeze=False)
            self.layers = nn.ModuleList(Layer() for _ in range(shape.layers))
            self.norm = Norm()
            self.head = nn.Linear(shape.hidden, shape.vocabulary, bias=False, device=device, dtype=kind)

        def forward(self, tokens: Any) -> Any:
            x = self.embed(tokens)
            for layer in self.layers:
                x = checkpoint(layer, x, use_reentrant=False) if checkpointing and self.training else layer(x)
            return self.head(self.norm(x))

    return Decoder()
