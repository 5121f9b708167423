"""Structures that no single pattern holds, read from a log as observations."""

from triage.parsers.parse import parse

__all__ = ["parse"]
