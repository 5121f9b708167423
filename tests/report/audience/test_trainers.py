"""An engine that runs inside a trainer is set by the trainer's options."""

from __future__ import annotations

import pytest

from triage import explain
from triage.report.audience import launchers, trainers

TOO_LONG = (
    "RuntimeError: To serve at least one request with the models's max seq len (16384), (2.25 GiB KV cache is needed, which is larger than "
    "the available KV cache memory (1.61 GiB). Based on the available memory, the estimated maximum model length is 11728. "
)
LINE = "--gpu-memory-utilization 0.95 --max-model-len 2048 --enforce-eager"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("unsloth", "FastLanguageModel.from_pretrained(NAME, fast_inference=True, gpu_memory_utilization=0.7, max_seq_length=2048)"),
        ("trl", "GRPOConfig(use_vllm=True, vllm_gpu_memory_utilization=0.7, vllm_max_model_length=2048)"),
        ("ms-swift", "--vllm_gpu_memory_utilization 0.7 --vllm_max_model_len 2048 --vllm_enforce_eager true"),
        ("llamafactory", "--vllm_gpu_util 0.95 --vllm_maxlen 2048 --vllm_enforce_eager true"),
        ("openrlhf", "--vllm_gpu_memory_utilization 0.7 --enforce_eager"),
        (
            "verl",
            "actor_rollout_ref.rollout.gpu_memory_utilization=0.7 actor_rollout_ref.rollout.max_model_len=2048 "
            "actor_rollout_ref.rollout.enforce_eager=True",
        ),
    ],
)
def test_options_by_the_trainers_names(name: str, told: str) -> None:
    assert trainers.lines_for([LINE], name, {}) == [told]


def test_what_is_set_already_is_left_out() -> None:
    assert trainers.lines_for(["--gpu-memory-utilization 0.95"], "unsloth", {"gpu_memory_utilization": {"0.8"}}) == []


@pytest.mark.parametrize("line", ["nvidia-smi", "--optim adafactor", "df -h /dev/shm"])
def test_other_lines_stay(line: str) -> None:
    assert trainers.lines_for([line], "trl", {}) == [line]


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(
    ("shown", "wanted"),
    [
        ("==((====))==  Unsloth 2025.6.2: Fast Qwen3 patching. vLLM: 0.9.1.\n   Tesla T4. Num GPUs = 1.\n", "max_seq_length=11728"),
        ('  File "/opt/env/lib/python3.11/site-packages/trl/trainer/grpo_trainer.py", line 9, in f\n', "vllm_max_model_length=11728"),
    ],
)
def test_the_length_of_an_engine_inside_a_trainer(shown: str, wanted: str, lang: str) -> None:
    [found] = explain(shown + "vLLM 0.9.1\n" + TOO_LONG).to_dict(lang)["diagnoses"]
    told = "\n".join(line for fix in found["fixes"] for line in fix["commands"])
    assert wanted in told
    assert "--max-model-len" not in told
    assert "vllm serve" not in told
    assert "0.95" not in str(found["fixes"])
    assert ("FP8 KV" in str(found["fixes"])) == ("T4" not in shown)


def test_deepspeeds_settings_in_accelerates_file() -> None:
    line = '"zero_optimization": {"stage": 3, "offload_optimizer": {"device": "cpu"}}'
    assert launchers.in_its_configuration([line, "a"]) == ["zero_stage: 3", "offload_optimizer_device: cpu", "a"]
    text = "$ accelerate launch --config_file a.yaml train.py\n  zero_stage: 2\n  offload_optimizer_device: none\n"
    oom = "CUDA out of memory. Tried to allocate 7.50 GiB. GPU 0 has a total capacity of 79.15 GiB of which 3.10 GiB is free."
    lines = [line for fix in explain(text + oom).diagnoses[0].fixes for line in fix.commands]
    assert "zero_stage: 3" in lines
    assert not any("zero_optimization" in line for line in lines)
