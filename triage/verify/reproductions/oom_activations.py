"""A training step whose activations do not fit beside the weights."""

from __future__ import annotations

from triage.verify.allocator_settings import GIB
from triage.verify.reproduction import Fix, Reproduction, count, size, wording
from triage.verify.toolkit.card import Card
from triage.verify.toolkit.decoder import Shape, build_decoder
from triage.verify.toolkit.harness import Parameters

_SMALL = Shape(12, 2048, 5504, 16, 32000)

REPRODUCTION = Reproduction(
    id="memory.gpu-oom.activations",
    family="memory.gpu-oom",
    cause="activations",
    title="Out of memory because of activations",
    shows="Attention scores and layer outputs kept for the backward pass fill the card; fewer of them at a time fit.",
    backends={
        "cuda": "a plain decoder of 0.8 billion parameters stands for the model; batch and length are not in the report",
        "fake": "a plain decoder of 0.8 billion parameters stands for the model; workspaces are not counted",
    },
    parameters=(
        size("capacity_bytes", 24 * GIB, "total memory of the card", "capacity_bytes", low=8 * GIB),
        count("batch", 10, "sequences at a time on 24 GiB; in proportion on other cards", high=4096),
        count("length", 1024, "tokens of a sequence", high=65536),
        wording(),
    ),
    fixes={
        "reduce-batch-or-sequence": Fix("one sequence at a time"),
        "gradient-accumulation": Fix("one sequence at a time, gradients added up over the batch"),
        "gradient-checkpointing": Fix("recomputes each layer in the backward pass"),
        "lower-precision": Fix("bfloat16 weights and activations"),
        "allocator-config": Fix("sets expandable_segments:True", advised=False),
    },
    sources=("https://pytorch.org/docs/stable/checkpoint.html", "https://huggingface.co/docs/transformers/perf_train_gpu_one"),
)


def reported(p: Parameters) -> None:
    """A step in float32 on the whole batch."""
    _train(p, _batch(p))


def fixed(p: Parameters, fix: str) -> None:
    """The same with one thing changed."""
    _train(
        p,
        1 if fix in ("reduce-batch-or-sequence", "gradient-accumulation") else _batch(p),
        steps=min(_batch(p), 4) if fix == "gradient-accumulation" else 1,
        dtype="bfloat16" if fix == "lower-precision" else "float32",
        checkpointing=fix == "gradient-checkpointing",
        setting="expandable_segments:True" if fix == "allocator-config" else "",
    )


def _batch(p: Parameters) -> int:
    return max(2, int(p.batch * p.capacity_bytes / (24 * GIB)))


def _train(p: Parameters, batch: int, steps: int = 1, dtype: str = "float32", checkpointing: bool = False, setting: str = "") -> None:
    import torch

    with Card(p, p.capacity_bytes, setting=setting) as card:
        model = build_decoder(_SMALL, card.device, dtype, checkpointing=checkpointing)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1, foreach=False)
        tokens = torch.zeros(batch, p.length, dtype=torch.long, device=card.device)
        for _ in range(steps):
            logits = model(tokens).flatten(0, 1)
            torch.nn.functional.cross_entropy(logits, tokens.flatten()).backward()
        optimizer.step()
