"""Versions as programs, clusters and installers print them."""

from __future__ import annotations

import pytest
from parser_support import facts, versions

from triage.engine.values import Version

PRINTED = [
    ("Currently Loaded Modulefiles:\n 1) cuda/11.7.0(default)   3) openmpi/4.1.4", "openmpi", "4.1.4"),
    ("Currently Loaded Modules:\n  2) PyTorch/1.12.1-foss-2022a-CUDA-11.7.0   5) NCCL/2.12.12-GCCcore-11.3.0", "torch", "1.12.1"),
    ("Currently Loaded Modules:\n  7) Python/3.10.4-GCCcore-11.3.0", "python", "3.10.4"),
    ("$ spack find\n-- linux-rocky8-zen3 / gcc@11.4.0 --\ncudnn@8.9.2.26  py-torch@2.0.1", "torch", "2.0.1"),
    ("LAMMPS 20230802.1 on two A100", "lammps", "20230802.1"),
    ("LAMMPS (2 Aug 2023 - Update 1)\nKOKKOS mode", "lammps", "2 Aug 2023"),
    ("Info: Built with CUDA version 10010", "cuda", "10.1"),
    ("CUDA API (CUDA 12.2)\n====================", "driver_cuda", "12.2"),
    (" * CUDA         7.5/9.0/2.0.1-beta\n * NVML         9.384.130/384.130 press e", "driver", "384.130"),
    (" * CUDA         7.5/9.0/2.0.1-beta", "driver_cuda", "9.0"),
    ("AppData\\Roaming\\Blender Foundation\\Blender\\3.4\\cache\\kernels", "blender", "3.4"),
    (" * ABOUT        XMRig/6.21.0 gcc/9.3.0", "xmrig", "6.21.0"),
    ("    DriverVersion: 11.6000\n   ToolkitVersion: 11.2000", "driver_cuda", "11.6"),
    ("CUDA driver 12.2\nJulia packages:\n- CUDA: 5.0.0", "cuda.jl", "5.0.0"),
    ("# R32 (release), REVISION: 7.1, GCID: 29818004, BOARD: t186ref", "l4t", "32.7.1"),
    ("├── triton [required: ==2.1.0, installed: 2.1.0]", "triton", "2.1.0"),
    ("torch               ✅ 2.3.1>=1.8.0", "torch", "2.3.1"),
    ("1. Framework: (TensorFlow, Keras, PyTorch, MXNet) PyTorch\n2. Framework version: 1.7.1", "torch", "1.7.1"),
    ('msg="Listening on [::]:11434 (version 0.3.14)"', "ollama", "0.3.14"),
    ('id=GPU-e1 library=cuda variant=v12 compute=8.6 driver=12.4 name="NVIDIA GeForce RTX 3060"', "driver_cuda", "12.4"),
    ('msg="Listening on [::]:11434 (version 0.5.4-0-g2ddc32d-dirty)"', "ollama", "0.5.4"),
    (
        'id=GPU-e1 filter_id="" library=CUDA compute=8.9 name=CUDA0 description="NVIDIA GeForce RTX 4090" libdirs=ollama driver=13.0',
        "driver_cuda",
        "13.0",
    ),
    ("Warp 1.5.0 initialized:\n   CUDA Toolkit 12.6, Driver 12.4", "driver_cuda", "12.4"),
    ("build: 4404 (0827b2c1) with cc (Ubuntu 11.4.0-1ubuntu1~22.04) 11.4.0 for x86_64-linux-gnu", "gcc", "11.4.0"),
    ("LLaMA-Factory version 0.8.3", "llamafactory", "0.8.3"),
    ("ONNX Runtime Version or Commit ID: 1.16.3", "onnxruntime", "1.16.3"),
    ("  Using CUDA 12.1 driver version 530.30.02 with kernel driver version 515.105.01.", "driver", "515.105.01"),
    ("CUDA Runtime Version: 12040\nCUDA Driver Version: 13000", "cuda", "12.4"),
    ("/nix/store/x2-python3-3.11.9-env/lib/python3.11/site-packages/torch/cuda/__init__.py", "python", "3.11.9"),
    ("Emitting /home/li/.cache/colossalai/torch_extensions/torch1.13_cu11.7/build.ninja", "cuda", "11.7"),
    ("Loaded module: cudnn/v8.2.2.26-prod-cuda-11.4", "cudnn", "8.2.2.26"),
    ("PyTorch has CUDA Version=12.1 and torchvision has CUDA Version=11.8.", "torchvision_cuda", "11.8"),
    ("Version tag does not match. Note: Current Version: 228, Serialized Engine Version: 239)", "serialized", "239"),
    ("libstdc++.so.6: version `CXXABI_1.3.13' not found (required by libtorch_cuda.so)", "cxxabi", "1.3.13"),
    ("- **ComfyUI Version:** v0.3.1-4-gabc1234", "comfyui", "0.3.1-4-gabc1234"),
    ("tf.version: v1.15.0-0-g590d6eef7e", "tensorflow", "1.15.0"),
    ("* Kernel Version:6.5.0-28-generic", "kernel", "6.5.0-28-generic"),
    ("* K8s Flavor/Version(e.g. K8s, OCP):v1.27.3", "kubernetes", "1.27.3"),
    ("Device Plugin version - v0.15.0", "nvidia-device-plugin", "0.15.0"),
    ("Start-Date: 2024-05-01\nUpgrade: libcudnn8:amd64 (8.9.2.26-1, 8.9.7.29-1), curl:amd64 (7.81, 7.82)", "cudnn", "8.9.7.29-1"),
    ("nvidia-container-toolkit:\n  Installed: 1.13.5-1\n  Candidate: 1.14.0-1", "nvidia-container-toolkit", "1.13.5-1"),
    ("Docker Desktop Version: 4.12.0", "docker-desktop", "4.12.0"),
    ("Welcome to Ubuntu 22.04.4 LTS (GNU/Linux 6.2.0-39-generic x86_64)", "kernel", "6.2.0-39-generic"),
    ("nvidia-current, 525.147.05, 6.1.0-18-amd64, x86_64: installed", "kernel", "6.1.0-18-amd64"),
    (" Server Version: 24.0.7\n Storage Driver: overlay2", "docker", "24.0.7"),
    ("I run the ollama docker container with version 0.1.29 here", "ollama", "0.1.29"),
    ("error: command '/usr/local/cuda-10.2/bin/nvcc' failed with exit status 1", "toolkit", "10.2"),
    ("### Platform\n\nWindows\n\n### OS Version\n\n11\n", "windows", "11"),
    ('"name" : "CUDA SDK",\n      "version" : "11.4.20210623"', "cuda", "11.4.20210623"),
    ("HIP version: 6.1.40091-a8dbc0c19", "hip", "6.1.40091"),
    ("mxnet version: 1.6.0b20191122", "mxnet", "1.6.0b20191122"),
    ("dgl version: 0.5a200120", "dgl", "0.5a200120"),
    ("libpython3.7m.so.1.0: cannot open shared object file", "python", "3.7"),
    ("sys.version: 3.7.5 (default, Nov  7 2019)", "python", "3.7.5"),
    ("sys.version_info(major=3, minor=9, micro=7, releaselevel='final', serial=0)", "python", "3.9.7"),
    ("Depends: nvidia-cuda (= 4.6-b197), nvidia-tensorrt (= 4.6-b197)", "jetpack", "4.6"),
    ("DEBUG Using Python request `3.9` from version file at `.python-version`", "python", "3.9"),
    (
        "xformers with torch version 2.0.0\n\ntorchaudio 2.1.0 requires torch==2.1.0, but you have torch 2.0.1 which is incompatible.",
        "torch",
        "2.0.1",
    ),
    ("The node runs driver r470 with PyTorch 2.1", "driver", "470"),
    ("gcc (Ubuntu 5.4.0-6ubuntu1~16.04.11)", "gcc", "5.4.0"),
    ("pip install flash_attn-2.5.6+cu122torch2.2cxx11abiFALSE-cp310-cp310-linux_x86_64.whl", "torch", "2.2"),
    ("FAILED: D:/x/build/temp.win-amd64-cpython-310/Release/q.obj", "python", "3.10"),
    ("build/temp.linux-x86_64-3.8/x.o: error", "python", "3.8"),
    ("With `v0.13.0` vLLM cannot start a model", "vllm", "0.13.0"),
    ("16GB of Ram on Ventura 13.5:", "macos", "13.5"),
    ("- langchain-ChatGLM 版本/commit 号：v0.2.5\n", "langchain-chatglm", "0.2.5"),
    ("The CUDA compiler is 11.7, from the HPC SDK", "cuda", "11.7"),
    ("Detectron2 CUDA Compiler  10.2\nNVCC  10.2\nPyTorch built with:\n  - CUDA Runtime 11.1", "cuda", "11.1"),
    ("CUDA compiler           CUDA 11.3\nPyTorch                 1.10.0+cu111", "cuda", "11.1"),
    ("device: 0, CUDA Capability: 70, Driver Version: 11.2, Runtime Version: 9.0", "cuda", "9.0"),
    ("Microsoft (R) C/C++ Optimizing Compiler Version 19.29.30147 for x64", "msvc", "19.29.30147"),
    ("-- The CXX compiler identification is MSVC 19.29.30147.0", "msvc", "19.29.30147.0"),
    ("--- uname\n6.8.0-60-generic\n--- lspci", "kernel", "6.8.0-60-generic"),
    ("paddlepaddle-gpu==2.4.2.post117", "cuda", "11.7"),
    ("TensorFlow version (use command below): v2.0.0-beta0-17-g8e423e3 2.0.0-beta1", "tensorflow", "2.0.0-beta1"),
    ("OS: Linux 5.15.0-91-generic", "kernel", "5.15.0-91-generic"),
    ("CentOS, Linux 4.18.0-305.3.1.el8.x86_64", "kernel", "4.18.0-305.3.1.el8.x86_64"),
]


