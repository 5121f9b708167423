"""Verdicts back in reasoning: what was refuted is withdrawn and the next fix leads, what was confirmed says where."""

from __future__ import annotations

import json
from typing import Any

import pytest

from triage.pipeline import shared_triage
from triage.render.text import render
from triage.report import Report
from triage.verify.verdict import observations

FRAGMENTED = (
    "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 6.00 GiB (GPU 0; 31.74 GiB total capacity; 21.11 GiB already "
    "allocated; 4.61 GiB free; 26.75 GiB reserved in total by PyTorch)\n"
)
NAME = "memory.gpu-oom.fragmentation"
CARD = {"gpu_name": "NVIDIA L4", "driver": "550.54.15", "versions": {"torch": "2.6.0", "cuda": "12.4"}}


def verdict(fix: str, value: str, backend: str = "cuda", identifier: str = NAME, **rest: Any) -> dict[str, Any]:
    return {"id": identifier, "fix": fix, "verdict": value, "backend": backend, "reason": "so it was", "environment": CARD, **rest}


def explained(*verdicts: dict[str, Any]) -> Report:
    engine = shared_triage()
    return engine.reconsider(engine.explain(FRAGMENTED), observations(verdicts))


def names(items: list[Any]) -> list[str]:
    return [item["id"] if isinstance(item, dict) else item.id for item in items]


def test_a_refuted_fix_is_withdrawn_and_the_next_one_leads() -> None:
    before = explained().diagnoses[0]
    after = explained(verdict("allocator-config", "refuted")).diagnoses[0]
    assert names(before.fixes)[0] == "allocator-config"
    assert names(after.fixes) == names(before.fixes)[1:]
    (withdrawn,) = [item for item in after.will_not_help if item["id"] == "allocator-config"]
    assert withdrawn["why"] == "Tried, and in vain: so it was."
    assert withdrawn["verdict"]["where"] == "cuda, NVIDIA L4, driver 550.54.15, torch 2.6.0, cuda 12.4"
    assert after.id == before.id
    assert after.confidence == before.confidence, "the failure was seen again: its cause stands"


def test_a_fix_that_a_rule_of_another_file_offers_is_withdrawn_too() -> None:
    engine = shared_triage()
    report = engine.explain("Since I updated from 2.1 to 2.2 it fails.\n" + FRAGMENTED)
    assert names(report.diagnoses[0].fixes)[:2] == ["pin-package", "allocator-config"]
    again = engine.reconsider(report, observations([verdict("pin-package", "refuted")])).diagnoses[0]
    assert names(again.fixes) == names(report.diagnoses[0].fixes)[1:]


def test_the_justification_follows() -> None:
    report = explained(verdict("allocator-config", "refuted"), verdict("reduce-batch-or-sequence", "confirmed"))
    said = " ".join(report.diagnoses[0].why)
    assert "allocator-config was tried (cuda, NVIDIA L4, driver 550.54.15, torch 2.6.0, cuda 12.4) and is not advised: so it was." in said
    assert "reduce-batch-or-sequence was tried" in said
    (proofs,) = report.why_advice()
    assert [proof["rule"] for proof in proofs] == ["common/verdicts#refuted", "common/verdicts#confirmed"]
    assert any(
        child["text"].startswith("verdict (diagnosis memory.gpu-oom.fragmentation, fix allocator-config") for child in proofs[0]["children"]
    )
    assert "不再建议" in " ".join(report.to_dict("zh")["diagnoses"][0]["why"])


def test_a_confirmed_fix_says_where_and_a_weak_backend_what_it_does_not_show() -> None:
    fix = explained(verdict("allocator-config", "confirmed", "model", limits=["the allocator is a model"])).diagnoses[0].fixes[0]
    assert fix.verdict == {
        "verdict": "confirmed", "backend": "model", "where": "model", "reason": "so it was", "limits": "the allocator is a model",
    }  # fmt: skip
    report = explained(verdict("allocator-config", "confirmed", "model", limits=["the allocator is a model"]))
    assert "Note: the allocator is a model." in " ".join(render(report.to_dict()).split())
    assert "NVIDIA L4, driver 550.54.15" in render(explained(verdict("allocator-config", "confirmed")).to_dict())


def test_a_reason_in_the_numbers_of_the_case_comes_before_that_it_was_tried() -> None:
    (own,) = [item for item in explained().diagnoses[0].will_not_help if item["id"] == "larger-gpu"]
    (tried,) = [item for item in explained(verdict("larger-gpu", "refuted")).diagnoses[0].will_not_help if item["id"] == "larger-gpu"]
    assert tried["why"] == own["why"]
    assert tried["verdict"]["verdict"] == "refuted"


def test_advice_called_useless_that_holds_is_no_longer_warned_of() -> None:
    assert "larger-gpu" in names(explained().diagnoses[0].will_not_help)
    assert "larger-gpu" not in names(explained(verdict("larger-gpu", "confirmed")).diagnoses[0].will_not_help)


@pytest.mark.parametrize("value", ["partly", "not-reproduced", "not-possible"])
def test_what_decides_nothing_changes_no_advice(value: str) -> None:
    before, after = explained().diagnoses[0], explained(verdict("allocator-config", value)).diagnoses[0]
    assert names(after.fixes) == names(before.fixes)
    assert names(after.will_not_help) == names(before.will_not_help)
    assert after.fixes[0].verdict is not None
    assert after.why == before.why


def test_of_several_verdicts_on_a_fix_the_strongest_counts() -> None:
    weak, strong = verdict("allocator-config", "refuted", "model"), verdict("allocator-config", "confirmed", "cuda")
    undecided = verdict("allocator-config", "not-possible", "cuda")
    for order in ([weak, strong], [strong, weak], [undecided, weak, strong]):
        (fact,) = observations(order)
        assert (fact.slots["value"], fact.slots["name"]) == ("confirmed", "cuda")
    (fact,) = observations([undecided, weak])
    assert fact.slots["value"] == "refuted"


def test_a_verdict_on_another_diagnosis_changes_nothing() -> None:
    other = verdict("allocator-config", "refuted", identifier="memory.gpu-oom.leak")
    assert json.dumps(explained(other).to_dict()) == json.dumps(explained().to_dict())


def test_hostile_verdicts() -> None:
    entries = [
        None,
        3,
        {},
        {"id": 3},
        verdict("x", "maybe"),
        verdict("allocator-config", "refuted", reason="\x1b[2J{evil}" * 1000, limits="x"),
    ]
    entries[-1]["environment"] = {"gpu_name": 3, "versions": ["torch"], "driver": {}}  # type: ignore[index]
    report = explained(*entries)  # type: ignore[arg-type]
    assert "\x1b" not in render(report.to_dict())
    assert len(json.dumps(report.to_dict())) < 50_000
