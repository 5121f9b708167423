"""Which of several versions of a package is the best known one, and what only looks like one."""

from __future__ import annotations

import pytest
from parser_support import facts, versions


def test_what_is_measured_or_set_is_no_package() -> None:
    text = "cuda: 12.4\nbatch_size: 4.0\nGPU memory: 24.0 GB\nclock 1.4 GHz\nthroughput 3.5 it/s\nloss 0.25\npython 3.9"
    assert versions(text) == {"cuda": "12.4", "python": "3.9"}


@pytest.mark.parametrize(
    "text",
    ["RTX 3060 Ti, sm_86 (CUDA 8.6)", "the card has CUDA 8.9", "算力 CUDA8.6", "CUDA: 7.5 (RTX 2080, sm_75)", "GTX 1070 (CUDA 6.1)"],
)
def test_compute_capability_is_no_release_of_cuda_and_none_of_cudnn(text: str) -> None:
    assert not versions(text).keys() & {"cuda", "cudnn"}


def test_numbers_of_cudnn_beside_cuda() -> None:
    assert versions("CUDA/cuDNN: 11.8/8.6") == {"cuda": "11.8", "cudnn": "8.6"}
    assert versions("CUDA 12.0 on an RTX 5080 (sm_120)") == {"cuda": "12.0"}


def test_what_the_driver_supports_is_not_what_the_program_was_built_with() -> None:
    assert versions("It is too old. The CUDA driver on your system supports CUDA version 9.1.") == {"driver_cuda": "9.1"}


def test_pip_list() -> None:
    text = """Package            Version
------------------ ------------
my-thing           1.0
torch              2.1.0+cu118

other              3.0
"""
    assert versions(text) == {"my-thing": "1.0", "torch": "2.1.0+cu118", "cuda": "11.8"}


def test_long_list_without_its_head_and_without_packages_that_are_known() -> None:
    rows = "\n".join(f"anypackage{number}          1.{number}.0" for number in range(150))
    assert versions(f"{rows}\ntorch                2.7.1")["torch"] == "2.7.1"


def test_release_that_is_advised_or_helped_in_chinese_is_none_in_use() -> None:
    assert "torch" not in versions("把torch升级到2.4.0就好了")
    assert "transformers" not in versions("请更新transformers到4.46.0")


def test_statement_of_the_build_beats_what_else_names_cuda() -> None:
    text = (
        "| NVIDIA-SMI 550.54.15  Driver Version: 550.54.15  CUDA Version: 12.4 |\nnvidia-cuda-runtime-cu12==12.1.105\n"
        "Cuda compilation tools, release 12.3, V12.3.107\nCUDA used to build PyTorch: 12.1\n"
    )
    assert versions(text)["cuda"] == "12.1"


def test_suffix_of_torch_beats_the_driver() -> None:
    assert versions("CUDA Version: 12.4  Driver Version: 550.54.15\ntorch 2.1.0+cu118\n")["cuda"] == "11.8"


def test_replaced_installation_yields() -> None:
    text = "Found existing installation: torch 2.1.2\nUninstalling torch-2.1.2:\nSuccessfully installed torch-2.4.1\n"
    assert versions(text)["torch"] == "2.4.1"


def test_what_is_required_is_not_what_is_installed() -> None:
    text = "ImportError: flash-attn==2.5.8 is required for a normal functioning of this module, but found flash-attn==2.3.3."
    assert versions(text) == {"flash-attn": "2.3.3"}


def test_what_was_used_before_yields() -> None:
    assert versions("I used onnxruntime==1.17.0 before, it worked.\nNow onnxruntime==1.18.0 does not.")["onnxruntime"] == "1.18.0"
    assert versions("I used onnxruntime==1.17.0 before the restart and onnxruntime==1.18.0")["onnxruntime"] == "1.17.0"
    assert versions("I uninstalled CUDA 12.5 and installed CUDA 12.1")["cuda"] == "12.1"
    assert versions("I installed CUDA 12.5, then CUDA 12.1")["cuda"] == "12.5"


