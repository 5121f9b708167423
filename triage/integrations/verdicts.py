"""Try what a report advises on this machine, and write what came of it beside each piece of advice."""

from __future__ import annotations

import sys
from typing import Any


class UnavailableError(Exception):
    """Nothing can be tried here, with the reason in one line."""


def add_verdicts(report: dict[str, Any]) -> None:
    """Give each fix, and each advice that is of no use, for which there is a reproduction a `verdict`: `{"verdict", "backend", "reason"}`.

    Runs programs in child processes, for seconds to minutes. Raises UnavailableError where no interpreter answers.
    """
    from triage.verify.backends import Machine, Unavailable
    from triage.verify.campaign import Campaign, jobs_of_report

    jobs = jobs_of_report(report)
    if not jobs:
        return
    try:
        machine = Machine.ask(sys.executable)
    except Unavailable as error:
        raise UnavailableError(f"cannot verify without {error}") from error
    advice = {(diagnosis["id"], item["id"]): item for diagnosis in report["diagnoses"] for item in _advice(diagnosis)}
    for found in Campaign(machine).verdicts(jobs):
        item = advice.get((found["id"], found["fix"]))
        if item is not None:
            item["verdict"] = {name: found[name] for name in ("verdict", "backend", "reason")}


def _advice(diagnosis: dict[str, Any]) -> list[dict[str, Any]]:
    return [*diagnosis["fixes"], *diagnosis["will_not_help"]]
