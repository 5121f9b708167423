"""Lines to paste are lines that the reader's program understands."""

from __future__ import annotations

from pathlib import Path

import pytest

import triage
from triage.knowledge.tables import load_tables
from triage.report.audience import jetson, windows
from triage.report.audience.makers import Maker
from triage.report.audience.programs import how_to_know, is_of_a_model, steps, understood
from triage.report.placeholders import bus_id, module_of, name_package

ROOT = Path(__file__).parents[3]
LINES = [
    "CUDA_LAUNCH_BLOCKING=1 python train.py",
    "compute-sanitizer --tool memcheck python train.py",
    "python train.py --device cpu",
    "x = x.contiguous()",
    "python -c 'import torch; print(torch.version.cuda)'",
    "pip install -U PACKAGE",
    "nvidia-smi -L",
]


@pytest.mark.parametrize("framework", ["torch", "vllm", "nccl", ""])
def test_all_lines_where_pytorch_may_be_meant(framework: str) -> None:
    assert understood(LINES, framework) == LINES


def test_no_pytorch_beside_another_framework() -> None:
    assert understood(LINES, "tensorflow") == [LINES[0], LINES[1], LINES[2], LINES[6]]


def test_no_python_where_there_is_none() -> None:
    assert understood(LINES, "rust") == ["CUDA_LAUNCH_BLOCKING=1 PROGRAM", "compute-sanitizer --tool memcheck PROGRAM", "nvidia-smi -L"]


def test_who_runs_models_of_others_chooses_their_precision_and_trains_none() -> None:
    assert is_of_a_model("gradient-checkpointing", "candle")
    assert not is_of_a_model("lower-precision", "candle")
    assert is_of_a_model("lower-precision", "taichi")
    assert not is_of_a_model("gradient-checkpointing", "burn")


def test_what_is_missing_is_not_asked_of_a_framework_that_is_not_there() -> None:
    ask = "python -m torch.utils.collect_env"
    assert how_to_know(ask, "torch") == how_to_know(ask, "") == ask
    assert how_to_know(ask, "ggml") == ""
    assert how_to_know("python train.py 2>&1 | tee train.log", "ggml") == "PROGRAM 2>&1 | tee train.log"


def test_steps_are_parted_outside_of_quotes_alone() -> None:
    python = "python -c 'import torch; print(torch.__version__)'"
    assert list(steps(f"nvidia-smi; {python}; dmesg -T")) == ["nvidia-smi", python, "dmesg -T"]
    assert list(steps("Get-WinEvent @{LogName='System'; Id=4101}")) == ["Get-WinEvent @{LogName='System'; Id=4101}"]


FAULT = "CUDA error: an illegal memory access was encountered\n"


def commands(text: str) -> str:
    return "\n".join(line for fix in triage.explain(text).diagnoses[0].fixes for line in fix.commands)


@pytest.mark.parametrize(
    "text",
    [
        FAULT + "  --> src/kernels.rs:120:9\n",
        "ERROR: LoadError: " + FAULT + " [1] throw_api_error at ~/.julia/packages/CUDA/lib/cudadrv/libcuda.jl:30\n",
        "hashcat (v6.2.6) starting\n" + FAULT,
    ],
)
def test_a_text_that_shows_a_program_without_python_is_given_none(text: str) -> None:
    assert "PROGRAM" in commands(text) or "julia" in commands(text)
    assert "python" not in commands(text)
    assert "torch" not in commands(text)


def test_a_text_that_also_shows_python_is_given_python() -> None:
    assert "python serve.py" in commands(FAULT + "  --> src/kernels.rs:120:9\n" + '  File "serve.py", line 3, in <module>\n')


