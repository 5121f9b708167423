"""GPUs of tables, of messages, and product names anywhere."""

from __future__ import annotations

import pytest
from parser_support import facts, values

MIB = 1 << 20

NEW_TABLE = """+-----------------------------------------------------------------------------------------+
| NVIDIA-SMI 550.54.15              Driver Version: 550.54.15      CUDA Version: 12.4     |
|-----------------------------------------+------------------------+----------------------+
| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |
| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |
|                                         |                        |               MIG M. |
|=========================================+========================+======================|
|   0  NVIDIA A100-SXM4-80GB          On  |   00000000:01:00.0 Off |                    0 |
| N/A   32C    P0             66W /  400W |    1234MiB /  81920MiB |     37%      Default |
|                                         |                        |             Disabled |
+-----------------------------------------+------------------------+----------------------+
|   1  NVIDIA A100-SXM4-80GB          On  |   00000000:41:00.0 Off |                    0 |
| N/A   31C    P0             60W /  400W |   81000MiB /  81920MiB |      0%      Default |
|                                         |                        |             Disabled |
+-----------------------------------------+------------------------+----------------------+

+-----------------------------------------------------------------------------------------+
| Processes:                                                                              |
|  GPU   GI   CI        PID   Type   Process name                              GPU Memory |
|=========================================================================================|
|    1   N/A  N/A    123456      C   /opt/conda/bin/python3                      80990MiB |
+-----------------------------------------------------------------------------------------+
"""

OLD_TABLE = """+-----------------------------------------------------------------------------+
| NVIDIA-SMI 418.67       Driver Version: 410.79       CUDA Version: 10.0     |
|-------------------------------+----------------------+----------------------+
|   0  Tesla V100-SXM2...  On   | 00000000:00:1E.0 Off |                    0 |
| N/A   42C    P0    36W / 300W |   4512MiB / 16130MiB |      5%      Default |
+-------------------------------+----------------------+----------------------+
|  GPU       PID   Type   Process name                             Usage      |
|    0     12345      C   python                                      4500MiB |
+-----------------------------------------------------------------------------+
"""

WINDOWS_TABLE = """| NVIDIA-SMI 576.88                 Driver Version: 576.88         CUDA Version: 12.9     |
|   0  NVIDIA GeForce RTX 5060      WDDM  |   00000000:01:00.0  On |                  N/A |
|  0%   45C    P8              9W /  145W |    2590MiB /   8151MiB |      1%      Default |
|    0   N/A  N/A            7340    C+G   ...ntrolPanel\\SystemSettings.exe      N/A      |
"""


COMFY_PANEL = """Devices
Name
cuda:0 NVIDIA GeForce RTX 3090 : cudaMallocAsync
{}
cuda
{}
23.68 GB
{}
22.9 GB
"""


@pytest.mark.parametrize(
    "words", [("Type", "VRAM Total", "VRAM Free"), ("类型", "总数 VRAM", "可用 VRAM"), ("Type:", "VRAM Total:", "VRAM Free:")]
)
def test_page_about_the_system_of_comfyui(words: tuple[str, str, str]) -> None:
    (gpu,) = facts(COMFY_PANEL.format(*words), "gpu", "gpu", "gpu_name", "capacity_bytes", "free_bytes")
    assert gpu["gpu"] == 0
    assert gpu["gpu_name"] == "NVIDIA GeForce RTX 3090"
    assert gpu["capacity_bytes"] == round(23.68 * 2**30)
    assert gpu["free_bytes"] == round(22.9 * 2**30)


def test_list_of_the_devices_of_comfyui() -> None:
    text = "- cuda:0 NVIDIA GeForce RTX 3060 : cudaMallocAsync (cuda)\n  VRAM Total: 12 GB\n  VRAM Free: 10.5 GB\n  Torch VRAM Total: 0 B\n"
    (gpu,) = facts(text, "gpu", "gpu", "gpu_name", "capacity_bytes", "free_bytes")
    assert gpu == {"gpu": 0, "gpu_name": "NVIDIA GeForce RTX 3060", "capacity_bytes": 12 * 2**30, "free_bytes": round(10.5 * 2**30)}


