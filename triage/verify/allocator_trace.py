"""Traces of allocations: from JSON, from a `torch.cuda.memory` snapshot, or made up; and their replay on the model.

A snapshot is a pickle of plain containers (https://pytorch.org/docs/stable/torch_cuda_memory.html). It is read
without torch by an unpickler that knows no class at all, so nothing in the file can run.
"""

from __future__ import annotations

import io
import json
import pickle
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from triage.verify.allocator_model import CachingAllocator, OutOfDeviceMemoryError
from triage.verify.allocator_settings import MIB, AllocatorSettings, SettingsError

MAX_SNAPSHOT_BYTES = 1 << 30


class TraceError(ValueError):
    """The file is no snapshot or trace, or one that contradicts itself."""


class Event(NamedTuple):
    """`alloc` or `free` of the block named `block`; `oom` is a request that was refused when the trace was taken."""

    action: str
    block: int
    size: int
    stream: int = 0


@dataclass(frozen=True)
class Trace:
    """What a process asked of one device, in order.

    `capacity` and `outside` (held by others on the device) are bytes, 0 when the source does not tell.
    `settings` is the PYTORCH_CUDA_ALLOC_CONF the source ran with, `unknown_settings` one that the model does not
    know and that is left out. `complete` says whether the trace starts before the first allocation; otherwise the
    blocks that were live already are allocated first, packed.
    """

    events: tuple[Event, ...]
    capacity: int = 0
    outside: int = 0
    settings: str = ""
    device: int = 0
    complete: bool = True
    unknown_settings: str = ""


@dataclass(frozen=True)
class Replay:
    """How a trace went on the model.

    `served` is False when a request failed; then `failed_size` (bytes) and `message` tell which. All other
    fields are bytes at the end, or at the failure.
    """

    setting: str
    served: bool
    allocated: int
    reserved: int
    peak_allocated: int
    peak_reserved: int
    largest_cached: int
    failed_at: int = -1
    failed_size: int = 0
    message: str = ""


def replay(trace: Trace, setting: str | None = None, capacity: int = 0, outside: int = 0, allowed: int | None = None) -> Replay:
    """Runs a trace on the model, with its own settings or with `setting` instead, and stops at the first refusal.

    Args:
        capacity, outside: bytes, in place of what the trace says (0 keeps it).
        allowed: limit of the process in bytes; `garbage_collection_threshold` acts only under one.

    Raises:
        SettingsError: `setting` is not valid.
        TraceError: neither the trace nor the caller tells the capacity.
    """
    text = trace.settings if setting is None else setting
    if not (capacity or trace.capacity):
        raise TraceError("the trace does not tell the capacity of the device: name it (--capacity 24GiB)")
    allocator = CachingAllocator(capacity or trace.capacity, outside or trace.outside, AllocatorSettings.parse(text), allowed, trace.device)
    failed_at, failed_size, message = drive(allocator, trace.events)
    return Replay(
        text, not message, allocator.allocated, allocator.reserved, allocator.peak_allocated, allocator.peak_reserved,
        allocator.largest_cached(), failed_at, failed_size, message,
    )  # fmt: skip


def drive(allocator: CachingAllocator, events: Iterable[Event]) -> tuple[int, int, str]:
    """Feeds events to an allocator: `(index, size, message)` of the first refused request, or `(-1, 0, "")`."""
    addresses: dict[int, int] = {}
    for index, event in enumerate(events):
        if event.action == "free":
            address = addresses.pop(event.block, None)
            if address is not None:
                allocator.release(address)
            continue
        try:
            address = allocator.malloc(event.size, event.stream)
        except OutOfDeviceMemoryError as refused:
            return index, event.size, str(refused)
        if event.action == "alloc":
            addresses[event.block] = address
        else:
            allocator.release(address)
    return -1, 0, ""


def what_if(trace: Trace, settings: Sequence[str], capacity: int = 0, outside: int = 0) -> list[Replay]:
    """The trace under each setting, the trace's own first."""
    return [replay(trace, setting, capacity, outside) for setting in dict.fromkeys([trace.settings, *settings])]