@pytest.mark.parametrize(
    ("name", "module"),
    [
        ("flash-attn", "flash_attn"),
        ("MinkowskiEngine", "minkowskiengine"),
        ("pyannote.audio", "pyannote"),
        ("/env/lib/site-packages/flash_attn_2_cuda.cpython-311-x86_64-linux-gnu.so", "flash_attn_2_cuda"),
        ("C:\\env\\Lib\\site-packages\\torch_scatter", "torch_scatter"),
    ],
)
def test_names_of_a_package_lead_to_its_module(name: str, module: str) -> None:
    assert module_of(name) == module


def test_a_package_from_its_sources_is_installed_from_there() -> None:
    apex = {"distribution": "apex", "origin": "git+https://github.com/NVIDIA/apex.git"}
    assert name_package("pip uninstall -y PACKAGE", apex) == "pip uninstall -y apex"
    assert name_package("pip install --no-binary PACKAGE PACKAGE", apex) == "pip install 'git+https://github.com/NVIDIA/apex.git'"
    assert name_package("pip install 'PACKAGE==VERSION'", apex) == "pip install 'PACKAGE==VERSION'"


def _refusal(package: str) -> str:
    return (
        "Traceback (most recent call last):\n"
        '  File "train.py", line 3, in <module>\n    model(x)\n'
        f'  File "/env/lib/python3.11/site-packages/{package}/layers.py", line 9, in forward\n    return F.linear(x, w)\n'
        "RuntimeError: expected mat1 and mat2 to have the same dtype, but got: float != c10::Half\n"
    )


def test_the_package_that_the_traceback_ends_in_is_named() -> None:
    assert "pip install -U peft" in commands(_refusal("peft"))


def test_a_server_that_refuses_without_a_traceback_is_named() -> None:
    refusal = "ValueError: Head size 40 is not supported by MLACommon. Supported head sizes are: [576].\n"
    assert "pip install -U vllm" in commands("VLLM_ATTENTION_BACKEND=FLEX_ATTENTION has been set\n" + refusal)
    assert "PACKAGE" not in commands(refusal)  # nothing tells which, and something else is left to try


def test_a_package_that_only_the_log_knows_is_never_offered() -> None:
    assert "evil" not in commands(_refusal("evil"))


def test_a_gpu_is_named_by_the_address_of_its_xid() -> None:
    xid = "NVRM: Xid (PCI:0000:9c:00): 48, pid=1234, name=python, An uncorrectable double bit error (DBE) has been detected"
    assert "sudo nvidia-smi --gpu-reset -i 0000:9c:00.0" in commands(xid)
    assert "--gpu-reset -i GPU_ID" in commands("RuntimeError: CUDA error: uncorrectable ECC error encountered")


MISSING = "RuntimeError: CUDA error: no kernel image is available for execution on the device\n"
BUILT_APART = (
    "ImportError: /env/lib/python3.11/site-packages/flash_attn_2_cuda.cpython-311-x86_64-linux-gnu.so: undefined symbol: _ZN3c104cudaE\n"
)
NO_CUDA = "AssertionError: Torch not compiled with CUDA enabled\n"
SMI = "| NVIDIA-SMI {0}   Driver Version: {0}   CUDA Version: {1} |\n"


@pytest.mark.parametrize(
    ("told", "index"),
    [
        ("", "cu126"),
        ("Python: 3.8.10\n", "cu121"),
        ("Python: 3.11\n", "cu126"),
        (SMI.format("535.183.01", "12.2") + "Python: 3.8\n", "cu121"),
        (SMI.format("470.182.03", "11.4"), "cu118"),
        (SMI.format("535.183.01", "12.2"), "cu126"),
        ("GPU Driver Version: 465.19.01\n", "cu118"),
        (SMI.format("450.51.06", "11.0"), "cu102"),  # cu118 runs from 450.80.02 on
        (SMI.format("580.65.06", "13.0"), "cu130"),
        (SMI.format("580.65.06", "13.0") + "GPU 0: Tesla V100-SXM2-32GB\n", "cu126"),
        ("GPU 0: NVIDIA GeForce RTX 5090\n" + SMI.format("570.124.06", "12.8"), "cu128"),
    ],
)
def test_the_wheels_fit_the_driver_and_the_gpu(told: str, index: str) -> None:
    assert f"/whl/{index}\n" in commands(told + NO_CUDA) + "\n"


