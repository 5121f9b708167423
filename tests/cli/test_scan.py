"""`triage scan` as a process."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from cli_support import HEALTHY, OOM, environment, one_line, triage


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    for name, text in {"a.log": OOM + HEALTHY + OOM, "b.log": HEALTHY, "c.log": OOM}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_a_line_a_failure_and_a_summary(logs: Path) -> None:
    result = triage("scan", logs)
    assert (result.returncode, result.stderr) == (0, b"")
    first, second, blank, totals, *_ = result.stdout.decode().splitlines()
    assert first.startswith(f"{logs / 'a.log'}:4: memory.gpu-oom.")
    assert "2 times, the last in line 10" in first
    assert second.startswith(f"{logs / 'c.log'}:4: memory.gpu-oom.")
    assert blank == ""
    assert totals.startswith("3 logs read, 16 lines,")
    assert totals.endswith("2 with failures.")


def test_in_chinese(logs: Path) -> None:
    assert "读了 3 份日志" in triage("scan", logs, "--lang", "zh").stdout.decode()


def test_objects_a_line(logs: Path) -> None:
    result = triage("scan", logs, "--format", "jsonl", "--jobs", "2")
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(Path(finding["path"]).name, finding["family"], finding["count"]) for finding in found] == [
        ("a.log", "memory.gpu-oom", 2),
        ("c.log", "memory.gpu-oom", 1),
    ]
    assert triage("scan", logs, "--format", "jsonl", "--jobs", "1").stdout == result.stdout


def test_exit_status(logs: Path) -> None:
    assert triage("scan", logs, "--exit-code").returncode == 1
    assert triage("scan", logs / "b.log", "--exit-code").returncode == 0
    missing = triage("scan", logs / "no.log", logs / "a.log", "--exit-code")
    assert missing.returncode == 2
    assert one_line(missing.stderr).endswith("no.log: No such file or directory")
    assert b"memory.gpu-oom" in missing.stdout
    assert triage("scan").returncode == 2


def test_standard_input_among_files(logs: Path) -> None:
    result = triage("scan", "-", logs / "b.log", "--jobs", "2", stdin=(OOM * 3).encode())
    assert result.stdout.decode().startswith("-:4: memory.gpu-oom.")
    assert "3 times" in result.stdout.decode()


def test_nothing_of_a_name_or_log_reaches_the_terminal_raw(tmp_path: Path) -> None:
    (tmp_path / "a\x1b[31m.log").write_text(OOM.replace("ana", "\x1b]0;x\x07ana"), encoding="utf-8")
    for kind in ("text", "jsonl"):
        result = triage("scan", tmp_path, "--format", kind)
        assert b"memory.gpu-oom" in result.stdout
        assert b"\x1b" not in result.stdout


def test_who_reads_no_further_ends_the_scan(logs: Path) -> None:
    command = [sys.executable, "-m", "triage", "scan", *[str(logs)], "--format", "jsonl"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.wait(60) == 0
        assert process.stderr is not None
        assert process.stderr.read() == b""


def test_rules_that_are_wrong_are_told_once(logs: Path, tmp_path: Path) -> None:
    pack = tmp_path / "pack"
    pack.mkdir()
    (pack / "bad.yaml").write_text("failure: [\n", encoding="utf-8")
    result = triage("scan", logs, "--rules", pack, "--jobs", "2")
    assert result.returncode == 2
    assert "bad.yaml" in one_line(result.stderr)
