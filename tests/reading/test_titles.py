"""Titles about what a program tells of failures, and what they leave alone."""

from __future__ import annotations

import pytest

from triage.reading import read
from triage.reading.log import QUOTED

ABOUT_WORDS = [
    "Fix a cuda error message when a kernel runs out of memory",
    "CUDA out-of-memory message is hard to understand",
    "More detailed error message when cudaMalloc runs out of memory",
    "Refine the error message of CUDA out of memory",
    "[BUG] Wrong description of the illegal memory access code",
    "Tell the rank when a collective timed out",
    "Add a section on NVML: Driver/library version mismatch",
    "README: add FAQ entry for CUDA error: invalid device ordinal",
    "get_context returns CUDA_ERROR_INVALID_DEVICE instead of CUDA_ERROR_INVALID_VALUE",
]
SHOWN = "CUDA error: out of memory"


@pytest.mark.parametrize("title", ABOUT_WORDS)
def test_a_title_about_what_is_told_of_failures_reports_none(title: str) -> None:
    assert read(f"{title}\n\nUsers do not know what to do then.\n").lines[0].role in QUOTED
    assert read(f"# {title}\n").lines[0].role in QUOTED


@pytest.mark.parametrize(
    "below",
    [
        f"I get this on two cards:\n\n{SHOWN}\n",
        f"This is shown on the second card:\n\n{SHOWN}\n",
        f"```\n{SHOWN}\n```\n",
    ],
)
def test_what_is_shown_below_it_may_have_been_met(below: str) -> None:
    lines = read(f"Misleading error message\n\n{below}").lines
    assert next(line for line in lines if line.text == SHOWN).role not in QUOTED


def test_titles_that_ask_or_are_a_message() -> None:
    assert read("Wrong error message, or why is the GPU out of memory?\n\nAny idea?\n").lines[0].role not in QUOTED
    assert read("RuntimeError: wrong description: CUDA out of memory\n").lines[0].role not in QUOTED


def test_a_title_with_a_tag_in_capitals_above_what_is_wrapped_by_hand() -> None:
    text = (
        "FEAT Add a fallback where graphics are off\n\nThis matters when the devices have no display but the library is\n"
        "there. On such systems CUDA throws\n`CUDA Error (63): OS call failed`.\n"
    )
    assert {line.role for line in read(text).lines if line.text} == {"document"}


def test_the_level_of_a_log_in_capitals_is_no_verb() -> None:
    line = "node-3:77:77 [0] NCCL INFO Bootstrap : Using eth0:10.1.2.3<0>"
    assert read(f"# NCCL WARN NET/OFI Request completed with error\n\n{line}\n{line}\n").lines[0].role not in QUOTED


def test_the_form_of_a_request() -> None:
    form = "# What is the goal of this request?\n\nName the queue where a transfer ends with CUDA out of memory.\n"
    assert read(form).lines[2].role in QUOTED
    assert read("Feature requests: better words for CUDA out of memory\n\nThey are hard to read.\n").lines[0].role in QUOTED


def test_a_report_is_one_by_its_tag() -> None:
    shown = "\n\nRuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB\n"
    assert read("Fix crash of training on two cards" + shown).lines[0].role == "document"
    assert read("[BUG] Fix crash of training on two cards" + shown).lines[0].role != "document"


def test_the_form_of_a_change() -> None:
    form = "# add a cudnn error where the versions differ\n\n### PR types\n\nOthers\n\n### Describe\n\nTell of the cudnn error early.\n"
    assert {line.role for line in read(form).lines if line.text} == {"document"}
    shown = "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB"
    assert next(line for line in read(f"{form}\n```\n{shown}\n```\n").lines if line.text == shown).role not in QUOTED