def test_release_that_works_yields_to_the_one_that_does_not() -> None:
    assert versions("torch 2.3.1 works, torch 2.4.0 fails")["torch"] == "2.4.0"
    assert versions("It works with torch 2.3.1 but with 2.4.0 I get an error")["torch"] == "2.4.0"
    assert versions("torch 2.3.1 works, 2.4.0 does not")["torch"] == "2.4.0"
    assert versions("torch 2.4.0 fails, 2.3.1 works")["torch"] == "2.4.0"
    assert versions("torch 2.3.1 works, but my card has capability 12.0") == {"torch": "2.3.1"}
    assert versions("torch 2.3.1 works here")["torch"] == "2.3.1"


def test_release_that_an_extension_was_built_for_yields() -> None:
    assert versions("the wheel was compiled for torch 2.3.0, and torch 2.4.1 is installed")["torch"] == "2.4.1"


def test_what_holds_from_a_release_on_is_no_installed_version() -> None:
    assert versions("Since ORT 1.9, you are required to set the providers explicitly") == {}
    assert versions("Since torch 2.0 it is slower here") == {"torch": "2.0"}


def test_capability_that_unsloth_prints_as_cuda() -> None:
    text = "Torch: 2.7.0+cu126. CUDA: 8.0. CUDA Toolkit: 12.6. Triton: 3.3.0"
    assert versions(text) == {"torch": "2.7.0+cu126", "cuda": "12.6", "toolkit": "12.6", "triton": "3.3.0"}


def test_versions_are_values() -> None:
    from triage.engine.values import Version

    assert [fact["version"] for fact in facts("torch==2.1.0+cu118", "version")] == [Version((2, 1)), Version((11, 8))]


def test_major_version_alone_is_no_value_to_compare() -> None:
    assert facts("cuda 11, cudnn 8902", "version", "package", "version") == [
        {"package": "cudnn", "version": (8, 9, 2)},
        {"package": "cuda"},
    ]


@pytest.mark.parametrize(
    ("value", "cuda", "cudnn"),
    [
        (": 9.0/7.2.1", "9.0", "7.2.1"),
        ("**: CUDA 10.1 / cuDNN 7.6.5", "10.1", "7.6.5"),
        ("\n\n11.8/8.6", "11.8", "8.6"),
        (": cuda_10.1.243 and cudnn-10.1-v7.6.5", "10.1.243", "7.6.5"),
        (": release 10.1, V10.1.168 / 7.6.1", "10.1", "7.6.1"),
        (": `10.1`/`7.6.5`", "10.1", "7.6.5"),
        (": 10/7", "10", "7"),
        (": V9.0.176/7005", "9.0.176", "7005"),
        (": 10.0, CUDNN_MAJOR 7 CUDNN_MINOR 6 CUDNN_PATCHLEVEL 5", "10.0", "7.6.5"),
    ],
)
def test_one_field_for_cuda_and_cudnn(value: str, cuda: str, cudnn: str) -> None:
    assert versions("- CUDA/cuDNN version" + value) == {"cuda": cuda, "cudnn": cudnn}


def test_number_that_a_call_returns_on_the_next_line() -> None:
    assert versions("`torch.backends.cudnn.version()`\n> 7005\n") == {"cudnn": "7005"}


def test_fuller_version_of_the_same_release_leads() -> None:
    text = "With CUDA 11.3, PyTorch 1.12 and Torchvision 0.13.\npip install torch==1.12.0+cu113 torchvision==0.13.0+cu113\n"
    found = versions(text)
    assert (found["cuda"], found["torch"], found["torchvision"]) == ("11.3", "1.12.0+cu113", "0.13.0+cu113")
    assert versions("python 3.11 and Python 3.10.4") == {"python": "3.11"}


def test_version_a_model_was_trained_with_is_not_held() -> None:
    text = "Model was trained with torch 1.10.0+cu102, yours is 2.0.0+cu118. Bad things might happen."
    assert versions(text) == {"torch": "2.0.0+cu118", "cuda": "11.8"}


def test_tag_of_an_image_is_none_of_rocm() -> None:
    assert versions("Docker image: vllm/vllm-openai-rocm:v0.14.0") == {"vllm": "0.14.0"}
    assert versions("image: example/server-rocm:0.3.1") == {}


