"""Typed facts and where they were seen."""

from triage.facts.observation import Evidence, Observation
from triage.facts.vocabulary import REPORTED, SLOTS, TEMPLATES

__all__ = ["REPORTED", "SLOTS", "TEMPLATES", "Evidence", "Observation"]
