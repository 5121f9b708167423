"""Inference keeps the autograd graph of every batch whose output is kept."""

from __future__ import annotations

from triage.verify.allocator_settings import GIB
from triage.verify.reproduction import Fix, Reproduction, count, size, wording
from triage.verify.toolkit.card import Card
from triage.verify.toolkit.decoder import Shape, build_decoder
from triage.verify.toolkit.harness import Parameters

_MODEL = Shape(12, 2048, 5504, 16, 32000)

REPRODUCTION = Reproduction(
    id="memory.gpu-oom.missing-no-grad",
    family="memory.gpu-oom",
    cause="missing-no-grad",
    title="Out of memory in inference because the autograd graph is kept",
    shows="Evaluation without no_grad keeps every activation of the batches whose outputs are collected.",
    backends={
        "cuda": "a plain decoder of 0.8 billion parameters stands for the model",
        "fake": "a plain decoder of 0.8 billion parameters stands for the model; workspaces are not counted",
    },
    parameters=(
        size("capacity_bytes", 16 * GIB, "total memory of the card", "capacity_bytes", low=6 * GIB),
        count("batch", 4, "sequences at a time on 16 GiB; in proportion on other cards", high=4096),
        count("batches", 8, "batches whose outputs are collected", high=100),
        wording(),
    ),
    fixes={
        "no-grad": Fix("runs under torch.no_grad()"),
        "free-memory": Fix("keeps detached outputs only"),
        "reduce-batch-or-sequence": Fix("one sequence at a time, as many more batches", advised=False),
    },
    sources=("https://pytorch.org/docs/stable/notes/autograd.html#locally-disabling-gradient-computation",),
)


def reported(p: Parameters) -> None:
    """Outputs collected with gradients on."""
    _evaluate(p, _batch(p), p.batches)


def fixed(p: Parameters, fix: str) -> None:
    """Without the graph, or with smaller batches."""
    if fix == "reduce-batch-or-sequence":
        _evaluate(p, 1, p.batches * _batch(p))
    else:
        _evaluate(p, _batch(p), p.batches, no_grad=fix == "no-grad", detach=fix == "free-memory")


def _batch(p: Parameters) -> int:
    return max(1, int(p.batch * p.capacity_bytes / (16 * GIB)))


def _evaluate(p: Parameters, batch: int, batches: int, no_grad: bool = False, detach: bool = False) -> None:
    import torch

    with Card(p, p.capacity_bytes) as card, torch.set_grad_enabled(not no_grad):
        model = build_decoder(_MODEL, card.device).eval()
        collected = []
        for _ in range(batches):
            last = model(torch.zeros(batch, 512, dtype=torch.long, device=card.device))[:, -1, :].clone()
            collected.append(last.detach() if detach else last)