def test_line_of_a_program_about_its_card() -> None:
    (gpu,) = facts("GPU 0 (NVIDIA GeForce RTX 3070) Memory: 8191.375 MiB", "gpu", "gpu", "gpu_name", "capacity_bytes")
    assert gpu == {"gpu": 0, "gpu_name": "NVIDIA GeForce RTX 3070", "capacity_bytes": round(8191.375 * MIB)}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("I train on oneRTX3090", ["RTX3090"]),
        ("twoRTX 4090, useGTX1080", ["RTX 4090", "GTX1080"]),
        ("withTesla T4 it fails", ["Tesla T4"]),
        ("fooRTX3090bar and myRTX_config.yaml", []),
        ("see theRTX4090_log.txt", []),
    ],
)
def test_name_stuck_to_a_word(text: str, names: list[str]) -> None:
    assert values(text, "gpu-name", "gpu_name") == names


def test_table_that_was_cut() -> None:
    head = "\n".join(WINDOWS_TABLE.splitlines()[:2])
    assert facts(head, "gpu", "gpu", "gpu_name", "pci") == [{"gpu": 0, "gpu_name": "NVIDIA GeForce RTX 5060", "pci": "00000000:01:00.0"}]


def test_name_that_was_cut_within_the_form_of_the_board() -> None:
    row = "| NVIDIA-SMI 470.82.01    Driver Version: 470.82.01    CUDA Version: 11.4     |\n"
    row += "|===============================+======================+======================|\n"
    row += "|   0  Tesla V100S-PCI...  Off  | 00000000:3B:00.0 Off |                    0 |\n"
    row += "| N/A   36C    P0    26W / 250W |      0MiB / 32510MiB |      0%      Default |\n"
    assert values(row, "gpu", "gpu_name") == ["Tesla V100S"]


def test_table() -> None:
    assert facts(NEW_TABLE, "gpu", "gpu", "gpu_name", "pci", "capacity_bytes", "free_bytes", "utilization", "temperature") == [
        {
            "gpu": 0,
            "gpu_name": "NVIDIA A100-SXM4-80GB",
            "pci": "00000000:01:00.0",
            "capacity_bytes": 81920 * MIB,
            "free_bytes": (81920 - 1234) * MIB,
            "utilization": 0.37,
            "temperature": 32,
        },
        {
            "gpu": 1,
            "gpu_name": "NVIDIA A100-SXM4-80GB",
            "pci": "00000000:41:00.0",
            "capacity_bytes": 81920 * MIB,
            "free_bytes": (81920 - 81000) * MIB,
            "utilization": 0.0,
            "temperature": 31,
        },
    ]
    assert [str(version) for version in values(NEW_TABLE, "gpu", "driver_version")] == ["550.54.15"] * 2
    assert facts(NEW_TABLE, "gpu-process", "gpu", "pid", "process_bytes", "name") == [
        {"gpu": 1, "pid": 123456, "process_bytes": 80990 * MIB, "name": "/opt/conda/bin/python3"}
    ]


def test_old_table() -> None:
    assert facts(OLD_TABLE, "gpu", "gpu_name", "capacity_bytes") == [{"gpu_name": "Tesla V100-SXM2", "capacity_bytes": 16130 * MIB}]
    assert facts(OLD_TABLE, "gpu-process", "pid", "process_bytes") == [{"pid": 12345, "process_bytes": 4500 * MIB}]


def test_table_of_2014() -> None:
    text = """| NVIDIA-SMI 5.325.15   Driver Version: 325.15         |
|   0  GeForce GTX 680     Off  | 0000:03:00.0     N/A |                  N/A |
| 30%   29C  N/A     N/A /  N/A |        9MB /  4095MB |     N/A      Default |
| Compute processes:                                               GPU Memory |
|    0     12345  python                                              4961MB  |
"""
    assert values(text, "gpu", "gpu_name") == ["GeForce GTX 680"]
    assert values(text, "gpu", "capacity_bytes") == [4095 * MIB]
    assert values(text, "gpu-process", "process_bytes") == [4961 * MIB]


