"""Of two machines or releases that a text tells of, the one that fails is the one it is about."""

from __future__ import annotations

import pytest
from parser_support import facts, versions

from triage import explain

FAILS = "\n\nRuntimeError: CUDA error: no kernel image is available for execution on the device\n"
TWO = [
    "It works on A100 with torch 2.1.0 and CUDA 12.1; it fails on V100 with torch 1.13.1 and CUDA 11.7:",
    "Box A (works): torch 2.1.0, CUDA 12.1, A100\nBox B (fails): torch 1.13.1, CUDA 11.7, V100",
    "Working environment:\n- torch 2.1.0\n- CUDA 12.1\n- A100\n\nFailing environment:\n- torch 1.13.1\n- CUDA 11.7\n- V100",
    "On the old node (A100, torch 2.1.0, CUDA 12.1) everything works. On the new one (V100, torch 1.13.1, CUDA 11.7) I get:",
    "On A100 with torch 2.1.0 and CUDA 12.1 it work well; it fails on V100 with torch 1.13.1 and CUDA 11.7:",
    "在A100上（torch 2.1.0，cuda 12.1）训练一切正常，换到V100（torch 1.13.1，cuda 11.7）就报错：",
]


@pytest.mark.parametrize("text", TWO)
def test_the_one_that_fails_wins(text: str) -> None:
    report = explain(text + FAILS).to_dict()
    assert report["diagnoses"][0]["facts"]["gpu_name"] == "V100"
    told = report["environment"]["versions"]
    assert (told["torch"], told["cuda"]) == ("1.13.1", "11.7")


@pytest.mark.parametrize(
    "text",
    [
        "GTX 1650, driver 550.54, nvidia-smi works, yet torch 2.1.0 reports no GPU",  # a command, not a machine
        "With torch 2.1.0 I wonder whether this works?",
        "torch 2.1.0 never works for me",
    ],
)
def test_what_is_told_alone_stays(text: str) -> None:
    assert versions(text)["torch"] == "2.1.0"


@pytest.mark.parametrize(
    "text",
    [
        "before: torch 1.9.0\nafter: torch 1.10.0",
        "Old env: torch==1.9.0\nNew env: torch==1.10.0",
        "Initially I had torch 1.9.0; after the upgrade torch 1.10.0 it fails",
        "原来是torch1.9.0，现在是torch1.10.0",
        "最初安装的是torch1.9.0，网上说torch1.9.1兼容性不好，我就装了torch1.10.0",
        "在自己的机器上（torch1.9.0）可以进行编译并运行，但服务器（torch1.10.0）报错",
        "原环境：torch 1.9.0；新环境：torch 1.10.0",
        "（初始版本：\npython=2.7.14,\ntorch=1.9.0）\n后来升级到torch=1.10.0发生如下错误",
        "The previous environment:\n- torch 1.9.0\n- python 3.7\n\nCurrent environment:\n- torch 1.10.0\n- python 3.9",
        "Works: torch 1.9.0\nFails: torch 1.10.0",
        "torch 1.9.0 no problem, torch 1.10.0 error",
        "The paper uses torch 1.9.0, I use torch 1.10.0",
        "The author uses the version of torch1.9.0, I use torch 1.10.0",
        "- torch 1.9.0, P100: No issue whatsoever\n- torch 1.10.0, V100: fails",
    ],
)
def test_what_came_after_wins(text: str) -> None:
    assert versions(text)["torch"] == "1.10.0"


def test_the_card_that_it_runs_on_is_not_the_one() -> None:
    report = explain("The code runs for me on Nvidia A5000 GPUs. If I try RTX 4090 it does not run:" + FAILS).to_dict()
    assert report["diagnoses"][0]["facts"]["gpu_name"] == "RTX 4090"


def test_the_card_that_one_has_run_it_on_is_not_the_one() -> None:
    report = explain(
        "I successfully ran it on a computer with an RTX 4090; on a computer with an A5000 it gave the error:" + FAILS
    ).to_dict()
    assert report["diagnoses"][0]["facts"]["gpu_name"] == "A5000"


