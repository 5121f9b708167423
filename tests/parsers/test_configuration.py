"""Options in configurations, code and printed dictionaries."""

from __future__ import annotations

import pytest
from parser_support import facts


def options(text: str) -> dict[object, object]:
    return {option["name"]: option["value"] for option in facts(text, "option")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("batch_size: 4", {"batch_size": "4"}),
        ("  batch_size: 4  # per device", {"batch_size": "4"}),
        ("batch_size = 4", {"batch_size": "4"}),
        ('"batch_size": 4,', {"batch_size": "4"}),
        ('{"fp16":{"enabled":true},"zero_stage":3}', {"enabled": "true", "zero_stage": "3"}),
        ("training_args.gradient_checkpointing = True", {"gradient_checkpointing": "True"}),
        ('model = load("a", load_in_4bit=True, device_map="auto")', {"load_in_4bit": "True", "device_map": "auto"}),
        ("Namespace(batch_size=4, lr=0.1, name='a b')", {"batch_size": "4", "lr": "0.1", "name": "a b"}),
        ("non-default args: {'model': 'org/m', 'tensor_parallel_size': 2}", {"model": "org/m", "tensor_parallel_size": "2"}),
        ("dtype=torch.bfloat16, max_seq_len=4096", {"dtype": "torch.bfloat16", "max_seq_len": "4096"}),
        ("  Num examples = 8,024", {"num_examples": "8,024"}),
        ("  Gradient Accumulation steps = 4", {"gradient_accumulation_steps": "4"}),
        ("device-map: auto", {"device_map": "auto"}),
        ("- use_cache: false", {"use_cache": "false"}),
        ("I set max_model_len to 8192 and gpu_memory_utilization is 0.9.", {"max_model_len": "8192", "gpu_memory_utilization": "0.9"}),
        ("I train with mixed_precision bf16, gradient_checkpointing off, cache_latents on.",
         {"mixed_precision": "bf16", "gradient_checkpointing": "false", "cache_latents": "true"}),
        ("单卡，cutoff_len 设为 4096，per_device_train_batch_size 4", {"cutoff_len": "4096", "per_device_train_batch_size": "4"}),
        ("It worked with cutoff_len 1024 but with 4096 I get this.", {"cutoff_len": "4096"}),
        ("I see that max_seq_length 2048 works but at 8192 I get this.", {"max_seq_length": "8192"}),
        ("cutoff_len 设为 1024 可以，改成 4096 就爆显存。", {"cutoff_len": "4096"}),
    ],
)  # fmt: skip
def test_ways_to_configure(text: str, expected: dict[object, object]) -> None:
    assert options(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "RuntimeError: no",
        "It fails in train_step on the second GPU, and load_model off the disk is slow.",
        "You should try max_model_len 4096 first, and then tell us what happens.",
        "The function foo_bar 3x2 is called, and step_count grows by 2.5% each time.",
        "It worked with cutoff_len 1024 on another card.",
        "error: no",
        "http://example.org/?a_key=1&b_key=2",
        "a == b",
        "x <= y",
        "=================",
        "loss: 0.5",
        "the answer is: yes",
        "DataLoader worker exited unexpectedly. Rerunning with num_workers=0 may give better error trace.",
        'ValueError: no SDPA. Please load it with the argument `attn_implementation="eager"` instead',
        "if x == 3: y",
        "key: a long value that is a sentence",
        'Traceback (most recent call last):\n  File "/x/site-packages/a.py", line 1, in f\n    g(bias=None, x=1)',
        "@@ -1 +1 @@\n+batch_size: 4",
    ],
)
def test_what_configures_nothing(text: str) -> None:
    assert options(text) == {}


def test_constants_in_the_users_own_frames() -> None:
    text = """Traceback (most recent call last):
  File "train.py", line 3, in main
    model = load(path, load_in_8bit=True, device_map="auto", dtype=dtype)
  File "/opt/conda/lib/python3.11/site-packages/torch/nn/functional.py", line 9, in linear
    return linear(x, bias=None)
RuntimeError: no
"""
    assert options(text) == {"load_in_8bit": "True", "device_map": "auto"}


def test_thousands_are_numbers_only_where_plain() -> None:
    assert facts("batch_size: 8192", "option", "number") == [{"number": 8192.0}]


def test_number_of_options_is_bounded() -> None:
    text = "\n".join(f"key_{number}: {number}" for number in range(5000))
    assert 0 < len(facts(text, "option")) <= 1000
