"""Product names in fields, tables and sentences, and what only looks like one."""

from __future__ import annotations

import pytest
from parser_support import values

SHORT = ("3090", "4090", "T4", "K80", "1080")
FIELDS = (
    "GPU: {}", "- **GPU**: {}", "| GPU | {} |", "GPU model: {}", "- GPU model and memory: {}, 24GB", "- GPU models and configuration: {}",
    "### GPU\n{}", "### GPU model and memory\n\n{}", "GPU={}", "Hardware: {}", "硬件：{}", "Device: {}", "Device name: {}", "GPU 0: {}",
    "GPU type: {}", "GPU Type : {}", "GPU(s): {}", "显卡型号：{}", "Graphics card: {}", "**GPU:** {}",
)  # fmt: skip


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("name", SHORT)
def test_short_name_in_a_field(field: str, name: str) -> None:
    assert values(field.format(name), "gpu-name", "gpu_name") == [name]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("3090 (24GB)", "3090"),
        ("my PC GPU Model is 3090RTX and then", "3090RTX"),
        ("nvidia mx330 cant run the cuda", "nvidia mx330"),
        ("run version 2.50 on the GPU (1060)", "1060"),
        ("a laptop with Nvidia A2000", "Nvidia A2000"),
        ("NVIDIA T1200 Laptop GPU", "NVIDIA T1200 Laptop GPU"),
        ("runpod AMD 8*mi300", "mi300"),
        ("2 DGX-H100", "H100"),
        ("MacBook Pro M2", "M2"),
        ("v100 32G * 8", "v100 32G"),
        ("v100-32G * 8", "v100-32G"),
        ("3090 24gb *4 should be enough", "3090"),
        ("8×3090(24G)", "3090"),
        ("3090微调llama-7b，显示exits with return code = -7", "3090"),
        ("3090/CUDA 11.8", "3090"),
        ("Tried on 4090 and got OOM", "4090"),
        ("英伟达titanV12G，cuda12.2", "titanV"),
        ("with 4 GTX 1080 Tis", "GTX 1080 Ti"),
        ("- GPU model and memory: Nvidia 920MX , 2 GB", "Nvidia 920MX"),
        ("GPU models and configuration: GeForce mx350, driver 442.53", "GeForce mx350"),
        ("with 4 MI300Xs", "MI300X"),
        ("with two Titan Xs", "Titan X"),
        ("Windows 10\nFirefox\nRadeon pro w5700", "Radeon pro w5700"),
        ("用RX 7900 XTX跑的", "RX 7900 XTX"),
        ("在Jetson Orin Nano上训练", "Jetson Orin Nano"),
        ("My 3090 runs out of memory", "3090"),
        ("Using my T4, it ends", "T4"),
        ("on K40: CUDA error: out of memory", "K40"),
        ("It fails on K80 but not on the CPU", "K80"),
        ("a pair of 3090s", "3090"),
        ("Single L40.", "L40"),
        ("We have a VM with a passed-through L4.", "L4"),
        ("we have L4s", "L4"),
        ("I use 2 T4", "T4"),
        ("I upgraded to 4090 last week", "4090"),
        ("4070 Ti SUPER, cuda 12.1", "4070 Ti SUPER"),
        ("A10, 24G", "A10"),
        ("win10 + 3090", "3090"),
        ("PC: i7-9700K, T4", "T4"),
        ("T4 with driver 535", "T4"),
        ("Using T4 for training.", "T4"),
        ("- K80", "K80"),
        ("Radeon Pro Vega 20 4 GB", "Radeon Pro Vega 20"),
        ("I upgraded to a 5090", "5090"),
        ("my new 4090", "4090"),
        ("Graphics card 4090", "4090"),
        ("graphics card is 4090", "4090"),
        ("GPU - 3060", "3060"),
        ("my small GPU (Nvidia 970)", "Nvidia 970"),
        ("My GPU 750m has 2GB memory", "750m"),
        ("Nvidia 940mx 4GB", "Nvidia 940mx"),
        ("The 760m supports cuda 10.2.", "760m"),
        ("my 980 have 4G MEMORY, but it still report out of memory", "980"),
        ("笔记本3060", "3060"),
        ("租的4090", "4090"),
        ("本地3090", "3090"),
        ("环境：3090", "3090"),
        ("GPU is Nvidia RTX A3000 12GB Laptop.", "Nvidia RTX A3000 12GB Laptop"),
        ("NVIDIA Jetson AGX Orin 64GB", "NVIDIA Jetson AGX Orin 64GB"),
        ("Setup: T4", "T4"),
        ("VGA: 3090", "3090"),
        ("GPU0: 3090", "3090"),
        ("4090服务器", "4090"),
        ("换成T4后报错", "T4"),
        ("24G的T4", "T4"),
        ("3090 + CUDA 12.1", "3090"),
        ("we train on an A100 80G", "A100 80G"),
        ("on a100 80g I get an error", "a100 80g"),
        ("Recently upgraded to a RTX 5090", "RTX 5090"),
    ],
)
def test_name_in_a_sentence(text: str, name: str) -> None:
    assert values(text, "gpu-name", "gpu_name") == [name]


