"""`triage hook`, by itself and under pre-commit."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from cli_support import HEALTHY, OOM, ROOT, environment, one_line, triage

from triage.scan.sources import looks_like_source

CODE = """def check(message):
    if 'CUDA out of memory' in message:  # torch.cuda.OutOfMemoryError: CUDA out of memory.
        raise SystemExit
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "bad.log").write_text(HEALTHY + OOM, encoding="utf-8")
    (tmp_path / "logs" / "good.log").write_text(HEALTHY, encoding="utf-8")
    (tmp_path / "check.py").write_text(CODE, encoding="utf-8")
    (tmp_path / "notes.txt").write_text("Remember to buy milk.\n", encoding="utf-8")
    return tmp_path


def test_a_failure_is_one_line_and_status_1(repository: Path) -> None:
    result = triage("hook", "logs/bad.log", "logs/good.log", "check.py", "notes.txt", cwd=repository)
    assert result.returncode == 1
    assert result.stderr == b""
    lines = result.stdout.decode().splitlines()
    assert lines
    assert all(line.startswith("logs/bad.log:6: memory.gpu-oom") for line in lines)
    assert all(len(line.split(": ", 2)) == 3 for line in lines)


def test_what_is_no_failure_passes_silently(repository: Path) -> None:
    (repository / "empty.log").touch()
    (repository / "binary.out").write_bytes(bytes(range(256)) * 50)
    (repository / "code.txt").write_text(CODE, encoding="utf-8")
    result = triage("hook", "logs/good.log", "check.py", "notes.txt", "empty.log", "binary.out", "code.txt", cwd=repository)
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")
    assert triage("hook").returncode == 0


def test_source_code_is_told_from_logs_by_its_lines() -> None:
    sources = [path.read_bytes() for path in sorted((ROOT / "triage").rglob("*.py"))]
    assert sum(map(looks_like_source, sources)) > 0.7 * len(sources)
    logs = [OOM, HEALTHY, HEALTHY + OOM, OOM.split("\n")[-2], "return code 1\n" + OOM, "# comment\n" * 50 + OOM, "[rank0]: if this\n" * 20]
    assert not any(looks_like_source(log.encode()) for log in logs)


def test_unreadable_files_are_status_2_and_do_not_hide_findings(repository: Path) -> None:
    result = triage("hook", "missing.log", "logs/bad.log", cwd=repository)
    assert result.returncode == 2
    assert one_line(result.stderr) == "triage hook: missing.log: No such file or directory"
    assert b"logs/bad.log:6:" in result.stdout


def test_hostile_names_and_titles_stay_on_one_line(repository: Path) -> None:
    evil = "evil\n\x1b[31m.log"
    (repository / evil).write_text(OOM, encoding="utf-8")
    result = triage("hook", evil, cwd=repository)
    assert result.returncode == 1
    assert all(line.startswith(r"evil\n\x1b[31m.log:4: ") for line in result.stdout.decode().splitlines())


@pytest.mark.parametrize("name", ["allowed.json", "allowed.yaml", ".config/allowed.yml"])
def test_a_baseline_allows_what_is_known(repository: Path, name: str) -> None:
    (repository / ".config").mkdir()
    updated = triage("hook", "--baseline", name, "--update-baseline", "logs/bad.log", "logs/good.log", cwd=repository)
    assert (updated.returncode, updated.stdout, updated.stderr) == (0, b"", b"")
    entries = yaml.safe_load((repository / name).read_text(encoding="utf-8"))
    assert entries[0]["file"] == ("../logs/bad.log" if name.startswith(".config") else "logs/bad.log")
    assert triage("hook", "--baseline", name, "logs/bad.log", cwd=repository).returncode == 0
    elsewhere = triage("hook", "--baseline", repository / name, "bad.log", cwd=repository / "logs")
    assert elsewhere.returncode == 0
    shutil.copy(repository / "logs" / "bad.log", repository / "logs" / "new.log")
    assert triage("hook", "--baseline", name, "logs/bad.log", "logs/new.log", cwd=repository).returncode == 1


