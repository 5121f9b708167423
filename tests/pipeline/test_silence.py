"""Why a diagnosis is not in a report: absent, of another value, blocked, or given by nothing at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pack_support import LOG, OOM, RULE, write_pack

from triage.pipeline import Triage
from triage.render.silence import render

LARGE = "acme:memory.gpu-oom.toy-large"


def why_not(tmp_path: Path, condition: str, log: str) -> list[dict[str, Any]]:
    rule = RULE.replace("    when:\n", f"    when:\n      - {condition}\n")
    return Triage([str(write_pack(tmp_path / "pack", rule))]).explain(log).why_not(LARGE)


@pytest.mark.parametrize(
    ("condition", "log", "kind"),
    [
        ("setting: {name: TOY_ARENAS}", LOG, "absent"),
        ("setting: {name: TOY_ARENAS}", f"export TOY_ARENA=3\n{LOG}", "other-value"),
        ("not: {setting: {name: TOY_ARENAS}}", f"export TOY_ARENAS=3\n{LOG}", "blocked-by-negation"),
        ("test: requested_bytes > 8 GiB", LOG, "test-false"),
        ("test: capacity_bytes > 8 GiB", LOG, "test-unknown"),
        ("remark: {topic: container}", LOG, "absent"),
        ("remark: {topic: the-toy-is-blue}", LOG, "never"),
        ("remark: {topic: the-toy-is-blue}", f"inside a docker container:\n{LOG}", "never"),
        ("version-bound: {package: torch}", LOG, "absent"),
        ("'table:xid': {xid: 79}", LOG, "absent"),
        ("setting: {name: A}", OOM, "absent"),
    ],
)
def test_what_is_in_the_way_is_told_apart(tmp_path: Path, condition: str, log: str, kind: str) -> None:
    assert why_not(tmp_path, condition, log)[0]["kind"] == kind


def test_what_would_be_if_more_or_less_were_known(tmp_path: Path) -> None:
    rule = RULE.replace("    when:\n", "    when:\n      - setting: {name: TOY_ARENAS}\n      - not: {setting: {name: TOY_OFF}}\n")
    report = Triage([str(write_pack(tmp_path / "pack", rule))]).explain(f"export TOY_OFF=1\n{LOG}")
    before = report.to_dict()
    both = {"assume": ["setting name=TOY_ARENAS value=3"], "without": ["setting name=TOY_OFF"]}
    assert report.why_not(LARGE, **both) == []
    assert [failure["kind"] for failure in report.why_not(LARGE, assume=both["assume"])] == ["blocked-by-negation"]
    assert [failure["kind"] for failure in report.why_not(LARGE, without=both["without"])] == ["absent"]
    assert len(report.why_not(LARGE)) == 2
    assert report.to_dict() == before


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("settin name=A", "did you mean setting?"),
        ("setting nam=A", "did you mean name?"),
        ("setting name", "name is no slot with its value"),
        ("signal requested_bytes=much", "much is no bytes"),
        ("", "there is no template"),
    ],
)
def test_what_is_no_fact_is_told(text: str, says: str) -> None:
    with pytest.raises(ValueError, match="no ") as error:
        Triage([]).explain(LOG).why_not("memory.gpu-oom.full", assume=[text])
    assert says in str(error.value)


def test_messages_of_other_failures_are_not_shown_as_near(tmp_path: Path) -> None:
    first = why_not(tmp_path, "setting: {name: A}", OOM)[0]
    assert first["condition"] == "signal(failure='acme:memory.gpu-oom/toy')"
    assert "facts" not in first
    assert first["wanted"] == {"failure": ["acme:memory.gpu-oom/toy"]}


def test_a_diagnosis_on_a_harmless_line_tells_so() -> None:
    got_over = (
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.50 GiB. GPU 0 has a total capacity of 23.69 GiB of which 1.20 GiB "
        "is free.\nretrying with batch size 32\nepoch 1 step 100 loss 2.113\nepoch 1 step 200 loss 1.876\n"
    )
    report = Triage([]).explain(got_over)
    assert report.diagnoses == []
    failure = report.why_not("memory.gpu-oom.full")[0]
    assert (failure["kind"], failure["condition"]) == ("blocked-by-negation", "not harmless(line=1)")


def test_the_text_names_only_the_values_that_a_condition_speaks_of() -> None:
    failures = [
        {"kind": "test-false", "condition": "asked > free", "bindings": {"asked": 3, "free": 4, "line": 7}},
        {"kind": "absent", "condition": "setting(name='A')", "bindings": {"asked": 3, "free": 4, "line": 7}},
    ]
    shown = render("x.y", failures, lang="en")
    assert "with asked = 3, free = 4\n" in shown
    assert "line" not in shown
    assert "line = 7" in render("x.y", failures[1:], lang="en")