def test_table_of_windows() -> None:
    assert values(WINDOWS_TABLE, "gpu", "gpu_name") == ["NVIDIA GeForce RTX 5060"]
    assert facts(WINDOWS_TABLE, "gpu-process", "pid", "process_bytes") == [{"pid": 7340}]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("GPU 0: Tesla V100-SXM2-32GB", {"gpu": 0, "gpu_name": "Tesla V100-SXM2-32GB"}),
        (
            "GPU 3: NVIDIA A100-SXM4-40GB (UUID: GPU-1f2e3d4c-aaaa-bbbb-cccc-123456789abc)",
            {"gpu": 3, "gpu_name": "NVIDIA A100-SXM4-40GB", "uuid": "GPU-1f2e3d4c-aaaa-bbbb-cccc-123456789abc"},
        ),
        (
            "device: 1, name: NVIDIA GeForce RTX 3090, pci bus id: 0000:41:00.0, compute capability: 8.6",
            {"gpu": 1, "gpu_name": "NVIDIA GeForce RTX 3090", "pci": "0000:41:00.0", "capability": "8.6"},
        ),
        (
            "  Device 0: NVIDIA GeForce RTX 3090, compute capability 8.6, VMM: yes",
            {"gpu": 0, "gpu_name": "NVIDIA GeForce RTX 3090", "capability": "8.6"},
        ),
        (
            "Please NOTE: device: 0, GPU Compute Capability: 7.5, Driver API Version: 12.2, Runtime API Version: 11.8",
            {"gpu": 0, "capability": "7.5"},
        ),
        (
            "[h264_nvenc @ 0x55d5a0] [ GPU #1 - < NVIDIA GeForce GTX 1050 Ti > has Compute SM 6.1 ]",
            {"gpu": 1, "gpu_name": "NVIDIA GeForce GTX 1050 Ti", "capability": "6.1"},
        ),
        (
            "gst_create_cucontext: GPU #0 supports NVENC: yes (NVIDIA GeForce RTX 4060) (Compute SM 8.9)",
            {"gpu": 0, "gpu_name": "NVIDIA GeForce RTX 4060", "capability": "8.9"},
        ),
        (
            "06:50:08:CUDA Device 0: Platform:0 Device:0 Bus:0 Slot:5 Compute:6.1 Driver:11.0",
            {"gpu": 0, "capability": "6.1"},
        ),
        (
            " 1 : compute_capability = 610, cudnn_half = 0, GPU: TITAN Xp",
            {"gpu": 1, "gpu_name": "TITAN Xp", "capability": "6.1"},
        ),
        (
            "Found device 0 with properties: \npciBusID: 0000:01:00.0 name: GeForce RTX 2070 computeCapability: 7.5\n"
            "coreClock: 1.62GHz coreCount: 36 deviceMemorySize: 8.00GiB deviceMemoryBandwidth: 417.29GiB/s",
            {"gpu": 0, "gpu_name": "GeForce RTX 2070", "capability": "7.5", "capacity_bytes": 8 << 30},
        ),
        (
            "Found device 1 with properties: \nname: GeForce GTX 1080 major: 6 minor: 1 memoryClockRate(GHz): 1.73\npciBusID: 0000:0a:00.0",
            {"gpu": 1, "gpu_name": "GeForce GTX 1080", "capability": "6.1"},
        ),
        (
            "Found device 0 with properties: \nname: GeForce GTX 1080 major: 6 minor: 1 memoryClockRate(GHz): 1.73\n"
            "pciBusID: 0000:0a:00.0\ntotalMemory: 8.00GiB freeMemory: 7.50GiB",
            {"gpu": 0, "gpu_name": "GeForce GTX 1080", "capability": "6.1", "capacity_bytes": 8 << 30, "free_bytes": 15 << 29},
        ),
        (
            "Found device 0 with properties: \nname: GeForce GTX TITAN X\nmajor: 5 minor: 2 memoryClockRate (GHz) 1.076\n"
            "pciBusID 0000:06:00.0\nTotal memory: 12.00GiB\nFree memory: 512.00MiB",
            {"gpu": 0, "gpu_name": "GeForce GTX TITAN X", "capability": "5.2", "capacity_bytes": 12 << 30, "free_bytes": 1 << 29},
        ),
        (
            "Found device 0 with properties: \npciBusID: 0000:03:00.0 name: Vega 20     ROCm AMD GPU ISA: gfx906\n"
            "coreClock: 1.801GHz coreCount: 60 deviceMemorySize: 15.98GiB deviceMemoryBandwidth: -1B/s",
            {"gpu": 0, "gpu_name": "Vega 20", "capability": "gfx906", "capacity_bytes": 17158394348},
        ),
        (
            "YOLO torch 1.12.1 CUDA:0 (Tesla T4, 15110MiB)",
            {"gpu": 0, "gpu_name": "Tesla T4", "capacity_bytes": 15110 * MIB},
        ),
        (
            "  Device 1: AMD Radeon 740M Graphics, gfx1103 (0x1103), VMM: no, Wave Size: 32, VRAM: 15594 MiB",
            {"gpu": 1, "gpu_name": "AMD Radeon 740M Graphics", "capability": "gfx1103", "capacity_bytes": 15594 * MIB},
        ),
        (
            "_CudaDeviceProperties(name='NVIDIA GeForce RTX 3090', major=8, minor=6, total_memory=24260MB)",
            {"gpu": 0, "gpu_name": "NVIDIA GeForce RTX 3090", "capability": "8.6", "capacity_bytes": 24260 * MIB},
        ),
        (
            'Device 0: "NVIDIA L4"\n  CUDA Driver Version / Runtime Version          12.8 / 12.8\n'
            "  CUDA Capability Major/Minor version number:    8.9\n  Total amount of global memory:                 22563 MBytes (1 bytes)",
            {"gpu": 0, "gpu_name": "NVIDIA L4", "capability": "8.9", "capacity_bytes": 22563 * MIB},
        ),
        (
            "    Device Name                                     Quadro RTX 6000\n"
            "    Device Vendor                                   NVIDIA Corporation\n"
            "    Compute Capability (NV)                         7.5\n"
            "    Global memory size                              25393692672 (23.65GiB)",
            {"gpu": 0, "gpu_name": "Quadro RTX 6000", "capability": "7.5", "capacity_bytes": 25393692672},
        ),
        (
            "----device id: 1 info----\n  GPU : NVIDIA RTX A6000 \n  Capbility: 8.6\n  Global memory: 48651MB\n  Const memory: 64KB",
            {"gpu": 1, "gpu_name": "NVIDIA RTX A6000", "capability": "8.6", "capacity_bytes": 48651 * MIB},
        ),
        (
            "StreamExecutor device (1): NVIDIA GeForce RTX 3060, Compute Capability 8.6",
            {"gpu": 1, "gpu_name": "NVIDIA GeForce RTX 3060", "capability": "8.6"},
        ),
        (
            " cu 09:01:12 cuda-1   Using Pci Id : 02:00.0 GeForce GTX 1060 3GB (Compute 6.1) Memory : 3.00 GB",
            {"gpu": 1, "gpu_name": "GeForce GTX 1060 3GB", "capability": "6.1", "capacity_bytes": 3 * 2**30},
        ),
        ("GPU 0,1             NVIDIA A100-SXM4-40GB (arch=8.0)", {"gpu": 0, "gpu_name": "NVIDIA A100-SXM4-40GB", "capability": "8.0"}),
        (
            "GPU 3 Compute Capability: 9.0",
            {"gpu": 3, "capability": "9.0"},
        ),
        (
            'id=GPU-1 library=cuda variant=v12 compute=8.6 driver=12.4 name="NVIDIA GeForce RTX 3060" total="11.7 GiB"',
            {"gpu": 0, "gpu_name": "NVIDIA GeForce RTX 3060", "capability": "8.6", "capacity_bytes": round(11.7 * 1024**3)},
        ),
        (
            "    #0: NVIDIA NVIDIA A100-SXM4-40GB, compute cap.: 8.0, ECC: yes, stat: compatible",
            {"gpu": 0, "gpu_name": "NVIDIA A100-SXM4-40GB", "capability": "8.0"},
        ),
        (
            "Kokkos::Cuda[ 0 ] NVIDIA A100 capability 8.0, Total Global Memory: 39.59 G, Shared Memory per Block: 48 K : Selected",
            {"gpu": 0, "gpu_name": "NVIDIA A100", "capability": "8.0", "capacity_bytes": round(39.59 * 1024**3)},
        ),
        (
            "Pe 0 physical rank 0 binding to CUDA device 0 on host: 'Tesla V100-SXM2-32GB'  Mem: 32480MB  Rev: 7.0  PCI: 0:1a:0",
            {"gpu": 0, "gpu_name": "Tesla V100-SXM2-32GB", "capability": "7.0", "capacity_bytes": 32480 * 1024**2},
        ),
        (
            "Initialized CUDA 11.7. Active GPU is #0: NVIDIA GeForce RTX 3090 [86]",
            {"gpu": 0, "gpu_name": "NVIDIA GeForce RTX 3090", "capability": "8.6"},
        ),
        (
            "        Name: 'NVIDIA GeForce RTX 3090'\n                     Index: 1\n         ComputeCapability: '8.6'",
            {"gpu": 1, "gpu_name": "NVIDIA GeForce RTX 3090", "capability": "8.6"},
        ),
        (
            "StreamExecutor cuda device (0) is of insufficient compute capability: 3.5 required, device is 3.0",
            {"gpu": 0, "capability": "3.0"},
        ),
        (
            "Found device 0 with properties: pciBusID: 0000:02:00.0 name: GeForce MX250 computeCapability: 6.1 coreClock: 1.582GHz",
            {"gpu": 0, "gpu_name": "GeForce MX250", "capability": "6.1"},
        ),
        (
            "  GPU 0:         NVIDIA RTX 3500 Ada Generation Laptop GPU (11119 MB free / 12282 MB)",
            {
                "gpu": 0,
                "gpu_name": "NVIDIA RTX 3500 Ada Generation Laptop GPU",
                "free_bytes": 11119 << 20,
                "capacity_bytes": 12282 << 20,
            },
        ),
        ("Using GPU 1 (NVIDIA GeForce RTX 3090)", {"gpu": 1, "gpu_name": "NVIDIA GeForce RTX 3090"}),
        ("GPU 0 - NVIDIA A40 (45634 MB)", {"gpu": 0, "gpu_name": "NVIDIA A40", "capacity_bytes": 45634 << 20}),
        ("[GPU 2] Tesla V100-SXM2-32GB", {"gpu": 2, "gpu_name": "Tesla V100-SXM2-32GB"}),
    ],
)
def test_what_programs_print(text: str, expected: dict[str, object]) -> None:
    assert facts(text, "gpu", "gpu", "gpu_name", "uuid", "pci", "capability", "capacity_bytes", "free_bytes") == [expected]


