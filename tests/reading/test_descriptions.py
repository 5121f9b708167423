"""Descriptions of changes whose title was left out, and reports that look like them."""

from __future__ import annotations

import pytest

from triage.reading import read
from triage.reading.log import QUOTED

FAILS = '"CUDA error: an illegal memory access was encountered"'
WRAPPED = (
    "The scheduler joins two batches of different kinds, and the kernel that reads their\n"
    f"lengths writes beyond them, which throws {FAILS} and\n"
    "ends the engine whenever a request comes while another one is still being decoded.\n"
)

DESCRIPTIONS = {
    "how it opens": f"This adds a hidden flag that simulates {FAILS}\nso that tests can cover it.\n",
    "how it opens, without a subject": f"Updates the tests to use the default resource. Others end with {FAILS}.\n",
    "a promise": f"Addresses jobs that end with {FAILS}.\n\nBy submitting this pull request, I confirm that it is mine.\n",
    "headings": f"## Summary\n\nA request that ends with {FAILS} is repeated on the CPU.\n\n## Changes\n\n- one retry\n",
    "records": f"Kernels whose offsets overflow throw {FAILS}.\n\nPull Request resolved: https://github.com/a/b/pull/1\n",
    "orders and numbers": f"{WRAPPED}\nDefer the second batch until the first is done, as the other scheduler\ndoes since #12.\n",
    "tests and what is so now": f"{WRAPPED}\nTests: three cases of one and of two batches. The engine now waits\nfor them.\n",
    "commits that were joined": (
        f"* engine: wait for the first batch\n\n{WRAPPED}\n* tests: two batches at once\n\nThe old test no longer held.\n"
    ),
    "commits that were joined, one a line": f"* Add an option for it\n\n* Use the other kernel due to {FAILS}\n\n* Remove the old one\n",
}
TITLED = "# Identify the GPU when a kernel fails, and say what can help\n\n"
DESCRIPTIONS["why"] = f"{TITLED}## Why\n\nThe runtime says the same thing in two situations:\n\n{FAILS}\n"
DESCRIPTIONS["what it closes, behind a sentence"] = f"# Let the list be empty\n\nNobody reads {FAILS} then. Closes #12.\n"
DESCRIPTIONS["what it belongs to"] = f"# Detect a loader that was killed\n\n### Relates to #12\n\nThe job then ends with {FAILS}.\n"
DESCRIPTIONS["what it mends, by a link"] = f"# fix to issue #3\n\nFix to [issue #3](https://example.org/3), which ended with {FAILS}.\n"
DESCRIPTIONS["the questions of a form"] = f"# Remove a test\n\n### What changes are included in this PR?\n\nIt used to end with {FAILS}.\n"
DESCRIPTIONS["what came without it"] = f"# Fix the device of the mask\n\nWithout this, a run will end with\n{FAILS}\n"
REPORTS = {
    "what it belongs to": f"# The loader is killed\n\nRelated to #12\n\nMy job then ends with {FAILS}.\n",
    "somebody's own": f"This changes nothing for me, {FAILS} is still what I get.\n",
    "steps": f"## Summary\n\nServing ends with {FAILS}.\n\n## Changes\n\nnone\n\n## Steps to reproduce\n\n1. run it\n",
    "an analysis": f"## Summary\n\nServing ends with {FAILS}.\n\n## Root cause\n\nnot known\n",
    "wrapped by hand": f"Running the second stage on the new cluster ends since #12 in an error, where it\npreviously worked:\n\n{WRAPPED}",
    "items that stand alone": f"* two cards\n\n* one job, which ends with {FAILS}\n",
    "a question": f"{WRAPPED}\nAdd a check for it? Tests: none so far, and it is so since #12. What can be\ndone?\n",
}


@pytest.mark.parametrize("name", DESCRIPTIONS)
def test_descriptions(name: str) -> None:
    assert [line.role for line in read(DESCRIPTIONS[name]).lines if FAILS in line.text] == ["document"]


@pytest.mark.parametrize("name", REPORTS)
def test_reports(name: str) -> None:
    assert not [line for line in read(REPORTS[name]).lines if FAILS in line.text and line.role in QUOTED]


def test_what_a_program_printed_in_one_keeps_its_role() -> None:
    printed = "[rank1]: RuntimeError: CUDA error: an illegal memory access was encountered"
    lines = read(f"## Summary\n\nIt ends.\n```\n{printed}\n```\n\n## Changes\n\n- one check\n").lines
    assert next(line for line in lines if "illegal" in line.text).role == "output"
