"""Which files below a directory are logs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from triage.scan.sources import Source, find_sources, looks_binary, looks_like_source

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="links and permissions of POSIX")


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    for name in ("b.log", "a.log", "old/c.out", "old/deep/d.log.gz", ".git/e.log", ".hidden.log", "empty.log"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("" if name == "empty.log" else "epoch 1\n", encoding="utf-8")
    return tmp_path


def names(root: Path, *paths: str | Path, **patterns: list[str]) -> list[str]:
    return [Path(source.path).relative_to(root).as_posix() for source in find_sources(map(str, paths or (root,)), **patterns)]


def test_of_a_directory_all_visible_files_with_anything_in_them_come_in_order(logs: Path) -> None:
    assert names(logs) == ["a.log", "b.log", "old/c.out", "old/deep/d.log.gz"]
    assert not any(source.given for source in find_sources([str(logs)]))


def test_a_named_file_comes_whatever_it_is_and_once(logs: Path) -> None:
    assert names(logs, logs / ".hidden.log", logs / "empty.log", logs / ".hidden.log") == [".hidden.log", "empty.log"]
    assert list(find_sources(["-"])) == [Source("-")]


@pytest.mark.parametrize(
    ("only", "but", "expected"),
    [
        (["*.out"], [], ["old/c.out"]),
        (["*.log", "*.gz"], ["a*"], ["b.log", "old/deep/d.log.gz"]),
        (["old/*"], [], ["old/c.out", "old/deep/d.log.gz"]),
        ([], ["old/deep/*"], ["a.log", "b.log", "old/c.out"]),
    ],
)
def test_patterns_choose_below_directories(only: list[str], but: list[str], expected: list[str], logs: Path) -> None:
    assert names(logs, only=only, but=but) == expected
    assert names(logs, logs / "b.log", only=only, but=but) == ["b.log"]


@POSIX
def test_a_log_is_read_once_however_many_links_lead_to_it(logs: Path) -> None:
    (logs / "latest").symlink_to(logs / "b.log")
    (logs / "round").symlink_to(logs, target_is_directory=True)
    os.link(logs / "a.log", logs / "z.log")
    assert names(logs) == ["a.log", "b.log", "old/c.out", "old/deep/d.log.gz"]


@POSIX
def test_what_is_no_regular_file_is_passed_over(logs: Path) -> None:
    os.mkfifo(logs / "pipe")
    assert "pipe" not in names(logs)


def test_what_cannot_be_read_has_a_problem(logs: Path) -> None:
    [source] = find_sources([str(logs / "no such file")])
    assert source.problem == "No such file or directory"


@POSIX
@pytest.mark.skipif(os.name == "posix" and os.geteuid() == 0, reason="root may read everything")
def test_a_directory_that_is_closed_is_a_problem(logs: Path) -> None:
    (logs / "old").chmod(0)
    try:
        assert [source.problem for source in find_sources([str(logs)])] == ["", "", "Permission denied"]
    finally:
        (logs / "old").chmod(0o755)


def test_binary_data_is_told_from_text() -> None:
    assert looks_binary(b"\x7fELF\0\1\2")
    assert not looks_binary("CUDA out of memory".encode("utf-16"))
    assert not looks_binary("显存不足".encode("gbk"))


def test_records_of_collectors_are_no_program() -> None:
    record = '{"log":"RuntimeError: CUDA error: out of memory\\n","stream":"stderr","time":"2026-03-14T02:12:09Z"}\n'
    assert not looks_like_source(record.encode() * 4)
    table = 'static const struct name names[] = {\n    {"oom", 2},\n    {"assert", 710},\n};\n'
    assert looks_like_source(table.encode())


def test_a_program_is_told_from_what_one_printed() -> None:
    assert looks_like_source(Path(__file__).read_bytes())
    assert not looks_like_source(b'Traceback (most recent call last):\n  File "a.py", line 1\nimport torch\n')