def test_a_series_cut_off_is_no_name() -> None:
    text = """|   0  NVIDIA GeForce ...  Off  | 00000000:3B:00.0 Off |                  N/A |
| 18%   26C    P8     1W / 250W |      3MiB / 11264MiB |      0%      Default |
"""
    assert facts(text, "gpu", "gpu", "gpu_name", "capacity_bytes") == [{"gpu": 0, "capacity_bytes": 11264 << 20}]


def test_table_that_was_asked_for() -> None:
    text = """
> nvidia-smi --query-gpu=name,compute_cap,driver_version --format=csv

name, compute_cap, driver_version
NVIDIA GeForce RTX 2080 with Max-Q Design, 7.5, 546.12
"""
    assert values(text, "gpu", "gpu_name") == ["NVIDIA GeForce RTX 2080 with Max-Q Design"]
    assert values(text, "gpu", "capability") == ["7.5"]
    assert values("name, compute_cap\nNVIDIA A100, 8.0, 81920 MiB\n", "gpu", "gpu_name") == []


def test_where_i_run_is_my_own() -> None:
    assert facts("I want to run on an RTX 3090.", "gpu-name", "gpu_name", "count") == [{"gpu_name": "RTX 3090", "count": 0}]
    assert facts("It runs on an RTX 3090.", "gpu-name", "gpu_name", "count") == [{"gpu_name": "RTX 3090", "count": 0}]
    assert facts("It runs on an RTX 3090, but not on mine.", "gpu-name", "gpu_name", "count") == [{"gpu_name": "RTX 3090"}]
    assert facts("It runs well on an RTX 3090.", "gpu-name", "gpu_name", "count") == [{"gpu_name": "RTX 3090"}]
    assert facts("The code is run on RTX 3090.", "gpu-name", "gpu_name", "count") == [{"gpu_name": "RTX 3090", "count": 0}]
    text = "With my GTX 1050Ti, everything works perfectly. Yet when I switch to an RTX 2070 card it fails."
    assert facts(text, "gpu-name", "gpu_name", "count") == [{"gpu_name": "GTX 1050Ti"}, {"gpu_name": "RTX 2070", "count": 0}]


