"""Traces and snapshots: read without running anything, replayed under other settings."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triage.verify.allocator_settings import GIB, MIB
from triage.verify.allocator_trace import Event, Trace, TraceError, candidate_settings, dump, load, parse, replay, what_if
from triage.verify.reporting import trace_notes

FRAGMENTING = Trace(
    tuple(
        [Event("alloc", index, 300 * MIB) for index in range(3)]
        + [Event("free", index, 300 * MIB) for index in range(3)]
        + [Event("alloc", 10 + index, 160 * MIB) for index in range(3)]
        + [Event("oom", 20, 450 * MIB)]
    ),
    capacity=1 * GIB,
)


def snapshot(**changes: Any) -> dict[str, Any]:
    """A snapshot in the layout of `torch.cuda.memory._snapshot()`."""
    base = 0x7F0000000000
    entries = [
        {"action": "segment_alloc", "addr": base, "size": 40 * MIB, "stream": 0},
        {"action": "alloc", "addr": base, "size": 30 * MIB, "stream": 0, "frames": [{"filename": "a.py", "line": 1, "name": "f"}]},
        {"action": "free_requested", "addr": base, "size": 30 * MIB, "stream": 0},
        {"action": "free_completed", "addr": base, "size": 30 * MIB, "stream": 0},
        {"action": "alloc", "addr": base, "size": 12 * MIB, "stream": 0},
        {"action": "free_completed", "addr": base + 100 * MIB, "size": 5 * MIB, "stream": 0},
        {"action": "oom", "addr": 1 * MIB, "size": 64 * MIB, "stream": 0},
    ]
    segments = [
        {
            "device": 0, "address": base, "total_size": 40 * MIB, "stream": 0, "segment_type": "large",
            "blocks": [
                {"size": 12 * MIB, "requested_size": 12 * MIB, "state": "active_allocated"},
                {"size": 28 * MIB, "requested_size": 0, "state": "inactive"},
            ],
        },
        {
            "device": 0, "address": base + 200 * MIB, "total_size": 20 * MIB, "stream": 0, "segment_type": "large",
            "blocks": [{"size": 20 * MIB, "requested_size": 20 * MIB, "state": "active_allocated"}],
        },
    ]  # fmt: skip
    tree = {"segments": segments, "device_traces": [entries, []], "allocator_settings": {"PYTORCH_CUDA_ALLOC_CONF": ""}}
    return {**tree, **changes}


def test_the_question_is_answered() -> None:
    plain, expandable = what_if(FRAGMENTING, ["expandable_segments:True"])
    assert (plain.setting, plain.served, plain.failed_size) == ("", False, 450 * MIB)
    assert "CUDA out of memory" in plain.message
    assert expandable.served
    assert expandable.peak_reserved <= 1 * GIB


def test_candidates_fit_the_release() -> None:
    assert "expandable_segments:True" in candidate_settings(FRAGMENTING, (2, 1))
    assert all(setting.startswith("max_split_size_mb:") for setting in candidate_settings(FRAGMENTING, (2, 0)))


def test_json_goes_round() -> None:
    assert parse(dump(FRAGMENTING).encode()) == FRAGMENTING


def test_a_snapshot_is_read_in_order() -> None:
    trace = parse(pickle.dumps(snapshot()))
    assert [(event.action, event.size // MIB) for event in trace.events] == [
        ("alloc", 5),  # freed without having been allocated: it was live before the recording began
        ("alloc", 20),  # still live, and never allocated in the recording
        ("alloc", 30), ("free", 30), ("alloc", 12), ("free", 5), ("oom", 64),
    ]  # fmt: skip
    assert not trace.complete


def test_a_snapshot_is_replayed(tmp_path: Path) -> None:
    path = tmp_path / "snapshot.pickle"
    path.write_bytes(pickle.dumps(snapshot()))
    assert not replay(load(path), capacity=100 * MIB).served
    assert replay(load(path), capacity=200 * MIB).served


def test_without_a_capacity_nothing_is_claimed() -> None:
    with pytest.raises(TraceError, match="capacity"):
        replay(parse(pickle.dumps(snapshot())))


def refused(free: int, **changes: Any) -> dict[str, Any]:
    """A snapshot as it is taken after a refusal: what was free stands with it, and a segment came afterwards."""
    tree = snapshot(**changes)
    entries = [entry for entry in tree["device_traces"][0] if entry["action"] != "oom"]
    entries.append({"action": "oom", "device_free": free, "size": 64 * MIB, "stream": 0})
    entries.append({"action": "segment_alloc", "addr": 0x7F00FFFF0000, "size": 20 * MIB, "stream": 0})
    return {**tree, "device_traces": [entries]}


def test_the_capacity_follows_from_a_refused_request() -> None:
    """60 MiB reserved at the end, 20 of them taken after the refusal, and what was free at it."""
    for free, served in ((8 * MIB, False), (80 * MIB, True)):
        trace = parse(pickle.dumps(refused(free)))
        assert trace.capacity == 40 * MIB + free
        assert replay(trace).served is served
    assert replay(trace, capacity=50 * MIB).served is False, "what the user names counts more"


def test_the_device_that_was_used_is_looked_at() -> None:
    tree = snapshot()
    tree["device_traces"].reverse()
    for segment in tree["segments"]:
        segment["device"] = 1
    assert parse(pickle.dumps(tree)).device == 1
    assert parse(pickle.dumps(tree)).events == parse(pickle.dumps(snapshot())).events
    with pytest.raises(TraceError, match="of device 0"):
        parse(pickle.dumps(tree), 0)


@pytest.mark.parametrize("name", ["PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF"])
def test_the_setting_of_a_recording(name: str) -> None:
    known = parse(pickle.dumps(snapshot(allocator_settings={name: "max_split_size_mb:64", "max_split_size": 64 * MIB})))
    assert (known.settings, known.unknown_settings) == ("max_split_size_mb:64", "")
    new = parse(pickle.dumps(snapshot(allocator_settings={name: "of_a_later_release:1"})))
    assert (new.settings, new.unknown_settings) == ("", "of_a_later_release:1")
    (note,) = [note for note in trace_notes(new, replay(new, capacity=GIB), GIB) if "of_a_later_release" in note]
    assert "left out" in note


def test_a_refusal_that_the_model_does_not_see_is_told() -> None:
    trace = parse(pickle.dumps(refused(8 * MIB)))
    words = "that other settings serve it shows nothing"
    assert words not in "".join(trace_notes(trace, replay(trace), 0))
    assert words in "".join(trace_notes(trace, replay(trace, capacity=GIB), GIB))


def test_every_protocol_is_read() -> None:
    read = {parse(pickle.dumps(snapshot(), protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)}
    assert len(read) == 1


class Exploit:
    """What a hostile pickle holds: a call to make when it is read."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (print, ("this must never run",))


