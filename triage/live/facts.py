"""From readings to facts, and to a text in the layout of `nvidia-smi -q` that the rules read like any log."""

from __future__ import annotations

from collections.abc import Container, Mapping
from functools import partial

from triage.engine.values import Value
from triage.facts.observation import Observation
from triage.facts.quantities import format_bytes, parse_version
from triage.live.host import Host
from triage.live.nvml import NO_BINDINGS, Gpu, Reading
from triage.live.words import word

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


def notes(reading: Reading, host: Host, twice: dict[int, dict[str, list[str]]], lang: str = "en") -> list[str]:
    """What is worth knowing and is no failure, one sentence each."""
    say = partial(word, lang=lang)
    said = []
    if reading.error:
        error = say("no-bindings") if reading.error == NO_BINDINGS else reading.error
        said.append(say("no-answer", error=error, known=_on_the_bus(host.nvidia_devices, lang)))
    if host.container:
        said.append(say("container"))
    if host.memory_limit and (host.memory_total is None or host.memory_limit < host.memory_total):
        said.append(say("memory-limit", limit=format_bytes(host.memory_limit)))
    if host.shm_total is not None and host.shm_total < SMALL_SHM:
        said.append(say("small-shm", size=format_bytes(host.shm_total)))
    for name, places in host.duplicates.items():
        said.append(say("duplicates", name=name, count=len(places), places=", ".join(places)))
    for pid, libraries in sorted(twice.items()):
        for name, paths in libraries.items():
            said.append(say("loaded-twice", pid=pid, name=name, count=len(paths), places=", ".join(paths)))
    for gpu in reading.gpus:
        if gpu.retired_pages:
            said.append(say("retired-pages", gpu=gpu.index, count=gpu.retired_pages))
        if gpu.persistence is False:
            said.append(say("persistence", gpu=gpu.index))
        if gpu.slowdowns and "SW Power Cap" in gpu.slowdowns:
            said.append(say("power-cap", gpu=gpu.index))
    return said


def _on_the_bus(devices: int | None, lang: str) -> str:
    if devices is None:
        return word("bus-unread", lang)
    return word("bus-gpus", lang, count=devices) if devices else word("bus-empty", lang)


def _switch(value: bool | None) -> str | None:
    return None if value is None else "Enabled" if value else "Disabled"


def _yes(value: bool | None) -> str | None:
    return None if value is None else "Yes" if value else "No"


def _count(value: int | None) -> str | None:
    return None if value is None else str(value)