def test_release_of_gcc_is_none_of_ubuntu() -> None:
    assert versions("GCC version:  gcc version 14.2.0 (Ubuntu 14.2.0-4ubuntu2~24.04.1)") == {"gcc": "14.2.0"}


def test_built_from_source() -> None:
    assert versions("I also installed torchvision from source (v0.12.0)") == {"torchvision": "0.12.0"}


def test_number_of_cudnn_behind_two_blanks() -> None:
    assert versions("CUDNN Version:  5006    \nForward AutoTuned  :  14  13  15") == {"cudnn": "5006"}


def test_driver_in_the_middle_of_a_chinese_sentence() -> None:
    assert versions("\u4e4b\u524d\u88c5\u7684\u9a71\u52a8\u662f 450.80.02\uff0c\u5361\u662f 2080Ti") == {"driver": "450.80.02"}


def test_number_in_the_log_of_cudnn() -> None:
    assert versions("! CuDNN (v90300 75) function cudnnBackendFinalize() called:") == {"cudnn": "90300"}


def test_release_that_did_not_fail_yields() -> None:
    assert versions("No problem in PyTorch 1.2.\n\nPyTorch 1.3: random errors") == {"torch": "1.3"}


def test_release_that_a_condition_names_yields() -> None:
    text = 'When I change to tensorflow==1.5 with python 2.7 it works well.\n  File "/opt/lib/python3.6/site-packages/tf.py", line 1'
    assert versions(text)["python"] == "3.6"


def test_attributes_of_a_module_are_no_packages() -> None:
    assert versions("torch.__version__ = 2.0.1\ntorch.version.cuda = 11.8") == {"torch": "2.0.1", "cuda": "11.8"}
    assert versions("pyannote.audio 3.1.1\npyannote.core 5.0.0\ntorch 2.1.0")["pyannote.core"] == "5.0.0"


def test_commands_that_a_form_asks_to_run_name_the_field() -> None:
    assert versions("- CUDA (`python -c 'import torch; print(torch.version.cuda)'`): 12.1") == {"cuda": "12.1"}
    assert versions("- CUDA（`python -c 'import torch; print(torch.version.cuda)'`）： 11.8")["cuda"] == "11.8"


def test_number_of_versions_is_bounded() -> None:
    assert len(facts("\n".join(f"package-{number}==1.{number}" for number in range(3000)), "version")) <= 400


def test_what_every_step_prints_hides_no_version() -> None:
    steps = "".join(f"step {step} loss {step}.25 torch\n" for step in range(500))
    assert versions(f"{steps}torch 2.4.1\nloss 2.3.0\n") == {"torch": "2.4.1"}


def test_what_cmake_and_the_summary_of_opencv_tell() -> None:
    found = '-- Found CUDAToolkit: /usr/local/cuda/include (found version "12.4.131")\n-- Found Threads: TRUE (found version "1.1")'
    assert versions(found) == {"cuda": "12.4.131"}
    suitable = 'Found cuDNN: /usr/lib/libcudnn.so (found suitable version "8.0.5", minimum required is "7")'
    assert versions(suitable) == {"cudnn": "8.0.5"}
    summary = "  NVIDIA CUDA:       YES (ver 10.2, CUFFT CUBLAS FAST_MATH)\n  cuDNN:     YES (ver 8.0.4)"
    assert versions(summary) == {"cuda": "10.2", "cudnn": "8.0.4"}


@pytest.mark.parametrize(
    ("text", "package", "version"),
    [
        ("PaddlePaddle upgraded from 2.5.2 to 2.6.1", "paddlepaddle", "2.6.1"),
        ("paddle2.5.2升级到2.6.1后报错", "paddlepaddle", "2.6.1"),
        ("1）PaddlePaddle版本：由2.4升级到2.5.2", "paddlepaddle", "2.5.2"),
        ("CUDA 11.8 -> 12.1", "cuda", "12.1"),
        ("cuda 从 11.0 升级到了 11.7 ，然后就报错了", "cuda", "11.7"),
        ("paddlepaddle-gpu==2.6.1 (upgraded from paddlepaddle-gpu==2.5.2)", "paddlepaddle-gpu", "2.6.1"),
        ("upgraded from paddlepaddle 2.5.2", "paddlepaddle", None),
        ("### PyTorch\n\nVersion: 2.1.0", "torch", "2.1.0"),
        ("## PaddlePaddle\n- version: 2.4.2", "paddlepaddle", "2.4.2"),
        ("### Model\n\nVersion: 2.1.0", "torch", None),
    ],
)
def test_release_that_was_left_yields_and_a_heading_names_what_has_a_version(text: str, package: str, version: str | None) -> None:
    assert versions(text).get(package) == version