def test_memory_beside_a_name() -> None:
    assert values("an RTX 2080 Ti graphic card with 22G VRAM", "gpu-name", "capacity_bytes") == [22 * 2**30]
    assert values("RTX 4090 with 24GRAM", "gpu-name", "capacity_bytes") == [24 * 2**30]
    assert values("an RTX 3090 card with 64GB RAM", "gpu-name", "capacity_bytes") == [None]
    assert values("### GPU model\n\nRTX 2060\n\n### GPU VRAM\n\n12GB\n", "gpu-name", "capacity_bytes") == [12 * 2**30]


def test_example_that_a_service_lends() -> None:
    assert values("It still tries flash_attn on older GPUs e.g. T4 on Kaggle", "gpu-name", "count") == [0]
    assert values("It needs newer GPUs, e.g. T4 or so", "gpu-name", "count") == [None]
    assert values("- Device (e.g. iPhone 12 Pro, PC+RTX 3090, ...):RTX2060 6G", "gpu-name", "count") == [None, 0]
    assert values("在3090可以运行，但切换到4090上就报错", "gpu-name", "count") == [None, 0]
    assert values("在3090可以运行吗？", "gpu-name", "count") == [0]


@pytest.mark.parametrize(
    "text",
    [
        "my 3090 images",
        "The 760m model on a GPU",
        "my 980 images",
        "GPU 770M parameters",
        "770 GPU hours",
        "listening on 4090, waiting",
        "epoch: 3090",
        "port: 4090",
        "step 1080: loss",
        "device: 0",
        "hardware: 4090 units sold",
        "cards: 1060 of them",
        "my GPU fails on 1080*1920 frames",
        "my GPU fails on 1920 x 1080 frames",
    ],
)
def test_number_in_another_field(text: str) -> None:
    assert values(text, "gpu-name", "gpu_name") == []


def test_short_number_of_a_card_named_in_full() -> None:
    card = "NVIDIA GeForce RTX 2070 SUPER"
    assert values(f"{card}\nmy 2070 runs out of memory", "gpu-name", "gpu_name") == [card]
    assert values(f"{card}\nmy 3090 runs out of memory", "gpu-name", "gpu_name") == [card, "3090"]


def test_short_names_in_brackets_and_beside_any_software() -> None:
    assert values("Fine-tuning the small model (T4) stops with this", "gpu-name", "gpu_name") == ["T4"]
    assert values("spark-rapids 23.06, T4", "gpu-name", "gpu_name") == ["T4"]
    assert values("torch 1.4 with a K40c", "gpu-name", "gpu_name") == ["K40c"]
    assert values("see figure (L4) and table 2", "gpu-name", "gpu_name") == []


@pytest.mark.parametrize("name", ["NVIDIA A2", "MTT S4000", "NVIDIA RTX 4000 SFF Ada Generation"])
def test_names_that_few_cards_have(name: str) -> None:
    assert name in values(f"GPU: {name}\n", "gpu-name", "gpu_name")


@pytest.mark.parametrize(
    "text",
    [
        "INPUT shape is fine\nEvaluation  [ 910/2007]  eta: 1:27:31    time: 6.1547",
        "we move on to NPU cards next month\nstep 910, loss 1.81",
    ],
)
def test_three_digits_of_a_step_are_no_card(text: str) -> None:
    assert "910" not in values(text, "gpu-name", "gpu_name")


@pytest.mark.parametrize("text", ["华为910多卡失败", "八张910上训练报错", "HCCL fails on two 910 cards"])
def test_three_digits_beside_the_word_of_their_maker_are_a_card(text: str) -> None:
    assert values(text, "gpu-name", "gpu_name") == ["910"]


def test_a_small_memory_beside_a_bare_number() -> None:
    assert values("i have 1050 4gb vram", "gpu-name", "gpu_name") == ["1050"]
    assert not values("the picture is 1080 4GB large", "gpu-name", "gpu_name")
