"""Knowledge neurons (KN) run out of memory while neurons are scored.

What EasyEdit does for each prompt: for every layer it runs the model once and keeps the activations of the layer's
feed-forward gate at the last position; scales them from 0 to 1 in `steps` steps; runs the model on `batch_size` of
these at a time in place of the real ones; and sums the gradients of the target's probability. The sum is multiplied
by the kept activations, which were computed with gradients on: so the scores of a layer hold on to the whole forward
graph below it until the scores of all layers are stacked. Only then `adaptive_threshold` selects neurons.

So the threshold cannot lower the peak, whatever users report: by the time it is looked at, the memory was needed.
How many steps run at a time, how long the prompt is, and whether the kept activations hold their graph, can.
"""

from __future__ import annotations

from typing import Any

from triage.verify.allocator_settings import GIB
from triage.verify.reproduction import Facts, Fix, Parameter, Reproduction, count, size, wording
from triage.verify.toolkit.card import Card
from triage.verify.toolkit.decoder import LLAMA_7B, TINY, Shape, build_decoder
from triage.verify.toolkit.harness import Parameters, measure

_LEAST = 40 * GIB  # the weights in float32 and one pass


def _holds_the_weights(facts: Facts) -> bool:
    """Whether the reported card has room for the model itself, so that it can be the scores that do not fit."""
    capacity = facts.get("capacity_bytes")
    return not isinstance(capacity, int) or capacity >= _LEAST


def _prompt(facts: Facts) -> int | None:
    """As many tokens as fill what a card leaves beside the weights: 360 on one of 85.2 GB beside 27 GB."""
    capacity = facts.get("capacity_bytes")
    return int(360 * (capacity - 27e9) / (85.2e9 - 27e9)) if isinstance(capacity, int) else None


REPRODUCTION = Reproduction(
    id="memory.gpu-oom.algorithm-parameter",
    family="memory.gpu-oom",
    cause="algorithm-parameter",
    title="Out of memory while a knowledge-editing method scores neurons by gradients",
    shows="The peak lies in the scoring; the threshold is applied to finished scores.",
    backends={
        "cuda": "prompt length, steps and batch size are not in the report",
        "fake": "prompt length, steps and batch size are not in the report; workspaces of libraries are not counted",
    },
    parameters=(
        size("capacity_bytes", 85_200_000_000, "total memory of the card", "capacity_bytes", low=_LEAST),
        Parameter(
            "prompt_tokens", "count", 360, "tokens of the prompt and its continuation, so that scores fill the card", 8, 4096, read=_prompt
        ),
        count("layers", LLAMA_7B.layers, "layers of the model, each scored with a pass through all", high=200),
        count("target_tokens", 1, "tokens of the ground truth, each scored after the other", high=64),
        count("steps", 2, "steps of the integrated gradient", high=1000),
        count("batch_size", 2, "steps that run at a time", high=1000),
        Parameter("threshold", "real", 0.2, "adaptive_threshold as reported", low=0.0, high=1.0),
        Parameter("higher_threshold", "real", 0.45, "adaptive_threshold as advised", low=0.0, high=1.0),
        wording(),
    ),
    applies=_holds_the_weights,
    fixes={
        "algorithm-parameter": Fix("raises adaptive_threshold, as users report"),
        "reduce-batch-or-sequence": Fix("runs one step at a time (batch_size 1) on half the prompt"),
        "free-memory": Fix("detaches the kept activations, so that no score holds a forward graph"),
        "update-code": Fix("freezes the parameters before scoring (model.requires_grad_(False))"),
        "lower-precision": Fix("loads the model in float16"),
        "allocator-config": Fix("sets expandable_segments:True", advised=False),
    },
    sources=(
        "https://github.com/zjunlp/EasyEdit/blob/main/easyeditor/models/kn/knowledge_neurons/knowledge_neurons/knowledge_neurons.py",
        "https://arxiv.org/abs/2104.08696",
    ),
    timeout_s=300.0,
)


def reported(p: Parameters) -> None:
    """Scores all layers for one prompt and selects by the reported threshold."""
    _select_on_tiny_model(p, p.threshold)
    _select(p, p.threshold, p.prompt_tokens, p.batch_size)


