"""What NVML says of this machine's GPUs, as data.

Every question is asked by itself: a GPU or driver that cannot answer one leaves that field None and the others stand.
Tests hand in recorded answers in place of the library.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

MAX_LINKS = 18
NO_BINDINGS = "the package nvidia-ml-py is not installed"
_COMPUTE_MODES = ("Default", "Exclusive_Thread", "Prohibited", "Exclusive_Process")
_FABRIC_STATES = ("N/A", "Not Started", "In Progress", "Completed")
_EVENTS = {  # bits of the clocks event reasons: https://docs.nvidia.com/deploy/nvml-api/group__nvmlClocksEventReasons.html
    0x04: "SW Power Cap",
    0x08: "HW Slowdown",
    0x20: "SW Thermal Slowdown",
    0x40: "HW Thermal Slowdown",
    0x80: "HW Power Brake Slowdown",
}


@dataclass
class Holder:
    """A process with memory on a GPU; `size` in bytes, None where the driver does not tell."""

    pid: int
    size: int | None
    name: str = ""


@dataclass
class Gpu:
    """One GPU. Sizes are bytes, temperatures degrees Celsius, counts since boot (volatile) or ever (aggregate)."""

    index: int
    name: str | None = None
    uuid: str | None = None
    pci: str | None = None
    capability: str | None = None
    total: int | None = None
    used: int | None = None
    free: int | None = None
    utilization: float | None = None
    temperature: int | None = None
    holders: list[Holder] = field(default_factory=list)
    persistence: bool | None = None
    compute_mode: str | None = None
    mig_mode: bool | None = None
    mig_pending: bool | None = None
    mig_instances: int | None = None
    ecc_mode: bool | None = None
    ecc_uncorrected_volatile: int | None = None
    ecc_uncorrected_aggregate: int | None = None
    retired_pages: int | None = None
    retired_pages_pending: bool | None = None
    remapped_correctable: int | None = None
    remapped_uncorrectable: int | None = None
    remap_pending: bool | None = None
    remap_failed: bool | None = None
    slowdowns: list[str] | None = None
    links_up: int | None = None
    links_down: int | None = None
    fabric_state: str | None = None
    lost: str | None = None
    """The error with which the driver refused this GPU altogether."""


@dataclass
class Reading:
    """All of it. `error` is set, in NVML's words, when the library or the driver did not answer at all."""

    gpus: list[Gpu] = field(default_factory=list)
    driver_version: str | None = None
    cuda_version: str | None = None
    """The newest CUDA the driver supports, for instance "12.4"."""
    error: str | None = None


def read(library: Any = None) -> Reading:
    """Asks NVML, or what stands for it. Never raises."""
    nvml = library or _library()
    if nvml is None:
        return Reading(error=NO_BINDINGS)
    try:
        nvml.nvmlInit()
    except nvml.NVMLError as error:
        return Reading(error=f"pynvml.{type(error).__name__}: {error}")
    try:
        return _read(nvml)
    finally:
        _ask(nvml, nvml.nvmlShutdown)


def _library() -> Any:
    try:
        import pynvml
    except ImportError:
        return None
    return pynvml


def _read(nvml: Any) -> Reading:
    reading = Reading(driver_version=_text(_ask(nvml, nvml.nvmlSystemGetDriverVersion)))
    cuda = _ask(nvml, nvml.nvmlSystemGetCudaDriverVersion_v2)
    if isinstance(cuda, int):
        reading.cuda_version = f"{cuda // 1000}.{cuda % 1000 // 10}"
    for index in range(_ask(nvml, nvml.nvmlDeviceGetCount) or 0):
        try:
            handle = nvml.nvmlDeviceGetHandleByIndex(index)
        except nvml.NVMLError as error:
            reading.gpus.append(Gpu(index, lost=f"pynvml.{type(error).__name__}: {error}"))
            continue
        reading.gpus.append(_gpu(nvml, index, handle))
    return reading


def _gpu(nvml: Any, index: int, handle: Any) -> Gpu:
    gpu = Gpu(index, _text(_ask(nvml, nvml.nvmlDeviceGetName, handle)), _text(_ask(nvml, nvml.nvmlDeviceGetUUID, handle)))
    pci = _ask(nvml, nvml.nvmlDeviceGetPciInfo, handle)
    gpu.pci = _text(pci.busId) if pci is not None else None
    capability = _ask(nvml, nvml.nvmlDeviceGetCudaComputeCapability, handle)
    gpu.capability = "{}.{}".format(*capability) if capability else None
    memory = _ask(nvml, nvml.nvmlDeviceGetMemoryInfo, handle)
    if memory is not None:
        gpu.total, gpu.used, gpu.free = memory.total, memory.used, memory.free
    rates = _ask(nvml, nvml.nvmlDeviceGetUtilizationRates, handle)
    gpu.utilization = rates.gpu / 100 if rates is not None else None
    gpu.temperature = _ask(nvml, nvml.nvmlDeviceGetTemperature, handle, 0)
    gpu.holders = _holders(nvml, handle)
    gpu.persistence = _flag(_ask(nvml, nvml.nvmlDeviceGetPersistenceMode, handle))
    mode = _ask(nvml, nvml.nvmlDeviceGetComputeMode, handle)
    gpu.compute_mode = _COMPUTE_MODES[mode] if isinstance(mode, int) and 0 <= mode < len(_COMPUTE_MODES) else None
    _partitions(nvml, handle, gpu)
    _memory_errors(nvml, handle, gpu)
    events = _ask(nvml, nvml.nvmlDeviceGetCurrentClocksThrottleReasons, handle)
    gpu.slowdowns = [name for bit, name in _EVENTS.items() if events & bit] if isinstance(events, int) else None
    _links(nvml, handle, gpu)
    return gpu


