"""Advice in the words of those who made the GPU: NVIDIA's tools and variables are of no use beside another's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from triage.reading.lazy import Pattern
from triage.report.audience.frameworks import MADE_BY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

    from triage.engine.values import Value

# Words in the names of GPUs that tell their maker; a GPU that has none of them is NVIDIA's.
_NAMED_BY = {"Radeon": "amd", "Instinct": "amd", "AMD": "amd", "gfx": "amd", "Intel": "intel", "Arc ": "intel", "Ascend": "ascend",
             "Apple": "apple", "MTT": "moore-threads"}  # fmt: skip
# NVIDIA's names in lines to paste, with the columns of their counterparts.
_VARIABLES: Final = {"CUDA_VISIBLE_DEVICES": "visible", "CUDA_LAUNCH_BLOCKING=1": "blocking"}
_A_GPU: Final = Pattern(r"\b([Aa]) GPU\b")
_GPU: Final = Pattern(r"\bGPU(?=s?\b)")
# On PyPI these are built for CUDA alone: an upgrade from there takes the place of a build for another maker's GPU.
_ONLY_FOR_CUDA: Final = Pattern(
    r"pip install (?:-U )?'?(?:vllm|sglang|sgl-kernel|flash-attn|flashinfer-python|xformers|onnxruntime-gpu(?:\[cuda,cudnn\])?)"
    r"(?:==VERSION)?'?\Z"
)
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


class Maker:
    """One maker's names for what advice says in NVIDIA's words, by `kb/tables/makers.yaml`."""

    def __init__(self, row: Mapping[str, Value]) -> None:
        self._row = row
        self.name = str(row["name"])

    def _its(self, column: str) -> str:
        """What the maker calls something; '' where there is no counterpart."""
        return str(self._row.get(column, ""))

    def lines(self, lines: Iterable[str]) -> list[str]:
        """The lines to paste for its devices, each once; those without a counterpart are left out."""
        if not self._row.get("bitsandbytes"):
            lines = [line for line in lines if "bitsandbytes" not in line.lower()]
        return list(dict.fromkeys(found for line in lines if (found := self._line(line))))

    def _line(self, line: str) -> str:
        if _ONLY_FOR_CUDA.match(line):
            return ""
        if line.startswith("nvidia-smi"):
            return self._tool(line)
        for name, column in _VARIABLES.items():
            if name in line and not self._its(column):
                return ""
            line = line.replace(name, self._its(column))
        device = self._its("device")
        if device in ("", "mps") and "torch.cuda." in line:  # there is no such module, or one with hardly any of its functions
            return ""
        if not device and "'cuda'" in line:
            return ""
        if device == "npu":
            line = line.replace("PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_NPU_ALLOC_CONF")
        line = line.replace("--gpus all ", f"{self._its('container')} ".lstrip())
        amd = self.name == "AMD"
        line = line.replace(", torch.version.cuda", ", torch.version.hip" if amd else "")
        if amd:  # the kernel's module for AMD's GPUs, where the log has its messages, and the option of ggml's builds
            line = line.replace("xid|nvrm", "amdgpu").replace("-DGGML_CUDA=ON", "-DGGML_HIP=ON")
        line = line.replace("torch.cuda.", f"torch.{device}.").replace("'cuda'", f"'{device}'")
        return "" if any(word in line for word in _OF_NVIDIA) else line

    def _tool(self, line: str) -> str:
        if "compute-apps" in line:
            return self._its("processes")
        if "memory." in line:
            return self._its("memory")
        return self._its("list") if line in ("nvidia-smi", "nvidia-smi -L") else ""

    def said(self, text: str) -> str:
        """A sentence of a diagnosis: what happened, in the names of the programs that run on its devices."""
        if self.name == "AMD":
            text = text.replace("CUDA context", "HIP context").replace("CUDA 上下文", "HIP 上下文")
        return text

    def words(self, text: str) -> str:
        """A sentence of advice with the names that hold for its devices."""
        text = self.said(text)
        text = text.replace("nvidia-smi", self._its("list").partition(" ")[0] or "nvidia-smi")
        variable = self._its("visible")
        if variable and variable not in text:  # a text that names it speaks of both
            text = text.replace("CUDA_VISIBLE_DEVICES", variable)
        if (device := self._its("device")) not in ("", "cuda"):
            text = text.replace("torch.cuda.empty_cache", f"torch.{device}.empty_cache").replace("uses CUDA", "uses the GPU")
            text = text.replace("使用 CUDA ", "使用 GPU ")
        if unit := self._its("unit"):
            article, _, name = unit.partition(" ")
            text = _A_GPU.sub(rf"\1{article[1:]} {name}", text)
            text = _GPU.sub(name, text)
        return text.replace("NVIDIA driver", f"{self.name} driver").replace("NVIDIA 驱动", f"{self.name} 驱动")