def fixed(p: Parameters, fix: str) -> None:
    """The same scoring with one thing changed."""
    threshold = p.higher_threshold if fix == "algorithm-parameter" else p.threshold
    _select_on_tiny_model(p, threshold)
    if fix == "reduce-batch-or-sequence":
        _select(p, threshold, max(1, p.prompt_tokens // 2), 1)
    elif fix == "allocator-config":
        _select(p, threshold, p.prompt_tokens, p.batch_size, setting="expandable_segments:True")
    elif fix == "lower-precision":
        _select(p, threshold, p.prompt_tokens, p.batch_size, dtype="float16")
    else:
        _select(p, threshold, p.prompt_tokens, p.batch_size, detach=fix == "free-memory", freeze=fix == "update-code")


def _select(
    p: Parameters,
    threshold: float,
    length: int,
    batch_size: int,
    detach: bool = False,
    freeze: bool = False,
    dtype: str = "float32",
    setting: str = "",
) -> None:
    """Scores the model and keeps what is above the threshold, in the order of `get_coarse_neurons`."""
    with Card(p, p.capacity_bytes, setting=setting) as card:
        shape = LLAMA_7B._replace(layers=p.layers)
        model = build_decoder(shape, card.device, dtype).requires_grad_(not freeze)
        scores = scores_of_prompt(model, shape, card.device, length, p.target_tokens, p.steps, batch_size, detach)
        above_threshold(scores, threshold)


def above_threshold(scores: Any, threshold: float) -> Any:
    """Which neurons are kept: those above a part of the highest score."""
    return scores > scores.max() * threshold


def scores_of_prompt(model: Any, shape: Shape, device: str, length: int, targets: int, steps: int, batch_size: int, detach: bool) -> Any:
    """Integrated gradients of every feed-forward neuron for one prompt: layers × neurons."""
    import torch

    tokens = torch.zeros(1, length, dtype=torch.long, device=device)
    scores = []
    for layer in model.layers:
        of_tokens = []
        for _ in range(targets):
            kept = _activations(model, layer, tokens)
            kept = kept.detach() if detach else kept
            ramp = torch.linspace(0, 1, steps, device=device, dtype=kept.dtype)[:, None]
            scaled = (kept * ramp).requires_grad_(True)
            total = torch.zeros(shape.feed_forward, device=device, dtype=kept.dtype)
            for part in scaled.split(batch_size):
                total = total + _gradient(model, layer, tokens.expand(len(part), -1), part)
            total *= kept.squeeze(0) / steps
            of_tokens.append(total)
        scores.append(torch.stack(of_tokens).mean(0))
    return torch.stack(scores)


def _activations(model: Any, layer: Any, tokens: Any) -> Any:
    """What the gate of a layer gives at the last position, with its graph."""
    seen = []
    handle = layer.gate.register_forward_hook(lambda module, inputs, output: seen.append(output[:, -1, :]))
    model(tokens)
    handle.remove()
    return seen[0]


def _gradient(model: Any, layer: Any, tokens: Any, values: Any) -> Any:
    """Gradient of the target's probability by the gate's values at the last position, summed over the batch."""
    import torch

    def replace(module: Any, inputs: Any, output: Any) -> Any:
        output = output.clone()
        output[:, -1, :] = values
        return output

    handle = layer.gate.register_forward_hook(replace)
    probabilities = model(tokens)[:, -1, :].softmax(-1)
    handle.remove()
    return torch.autograd.grad(torch.unbind(probabilities[:, 1]), values)[0].sum(0)


def _select_on_tiny_model(p: Parameters, threshold: float) -> None:
    """Real scores of a small model on the processor, and what the threshold keeps of them."""
    import torch

    torch.manual_seed(0)
    scores = scores_of_prompt(build_decoder(TINY, "cpu"), TINY, "cpu", 8, 1, 4, 4, detach=False)
    kept = int(above_threshold(scores, threshold).sum())
    measure(threshold=threshold, neurons_kept=kept, neurons_scored=scores.numel())
    print(f"a small model, adaptive_threshold {threshold}: {kept} of {scores.numel()} neurons kept after scoring")
