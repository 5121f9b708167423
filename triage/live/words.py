"""The words of `triage doctor`, in every language."""

from __future__ import annotations

from typing import Final

_WORDS: Final[dict[str, tuple[str, str]]] = {
    # key: (English, Chinese)
    "driver": ("driver {driver} (CUDA up to {cuda})", "驱动 {driver}（最高支持 CUDA {cuda}）"),
    "unknown": ("unknown", "未知"),
    "gpu": ("GPU {gpu}: {said}", "GPU {gpu}：{said}"),
    "free": ("{free} of {total} free", "空闲 {free}，共 {total}"),
    "compute-mode": ("compute mode {mode}", "计算模式 {mode}"),
    "mig": ("MIG with {count} instance(s)", "已开启 MIG，实例数 {count}"),
    "process": ("process", "进程"),
    "holds": ("{name} ({pid}) holds {size}", "{name}（PID {pid}）占用 {size}"),
    "unknown-amount": ("an unknown amount", "未知大小"),
    "packages": ("packages: {packages}", "软件包：{packages}"),
    "note": ("note: {note}", "提示：{note}"),
    "nothing": ("the rules find no failure in this", "规则未从中发现故障"),
    "no-answer": ("NVML does not answer ({error}); {known}.", "NVML 没有响应（{error}）；{known}。"),
    "no-bindings": ("the package nvidia-ml-py is not installed", "未安装 nvidia-ml-py 包"),
    "bus-unread": ("the PCI bus cannot be read here", "此处无法读取 PCI 总线"),
    "bus-empty": ("no NVIDIA GPU is on the PCI bus", "PCI 总线上没有 NVIDIA GPU"),
    "bus-gpus": ("{count} NVIDIA GPU(s) are on the bus", "总线上有 {count} 块 NVIDIA GPU"),
    "container": (
        "This is a container: drivers and GPUs are those its runtime hands in.",
        "当前处于容器中：驱动和 GPU 由容器运行时提供。",
    ),
    "memory-limit": (
        "Host memory is limited to {limit} by the control group.",
        "主机内存被 cgroup 限制为 {limit}。",
    ),
    "small-shm": (
        "/dev/shm has {size}: DataLoader workers and NCCL may run out of it (--shm-size, --ipc=host).",
        "/dev/shm 只有 {size}：DataLoader 工作进程和 NCCL 可能不够用（可设置 --shm-size 或 --ipc=host）。",
    ),
    "duplicates": (
        "{name} stands in {count} places; the loader may take another than the package was built with: {places}.",
        "{name} 存在于 {count} 处，加载的可能不是软件包构建时所用的那一份：{places}。",
    ),
    "loaded-twice": (
        "Process {pid} has {name} loaded from {count} files: {places}.",
        "进程 {pid} 从 {count} 个文件加载了 {name}：{places}。",
    ),
    "retired-pages": (
        "GPU {gpu}: {count} page(s) of memory are retired after ECC errors.",
        "GPU {gpu}：有 {count} 个显存页因 ECC 错误而停用。",
    ),
    "persistence": (
        "GPU {gpu}: persistence mode is off; the first CUDA call after idling takes longer.",
        "GPU {gpu}：未开启持久模式，空闲之后的第一次 CUDA 调用会变慢。",
    ),
    "power-cap": ("GPU {gpu}: clocks are held down by the power limit.", "GPU {gpu}：频率受功耗上限限制。"),
}


def word(key: str, lang: str, **values: object) -> str:
    """The text for `key`, with `{name}` filled in. Raises KeyError for an unknown key or a value that is missing."""
    text = _WORDS[key][1 if lang == "zh" else 0]
    return text.format_map(values) if values else text


def keys() -> tuple[str, ...]:
    """All keys."""
    return tuple(_WORDS)
