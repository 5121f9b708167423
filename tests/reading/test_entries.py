"""Entries of a lexicon of errors, and reports that show the same message."""

from __future__ import annotations

import pytest

from triage.reading import read

SHOWN = "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB"
ENTRIES = {
    "labels": f"What this error means\nThe card is full.\n\n{SHOWN}\n\nWhy it happens\nThe batch is too large.\n",
    "headings": f"{SHOWN}\n\n## Quick fix\n\nHalve the batch.\n\n## Causes & fixes\n\n1. a large batch\n",
    "rated remedies": f"{SHOWN}\n-\nHalve the batch\n(92% success)\n-\nCompute in 16 bits\n(88% success)\n",
    "Chinese": f"{SHOWN}\n\n错误含义\n显存已满。\n\n常见原因\n批次过大。\n",
}
REPORTS = {
    "one label": f"{SHOWN}\n\nQuick fix\n\nnone that helps\n",
    "somebody's own": f"What this error means\n\n{SHOWN}\n\nWhy it happens\n\nI do not know, I only lowered the batch.\n",
    "a log": f"[rank0]: {SHOWN}\n[rank0]: quick fix\n[rank0]: possible causes\n",
}


@pytest.mark.parametrize("name", ENTRIES)
def test_an_entry_is_a_document(name: str) -> None:
    assert {line.role for line in read(ENTRIES[name]).lines if SHOWN in line.text} == {"document"}


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_is_none(name: str) -> None:
    assert all(line.role != "document" for line in read(REPORTS[name]).lines if SHOWN in line.text)