def candidate_settings(trace: Trace, release: tuple[int, int]) -> list[str]:
    """Settings worth trying for this trace on that release of PyTorch (expandable segments exist from 2.1 on)."""
    sizes = sorted({event.size for event in trace.events if event.action != "free" and event.size >= 20 * MIB})
    limits = sorted({max(20, size // MIB) for size in (sizes[:: max(1, len(sizes) // 6)] if sizes else [])} | {128, 512})
    result = ["expandable_segments:True"] if release >= (2, 1) else []
    return result + [f"max_split_size_mb:{limit}" for limit in reversed(limits)]


# reading


class _NothingButData(pickle.Unpickler):
    """Builds numbers, texts and containers only."""

    def find_class(self, module: str, name: str) -> NoReturn:
        raise pickle.UnpicklingError(f"a snapshot holds plain data, not {module}.{name}")

    def persistent_load(self, pid: Any) -> NoReturn:
        raise pickle.UnpicklingError("a snapshot holds no persistent references")


def load(path: Path, device: int | None = None) -> Trace:
    """Reads a snapshot pickle or a JSON trace from a file.

    Args:
        device: whose part of a snapshot; None for the device that most was recorded of.

    Raises:
        TraceError: anything but a readable snapshot or trace.
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        data = file.read(MAX_SNAPSHOT_BYTES + 1)
    if len(data) > MAX_SNAPSHOT_BYTES:
        raise TraceError(f"larger than {MAX_SNAPSHOT_BYTES} bytes")
    return parse(data, device)


def parse(data: bytes, device: int | None = None) -> Trace:
    """Like `load`, from bytes."""
    try:
        tree = json.loads(data) if data[:1].strip() in (b"{", b"") else _NothingButData(io.BytesIO(data)).load()
    except Exception as error:  # a pickle from a stranger can fail in any way
        raise TraceError(f"neither a JSON trace nor a snapshot of torch.cuda.memory: {str(error)[:200]}") from None
    if not isinstance(tree, dict):
        raise TraceError("neither a JSON trace nor a snapshot of torch.cuda.memory")
    return _from_json(tree) if "events" in tree else _from_snapshot(tree, _busiest(tree) if device is None else device)


def dump(trace: Trace) -> str:
    """A trace as JSON that `parse` reads."""
    events = [list(event) for event in trace.events]
    return json.dumps(
        {"version": 1, "capacity_bytes": trace.capacity, "outside_bytes": trace.outside, "settings": trace.settings, "events": events}
    )


def _from_json(tree: dict[Any, Any]) -> Trace:
    events = []
    for entry in _list(tree.get("events")):
        row = _list(entry)
        if not 3 <= len(row) <= 4 or row[0] not in ("alloc", "free", "oom"):
            raise TraceError(f"no event: {str(row)[:80]}")
        events.append(Event(str(row[0]), *(_size(value) for value in row[1:])))
    capacity, outside = _size(tree.get("capacity_bytes", 0)), _size(tree.get("outside_bytes", 0))
    return Trace(tuple(_checked(events)), capacity, outside, _text(tree.get("settings", "")))


@dataclass
class _Reconstruction:
    """Names blocks of a recorded trace, whose addresses are reused, by numbers that are not."""

    events: list[Event] = field(default_factory=list)
    earlier: list[Event] = field(default_factory=list)
    live: dict[int, int] = field(default_factory=dict)
    count: int = 0

    def allocate(self, address: int, size: int, stream: int) -> None:
        self.count += 1
        self.live[address] = self.count
        self.events.append(Event("alloc", self.count, size, stream))

    def free(self, address: int, size: int, stream: int) -> None:
        if address not in self.live:
            self.held_before(address, size, stream)
        self.events.append(Event("free", self.live.pop(address), size, stream))

    def held_before(self, address: int, size: int, stream: int) -> None:
        self.count += 1
        self.live[address] = self.count
        self.earlier.append(Event("alloc", self.count, size, stream))


def _busiest(tree: dict[Any, Any]) -> int:
    """The device that most was recorded of: a process often uses one, and not the first."""
    weights: dict[Any, list[int]] = {}
    for device, entries in enumerate(_list(tree.get("device_traces", []))):
        weights[device] = [len(_list(entries)), 0]
    for segment in map(_dict, _list(tree.get("segments", []))):
        weights.setdefault(_size(segment.get("device", 0)), [0, 0])[1] += _size(segment.get("total_size", 0))
    return max(weights, key=lambda device: (weights[device], -device), default=0)


def _from_snapshot(tree: dict[Any, Any], device: int) -> Trace:
    traces = [_list(entries) for entries in _list(tree.get("device_traces", []))]
    entries = [_dict(entry) for entry in traces[device]] if device < len(traces) else []
    reading = _Reconstruction()
    for entry in entries:
        action, address, size, stream = _text(entry.get("action")), entry.get("addr", 0), entry.get("size", 0), entry.get("stream", 0)
        if action == "alloc":
            reading.allocate(_size(address), max(1, _size(size)), _size(stream))
        elif action == "free_completed":
            reading.free(_size(address), max(1, _size(size)), _size(stream))
        elif action == "oom":
            reading.count += 1
            reading.events.append(Event("oom", reading.count, max(1, _size(size)), _size(stream)))
    for address, size, stream in _live_blocks(tree, device):
        if address not in reading.live:
            reading.held_before(address, size, stream)
    if not reading.events and not reading.earlier:
        raise TraceError(f"holds neither a trace nor live blocks of device {device}")
    settings, unknown = _own_settings(tree)
    capacity = _capacity_at_refusal(tree, device, entries)
    events = (*reading.earlier, *reading.events)
    return Trace(events, capacity, settings=settings, device=device, complete=not reading.earlier, unknown_settings=unknown)


def _own_settings(tree: dict[Any, Any]) -> tuple[str, str]:
    """The setting a snapshot was taken under, or else one that the model cannot follow."""
    recorded = _dict(tree.get("allocator_settings", {}))
    text = next((_text(recorded[name]) for name in ("PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF") if recorded.get(name)), "")
    try:
        AllocatorSettings.parse(text)
    except SettingsError:
        return "", text
    return text, ""


def _capacity_at_refusal(tree: dict[Any, Any], device: int, entries: Sequence[dict[Any, Any]]) -> int:
    """What this process could have of the device: reserved and free when the last request was refused; 0 without one."""
    segments = [_dict(segment) for segment in _list(tree.get("segments", []))]
    reserved = sum(_size(segment.get("total_size", 0)) for segment in segments if segment.get("device", 0) == device)
    for entry in reversed(entries):
        action = entry.get("action")
        if action == "oom":
            return max(0, reserved) + _size(entry["device_free"]) if "device_free" in entry else 0
        if action in ("segment_alloc", "segment_map"):
            reserved -= _size(entry.get("size", 0))
        elif action in ("segment_free", "segment_unmap"):
            reserved += _size(entry.get("size", 0))
    return 0


def _live_blocks(tree: dict[Any, Any], device: int) -> list[tuple[int, int, int]]:
    blocks = []
    for segment in map(_dict, _list(tree.get("segments", []))):
        if segment.get("device", 0) != device:
            continue
        address = _size(segment.get("address", 0))
        for block in map(_dict, _list(segment.get("blocks", []))):
            size = _size(block.get("size", 0))
            if block.get("state") in ("active_allocated", "active_awaiting_free", "active_pending_free"):
                blocks.append((address, max(1, _size(block.get("requested_size", size))), _size(segment.get("stream", 0))))
            address += size
    return sorted(blocks)


def _checked(events: list[Event]) -> list[Event]:
    live: set[int] = set()
    for event in events:
        if event.action == "alloc":
            if event.block in live or event.size < 1:
                raise TraceError(f"block {event.block} is allocated twice, or empty")
            live.add(event.block)
        elif event.action == "free":
            if event.block not in live:
                raise TraceError(f"block {event.block} is freed but not live")
            live.remove(event.block)
    return events


def _list(value: Any) -> Sequence[Any]:
    if not isinstance(value, (list, tuple)):
        raise TraceError("expected a list")
    return value


def _dict(value: Any) -> dict[Any, Any]:
    if not isinstance(value, dict):
        raise TraceError("expected a mapping")
    return value


def _size(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 1 << 64:
        raise TraceError(f"expected a size or an address, got {str(value)[:40]!r}")
    return value


def _text(value: Any) -> str:
    return value[:1000] if isinstance(value, str) else ""
