"""The release that is there, told by its number alone where another was asked for."""

from __future__ import annotations

import pytest
from parser_support import versions


@pytest.mark.parametrize(
    ("text", "package", "version"),
    [
        ("ImportError: flash_attn requires PyTorch >= 2.2 but found 2.1.0", "torch", "2.1.0"),
        ("ImportError: vLLM requires transformers >= 4.48.2 (found 4.46.3)", "transformers", "4.46.3"),
        ("DeepSpeed requires CUDA 11.8 or newer but 11.3 was found", "cuda", "11.3"),
        ("CMake Error: cuDNN 8.9 is required, found 8.2.1", "cudnn", "8.2.1"),
        ("torch version must be at least 2.1.0, but is 1.13.1", "torch", "1.13.1"),
        ("minimum torch version required is 2.4, current version 2.2.1", "torch", "2.2.1"),
        ("PyTorch 2.0+ required, but 1.13.1 is installed.", "torch", "1.13.1"),
        ("numpy<2 needed but 2.1.0 installed", "numpy", "2.1.0"),
        ("Expected triton==2.1.0 but installed version is 3.0.0", "triton", "3.0.0"),
        ("Wrong torch version: expected 2.3.1+cu121, got 2.3.1+cpu", "torch", "2.3.1+cpu"),
        ("The minimum required CUDA version is 11.6, but version 11.3 was found", "cuda", "11.3"),
        ("expected NCCL version 2.18.1 but found 2.14.3", "nccl", "2.14.3"),
        ("Incompatible numpy: have 2.1.0, want <2", "numpy", "2.1.0"),
        ("we need cuda 12 but the cluster only has 11.4", "cuda", "11.4"),
        ("cuda 版本要求 >=11.8，当前是 11.3", "cuda", "11.3"),
        ("要求 transformers==4.37.0，实际安装的是 4.31.0", "transformers", "4.31.0"),
    ],
)
def test_what_is_there_is_told_behind_what_was_asked_for(text: str, package: str, version: str) -> None:
    assert versions(text)[package] == version


@pytest.mark.parametrize(
    ("text", "package"),
    [
        ("It requires CUDA 11.8 or later, and the loss is 0.35", "cuda"),
        ("The minimum required Nvidia driver for nvenc is 551.76 or newer", "driver"),
        ("the driver of the host has to be 550.54 or newer", "driver"),
        ("requires torch>=2.4.0 but the speed is 1.5x", "torch"),
        ("requires torch>=2.4.0 but found 3.5 GB", "torch"),
        ("RuntimeError: Installed numpy is below the required version 2.0.0", "numpy"),
    ],
)
def test_another_number_is_no_release(text: str, package: str) -> None:
    assert package not in versions(text)


@pytest.mark.parametrize("wish", ["the version I need is", "the version required is", "the version we want is", "所需要的版本是"])
def test_what_is_wished_for_is_not_there(wish: str) -> None:
    assert versions(f"The default version of CUDA is 11.2, but {wish} 10.0.")["cuda"] == "11.2"


def test_a_package_that_bears_the_name_of_another_is_its_own() -> None:
    found = versions("- keras-mxnet      2.2.4.1\n- mxnet-cu90mkl    1.4.0\n")
    assert found["mxnet"] == "1.4.0"


def test_of_two_packages_each_keeps_its_own() -> None:
    found = versions("It needs python 3.10, and torch is 2.1.0")
    assert found["torch"] == "2.1.0"
    assert found.get("python") in (None, "3.10")


def test_what_the_loader_misses_is_not_there() -> None:
    found = versions("/lib64/libc.so.6: version `GLIBC_2.38' not found (required by /opt/llama/libggml-cuda.so)")
    assert found == {"required_glibc": "2.38"}


def test_what_nccl_prints_of_itself_stands_above_what_is_said_of_it() -> None:
    assert versions("I use NCCL version 21.0.3\nNCCL version 2.10.3+cuda11.3\n")["nccl"].startswith("2.10.3")


@pytest.mark.parametrize(
    ("text", "package", "version"),
    [
        ("The README says it was tested with torch 1.7.1 and CUDA 10.2. I use pytorch 1.13.1 + cuda 11.7", "torch", "1.13.1"),
        ("The README says it was tested with torch 1.7.1 and CUDA 10.2. I use pytorch 1.13.1 + cuda 11.7", "cuda", "11.7"),
        ("The authors developed it under python 3.7. My env: python 3.10", "python", "3.10"),
        ("官方给的环境是 torch1.8.0，我装的是 torch 2.1.0", "torch", "2.1.0"),
        ("据说是torch1.8.0有问题，torch2.1.0也报错", "torch", "2.1.0"),
    ],
)
def test_what_others_tested_with_gives_way_to_what_is_there(text: str, package: str, version: str) -> None:
    assert versions(text)[package] == version
