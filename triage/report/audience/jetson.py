"""Lines to paste on a Jetson: its driver and toolkit come with JetPack, and PyPI's and PyTorch's wheels are for GPUs on cards."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

_OF_OTHER_MACHINES: Final = (
    "/whl/",
    "ubuntu-drivers",
    "nvidia-driver-",
    "purge '*nvidia*'",
    "modprobe nvidia",
    "nvidia-smi --gpu-reset",
    "dcgmi",
)


def lines_for(lines: Iterable[str]) -> list[str]:
    """The lines that can be pasted on a Jetson, each once: no packages for other machines, and its own tool for what the GPU does."""
    kept = (line for line in lines if not any(word in line for word in _OF_OTHER_MACHINES))
    return list(dict.fromkeys(_on_a_jetson(line) for line in kept))


def _on_a_jetson(line: str) -> str:
    if line.startswith("nvidia-smi"):
        return "tegrastats" if "compute-apps" in line or "memory" in line else "cat /etc/nv_tegra_release"
    return line.replace("/proc/driver/nvidia/version", "/etc/nv_tegra_release").replace("/dev/nvidia*", "/dev/nvhost* /dev/nvmap")
