"""Accounts, journals, catalogues and tables that name failures and report none."""

from __future__ import annotations

from triage.reading import read
from triage.reading.log import QUOTED

ERROR = "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB"


def roles(text: str) -> set[str]:
    return {line.role for line in read(text).lines if ERROR in line.text}


def test_an_entry_of_a_journal_with_what_was_done() -> None:
    entry = f"## [2026-09-04] recovery | memory\n\n* **Diagnosis**:\n  * *Root Cause*: the log has `{ERROR}`.\n  * *{{}}*: chunks.\n"
    assert roles(entry.format("Engineered Resolution")) <= set(QUOTED)
    assert roles(entry.format("Next idea")) == {"output"}


def test_a_numbered_fix() -> None:
    text = f"## Fix 4 — Memory of the server\n\n**Error:** `{ERROR}`\nafter some requests.\n\n**Root cause (most likely):** the cache.\n"
    assert roles(text) <= set(QUOTED)


def test_a_catalogue_of_kinds() -> None:
    text = f"**CUDA_OOM** (node.log):\n```\n{ERROR}\n```\n\n**NCCL_FAILURE** (node.log):\n\n**GPU_LOST** (node.log):\n"
    assert roles("Logs\n" + text) <= set(QUOTED)


def test_tables_of_tests_and_tables_that_are_a_log() -> None:
    tested = f"| F1 | synthetic `{ERROR}` | **PASS** — classified |\n| F2 | synthetic `{ERROR}` | **PASS** — classified |\n"
    assert roles(tested) <= set(QUOTED)
    log = f"| time | line |\n| --- | --- |\n| 10:01:02 | loading |\n| 10:01:09 | {ERROR} |\n| 10:01:10 | exit |\n"
    assert roles(log) == {"output"}


def test_the_symptom_of_a_known_limit() -> None:
    limit = f"### Size\n\nThis is a known upstream constraint.\n\n- **Symptom:** a step ends with `{ERROR}`.\n- **Cause:** 32 bits.\n"
    assert [line.role for line in read(limit).lines if ERROR in line.text] == ["document"]
    own = limit.replace("This is", "I do not think that this is")
    assert [line.role for line in read(own).lines if ERROR in line.text] != ["document"]


def test_solutions_in_other_languages() -> None:
    guide = f"### Error: OOM\n\n**Síntoma:**\n```\n{ERROR}\n```\n\n**Soluciones:**\n\n1. otro modelo\n"
    assert [line.role for line in read(guide).lines if line.text == ERROR] == ["document"]
