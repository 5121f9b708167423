"""A training configuration asks for bf16 where no GPU offers it."""

from __future__ import annotations

from triage.verify.reproduction import Fix, Reproduction, choice
from triage.verify.toolkit.harness import Parameters

REPRODUCTION = Reproduction(
    id="dtype.unsupported-by-gpu.bf16-training",
    family="dtype.unsupported-by-gpu",
    cause=None,
    diagnoses=("dtype.unsupported-by-gpu.gpu-too-old",),
    title="bf16 training is asked of hardware without it",
    shows="transformers refuses bf16=True without a GPU of capability 8.0, and takes float32 or the processor.",
    backends={"cpu": "no GPU at all stands for a GPU without bf16: transformers makes the same check"},
    needs=("torch", "transformers>=4.40", "accelerate"),
    parameters=(choice("precision", "bf16", ("bf16",), "the precision asked for"),),
    fixes={
        "disable-feature": Fix("trains without bf16"),
        "cast-dtype": Fix("trains in float32"),
        "run-on-cpu": Fix("trains on the processor, which has bf16"),
    },
    sources=("https://huggingface.co/docs/transformers/main_classes/trainer",),
)


def reported(p: Parameters) -> None:
    """bf16 on a GPU."""
    _configure({p.precision: True})


def fixed(p: Parameters, fix: str) -> None:
    """Without bf16, or on the processor."""
    _configure({p.precision: True, "use_cpu": True} if fix == "run-on-cpu" else {})


def _configure(options: dict[str, bool]) -> None:
    from transformers import TrainingArguments

    TrainingArguments(output_dir="out", report_to=[], **options)
