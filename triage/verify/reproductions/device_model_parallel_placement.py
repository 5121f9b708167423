"""A hook adds a tensor made on one card to the output of a layer that lives on another.

MEMIT optimises a vector `delta` and adds it to a layer's output in a forward hook. With the model's layers spread
over several cards, `delta` is on the device of the configuration and the output where the layer is. The output of a
decoder layer is a tuple, so `.to(output.device)` fails as well; the device is that of its first element. EasyEdit has
since made the move itself.
"""

from __future__ import annotations

from typing import Any

from triage.verify.reproduction import Fix, Reproduction, count
from triage.verify.toolkit.harness import Parameters

REPRODUCTION = Reproduction(
    id="device.mismatch.model-parallel-placement",
    family="device.mismatch",
    cause="model-parallel-placement",
    title="A hook adds a tensor to a layer's output on another card",
    shows="Layers on two cards, a vector made on the first: adding it in the second card's layer fails until it is moved.",
    backends={
        "cuda": "",
        "fake": "fake tensors check devices in the forward pass only, and not for convolution, indexing and some linear layers: "
        "further crossings may remain behind the first",
    },
    needs=("torch", "gpus:2"),
    parameters=(
        count("hidden", 64, "width of a layer", high=16_384),
        count("layers", 4, "layers, half of them on each card", low=2, high=64),
    ),
    fixes={
        "move-to-same-device": Fix("adds delta.to(output[0].device): the output is a tuple"),
        "update-code": Fix("makes delta on the device of the layer it is added to, as current EasyEdit does"),
        "select-device": Fix("calls torch.cuda.set_device for the layer's card", backends=("cuda",), advised=False),
        "single-device": Fix("keeps all layers on the first card"),
    },
    sources=(
        "https://github.com/zjunlp/EasyEdit/blob/main/easyeditor/models/memit/compute_z.py",
        "https://pytorch.org/docs/stable/notes/cuda.html#cuda-semantics",
    ),
)


def reported(p: Parameters) -> None:
    """Layers on two cards, the vector on the first."""
    _edit(p, lambda output, delta: delta)


def fixed(p: Parameters, fix: str) -> None:
    """The same with the vector moved, made in place, or what does not help."""
    import torch

    if fix == "single-device":
        _edit(p, lambda output, delta: delta, cards=("cuda:0", "cuda:0"))
    elif fix == "update-code":
        _edit(p, lambda output, delta: delta, delta_device="cuda:1")
    elif fix == "select-device":
        torch.cuda.set_device(1)
        _edit(p, lambda output, delta: delta)
    else:
        _edit(p, lambda output, delta: delta.to(output[0].device))


def _edit(p: Parameters, moved: Any, cards: tuple[str, str] = ("cuda:0", "cuda:1"), delta_device: str = "cuda:0") -> None:
    import contextlib

    import torch
    from torch._subclasses.fake_tensor import FakeTensorMode

    with FakeTensorMode() if p.backend == "fake" else contextlib.nullcontext(), torch.no_grad():
        layers = [_layer(p.hidden, cards[index * 2 // p.layers]) for index in range(p.layers)]
        delta = torch.zeros(p.hidden, device=delta_device)

        def edit_output(module: Any, inputs: Any, output: Any) -> Any:
            position = output[0].select(0, 0).select(0, 2)  # output[0][0, 2, :], which fake tensors cannot index
            position += moved(output, delta)
            return output

        layers[-1].register_forward_hook(edit_output)
        x = torch.zeros(1, 8, p.hidden, device=cards[0])
        for layer in layers:
            x = layer(x)[0]


def _layer(hidden: int, device: str) -> Any:
    """A layer that, like a decoder layer under device_map, takes its input to its own card and returns a tuple."""
    import torch
    from torch import nn

    class Layer(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.zeros(hidden, hidden, device=device), requires_grad=False)

        def forward(self, x: Any) -> Any:
            x = x.to(self.weight.device)
            return (x + x @ self.weight,)

    return Layer()
