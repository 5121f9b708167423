"""Advice in the words of those who made the GPU: NVIDIA's tools and variables are of no use beside another's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from triage.reading.lazy import Pattern
from triage.report.audience.frameworks import MADE_BY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

# Words in the names of GPUs that tell their maker; a GPU that has none of them is NVIDIA's.
_NAMED_BY = {"Radeon": "amd", "Instinct": "amd", "AMD": "amd", "gfx": "amd", "Intel": "intel", "Arc ": "intel", "Ascend": "ascend",
             "Apple": "apple", "MTT": "moore-threads"}  # fmt: skip
# Counterparts of NVIDIA's names, '' where there is none. PyTorch for AMD's GPUs keeps the name cuda.
_WORDS: Final[dict[str, dict[str, str]]] = {
    "amd": {
        "NVIDIA": "AMD", "processes": "rocm-smi --showpids", "memory": "rocm-smi --showmeminfo vram", "list": "rocm-smi",
        "CUDA_VISIBLE_DEVICES": "HIP_VISIBLE_DEVICES", "CUDA_LAUNCH_BLOCKING=1": "AMD_SERIALIZE_KERNEL=3", "device": "cuda",
        "--gpus all ": "--device /dev/kfd --device /dev/dri --group-add video ",
    },
    "intel": {
        "NVIDIA": "Intel", "processes": "xpu-smi ps", "memory": "xpu-smi discovery", "list": "xpu-smi discovery",
        "CUDA_VISIBLE_DEVICES": "ZE_AFFINITY_MASK", "CUDA_LAUNCH_BLOCKING=1": "", "device": "xpu", "--gpus all ": "--device /dev/dri ",
    },
    "ascend": {
        "NVIDIA": "Ascend", "processes": "npu-smi info", "memory": "npu-smi info", "list": "npu-smi info",
        "CUDA_VISIBLE_DEVICES": "ASCEND_RT_VISIBLE_DEVICES", "CUDA_LAUNCH_BLOCKING=1": "ASCEND_LAUNCH_BLOCKING=1", "device": "npu",
        "--gpus all ": "--device /dev/davinci0 --device /dev/davinci_manager --device /dev/devmm_svm --device /dev/hisi_hdc ",
    },
    "moore-threads": {
        "NVIDIA": "Moore Threads", "processes": "mthreads-gmi", "memory": "mthreads-gmi", "list": "mthreads-gmi",
        "CUDA_VISIBLE_DEVICES": "MUSA_VISIBLE_DEVICES", "CUDA_LAUNCH_BLOCKING=1": "MUSA_LAUNCH_BLOCKING=1", "device": "musa",
        "--gpus all ": "--env MTHREADS_VISIBLE_DEVICES=all ",
    },
    "aws-neuron": {
        "NVIDIA": "Neuron", "processes": "neuron-ls", "memory": "neuron-top", "list": "neuron-ls",
        "CUDA_VISIBLE_DEVICES": "NEURON_RT_VISIBLE_CORES", "CUDA_LAUNCH_BLOCKING=1": "", "device": "",
        "--gpus all ": "--device /dev/neuron0 ",
    },
    "google-tpu": {
        "NVIDIA": "TPU", "processes": "tpu-info", "memory": "tpu-info", "list": "tpu-info",
        "CUDA_VISIBLE_DEVICES": "TPU_VISIBLE_CHIPS", "CUDA_LAUNCH_BLOCKING=1": "", "device": "", "--gpus all ": "--privileged ",
    },
    "gaudi": {
        "NVIDIA": "Gaudi", "processes": "hl-smi", "memory": "hl-smi", "list": "hl-smi -L",
        "CUDA_VISIBLE_DEVICES": "HABANA_VISIBLE_MODULES", "CUDA_LAUNCH_BLOCKING=1": "", "device": "hpu",
        "--gpus all ": "--runtime=habana -e HABANA_VISIBLE_DEVICES=all ",
    },
    "cambricon": {
        "NVIDIA": "Cambricon", "processes": "cnmon", "memory": "cnmon", "list": "cnmon",
        "CUDA_VISIBLE_DEVICES": "MLU_VISIBLE_DEVICES", "CUDA_LAUNCH_BLOCKING=1": "", "device": "mlu",
        "--gpus all ": "--device /dev/cambricon_ctl --device /dev/cambricon_dev0 ",
    },
    "graphcore": {
        "NVIDIA": "Graphcore", "processes": "gc-monitor", "memory": "gc-monitor", "list": "gc-info -l",
        "CUDA_VISIBLE_DEVICES": "", "CUDA_LAUNCH_BLOCKING=1": "", "device": "", "--gpus all ": "",
    },
    "apple": {
        "NVIDIA": "Apple", "processes": "", "memory": "", "list": "",
        "CUDA_VISIBLE_DEVICES": "", "CUDA_LAUNCH_BLOCKING=1": "", "device": "mps", "--gpus all ": "",
    },
}  # fmt: skip
# What a device is called where it is no GPU, with its article.
_CALLED: Final = {
    "ascend": ("an", "NPU"), "aws-neuron": ("a", "Neuron device"), "google-tpu": ("a", "TPU"), "gaudi": ("a", "Gaudi"),
    "cambricon": ("an", "MLU"), "graphcore": ("an", "IPU"),
}  # fmt: skip
_VARIABLES: Final = ("CUDA_VISIBLE_DEVICES", "CUDA_LAUNCH_BLOCKING=1")
_A_GPU: Final = Pattern(r"\b([Aa]) GPU\b")
_GPU: Final = Pattern(r"\bGPU(?=s?\b)")
# On PyPI these are built for CUDA alone: an upgrade from there takes the place of a build for another maker's GPU.
_ONLY_FOR_CUDA: Final = Pattern(
    r"pip install (?:-U )?'?(?:vllm|sglang|sgl-kernel|flash-attn|flashinfer-python|xformers|onnxruntime-gpu(?:\[cuda,cudnn\])?)"
    r"(?:==VERSION)?'?\Z"
)
_HAVE_BITSANDBYTES: Final = ("amd", "intel", "gaudi")  # its kernels, beside CUDA
# What is left of NVIDIA in a line that has no counterpart.
_OF_NVIDIA: Final = (
    "nvidia",
    "compute-sanitizer",
    "cuda-toolkit",
    "/usr/local/cuda",
    "dcgmi",
    "CUDA_HOME",
    "/whl/cu",
    "version.cuda",
    "nvrm",
    "NVRM",
    "NVIDIA_",
    "nvcc",
    "nvcr.io",
    "10de:",
    # images with builds for CUDA
    "vllm/vllm-openai",
    "huggingface/text-",
)


def makers_of(environment: Mapping[str, Any]) -> set[str]:
    """Who made the GPUs of a known case, by its frameworks and the names of its GPUs; '' is NVIDIA."""
    makers = {MADE_BY[name] for name in environment.get("frameworks", ()) if name in MADE_BY}
    for gpu in environment.get("gpus", ()):
        makers.add(next((maker for word, maker in _NAMED_BY.items() if word in str(gpu)), ""))
    return makers


def lines_for(lines: Iterable[str], maker: str) -> list[str]:
    """The lines to paste for GPUs of a maker ('' is NVIDIA), each once; those without a counterpart are left out."""
    words = _WORDS.get(maker)
    if words is None:
        return list(lines)
    if maker not in _HAVE_BITSANDBYTES:
        lines = [line for line in lines if "bitsandbytes" not in line.lower()]
    return list(dict.fromkeys(found for line in lines if (found := _line(line, words))))


def _line(line: str, words: dict[str, str]) -> str:
    if _ONLY_FOR_CUDA.match(line):
        return ""
    if line.startswith("nvidia-smi"):
        return _tool(line, words)
    for name in _VARIABLES:
        if name in line and not words[name]:
            return ""
        line = line.replace(name, words[name])
    device = words["device"]
    if device in ("", "mps") and "torch.cuda." in line:  # there is no such module, or one with hardly any of its functions
        return ""
    if not device and "'cuda'" in line:
        return ""
    if device == "npu":
        line = line.replace("PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_NPU_ALLOC_CONF")
    line = line.replace("--gpus all ", words["--gpus all "])
    amd = words["NVIDIA"] == "AMD"
    line = line.replace(", torch.version.cuda", ", torch.version.hip" if amd else "")
    if amd:  # the kernel's module for AMD's GPUs, where the log has its messages, and the option of ggml's builds
        line = line.replace("xid|nvrm", "amdgpu").replace("-DGGML_CUDA=ON", "-DGGML_HIP=ON")
    line = line.replace("torch.cuda.", f"torch.{device}.").replace("'cuda'", f"'{device}'")
    return "" if any(word in line for word in _OF_NVIDIA) else line


def _tool(line: str, words: dict[str, str]) -> str:
    if "compute-apps" in line:
        return words["processes"]
    if "memory." in line:
        return words["memory"]
    return words["list"] if line in ("nvidia-smi", "nvidia-smi -L") else ""


def words_for(text: str, maker: str) -> str:
    """A sentence of advice with the names that hold for GPUs of a maker."""
    words = _WORDS.get(maker)
    if words is None:
        return text
    tool = words["list"].partition(" ")[0] or "nvidia-smi"
    text = text.replace("nvidia-smi", tool)
    variable = words["CUDA_VISIBLE_DEVICES"]
    if variable and variable not in text:  # a text that names it speaks of both
        text = text.replace("CUDA_VISIBLE_DEVICES", variable)
    if words["device"] not in ("", "cuda"):
        text = text.replace("torch.cuda.empty_cache", f"torch.{words['device']}.empty_cache").replace("uses CUDA", "uses the GPU")
        text = text.replace("使用 CUDA ", "使用 GPU ")
    if maker in _CALLED:
        article, name = _CALLED[maker]
        text = _A_GPU.sub(rf"\1{article[1:]} {name}", text)
        text = _GPU.sub(name, text)
    return text.replace("NVIDIA driver", f"{words['NVIDIA']} driver").replace("NVIDIA 驱动", f"{words['NVIDIA']} 驱动")
