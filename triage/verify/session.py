"""One call of the verifier: interpreters, releases, verdicts kept for later."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from triage.pipeline import shared_triage
from triage.verify.backends import Machine, Unavailable
from triage.verify.backends.base import release
from triage.verify.campaign import Campaign, Job, Progress
from triage.verify.environments import machine_with


class Session:
    """What the command line asks for.

    Args:
        releases: of torch, to compare; one that cannot be had is told and left out.
        pins: `name==version` of other packages; each run uses an environment that has them, and otherwise torch as here.
        resume: a file in which verdicts are kept; those it has are not run again.
        announce: told what takes long, before it is done.
    """

    def __init__(
        self,
        backend: str,
        gpu: int | None,
        timeout_s: float | None,
        releases: Sequence[str],
        pins: Sequence[str],
        resume: Path | None,
        announce: Callable[[str], None],
    ) -> None:
        self.backend = backend
        self.gpu = gpu
        self.timeout_s = timeout_s
        self.releases = sorted({release.strip() for release in releases if release.strip()}, key=release)
        self.pins = dict(self._pin(text) for text in pins)
        self.resume = resume
        self.announce = announce

    @staticmethod
    def _pin(text: str) -> tuple[str, str]:
        name, separator, version = text.partition("==")
        if not separator:
            raise Unavailable(f"NAME==VERSION, not {text!r}")
        return name.strip(), version.strip()

    def verdicts(self, jobs: Sequence[Job], progress: Progress | None = None) -> Iterator[dict[str, Any]]:
        """Runs the jobs and keeps each verdict as soon as it is there.

        Raises:
            Unavailable: no interpreter answers, or a release cannot be had.
            RuleError: the rules cannot be loaded.
            KeyboardInterrupt: after all processes were ended; SIGTERM counts as well.
        """
        kept = self._kept()
        shared_triage()  # that the rules cannot be loaded should be told before anything runs
        with _TerminationAsInterrupt():
            machines = self._machines(jobs)
            campaign = Campaign(machines[0], self.backend, self.timeout_s, progress, dict(kept), tuple(machines) if self.releases else ())
            for verdict in campaign.verdicts(jobs):
                if progress is not None:
                    progress("", -1, 0)
                kept = {key: known for key, known in kept.items() if not _could_not_be_tried(known, verdict)}
                kept[verdict["key"]] = verdict
                self._keep(kept)
                yield verdict

    def _machines(self, jobs: Sequence[Job]) -> list[Machine]:
        others = [need for job in jobs for need in job.reproduction.needs if need[:4] not in ("tool", "gpus", "abse") and need != "torch"]
        if not self.releases and not self.pins:
            return [Machine.ask(sys.executable, self.gpu)]
        found: list[Machine] = []
        missing: list[str] = []
        pins = {**({"torch": here} if (here := _torch_here()) else {}), **self.pins}
        for wanted in [{**pins, "torch": version} for version in self.releases] or [pins]:
            try:
                found.append(machine_with(wanted, others if "torch" in wanted else [*others, "torch"], self.announce))
            except Unavailable as error:
                missing.append(str(error))
        if not found:
            raise Unavailable("; ".join(missing))
        for reason in missing:
            self.announce(f"skipped: needs {reason}")
        for machine in found:
            machine.gpu = self.gpu
        return found

    def _kept(self) -> dict[str, dict[str, Any]]:
        if self.resume is None or not self.resume.exists():
            return {}
        try:
            entries = json.loads(self.resume.read_text(encoding="utf-8"))
            return {entry["key"]: entry for entry in entries}
        except (ValueError, TypeError, KeyError, RecursionError):
            raise Unavailable(f"a list of verdicts in {self.resume}, or no such file") from None

    def _keep(self, kept: dict[str, dict[str, Any]]) -> None:
        if self.resume is None:
            return
        text = json.dumps(list(kept.values()), indent=2, ensure_ascii=False)
        beside = self.resume.with_name(self.resume.name + ".new")
        beside.write_text(text + "\n", encoding="utf-8")
        os.replace(beside, self.resume)


def _could_not_be_tried(known: Mapping[str, Any], verdict: Mapping[str, Any]) -> bool:
    """Whether a kept verdict says of the same fix that something was missing: the new one knows better."""
    return not known.get("backend") and (known.get("id"), known.get("fix")) == (verdict["id"], verdict["fix"])


def _torch_here() -> str:
    """The public release of torch that is installed here, "" when there is none."""
    try:
        return metadata.version("torch").partition("+")[0]
    except metadata.PackageNotFoundError:
        return ""


class _TerminationAsInterrupt:
    """Within it SIGTERM ends what runs as Ctrl-C does: children first."""

    def __enter__(self) -> None:
        self._before: Any = None
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGTERM, self._interrupt)

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGTERM, self._before)

    @staticmethod
    def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt
