"""Versions wherever a text names them; the best known one of a package comes first."""

from __future__ import annotations

import pytest
from parser_support import facts


def versions(text: str) -> dict[object, object]:
    """The first, thus best known version of each package, as printed."""
    found: dict[object, object] = {}
    for fact in facts(text, "version"):
        found.setdefault(fact["package"], fact["version_text"])
    return found


@pytest.mark.parametrize(
    ("text", "package", "version"),
    [
        ("torch==2.1.0", "torch", "2.1.0"),
        ("cuda 10.1\nBMInf 0.0.4 installed from a clone\ntorch 1.7.1", "bminf", "0.0.4"),
        ("- gsplat-ext: 1.5.3\n\n- torch: 2.7.1", "gsplat-ext", "1.5.3"),
        ("| package | version |\n| --- | --- |\n| torch | 2.4.0 |\n| natten_ext | 0.17.1 |", "natten-ext", "0.17.1"),
        ("OS: Windows 11, gcc 9", "windows", "11"),
        ("OS: Windows 11, gcc 9", "gcc", "9"),
        ("Ubuntu18, win10", "ubuntu", "18"),
        ("Ubuntu18, win10", "windows", "10"),
        ("nvidia/cuda:12.1.0-cudnn8-devel-ubuntu2204", "ubuntu", "22.04"),
        ("Python platform: Linux-5.15.0-53-generic-x86_64-with-glibc2.35", "kernel", "5.15.0-53-generic"),
        ("Python platform: Linux-5.15.0-53-generic-x86_64-with-glibc2.35", "glibc", "2.35"),
        ("pip install onnxruntime-gpu==1.5.1\nOr do I need onnxruntime-gpu==1.4.0?", "onnxruntime-gpu", "1.5.1"),
        ("nvcc is 12.4 and the latest cudss installed is 0.7.1", "cudss", "0.7.1"),
        ("nvidia-l4t-core 32.7.5-20240611161210", "l4t", "32.7.5"),
        ("PyTorch Lightning version: 1.9.0", "pytorch-lightning", "1.9.0"),
        ("Isaac Sim: 4.5.0", "isaacsim", "4.5.0"),
        ("uname_result(system='Linux', node='box', release='5.14.0-503.el9_5.x86_64')", "kernel", "5.14.0-503.el9_5.x86_64"),
        ("CUDA Build Version           : 12010\nNCCL Runtime Version         : 21904", "cuda", "12010"),
        ("CUDA Build Version           : 12010\nNCCL Runtime Version         : 21904", "nccl", "2.19.4"),
        ("cuDNN Version                : 8800", "cudnn", "8800"),
        ("Cython Build Version         : 0.29.37", "cython", "0.29.37"),
        ("CUDA Driver Version          : 12040", "driver_cuda", "12040"),
        ("Since i reinstalled torch to 2.3.0, it fails.", "torch", "2.3.0"),
        ("I am using Ubuntu 21.04 and CUDA of version 11.2.", "cuda", "11.2"),
        ("openSUSE LEAP 15.2", "opensuse", "15.2"),
        ("It worked. That was with a Pytorch 2.8 setup. A new install gave me PyTorch 2.9.1 instead.", "torch", "2.9.1"),
        ("File ~/.pyenv/versions/3.9.14/envs/a/lib/python3.9/site-packages/x.py", "python", "3.9.14"),
        ("It fails on Windows, v0.17.0, cu128", "windows", None),
        ("- torch version: 0.17.0\n- R: 4.6.1", "r", "4.6.1"),
        ("dependencies:\n  - cairo=1.16.0=hd694305_1014\n  - python=3.9.1=0", "cairo", "1.16.0"),
        ("Which distribution?\n\nDebian 11", "debian", "11"),
        ("Kernel Version: 5.4.0-51-lowlatency", "kernel", "5.4.0-51-lowlatency"),
        ("**Golem Version**:  0.19.0", "golem", "0.19.0"),
        ("**Electron version** (if used):  0.1.18", "electron", "0.1.18"),
        ("Version: v1.2.1\nCommit hash: 89f9faa", "stable-diffusion-webui", "1.2.1"),
        ("R version 4.3.1 (2023-06-16 ucrt)", "r", "4.3.1"),
        ("other attached packages:\n[1] torch_0.11.0 luz_0.4.0\n\nloaded via a namespace:\n [1] cli_3.6.1  rlang_1.1.3", "luz", "0.4.0"),
        ("other attached packages:\n[1] torch_0.11.0 luz_0.4.0\n\nloaded via a namespace:\n [1] cli_3.6.1  rlang_1.1.3", "rlang", "1.1.3"),
        ("OS: Debian GNU/Linux 10 (buster) (x86_64)\nGCC version: (Debian 8.3.0-6) 8.3.0", "debian", "10"),
        ("PaddleClas release/2.2", "paddleclas", "2.2"),
        ("$ make --version\n$ GNU Make 4.4.1", "make", "4.4.1"),
        ("Nuget libtorch-cpu-win-x64 2.0.1.1", "libtorch-cpu-win-x64", "2.0.1.1"),
        ("libtorch-cpu-win-x64 (2.1.0.1)\nTorchSharp (0.101.5)", "libtorch-cpu-win-x64", "2.1.0.1"),
        ("k2 version: 1.23.3\nBuild type: Release", "k2", "1.23.3"),
        ("# running Nx -> 0.7.1, Exla -> 0.7.1, xla -> 0.6.0", "exla", "0.7.1"),
        ("I use `Nx` on version `0.10` and others", "nx", "0.10"),
        ("{:nx, \"0.6.0\"},\n{:exla, \"~> 0.6.1\"}", "exla", "0.6.1"),
        ("<nd4j.version>1.0.0-beta</nd4j.version>", "nd4j", "1.0.0-beta"),
        ("<artifactId>onnxruntime_gpu</artifactId>\n  <version>1.16.0</version>", "onnxruntime", "1.16.0"),
        ("implementation 'org.nd4j:nd4j-native:1.0.0-M2.1'", "nd4j-native", "1.0.0-M2.1"),
        ("<PackageReference Include=\"TorchSharp\" Version=\"0.102.4\" />", "torchsharp", "0.102.4"),
        ("cuda   **10.2**\ndeeplearning4j   **1.0.0-beta7**", "deeplearning4j", "1.0.0-beta7"),
        ("build command for `candle-kernels v0.9.2-alpha.1 (x)`", "candle-kernels", "0.9.2-alpha.1"),
        ("ForceWare 378.49", "driver", "378.49"),
        ("conda list cudnn gives\nversion 7.6.5 build cuda10.1_0", "cudnn", "7.6.5"),
        ("### GPUStack version\n\n2.0.3\n\n### OS\n\nUbuntu 24.04", "gpustack", "2.0.3"),
        ("My **PyAudio library version** is `0.2.14 `.", "pyaudio", "0.2.14"),
        ("NVIDIA CUDA Tool Kit (VERSION 12.2)", "toolkit", "12.2"),
        ("I use Microsoft.ML.OnnxRuntime.GPU (nuget package VERSION 1.16.0)", "microsoft.ml.onnxruntime.gpu", "1.16.0"),
        ("top-level scope at /buildworker/usr/share/julia/stdlib/v1.1/Test/src/Test.jl:1083", "julia", "1.1"),
        ("[i 0416 19:54:27 56 compiler.py:956] Jittor(1.3.8.5) src: /opt", "jittor", "1.3.8.5"),
        ("I use it on windows 11. It fails.", "windows", "11"),
        ("(\u521d\u59cb\u7248\u672c\uff1apython=2.7.14)\n\u5347\u7ea7\u540epython=2.7.18", "python", "2.7.18"),
        ("pytorch\u9700\u8981cudnn8.5\ncudnn: 8.2.4", "cudnn", "8.2.4"),
        ("That release requires CUDA 12.1\nCUDA 11.8", "cuda", "11.8"),
        ("\u6211\u5b89\u88c5\u4e86mxnet-cu101==1.5.1", "mxnet", "1.5.1"),
        ("Ubuntu desktop 16.04.2", "ubuntu", "16.04.2"),
        ("cuda library version 9000\ncuDNN lib version 7301", "cuda", "9000"),
        ("cuda library version 9000\ncuDNN lib version 7301", "cudnn", "7301"),
        ("OS: Red Hat Enterprise Linux 8.4", "rhel", "8.4"),
        ("MMDetection3D: 0.11.0+", "mmdet3d", "0.11.0"),
        ("it goes away if I change my pytorch version from 2.1.2 to 2.0.1", "torch", "2.1.2"),
        ("### CUDA/cuDNN version\n\n11.2/8 in conda env", "cudnn", "8"),
        ("CUDA/cuDNN version:7.4.2, 7.3.1", "cudnn", "7.4.2"),
        ("the image is based on Cu130", "cuda", "13.0"),
        ("\u6211\u7684\u662fwindows,10\uff0cpytorch=1.0.0", "windows", "10"),
        ("我的pytorch和cuda的版本都是12.1", "cuda", "12.1"),
        ("C:\\envs\\econml-py38\\lib\\site-packages\\x.py", "python", "3.8"),
        ("- Python version: 3\n- CUDA/cuDNN version: 8\n", "cuda", "8"),
        ("- Python version: 3\n- CUDA/cuDNN version: 8\n", "python", "3"),
        ("python3.10+cuda11.6+torch2.0.0+ transformers4.28.0", "cuda", "11.6"),
        ("python3.9+cuda11.3", "python", "3.9"),
        ("python3.9+cuda11.3", "cuda", "11.3"),
        ("I am using PyTorch v. 1.8.1", "torch", "1.8.1"),
        ("Using CPython 3.12.8", "python", "3.12.8"),
        ("Status `~/Project.toml`\n  [052768ef] CUDA v4.4.0\n  [587475ba] Flux v0.14.1", "flux", "0.14.1"),
        ("Status `~/Project.toml`\n  [052768ef] CUDA v4.4.0\n  [587475ba] Flux v0.14.1", "cuda.jl", "4.4.0"),
        ("$ uname -r\n6.8.0-45-generic", "kernel", "6.8.0-45-generic"),
        ("Linux box 5.15.0-91-generic #101-Ubuntu SMP x86_64 GNU/Linux", "kernel", "5.15.0-91-generic"),
        ("Module nvidia not found in directory /lib/modules/5.14.0-362.el9.x86_64", "kernel", "5.14.0-362.el9.x86_64"),
        ("after the update to kernel 6.9.3 it is gone", "kernel", "6.9.3"),
        ("RTX 2060,torch.version==1.2.0,", "torch", "1.2.0"),
        ("#define CUDNN_MAJOR      6\n#define CUDNN_MINOR      0\n#define CUDNN_PATCHLEVEL 21", "cudnn", "6.0.21"),
        ("TensorFlow version: tf-nightly-gpu 2.5.0.dev20201125", "tensorflow", "2.5.0.dev20201125"),
        ("tensorflow: v2.1.0-rc2-17-ge5bf8de 2.1.0", "tensorflow", "2.1.0"),
        ("cuda version11.8", "cuda", "11.8"),
        ("cudn9.0 cudnn7.1.3", "cuda", "9.0"),
        ("upgrade faster-whisper version 0.10.0 -> 1.0.0", "faster-whisper", "1.0.0"),
        ("python36 cuda80 cudnn7 torch 0.4.0", "python", "3.6"),
        ("python36 cuda80 cudnn7 torch 0.4.0", "cuda", "8.0"),
        ("pytorch  1.1.0  py3.6_cuda90_cudnn7_1  pytorch", "cuda", "9.0"),
        ("pytorch  1.0.0  py3.6_cuda9.0.176_cudnn7.1.2_0  pytorch", "cuda", "9.0.176"),
        ("pytorch 1.0.1 cuda90py36h8b0c50b_0", "python", "3.6"),
        ("pytorch-nightly-1.0.0.dev20181029-py3.6_cuda9.0.176_cudnn7.1.2_0.tar.bz2", "torch", "1.0.0.dev20181029"),
        ("CUDA 7.5, nv-caffe v0.14, CuDNN v3, NVIDIA 352, 2x GTX 780 Ti", "cudnn", "3"),
        ("CUDA 7.5, nv-caffe v0.14, CuDNN v3, NVIDIA 352, 2x GTX 780 Ti", "driver", "352"),
        ('candle-core = { version = "0.4.1", features = ["cuda"] }', "candle-core", "0.4.1"),
        ("I accidentally upgraded my nvidia driver version to 367.44", "driver", "367.44"),
        ("PyTorch was compiled against (8, 3, 2) but linked against (8, 0, 3)", "installed", "8.0.3"),
        ("torch 2.1.0+cu118", "torch", "2.1.0+cu118"),
        ("tensorRT on my computer is 8.4.1.5", "tensorrt", "8.4.1.5"),
        ("ubuntu20.04+nvidia530.30+cuda12.1", "driver", "530.30"),
        ("Pytorch is built with cuda 9.1.85, gcc 5.4.0", "cuda", "9.1.85"),
        ("API mismatch: client version 570.133.07, kernel module version 570.124.06", "userspace", "570.133.07"),
        ("Works fine with `Nvidia driver 470.141.03 + CUDA 11.4`, the error with driver 450.102.04 + CUDA 11.0", "cuda", "11.0"),
        ("Works fine with `Nvidia driver 470.141.03 + CUDA 11.4`, the error with driver 450.102.04 + CUDA 11.0", "driver", "450.102.04"),
        ("PaddlePaddle\u7248\u672c\uff1a2.0rc", "paddle", "2.0rc"),
        (">>> print(torch.version.cuda)\n12.4", "cuda", "12.4"),
        ("pip install cupy-cuda111", "cuda", "11.1"),
        ("A100 linux py310-torch231-cu121", "torch", "2.3.1"),
        ("a system with the 384 driver", "driver", "384"),
        ("GPU:3080\nDriver:455\nCuda:10.1", "driver", "455"),
        ("your driver (which supports up to 9.0)", "driver_cuda", "9.0"),
        ("4090\u4e0a cu11.7\u4e0epytorch\u9002\u914d", "cuda", "11.7"),
        ("Package: nvidia-jetpack\nVersion: 4.6-b197\nPriority: standard", "jetpack", "4.6"),
        ("version that was used to compile\nPyTorch (12.4). CUDA version is CUDA version 12.0", "cuda", "12.4"),
        ("x/flash_attn_2_cuda.cpython-310-x86_64-linux-gnu.so: undefined symbol", "python", "3.10"),
        ("apt install nvidia-driver-535", "driver", "535"),
        ("with the 525.105.17 driver", "driver", "525.105.17"),
        ("bash ./NVIDIA-Linux-x86_64-570.124.04.run --no-kernel-modules", "userspace", "570.124.04"),
        ("cd open-gpu-kernel-modules-570.124.06-p2p", "kernel_module", "570.124.06"),
        ("on open modules 575.64.03 it fails", "driver", "575.64.03"),
        ("the driver is from the 535 series", "driver", "535"),
        ("R550 driver, Ubuntu 22.04", "driver", "550"),
        ("driver branch 550.", "driver", "550"),
        ("driver 570.86.15 (nvidia-smi: 12.8)", "driver_cuda", "12.8"),
        ("Driver five-seventy-five here", "driver", "575"),
        ("with CUDA twelve point four", "cuda", "12.4"),
        ("the client has the version 535.54.03, but#012NVRM: this kernel module has the version 530.30.02.", "userspace", "535.54.03"),
        ("The module that is loaded is 580.173.02, it was built with gcc 14.2.", "kernel_module", "580.173.02"),
        ("the node's smi says 550.54.15 / 12.4", "driver_cuda", "12.4"),
        ("name, compute_cap, driver_version\nNVIDIA L4, 8.9, 546.12", "driver", "546.12"),
        ("Name: accelerate\nVersion: 0.21.0\nSummary: Accelerate", "accelerate", "0.21.0"),
        ("  4) cuda/12.1.1   5) nccl/2.18.3-1", "cuda", "12.1.1"),
        ("PyTorch 2.3.0+cu121 with CUDA 1201 (you have 2.1.0+cu118)", "torch", "2.1.0+cu118"),
        ("Loaded runtime CuDNN library: 8.5.0 but source was compiled with: 8.6.0. CuDNN 7.0 or later", "cudnn", "8.5.0"),
        ("NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90.07  Fri May 31", "kernel_module", "550.90.07"),
        ("- ONNX Runtime version : 1.17.1;", "onnxruntime", "1.17.1"),
        ("PyTorch version: 2.1.0+cu118", "torch", "2.1.0+cu118"),
        ("- PyTorch version (GPU?): 2.0.1+cu117 (True)", "torch", "2.0.1+cu117"),
        ("I use PyTorch 1.13.1 here", "torch", "1.13.1"),
        ("with the pinned PyTorch (v1.10.1)?", "torch", "1.10.1"),
        ("torch.__version__ = 2.3.0", "torch", "2.3.0"),
        ("the nightly 2.6.0.dev20241201+cu124 build", "torch", "2.6.0.dev20241201+cu124"),
        ("torch                     2.1.0+cu121              pypi_0    pypi", "torch", "2.1.0+cu121"),
        ("pip install torch-2.1.0+cu118-cp310-cp310-linux_x86_64.whl", "torch", "2.1.0+cu118"),
        ("pytorch/pytorch:2.1.0-cuda12.1-cudnn8-runtime", "torch", "2.1.0"),
        ("环境：torch版本 2.0.1", "torch", "2.0.1"),
        ("Requirement already satisfied: torch in /x/site-packages (from y==1.0) (2.7.0+cu128)", "torch", "2.7.0+cu128"),
        ("Successfully installed numpy-1.26.4 torch-2.4.1", "torch", "2.4.1"),
        ("CUDA used to build PyTorch: 11.8", "cuda", "11.8"),
        ("CUDA 11.7", "cuda", "11.7"),
        ("cuda version: 12.4", "cuda", "12.4"),
        ("CUDA版本12.1", "cuda", "12.1"),
        ("Pytorch binaries were compiled with Cuda 11.1.", "cuda", "11.1"),
        ("torch 2.1.0+cu118", "cuda", "11.8"),
        ("which of the cu113 wheels", "cuda", "11.3"),
        ("| NVIDIA-SMI 535.104.05   Driver Version: 535.104.05   CUDA Version: 12.2 |", "cuda", "12.2"),
        ("| NVIDIA-SMI 535.104.05   Driver Version: 535.104.05   CUDA Version: 12.2 |", "driver", "535.104.05"),
        ("| NVIDIA-SMI 535.104.05   Driver Version: 535.104.05   CUDA Version: 12.2 |", "driver_cuda", "12.2"),
        ("Nvidia driver version: 550.54.15", "driver", "550.54.15"),
        ("driver 535.104.05", "driver", "535.104.05"),
        ("显卡驱动 460.80，Ubuntu 20.04", "driver", "460.80"),
        ("GPU:3090 , 5060TI 驅動:596.99", "driver", "596.99"),
        ("NVIDIAドライバ 535.54.03", "driver", "535.54.03"),
        ("드라이버 버전 535.54", "driver", "535.54"),
        ("версия драйвера 535.54.03", "driver", "535.54.03"),
        ("CUDAのバージョンは11.8", "cuda", "11.8"),
        ("CUDA 버전은 12.1 입니다", "cuda", "12.1"),
        ("CUDA версии 11.8", "cuda", "11.8"),
        ("torch 버전 2.1.0", "torch", "2.1.0"),
        ("파이토치 2.0.1", "torch", "2.0.1"),
        ("파이썬 3.9", "python", "3.9"),
        ("cuDNN version: 8.9.2", "cudnn", "8.9.2"),
        ("Loaded cuDNN version 8907", "cudnn", "8907"),
        ("torch.backends.cudnn.version(): 90100", "cudnn", "90100"),
        ("+ cudnn : 7602", "cudnn", "7602"),
        ("torch 0.4.1, cuda 9, cudnn 7, how can i fix it?", "cuda", "9"),
        ("torch 0.4.1, cuda 9, cudnn 7, how can i fix it?", "cudnn", "7"),
        ("**CUDNN Version**: 7", "cudnn", "7"),
        ("**CUDA**: 11", "cuda", "11"),
        ("**TensorRT Version**: 6", "tensorrt", "6"),
        ("| cuDNN | 8 |", "cudnn", "8"),
        ("cuda=10, cudnn=7", "cuda", "10"),
        ("cuda10.1/cudnn7", "cudnn", "7"),
        ("NVIDIA-driver 450", "driver", "450"),
        ("Driver: nvidia 470", "driver", "470"),
        ("Tensorflow Version: r1.13", "tensorflow", "1.13"),
        ("cudnn: #define CUDNN_MAJOR 7\n           #define CUDNN_MINOR 5\n          #define CUDNN_PATCHLEVEL 1", "cudnn", "7.5.1"),
        ("My environment is: cuda10,chainer6.2.", "cuda", "10"),
        ("NCCL version 2.18.1+cuda12.1", "nccl", "2.18.1+cuda12.1"),
        ("unhandled cuda error, NCCL version 2.7.8", "nccl", "2.7.8"),
        ("Python version: 3.10.12 (main) [GCC 11.4.0]", "python", "3.10.12"),
        ("Python 3.9.7 (default, Sep 16 2021)", "python", "3.9.7"),
        ('  File "/opt/conda/lib/python3.7/site-packages/torch/x.py", line 3, in f', "python", "3.7"),
        ('  File "C:\\Users\\a\\AppData\\Local\\Programs\\Python\\Python310\\lib\\x.py", line 3, in f', "python", "3.10"),
        ("vLLM Version: 0.4.0", "vllm", "0.4.0"),
        ("INFO 11-01 12:31:40 [core.py:58] Initializing a V1 LLM engine (v0.8.2) with config: model='m'", "vllm", "0.8.2"),
        ("vLLM API server version 0.8.1", "vllm", "0.8.1"),
        ("docker run --gpus all vllm/vllm-openai:v0.6.3.post1", "vllm", "0.6.3.post1"),
        ("- `transformers` version: 4.33.0", "transformers", "4.33.0"),
        ("transformers 4.38", "transformers", "4.38"),
        ("flash_attn-2.5.6+cu122torch2.2cxx11abiFALSE-cp310-cp310-linux_x86_64.whl", "flash-attn", "2.5.6+cu122torch2.2cxx11abiFALSE"),
        ("Cuda compilation tools, release 11.8, V11.8.89", "nvcc", "11.8"),
        ("Cuda compilation tools, release 11.8, V11.8.89", "toolkit", "11.8"),
        ("The detected CUDA version (12.1) mismatches the version that was used to compile\nPyTorch (11.7).", "toolkit", "12.1"),
        ("The detected CUDA version (12.1) mismatches the version that was used to compile\nPyTorch (11.7).", "cuda", "11.7"),
        ("NVML library version: 535.54", "nvml", "535.54"),
        ("unsatisfied condition: cuda>=12.8, please update", "required_cuda", "12.8"),
        ("jaxlib==0.4.14", "jaxlib", "0.4.14"),
        ("- CUDA/cuDNN version: cudart64_101.dll / 7.6.0.64", "cuda", "10.1"),
        ("- CUDA/cuDNN version: cudart64_101.dll / 7.6.0.64", "cudnn", "7.6.0.64"),
        ("----------Python Info----------\nVersion      : 3.10.4\nCompiler     : GCC 11.4.0", "python", "3.10.4"),
        ("### ONNX Runtime Version or Commit ID\n\n1.16.3\n\n### Platform\n\nLinux", "onnxruntime", "1.16.3"),
        ("**PyTorch Version**\n2.3.0\n", "torch", "2.3.0"),
        ("text-generation-inference: 1.1.0", "text-generation-inference", "1.1.0"),
        ("[pip3] some-unknown-thing==1.2.3", "some-unknown-thing", "1.2.3"),
        ("/root/.cargo/registry/src/index.crates.io-6f17/cudarc-0.11.5/src/driver/mod.rs:61", "cudarc", "0.11.5"),
        ("Using /root/.cache/torch_extensions/py310_cu118 as root", "python", "3.10"),
        ("torch.version: 2.0.1", "torch", "2.0.1"),
        ("NVIDIA-Linux-x86_64-535.54.03.run", "driver", "535.54.03"),
        ("your NVIDIA GPU driver (version 470.57)", "driver", "470.57"),
        ("The NVIDIA driver on your system is too old (found version 11040).", "driver_cuda", "11040"),
        ("NVRM: API mismatch: the client has the version 535.54.03, but", "userspace", "535.54.03"),
        ("NVRM: this kernel module has the version 535.43.02.", "kernel_module", "535.43.02"),
        ("WARNING: torch 2.0.1 requires triton==2.0.0, but you have triton 2.1.0", "triton", "2.1.0"),
        ("I upgraded from torch 1.13 to torch 2.0.1", "torch", "2.0.1"),
        ("sglang[all]==0.4.1", "sglang", "0.4.1"),
        ("CUDA SETUP: Detected CUDA version 117", "cuda", "11.7"),
        ("环境 python3.10 pytorch2.1.2 cuda12.1 transformers4.37.2", "transformers", "4.37.2"),
        ("  CUDA Driver Version / Runtime Version          12.2 / 11.8", "runtime", "11.8"),
        ("Using /root/.cache/torch_extensions/py310_cu118 as root", "cuda", "11.8"),
        ("### ONNX Runtime Version or Commit ID\n\n1.17.3\n", "onnxruntime", "1.17.3"),
        ("**CUDA Version**:\n12.4", "cuda", "12.4"),
        ("Python version:\n```\n3.11.9\n```", "python", "3.11.9"),
        ("- CUDA/cuDNN version (if applicable): 11.1", "cuda", "11.1"),
        ("CUDA/cuDNN version: 11.2 / 8.1.1", "cudnn", "8.1.1"),
        ("- Backend & Version (e.g., PyTorch 0.4.1, MXNet 1.3): PyTorch 1.9.0", "torch", "1.9.0"),
        ("- OpenCV => 4.7.0", "opencv", "4.7.0"),
        ("Cuda version，10.2", "cuda", "10.2"),
        ("cuda安装的10.2", "cuda", "10.2"),
        ("MXNET_VERSION:1.5.0", "mxnet", "1.5.0"),
        ("cupy-cuda112==9.6.0", "cupy", "9.6.0"),
        ("mxnet-cu102                  1.9.1\nonnxruntime_gpu 1.18.0", "mxnet", "1.9.1"),
        ("x/libgraphbolt_pytorch_2.2.2.so", "torch", "2.2.2"),
        ("/usr/lib/x86_64-linux-gnu/libcudnn_cnn_infer.so.8.9.4", "cudnn", "8.9.4"),
        ("C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA\\v11.6\\bin\\nvcc", "cuda", "11.6"),
        ("C:\\\\Program Files\\\\NVIDIA GPU Computing Toolkit\\\\CUDA\\\\v11.6\\\\bin\\\\nvcc.exe", "cuda", "11.6"),
        ("----------MXNet Info-----------\nVersion      : 1.6.0\nDirectory    : /x", "mxnet", "1.6.0"),
        ("CUDA-version: 11040 (12020), cuDNN: 8.6.0, GPU count: 1", "cuda", "11.4"),
        ("NVIDIA-SMI 340.93, Driver Version: 340.93 and Cuda 7.0", "cuda", "7.0"),
        ("libnccl2/unknown,now 2.8.4-1+cuda11.2 amd64 [installed]", "nccl", "2.8.4"),
        ("* CUDA:\n\t- GPU:\n\t\t- RTX 3090\n\t- available:         True\n\t- version:           11.3\n", "cuda", "11.3"),
        ("CUDA-version: 11040 (12020), cuDNN: 8.6.0, GPU count: 1", "driver_cuda", "12.2"),
        ("device: 0, GPU Compute Capability: 7.5, Driver API Version: 12.2, Runtime API Version: 11.8", "runtime", "11.8"),
        ("onnxruntime-linux-x64-gpu-1.16.3.tgz", "onnxruntime", "1.16.3"),
        ("- ONNX Runtime version: gpu 1.10.0", "onnxruntime", "1.10.0"),
        ("I installed Microsoft.ML.OnnxRuntime.Gpu version 1.12.0 with NuGet", "onnxruntime", "1.12.0"),
        ("Loaded runtime CuDNN library: 7201 (compatibility version 7200) but source was compiled with 7102", "built_against", "7102"),
        ("cuDNN compiled (7104) and runtime (7003) versions mismatch", "runtime", "7003"),
        ("cuDNN compiled (7104) and runtime (7003) versions mismatch", "compiled", "7104"),
        ("Latest version of CUDA supported by the driver: 11.4.0", "driver_cuda", "11.4.0"),
        ("ubuntu18.04+cuda9.2+cudnn7.1.4", "cuda", "9.2"),
        ("I have `flash_attn==2.8.0.post2`. I recommend just using `flash_attn==2.7.4.post1`.", "flash-attn", "2.8.0.post2"),
        ("my torch version==1.1.0, CUDA 9.0", "torch", "1.1.0"),
        ("### Rasa Open Source version\n\n3.1.0\n", "rasa", "3.1.0"),
        ("two cards with nvidia-drivers 510 and without CUDA", "driver", "510"),
        ("Found GPU3 Tesla V100 which requires CUDA_VERSION >= 9000 for optimal performance", "required_cuda", "9000"),
        ("but your PyTorch was compiled\n     with CUDA_VERSION 8000. Please", "cuda", "8000"),
        ("Tensorflow版本\tcuda版本\tcudnn版本\n2.4.1\t11.0\t8.0.5", "cudnn", "8.0.5"),
        ("GPU driver: NVIDIA 546.33", "driver", "546.33"),
        ("nvidia-driver-535 (535.183.01)", "driver", "535.183.01"),
        ("ii  nvidia-driver-550   550.120-0ubuntu0.22.04.1  amd64", "driver", "550.120"),
        ("libcudnn8 8.9.7.29-1+cuda12.2", "cudnn", "8.9.7.29"),
        ("cuda-toolkit-12-4", "toolkit", "12.4"),
        ("pytorch   1.12.1   py3.8_cuda11.3_cudnn8.3.2_0    pytorch", "cuda", "11.3"),
        ("TensorRT was linked against cuDNN 8.6.0 but loaded cuDNN 8.4.1", "cudnn", "8.4.1"),
        ("TensorRT was linked against cuDNN 8.6.0 but loaded cuDNN 8.4.1", "built_against", "8.6.0"),
        ("CUDA Build Version    : 12020", "cuda", "12.2"),
        ("CUDA Driver Version   : 12040", "driver_cuda", "12040"),
        ("cuDNN Version         : 8906", "cudnn", "8906"),
        ("cudnn-11.3-linux-x64-v8.2.1.32", "cudnn", "8.2.1.32"),
        ("deepspeed info ................... 0.14.2, unknown, unknown", "deepspeed", "0.14.2"),
        ("torch cuda version ............... 12.1", "cuda", "12.1"),
        ("kernel version 515.65.1 does not match DSO version 515.76.0", "userspace", "515.76.0"),
        ("kernel reported version is: 515.65.1", "kernel_module", "515.65.1"),
        ("needs driver 525.60 or newer; found 470.82", "driver", "470.82"),
        ("CUDA Driver Version: 555.42.02", "driver", "555.42.02"),
        ("- System CUDA (nvcc): 12.9", "toolkit", "12.9"),
        ("I am using drivers version 410", "driver", "410"),
        ("| torch | CUDA | GPU |\n|---|---|---|\n| 2.4.0 | 12.4 | A100 |", "cuda", "12.4"),
        ("python3.8+pytorch1.10+cuda11.3", "torch", "1.10+cuda11.3"),
        ("python3.8+pytorch1.10+cuda11.3", "python", "3.8"),
        ("upgraded from flash_attn 2.7.4.post1 to 2.8.0.post2, then", "flash-attn", "2.8.0.post2"),
        ("image team/app:ngc-cu124-vllm0.8.5-sglang0.4.6.post5", "sglang", "0.4.6.post5"),
        ("rocm/pytorch:rocm6.2_ubuntu22.04_py3.10_pytorch_release_2.3.0", "torch", "2.3.0"),
        ("&&&& RUNNING TensorRT.trtexec [TensorRT v8601]", "tensorrt", "8.6.1"),
        ("[TensorRT v100300]", "tensorrt", "10.3.0"),
        ("AMD HIP SDK 6.4", "hip", "6.4"),
        ("version: 3871 (d10d90ae)\nbuilt with GNU 15.2.1 for Linux x86_64", "llama.cpp", "3871"),
        ("version: 3871 (d10d90ae)\nbuilt with GNU 15.2.1 for Linux x86_64", "gcc", "15.2.1"),
        ("/home/u/.local/share/uv/python/cpython-3.13.12-linux-x86_64-gnu/lib/python3.13/a.py", "python", "3.13.12"),
        ("requires a torch version >= 1.5 and < 2.0 but detected 2.1", "torch", "2.1"),
        ("The installed Paddle is compiled with CUDNN 7.3, but CUDNN version in your machine is 5.1, which", "cudnn", "5.1"),
        ("The installed Paddle is compiled with CUDA 11.2, but CUDA runtime version in your machine is 11.0, which", "cuda", "11.0"),
        ("PyTorch was compiled  against (8, 7, 0) but found runtime version (8, 2, 4).", "built_against", "8.7.0"),
        ("PyTorch was compiled  against (8, 7, 0) but found runtime version (8, 2, 4).", "cudnn", "8.2.4"),
        ("Found cuDNN version 8600, but JAX was built against version 8906, which is newer.", "cudnn", "8600"),
        ("Found cuDNN version 8600, but JAX was built against version 8906, which is newer.", "built_against", "8906"),
        ("Found CUDA version 12010, but JAX was built against version 12020, which is newer.", "cuda", "12.1"),
        ("Found CUDA version 12010, but JAX was built against version 12020, which is newer.", "installed", "12010"),
        (
            "Outdated cuBLAS installation found.\nVersion JAX was built against: 120304\nMinimum supported: 120100\n"
            "Installed version: 120001",
            "cublas",
            "120001",
        ),
        ("expecting library version 8.5.1.7 got 8.5.3.1, please rebuild.", "tensorrt", "8.5.1.7"),
        ("expecting library version 8.5.1.7 got 8.5.3.1, please rebuild.", "built_against", "8.5.3.1"),
        ("expecting library version 8.0.0 got 8.0.1, please rebuild.\n- TensorRT 8.0.1.6", "tensorrt", "8.0.1.6"),
        ("NVRM: API mismatch: the client has the version 535.86.05, but\nNVRM: this kernel module has the version 535.86.10.", "userspace",
         "535.86.05"),
        ("NVRM: API mismatch: the client 'x' (pid 8)\nNVRM: has the version 580.1.02, but this kernel module has\nNVRM: the version 575.6.",
         "kernel_module", "575.6"),
        ("unsatisfied condition: driver >= 410", "required_driver", "410"),
        ("PyTorch >= 2.4 is required but found 2.3.1", "torch", "2.3.1"),
        ("/lib64/libm.so.6: version `GLIBC_2.29' not found (required by x.so)", "required_glibc", "2.29"),
        ("The NVIDIA driver's CUDA version is 12.3 which is older than the PTX compiler version 12.5.82.", "driver_cuda", "12.3"),
        ("The NVIDIA driver's CUDA version is 12.3 which is older than the PTX compiler version 12.5.82.", "ptxas", "12.5.82"),
        ("nvidia-smi indicates I'm using 555.85 as my driver, and CUDA 12.5, which is odd", "driver_cuda", "12.5"),
        ("nvidia-smi indicates I'm using 555.85 as my driver, and CUDA 12.5, which is odd", "driver", "555.85"),
        ("Found pynvml==11.4.1 and cuda driver version b'470.82.01'", "driver", "470.82.01"),
        ("Python Ver.3.11.8 and Torch Ver.2.3.1+cu121", "torch", "2.3.1+cu121"),
        ("ninja --version = 1.11.1.git.kitware.jobserver-1", "ninja", "1.11.1"),
        ("Cudnn version: 6020", "cudnn", "6020"),
        ("我的cuda版本是11，请问", "cuda", "11"),
        ("TensorFlow installed from: Docker Tag 1.13.0rc0-gpu-py3", "tensorflow", "1.13.0rc0"),
        ("Nvidia driver (version 440) is installed", "driver", "440"),
        ("hashcat (v6.2.6) starting", "hashcat", "6.2.6"),
        ("cuda version:590.48.01", "driver", "590.48.01"),
        ("We are on driver branch 535 (535.161.08)", "driver", "535.161.08"),
        ("Driver 525 on the host, toolkit 12.1 in the image", "driver", "525"),
        ("Driver 525 on the host, toolkit 12.1 in the image", "toolkit", "12.1"),
        ("nvidia-smi reports 470.129.06 / CUDA 11.4", "driver", "470.129.06"),
        ("nvidia-smi reports 470.129.06 / CUDA 11.4", "driver_cuda", "11.4"),
        ("nvidia-smi says CUDA 12.2, nvcc says 11.5", "driver_cuda", "12.2"),
        ("nvidia-smi says CUDA 12.2, nvcc says 11.5", "nvcc", "11.5"),
        ("nvcc -V gives 11.7 while torch was built for 12.1", "nvcc", "11.7"),
        ("nvcc -V gives 11.7 while torch was built for 12.1", "cuda", "12.1"),
        ("libcudnn9-cuda-12 9.1.1.17-1", "cudnn", "9.1.1.17"),
        ("the cudnn version is 7605", "cudnn", "7605"),
        ("vllm at 0.6.3.post1", "vllm", "0.6.3.post1"),
        ("with transformers at 4.36.2 and peft at 0.7.1", "transformers", "4.36.2"),
        ("with transformers at 4.36.2 and peft at 0.7.1", "peft", "0.7.1"),
        ("gcc-12 (12.3.0) and nvcc 11.7", "gcc", "12.3.0"),
        ("gcc-12 (12.3.0) and nvcc 11.7", "nvcc", "11.7"),
        ("llama.cpp build 3265", "llama.cpp", "3265"),
        ("after upgrading torch to 2.3.0", "torch", "2.3.0"),
        ("rocm/pytorch:rocm6.0_ubuntu22.04_py3.9_pytorch_2.1.1", "rocm", "6.0"),
        ("rocm/pytorch:rocm6.0_ubuntu22.04_py3.9_pytorch_2.1.1", "torch", "2.1.1"),
        ("rocm/pytorch:rocm6.0_ubuntu22.04_py3.9_pytorch_2.1.1", "python", "3.9"),
        ("the module loaded is 510.47.03 while libcuda is 515.65.01", "kernel_module", "510.47.03"),
        ("the module loaded is 510.47.03 while libcuda is 515.65.01", "userspace", "515.65.01"),
        ("kernel module 535.129.03, user space 535.154.05", "kernel_module", "535.129.03"),
        ("kernel module 535.129.03, user space 535.154.05", "userspace", "535.154.05"),
        ("/proc/driver/nvidia/version shows 535.129.03 but libnvidia-ml.so.535.154.05 is loaded", "kernel_module", "535.129.03"),
        ("/proc/driver/nvidia/version shows 535.129.03 but libnvidia-ml.so.535.154.05 is loaded", "userspace", "535.154.05"),
        ("libnvidia-compute-535 is 535.183.01", "userspace", "535.183.01"),
        ("nvidia-fabricmanager-535 (535.104.12)", "nvidia-fabricmanager", "535.104.12"),
        ("the client library is 460.91 and the kernel has 460.80", "userspace", "460.91"),
        ("the client library is 460.91 and the kernel has 460.80", "kernel_module", "460.80"),
        ("modules from the 570.124.06 tree", "kernel_module", "570.124.06"),
        ("apt pulled the 545.23.08 libraries over night, the running module is still 545.23.06", "userspace", "545.23.08"),
        ("apt pulled the 545.23.08 libraries over night, the running module is still 545.23.06", "kernel_module", "545.23.06"),
        ("Driver 510.47.03 (CUDA 11.6) on the nodes.", "driver_cuda", "11.6"),
        ("onediff Version: 1.1.0.dev2024", "onediff", "1.1.0.dev2024"),
        ("Client: Docker Engine - Community\n Version:           20.10.17", "docker", "20.10.17"),
        (" containerd:\n  Version:          1.6.6", "containerd", "1.6.6"),
        ("nvc.c:376] initializing library context (version=1.9.0, build=5e1)", "libnvidia-container", "1.9.0"),
        ("CUDA Driver Version   : 9010", "driver_cuda", "9010"),
        ("cudnn 7, from cudnn-9.0-linux-x64-v7", "cudnn", "7"),
        ("C:\\cuda\\bin\\cudart64_12.dll\nCUDA SETUP: Detected CUDA version 123", "cuda", "12.3"),
        ("C:/agent/tmp_conda_3.6_101010/conda/conda-bld/pytorch/aten/src", "python", "3.6"),
        ("GCC version                  : (Ubuntu 13.3.0-6ubuntu2~24.04) 13.3.0\nx [GCC 11.2.0]", "gcc", "13.3.0"),
        ("$ pip list | grep tok\ntokamax                  0.0.11", "tokamax", "0.0.11"),
        ("# Name                    Version                   Build  Channel\nh5py   2.9.0   <pip>", "h5py", "2.9.0"),
        ("# conda environments:\n(x) /data/app $ python --version\nPython 3.10.15\n/lib/python3.10/x.py", "python", "3.10.15"),
        ("Ubuntu with the driver nvidia-387.", "driver", "387"),
        ("libcuda.so -> libcuda.so.375.82", "driver", "375.82"),
        ("libcudart.so.9.1 (libc6,x86-64) => /opt/cuda/lib64/libcudart.so.9.1", "cuda", "9.1"),
        ("I installed the 6.5 toolkit.", "toolkit", "6.5"),
        ("centos 7.0,cuda7.5\nupdate cuda version to 8.0 or downgraded to 6.0", "cuda", "7.5"),
        ("flash attention 2.8.2 is installed", "flash-attn", "2.8.2"),
        ("flash-attn==2.5.9-post1 has it", "flash-attn", "2.5.9-post1"),
        ("a host where the nvidia driver is 535.", "driver", "535"),
        ("driver:\n  enabled: true\n  version: 550.90.07\n", "driver", "550.90.07"),
        ("NCCL INFO cudaDriverVersion 11020", "driver_cuda", "11020"),
        ("PyTorch 2.3.0+cu121 with CUDA 1201 (you have 2.1.0+cu118)", "cuda", "11.8"),
        ("Python  3.10.13 (you have 3.10.12)", "python", "3.10.12"),
        ("but\n   version 470.57.02 was detected and compatibility mode is UNAVAILABLE.", "driver", "470.57.02"),
        ("vllm 0.4.0 depends on torch==2.1.2\nI have torch 2.3.0", "torch", "2.3.0"),
        ("| NVIDIA-SMI 610.57.04              KMD Version: 610.57.04     CUDA UMD Version: 13.3     |", "driver_cuda", "13.3"),
        ("| NVIDIA-SMI 610.57.04              KMD Version: 610.47     CUDA UMD Version: 13.3     |", "driver", "610.47"),
        ("升级到英伟达610驱动之后识别不到显卡", "driver", "610"),
        ("the drivers were 382.53 on all rigs", "driver", "382.53"),
        ("Device-1: NVIDIA TU117M driver: nvidia v: 535.98", "driver", "535.98"),
        ("akmod-nvidia-3:525.60.11-1.fc37", "driver", "525.60.11"),
        ("it came with the 390 driver", "driver", "390"),
        ("CUDA/CUDNN: 11.1/8.0.5", "cuda", "11.1"),
        ("CUDA/CUDNN: 11.1/8.0.5", "cudnn", "8.0.5"),
        ("CUDA and cuDNN versions: 10.1 and 7.6", "cudnn", "7.6"),
        ("python/pytorch: 3.8/1.7.1", "python", "3.8"),
        ("python/pytorch: 3.8/1.7.1", "torch", "1.7.1"),
        ("Tensorflow r2.4", "tensorflow", "2.4"),
        ("jax[cuda12] 0.4.26", "jax", "0.4.26"),
        ("Julia 1.6, CUDA.jl v2.6.2", "cuda.jl", "2.6.2"),
        ("you need flash_attn package version to be greater or equal than 2.1.0. Detected version 2.0.4.", "flash-attn", "2.0.4"),
        ("**Nvidia Driver Version**: 418", "driver", "418"),
        ("I built it with CUDA 6.5 and CUDNN 2.", "cudnn", "2"),
        ("### CUDA/cuDNN version\n\n8.1", "cudnn", "8.1"),
        ("### CUDA/cuDNN version\n\n8.0", "cuda", "8.0"),
        ("- Java version: 1.8", "java", "1.8"),
        ("flashinfer-python `0.6.18`", "flashinfer", "0.6.18"),
        ("CUDA SETUP: PyTorch settings found: CUDA_VERSION=118, Highest Compute Capability: 8.6.", "cuda", "11.8"),
        ("at org.bytedeco.javacpp.Loader.load(Loader.java:750) ~[javacpp-1.3.1.jar:1.3.1]", "javacpp", "1.3.1"),
        ("### Kernel Release\n\nLinux 6.17.7-arch1-1", "kernel", "6.17.7-arch1-1"),
        ("config={'transformer_engine_version': '2.14.0+71bbefbf', 'cudnn_version': '9.20.0'}", "transformer-engine", "2.14.0+71bbefbf"),
        (" - PyTorch version w/ CUDA/cuDNN: 1.8.1 / 1.7, cu11.1", "torch", "1.8.1"),
        ("FROM nvidia/cuda:9.2-cudnn7-devel-ubuntu18.04", "cudnn", "7"),
        ("dso_loader.cc:152] successfully opened CUDA library libcublas.so.10.0 locally", "cuda", "10.0"),
        ("dso_loader.cc:126] successfully opened CUDA library cublas64_80.dll locally", "cuda", "8.0"),
        ("dso_loader.cc:44] Successfully opened dynamic library libcudnn.so.7", "cudnn", "7"),
        ("GPU: GTX 1080(Nvidia 510.47.03)", "driver", "510.47.03"),
        ("* Version \"Slate\" v4.0-52-g5150ae50 built on Aug 19 2025", "darknet", "4.0"),
        ("The CUDA version used is 11.1.", "cuda", "11.1"),
        ("compiled on Ubuntu with 10.2 Cuda.", "cuda", "10.2"),
        ("In the past, I used tensorflow-gpu==1.12.0, then I updated the tensorflow-gpu==1.13.1", "tensorflow", "1.13.1"),
        ("it ran on previous L4T 32.4 version\n     L4T 32.5.0 [ JetPack UNKNOWN ]", "l4t", "32.5.0"),
        ("onnxruntime-gpu version 1.12", "onnxruntime-gpu", "1.12"),
        ("onnxruntime-gpu \u662f 1.20.1", "onnxruntime-gpu", "1.20.1"),
        ("I am using Dlib 19.21 on it", "dlib", "19.21"),
        ("pip install mxnet-cu80", "cuda", "8.0"),
        ('File "/usr/lib/python2.7/dist-packages/mxnet-0.9.5-py2.7.egg/mxnet/base.py"', "mxnet", "0.9.5"),
        ('"name" : "CUDA SDK",\n      "version" : "11.3.0"', "cuda", "11.3.0"),
        ("\u901a\u8fc7nvcc -V\u9a8c\u8bc1cuda\u7248\u672c\u4e3a10.1", "nvcc", "10.1"),
        ("\u901a\u8fc7nvidia-smi\u663e\u793acuda\u7248\u672c\u4e3a10.2", "driver_cuda", "10.2"),
        ("TransformerEngine v1.2.1 throws an error", "transformer-engine", "1.2.1"),
        ("CUDA.Version.: 11.7", "driver_cuda", "11.7"),
        ("python -c \"import deepspeed; print(deepspeed.__version__)\"\n0.6.5\n", "deepspeed", "0.6.5"),
        ("\u7248\u672c\uff1apaddlepaddle-gpu             2.4.1.post117", "paddlepaddle-gpu", "2.4.1.post117"),
        ("Loaded runtime CuDNN library: 7.1.2 but source was compiled with: 7.6.0.", "loaded", "7.1.2"),
        ("Loaded runtime CuDNN library: 7.1.2 but source was compiled with: 7.6.0.", "compiled", "7.6.0"),
    ],
)  # fmt: skip
def test_ways_to_name_a_version(text: str, package: str, version: str) -> None:
    assert versions(text).get(package) == version


