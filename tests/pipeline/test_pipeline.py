"""explain: any input, any number of threads, the same bytes out."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import triage
from triage.facts.observation import Observation
from triage.pipeline import SAME_SIGNAL, fold

DATA = Path(__file__).parents[1] / "data" / "founding"
MESSAGE = "RuntimeError: \"addmm_impl_cpu_\" not implemented for 'Half'"


@given(st.one_of(st.binary(max_size=400), st.text(max_size=400)))
def test_never_raises_for_any_content(content: bytes | str) -> None:
    json.dumps(triage.explain(content).to_dict())


MEMIT = (DATA / "memit-oom.txt").read_text(encoding="utf-8").splitlines()


@given(st.lists(st.sampled_from(MEMIT), max_size=30), st.integers(0, 200))
def test_never_raises_for_pieces_of_real_logs(lines: list[str], cut: int) -> None:
    report = triage.explain("\n".join(lines)[cut:])
    for lang in ("en", "zh"):
        json.dumps(report.to_dict(lang))
    report.to_markdown()
    report.why()


@pytest.mark.parametrize("kind", ["str", "bytes", "path", "text file", "binary file"])
def test_every_kind_of_source(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "x.log"
    path.write_text(MESSAGE, encoding="utf-8")
    source = {
        "str": MESSAGE,
        "bytes": MESSAGE.encode(),
        "path": path,
        "text file": io.StringIO(MESSAGE),
        "binary file": io.BytesIO(MESSAGE.encode()),
    }[kind]
    [found] = triage.explain(source).diagnoses
    assert found.family == "dtype.not-implemented"
    assert found.evidence[0].line == 1
    assert found.evidence[0].text == MESSAGE


def test_a_text_is_never_taken_for_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.log").write_text(MESSAGE)
    monkeypatch.chdir(tmp_path)
    assert triage.explain("x.log").diagnoses == []


def test_a_missing_path_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="absent"):
        triage.explain(tmp_path / "absent.log")


@pytest.mark.parametrize("content", ["", "\n\n", b"\x00\x01\xff" * 50, "everything is fine\n" * 20])
def test_nothing_is_found_where_there_is_nothing(content: bytes | str) -> None:
    report = triage.explain(content).to_dict()
    assert report["diagnoses"] == []
    assert report["noise"] == []


def test_evidence_is_the_raw_line_at_its_raw_number() -> None:
    lines = ["start", "\x1b[31m[rank3]: 2024-01-01 00:00:00,123 - ERROR - \x1b[0m" + MESSAGE + "\r", "end"]
    [found] = triage.explain("\n".join(lines)).diagnoses
    assert found.evidence[0].line == 2
    assert found.evidence[0].text.rstrip("\r") == lines[1].rstrip("\r")
    assert found.facts["rank"] == 3


def test_threads_get_what_one_thread_gets() -> None:
    texts = [path.read_text(encoding="utf-8") for path in sorted(DATA.glob("*.txt"))]
    alone = [json.dumps(triage.explain(text).to_dict()) for text in texts]
    results: list[list[str]] = []

    def work() -> None:
        results.append([json.dumps(triage.explain(text).to_dict()) for text in texts])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [alone] * 4


def test_the_same_bytes_under_every_hash_seed() -> None:
    program = (
        "import sys, json, triage, pathlib\n"
        "for path in sorted(pathlib.Path(sys.argv[1]).glob('*.txt')):\n"
        "    report = triage.explain(path)\n"
        "    print(json.dumps(report.to_dict('zh', verbose=True)), json.dumps(report.why()), report.to_markdown())"
    )
    outputs = set()
    for seed in ("0", "1", "4711"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run([sys.executable, "-c", program, str(DATA)], env=environment, capture_output=True, check=True)
        outputs.add(done.stdout)
    assert len(outputs) == 1


def test_a_storm_reasons_like_its_beginning() -> None:
    storm = [Observation("signal", {"failure": "f", "signature": "s", "line": line}) for line in range(1000)]
    others = [Observation("option", {"name": f"n{number}", "line": 1}) for number in range(40)]
    kept = fold([*storm, *others], 30)
    assert len([item for item in kept if item.template == "signal"]) == SAME_SIGNAL
    assert len([item for item in kept if item.template == "option"]) == 30


def test_a_storm_of_remarks_leaves_room_for_those_on_another_topic() -> None:
    storm = [Observation("remark", {"topic": "only-warned", "line": line}) for line in range(1000)]
    kept = fold([*storm, Observation("remark", {"topic": "goes-on-without", "line": 1001})], 30)
    assert [item.slots["topic"] for item in kept] == ["only-warned"] * 30 + ["goes-on-without"]


def test_a_storm_of_different_messages_is_explained() -> None:
    lines = [f"[rank{number}]: CUDA out of memory. Tried to allocate {number + 1}.00 MiB" for number in range(3000)]
    [found] = triage.explain("\n".join(lines)).diagnoses
    assert found.family == "memory.gpu-oom"
    assert found.facts["rank"] == 0


def test_a_huge_file_is_read_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "huge.log"
    with path.open("wb") as file:
        for _ in range(60):
            file.write(b"2024-01-01 00:00:00,000 - INFO - step 100 loss 1.234 lr 1e-5\n" * 16384)
        file.write(MESSAGE.encode() + b"\n")
        file.write(b"x" * 8_000_000)
    program = (
        "import re, sys, pathlib, triage\n"
        "found = triage.explain(pathlib.Path(sys.argv[1])).diagnoses\n"
        "peak = re.search(r'VmHWM:\\s+(\\d+) kB', pathlib.Path('/proc/self/status').read_text())[1]\n"
        "print(found[0].family, found[0].evidence[0].line, int(peak) // 1024)"
    )
    # Not getrusage: its peak of a new process begins with that of the process that started it.
    if not Path("/proc/self/status").exists():
        pytest.skip("the peak of a process is read from /proc")
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, check=True, text=True)
    family, line, megabytes = done.stdout.split()
    assert family == "dtype.not-implemented"
    assert int(line) == 60 * 16384 + 1
    assert int(megabytes) < 250  # the file has 68 MB; what is kept of it is bounded


@pytest.mark.parametrize(
    ("printed", "cause"),
    [("NVIDIA GeForce RTX 5090", "gpu-too-new"), ("two RTX 5080", "gpu-too-new"), ("Tesla K80", "gpu-too-old"), ("RTX 9999", None)],
)
def test_printed_gpus_join_their_row(printed: str, cause: str | None) -> None:
    text = f"This machine has {printed}.\nRuntimeError: CUDA error: no kernel image is available for execution on the device"
    [found] = triage.explain(text).diagnoses
    assert (found.family, found.cause) == ("kernel.arch-mismatch", cause)


def test_an_operator_named_in_words_is_told_only_where_it_is_the_only_one() -> None:
    failure = "CUDA error: an illegal memory access was encountered"
    assert triage.explain(f"{failure} in torch.topk").diagnoses[0].facts["op"] == "topk"
    assert "op" not in triage.explain(f"{failure}. It runs torch.topk and then torch.cumsum.").diagnoses[0].facts


def test_one_of_several_kernels_that_are_launched_is_not_named() -> None:
    launch = "{}<<<grid, block>>>(data);"
    code = "CUDA error: too many resources requested for launch\n```cpp\n{}\n```\n"
    assert triage.explain(code.format(launch.format("blend_plane"))).diagnoses[0].facts["op"] == "blend_plane"
    both = launch.format("blend_plane") + "\n" + launch.format("resize_plane")
    assert "op" not in triage.explain(code.format(both)).diagnoses[0].facts


def test_the_size_in_the_name_of_another_gpu_is_not_the_capacity() -> None:
    failure = "CUBLAS failure 13: CUBLAS_STATUS_EXECUTION_FAILED ; GPU=0 ; hostname=PC"
    own = triage.explain(f"{failure}\nThe PC has a GTX 1060 3GB.").diagnoses[0].facts
    other = triage.explain(f"{failure}\nOne PC has a GTX 1050 Ti, the other a GTX 1060 3GB.").diagnoses[0].facts
    assert (own["gpu_name"], own["capacity_bytes"]) == ("GTX 1060 3GB", 3 * 2**30)
    assert other["gpu_name"] == "GTX 1050 Ti"
    assert "capacity_bytes" not in other


def test_a_message_that_a_terminal_cut_tells_what_stands_behind_the_cut() -> None:
    whole = (
        "[rank1]:[E ProcessGroupNCCL.cpp:607] [Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=7, "
        "OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600010 milliseconds before timing out."
    )
    cut = whole.replace("SeqNum=7, ", "SeqNum=7,\n")
    assert triage.explain(cut).diagnoses[0].facts == triage.explain(whole).diagnoses[0].facts
    assert triage.explain(cut).diagnoses[0].facts["timeout_ms"] == 600_000


def test_the_time_of_the_flight_recorder_is_no_timeout() -> None:
    text = (
        "[rank3]:[W602 11:18:52.489301002 ProcessGroupNCCL.cpp:2111] [PG ID 1 PG GUID 1 Rank 3] timed out after waiting for 60000ms "
        "flight recorder dumps to finish.\n[rank4]:[E602 11:18:52.536602063 ProcessGroupNCCL.cpp:1896] [PG ID 1 PG GUID 1 Rank 4] "
        "Process group watchdog thread terminated with exception: [Rank 4] Watchdog caught collective operation timeout\n"
    )
    assert triage.explain(text).diagnoses[0].facts == {"rank": 4}