def test_wheels_of_the_torch_that_is_there_where_it_is_not_what_is_wrong() -> None:
    told = "cuDNN version incompatibility: PyTorch was compiled against (9, 13, 0) but found runtime version (9, 1, 0)."
    assert "/whl/cu130" in commands(f"torch 2.9.0+cu130\nRuntimeError: {told}\n")


def test_an_extension_is_built_for_the_gpu_of_the_text_or_for_those_that_the_build_sees() -> None:
    assert "TORCH_CUDA_ARCH_LIST='7.0' pip install" in commands("GPU 0: Tesla V100-SXM2-32GB\n" + MISSING)
    assert "TORCH_CUDA_ARCH_LIST" not in commands(MISSING)


@pytest.mark.parametrize(
    ("address", "named"),
    [("0000:9c:00", "0000:9c:00.0"), ("00000000:B7:00.0", "00000000:B7:00.0"), ("", ""), ("0000:9c:00; reboot", ""), ("0000:9c:00\n", "")],
)
def test_only_an_address_is_put_into_a_line(address: str, named: str) -> None:
    assert bus_id(address) == named


@pytest.mark.parametrize(
    ("told", "path"),
    [("torch 2.1.0+cu118\n", "cuda-11.8"), ("", "cuda-TOOLKIT"), (SMI.format("535.183.01", "12.2"), "cuda-TOOLKIT")],
)
def test_the_toolkit_is_that_of_the_program_not_the_drivers_limit(told: str, path: str) -> None:
    assert (
        f"export CUDA_HOME=/usr/local/{path}\n"
        in commands(told + "CUBLAS_STATUS_INTERNAL_ERROR when calling `cublasSgemm( handle)`") + "\n"
    )


@pytest.mark.parametrize(
    ("line", "pasted"),
    [
        ("CUDA_LAUNCH_BLOCKING=1 python train.py", ['set "CUDA_LAUNCH_BLOCKING=1" && python train.py']),
        ("export NCCL_DEBUG=INFO", ['set "NCCL_DEBUG=INFO"']),
        ("export PATH=$CUDA_HOME/bin:$PATH", []),
        ("python -c 'import torch; print(torch.version.cuda)'", ['python -c "import torch; print(torch.version.cuda)"']),
        ("pip install 'torch>=2.7'", ['pip install "torch>=2.7"']),
        ("model = load('a', device_map='auto')", ["model = load('a', device_map='auto')"]),
        ("sudo reboot", []),
        ("ss -ltnp | grep :29500", ["netstat -ano | findstr :29500"]),
        ("ss -ltnp", ["netstat -ano | findstr LISTENING"]),
        ("nvidia-smi -L", ["nvidia-smi -L"]),
        ("nvidia-smi; echo $CUDA_VISIBLE_DEVICES", ["nvidia-smi & echo %CUDA_VISIBLE_DEVICES%"]),
        ("pip install 'tensorflow[and-cuda]'", ['pip install "tensorflow<2.11"']),
    ],
)
def test_lines_for_windows(line: str, pasted: list[str]) -> None:
    assert windows.lines_for([line]) == pasted


def test_who_works_on_windows_is_given_lines_for_windows() -> None:
    told = '  File "{}train.py", line 3, in <module>\n    y = net(x)\n' + FAULT
    assert 'set "CUDA_LAUNCH_BLOCKING=1" && python' in commands("Traceback (most recent call last):\n" + told.format("C:\\x\\"))
    assert "CUDA_LAUNCH_BLOCKING=1 python" in commands(
        "OS: Windows 11, WSL2\nTraceback (most recent call last):\n" + told.format("/home/x/")
    )


