"""`triage kb`, `triage why-not`, and `triage rules` with a place that holds none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_support import HEALTHY, OOM, triage


def test_search_finds_cases_by_words_of_either_language() -> None:
    for words in (["memit", "memory"], ["显存不足", "memit"]):
        result = triage("kb", "search", *words)
        assert result.returncode == 0
        assert "easyedit-memit-oom" in result.stdout.decode()
    found = json.loads(triage("kb", "search", "memit", "--format", "json", "--limit", "2").stdout)
    assert len(found) == 2
    assert found[0]["score"] >= found[1]["score"]
    assert "memit" in found[0]["id"]


def test_search_for_what_no_case_speaks_of() -> None:
    result = triage("kb", "search", "zzzzqqqq")
    assert result.returncode == 0
    assert result.stdout.decode() == "No case speaks of that.\n"
    assert triage("kb", "search", "zzzzqqqq", "--lang", "zh").stdout.decode() == "没有相关的案例。\n"
    assert json.loads(triage("kb", "search", "zzzzqqqq", "--format", "json").stdout) == []


@pytest.mark.parametrize(("lang", "heading"), [("en", "What helped"), ("zh", "解决办法")])
def test_show_tells_all_of_a_case(lang: str, heading: str) -> None:
    text = triage("kb", "show", "easyedit-memit-oom", "--lang", lang).stdout.decode()
    case = json.loads(triage("kb", "show", "easyedit-memit-oom", "--format", "json").stdout)
    assert heading in text
    for said in (case["title"][lang], case["fix"][lang], case["source"][0]["url"], case["checked"][0]["claim"]):
        assert said.replace(" ", "") in text.replace("\n", "").replace(" ", "")


def rule_that_fired() -> str:
    report = json.loads(triage("explain", "--format", "json", stdin=OOM.encode()).stdout)
    return str(report["diagnoses"][0]["id"])


def test_why_not_names_the_obstacle() -> None:
    rule = rule_that_fired()
    silent = triage("why-not", rule, stdin=HEALTHY.encode())
    assert silent.returncode == 0
    assert silent.stdout.decode().startswith(f"Why {rule} did not fire")
    failures = json.loads(triage("why-not", rule, "-", "--format", "json", stdin=HEALTHY.encode()).stdout)
    assert failures
    assert all({"kind", "condition"} <= set(failure) for failure in failures)
    assert failures[0]["condition"].split()[0] in silent.stdout.decode()
    assert rule in triage("why-not", rule, "--lang", "zh", stdin=HEALTHY.encode()).stdout.decode()


def test_why_not_of_a_diagnosis_that_gave_way() -> None:
    said = triage("why-not", "memory.gpu-oom.full", "--lang", "en", stdin=OOM.encode()).stdout.decode()
    assert said.startswith("Why memory.gpu-oom.full is not among the diagnoses: it fired, but")
    assert f"by = {rule_that_fired()}" in said
    [failure] = json.loads(triage("why-not", "memory.gpu-oom.full", "--format", "json", stdin=OOM.encode()).stdout)
    assert failure["kind"] == "blocked-by-negation"
    assert failure["facts"][0]["template"] == "overshadowed"
    assert failure["because"]["en"] in " ".join(said.split())


def test_why_not_of_a_failure_whose_messages_are_not_there() -> None:
    [failure] = json.loads(triage("why-not", "kernel.illegal-access.rocm", "--format", "json", stdin=OOM.encode()).stdout)
    assert (failure["kind"], failure["condition"].startswith("signal(failure='kernel.illegal-access'")) == ("absent", True)


def test_why_not_of_a_rule_that_fired() -> None:
    rule = rule_that_fired()
    result = triage("why-not", rule, stdin=OOM.encode())
    assert result.stdout.decode() == f"The rule {rule} did fire on this text.\n"
    assert json.loads(triage("why-not", rule, "--format", "json", stdin=OOM.encode()).stdout) == []


@pytest.mark.parametrize("name", ["test", "lint", "list"])
def test_a_directory_without_rules_is_told(tmp_path: Path, name: str) -> None:
    (tmp_path / "notes.txt").write_text("rules will be here", encoding="utf-8")
    result = triage("rules", name, str(tmp_path))
    assert (result.returncode, result.stdout) == (2, b"")
    assert "error R009: holds no rules" in result.stderr.decode()
