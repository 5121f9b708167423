"""Every reproduction that a card can show, on a card."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from triage.verify import evidence
from triage.verify.backends import Machine
from triage.verify.backends.base import release
from triage.verify.campaign import Campaign, Job
from triage.verify.catalog import catalog
from triage.verify.reproduction import Reproduction

FOLDER = Path(os.environ.get("TRIAGE_EVIDENCE", Path(__file__).parent / "evidence"))
ON_CARD = [name for name, one in catalog().items() if "cuda" in one.backends]
REFUTED = {("memory.gpu-oom.algorithm-parameter", "algorithm-parameter")}


def gone(one: Reproduction, card: Machine) -> bool:
    """Whether the failure is known not to occur any more in a release that is here."""
    if one.gone_since is None:
        return False
    package, since, _ = one.gone_since
    return release(card.versions.get(package, "")) >= release(since)


@pytest.mark.parametrize("name", ON_CARD)
def test_reproduction(name: str, card: Machine) -> None:
    one = catalog()[name]
    verdicts = list(Campaign(card, backend="cuda").verdicts([Job(name, one, tuple(one.fixes))]))
    evidence.write(verdicts, FOLDER, datetime.now(UTC).date().isoformat())
    tried = [verdict for verdict in verdicts if verdict["verdict"] != "not-possible"]
    if not tried:
        pytest.skip(verdicts[0]["reason"])
    for verdict in tried:
        fix = one.fixes[verdict["fix"]]
        refuted = not fix.advised or (name, verdict["fix"]) in REFUTED
        expected = "not-reproduced" if gone(one, card) else "refuted" if refuted else "confirmed"
        assert verdict["verdict"] == expected, (verdict["reason"], verdict["arms"]["reported"]["output_tail"][-2000:])
