"""A training loop adds up the loss itself, and with it the graph of every step."""

from __future__ import annotations

from triage.verify.allocator_settings import GIB
from triage.verify.reproduction import Fix, Reproduction, count, size, wording
from triage.verify.toolkit.card import Card
from triage.verify.toolkit.decoder import Shape, build_decoder
from triage.verify.toolkit.harness import Parameters

_MODEL = Shape(4, 1024, 2752, 8, 8192)

REPRODUCTION = Reproduction(
    id="memory.gpu-oom.leak",
    family="memory.gpu-oom",
    cause="leak",
    title="Out of memory after some steps because the loss keeps its graph",
    shows="Memory grows by one graph a step while a sum of losses lives; a number in its place keeps it level.",
    backends={
        "cuda": "a small decoder stands for the model",
        "fake": "a small decoder stands for the model; workspaces are not counted",
    },
    parameters=(
        size("capacity_bytes", 4 * GIB, "total memory of the card", "capacity_bytes", low=2 * GIB),
        count("steps", 30, "steps of the loop", low=2, high=1000),
        wording(),
    ),
    fixes={
        "free-memory": Fix("adds up loss.detach()"),
        "reduce-batch-or-sequence": Fix("half the batch: the same growth at half the speed, over twice the steps", advised=False),
        "allocator-config": Fix("sets expandable_segments:True", advised=False),
    },
    sources=("https://pytorch.org/docs/stable/notes/faq.html#my-model-reports-cuda-runtime-error-2-out-of-memory",),
)


def reported(p: Parameters) -> None:
    """The sum of losses keeps every graph."""
    _train(p, 4 * _scale(p), p.steps)


def fixed(p: Parameters, fix: str) -> None:
    """The same with one thing changed."""
    if fix == "reduce-batch-or-sequence":
        _train(p, 2 * _scale(p), 2 * p.steps)
    else:
        _train(p, 4 * _scale(p), p.steps, fix == "free-memory", "expandable_segments:True" if fix == "allocator-config" else "")


def _scale(p: Parameters) -> int:
    """So that larger cards fill up in the same number of steps."""
    return max(1, int(p.capacity_bytes) // (4 * GIB))


def _train(p: Parameters, batch: int, steps: int, detach: bool = False, setting: str = "") -> None:
    import torch

    with Card(p, p.capacity_bytes, setting=setting) as card:
        model = build_decoder(_MODEL, card.device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1, foreach=False)
        total = torch.zeros((), device=card.device)
        for _ in range(steps):
            loss = model(torch.zeros(batch, 256, dtype=torch.long, device=card.device)).pow(2).mean()
            loss.backward(retain_graph=not detach)
            optimizer.step()
            optimizer.zero_grad()
            total = total + (loss.detach() if detach else loss)
