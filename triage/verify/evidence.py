"""Evidence files: what a verification saw, kept beside the tests and replayed where there is no GPU.

For each reproduction `<id>.log` holds what the failing program printed and `<id>.json` the verdicts on its fixes, with
card, driver, releases and date.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Evidence:
    """One reproduction as it ran: its log, the verdicts, and what explain must be told of an emulated card."""

    name: str
    log: str
    verdicts: list[dict[str, Any]]
    emulation: dict[str, Any]
    date: str


def write(verdicts: Iterable[Mapping[str, Any]], folder: Path, date: str) -> list[Path]:
    """Writes the evidence of all reproductions among the verdicts that failed as reported. Raises OSError.

    Args:
        date: of the run, as "2025-01-31".
    """
    by_name: dict[str, list[Mapping[str, Any]]] = {}
    for verdict in verdicts:
        if verdict["arms"]["fixed"] is not None:  # only then the failure was seen
            by_name.setdefault(verdict["reproduction"], []).append(verdict)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, group in sorted(by_name.items()):
        log = folder / f"{name}.log"
        log.write_text(group[0]["arms"]["reported"]["output_tail"], encoding="utf-8")
        kept = {"date": date, "reproduction": name, "emulation": group[0]["emulation"], "verdicts": [_without_output(one) for one in group]}
        data = folder / f"{name}.json"
        data.write_text(json.dumps(kept, indent=2, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")
        written += [log, data]
    return written


def _without_output(verdict: Mapping[str, Any]) -> dict[str, Any]:
    arms = {name: arm and {key: value for key, value in arm.items() if key != "output_tail"} for name, arm in verdict["arms"].items()}
    return {**verdict, "arms": arms}


def read(folder: Path) -> list[Evidence]:
    """All evidence in a folder, by name; empty where there is none. Raises ValueError for a file that is none."""
    found = []
    for path in sorted(folder.glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        log = path.with_suffix(".log").read_text(encoding="utf-8")
        found.append(Evidence(data["reproduction"], log, data["verdicts"], data["emulation"], data["date"]))
    return found
