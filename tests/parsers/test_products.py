"""Product names in fields, tables and sentences, and what only looks like one."""

from __future__ import annotations

import pytest
from parser_support import values

SHORT = ("3090", "4090", "T4", "K80", "1080")
FIELDS = (
    "GPU: {}", "- **GPU**: {}", "| GPU | {} |", "GPU model: {}", "- GPU model and memory: {}, 24GB", "- GPU models and configuration: {}",
    "### GPU\n{}", "### GPU model and memory\n\n{}",
    "What GPU are you using?\n{}", "GPU={}", "Hardware: {}", "硬件：{}", "Device: {}", "Device name: {}", "GPU 0: {}",
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
        ("gpu: 1060 6gb", "1060"),
        ("我用1060跑", "1060"),
        ("用的是1060 3g", "1060"),
        ("with my old 1070 and this build", "1070"),
        ("using a 1660, it fails", "1660"),
        ("a laptop with Nvidia A2000", "Nvidia A2000"),
        ("NVIDIA T1200 Laptop GPU", "NVIDIA T1200 Laptop GPU"),
        ("runpod AMD 8*mi300", "mi300"),
        ("2 DGX-H100", "H100"),
        ("训练机器：4x8H800 80G", "H800"),
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
        ("train on 4090 gives OOM", "4090"),
        ("using 3080 to train", "3080"),
        ("run on 3080 with batch size 1", "3080"),
        ("on 3080 and 2080", "3080"),
        ("RTX  3080", "RTX  3080"),
        ("TITAN_Xp", "TITAN_Xp"),
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


@pytest.mark.parametrize("name", ["NVIDIA A2", "MTT S4000", "MLU370-X8", "BI-V150", "K100_AI", "NVIDIA RTX 4000 SFF Ada Generation"])
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


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("on one A100 80GB card", "A100 80GB"),
        ("two V100 32G, tp 2", "V100 32G"),
        ("| 0| [level_zero:gpu:0]|  Intel Arc A310 LP Graphics|  1.6|  96|", "Intel Arc A310 LP Graphics"),
        ("on 2x Intel Arc B70 Pro, 32 GB each", "Intel Arc B70 Pro"),
        ("GPU: AMD ATI Radeon RX 5700 XT", "AMD ATI Radeon RX 5700 XT"),
        ("GPU: Intel Arc Pro B60 Graphics", "Intel Arc Pro B60 Graphics"),
        ("CUDA out of memory with 3070 + something else", "3070"),
        ("what is the requirement for 3090?", "3090"),
        ("RuntimeError: x\nSwapped the 4070 for a 5090, same install", "5090"),
        ("\u4e24\u53f0\u673a\u5668\u6bcf\u53f0\u516b\u5f20910B\u7684\u5361", "910B"),
        ("8 x H100-SXM5-80GB", "H100-SXM5-80GB"),
        ("my RTX 3090", "RTX 3090"),
        ("four titan xp cards", "titan xp"),
        ("3090ti+cuda12.1,torch2.5.1", "3090ti"),
        ("my card is an Nvidia 3070 mobile..", "Nvidia 3070 mobile"),
        ("ram, amd 9070 XT gpu", "amd 9070 XT"),
        ("GPU-TeslaP100", "TeslaP100"),
        ("a nvidia gt970m", "nvidia gt970m"),
        ("\u6211\u662fGTX1650 TI\u7684\u663e\u5361", "GTX1650 TI"),
        ("a nvidia geforce 635m", "nvidia geforce 635m"),
        ("name='NVIDIA A100 80GB PCIe MIG 3g.40gb', total", "NVIDIA A100 80GB PCIe MIG 3g.40gb"),
        ("work environment\uff1a2080TI", "2080TI"),
        ("a GTx 1070 GPU", "GTx 1070"),
        ("my GPU is an MI-210", "MI-210"),
        ("GPU: RTX 3060 Laptop", "RTX 3060 Laptop"),
        ("on a Jetson Xavier NX", "Jetson Xavier NX"),
        ("a jetson tx2 board", "jetson tx2"),
        ("the card: Radeon VII", "Radeon VII"),
        ("NVIDIA MX150", "NVIDIA MX150"),
        ("Tesla C2075", "Tesla C2075"),
        ("a GeForce GTX 1080 Ti", "GeForce GTX 1080 Ti"),
        ("NVIDIA GeForce RTX 4070 Laptop GPU", "NVIDIA GeForce RTX 4070 Laptop GPU"),
        ("Your Tesla P100-PCIE-16GB GPU has compute capability", "Tesla P100-PCIE-16GB"),
        ("V100-SXM2-32GB", "V100-SXM2-32GB"),
        ("在一张A800上", "A800"),
        ("NVIDIA L40S", "NVIDIA L40S"),
        ("a GPU of type T4", "T4"),
        ("an A10G instance", "A10G"),
        ("GB200 NVL72", "GB200"),
        ("8 H200 GPUs", "H200"),
        ("AMD Instinct MI250X", "AMD Instinct MI250X"),
        ("Jetson AGX Orin", "Jetson AGX Orin"),
        ("Quadro RTX 8000", "Quadro RTX 8000"),
        ("NVIDIA RTX A6000", "NVIDIA RTX A6000"),
        ("RTX 6000 Ada Generation", "RTX 6000 Ada Generation"),
        ("NVIDIA TITAN X (Pascal)", "NVIDIA TITAN X (Pascal)"),
        ("I have two 3090s, is my memory enough for it?", "3090"),
        ("我用两张3090训练模型，报错了。", "3090"),
        ("这边是两个3090GPU，只用了一张。", "3090"),
        ("when i run in 24GB 4090:\nRuntimeError: x", "4090"),
        ("四张24GB显存的4090lora微调还是爆显存。", "4090"),
        ("- python3.9\n- 4090 24G显存\n", "4090"),
        ("3090 24G，训练被 kill", "3090"),
        ("4090 上训练", "4090"),
        ("4090 24g", "4090"),
        ("5090 issue with CUDA: RuntimeError: x", "5090"),
        ("CuFFT on RTX6000 ADA", "RTX6000 ADA"),
        ("NVIDIA Corporation GP106 [GeForce GTX 1060 6GB] (rev a1)", "GeForce GTX 1060 6GB"),
        ("请问 4090报错怎么办", "4090"),
        ("It cannot run on an A40", "A40"),
        ("no kernel image\n\n(5090)\n", "5090"),
        ("I run the example on a 3080 Ti and it stops.", "3080 Ti"),
        ("Two of our workers share one T4, each with its own session.", "T4"),
        ("GeForce GTX TITAN X", "GeForce GTX TITAN X"),
        ("Nvidia P6000", "Nvidia P6000"),
        ("NVIDIA A10-24Q", "NVIDIA A10-24Q"),
        ("8*A30-24G, 196G in all", "A30-24G"),
        ("AMD Radeon RX 7900 XTX", "AMD Radeon RX 7900 XTX"),
        ("Intel Arc A770", "Intel Arc A770"),
        ("runs on a B580 since then", "B580"),
        ("pytorch with an arc a770", "arc a770"),
        ("It fails on 4× NVIDIA L4.", "NVIDIA L4"),
        ("GPU: NVIDIA L40s (48GB VRAM) x 2", "NVIDIA L40s"),
        ("My card is a Geforce 920M, is it too old?", "Geforce 920M"),
        ("name: Quadro M2000M", "Quadro M2000M"),
        ("设备情况GPU3090Ti，运行内存剩余30G+", "3090Ti"),
        ("GPU:1060Ti", "1060Ti"),
        ("笔记本电脑显卡是1050ti，训练时报错", "1050ti"),
        ("CUDA out of memory on a100 (80G)", "a100"),
        ("I run it on a 4090D with 24GB", "4090D"),
        ("8xA100 80G", "A100 80G"),
        ("A100x8", "A100"),
        ("three A100s with 80GB", "A100"),
        ("NVIDIA H20-3e", "NVIDIA H20-3e"),
        ("9070XT here", "9070XT"),
        ("AMD Radeon(TM) 890M Graphics", "AMD Radeon(TM) 890M Graphics"),
        ("AMD Radeon AI PRO R9700", "AMD Radeon AI PRO R9700"),
        ("AMD W6800", "AMD W6800"),
        ("Intel(R) Arc(TM) A770 Graphics", "Intel(R) Arc(TM) A770 Graphics"),
        ("GRID A100-10C", "GRID A100-10C"),
        ("NVIDIA GH200 480GB", "NVIDIA GH200 480GB"),
        ("an Xavier NX board", "Xavier NX"),
        ("4090*2", "4090"),
        ("OS: Ubuntu\nGPU 4090 *\n", "4090"),
        ("Nvidia P102\n", "Nvidia P102"),
        ("it runs on a P104-100", "P104-100"),
        ("Nvida 3090", "Nvida 3090"),
        ("\u73af\u5883\uff1ap4\u5361\u3001cuda8.0", "p4"),
        ("\u7528a10\u663e\u5361", "a10"),
        ("8\u5f204090", "4090"),
        ("NVIDIA\u00ae GeForce RTX\u2122 4090", "NVIDIA\u00ae GeForce RTX\u2122 4090"),
        ("nvidia.com/gpu.product=NVIDIA-A100-SXM4-80GB", "NVIDIA-A100-SXM4-80GB"),
        ("GTX 1660S", "GTX 1660S"),
        ("GPU:1660   tensorflow-GPU=1.6", "1660"),
        ("CUDA 10.1 runtime with gt650m", "gt650m"),
        ("1660 就报错", "1660"),
        ("VGA：GeforceRTX3060　12GB", "GeforceRTX3060"),
        ("我有一个3060和一个4070，都报了这个错误", "3060"),
        ("以前用RTX2060都没有这个问题，换了3060后反而更容易爆显存", "3060"),
        ("видеокарта 3060", "3060"),
        ("CUDA: R5 5600X/3070Ti/DDR4 64G", "3070Ti"),
        ("3090两张", "3090"),
        ("Tesla k20c / Ubuntu", "Tesla k20c"),
        ("NVIDIA GeForce 940 MX.", "NVIDIA GeForce 940 MX"),
        ("jetpack 4.6 on Xavier Nx", "Xavier Nx"),
        ("an nvidia 1080 TI gpu", "nvidia 1080 TI"),
        ("Ascend 910B3", "Ascend 910B3"),
        ("The code is running on 2 NVIDIA 3090 GPUs.", "NVIDIA 3090"),
        ("- GPU: 2070S", "2070S"),
        ("I am working on Tesla K40, 12 GB", "Tesla K40"),
        ("the second trial of a tuning run on 8xV100.", "V100"),
        ("There is my info:\nGPU:3080\nDriver:455", "3080"),
        ("Is there a way on a 2080 Ti?", "2080 Ti"),
        ("Nvidia GeForce RTX 3050 laptop GPU", "Nvidia GeForce RTX 3050 laptop GPU"),
        ("it fails at random on an Nvidia Spark", "Nvidia Spark"),
        ("It is a laptop 1070 that I use.", "1070"),
        ("External 5090 that I use here, on a cable.", "5090"),
        ("M1 Max with 64 GB, the script fails.", "M1 Max"),
        ("It ran on an Apple M2.", "Apple M2"),
        ("01:00.0 3D controller: NVIDIA Corporation TU106M [GeForce RTX 2060 Mobile] (rev a1)", "GeForce RTX 2060 Mobile"),
        ("GPU: NVIDIA GeForce RTX 3070 Lite Hash Rate", "NVIDIA GeForce RTX 3070 Lite Hash Rate"),
        ("### Hardware: GPU\n\n3090\n\n### Describe the bug\n", "3090"),
        ("### What GPU / hardware type are you using?\n\n3090, intel cpu\n", "3090"),
        ("GPU: NVIDIA GeForce RTX 5090 D V2", "NVIDIA GeForce RTX 5090 D V2"),
        ("We train it on a t4 in Colab.", "t4"),
        ("on two p100s", "p100"),
        ("a GeForce 9600 GT with 512 MB", "GeForce 9600 GT"),
        ("Fails on an A10.", "A10"),
        ("T4 16G", "T4"),
        ("GPU model and memory: GV100", "GV100"),
        ("GPU model and memory: NVidia GEForce 940MX 2GB", "NVidia GEForce 940MX"),
        ("GPU: Pascal Titan-X (CUDA compute capability 6.1)", "Titan-X"),
        ("RuntimeError: x\nUbuntu 20.04, GPU 4090", "4090"),
        ("the same on a 3090, not elsewhere:", "3090"),
        ("RuntimeError: x\n3090\uff0ccuda11.8", "3090"),
        ("RuntimeError: x\ntorch 2.8.0, 4090", "4090"),
        ("cuda11.8 3090 torch2.0", "3090"),
        ("\u6211\u7528\u7684\u662f3060\uff0c", "3060"),
    ],
)
def test_product_names(text: str, name: str) -> None:
    assert name in values(text, "gpu-name", "gpu_name")


