"""The report: what outsiders see."""

from triage.report.model import Diagnosis, Fix
from triage.report.report import Report

__all__ = ["Diagnosis", "Fix", "Report"]
