"""What stands before messages comes off, is remembered, and never takes a character of the message with it."""

from __future__ import annotations

import pytest

from triage.reading import read
from triage.reading.clock import zone

CASES = [
    # (raw line, text, stream, rank, level, origin)
    ('[rank3]:   File "a.py", line 3, in f', '  File "a.py", line 3, in f', "rank3", 3, "", ""),
    ("[rank3]:[E1107 10:04:31.123 ProcessGroupNCCL.cpp:616] [Rank 3] Watchdog",
     "[Rank 3] Watchdog", "rank3", 3, "error", "ProcessGroupNCCL.cpp:616"),
    ("[rank1]:[W902 16:27:57.294674455 socket.cpp:494] [c10d] waiting", "[c10d] waiting", "rank1", 1, "warning", "socket.cpp:494"),
    ("[E ProcessGroupNCCL.cpp:474] [Rank 4] Watchdog", "[Rank 4] Watchdog", "", None, "error", "ProcessGroupNCCL.cpp:474"),
    ("0: [rank8]: RuntimeError: x", "RuntimeError: x", "rank8", 8, "", ""),
    ("10.0.0.12: [rank8]: RuntimeError: x", "RuntimeError: x", "rank8", 8, "", ""),
    ("node-3: [rank8]: RuntimeError: x", "RuntimeError: x", "rank8", 8, "", ""),
    ("[n3] [rank8]: RuntimeError: x", "RuntimeError: x", "rank8", 8, "", ""),
    ("10:00:01.123 [rank8]: RuntimeError: x", "RuntimeError: x", "rank8", 8, "", ""),
    ("2025-11-07 10:04 [rank8]:[E1107 10:04:31.123 ProcessGroupNCCL.cpp:616] [Rank 1] Watchdog",
     "[Rank 1] Watchdog", "rank8", 8, "error", "ProcessGroupNCCL.cpp:616"),
    ("It stops: see [rank8]: RuntimeError: x", "It stops: see [rank8]: RuntimeError: x", "", None, "", ""),
    ("[3]:RuntimeError: x", "RuntimeError: x", "rank3", 3, "", ""),
    ('[default3]:  File "a.py", line 3', '  File "a.py", line 3', "default3", 3, "", ""),
    ("[1,3]<stderr>:Traceback", "Traceback", "rank3", 3, "", ""),
    ("Tue Sep  1 22:14:07 2026[1,13]<stderr>:Traceback", "Traceback", "rank13", 13, "", ""),
    ("Mon Sep  7 22:14:07 2026<stdout>:hello", "hello", "", None, "", ""),
    ("[Tue Sep  1 22:14:07 2026][prterun-n1-77@1,13]<stderr>: Traceback", "Traceback", "rank13", 13, "", ""),
    ("Nov 20 09:33:52 node train-rank6[4206]: Traceback", "Traceback", "node train-rank6[4206]", 6, "", ""),
    ("(EngineCore_DP0 pid=999) ERROR 11-01 12:31:40 [core.py:781]   File",
     "  File", "EngineCore_DP0 pid=999", None, "error", "core.py:781"),
    ("(Worker_TP3 pid=12) INFO 11-01 12:31:40 [gpu.py:7] loading", "loading", "Worker_TP3 pid=12", 3, "info", "gpu.py:7"),
    ("(EngineCore_0 pid=9) (VllmWorker TP3 pid=12) ERROR 08-20 12:31:40 [gpu.py:7] no",
     "no", "EngineCore_0 pid=9 VllmWorker TP3 pid=12", 3, "error", "gpu.py:7"),
    ("(VllmWorker rank=5 pid=12) ERROR 11-01 12:31:40 [gpu.py:7] no", "no", "VllmWorker rank=5 pid=12", 5, "error", "gpu.py:7"),
    ("[07/08/2025-19:47:15] [TRT-LLM] [RANK 2] [E] no", "no", "rank2", 2, "", ""),
    ("[07/08/2025-19:47:15] [TRT-LLM] [W] odd", "odd", "", None, "", ""),
    ("(Worker_DP1_TP3 pid=12) loading", "loading", "Worker_DP1_TP3 pid=12", 3, "", ""),
    ("(RayWorkerWrapper pid=12, ip=10.2.3.4) ERROR 06-25 15:28:30 worker_base.py:148] no",
     "no", "RayWorkerWrapper pid=12, ip=10.2.3.4", None, "error", "worker_base.py:148"),
    ("(Worker_TP1 pid=9) ERROR 2025-12-01 10:00:00.001 [executor.py:699]     h = f(h)",
     "    h = f(h)", "Worker_TP1 pid=9", 1, "error", "executor.py:699"),
    ("(raylet) Traceback", "Traceback", "raylet", None, "", ""),
    ("(train_fn pid=4711) hello", "hello", "train_fn pid=4711", None, "", ""),
    ("[1,mpirank:3,algo-1]<stderr>:Traceback", "Traceback", "algo-1", 3, "", ""),
    ("2025-01-01T00:00:01.123456789Z stderr F   File", "  File", "", None, "", ""),
    ("[2025-01-01T00:00:01.000+0000] {subprocess.py:93} INFO -   File", "  File", "", None, "info", "subprocess.py:93"),
    ("Nov 20 09:33:52   File", "  File", "", None, "", ""),
    ("Nov 20 09:33:52 ValueError: x", "ValueError: x", "", None, "", ""),
    ("[pod/job-abc/main] [rank0]: no", "no", "pod/job-abc/main rank0", 0, "", ""),
    ("[gpu01:12345] *** Process received signal ***", "*** Process received signal ***", "gpu01:12345", None, "", ""),
    ('2025-01-01T00:00:01.0000000Z   File "a.py"', '  File "a.py"', "", None, "", ""),
    ("Nov 20 09:33:52 node kernel: NVRM: Xid", "NVRM: Xid", "node kernel", None, "", ""),
    ("Nov 20 09:33:52 kernel: NVRM: Xid", "NVRM: Xid", "kernel", None, "", ""),
    ("Nov 20 09:33:52 node kernel: [12345.678901] NVRM: Xid", "NVRM: Xid", "node kernel", None, "", ""),
    ("2025-11-20T09:33:52+0000 node kernel: NVRM: Xid", "NVRM: Xid", "node kernel", None, "", ""),
    ("[    5.678901] NVRM: Xid", "NVRM: Xid", "", None, "", ""),
    ("[Tue Sep  1 22:14:07 2026] NVRM: Xid", "NVRM: Xid", "", None, "", ""),
    ("2025-03-02 05:16:20,348 - INFO - epoch 1", "epoch 1", "", None, "info", ""),
    ("2025-03-02 05:16:20,348 - app.main - ERROR - no", "no", "", None, "error", "app.main"),
    ("03/02/2025 05:16:20 - INFO - app.main -   took 3 s", "  took 3 s", "", None, "info", "app.main"),
    ("2025-03-02 05:16:20 | ERROR | mod:fn:12 - no", "no", "", None, "error", "mod:fn:12"),
    ("2025-03-02 05:16:20 ERROR 542 [engine.py:64]     return x", "    return x", "", None, "error", "engine.py:64"),
    ("2024-11-05 07:31:12.480911: W tensorflow/core/bfc.cc:290] ran out", "ran out", "", None, "warning", "tensorflow/core/bfc.cc:290"),
    ("W0000 00:00:1730791872.915302    4394 placer.cc:177] already", "already", "", None, "warning", "placer.cc:177"),
    ("E1107 10:04:31.990000 847121 torch/distributed/api.py:28] failed", "failed", "", None, "error", "torch/distributed/api.py:28"),
    ("INFO:     Application startup", "Application startup", "", None, "info", ""),
    ("INFO:train.runner:params", "params", "", None, "info", "train.runner"),
    ("[2024-01-01 00:00:00,000] [INFO] [real_accelerator.py:161:get] using", "using", "", None, "info", "real_accelerator.py:161:get"),
    ("[2023-12-20 09:44:51,370] torch.distributed.elastic.api: [WARNING] stop",
     "stop", "", None, "warning", "torch.distributed.elastic.api"),
    ("[2025-01-01 00:00:00 DP0 TP2] Prefill", "Prefill", "DP0 TP2", 2, "", ""),
    ("[INFO|trainer.py:100] 2024-05-01 10:00:00,123 >> step", "step", "", None, "info", "trainer.py:100"),
    ("[06/13/2024-11:18:25] [E] [TRT] 1: no", "[E] [TRT] 1: no", "", None, "", ""),
    ("[06/13/2024-11:18:25] [I] [TRT] loaded", "[TRT] loaded", "", None, "info", ""),
    ("[2024-05-01, 10:00:00 UTC] {subprocess.py:93} INFO - no", "no", "", None, "info", "subprocess.py:93"),
    ("[2024-05-01T10:00:00.123+0000] {pod_manager.py:431} ERROR - [base] no", "no", "", None, "error", "pod_manager.py:431"),
    ("[WARNING] low", "low", "", None, "warning", ""),
    ("E   RuntimeError: no", "RuntimeError: no", "", None, "", ""),
    ("E       RuntimeError: no", "    RuntimeError: no", "", None, "", ""),
    ("+ python train.py", "python train.py", "", None, "", ""),
    (" INFO 06-19 06:04:52 gptq.py:137] found", "found", "", None, "info", "gptq.py:137"),
    ("#7 21.48   error: no", "  error: no", "", None, "", ""),
    ("`[rank1]: RuntimeError: no`", "RuntimeError: no`", "rank1", 1, "", ""),
]  # fmt: skip


