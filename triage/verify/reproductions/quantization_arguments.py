"""`load_in_4bit` is passed to from_pretrained beside `quantization_config`.

transformers 4 refuses the pair; transformers 5 no longer knows `load_in_4bit` at all. The model is a random one of a
few kilobytes, written by the reproduction.
"""

from __future__ import annotations

from triage.verify.reproduction import Fix, Reproduction, choice
from triage.verify.toolkit.harness import Parameters

REPRODUCTION = Reproduction(
    id="config.quantization.both-arguments",
    family="config.quantization",
    cause=None,
    diagnoses=("config.quantization.arguments-twice",),
    title="Quantisation is asked for twice, in two ways",
    shows="from_pretrained refuses load_in_4bit beside quantization_config, and loads with one of them.",
    backends={"cpu": "bitsandbytes quantises on the processor here"},
    needs=("torch", "transformers>=4.30,<5", "accelerate", "bitsandbytes>=0.46"),
    parameters=(choice("bits", "4", ("4", "8"), "bits asked for"),),
    fixes={
        "remove-argument": Fix("passes quantization_config alone"),
        "update-code": Fix("passes load_in_4bit alone"),
    },
    gone_since=("transformers", "5.0", "load_in_4bit and load_in_8bit are no arguments any more"),
    sources=("https://github.com/huggingface/transformers/blob/v4.57.0/src/transformers/modeling_utils.py",),
)


def reported(p: Parameters) -> None:
    """Both arguments."""
    _load(p, argument=True, configuration=True)


def fixed(p: Parameters, fix: str) -> None:
    """One of them."""
    _load(p, argument=fix == "update-code", configuration=fix == "remove-argument")


def _load(p: Parameters, argument: bool, configuration: bool) -> None:
    import torch
    from transformers import BitsAndBytesConfig, LlamaConfig, LlamaForCausalLM

    sizes = LlamaConfig(hidden_size=64, intermediate_size=64, num_hidden_layers=1, num_attention_heads=2, vocab_size=32)
    LlamaForCausalLM(sizes).save_pretrained("model")
    name = f"load_in_{p.bits}bit"
    options = {name: True} if argument else {}
    if configuration:
        options["quantization_config"] = BitsAndBytesConfig(**{name: True})
    LlamaForCausalLM.from_pretrained("model", torch_dtype=torch.float32, **options)