def test_updating_keeps_other_files_and_what_people_wrote(repository: Path) -> None:
    path = repository / "allowed.json"
    triage("hook", "--baseline", path, "--update-baseline", "logs/bad.log", cwd=repository)
    entries = json.loads(path.read_text(encoding="utf-8"))
    entries[0]["reason"] = "an example"
    entries.append({"file": "other.log", "id": "numerics.nan"})
    path.write_text(json.dumps(entries), encoding="utf-8")
    triage("hook", "--baseline", path, "--update-baseline", "logs/bad.log", cwd=repository)
    assert json.loads(path.read_text(encoding="utf-8")) == entries
    (repository / "logs" / "bad.log").write_text(HEALTHY, encoding="utf-8")
    triage("hook", "--baseline", path, "--update-baseline", "logs/bad.log", cwd=repository)
    assert json.loads(path.read_text(encoding="utf-8")) == [{"file": "other.log", "id": "numerics.nan"}]
    written = path.read_bytes()
    triage("hook", "--baseline", path, "--update-baseline", "logs/bad.log", cwd=repository)
    assert path.read_bytes() == written


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.json", "[{", "a.json: Expecting property name"),
        ("a.json", "{}", "a.json: must be a list of entries with a `file` and an `id`"),
        ("a.json", '[{"file": "x"}]', "a.json: must be a list of entries with a `file` and an `id`"),
        ("a.json", '["x"]', "a.json: must be a list of entries with a `file` and an `id`"),
        ("a.yaml", "- [", "a.yaml: while parsing"),
        ("a.yaml", "!!python/object/apply:os.system [true]", "a.yaml: could not determine a constructor"),
        ("a.json", b"\xff\xfe", "a.json: not UTF-8"),
        ("a.json", "[" * 200_000, "a.json: nested too deep"),
        ("a.yaml", "[" * 200_000, "a.yaml: while increasing flow level"),
    ],
)
def test_a_baseline_that_cannot_be_used_costs_one_line(repository: Path, name: str, text: str | bytes, message: str) -> None:
    (repository / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    result = triage("hook", "--baseline", name, "logs/bad.log", cwd=repository)
    assert one_line(result.stderr).startswith(f"triage hook: {message}")
    assert (result.returncode, result.stdout) == (2, b"")


def test_a_baseline_that_cannot_be_written_costs_one_line(repository: Path) -> None:
    result = triage("hook", "--baseline", "no/such/a.json", "--update-baseline", "logs/bad.log", cwd=repository)
    assert one_line(result.stderr) == "triage hook: no/such/a.json: No such file or directory"
    assert result.returncode == 2


def test_what_pre_commit_is_told() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert [hook["id"] for hook in hooks] == ["triage"]
    assert hooks[0]["entry"] == "triage hook"
    assert hooks[0]["language"] == "python"
    assert hooks[0]["require_serial"] is True


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_under_pre_commit(repository: Path) -> None:
    """The hook as the shipped file describes it, run by pre-commit in a fresh repository; only the language is `system`."""
    pytest.importorskip("pre_commit")
    hook = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))[0]
    hook.update(language="system", entry=f"{sys.executable} -m triage hook")
    config = {"repos": [{"repo": "local", "hooks": [hook]}]}
    (repository / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")

    def run(*command: str) -> subprocess.CompletedProcess[bytes]:
        changes = {"PRE_COMMIT_HOME": str(repository / ".cache"), "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_DIR": None, "GIT_INDEX_FILE": None}
        return subprocess.run(command, capture_output=True, cwd=repository, env=environment(**changes), timeout=120, check=False)

    run("git", "init", "-q")
    run("git", "add", "logs", "check.py", "notes.txt", ".pre-commit-config.yaml")
    failed = run(sys.executable, "-m", "pre_commit", "run", "triage")
    assert failed.returncode == 1, failed.stdout + failed.stderr
    assert b"logs/bad.log:6: memory.gpu-oom" in failed.stdout
    assert b"check.py" not in failed.stdout

    run("git", "rm", "-q", "--cached", "logs/bad.log")
    passed = run(sys.executable, "-m", "pre_commit", "run", "triage")
    assert passed.returncode == 0, passed.stdout + passed.stderr
    assert b"Passed" in passed.stdout


def test_a_compressed_log_is_read(tmp_path: Path) -> None:
    (tmp_path / "train.log.gz").write_bytes(gzip.compress(OOM.encode()))
    (tmp_path / "logs.zip").write_bytes(b"PK\3\4" + bytes(40))
    result = triage("hook", tmp_path / "train.log.gz", tmp_path / "logs.zip")
    assert result.returncode == 1
    assert b"memory.gpu-oom" in result.stdout
    assert result.stderr == b""
