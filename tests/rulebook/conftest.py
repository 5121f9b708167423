from __future__ import annotations

import pytest

from triage.rulebook.loader import Source


@pytest.fixture(scope="session", autouse=True)
def _rules_stay_read(shipped_rules: list[Source]) -> None:
    """Packs that take over shipped names, and stores that hold nothing yet, compile all rules."""
