"""The model is on the GPU, a tensor the operation needs is not."""

from __future__ import annotations

from triage.verify.reproduction import Facts, Fix, Reproduction, choice
from triage.verify.toolkit.harness import Parameters

_OPERATIONS = {
    "index_select": "embedding",
    "embedding": "embedding",
    "nll_loss": "cross_entropy",
    "cross_entropy": "cross_entropy",
    "_cat": "cat",
}


def _operation(facts: Facts) -> str | None:
    """The operation whose kernel the message names."""
    told = f"{facts.get('op') or ''} {facts.evidence}"
    return next((operation for part, operation in _OPERATIONS.items() if part in told), None)


REPRODUCTION = Reproduction(
    id="device.mismatch.input-not-moved",
    family="device.mismatch",
    cause="input-not-moved",
    title="The inputs stayed on the host",
    shows="Weights on the GPU and inputs on the CPU cannot meet; moving the inputs, or running on the CPU, can.",
    backends={
        "cuda": "",
        "fake": "fake tensors check devices in the forward pass only, and not for convolution, indexing and some linear layers",
    },
    parameters=(
        choice("operation", "matmul", ("matmul", "embedding", "cross_entropy", "cat"), "the operation that meets both", _operation),
    ),
    fixes={
        "move-to-same-device": Fix("moves the inputs to the weights' device"),
        "run-on-cpu": Fix("keeps the weights on the CPU as well"),
    },
    sources=("https://pytorch.org/docs/stable/notes/cuda.html#cuda-semantics",),
)


def reported(p: Parameters) -> None:
    """Weights on cuda:0, inputs on the CPU."""
    _apply(p, "cuda:0", "cpu")


def fixed(p: Parameters, fix: str) -> None:
    """Both on one device."""
    device = "cpu" if fix == "run-on-cpu" else "cuda:0"
    _apply(p, device, device)


def _apply(p: Parameters, weights: str, inputs: str) -> None:
    import contextlib

    import torch
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch.nn import functional

    with FakeTensorMode() if p.backend == "fake" else contextlib.nullcontext(), torch.no_grad():
        table = torch.zeros(16, 8, device=weights)
        if p.operation == "matmul":
            torch.zeros(4, 16, device=inputs) @ table
        elif p.operation == "embedding":
            functional.embedding(torch.zeros(4, dtype=torch.long, device=inputs), table)
        elif p.operation == "cross_entropy":
            functional.cross_entropy(table, torch.zeros(16, dtype=torch.long, device=inputs))
        else:
            torch.cat([table, torch.zeros(2, 8, device=inputs)])