@pytest.mark.parametrize(
    "text",
    [
        "GPU0 is of cuda capability 3.0.",
        "torch>=2.1.0",
        "transformers<4.40.0",
        "Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 31.47 GiB",
        "step 3.5 loss 0.25 torch.float16",
        "192.168.1.10:8080",
        "see torch/nn/modules/module.py:1.5",
        "the driver took 3.5 seconds",
        "python 25.3",
        "in 2.5 s",
        "## Results\n3.141",
        "CUDA 11.8 or newer is needed",
        "unsupported by Numba - 11.0 is the minimum required version",
        "API version: 1.41.0",
        "需要 CUDA 11.8 及以上",
        "tensors on cuda:9 and cuda:10",
        "Unable to load any of {libcudnn_cnn.so.9.1.0, libcudnn_cnn.so.9.1, libcudnn_cnn.so.9, libcudnn_cnn.so}",
        "libnvinfer.so.8.6.1: cannot open shared object file: No such file or directory",
        "libcudnn.so.8: cannot open shared object file; nvidia-cudnn-cu12",
        "Require cuDNN 9.* and CUDA 12.*.",
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


def test_what_is_measured_or_set_is_no_package() -> None:
    text = "cuda: 12.4\nbatch_size: 4.0\nGPU memory: 24.0 GB\nclock 1.4 GHz\nthroughput 3.5 it/s\nloss 0.25\npython 3.9"
    assert versions(text) == {"cuda": "12.4", "python": "3.9"}


def test_pip_list() -> None:
    text = """Package            Version
------------------ ------------
my-thing           1.0
torch              2.1.0+cu118

other              3.0
"""
    assert versions(text) == {"my-thing": "1.0", "torch": "2.1.0+cu118", "cuda": "11.8"}


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
