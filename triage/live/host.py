"""What this machine says of itself besides its GPUs: packages, settings, limits, shared memory, libraries."""

from __future__ import annotations

import os
import platform
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

PACKAGES = (
    "accelerate", "bitsandbytes", "cupy-cuda11x", "cupy-cuda12x", "deepspeed", "flash-attn", "jax", "jaxlib", "numpy", "onnxruntime-gpu",
    "peft", "sglang", "tensorflow", "tensorrt", "tensorrt-llm", "tokenizers", "torch", "torchaudio", "torchvision", "transformers",
    "triton", "vllm", "xformers",
)  # fmt: skip
SETTINGS = (
    "CUDA_DEVICE_ORDER", "CUDA_HOME", "CUDA_LAUNCH_BLOCKING", "CUDA_PATH", "CUDA_VISIBLE_DEVICES", "GLOO_SOCKET_IFNAME",
    "HIP_VISIBLE_DEVICES", "LD_LIBRARY_PATH", "NCCL_DEBUG", "NCCL_IB_DISABLE", "NCCL_P2P_DISABLE", "NCCL_SHM_DISABLE",
    "NCCL_SOCKET_IFNAME", "NVIDIA_VISIBLE_DEVICES", "PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_HIP_ALLOC_CONF",
    "ROCR_VISIBLE_DEVICES", "TORCH_CUDA_ARCH_LIST", "TORCH_DISTRIBUTED_DEBUG", "XLA_PYTHON_CLIENT_MEM_FRACTION",
    "XLA_PYTHON_CLIENT_PREALLOCATE",
)  # fmt: skip
_LIBRARY = re.compile(r"(lib(?:cublas|cudart|cudnn|cufft|cusolver|cusparse|nccl|nvrtc))\.so(?:\.[0-9.]+)?\Z")
_NVIDIA_VENDOR = "0x10de"
_MAX_ENTRIES = 4096


@dataclass
class Host:
    """Sizes are bytes; a field is None where the system does not tell."""

    system: str = ""
    python: str = ""
    packages: dict[str, str] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)
    container: bool = False
    memory_limit: int | None = None
    memory_total: int | None = None
    shm_total: int | None = None
    nvidia_devices: int | None = None
    """GPUs of NVIDIA on the PCI bus, driver or not."""
    duplicates: dict[str, list[str]] = field(default_factory=dict)
    """CUDA libraries that can be loaded from more than one place, in the order the loader would look."""


def read(root: Path = Path("/"), environ: dict[str, str] | None = None) -> Host:
    """Looks around. Never raises; `root` and `environ` stand for the machine in tests."""
    environ = dict(os.environ) if environ is None else environ
    host = Host(f"{platform.system()} {platform.release()} {platform.machine()}", platform.python_version())
    host.packages = _packages()
    host.settings = {name: environ[name] for name in SETTINGS if name in environ}
    host.container = any((root / name).exists() for name in (".dockerenv", "run/.containerenv")) or "KUBERNETES_SERVICE_HOST" in environ
    host.memory_limit = _memory_limit(root)
    host.memory_total = _memory_total(root)
    host.shm_total = _shared_memory(root)
    host.nvidia_devices = _nvidia_devices(root)
    host.duplicates = _duplicates(environ.get("LD_LIBRARY_PATH", ""))
    return host


def _packages() -> dict[str, str]:
    from importlib import metadata

    found = {}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def _number(path: Path) -> int | None:
    try:
        text = path.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return None
    return int(text) if text.isdecimal() and len(text) < 20 else None


def _memory_limit(root: Path) -> int | None:
    """The limit of the control group, version 2 or 1; None for none."""
    limit = _number(root / "sys/fs/cgroup/memory.max") or _number(root / "sys/fs/cgroup/memory/memory.limit_in_bytes")
    return limit if limit is not None and limit < 1 << 60 else None  # version 1 writes a huge number for none


def _memory_total(root: Path) -> int | None:
    try:
        text = (root / "proc/meminfo").read_text(encoding="ascii")
    except (OSError, ValueError):
        return None
    match = re.match(r"MemTotal:\s{1,20}([0-9]{1,15}) kB", text)
    return int(match[1]) * 1024 if match else None


def _shared_memory(root: Path) -> int | None:
    try:
        status = os.statvfs(root / "dev/shm")
    except (OSError, AttributeError):
        return None
    return status.f_blocks * status.f_frsize


def _nvidia_devices(root: Path) -> int | None:
    """Display controllers of NVIDIA among the PCI devices."""
    folder = root / "sys/bus/pci/devices"
    try:
        devices = sorted(folder.iterdir())[:_MAX_ENTRIES]
    except OSError:
        return None
    count = 0
    for device in devices:
        try:
            vendor = (device / "vendor").read_text(encoding="ascii").strip()
            kind = (device / "class").read_text(encoding="ascii").strip()
        except (OSError, ValueError):
            continue
        count += vendor == _NVIDIA_VENDOR and kind.startswith("0x03")
    return count


def _duplicates(library_path: str) -> dict[str, list[str]]:
    """CUDA libraries that stand both in LD_LIBRARY_PATH and among Python packages, or in two packages."""
    folders = [Path(part) for part in library_path.split(os.pathsep) if part]
    for base in dict.fromkeys(path for path in sys.path if path.endswith(("site-packages", "dist-packages"))):
        folders += [*sorted(Path(base, "nvidia").glob("*/lib"))[:64], Path(base, "torch", "lib")]
    found: dict[str, list[str]] = {}
    for folder in dict.fromkeys(folders):
        try:
            names = sorted(os.listdir(folder))[:_MAX_ENTRIES]
        except OSError:
            continue
        for name in names:
            match = _LIBRARY.match(name)
            if match and not any(path.startswith(f"{folder}/") for path in found.get(match[1], ())):
                found.setdefault(match[1], []).append(f"{folder}/{name}")
    return {name: places for name, places in sorted(found.items()) if len(places) > 1}


def loaded_twice(pids: list[int], root: Path = Path("/")) -> dict[int, dict[str, list[str]]]:
    """Of processes that may be read: CUDA libraries mapped from more than one file, by process and library."""
    result = {}
    for pid in pids:
        try:
            text = (root / f"proc/{pid}/maps").read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        files: dict[str, set[str]] = {}
        for line in text.splitlines():
            path = line.rpartition(" ")[2]
            match = _LIBRARY.match(path.rpartition("/")[2])
            if match:
                files.setdefault(match[1], set()).add(path)
        twice = {name: sorted(paths) for name, paths in sorted(files.items()) if len(paths) > 1}
        if twice:
            result[pid] = twice
    return result
