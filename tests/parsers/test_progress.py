"""Progress bars and the sizes that models' names tell."""

from __future__ import annotations

import pytest
from parser_support import facts, values


def bar(label: str, current: int, total: int) -> str:
    percent = 100 * current // total
    return f"{label}{percent:3d}%|{'#' * (percent // 10):10s}| {current}/{total} [00:01<00:02,  5.00it/s]"


def test_furthest_state_of_a_bar() -> None:
    text = "\r".join(bar("train: ", step, 100) for step in range(43))
    assert facts(text, "progress", "label", "current", "total") == [{"label": "train", "current": 42, "total": 100}]


def test_bar_over_several_lines() -> None:
    text = "\n".join(bar("", step, 10) for step in range(8))
    assert facts(text, "progress", "label", "current", "total") == [{"label": "", "current": 7, "total": 10}]
    assert values(text, "progress", "line") == [8]


def test_bar_that_starts_again_is_a_second_run() -> None:
    text = "\n".join(bar("Loading checkpoint shards: ", step, 3) for step in [0, 1, 2, 3, 0, 1])
    assert values(text, "progress", "current") == [3, 1]


def test_finished_bar_that_is_printed_twice_is_one_run() -> None:
    text = "\n".join(bar("Loading: ", step, 3) for step in [1, 3, 3])
    assert values(text, "progress", "current") == [3]


def test_bar_without_room() -> None:
    text = "Loading checkpoint shards:  57% 4/7 [00:37<00:28,  9.42s/it]ERROR: failed"
    assert facts(text, "progress", "label", "current", "total") == [{"label": "Loading checkpoint shards", "current": 4, "total": 7}]
    assert not facts("Accuracy: 57% 4/7 of the classes < 0.5", "progress", "label")


def test_ranks_have_their_own_bars() -> None:
    text = "\n".join(f"[rank{rank}]: {bar('eval: ', step + rank, 10)}" for step in range(3) for rank in range(2))
    assert facts(text, "progress", "rank", "current") == [{"rank": 0, "current": 2}, {"rank": 1, "current": 3}]


@pytest.mark.parametrize(
    ("text", "label", "current", "total"),
    [
        ("Loading safetensors shards:  67% Completed | 2/3 [00:03<00:01,  1.5s/it]", "Loading safetensors shards", 2, 3),
        ("  35%|###5      | 73.8G/208G [10:00<20:00, 100MB/s]", "", 73_800_000_000, 208_000_000_000),
        (" 312/1875 [===>..........................] - ETA: 2:41 - loss: 0.44", "", 312, 1875),
        ("1563/1563 ━━━━━━━━━━━━━━━━━━━━ 11s 7ms/step", "", 1563, 1563),
        ("Epoch 3/50:   5%|5         | 5/100 [00:01<00:02,  5.0it/s]", "Epoch", 5, 100),
    ],
)
def test_other_bars(text: str, label: str, current: int, total: int) -> None:
    assert facts(text, "progress", "label", "current", "total") == [{"label": label, "current": current, "total": total}]


@pytest.mark.parametrize("text", ["accuracy 95%|", "3/4 of the memory", "100% done", "| 3/4 |", "2/3 [a]"])
def test_what_is_no_bar(text: str) -> None:
    assert facts(text, "progress") == []


@pytest.mark.parametrize(
    ("text", "name", "parameters"),
    [
        ("loading meta-llama/Llama-2-7b-chat-hf", "Llama-2-7b-chat-hf", 7e9),
        ("4卡如何lora微调LLaMA2 13b的版本", "LLaMA2 13b", 13e9),
        ("Qwen/Qwen2.5-72B-Instruct", "Qwen2.5-72B-Instruct", 72e9),
        ("mistralai/Mixtral-8x7B-v0.1", "Mixtral-8x7B-v0.1", 56e9),
        ("EleutherAI/gpt-neox-20b", "gpt-neox-20b", 20e9),
        ("facebook/opt-6.7b", "opt-6.7b", 6.7e9),
        ("facebook/opt-125m", "opt-125m", 125e6),
        ("微调 13B 模型的时候", "13B", 13e9),
        ("a 70B model on two cards", "70B", 70e9),
        ("Llama 3 8B on one card", "Llama 3 8B", 8e9),
        ("Qwen3-0.6B", "Qwen3-0.6B", 0.6e9),
        ("model='/models/llama2-13b'", "llama2-13b", 13e9),
        ("ollama run deepseek-r1:32b", "deepseek-r1:32b", 32e9),
        ("qwen2.5:72b-instruct-q4_K_M is slow", "qwen2.5:72b-instruct-q4_K_M", 72e9),
    ],
)
def test_models(text: str, name: str, parameters: float) -> None:
    (model,) = facts(text, "model")
    assert model["name"] == name
    assert model["parameters"] == pytest.approx(parameters)


@pytest.mark.parametrize(
    "text",
    [
        "4bit",
        "read 16B",
        "c0d83a4b",
        "0x7b",
        "GB 5B6",
        "12 b",
        "took 3m",
        "a/f5a05b",
        "libcudart-d0da41ae.so",
        "1.5B",
        "gpu:0b",
        "layers:32b",
    ],
)
def test_what_is_no_model(text: str) -> None:
    assert facts(text, "model") == []