@pytest.mark.parametrize(("raw", "text", "stream", "rank", "level", "origin"), CASES)
def test_prefix_comes_off_and_is_remembered(raw: str, text: str, stream: str, rank: int | None, level: str, origin: str) -> None:
    (line,) = read(raw).lines
    assert (line.text, line.stream, line.rank, line.level, line.origin) == (text, stream, rank, level, origin)
    assert line.raw == raw
    assert raw.endswith(text)


@pytest.mark.parametrize(
    "raw",
    [
        "RuntimeError: CUDA error: out of memory",
        "Error: nothing",
        "ERROR: Could not find a version that satisfies the requirement",
        "WARNING: the script is installed in a place that is not on PATH",
        "[trainer] micro batch 16: probing",
        "[Rank 0] Watchdog caught collective operation timeout",
        "12345, 0, 72.60, 73543, 81920",
        "2023/01/05 10:00:00.123, 0, NVIDIA A100, 40 %",
        "(no module named 'apex')",
        "    return self._call_impl(*args, **kwargs)",
        "May the force be with you",
        "E = m * c ** 2",
        "3: three",
        "conv1: Conv2d(3, 64)",
        "[0, 1, 2]",
        "[5m ago]",
        "I think that this is wrong",
        "D is the dimension",
        "#1 in the list",
    ],
)
def test_message_that_only_looks_like_a_prefix_stays(raw: str) -> None:
    (line,) = read(raw).lines
    assert line.text == raw
    assert line.stream == ""