@pytest.mark.parametrize(
    "told",
    [
        "The authors trained with one GTX 1080 Ti. I am using one RTX 2080 Ti and get:",
        "They mention a GTX 1080 Ti, but I have an RTX 2080 Ti:",
        "作者的显存够用（GTX 1080 Ti），我用的是RTX 2080 Ti：",
    ],
)
def test_the_card_that_the_poster_uses_is_the_one(told: str) -> None:
    assert explain(told + FAILS).to_dict()["diagnoses"][0]["facts"]["gpu_name"] == "RTX 2080 Ti"


def test_what_was_there_before_is_known_where_nothing_else_is() -> None:
    assert versions("Before the upgrade I used torch 1.9.0")["torch"] == "1.9.0"


def test_what_was_in_order_before_a_change_is_not_the_card() -> None:
    text = "GTX 1050 after the new driver (398.82): the same setup worked with the old one (391.35)\n\nCUDA error: out of memory"
    assert [card["count"] for card in facts(text, "gpu-name")] == [0]


def test_a_wish_tells_of_its_writers_machine_beside_a_report() -> None:
    wish = (
        "## Feature request\nPlease support offloading. I run on an RTX 3090 with torch 2.1.2.\n\nWe need torch>=2.4 later.\n```\n{}\n```\n"
    )
    report = explain(wish.format("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB")).to_dict()
    assert report["environment"]["versions"]["torch"] == "2.1.2"
    assert [card["gpu_name"] for card in report["environment"]["gpus"]] == ["RTX 3090"]


def test_whose_cuda_a_number_is() -> None:
    told = versions("CUDA: 12.2 (driver), 11.8 (toolkit)")
    assert (told["driver_cuda"], told["toolkit"], told["cuda"]) == ("12.2", "11.8", "11.8")


def test_builds_of_llama_cpp_and_points() -> None:
    assert versions("llama.cpp b3432 on Linux")["llama.cpp"] == "b3432"
    assert versions("build: 3432 (45f2c19c) with cc 11.4.0")["llama.cpp"] == "3432"
    assert versions("CUDA driver: 12.2, CUDA runtime: 11.8")["driver_cuda"] == "12.2"
    assert "torch" not in versions("lines are 1.5 pt wide, text at pt 12.0")
    assert versions("py3.10, pt 2.1, cu121")["torch"] == "2.1"


@pytest.mark.parametrize(
    "text",
    [
        "After upgrading torch from 2.3.0 to 2.4.1 it works.",
        "I upgraded torch from 2.3.0 to 2.4.1. Now it works.",
        "After I upgraded torch from 2.3.0 to 2.4.1, the error is gone.",
        "Fixed by upgrading torch from 2.3.0 to 2.4.1",
        "torch: 2.3.0\n\nThe error is gone after upgrading torch to 2.4.1",
    ],
)
def test_a_release_that_helped_is_not_the_one_that_fails(text: str) -> None:
    assert explain(text + FAILS).to_dict()["environment"]["versions"]["torch"] == "2.3.0"


@pytest.mark.parametrize(
    "text",
    [
        "After upgrading torch from 2.3.0 to 2.4.1 it no longer works",
        "After upgrading torch from 2.3.0 to 2.4.1 the error is not fixed",
        "It worked until I upgraded torch from 2.3.0 to 2.4.1",
        "After updating torch from 2.3.0 to 2.4.1 it worked for a day, then",
    ],
)
def test_a_release_that_did_not_help_fails_too(text: str) -> None:
    assert explain(text + FAILS).to_dict()["environment"]["versions"]["torch"] == "2.4.1"


def test_what_transformers_calls_flash_attention_2_is_no_release() -> None:
    assert "flash-attn" not in versions("ValueError: FalconForCausalLM does not support Flash Attention 2.0 yet.")
    assert versions("Flash Attention 2.5.8 is installed")["flash-attn"] == "2.5.8"


@pytest.mark.parametrize(
    ("text", "package"),
    [
        ("vllm requires nvidia-cutlass-dsl==4.6.0", "nvidia-cutlass-dsl"),
        ("deepspeed requires triton 1.0.0", "triton"),
        ("Install torch version=1.13", "torch"),
    ],
)
def test_what_is_only_asked_for_is_not_installed(text: str, package: str) -> None:
    assert package not in versions(text)


def test_what_was_installed_is() -> None:
    assert versions("I installed torch version=1.13")["torch"] == "1.13"
