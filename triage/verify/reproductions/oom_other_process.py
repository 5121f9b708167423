"""Another process holds most of the card."""

from __future__ import annotations

from triage.verify.allocator_settings import GIB, MIB
from triage.verify.reproduction import Facts, Fix, Reproduction, size, wording
from triage.verify.toolkit.harness import Parameters
from triage.verify.toolkit.traces import Step, play


def _others(facts: Facts) -> int | None:
    """What is neither this process's nor free."""
    held = facts.get("other_process_bytes")
    if isinstance(held, int):
        return held
    numbers = [facts.get(name) for name in ("capacity_bytes", "free_bytes", "process_bytes")]
    if all(isinstance(number, int) for number in numbers) and numbers[0] - numbers[1] > numbers[2]:
        return int(numbers[0] - numbers[1] - numbers[2])
    return None


REPRODUCTION = Reproduction(
    id="memory.gpu-oom.other-process",
    family="memory.gpu-oom",
    cause="other-process",
    title="Out of memory because another process holds the card",
    shows="What others hold is missing from what can be served; without it the request is served.",
    backends={"model": "the other process is a number of bytes"},
    needs=(),
    parameters=(
        size("capacity_bytes", 24 * GIB, "total memory of the card", "capacity_bytes", low=GIB),
        size("other_process_bytes", 20 * GIB, "held by others", read=_others),
        size("allocated_bytes", 3 * GIB, "live tensors of this process", "allocated_bytes", low=2 * MIB),
        size("requested_bytes", 2 * GIB, "the request that failed", "requested_bytes", low=2 * MIB),
        wording(),
    ),
    fixes={
        "free-other-process": Fix("ends the other process"),
        "select-device": Fix("uses a card that nobody else uses"),
        "allocator-config": Fix("sets expandable_segments:True", advised=False),
    },
    sources=("https://pytorch.org/docs/stable/notes/cuda.html#memory-management",),
)


def reported(p: Parameters) -> None:
    """With the other process."""
    play(p, _steps(p), "", p.capacity_bytes, 0, p.other_process_bytes)


def fixed(p: Parameters, fix: str) -> None:
    """Without it, or under another setting."""
    if fix == "allocator-config":
        play(p, _steps(p), "expandable_segments:True", p.capacity_bytes, 0, p.other_process_bytes)
    else:
        play(p, _steps(p), "", p.capacity_bytes, 0)


def _steps(p: Parameters) -> list[Step]:
    pieces = range(0, p.allocated_bytes, 512 * MIB)
    steps: list[Step] = [("alloc", index, min(512 * MIB, p.allocated_bytes - start)) for index, start in enumerate(pieces)]
    return [*steps, ("alloc", len(pieces), p.requested_bytes)]
