from __future__ import annotations

from pathlib import Path

import pytest
from lint_support import Workplace

from triage.rulebook.loader import Source


@pytest.fixture
def workplace(tmp_path: Path) -> Workplace:
    return Workplace(tmp_path)


@pytest.fixture(scope="session", autouse=True)
def _rules_stay_read(shipped_rules: list[Source]) -> None:
    """Nearly every command of the workshop reads all rules."""