def test_rank_numbers_of_srun_count_where_they_repeat() -> None:
    raw = '0: start\n1: start\n0: Traceback\n1: Traceback\n0:   File "a.py", line 1\n1: done'
    log = read(raw)
    assert [line.text for line in log.lines] == ["start", "start", "Traceback", "Traceback", '  File "a.py", line 1', "done"]
    assert [line.rank for line in log.lines] == [0, 1, 0, 1, 0, 1]


def test_metrics_are_no_hosts() -> None:
    raw = "\n".join(f"acc{top}: 0.{step}3" for step in range(5) for top in (1, 5))
    assert [line.text for line in read(raw).lines] == raw.split("\n")


def test_numbered_lines_are_no_ranks() -> None:
    raw = "\n".join(f"{number}: line" for number in range(12))
    assert [line.text for line in read(raw).lines] == raw.split("\n")


@pytest.mark.parametrize("label", ["node1", "worker-0", "gpu-node-03", "10.0.0.5", "ip-10-1-2-3.internal"])
def test_host_names_of_pdsh(label: str) -> None:
    other = label[:-1] + "9"
    raw = f"{label}: start\n{other}: start\n{label}:   indented\n{label}: RuntimeError: x\n{other}: end"
    log = read(raw)
    assert [line.text for line in log.lines] == ["start", "start", "  indented", "RuntimeError: x", "end"]
    assert set(log.streams()) == {label, other}


