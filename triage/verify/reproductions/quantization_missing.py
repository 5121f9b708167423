"""Quantisation is asked for without the package that does it."""

from __future__ import annotations

from triage.verify.reproduction import Fix, Reproduction
from triage.verify.toolkit.harness import Parameters

REPRODUCTION = Reproduction(
    id="config.quantization.backend-missing",
    family="config.quantization",
    cause=None,
    diagnoses=("config.quantization.backend-absent",),
    title="The quantisation package is not installed",
    shows="from_pretrained stops at a quantization_config whose package is absent, and loads without it.",
    backends={"cpu": ""},
    needs=("torch", "transformers>=4.40", "accelerate", "absent:bitsandbytes"),
    fixes={"disable-feature": Fix("loads without quantization_config"), "remove-argument": Fix("loads without quantization_config")},
    sources=("https://huggingface.co/docs/transformers/quantization/bitsandbytes",),
)


def reported(p: Parameters) -> None:
    """With a configuration for bitsandbytes."""
    _load(quantized=True)


def fixed(p: Parameters, fix: str) -> None:
    """Without."""
    _load(quantized=False)


def _load(quantized: bool) -> None:
    from transformers import BitsAndBytesConfig, LlamaConfig, LlamaForCausalLM

    sizes = LlamaConfig(hidden_size=64, intermediate_size=64, num_hidden_layers=1, num_attention_heads=2, vocab_size=32)
    LlamaForCausalLM(sizes).save_pretrained("model")
    options = {"quantization_config": BitsAndBytesConfig(load_in_8bit=True)} if quantized else {}
    LlamaForCausalLM.from_pretrained("model", **options)
