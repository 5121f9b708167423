"""What `triage verify TARGET` means: a report, a snapshot of the allocator, or a name."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from triage.verify.allocator_trace import Replay, Trace, candidate_settings, load, what_if
from triage.verify.campaign import Job, UnknownTarget, jobs_of_name, jobs_of_report

MAX_REPORT_BYTES = 64 << 20
_SNAPSHOTS = (".pickle", ".pkl")


def jobs_of(target: str, fixes: Iterable[str]) -> list[Job]:
    """The jobs of a report (a file, or `-` for standard input) or of the name of a reproduction, family or diagnosis.

    Raises:
        UnknownTarget: it is none of these.
        OSError: the file cannot be read.
    """
    if target == "-" or target.endswith(".json") or Path(target).is_file():
        return jobs_of_report(read_report(target), fixes)
    return jobs_of_name(target, fixes)


def read_report(target: str) -> dict[str, Any]:
    """A JSON report of `triage explain --format json`. Raises UnknownTarget when it is none, OSError when unreadable."""
    if target == "-":
        data = sys.stdin.buffer.read(MAX_REPORT_BYTES + 1)
    else:
        with Path(target).open("rb") as file:
            data = file.read(MAX_REPORT_BYTES + 1)
    try:
        report = json.loads(data) if len(data) <= MAX_REPORT_BYTES else None
    except (ValueError, RecursionError):
        report = None
    if not isinstance(report, dict) or not isinstance(report.get("diagnoses"), list):
        raise UnknownTarget(f"{target} is no JSON report; write one with `triage explain --format json`")
    return report


def is_snapshot(target: str) -> bool:
    """Whether a target is a snapshot of torch.cuda.memory, or a trace."""
    return target.endswith((*_SNAPSHOTS, ".trace.json"))


def replays_of(target: str, settings: Iterable[str], capacity: int, device: int | None = None) -> tuple[Trace, list[Replay]]:
    """A recorded snapshot under its own and other settings; by default those that releases from 2.1 on know.

    Raises:
        TraceError, SettingsError: the file or a setting is not valid.
        OSError: the file cannot be read.
    """
    trace: Trace = load(Path(target), device)
    return trace, what_if(trace, list(settings) or candidate_settings(trace, (2, 1)), capacity)
