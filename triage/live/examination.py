"""What `triage doctor` finds: readings, notes, and what the rules make of them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from triage.facts.quantities import format_bytes
from triage.live import host as hosts
from triage.live import nvml
from triage.live.facts import described, facts_of, notes
from triage.live.host import Host
from triage.live.nvml import Gpu, Reading


@dataclass
class Examination:
    """Everything found. `report` is the JSON report on the readings written as text."""

    reading: Reading
    host: Host
    notes: list[str]
    report: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON."""
        return {"gpus": asdict(self.reading), "host": asdict(self.host), "notes": self.notes, "report": self.report}

    def lines(self) -> list[str]:
        """Readings and notes for a terminal. Names of processes and packages are escaped."""
        from triage.render.escape import visible

        lines = [f"{self.host.system} · Python {self.host.python}"]
        if self.reading.driver_version:
            lines.append(f"driver {self.reading.driver_version} (CUDA up to {self.reading.cuda_version or 'unknown'})")
        for gpu in self.reading.gpus:
            lines += _gpu_lines(gpu)
        if self.host.packages:
            lines.append("packages: " + ", ".join(f"{name} {version}" for name, version in sorted(self.host.packages.items())))
        lines += [f"note: {note}" for note in self.notes]
        if not self.report["diagnoses"]:
            lines.append("the rules find no failure in this")
        return [visible(line) for line in lines]


def _gpu_lines(gpu: Gpu) -> list[str]:
    if gpu.lost:
        return [f"GPU {gpu.index}: {gpu.lost}"]
    parts = [gpu.name or "unknown"]
    if gpu.total is not None and gpu.free is not None:
        parts.append(f"{format_bytes(gpu.free)} of {format_bytes(gpu.total)} free")
    if gpu.temperature is not None:
        parts.append(f"{gpu.temperature} °C")
    if gpu.compute_mode and gpu.compute_mode != "Default":
        parts.append(f"compute mode {gpu.compute_mode}")
    if gpu.mig_mode:
        parts.append(f"MIG with {gpu.mig_instances} instance(s)")
    lines = [f"GPU {gpu.index}: {', '.join(parts)}"]
    for holder in gpu.holders:
        size = format_bytes(holder.size) if holder.size is not None else "an unknown amount"
        lines.append(f"    {holder.name or 'process'} ({holder.pid}) holds {size}")
    return lines


def examine(lang: str = "en", library: Any = None, root: Path = Path("/"), environ: dict[str, str] | None = None) -> Examination:
    """Reads this machine and reasons about it. `library`, `root` and `environ` stand for the machine in tests."""
    from triage.pipeline import shared_triage

    reading, host = nvml.read(library), hosts.read(root, environ)
    pids = [holder.pid for gpu in reading.gpus for holder in gpu.holders]
    report = shared_triage().explain(described(reading, host), extra=facts_of(reading, host)).to_dict(lang)
    return Examination(reading, host, notes(reading, host, hosts.loaded_twice(pids, root)), report)