def test_services_of_docker_compose() -> None:
    raw = 'vllm-1  | INFO 11-18 18:07:21 [a.py:1] up\nweb-1   | ready\nvllm-1  |   File "a.py", line 1\nweb-1   | bye\nvllm-1  | end'
    log = read(raw)
    assert [line.text for line in log.lines] == ["up", "ready", '  File "a.py", line 1', "bye", "end"]
    assert list(log.streams()) == ["vllm-1", "web-1"]


def test_processes_of_pm2() -> None:
    log = read('0|serve  | Traceback (most recent call last):\n0|serve  |   File "a.py", line 1\n1|web    | ready\n')
    assert [line.text for line in log.lines] == ["Traceback (most recent call last):", '  File "a.py", line 1', "ready"]
    assert list(log.streams()) == ["serve", "web"]


def test_pods_of_stern() -> None:
    texts = ("Traceback (most recent call last):", '  File "a.py", line 3')
    lines = [f"train-worker-{n} pytorch {text}" for text in texts for n in range(4)]
    log = read("+ train-worker-0 › pytorch\n" + "\n".join(lines))
    assert [line.stream for line in log.lines[1:5]] == [f"train-worker-{n} pytorch" for n in range(4)]
    assert log.lines[-1].text == '  File "a.py", line 3'


@pytest.mark.parametrize("sentence", ["low-level details matter", "well-known problem here"])
def test_sentences_are_no_pods(sentence: str) -> None:
    log = read("\n".join([sentence] * 8))
    assert {line.stream for line in log.lines} == {""}


def test_file_names_of_grep() -> None:
    log = read("logs/rank3.err:RuntimeError: x\nlogs/rank4.err:12:[rank4]: no\ntrain.log: No such file")
    assert [(line.text, line.stream, line.rank) for line in log.lines[:2]] == [
        ("RuntimeError: x", "logs/rank3.err", 3),
        ("no", "logs/rank4.err rank4", 4),
    ]
    assert log.lines[2].text == "train.log: No such file"


def test_headers_of_tail_open_streams() -> None:
    log = read("==> rank3.err <==\none\n\n==> rank4.err <==\n[rank4]: two")
    assert log.streams()["rank3.err"][0].text == "one"
    assert log.streams()["rank3.err"][0].rank == 3
    assert log.streams()["rank4.err rank4"][0].text == "two"


def test_markdown_quotes_come_off() -> None:
    assert [line.text for line in read("> RuntimeError: x\n> > inner\n").lines] == ["RuntimeError: x", "inner"]


def test_times_are_comparable_across_notations() -> None:
    raw = (
        "2025-03-09 09:32:18,500 - INFO - a\nINFO 03-09 09:32:19 [x.py:1] b\n[rank0]:[W309 09:32:20.250 x.cpp:1] c\n"
        "2025-03-09T09:32:21.000Z d\nMar  9 09:32:22 host kernel: e\n[Sun Mar  9 09:32:23 2025] f"
    )
    times = [line.time for line in read(raw).lines]
    assert None not in times
    first = times[0] or 0
    assert [round((time or 0) - first, 3) for time in times] == [0, 0.5, 1.75, 2.5, 3.5, 4.5]


def test_seconds_since_boot() -> None:
    times = [line.time for line in read("[12345.500000] a\n[12346.750000] b").lines]
    assert times == [12345.5, 12346.75]


@pytest.mark.parametrize(
    ("stamp", "ahead"),
    [("2026-11-20T09:33:52Z", 0), ("2026-11-20 09:33:52.118+01:00", 3600), ("2026-11-20T09:33:52-0530", -19800), ("2026-11-20", None),
     ("09/11/2023-16:02:52", None), ("2026-11-20 09:33:52,348", None), ("1120 09:33:52.123", None)],
)  # fmt: skip
def test_zone_of_a_stamp(stamp: str, ahead: int | None) -> None:
    assert zone(stamp) == ahead


def test_line_without_stamp_has_no_time() -> None:
    assert read("RuntimeError: x").lines[0].time is None


def test_impossible_stamp_has_no_time() -> None:
    assert read("2025-99-99 99:99:99 - INFO - a").lines[0].text == "a"