@pytest.mark.parametrize(("text", "package", "version"), PRINTED)
def test_printed(text, package, version):
    assert versions(text).get(package) == version


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("Driver Version: 23.21.13.9135", (391, 35)),
        ("NVIDIA GeForce RTX 3070     32.0.15.6094", (560, 94)),
        ("NVIDIA driver 26.21.14.3200", (432, 0)),
        ("Driver Version: 418.87.00", (418, 87, 0)),
    ],
)
def test_release_of_a_driver(text, release):
    """What Windows writes is compared as the release that it is."""
    found, *_ = [fact["version"] for fact in facts(text, "version", "package", "version") if fact["package"] == "driver"]
    assert found == Version(release)


@pytest.mark.parametrize("text", ["Intel UHD Graphics 27.20.100.8681", "AMD Radeon 31.0.12027.9001", "Driver Version: 1.2"])
def test_drivers_of_others(text):
    assert "driver" not in versions(text)


@pytest.mark.parametrize(
    "line",
    [
        "llama_kv_cache_init:      CUDA8 KV buffer size =    32.98 MiB",
        "llama_context:     CUDA10 compute buffer size =   100.00 MiB",
        "load_tensors: layer   3 assigned to device CUDA8",
        "using device CUDA9 (NVIDIA GeForce RTX 3090) - 23887 MiB free",
        "  CUDA8 : NVIDIA GeForce RTX 3090",
    ],
)
def test_a_card_of_ggmls_is_no_version_of_cuda(line: str) -> None:
    assert "cuda" not in versions(line)
