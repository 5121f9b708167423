"""What a scan says of each log, in whichever process it is read."""

from __future__ import annotations

import gzip
import multiprocessing
import os
import sys
import time
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from triage.render.schema import finding_schema
from triage.scan.outcome import Outcome
from triage.scan.pools import PoolError
from triage.scan.scanner import Settings, scan
from triage.scan.sources import Source, find_sources

OOM = (
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 3 has a total capacity of 79.15 GiB of which 1.06 GiB is "
    "free.\n"
)
LOGS = {
    "a.log": "epoch 1\n" * 3 + OOM + "epoch 2\n" + OOM,
    "b.log": "epoch 1\nepoch 2\n",
    "c.log": "NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, GPU has fallen off the bus.\n",
}


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    for name, text in LOGS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def outcomes(*paths: Path, lang: str = "en", **options: Any) -> list[Outcome]:
    return list(scan(list(find_sources(map(str, paths))), Settings(lang), **options))


def test_each_log_has_an_outcome_in_order(logs: Path) -> None:
    found = outcomes(logs)
    assert [Path(outcome.path).name for outcome in found] == list(LOGS)
    assert [[finding["family"] for finding in outcome.roots] for outcome in found] == [["memory.gpu-oom"], [], ["hardware.gpu-lost"]]
    assert [(outcome.lines, outcome.size) for outcome in found] == [(text.count("\n"), len(text)) for text in LOGS.values()]


def test_a_finding_says_where_and_how_often(logs: Path) -> None:
    [finding] = outcomes(logs / "a.log")[0].findings
    assert (finding["line"], finding["last_line"], finding["count"]) == (4, 6, 2)
    assert finding["path"] == str(logs / "a.log")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_findings_are_as_their_schema_says(logs: Path, lang: str) -> None:
    found = [finding for outcome in outcomes(logs, lang=lang) for finding in outcome.findings]
    assert len(found) > 1
    for finding in found:
        jsonschema.validate(finding, finding_schema())


def test_processes_find_the_same(logs: Path) -> None:
    assert outcomes(logs, jobs=2) == outcomes(logs)


def test_a_ray_cluster_finds_the_same(logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray")
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    assert outcomes(logs, engine="ray", jobs=1) == outcomes(logs)


def test_without_ray_it_is_told_what_to_install(logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    with pytest.raises(PoolError, match=r"pip install 'gpu-triage\[ray\]'"):
        outcomes(logs, engine="ray")


@pytest.mark.parametrize("block", [1, 1 << 20], ids=["large", "small"])
def test_relative_paths_start_from_where_it_is_said(logs: Path, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(logs)
    sources = list(find_sources(["a.log"]))
    monkeypatch.chdir("/")
    [outcome] = scan(sources, Settings(directory=str(logs)), block=block)
    assert (outcome.path, outcome.findings[0]["count"]) == ("a.log", 2)


@pytest.mark.skipif(sys.platform == "win32", reason="asks for processes as POSIX does")
def test_who_stops_early_waits_for_nothing(logs: Path) -> None:
    before = {process.pid for process in multiprocessing.active_children()}
    running = scan([Source(str(logs / name)) for name in LOGS] * 20, jobs=2)
    next(running)
    started = {process.pid for process in multiprocessing.active_children()} - before
    running.close()
    assert started
    end = time.monotonic() + 60
    while any(_runs(pid) for pid in started if pid) and time.monotonic() < end:
        multiprocessing.active_children()  # joins those that have ended
        time.sleep(0.05)
    assert not any(_runs(pid) for pid in started if pid)


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


HEALTHY = "2026-11-01 10:00:00,123 INFO rank 3 step %d loss 0.3127 lr 1e-4 grad norm 0.31 mem 34.2 GiB\n"


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A file of several blocks of 1 MiB, with failures at the beginning, at both sides of the bounds of a block, and at the end."""
    lines = [HEALTHY % number for number in range(90_000)]
    bound = (1 << 20) // len(lines[20_000])
    for place in (0, bound - 1, bound, bound + 1, 40_000, 40_007, 89_999):
        lines[place] = OOM
    path = tmp_path / "large.log"
    path.write_text("".join(lines) + "no line end", encoding="utf-8")
    return path


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_large_file_is_read_in_blocks_as_it_would_be_whole(large: Path, jobs: int) -> None:
    told: list[str] = []
    in_blocks = outcomes(large, block=1 << 20, jobs=jobs, progress=told.append)
    assert in_blocks == outcomes(large)
    assert [(finding["line"], finding["last_line"], finding["count"]) for finding in in_blocks[0].findings] == [(1, 90_000, 7)]
    assert told[0] == f"{large}: 1 of 8 MiB searched"


def test_a_large_file_without_failures(tmp_path: Path) -> None:
    path = tmp_path / "healthy.log"
    path.write_text("".join(HEALTHY % number for number in range(60_000)), encoding="utf-8")
    assert outcomes(path, block=1 << 20) == [Outcome(str(path), path.stat().st_size, 60_000)]


def test_a_large_file_that_was_emptied_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "rotated.log"
    path.touch()
    assert list(scan([Source(str(path), 9 << 20)], block=1 << 20)) == [Outcome(str(path))]


def test_a_large_file_of_one_line(tmp_path: Path) -> None:
    path = tmp_path / "line.log"
    path.write_text("x" * (9 << 20) + " " + OOM, encoding="utf-8")
    [outcome] = outcomes(path, block=1 << 20)
    assert outcome.lines == 1
    assert outcome.findings[0]["family"] == "memory.gpu-oom"


def test_compressed_logs_are_counted_too(tmp_path: Path) -> None:
    (tmp_path / "a.log.1").write_bytes(gzip.compress(LOGS["a.log"].encode()))
    [outcome] = outcomes(tmp_path)
    assert (outcome.findings[0]["count"], outcome.size) == (2, len(LOGS["a.log"]))


def test_a_damaged_log_has_a_note(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"".join(b"%d\n" % (number * 7919 % 10007) for number in range(50_000)))[:-100])
    assert outcomes(tmp_path)[0].notes == ["it ends early; what could be unpacked was read"]


def test_what_is_no_log_is_passed_over_unless_it_is_named(tmp_path: Path) -> None:
    quoting = f'import torch\nfrom x import y\n\ndef test():\n    assert str(error) == """{OOM}"""\n'
    (tmp_path / "a.py").write_text(quoting, encoding="utf-8")
    (tmp_path / "b").write_text(quoting.replace('"""', ""), encoding="utf-8")
    (tmp_path / "c.bin").write_bytes(b"\0\1\2" + OOM.encode())
    (tmp_path / "d.json.gz").write_bytes(gzip.compress(OOM.encode()))
    (tmp_path / "e.zip").write_bytes(b"PK\3\4" + bytes(40))
    assert [outcome.skipped for outcome in outcomes(tmp_path)] == ["source", "source", "binary", "source", "binary"]
    assert not any(outcome.findings for outcome in outcomes(tmp_path))
    assert outcomes(tmp_path / "c.bin")[0].findings


def test_what_cannot_be_read_is_an_outcome_with_a_problem(logs: Path) -> None:
    found = outcomes(logs / "missing.log", logs / "a.log")
    assert [bool(outcome.problem) for outcome in found] == [True, False]