def _holders(nvml: Any, handle: Any) -> list[Holder]:
    found: dict[int, Holder] = {}
    for question in (nvml.nvmlDeviceGetComputeRunningProcesses, nvml.nvmlDeviceGetGraphicsRunningProcesses):
        for process in _ask(nvml, question, handle) or []:
            name = _text(_ask(nvml, nvml.nvmlSystemGetProcessName, process.pid)) or ""
            found[process.pid] = Holder(process.pid, process.usedGpuMemory, name)
    return [found[pid] for pid in sorted(found)]


def _partitions(nvml: Any, handle: Any, gpu: Gpu) -> None:
    modes = _ask(nvml, nvml.nvmlDeviceGetMigMode, handle)
    if not modes:
        return
    gpu.mig_mode, gpu.mig_pending = bool(modes[0]), bool(modes[1])
    if gpu.mig_mode:
        slots = _ask(nvml, nvml.nvmlDeviceGetMaxMigDeviceCount, handle) or 0
        gpu.mig_instances = sum(_ask(nvml, nvml.nvmlDeviceGetMigDeviceHandleByIndex, handle, slot) is not None for slot in range(slots))


def _memory_errors(nvml: Any, handle: Any, gpu: Gpu) -> None:
    modes = _ask(nvml, nvml.nvmlDeviceGetEccMode, handle)
    gpu.ecc_mode = bool(modes[0]) if modes else None
    uncorrected, volatile, aggregate = 1, 0, 1
    gpu.ecc_uncorrected_volatile = _ask(nvml, nvml.nvmlDeviceGetTotalEccErrors, handle, uncorrected, volatile)
    gpu.ecc_uncorrected_aggregate = _ask(nvml, nvml.nvmlDeviceGetTotalEccErrors, handle, uncorrected, aggregate)
    retired = [_ask(nvml, nvml.nvmlDeviceGetRetiredPages, handle, cause) for cause in (0, 1)]  # by single-bit and by double-bit errors
    gpu.retired_pages = sum(map(len, filter(None, retired))) if any(pages is not None for pages in retired) else None
    gpu.retired_pages_pending = _flag(_ask(nvml, nvml.nvmlDeviceGetRetiredPagesPendingStatus, handle))
    rows = _ask(nvml, nvml.nvmlDeviceGetRemappedRows, handle)
    if rows:
        gpu.remapped_correctable, gpu.remapped_uncorrectable = int(rows[0]), int(rows[1])
        gpu.remap_pending, gpu.remap_failed = bool(rows[2]), bool(rows[3])


def _links(nvml: Any, handle: Any, gpu: Gpu) -> None:
    states = [_ask(nvml, nvml.nvmlDeviceGetNvLinkState, handle, link) for link in range(MAX_LINKS)]
    if any(state is not None for state in states):
        gpu.links_up, gpu.links_down = states.count(1), states.count(0)
    info = _ask(nvml, nvml.nvmlDeviceGetGpuFabricInfo, handle) if hasattr(nvml, "nvmlDeviceGetGpuFabricInfo") else None
    state = getattr(info, "state", None)
    if isinstance(state, int) and 0 < state < len(_FABRIC_STATES):
        gpu.fabric_state = _FABRIC_STATES[state]


def _ask(nvml: Any, question: Any, *arguments: Any) -> Any:
    """An answer, or None where this GPU, driver or version of the bindings has none."""
    try:
        return question(*arguments)
    except (nvml.NVMLError, AttributeError, TypeError):
        return None


def _text(value: Any) -> str | None:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value if isinstance(value, str) else None


def _flag(value: Any) -> bool | None:
    return bool(value) if isinstance(value, int) else None


def holders(library: Any = None) -> dict[str, str]:
    """Who holds memory on which GPU: a sentence by UUID, for GPUs that are in use; empty where NVML does not answer."""
    found = {}
    for gpu in read(library).gpus:
        if gpu.holders and gpu.uuid:
            held = sum(holder.size or 0 for holder in gpu.holders)
            names = ", ".join(f"{holder.name or 'process'} ({holder.pid})" for holder in gpu.holders[:3])
            found[gpu.uuid] = f"{len(gpu.holders)} process(es) hold {held >> 20} MiB: {names}"
    return found


def driver_version(library: Any = None) -> str | None:
    """The version of the kernel driver, None where NVML does not answer."""
    return read(library).driver_version
