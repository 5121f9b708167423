"""From readings to facts, and to a text in the layout of `nvidia-smi -q` that the rules read like any log."""

from __future__ import annotations

from collections.abc import Container, Mapping

from triage.engine.values import Value
from triage.facts.observation import Observation
from triage.facts.quantities import format_bytes, parse_version
from triage.live.host import Host
from triage.live.nvml import Gpu, Reading

SMALL_SHM = 1 << 30  # containers start with 64 MiB; loaders and NCCL want more than this


def facts_of(reading: Reading, host: Host, known_packages: Container[str] = ()) -> list[Observation]:
    """Templates `gpu`, `gpu-process`, `version`, `setting` and `remark`."""
    found: list[Observation] = []
    for gpu in reading.gpus:
        found.append(_observation("gpu", _slots(gpu, reading.driver_version)))
        for holder in gpu.holders:
            slots = {"gpu": gpu.index, "pid": holder.pid, "process_bytes": holder.size, "name": holder.name or None}
            found.append(_observation("gpu-process", slots))
    versions = {"python": host.python, **host.packages}
    if reading.driver_version:
        versions["driver"] = reading.driver_version
    for package, text in sorted(versions.items()):
        if package not in known_packages:
            found.append(_observation("version", {"package": package, "version": parse_version(text), "version_text": text}))
    for name, value in sorted(host.settings.items()):
        found.append(_observation("setting", {"name": name, "value": value}))
    if host.container:
        found.append(_observation("remark", {"topic": "container"}))
    return found


def _slots(gpu: Gpu, driver: str | None) -> dict[str, Value | None]:
    return {
        "gpu": gpu.index,
        "gpu_name": gpu.name,
        "capacity_bytes": gpu.total,
        "free_bytes": gpu.free,
        "capability": gpu.capability,
        "driver_version": parse_version(driver) if driver else None,
        "pci": gpu.pci,
        "uuid": gpu.uuid,
        "utilization": gpu.utilization,
        "temperature": gpu.temperature,
    }


def _observation(template: str, slots: Mapping[str, Value | None]) -> Observation:
    return Observation(template, {name: value for name, value in slots.items() if value is not None})


def described(reading: Reading, host: Host) -> str:
    """The readings as text, one fact a line, in the layout and words of `nvidia-smi -q`."""
    lines = [f"System: {host.system}", f"Python: {host.python}"]
    lines += [f"{name}=={version}" for name, version in sorted(host.packages.items())]
    if reading.driver_version:
        lines.append(f"Driver Version                        : {reading.driver_version}")
    if reading.cuda_version:
        lines.append(f"CUDA Version                          : {reading.cuda_version}")
    lines += _trouble(reading, host)
    for gpu in reading.gpus:
        lines += _gpu_lines(gpu)
    return "\n".join(lines) + "\n"


def _trouble(reading: Reading, host: Host) -> list[str]:
    """Why NVML did not answer: a failure only where there is a GPU it should know of."""
    if reading.error is None or not host.nvidia_devices:
        return []
    return [reading.error]


def _gpu_lines(gpu: Gpu) -> list[str]:
    if gpu.lost:
        return [f"GPU {gpu.index}", f"    {gpu.lost}"]
    rows: list[tuple[str, str | None]] = [
        ("Product Name", gpu.name),
        ("GPU UUID", gpu.uuid),
        ("Persistence Mode", _switch(gpu.persistence)),
        ("Compute Mode", gpu.compute_mode),
        ("ECC Mode", _switch(gpu.ecc_mode)),
        ("Volatile Uncorrectable ECC", _count(gpu.ecc_uncorrected_volatile)),
        ("Aggregate Uncorrectable ECC", _count(gpu.ecc_uncorrected_aggregate)),
        ("Pending Page Blacklist", _yes(gpu.retired_pages_pending)),
        ("Correctable Error", _count(gpu.remapped_correctable)),
        ("Uncorrectable Error", _count(gpu.remapped_uncorrectable)),
        ("Pending", _yes(gpu.remap_pending)),
        ("Remapping Failure Occurred", _yes(gpu.remap_failed)),
        *((name, "Active") for name in gpu.slowdowns or ()),
        ("GPU Current Temp", f"{gpu.temperature} C" if gpu.temperature is not None else None),
        ("FB Memory Usage Total", f"{gpu.total >> 20} MiB" if gpu.total is not None else None),
        ("FB Memory Usage Free", f"{gpu.free >> 20} MiB" if gpu.free is not None else None),
    ]
    if gpu.fabric_state:
        rows += [("Fabric", ""), ("State", gpu.fabric_state), ("Status", "N/A")]
    lines = [f"GPU {gpu.pci or gpu.index}"] + [f"    {name:<34}: {value}" for name, value in rows if value is not None]
    if gpu.mig_mode and gpu.mig_instances == 0:
        lines.append("    MIG mode is enabled, but no MIG devices were found")
    if gpu.mig_mode is not None and gpu.mig_pending is not None and gpu.mig_mode != gpu.mig_pending:
        lines.append(f"    MIG mode is in pending {'enable' if gpu.mig_pending else 'disable'} state for GPU {gpu.pci or gpu.index}")
    for _ in range(min(gpu.links_down or 0, 1)):
        lines.append(f"    Only {gpu.links_up} NvLinks are up out of the expected {(gpu.links_up or 0) + (gpu.links_down or 0)}")
    return lines


def notes(reading: Reading, host: Host, twice: dict[int, dict[str, list[str]]]) -> list[str]:
    """What is worth knowing and is no failure, one sentence each."""
    said = []
    if reading.error:
        devices = host.nvidia_devices
        unseen = {None: "the PCI bus cannot be read here", 0: "no NVIDIA GPU is on the PCI bus"}
        known = unseen.get(devices, f"{devices} NVIDIA GPU(s) are on the bus")
        said.append(f"NVML does not answer ({reading.error}); {known}.")
    if host.container:
        said.append("This is a container: drivers and GPUs are those its runtime hands in.")
    if host.memory_limit and (host.memory_total is None or host.memory_limit < host.memory_total):
        said.append(f"Host memory is limited to {format_bytes(host.memory_limit)} by the control group.")
    if host.shm_total is not None and host.shm_total < SMALL_SHM:
        said.append(f"/dev/shm has {format_bytes(host.shm_total)}: DataLoader workers and NCCL may run out of it (--shm-size, --ipc=host).")
    for name, places in host.duplicates.items():
        said.append(
            f"{name} stands in {len(places)} places; the loader may take another than the package was built with: {', '.join(places)}."
        )
    for pid, libraries in sorted(twice.items()):
        for name, paths in libraries.items():
            said.append(f"Process {pid} has {name} loaded from {len(paths)} files: {', '.join(paths)}.")
    for gpu in reading.gpus:
        if gpu.retired_pages:
            said.append(f"GPU {gpu.index}: {gpu.retired_pages} page(s) of memory are retired after ECC errors.")
        if gpu.persistence is False:
            said.append(f"GPU {gpu.index}: persistence mode is off; the first CUDA call after idling takes longer.")
        if gpu.slowdowns and "SW Power Cap" in gpu.slowdowns:
            said.append(f"GPU {gpu.index}: clocks are held down by the power limit.")
    return said


def _switch(value: bool | None) -> str | None:
    return None if value is None else "Enabled" if value else "Disabled"


def _yes(value: bool | None) -> str | None:
    return None if value is None else "Yes" if value else "No"


def _count(value: int | None) -> str | None:
    return None if value is None else str(value)