def test_the_card_before_this_one() -> None:
    text = "Upgraded from a GTX 1080.\n\nAfter upgrading to an RTX 5090 nothing runs.\n"
    seen = {row["gpu_name"]: row.get("count") for row in facts(text, "gpu-name")}
    assert seen == {"GTX 1080": None, "RTX 5090": 0}


def test_what_comfyui_prints_when_it_starts() -> None:
    text = "Total VRAM 4096 MB, total RAM 20226 MB\npytorch version: 2.3.1+cu121\nSet vram state to: NORMAL_VRAM\n"
    text += "Device: cuda:0 NVIDIA GeForce RTX 3050 Ti Laptop GPU : cudaMallocAsync\n"
    seen = facts(text, "gpu", "gpu", "gpu_name", "capacity_bytes")
    assert seen == [{"gpu": 0, "gpu_name": "NVIDIA GeForce RTX 3050 Ti Laptop GPU", "capacity_bytes": 4096 * MIB}]


def test_the_card_that_replaced_another() -> None:
    text = "\u4e4b\u524d\u7528{}\u80fd\u6b63\u5e38\u8dd1\uff0c\u6362\u6210{}"  # "with the first it ran, now it is the second"
    failing = facts(text.format("4070", "5090\u5c31\u4e0d\u884c\u4e86"), "gpu-name")
    assert [fact["gpu_name"] for fact in failing if "count" in fact] == ["5090"]
    proposed = facts(text.format("4070", "5090\u53ef\u4ee5\u5417"), "gpu-name")
    assert not [fact for fact in proposed if fact["gpu_name"] == "5090"]