def test_what_is_missing_is_asked_for_in_the_same_words() -> None:
    text = "ERROR: Failed building wheel for flash-attn\nRuntimeError: Error compiling objects for extension\n"
    [missing] = triage.explain(text).diagnoses[0].missing
    assert "-v flash-attn 2>&1" in missing["how"]


FULL = "{} out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 15.98 GiB of which 0 bytes is free.\n"
SERVED = '  File "/env/lib/python3.11/site-packages/{}/worker.py", line 9, in forward\n    y = f(x)\nRuntimeError: ' + FULL.format("CUDA")


@pytest.mark.parametrize(
    ("told", "line", "others"),
    [
        ("[TensorRT-LLM][ERROR] Insufficient memory for KV cache\n", "--kv_cache_free_gpu_memory_fraction", ["vllm", "--tp 2"]),
        ("Error: Backend(NotEnoughMemory(16384))\n", "--num-shard 2", ["vllm", "--tensor-parallel-size"]),
        ("RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.\n", "--tp 2", ["vllm", "--num-shard"]),
        ("[TM][ERROR] No enough memory for the k/v block manager\n", "lmdeploy serve", ["vllm", "sglang"]),
        (SERVED.format("vllm"), "--gpu-memory-utilization", ["--mem-fraction-static", "--cache-max-entry-count"]),
        (SERVED.format("sglang"), "--mem-fraction-static", ["--gpu-memory-utilization", "--cache-max-entry-count"]),
    ],
)
def test_a_server_is_given_its_own_options(told: str, line: str, others: list[str]) -> None:
    lines = commands(told)
    assert line in lines
    assert not any(other in lines for other in others)


def test_a_line_that_starts_a_server_divides_the_model_as_the_reader_does() -> None:
    started = "$ python -m sglang.launch_server --model-path org/Model-32B-Instruct --tp 2\n"
    frame = '  File "/env/lib/python3.11/site-packages/sglang/srt/model_loader/loader.py", line 300, in load_model\n'
    loading = frame + "    model = _initialize_model(\n"
    lines = commands(started + loading + "torch.OutOfMemoryError: " + FULL.format("CUDA"))
    assert "--quantization fp8 --tp 2" in lines
    assert "--tp 4 --tp 2" not in lines


@pytest.mark.parametrize(("card", "dtype"), [("Tesla T4", "fp16"), ("NVIDIA A100", "bf16")])
def test_no_card_is_told_to_train_in_what_it_does_not_compute_in(card: str, dtype: str) -> None:
    text = (
        f"GPU: {card}\nTraceback (most recent call last):\n"
        '  File "/opt/conda/lib/python3.10/site-packages/transformers/trainer.py", line 1539, in train\n'
        "    return inner_training_loop(\n"
        "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 14.75 GiB total capacity; "
        "12.10 GiB already allocated; 1.00 GiB free; 12.50 GiB reserved in total by PyTorch)\n"
    )
    assert f"TrainingArguments({dtype}=True)" in commands(text)
    assert ("bf16" in commands(text)) == (dtype == "bf16")


def test_lines_of_transformers_only_where_it_is_used() -> None:
    network = '  File "/home/ada/net.py", line 3, in forward\n    y = self.conv(x)\nRuntimeError: ' + FULL.format("CUDA")
    assert "AutoModel" not in commands(network)
    assert "torch.autocast" in commands(network)
    assert "AutoModel" in commands(network.replace("/home/ada/net.py", "/env/lib/python3.11/site-packages/transformers/modeling_llama.py"))


