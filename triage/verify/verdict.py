"""What the verifier found, as data: arms, verdicts and the facts that follow from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from triage.facts.observation import Observation

CONFIRMED = "confirmed"
REFUTED = "refuted"
NOT_REPRODUCED = "not-reproduced"
PARTLY = "partly"
NOT_POSSIBLE = "not-possible"

PHRASES = {
    CONFIRMED: "the failure was reproduced, and the fix prevents it",
    REFUTED: "the failure was reproduced, and the fix does not prevent it",
    NOT_REPRODUCED: "the failure does not occur here",
    PARTLY: "something was shown, but not all",
    NOT_POSSIBLE: "cannot be tried here",
}


@dataclass
class Arm:
    """One run of a program.

    Attributes:
        outcome: passed, failed (it raised, or ended with a status other than 0), timeout, memory, interrupted.
        exit_code: of the process, negative for a signal; None when it was killed by the runner.
        seconds: wall-clock time of the process, start of the interpreter included.
        peak_rss_bytes: most host memory of the process and its children together, as polled.
        measurements: what the arm measured itself, sizes in bytes.
        diagnosis: `{"id", "family", "cause", "confidence"}` that triage gives to the output, or None.
    """

    outcome: str
    exit_code: int | None = None
    seconds: float = 0.0
    peak_rss_bytes: int = 0
    measurements: dict[str, Any] = field(default_factory=dict)
    output: str = ""
    diagnosis: dict[str, Any] | None = None

    def to_dict(self) -> dict[str, Any]:
        """The arm as JSON; of the output the last 16,000 characters."""
        return {
            "outcome": self.outcome,
            "exit_code": self.exit_code,
            "seconds": round(self.seconds, 2),
            "peak_rss_bytes": self.peak_rss_bytes,
            "measurements": self.measurements,
            "diagnosis": self.diagnosis,
            "output_tail": self.output[-16000:],
        }


@dataclass
class Verdict:
    """What was found about one fix of one diagnosis.

    `id` is the id of the diagnosis where there was a report, otherwise the reproduction's. `emulation` is what explain
    was told of an emulated card.
    """

    id: str
    reproduction: str
    family: str
    cause: str | None
    fix: str
    verdict: str
    reason: str
    backend: str = ""
    limits: list[str] = field(default_factory=list)
    environment: dict[str, Any] = field(default_factory=dict)
    parameters: dict[str, Any] = field(default_factory=dict)
    from_report: list[str] = field(default_factory=list)
    reported: Arm | None = None
    fixed: Arm | None = None
    advised: bool = True
    emulation: dict[str, Any] = field(default_factory=dict)
    key: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The verdict as JSON."""
        return {
            "id": self.id,
            "reproduction": self.reproduction,
            "family": self.family,
            "cause": self.cause,
            "fix": self.fix,
            "advised": self.advised,
            "verdict": self.verdict,
            "reason": self.reason,
            "backend": self.backend,
            "limits": self.limits,
            "environment": self.environment,
            "emulation": self.emulation,
            "parameters": self.parameters,
            "parameters_from_report": self.from_report,
            "arms": {"reported": self.reported and self.reported.to_dict(), "fixed": self.fixed and self.fixed.to_dict()},
            "key": self.key,
        }

    def to_observation(self) -> Observation:
        """The verdict as a fact; see `observations`."""
        return _observation(self.to_dict())


def observations(verdicts: Iterable[Mapping[str, Any]]) -> list[Observation]:
    """The facts of verdicts as JSON, for rules to use: a refuted fix is withdrawn, a confirmed one says where it was tried.

    Entries that are no verdicts are skipped.
    """
    return [_observation(entry) for entry in verdicts if _is_verdict(entry)]


def _is_verdict(entry: Mapping[str, Any]) -> bool:
    return isinstance(entry.get("id"), str) and isinstance(entry.get("fix"), str) and entry.get("verdict") in PHRASES


def _observation(entry: Mapping[str, Any]) -> Observation:
    environment = entry.get("environment") or {}
    versions = environment.get("versions") or {}
    where = [f"{name} {versions[name]}" for name in ("torch", "cuda", "hip", "transformers") if name in versions]
    where += [f"driver {environment['driver']}"] if environment.get("driver") else []
    parts = [f"backend {entry.get('backend')}" if entry.get("backend") else "", str(environment.get("gpu_name", "")), ", ".join(where)]
    detail = "; ".join(part for part in parts if part)
    return Observation("verdict", {"name": f"{entry['id']}/{entry['fix']}", "value": entry["verdict"], "detail": detail})