@pytest.mark.parametrize(
    "text",
    [
        "commit A1000b2",
        "a loss of 3090 at the end",
        "/data/A100/x",
        "line L4",
        "shape P40",
        "0xA100",
        "step 3090 of 4000",
        "GPU memory 1080 MiB",
        "on my 1080 display",
        "using a 1080 pixel frame",
        "my 1060 images",
        "step 1060 6g left",
        "the GPU 1080 Hz clock",
        "version A10.1",
        "object at a100",
        "size 1920x1080, 24GB",
        "3D controller: NVIDIA Corporation GV100GL (rev a1)",
        "AMD Ryzen 9 5900X",
        "GRE 7000 words",
        "torch 2.1, batch 3090 images",
        "GPU 3090 MiB of 4000 MiB",
        "cuda 11.8 step 3090 loss 0.2",
        "INFO torch 2.1.0 port: 3090",
        "torch 2.1.0, seed = 3090",
        "\u6211\u75283090\u5f20\u56fe\u7247\u8bad\u7ec3",
        "M2 of the form",
        "bf16 is only supported on A100+ GPUs",
        "only supported on CUDA devices with compute capability >= 9.0 or 8.9, or ROCm MI300+",
    ],
)
def test_what_is_no_product(text: str) -> None:
    assert values(text, "gpu-name", "gpu_name") == []


@pytest.mark.parametrize(
    "text",
    [
        "The authors used A100 in their paper, and mine is a T4.",
        "In the paper you said you used A100. I have one T4.",
        "They trained it on A100; I run it with one T4.",
    ],
)
def test_the_card_of_others(text: str) -> None:
    names = zip(values(text, "gpu-name", "gpu_name"), values(text, "gpu-name", "count"), strict=True)
    assert [name for name, count in names if count == 0] == ["T4"]


@pytest.mark.parametrize(
    "text",
    [
        "with 4090 for training and 500 for testing",
        "on 2080 and 3090 samples",
        "trained on 4090 images",
        "checkpoint 2080 with loss 1.2",
    ],
)
def test_numbers_of_data(text: str) -> None:
    assert values(text, "gpu-name", "gpu_name") == []
