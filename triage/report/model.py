"""What outsiders see: a report, its diagnoses, their fixes. Fields and units are those of the JSON report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from triage.engine.values import Value
from triage.facts.observation import Evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Fix:
    """Something to do. Texts are in the language the report was asked in."""

    __slots__ = ("commands", "detail", "id", "leads_to", "leads_to_titles", "references", "title", "verdict", "verifiable")

    id: str
    title: str
    detail: str
    commands: list[str]
    leads_to: list[str]
    leads_to_titles: list[str]
    references: list[str]
    verifiable: bool
    verdict: dict[str, str] | None

    def __init__(self, **fields: Any) -> None:
        for name in self.__slots__:
            setattr(self, name, fields[name])

    def to_dict(self) -> dict[str, Any]:
        """As the JSON report has it: what is empty is left out, but for `commands`."""
        data: dict[str, Any] = {name: getattr(self, name) for name in ("id", "title", "detail", "commands", "verifiable")}
        if self.leads_to:
            data["leads_to"] = self.leads_to
            data["leads_to_titles"] = self.leads_to_titles
        if self.references:
            data["references"] = self.references
        if self.verdict:
            data["verdict"] = self.verdict
        return data


class Diagnosis:
    """One failure that the text reports, with its cause where one is supported.

    `facts` has sizes in bytes, durations in ms; `confidence` is a probability, calibrated from `strength`, which is what the
    rule says of itself; `consequence_of` is the id of the diagnosis
    that explains this one, or None.
    """

    __slots__ = (
        "cases", "cause", "cause_title", "confidence", "consequence_of", "evidence", "facts", "family", "family_title", "fixes",
        "gpu_memory", "id", "missing", "references", "strength", "summary", "title", "user_frame", "why", "will_not_help",
    )  # fmt: skip

    id: str
    family: str
    cause: str | None
    confidence: float
    strength: float
    title: str
    summary: str
    family_title: str
    cause_title: str | None
    facts: dict[str, Value]
    evidence: list[Evidence]
    why: list[str]
    fixes: list[Fix]
    will_not_help: list[dict[str, Any]]
    missing: list[dict[str, str]]
    consequence_of: str | None
    cases: list[dict[str, Any]]
    references: list[str]
    gpu_memory: dict[str, Any] | None
    user_frame: dict[str, Any] | None

    def __init__(self, **fields: Any) -> None:
        for name in self.__slots__:
            setattr(self, name, fields[name])

    def __repr__(self) -> str:
        return f"<Diagnosis {self.id} ({self.confidence})>"

    def to_dict(self) -> dict[str, Any]:
        """As the JSON report has it; its schema is `triage schema report`."""
        return {
            "id": self.id,
            "family": self.family,
            "cause": self.cause,
            "confidence": self.confidence,
            "title": self.title,
            "summary": self.summary,
            "family_title": self.family_title,
            "cause_title": self.cause_title,
            "facts": {name: plain(value) for name, value in self.facts.items()},
            "evidence": [item.to_dict() for item in self.evidence],
            "why": self.why,
            "fixes": [fix.to_dict() for fix in self.fixes],
            "will_not_help": self.will_not_help,
            "missing": self.missing,
            "consequence_of": self.consequence_of,
            "cases": self.cases,
            "references": self.references,
            "gpu_memory": self.gpu_memory,
            "user_frame": self.user_frame,
        }


def plain(value: Value) -> Any:
    """A value as JSON has it: versions as text, tuples as lists."""
    from triage.engine.values import Version
    from triage.facts.quantities import format_version

    if isinstance(value, Version):
        return format_version(value)
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return value


def number(value: Value | None) -> float:
    """A value to sort by; what is no number comes first."""
    return float(value) if isinstance(value, (int, float)) else 0.0


def gpu_memory(facts: Mapping[str, Value]) -> dict[str, Any] | None:
    """How the card's memory was divided when the request failed, for the memory bar; None without a capacity.

    `other` is what the message does not ascribe to live tensors, the caching allocator's reserve or free memory: other
    processes, the CUDA context, libraries.
    """
    sizes = {name.removesuffix("_bytes"): value for name, value in facts.items() if name.endswith("_bytes")}
    known = {name: value for name, value in sizes.items() if isinstance(value, (int, float)) and value >= 0}
    capacity = known.get("capacity")
    live = known.get("allocated")
    if not capacity or live is None:
        return None
    slack = known.get("reserved_unallocated", max(known.get("reserved", live) - live, 0))
    free = known.get("free")
    parts: list[tuple[str, float]] = [("live", live), ("reserved", slack)]
    rest = capacity - live - slack - (free or 0)
    if rest < 0:
        return None
    parts.append(("other" if free is not None else "unknown", rest))
    if free is not None:
        parts.append(("free", free))
    segments = [{"label": label, "bytes": int(size)} for label, size in parts if size > 0]
    return {"capacity": int(capacity), "requested": int(known.get("requested", 0)), "parts": segments}


def calibrated(strength: float, points: Sequence[Sequence[float]]) -> float:
    """What a rule's own confidence was worth on labelled texts: linear between the points of `kb/calibration.yaml`."""
    for (low, share), (high, following) in pairwise(points):
        if low <= strength <= high:
            return share + (following - share) * (strength - low) / (high - low)
    return strength