@pytest.mark.parametrize(
    ("maker", "tool"),
    [
        ("amd", "rocm-smi --showpids"),
        ("intel", "xpu-smi ps"),
        ("ascend", "npu-smi info"),
        ("apple", "kill PID"),
        ("aws-neuron", "neuron-ls"),
        ("google-tpu", "tpu-info"),
        ("gaudi", "hl-smi"),
        ("cambricon", "cnmon"),
        ("graphcore", "gc-monitor"),
    ],
)
def test_gpus_of_other_makers_have_their_own_tools(maker: str, tool: str) -> None:
    lines = ["nvidia-smi --query-compute-apps=pid,process_name,used_memory --format=csv", "kill PID", "compute-sanitizer PROGRAM"]
    makers = next(table for table in load_tables(ROOT / "kb") if table.name == "makers")
    row = makers.find("maker", maker)
    assert row is not None
    told = Maker(row).lines(lines)
    assert tool in told
    assert not any("nvidia" in line or "compute-sanitizer" in line for line in told)


def test_the_gpu_to_run_on_instead_is_one_with_room() -> None:
    table = (
        "|   {}  Tesla V100-SXM2...  On   | 00000000:00:0{}.0 Off |                    0 |\n"
        "| N/A   54C    P0   246W / 300W |  {:5d}MiB / 16130MiB |    100%      Default |\n"
    )
    told = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 24.00 MiB. GPU 1 has a total capacity of 15.75 GiB of which "
    told += "20.50 MiB is free. Including non-PyTorch memory, this process has 2.20 GiB memory in use.\n"
    assert "CUDA_VISIBLE_DEVICES=FREE_GPU" in commands(told)
    seen = "".join(table.format(*row) for row in ((0, 8, 9000), (1, 9, 16000), (2, 7, 40)))
    assert "CUDA_VISIBLE_DEVICES=2 " in commands(seen + told)


def test_no_tool_of_nvidia_beside_another_makers_gpu() -> None:
    told = "XPU out of memory. Tried to allocate 5.00 GiB. GPU 0 has a total capacity of 15.11 GiB. "
    told += "Of the allocated memory 1.20 GiB is allocated by PyTorch, and 20.00 MiB is reserved by PyTorch but unallocated."
    fixes = triage.explain("torch.OutOfMemoryError: " + told).diagnoses[0].fixes
    assert not any("nvidia" in text.lower() for fix in fixes for text in (fix.title, fix.detail, *fix.commands))
    assert "nvidia-smi" in commands("The other laptop has a Radeon.\nRTX 3060\nRuntimeError: CUDA error: out of memory\n")


def test_lines_for_a_jetson() -> None:
    processes = "nvidia-smi --query-compute-apps=pid --format=csv"
    lines = ["nvidia-smi", processes, "cat /proc/driver/nvidia/version", "sudo ubuntu-drivers install"]
    assert jetson.lines_for(lines) == ["cat /etc/nv_tegra_release", "tegrastats"]


def test_who_works_on_a_jetson_is_not_told_to_install_a_driver() -> None:
    told = "Linux nano 5.15.136-tegra aarch64\nRuntimeError: CUDA error: CUDA driver version is insufficient for CUDA runtime version\n"
    assert "/etc/nv_tegra_release" in commands(told)
    assert not any(word in commands(told) for word in ("nvidia-smi", "download.pytorch.org", "ubuntu-drivers"))


def test_no_wheels_for_a_driver_that_is_older_than_all_of_them() -> None:
    words = "CUDA driver version is insufficient for CUDA runtime version\nDriver Version: {}\n"
    assert "/whl/cu126" in commands(words.format("535.104.05"))
    assert "/whl/" not in commands(words.format("410.48"))


def test_ruby_is_told_its_own_lines() -> None:
    text = "/srv/app/vendor/bundle/ruby/3.3.0/gems/torch-rb-0.17.1/lib/torch/nn/module.rb:29:in `to': Torch not compiled with CUDA enabled"
    [first, *_] = triage.explain(text).to_dict()["diagnoses"]
    lines = [line for fix in first["fixes"] for line in fix["commands"]]
    assert any(line.startswith("gem ") for line in lines)
    assert not any("pip " in line or "python" in line for line in lines)
