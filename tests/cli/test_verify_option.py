"""`triage explain --verify`, `--verdicts` and `--live`: further facts, and what is reasoned with them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cli_support import HEALTHY, one_line, triage

from triage.integrations import verdicts
from triage.verify.backends import Machine, Unavailable
from triage.verify.campaign import Campaign

FRAGMENTED = (
    "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 6.00 GiB (GPU 0; 31.74 GiB total capacity; 21.11 GiB already "
    "allocated; 4.61 GiB free; 26.75 GiB reserved in total by PyTorch)\n"
)
FOUNDING = Path(__file__).parents[1] / "data" / "founding"


def explained(*arguments: str, text: str = FRAGMENTED) -> dict[str, Any]:
    result = triage("explain", "--format", "json", *arguments, stdin=text.encode())
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)  # type: ignore[no-any-return]


def test_all_that_can_be_tried_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    def found(self: Campaign, jobs: Iterable[Any]) -> Iterator[dict[str, Any]]:
        for job in jobs:
            for fix in job.fixes:
                yield {"id": job.id, "fix": fix, "verdict": "confirmed", "backend": "model", "reason": "because", "key": ""}

    monkeypatch.setattr(Machine, "ask", classmethod(lambda *_: Machine("python")))
    monkeypatch.setattr(Campaign, "verdicts", found)
    facts = verdicts.tried(explained())
    assert ("memory.gpu-oom.fragmentation", "allocator-config") in {(fact.slots["diagnosis"], fact.slots["fix"]) for fact in facts}


def test_where_nothing_answers_the_reason_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(*_: object) -> None:
        raise Unavailable("a working interpreter")

    monkeypatch.setattr(Machine, "ask", ask)
    with pytest.raises(verdicts.UnavailableError, match="cannot verify without a working interpreter"):
        verdicts.tried(explained())


def test_nothing_is_started_for_a_healthy_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Machine, "ask", None)
    assert verdicts.tried(explained(text=HEALTHY)) == []


def test_tried_for_real_and_shown_in_every_format() -> None:
    """The allocator's model alone takes part: nothing here needs torch."""
    for kind in ("text", "json", "markdown", "html"):
        result = triage("explain", "--verify", "--format", kind, stdin=FRAGMENTED.encode())
        assert result.returncode == 0, result.stderr
        said = result.stdout.decode()
        assert '"verdict": {' in said if kind == "json" else "Tried (model)" in said


def test_where_nothing_can_be_tried_that_is_told() -> None:
    result = triage("explain", "--verify", stdin=b"NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, GPU has fallen off the bus.\n")
    assert result.returncode == 0
    assert "none of these fixes has a reproduction" in one_line(result.stderr)
    assert triage("explain", "--verify", stdin=HEALTHY.encode()).stderr == b""


def test_the_neuron_threshold_is_withdrawn_where_it_was_refuted(tmp_path: Path) -> None:
    """The first advice of a founding case is what its reporter found to help; tried, it does not, and the next one leads."""
    log = (FOUNDING / "kn-oom.txt").read_text(encoding="utf-8")
    first = explained(text=log)["diagnoses"][0]
    assert first["fixes"][0]["id"] == "algorithm-parameter"
    entry = {"id": first["id"], "fix": "algorithm-parameter", "verdict": "refuted", "backend": "fake", "reason": "the same failure occurs",
             "environment": {"versions": {"torch": "2.6.0"}}}  # fmt: skip
    kept = tmp_path / "verdicts.json"
    kept.write_text(json.dumps([entry]))
    lead = explained("--verdicts", str(kept), "--why", text=log)["diagnoses"][0]
    assert lead["fixes"][0]["id"] == first["fixes"][1]["id"]
    assert "algorithm-parameter was tried (fake, torch 2.6.0) and is not advised: the same failure occurs." in lead["why"]
    assert lead["proof"][-1]["rule"] == "common/verdicts#refuted"
    assert "algorithm-parameter" in {item["id"] for item in lead["will_not_help"]}


@pytest.mark.parametrize("text", ["{}", "[1]", "no json", '[{"id": "a", "fix": "b", "verdict": "perhaps"}]'])
def test_a_file_without_verdicts_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "thesis.json"
    path.write_text(text)
    result = triage("explain", "--verdicts", str(path), stdin=FRAGMENTED.encode())
    assert result.returncode == 2
    assert "no list of verdicts" in one_line(result.stderr)
    assert "No such file" in one_line(triage("explain", "--verdicts", "/nowhere.json", stdin=b"").stderr)


def test_this_machine_is_added() -> None:
    """What the log says of a version stands; what it does not say is taken from here."""
    before = explained(text="torch==1.13.1\n" + FRAGMENTED)["environment"]["versions"]
    after = explained("--live", text="torch==1.13.1\n" + FRAGMENTED)["environment"]["versions"]
    assert before["torch"] == after["torch"] == "1.13.1"
    assert "python" not in before
    assert "python" in after
