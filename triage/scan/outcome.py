"""What came of one log."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Outcome:
    """`findings` are what the log reports, the root cause first: each a diagnosis as the JSON report has it, with `path`, `line`,
    `last_line` and `count` (schema: `triage schema finding`).

    `size` (bytes, unpacked) and `lines` are what was read. `skipped` says what the log is instead of one: "binary", "source"; `problem`
    why it could not be read, `notes` what else to know of it.
    """

    path: str
    size: int = 0
    lines: int = 0
    findings: list[dict[str, Any]] = field(default_factory=list)
    skipped: str = ""
    problem: str = ""
    notes: list[str] = field(default_factory=list)

    @property
    def roots(self) -> list[dict[str, Any]]:
        """The findings that are no consequence of another."""
        return [finding for finding in self.findings if finding["consequence_of"] is None]