def test_a_pickle_that_calls_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for hostile in (Exploit(), {"segments": [Exploit()], "device_traces": []}, [Exploit()]):
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            with pytest.raises(TraceError):
                parse(pickle.dumps(hostile, protocol))
    assert "never run" not in capsys.readouterr().out


@pytest.mark.parametrize(
    "data",
    [
        b"", b"{", b"[]", b"{}", b"garbage", pickle.dumps([]), pickle.dumps({}), pickle.dumps({"segments": 3}),
        pickle.dumps(snapshot(device_traces=[[3]])), pickle.dumps(snapshot(device_traces=[[{"action": "alloc", "addr": "x", "size": 1}]])),
        pickle.dumps(snapshot(segments=[{"device": 0, "blocks": 7}])), json.dumps({"events": [["alloc", 1]]}).encode(),
        json.dumps({"events": [["run", 1, 2]]}).encode(), json.dumps({"events": [["free", 1, 2]]}).encode(),
        json.dumps({"events": [["alloc", 1, 2], ["alloc", 1, 2]]}).encode(), json.dumps({"events": [["alloc", 1, -2]]}).encode(),
        json.dumps({"events": [["alloc", 1, 1.5]]}).encode(), b"{" + b"[" * 100_000,
    ],
)  # fmt: skip
def test_what_is_no_trace_is_refused(data: bytes) -> None:
    with pytest.raises(TraceError):
        parse(data)


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for prefix in (b"", b"\x80\x04", b'{"events": '):
        try:
            parse(prefix + data)
        except TraceError:
            continue


@given(st.lists(st.tuples(st.sampled_from(["alloc", "free", "oom"]), st.integers(1, 400 * MIB)), max_size=40))
def test_a_recorded_run_replays_as_it_went(steps: list[tuple[str, int]]) -> None:
    """A trace that the model served once is served again, with the same peaks."""
    events: list[Event] = []
    live: list[int] = []
    for number, (action, size) in enumerate(steps):
        if action == "free":
            if live:
                events.append(Event("free", live.pop(size % len(live)), 1))
        else:
            events.append(Event(action, number, size))
            live += [number] if action == "alloc" else []
    trace = Trace(tuple(events), capacity=64 * GIB)
    assert replay(trace) == replay(parse(dump(trace).encode()))
    assert replay(trace).served
