"""Versions in fields: a name in one line and the value in the next, changes told in a sentence, numbers without dots."""

from __future__ import annotations

import pytest
from parser_support import facts, versions


@pytest.mark.parametrize(
    ("text", "package", "version"),
    [
        ("Python 版本\n3.12.7 (tags/v3.12.7:0b05ead)", "python", "3.12.7"),
        ("PyTorch Version\n\n2.7.0", "torch", "2.7.0"),
        ("Pytorch 版本\n2.7.0", "torch", "2.7.0"),
        ("vLLM version\n0.6.3", "vllm", "0.6.3"),
        ("CUDA version\n\n11.8", "cuda", "11.8"),
        ("we have upgrade CUDA from 9.0 to 10.1", "cuda", "10.1"),
        ("I have updated my CUDA version from 11.3 to 11.8", "cuda", "11.8"),
        ("I upgraded from torch 1.9.0 to 2.0 and it fails", "torch", "2.0"),
        ("Since then I changed torch from 1.9.0 to 1.10.0.", "torch", "1.10.0"),
        ("We downgraded NCCL 2.19.3 to 2.18.1", "nccl", "2.18.1"),
        ("I downgraded my driver from 535.54.03 to 525.85.12", "driver", "525.85.12"),
        ("if I change torch from 1.9.0 to 1.10.0 it works", "torch", "1.9.0"),
        ("when I downgrade CUDA from 12.1 to 11.8 it works. My CUDA is 12.1", "cuda", "12.1"),
        ("用的是CUDA10和CUDNN7.6", "cuda", "10"),
        ("cuda10、cudnn7", "cuda", "10"),
        ("环境：CUDA11的机器", "cuda", "11"),
        ("cuda11与torch1.8", "cuda", "11"),
        ("cuda 10版本", "cuda", "10"),
        ("用cuda 8张卡", "cuda", None),
        ("NCCL version 2708", "nccl", "2708"),
        ("python3.9, NCCL version: 21005", "nccl", "21005"),
        (">>> torch.cuda.nccl.version()\n2708", "nccl", "2708"),
        ("NCCL version 2.7.8", "nccl", "2.7.8"),
        ("full_version: 2.5.1\nmajor: 2\nminor: 5", "paddlepaddle", "2.5.1"),
        ("full_version = '2.6.0'", "paddlepaddle", "2.6.0"),
        ("full_version: 2.5.1\ncuda: 11.7\ncudnn: 8.4.1", "full", None),
        ("paddlepaddle/paddle:1.2.0-gpu-cuda9.0-cudnn7", "paddlepaddle", "1.2.0"),
        ("CANN 8.0.RC2, torch_npu 2.1.0", "cann", "8.0.RC2"),
        ("CANN 8.0.RC2, torch_npu 2.1.0", "torch-npu", "2.1.0"),
        ("  - CUDA Runtime 11.3\n  - CuDNN 8.3.2  (built against CUDA 11.5)", "cuda", "11.3"),
        ("CUDA used to build PyTorch: N/A\nROCM used to build PyTorch: 6.4.43482-0f2d60242", "rocm", "6.4.43482"),
        ("CUDA used to build PyTorch: N/A\nROCM used to build PyTorch: 6.4.43482-0f2d60242", "cudnn", None),
        ("CUDA used to build PyTorch: 12.4\nROCM used to build PyTorch: N/A", "cuda", "12.4"),
        ("PyTorch version: 2.4.1+rocm6.1", "rocm", "6.1"),
        ("nvcr.io/nvidia/vllm:25.11-py3 holds vLLM 0.11.0", "vllm", "0.11.0"),
        ("NVCC: Build cuda_11.5.r11.5/compiler.30672275_0\nPyTorch: 1.9.1+cu111", "cuda", "11.1"),
        ("NVCC: Build cuda_11.5.r11.5/compiler.30672275_0", "toolkit", "11.5"),
        ("why must it be 1.7.2的mmcv然后", "mmcv", "1.7.2"),
        ("2.1.0版本的pytorch", "torch", "2.1.0"),
        ("显存占用 2.1的样子", "torch", None),
        ("**PyTorch Version:** Tested `2.7.0+cu126` and forced `2.2.0+cu121`", "torch", "2.7.0+cu126"),
        ("Running cuda-toolkit-12.8, driver 570.124.04", "toolkit", "12.8"),
        ("the image pytorch-training:2.9.0-gpu-py312-cu130-ubuntu22.04", "torch", "2.9.0"),
        ("[pip3] nvidia-cudnn-cu13==9.20.0.48", "cudnn", "9.20.0.48"),
        ("git clone https://github.com/vllm-project/vllm\ncd vllm/\ngit checkout tags/v0.9.0 -b mine", "vllm", "0.9.0"),
        ("git clone -b v2.8.3 --depth 1 https://github.com/Dao-AILab/flash-attention.git", "flash-attn", "2.8.3"),
        ("git clone https://github.com/vllm-project/vllm\ngit checkout main", "vllm", None),
        ("**Dependencies:**\n- PyTorch: 2.7.0+cu128\n- xformers: 0.0.30\n- flash-attn: 2.7.3 (from source)", "xformers", "0.0.30"),
        ("- CANN version: 8.0.RC2.beta1", "cann", "8.0.RC2.beta1"),
        ("CANN版本：7.0.RC1", "cann", "7.0.RC1"),
        ("CANN: 8.0.0", "cann", "8.0.0"),
        ("I have already installed cuda_12.2.1_536.67_windows.exe", "cuda", "12.2.1"),
        ("I have already installed cuda_12.2.1_536.67_windows.exe", "driver", "536.67"),
        ("cuda_11.1.0_455.23.05_linux.run", "driver", "455.23.05"),
        ("Lightning automatically upgraded your loaded checkpoint from v1.5.4 to v2.3.3.", "pytorch-lightning", "2.3.3"),
        ("#### Driver\n550.54.15", "driver", "550.54.15"),
        ("**NVIDIA driver**\n550.54.15", "driver", "550.54.15"),
        ("GPU driver version\n550.54.15", "driver", "550.54.15"),
        ("使用的驱动版本为535.129.03，", "driver", "535.129.03"),
        ("What CUDA version are you using?\n12.1", "cuda", "12.1"),
        ("Which PyTorch version?\n2.1.2", "torch", "2.1.2"),
        ("ONNX Runtime version\n1.17.1", "onnxruntime", "1.17.1"),
        ("nvidia-smi显示12.2， nvcc -V显示11.7", "driver_cuda", "12.2"),
        ("nvidia-smi shows 12.2 but nvcc says 11.7", "driver_cuda", "12.2"),
        ("nvidia-smi shows 535.104.05", "driver_cuda", None),
        ("cuda_diagnostics.cc:204] kernel reported version is: 515.43.4", "driver", "515.43.4"),
        ("CUDA＝11.8", "cuda", "11.8"),
        ("<tr><td>torch</td><td>2.1.2</td></tr>", "torch", "2.1.2"),
        ("<tr><td>cost</td><td>2.1</td></tr>", "cost", None),
        ("Image version\n1.2.3", "image", None),
        ("The version\n3.12.7", "python", None),
    ],
)
def test_version_of_a_field(text: str, package: str, version: str | None) -> None:
    assert versions(text).get(package) == version


def test_number_of_nccl_is_compared_as_a_version() -> None:
    (fact,) = facts("NCCL version 2708", "version", "version", "package")
    assert fact == {"package": "nccl", "version": (2, 7, 8)} or str(fact["version"]) == "2.7.8"