def test_the_card_of_another_machine() -> None:
    text = "The same command runs perfectly fine on another machine with GTX 1080Ti. On the new machine with RTX3090 it fails.\n"
    seen = {row["gpu_name"]: row.get("count") for row in facts(text, "gpu-name")}
    assert seen == {"GTX 1080Ti": None, "RTX3090": 0}


def test_order_of_names() -> None:
    text = "Training on an L40S is fine. It works on an A100.\n\nMy card is an RTX 3060, a friend has an RTX 3090.\n"
    seen = {row["gpu_name"]: row.get("count") for row in facts(text, "gpu-name")}
    assert seen == {"L40S": None, "A100": None, "RTX 3060": 0, "RTX 3090": 1}


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("On my RTX 3090 (24GB) it fails.", 24),
        ("GPU: tesla V100 32G", 32),
        ("It fails on 2x3090s, 24 GB each, with CUDA.", 24),
        ("I have a nvidia-A100 80GB GPU.", 80),
        ("\u5355\u5361 A800-80G \u663e\u5b58\u4e0d\u8db3", 80),
        ("My card is a 16GB RTX 4080.", 16),
        ("My card is an RTX 3090, 64GB of RAM.", None),
        ("My card is an RTX 3090, 20GB used.", None),
        ("My card is an RTX 3090.", None),
        ("My card is a cmp 40hx, 8G.", 8),
    ],
)
def test_the_memory_that_stands_beside_a_name(text: str, size: int | None) -> None:
    [row] = facts(text, "gpu-name", "capacity_bytes")
    assert row.get("capacity_bytes") == (size and size << 30)