@pytest.mark.parametrize(
    "text",
    [
        "GPU0 is of cuda capability 3.0.",
        "The previous torch version was 1.7.1.",
        "Back then the CUDA version was 10.2, and it has been replaced",
        "torch>=2.1.0",
        "Whisper not working on 0.9.2 docker image",
        "nvidia 525 MiB",
        "it says markdown-it-py               3.0.0",
        "NVIDIA 980 and NVIDIA 470",
        "transformers<4.40.0",
        "Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 31.47 GiB",
        "step 3.5 loss 0.25 torch.float16",
        "192.168.1.10:8080",
        "see torch/nn/modules/module.py:1.5",
        "the driver took 3.5 seconds",
        "python 25.3",
        "in 2.5 s",
        "## Results\n3.141",
        "unsupported by Numba - 11.0 is the minimum required version",
        "API version: 1.41.0",
        "需要 CUDA 11.8 及以上",
        "tensors on cuda:9 and cuda:10",
        "Unable to load any of {libcudnn_cnn.so.9.1.0, libcudnn_cnn.so.9.1, libcudnn_cnn.so.9, libcudnn_cnn.so}",
        "libnvinfer.so.8.6.1: cannot open shared object file: No such file or directory",
        "libcudnn.so.8: cannot open shared object file; nvidia-cudnn-cu12",
        "The following versions were tried in vain:\nall",
        "| loss | epoch |\n|---|---|\n| 2.4 | 1.0 |",
        "c. CUDA/cuDNN\u7248\u672c\uff0c \u5982CUDA10.2/cuDNN 7.3.1\u7b49",
        "$ pip list shows it\nEpoch 3 of 10",
        "took 3.5 python processes",
        "| 10.1 | cuda: out of memory",
    ],
)
def test_what_is_no_version(text: str) -> None:
    assert versions(text) == {}


@pytest.mark.parametrize(
    ("text", "package", "version"),
    [
        ("It needs transformers>=4.45 and I have 4.44.2", "transformers", "4.44.2"),
        ("I found that the cuda version was 10.1.", "cuda", "10.1"),
        ("I was on torch 2.1.0, now I am on 2.3.0", "torch", "2.3.0"),
        ("官方要求CUDA 11.8，我的是12.1", "cuda", "12.1"),
        ("torch 1.13.1正常，2.0.1报错", "torch", "2.0.1"),
        ("the docs say torch 2.1 but I use torch 2.3.0", "torch", "2.3.0"),
        ("README recommends torch==1.13.1, I have torch 2.0.1", "torch", "2.0.1"),
        ("the wheel is for torch 2.4 but torch 2.5.1 is installed", "torch", "2.5.1"),
        ("This does not happen with transformers 4.40.0, only with 4.41.0", "transformers", "4.41.0"),
        ("system CUDA is 12.4, torch was built with CUDA 12.1", "cuda", "12.1"),
        ("CUDA 12.1 but I have 11.9 GB free", "cuda", "12.1"),
    ],
)
def test_release_in_use_beside_another(text: str, package: str, version: str) -> None:
    assert versions(text)[package] == version


@pytest.mark.parametrize(
    "text",
    [
        "The problem was resolved by installing cudatoolkit 11.3 and cudnn 8.2",
        "I tried to install pytorch1.5.0 but it failed",
        "We cannot install tensorflow 2.3.0 here",
    ],
)
def test_what_was_installed_to_mend_it_or_never_was(text: str) -> None:
    assert versions(text) == {}


def test_what_is_installed_beside_what_could_not_be() -> None:
    assert versions("I tried to install torch 1.5.0, but there is torch 1.9.1.") == {"torch": "1.9.1"}
