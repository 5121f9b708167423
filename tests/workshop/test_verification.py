"""The tables of docs/verification.md: rows from verdicts as they are."""

from __future__ import annotations

import sys

from triage.verify.backends import Machine
from triage.verify.campaign import Campaign, jobs_of_name
from triage.workshop.verification import counted, known_best, rendered, row, table


def test_tables_say_what_was_run() -> None:
    machine = Machine(sys.executable, {"versions": {"torch": "2.6.0"}, "tools": [], "gpus": []})
    tried = list(Campaign(machine).verdicts(jobs_of_name("memory.gpu-oom.other-process")))
    missing = list(Campaign(machine, backend="cuda").verdicts(jobs_of_name("shape.mismatch.matmul", ["fix-shape"])))
    assert counted([*tried, *missing]) == "2 confirmed on model, 1 not-possible, 1 refuted on model"
    cells = [cell.strip() for cell in row(tried[-1], "memory.gpu-oom.other-process").split("|")]
    assert cells[1:5] == ["`memory.gpu-oom.other-process`", "`allocator-config`", "model", "refuted, as warned"]
    assert cells[5].replace(".", "", 1).isdigit()  # seconds, which a fast machine rounds to 0.0
    text = rendered("2025-01-31", [*tried, *missing], {"case-of-old": tried[:1]})
    assert "1 reproductions of 1 families failed as reported and had a fix tried" in text
    assert "| `case-of-old` | `free-other-process` | model | confirmed |" in text
    assert "a GPU that torch can use" in text


def test_what_one_environment_lacks_another_may_show() -> None:
    def verdict(fix: str, word: str, reproduction: str = "b") -> dict[str, str]:
        return {"reproduction": reproduction, "fix": fix, "verdict": word}

    found = [verdict("x", "not-possible"), verdict("y", "not-possible"), verdict("x", "confirmed"), verdict("z", "refuted", "a")]
    assert known_best([*found, verdict("x", "not-reproduced")]) == [found[3], found[2], found[1]]


def test_no_reason_breaks_a_table() -> None:
    verdict = {
        "verdict": "not-possible",
        "advised": True,
        "fix": "x",
        "backend": "",
        "reason": "a|b <i> `c` " * 40,
        "arms": {"reported": None, "fixed": None},
    }
    (line,) = table([("n", verdict)]).splitlines()[2:]
    assert line.count(" | ") == 6
    assert "<i>" not in line
