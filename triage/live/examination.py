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
from triage.live.words import word
from triage.render.wording import comma


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
        """Readings and notes for a terminal, in the language of the report. Names of processes and packages are escaped."""
        from triage.render.escape import visible

        lang = str(self.report["lang"])
        lines = [f"{self.host.system} · Python {self.host.python}"]
        if self.reading.driver_version:
            cuda = self.reading.cuda_version or word("unknown", lang)
            lines.append(word("driver", lang, driver=self.reading.driver_version, cuda=cuda))
        for gpu in self.reading.gpus:
            lines += _gpu_lines(gpu, lang)
        if self.host.packages:
            packages = ", ".join(f"{name} {version}" for name, version in sorted(self.host.packages.items()))
            lines.append(word("packages", lang, packages=packages))
        lines += [word("note", lang, note=note) for note in self.notes]
        if not self.report["diagnoses"]:
            lines.append(word("nothing", lang))
        return [visible(line) for line in lines]


def _gpu_lines(gpu: Gpu, lang: str) -> list[str]:
    if gpu.lost:
        return [word("gpu", lang, gpu=gpu.index, said=gpu.lost)]
    parts = [gpu.name or word("unknown", lang)]
    if gpu.total is not None and gpu.free is not None:
        parts.append(word("free", lang, free=format_bytes(gpu.free), total=format_bytes(gpu.total)))
    if gpu.temperature is not None:
        parts.append(f"{gpu.temperature} °C")
    if gpu.compute_mode and gpu.compute_mode != "Default":
        parts.append(word("compute-mode", lang, mode=gpu.compute_mode))
    if gpu.mig_mode:
        parts.append(word("mig", lang, count=gpu.mig_instances))
    lines = [word("gpu", lang, gpu=gpu.index, said=comma(lang).join(parts))]
    for holder in gpu.holders:
        size = format_bytes(holder.size) if holder.size is not None else word("unknown-amount", lang)
        lines.append("    " + word("holds", lang, name=holder.name or word("process", lang), pid=holder.pid, size=size))
    return lines


def examine(lang: str = "en", library: Any = None, root: Path = Path("/"), environ: dict[str, str] | None = None) -> Examination:
    """Reads this machine and reasons about it. `library`, `root` and `environ` stand for the machine in tests."""
    from triage.pipeline import shared_triage

    reading, host = nvml.read(library), hosts.read(root, environ)
    pids = [holder.pid for gpu in reading.gpus for holder in gpu.holders]
    report = shared_triage().explain(described(reading, host), extra=facts_of(reading, host)).to_dict(lang)
    return Examination(reading, host, notes(reading, host, hosts.loaded_twice(pids, root), lang), report)
