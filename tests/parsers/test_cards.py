"""How many GPUs the machine at hand has, as people tell it, and whose GPUs are another's."""

from __future__ import annotations

import pytest
from parser_support import facts, values


@pytest.mark.parametrize(
    ("text", "count", "name"),
    [
        ("我用 4 张 3090 训练，报错 OOM", 4, "3090"),
        ("4张24G的3090，训练时报错", 4, "3090"),
        ("显卡是 4 张 A100 80G，驱动 535", 4, "A100 80G"),
        ("I train on 8xA100 and get an error", 8, "A100"),
        ("8×A100，启动报错", 8, "A100"),
        ("It hangs with two RTX 4090s", 2, "RTX 4090"),
        ("We serve it with 4 A100 GPUs", 4, "A100"),
        ("Hardware: A800 * 4", 4, "A800"),
        ("A100 80G x 4", 4, "A100 80G"),
        ("2080Ti*8", 8, "2080Ti"),
        ("机器：8H800", 8, "H800"),
        ("A cluster of H100x8", 8, "H100"),
        ("3090（4张），显存溢出", 4, "3090"),
        ("V100 双卡训练报错", 2, "V100"),
        ("a pair of 3090s", 2, "3090"),
        ("on a node of 8 GPUs (NVIDIA A100)", 8, "NVIDIA A100"),
        ("单张3090训练报错", 1, "3090"),
        ("2x NVIDIA RTX A6000, vllm 0.6.1", 2, "NVIDIA RTX A6000"),
    ],
)
def test_count_beside_a_name(text: str, count: int, name: str) -> None:
    assert facts(text, "told-cards", "count", "gpu_name") == [{"count": count, "gpu_name": name}]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("We serve it on 4 GPUs and get an error.", 4),
        ("I have two GPUs and the second one is idle.", 2),
        ("单机八卡训练时卡住了", 8),
        ("用双卡微调时报错", 2),
        ("用 8张卡 训练时报错", 8),
        ("GPU数量：4，训练报错", 4),
    ],
)
def test_count_without_a_name(text: str, count: int) -> None:
    assert facts(text, "told-cards", "count", "gpu_name") == [{"count": count}]


@pytest.mark.parametrize(
    "text",
    [
        "The paper used 8 A100s, and I get an error.",
        "官方用 8 张 A100 训练，我这边报错",
        "需要 8 张 A100 吗？",
        "Are 4 A100 enough to train it?",
        "it requires 8xH100",
        "torch 2.1 A100",
        "PyTorch 2 A100",
        "at step 3 A100 fails",
        "4090 卡住了，没有报错",
        "训练卡在这里不动",
        "第3卡报错",
        "an image of 4090 x 1920",
        "it took 8 GPU hours to train",
        "for i in range(2): gpus = 4",
    ],
)
def test_no_count_of_the_machine_at_hand(text: str) -> None:
    assert values(text, "told-cards", "count") == []


def test_other_machine_where_all_is_well() -> None:
    assert values("It works fine on 2 A100. On 4 L40S it fails.", "told-cards", "count") == [4]


def test_count_with_a_name_goes_before_those_without() -> None:
    assert values("Training on 4 GPUs fails. The machine has 8 A100s.", "told-cards", "count") == [8]


@pytest.mark.parametrize(("value", "count"), [("0,1,2,3", 4), ("10,11", 2), ("3", 1), ("MIG-4a2b,MIG-77cd", 2), ("NoDevFiles", None)])
def test_devices_that_a_list_names(value: str, count: int | None) -> None:
    assert values(f"export CUDA_VISIBLE_DEVICES={value}", "setting", "count") == [count]
