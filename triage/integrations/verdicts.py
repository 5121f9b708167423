"""Verdicts on what a report advises, as facts for reasoning about the same text once more: tried here, or kept from an earlier run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from triage.facts.observation import Observation

MAX_BYTES = 64 << 20


class UnavailableError(Exception):
    """Nothing can be tried here, or there are no verdicts in a file, with the reason in one line."""


def tried(report: Mapping[str, Any], progress: Any = None) -> list[Observation]:
    """Tries each fix of a JSON report, and each advice that is of no use, for which there is a reproduction.

    Runs programs in child processes, for seconds to minutes; `progress` is told as `triage.verify.campaign.Progress` says. Raises
    UnavailableError where no interpreter answers, KeyboardInterrupt after all processes were ended.
    """
    from triage.verify.backends import Unavailable
    from triage.verify.campaign import jobs_of_report
    from triage.verify.session import Session
    from triage.verify.verdict import observations

    jobs = jobs_of_report(report)
    if not jobs:
        return []
    session = Session("auto", None, None, [], [], None, lambda line: None)
    try:
        return observations(session.verdicts(jobs, progress))
    except Unavailable as error:
        raise UnavailableError(f"cannot verify without {error}") from error


def kept(path: str) -> list[Observation]:
    """The verdicts in a file that `triage verify --format json` or `--resume` wrote.

    Raises UnavailableError where the file holds something else, OSError where it cannot be read.
    """
    from triage.verify.verdict import observations

    with Path(path).open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    try:
        entries = json.loads(data) if len(data) <= MAX_BYTES else None
    except (ValueError, RecursionError):
        entries = None
    found = observations(entries) if isinstance(entries, list) else []
    if not found and entries != []:
        raise UnavailableError(f"{path} is no list of verdicts; write one with `triage verify --format json`")
    return found
