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


_STRENGTH = ("cuda", "fake", "cpu", "model")
_CONCLUSIVE = (CONFIRMED, REFUTED)
WEAKER = "a stronger backend was not at hand"  # begins a limit; the backend itself is told anyway
MAX_TEXT = 1000  # characters of a reason or a limit that becomes a fact


def observations(verdicts: Iterable[Mapping[str, Any]]) -> list[Observation]:
    """The facts of verdicts as JSON, for rules to use: a refuted fix is withdrawn, a confirmed one says where it was tried.

    Of several verdicts on one fix that counts which concludes something, then the one of the strongest backend, then the
    last. Entries that are no verdicts are skipped.
    """
    best: dict[tuple[str, str], Mapping[str, Any]] = {}
    for entry in verdicts:
        if _is_verdict(entry):
            name = entry["id"], entry["fix"]
            if name not in best or _weight(entry) <= _weight(best[name]):
                best[name] = entry
    return [_observation(entry) for entry in best.values()]


def _is_verdict(entry: Any) -> bool:
    if not isinstance(entry, Mapping) or not all(isinstance(entry.get(name), str) for name in ("id", "fix", "verdict")):
        return False
    return entry["verdict"] in PHRASES


def _weight(entry: Mapping[str, Any]) -> tuple[bool, int]:
    backend = entry.get("backend")
    return entry["verdict"] not in _CONCLUSIVE, _STRENGTH.index(backend) if backend in _STRENGTH else len(_STRENGTH)


def _observation(entry: Mapping[str, Any]) -> Observation:
    limits = entry.get("limits")
    slots = {
        "diagnosis": entry["id"],
        "fix": entry["fix"],
        "value": entry["verdict"],
        "name": _text(entry.get("backend")),
        "detail": where(entry),
        "message": _text(entry.get("reason")),
        "text": "; ".join(
            limit for limit in map(_text, limits if isinstance(limits, list) else ()) if limit and not limit.startswith(WEAKER)
        ),
    }
    return Observation("verdict", slots)


def _text(value: Any) -> str:
    return value[:MAX_TEXT] if isinstance(value, str) else ""


def where(entry: Mapping[str, Any]) -> str:
    """Backend, card, driver and releases under which a verdict as JSON was found: `"cuda, NVIDIA H200, driver 570.86, torch 2.6.0"`."""
    parts = [_text(entry.get("backend"))]
    environment = entry.get("environment")
    if isinstance(environment, Mapping) and parts != ["model"]:  # nothing that is installed takes part in the model
        parts.append(_text(environment.get("gpu_name")))
        parts += [f"driver {_text(environment['driver'])}"] if environment.get("driver") else []
        versions = environment.get("versions")
        known = versions if isinstance(versions, Mapping) else {}
        parts += [f"{name} {_text(known[name])}" for name in ("torch", "cuda", "hip", "transformers") if name in known]
        after = environment.get("versions_with_fix")
        if isinstance(after, Mapping) and after.get("torch") != known.get("torch"):
            parts.append(f"with the fix torch {_text(after.get('torch'))}")
    return ", ".join(filter(None, parts))
