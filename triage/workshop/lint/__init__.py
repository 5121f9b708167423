"""Lint: everything that can be known to be wrong with rules before a log comes.

    findings = lint([Path("rules")])            # list[Problem], in order of files and lines

Codes, severities and remedies stand in `codes.py`.
"""

from triage.workshop.lint.codes import CODES, Code
from triage.workshop.lint.run import lint

__all__ = ["CODES", "Code", "lint"]
