"""`triage verify` from the outside."""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.verify.test_allocator_trace import snapshot
from triage.cli.errors import CommandError
from triage.cli.verify import verify
from triage.verify import campaign
from triage.verify.backends import Machine
from triage.verify.verdict import PHRASES


@pytest.fixture(autouse=True)
def quick_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """An interpreter that is not asked: only the model backend is used here."""
    machine = Machine(sys.executable, {"versions": {"torch": "2.6.0"}, "tools": [], "gpus": []})
    monkeypatch.setattr("triage.verify.session.Machine.ask", lambda *_: machine)


def call(*arguments: str, standard_input: str | None = None) -> Any:
    return CliRunner().invoke(verify, list(arguments), input=standard_input)


def test_the_list_is_the_contract() -> None:
    entries = json.loads(call("--list", "--format", "json").stdout)
    assert all({"id", "family", "backends"} <= entry.keys() for entry in entries)
    text = call("--list").stdout
    assert all(entry["id"] in text for entry in entries)


def test_verdicts_as_json(tmp_path: Path) -> None:
    result = call("memory.gpu-oom.other-process", "--format", "json", "--export", str(tmp_path / "programs"))
    verdicts = json.loads(result.stdout)
    assert all({"id", "family", "verdict", "backend", "environment"} <= verdict.keys() for verdict in verdicts)
    assert {verdict["verdict"] for verdict in verdicts} <= PHRASES.keys()
    (program,) = (tmp_path / "programs").iterdir()
    assert program.name == "memory.gpu-oom.other-process.model.py"
    assert result.exit_code == 0, "what was refuted was called useless before"


def test_verdicts_as_text() -> None:
    result = call("memory.gpu-oom.other-process", "--fix", "free-other-process")
    assert "✓ confirmed" in result.stdout
    assert "the other process is a number of bytes" in result.stdout
    assert result.stdout.endswith("1 confirmed\n")


def test_a_report_from_standard_input() -> None:
    report = {"diagnoses": [{"id": "memory.gpu-oom.other-process", "family": "memory.gpu-oom", "cause": "other-process",
                             "fixes": [{"id": "free-other-process"}]}]}  # fmt: skip
    assert "1 confirmed" in call("-", standard_input=json.dumps(report)).stdout
    assert "nothing to verify" in call("-", standard_input='{"diagnoses": []}').stdout


def test_a_snapshot(tmp_path: Path) -> None:
    path = tmp_path / "memory.pickle"
    path.write_bytes(pickle.dumps(snapshot()))
    result = call(str(path), "--capacity", "110MiB", "--setting", "expandable_segments:True")
    assert "expandable_segments:True" in result.stdout
    assert "already live" in result.stderr
    replays = json.loads(call(str(path), "--capacity", "110MiB", "--format", "json").stdout)
    assert replays[0]["setting"] == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "use --list"),
        (("no.such.failure",), "no reproduction is called"),
        (("memory.gpu-oom.fragmentation", "--fix", "reboot-or-reset"), "has no fix"),
        (("/nowhere/report.json",), "No such file"),
        (("/nowhere/memory.pickle",), "No such file"),
        (("memory.gpu-oom.fragmentation", "--with", "torch"), "NAME==VERSION"),
    ],
)
def test_wrong_usage_is_told_in_one_line(arguments: tuple[str, ...], words: str) -> None:
    result = call(*arguments)
    assert isinstance(result.exception, CommandError)
    assert words in str(result.exception)
    assert "\n" not in str(result.exception)


def test_a_broken_snapshot_and_setting(tmp_path: Path) -> None:
    path = tmp_path / "memory.pickle"
    path.write_bytes(b"no pickle")
    assert "neither a JSON trace nor a snapshot" in str(call(str(path)).exception)
    path.write_bytes(pickle.dumps(snapshot()))
    assert "max_split_size_mb too small" in str(call(str(path), "--capacity", "1GiB", "--setting", "max_split_size_mb:1").exception)
    assert "is no size" in str(call(str(path), "--capacity", "many").exception)


def test_an_interruption_says_what_is_known_and_how_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = campaign.runner.run, []

    def interrupted(*arguments: Any, **rest: Any) -> Any:
        calls.append(arguments)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return real(*arguments, **rest)

    monkeypatch.setattr(campaign.runner, "run", interrupted)
    kept = str(tmp_path / "verdicts.json")
    result = call("memory.gpu-oom.other-process", "--resume", kept)
    assert result.exit_code == 1
    assert f"interrupted with 1 of 3 verdicts, all processes ended; --resume {kept} goes on from there" in result.stderr
    assert result.stdout.endswith("1 confirmed\n")
    assert call("memory.gpu-oom.other-process", "--resume", kept).exit_code == 0


def test_verdicts_can_be_resumed(tmp_path: Path) -> None:
    kept = str(tmp_path / "verdicts.json")
    first = call("memory.gpu-oom.other-process", "--resume", kept).stdout
    assert call("memory.gpu-oom.other-process", "--resume", kept).stdout == first
    assert len(json.loads(Path(kept).read_text())) == 3


def test_what_cannot_be_resumed_costs_one_line(tmp_path: Path) -> None:
    kept = tmp_path / "verdicts.json"
    for text in ("[" * 200_000, "{", "[1]", '[{"id": "x"}]'):
        kept.write_text(text)
        result = call("memory.gpu-oom.other-process", "--resume", str(kept))
        assert isinstance(result.exception, CommandError)
        assert "a list of verdicts" in str(result.exception)
