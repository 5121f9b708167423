"""Several logs of one job: one report, each line found again in its own file, nothing of one log taken for another's."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import triage
from triage.reading import read
from triage.reading.job import Job, rank_in_name

TIMEOUT = (
    "[E1105 09:12:44.301 ProcessGroupNCCL.cpp:629] [Rank {0}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=310, "
    "OpType=ALLREDUCE, NumelIn=4096, NumelOut=4096, Timeout(ms)=1800000) ran for 1800057 milliseconds before timing out.\n"
)
OOM = """epoch 2
Traceback (most recent call last):
  File "/srv/run/finetune.py", line 31, in <module>
    loss.backward()
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.50 GiB. GPU 0 has a total capacity of 44.35 GiB of which 1.21 GiB is free. Including non-PyTorch memory, this process has 43.13 GiB memory in use. Of the allocated memory 42.10 GiB is allocated by PyTorch, and 310.00 MiB is reserved by PyTorch but unallocated.
"""  # noqa: E501
XID = "[Tue Nov  5 09:02:10 2024] NVRM: Xid (PCI:0000:3b:00): 79, pid=5121, name=python, GPU has fallen off the bus.\n"


def test_the_rank_that_failed_leads_whatever_file_it_wrote_and_whatever_order_they_come_in() -> None:
    logs = {f"rank{rank}.log": TIMEOUT.format(rank) for rank in range(4) if rank != 2} | {"rank2.log": OOM}
    for sources in (logs, dict(reversed(logs.items()))):
        report = triage.explain_job(sources)
        first, *rest = report.diagnoses
        assert (first.family, first.facts["rank"]) == ("memory.gpu-oom", 2)
        assert [(item.file, item.line) for item in first.evidence][:1] == [("rank2.log", 5)]
        assert {item.consequence_of for item in rest if item.family.startswith("distributed.")} == {first.id}
        assert first.user_frame is not None
        assert first.user_frame["line"] == 31


def test_the_rank_that_raised_leads_where_its_log_stands_behind_that_of_one_that_waited() -> None:
    raised = 'Traceback (most recent call last):\n  File "/srv/run/data.py", line 4, in read\nValueError: empty sample\n'
    report = triage.explain_job({"rank0.log": TIMEOUT.format(0), "rank1.log": raised})
    assert report.diagnoses[0].id == "distributed.collective-timeout.another-rank-raised"
    assert report.diagnoses[0].facts["rank"] == 1


def test_a_rank_in_the_name_counts_for_lines_without_one() -> None:
    raised = 'Traceback (most recent call last):\n  File "/srv/run/data.py", line 4, in read\nValueError: empty sample\n'
    closed = "[rank1]:[W1105 09:02:44.301 ProcessGroupNCCL.cpp:1250] Warning: WARNING: process group has NOT been destroyed\n"
    report = triage.explain_job({"rank0.log": TIMEOUT.format(0), "rank1.log": raised + closed})
    assert report.diagnoses[0].id == "distributed.collective-timeout.another-rank-raised"
    assert report.diagnoses[0].facts["rank"] == 1


@pytest.mark.parametrize("first", [1, 6])
def test_clocks_of_several_zones_are_compared(first: int) -> None:
    """02:12:09Z is later than 03:11:40+01:00: what the second log says came first, whatever its numbers look like."""
    full = OOM.splitlines()[-1].replace("GPU 0", "GPU {0}")
    utc, local = f"2026-03-14T02:1{0 if first == 1 else 2}:09Z", "2026-03-14T03:11:40+01:00"
    logs = {"rank1.log": f"{utc} {full.format(1)}\n", "rank6.log": f"{local} {full.format(6)}\n"}
    assert triage.explain_job(logs).diagnoses[0].facts["rank"] == first


def test_what_a_rank_raises_behind_its_own_timeout_explains_none() -> None:
    raised = 'Traceback (most recent call last):\n  File "/srv/run/log.py", line 4, in close\nValueError: closed file\n'
    report = triage.explain_job({"rank0.log": TIMEOUT.format(0), "rank1.log": TIMEOUT.format(1) + raised})
    assert report.diagnoses[0].id == "distributed.collective-timeout.timed-out"


def test_a_kernel_log_beside_a_traceback_tells_the_reason() -> None:
    lost = "RuntimeError: CUDA error: unspecified launch failure\n"
    report = triage.explain_job({"train.log": lost, "dmesg.txt": "\n\n" + XID})
    assert report.diagnoses[0].family == "hardware.gpu-lost"
    assert (report.diagnoses[0].evidence[0].file, report.diagnoses[0].evidence[0].line) == ("dmesg.txt", 3)


def test_frames_of_one_log_are_not_those_of_another() -> None:
    other = OOM.replace("finetune.py", "evaluate.py").replace("line 31", "line 77")
    report = triage.explain_job({"a.log": "no traceback here\n" * 50 + OOM.splitlines()[-1], "b.log": other})
    frames = {diagnosis.user_frame["path"] for diagnosis in report.diagnoses if diagnosis.user_frame}
    assert frames <= {"/srv/run/evaluate.py"}
    assert all(item.file in ("a.log", "b.log") for diagnosis in report.diagnoses for item in diagnosis.evidence)


def test_noise_and_input_name_their_files() -> None:
    warning = "huggingface/tokenizers: The current process just got forked, after parallelism has already been used. Disabling parallelism to avoid deadlocks...\n"  # noqa: E501
    data = triage.explain_job({"a.log": OOM, "b.log": "start\n" + warning}).to_dict()
    assert [(item["file"], item["line"]) for item in data["noise"]] == [("b.log", 2)]
    assert [(item["name"], item["lines"]) for item in data["input"]["files"]] == [("a.log", 5), ("b.log", 2)]
    assert data["input"]["lines"] == 7


def test_many_logs_each_have_their_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triage.pipeline.MOST_OF_A_JOB", 512)  # as if there were eight times as many logs
    logs = {f"rank_{rank:03}.out": TIMEOUT.format(rank) * 20 for rank in range(25)} | {"rank_025.out": OOM}
    report = triage.explain_job(logs)
    assert report.diagnoses[0].family == "memory.gpu-oom"
    assert report.diagnoses[0].facts["rank"] == 25


def test_names_cannot_act(tmp_path: Path) -> None:
    name = "](javascript:x) {0} `<img src=x onerror=alert(1)>`\x1b[31m.log"
    report = triage.explain_job({name: io.BytesIO(OOM.encode()), "b.log": TIMEOUT.format(1)})
    markdown = report.to_markdown()
    assert "\x1b" not in markdown
    assert "<img" not in markdown.replace("`", "").split("\n\n")[0]
    from triage.render.html import render

    assert "<img" not in render([report.to_dict()])


def test_one_log_is_the_same_with_and_without_a_name() -> None:
    assert triage.explain_job({"a.log": OOM}).to_dict() == triage.explain(OOM).to_dict()
    assert triage.explain_job({}).diagnoses == []


def test_every_line_of_a_job_is_found_again() -> None:
    texts = ["a\nb\nc\n", "", "d\n", "e\nf"]
    logs = [read(text) for text in texts]
    for number, log in enumerate(logs):
        log.name = str(number)
    job = Job(logs)
    for log, start in job.parts:
        for line in log.lines:
            assert job.place(line.number + start) == (log.name, line.number)


@pytest.mark.parametrize(
    ("name", "rank"),
    [
        ("rank3.log", 3), ("logs/rank-12.out", 12), ("worker_7.err", 7), ("global_rank_64.txt", 64), ("C:\\runs\\rank5.log", 5),
        ("/tmp/torchelastic_x1/none_a/attempt_0/3/stderr.log", 3), ("train.log", None), ("frankfurt2.log", None), ("job-4711.out", None),
        ("rank3/train.log", None),
    ],
)  # fmt: skip
def test_the_rank_in_a_name(name: str, rank: int | None) -> None:
    assert rank_in_name(name) == rank