def test_two_numbers_of_one_kind() -> None:
    assert values("It was the same with 3080/3090, the memory grows.", "gpu-name", "gpu_name")[:1] == ["3080"]


def test_numbers_of_ascend_cards() -> None:
    assert values("RuntimeError: NPU out of memory.\n\u6607\u817e 910B \u5355\u5361", "gpu-name", "gpu_name") == ["910B"]
    assert values("order 910B was sent", "gpu-name", "gpu_name") == []


def test_devices_of_julia() -> None:
    text = "1 device:\n  0: NVIDIA GeForce RTX 2080 Ti (sm_75, 8.606 GiB / 11.000 GiB available)"
    assert facts(text, "gpu", "gpu", "gpu_name", "capability", "capacity_bytes") == [
        {"gpu": 0, "gpu_name": "NVIDIA GeForce RTX 2080 Ti", "capability": "sm_75", "capacity_bytes": 11 << 30}
    ]


def test_several_indices_of_one_card() -> None:
    """As OpenMMLab's tools tell them, as lines and as a dictionary."""
    assert values("GPU 0,1: GeForce RTX 3080", "gpu", "gpu") == [0, 1]
    assert values("('GPU 0', 'NVIDIA GeForce RTX 3090'), ('CUDA_HOME', '/usr/local/cuda')", "gpu", "gpu_name") == [
        "NVIDIA GeForce RTX 3090"
    ]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("New Jetson Deployment setup\nIt fails on the Jetson Orin Nano.", ["Jetson Orin Nano"]),
        ("The converted model fails on Orin.", ["Orin"]),
        ("GPU: laptop 3080 RTX", ["3080 RTX"]),
        ("GPU: Nvidia - Titan X(Pascal)", ["Titan X(Pascal)"]),
        ("After replacing 3090 with 5070 I see a compilation error", ["5070"]),
        ("how could i run it with v100 ???", ["v100"]),
        ("I run it in a notebook with GPUP100", ["P100"]),
        ("When using 5090 and cuda12.6, sm 120 is not known", ["5090"]),
        ("Docker 24.0.5\nQUADRO M2000 535.86.10", ["QUADRO M2000"]),
        ("Any help?\n5070 can not run this function", ["5070"]),
        ("The batch of 1080 can not run here", []),
    ],
)
def test_names_as_people_write_them(text: str, names: list[str]) -> None:
    assert values(text, "gpu-name", "gpu_name") == names


def test_hashcat_counts_from_one() -> None:
    line = "* Device #{}: NVIDIA GeForce GTX 970, {} MB{}, 13MCU\n"
    text = line.format(1, "3842/4036", "") + line.format(2, "4096", "") + line.format("03", "1536/6144", " (1536 MB allocatable)")
    slots = ("gpu", "capacity_bytes")
    assert [tuple(found.values()) for found in facts(text, "gpu", *slots)] == [(0, 4036 << 20), (1, 4096 << 20), (2, 6144 << 20)]


def test_the_whole_name_stands_for_its_beginning() -> None:
    text = "GPU: ['GPU 0: NVIDIA GeForce']\nNvidia driver List: \nGPU 0: NVIDIA GeForce RTX 3090 Ti\nGPU 1: NVIDIA GeForce\n"
    assert [(slots["gpu"], slots["gpu_name"]) for slots in facts(text, "gpu")] == [(0, "NVIDIA GeForce RTX 3090 Ti"), (1, "NVIDIA GeForce")]
