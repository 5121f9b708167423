"""FlashAttention is asked for without its package."""

from __future__ import annotations

from triage.verify.reproduction import Fix, Reproduction, choice
from triage.verify.toolkit.harness import Parameters

REPRODUCTION = Reproduction(
    id="config.attention-backend.flash-missing",
    family="config.attention-backend",
    cause=None,
    diagnoses=("config.attention-backend.absent",),
    title="FlashAttention is switched on but not installed",
    shows="transformers refuses attn_implementation='flash_attention_2' without the package, and takes another kernel.",
    backends={"cpu": ""},
    needs=("torch", "transformers>=4.36", "absent:flash-attn"),
    parameters=(choice("instead", "sdpa", ("sdpa", "eager"), "the kernel of the fixed arm"),),
    fixes={"disable-feature": Fix("asks for PyTorch's own attention"), "remove-argument": Fix("leaves the choice to transformers")},
    sources=("https://huggingface.co/docs/transformers/attention_interface",),
)


def reported(p: Parameters) -> None:
    """FlashAttention 2."""
    _build({"attn_implementation": "flash_attention_2"})


def fixed(p: Parameters, fix: str) -> None:
    """Another kernel, or no word about it."""
    _build({"attn_implementation": p.instead} if fix == "disable-feature" else {})


def _build(options: dict[str, str]) -> None:
    from transformers import AutoModelForCausalLM, LlamaConfig

    sizes = LlamaConfig(hidden_size=64, intermediate_size=64, num_hidden_layers=1, num_attention_heads=2, vocab_size=32)
    AutoModelForCausalLM.from_config(sizes, **options)
