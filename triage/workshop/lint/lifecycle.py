"""Status: what a stable failure needs, and what becomes of the others."""

from __future__ import annotations

from collections.abc import Iterator

from triage.rulebook.loader import Source
from triage.workshop.lint.base import Base, Finding


def status(base: Base) -> Iterator[Finding]:
    """L080: stable without proof; L081: deprecated without successor."""
    for source in base.checked:
        file = source.model
        if file.failure is None:
            continue
        lacks = missing_proof(source)
        if file.status == "stable" and lacks:
            yield Finding(source, ("failure",), "L080", f"{file.failure} is stable without {' and '.join(lacks)}")
        elif file.status == "deprecated" and file.superseded_by is None:
            yield Finding(source, ("status",), "L081", f"{file.failure} is deprecated")


def missing_proof(source: Source) -> list[str]:
    """What a failure lacks to be stable."""
    examples = source.model.examples
    lacks = []
    if not any(not example.near_miss for example in examples):
        lacks.append("a positive example")
    if not any(example.near_miss for example in examples):
        lacks.append("a near miss")
    return lacks


def modelines(base: Base) -> Iterator[Finding]:
    """L092: files that do not name their schema."""
    for source in base.checked:
        if not source.text.startswith("# yaml-language-server: $schema="):
            yield Finding(source, (), "L092", "the first line is no modeline")
