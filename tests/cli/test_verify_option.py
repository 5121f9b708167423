"""`triage explain --verify`: what was tried stands beside the advice."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from cli_support import HEALTHY, triage

from triage.integrations import verdicts
from triage.verify.backends import Machine, Unavailable
from triage.verify.campaign import Campaign

FRAGMENTED = (
    "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 6.00 GiB (GPU 0; 31.74 GiB total capacity; 21.11 GiB already "
    "allocated; 4.61 GiB free; 26.75 GiB reserved in total by PyTorch)\n"
)


def report() -> dict[str, Any]:
    return json.loads(triage("explain", "--format", "json", stdin=FRAGMENTED.encode()).stdout)  # type: ignore[no-any-return]


def test_verdicts_stand_beside_what_was_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    def found(self: Campaign, jobs: Iterable[Any]) -> Iterator[dict[str, Any]]:
        for job in jobs:
            for fix in job.fixes:
                yield {"id": job.id, "fix": fix, "verdict": "confirmed", "backend": "model", "reason": "because", "further": "left out"}
        yield {"id": "no.such.diagnosis", "fix": "offload", "verdict": "refuted", "backend": "model", "reason": "because"}

    monkeypatch.setattr(Machine, "ask", classmethod(lambda *_: Machine("python")))
    monkeypatch.setattr(Campaign, "verdicts", found)
    data = report()
    verdicts.add_verdicts(data)
    fixes = {fix["id"]: fix for fix in data["diagnoses"][0]["fixes"]}
    assert fixes["allocator-config"]["verdict"] == {"verdict": "confirmed", "backend": "model", "reason": "because"}


def test_where_nothing_answers_the_reason_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(*_: object) -> None:
        raise Unavailable("a working interpreter")

    monkeypatch.setattr(Machine, "ask", ask)
    with pytest.raises(verdicts.UnavailableError, match="cannot verify without a working interpreter"):
        verdicts.add_verdicts(report())


def test_nothing_is_started_for_a_healthy_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Machine, "ask", None)
    data = json.loads(triage("explain", "--format", "json", stdin=HEALTHY.encode()).stdout)
    before = json.dumps(data)
    verdicts.add_verdicts(data)
    assert json.dumps(data) == before


def test_the_option_reaches_every_format() -> None:
    for kind in ("text", "json", "markdown", "html"):
        result = triage("explain", "--verify", "--format", kind, stdin=FRAGMENTED.encode())
        assert result.returncode == 0, result.stderr
        said = result.stdout.decode()
        assert '"verdict": {' in said if kind == "json" else "ried here" in said
