"""Messages that collectors wrapped are read as the program printed them, under the numbers of their raw lines."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import triage
from triage.reading import read

PRINTED = (
    "Traceback (most recent call last):",
    '  File "/home/u/train.py", line 88, in <module>',
    "    loss.backward()",
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 5 has a total capacity of 79.15 GiB of which 1.06 GiB is "
    "free. Of the allocated memory 76.00 GiB is allocated by PyTorch, and 100.00 MiB is reserved by PyTorch but unallocated.",
)
STAMP = "2026-11-01T10:00:00.500000Z"


WRAPPED: dict[str, Callable[[str], str]] = {
    "docker": lambda line: json.dumps({"log": line + "\n", "stream": "stderr", "time": STAMP}),
    "journal": lambda line: json.dumps({"__REALTIME_TIMESTAMP": "1793527200500000", "_HOSTNAME": "node7", "_PID": "47", "MESSAGE": line}),
    "cloud": lambda line: json.dumps({"textPayload": line, "timestamp": STAMP, "resource": {"labels": {"pod_name": "train-5"}}}),
    "nested": lambda line: json.dumps({"jsonPayload": {"message": line, "rank": 5}, "severity": "ERROR"}),
    "logger": lambda line: json.dumps({"asctime": "2026-11-01 10:00:00,500", "levelname": "ERROR", "rank": 5, "message": line}),
    "kubernetes": lambda line: f"2026-11-01 10:00:00 kube.log: {json.dumps({'log': line, 'kubernetes': {'pod_name': 'train-5'}})}",
}


@pytest.mark.parametrize("wrap", WRAPPED.values(), ids=WRAPPED)
def test_lines_come_as_they_were_printed(wrap: Callable[[str], str]) -> None:
    log = read("\n".join(map(wrap, PRINTED)) + "\n")
    assert [(line.number, line.text) for line in log.lines] == list(enumerate(PRINTED, 1))
    assert log.total_lines == len(PRINTED)


@pytest.mark.parametrize(
    ("wrap", "stream", "rank", "level", "timed"),
    [
        ("docker", "", None, "", True),
        ("journal", "node7 pid=47", None, "", True),
        ("cloud", "train-5", None, "", True),
        ("nested", "rank5", 5, "error", False),
        ("logger", "rank5", 5, "error", True),
        ("kubernetes", "train-5", None, "", False),
    ],
)
def test_what_the_collector_tells_is_kept(wrap: str, stream: str, rank: int | None, level: str, timed: bool) -> None:
    [line] = read(WRAPPED[wrap]("it is full")).lines
    assert (line.stream, line.rank, line.level) == (stream, rank, level)
    assert (line.time is not None) == timed
    assert not timed or line.time == read("2026-11-01 10:00:00.5 x").lines[0].time


def test_the_message_s_own_prefix_goes_before() -> None:
    [line] = read(WRAPPED["cloud"]("[rank3]: it is full")).lines
    assert (line.text, line.stream, line.rank) == ("it is full", "train-5 rank3", 3)


@pytest.mark.parametrize("key", ["exc_info", "exception", "stack_trace", "error"])
def test_a_traceback_in_a_record_comes_apart(key: str) -> None:
    text = json.dumps({"event": "training failed", "level": "error", key: "\n".join(PRINTED)})
    assert [(line.number, line.text) for line in read(f"start\n{text}\n").lines] == [
        (1, "start"), (2, "training failed"), *[(2, line) for line in PRINTED],
    ]  # fmt: skip


def test_a_document_of_records() -> None:
    text = json.dumps([{"timestamp": STAMP, "textPayload": line} for line in PRINTED], indent=2)
    report = triage.explain(text).to_dict()
    assert report["diagnoses"][0]["family"] == "memory.gpu-oom"
    assert (
        report["diagnoses"][0]["evidence"][0]["line"] == text.split("\n").index(next(raw for raw in text.split("\n") if "Tried" in raw)) + 1
    )


def test_outputs_of_a_notebook() -> None:
    colored = [f"\x1b[0;31m{line}\x1b[0m" for line in PRINTED]
    output = {"output_type": "error", "ename": "OutOfMemoryError", "evalue": "", "traceback": colored}
    cell = {"cell_type": "code", "source": ["train()\n"], "outputs": [output]}
    log = read(json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1))
    texts = [line.text for line in log.lines]
    start = texts.index(PRINTED[0])
    assert texts[start : start + len(PRINTED)] == list(PRINTED)


@pytest.mark.parametrize(
    "text",
    [
        '{"error": {"message": "CUDA out of memory", "code": 500}}',
        '{"message": "hello"}',
        '{"event": 3, "level": "info"}',
        '{"log": "cut off in the mid',
        '{"model_type": "llama", "text": {"level": 1}}',
        'level=error msg="failed" error="of logfmt, as its readers know it"',
        '{"time": 1e400, "x": [' + "[" * 5_000,
    ],
)
def test_what_is_no_record_stays_as_it_is(text: str) -> None:
    assert [line.text for line in read(text).lines] == [text]


@given(
    st.dictionaries(
        st.sampled_from(["log", "message", "time", "ts", "level", "rank", "pod", "kubernetes", "exception", "pid"]),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
            lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
            max_leaves=4,
        ),
    )
)
def test_any_object_can_be_read(data: dict[str, object]) -> None:
    log = read("first\n" + json.dumps(data) + "\nlast\n")
    assert log.lines[0].number == 1
    assert (log.lines[-1].number, log.lines[-1].text) == (3, "last")
    assert {line.number for line in log.lines} == {1, 2, 3}
    for line in log.lines:
        assert line.time is None or line.time == line.time


def test_ranks_of_records_are_told_apart() -> None:
    """Which of the interleaved processes failed first is in the records' own fields."""
    lines = []
    for rank in (1, 0):
        for at, text in enumerate(PRINTED):
            lines.append((at, json.dumps({"timestamp": f"2026-11-01T10:00:0{at}.{rank}Z", "rank": rank, "message": text})))
    report = triage.explain("\n".join(text for _, text in sorted(lines))).to_dict()
    assert report["diagnoses"][0]["facts"]["rank"] == 0


@pytest.mark.parametrize("key", ["error", "detail", "message"])
def test_an_answer_of_a_server_is_a_record_where_it_is_a_traceback(key: str) -> None:
    log = read(json.dumps({key: "\n".join(PRINTED)}) + "\n")
    assert [line.text for line in log.lines] == list(PRINTED)
    assert len(read(json.dumps({key: "CUDA out of memory\nTry again"}) + "\n").lines) == 1
