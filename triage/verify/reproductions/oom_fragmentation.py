"""A request fails although cached memory and free memory together would hold it.

Large temporaries are freed, smaller tensors that live on are placed into their segments, and what is left of each
segment can neither be joined with another nor given back, because PyTorch gives back whole segments only. The
sequence is made so that at the failure the card holds what the report says: as much allocated, reserved and free.
It is one sequence with that outcome; the report does not tell the true one. A recorded snapshot
(`triage verify SNAPSHOT`) does.
"""

from __future__ import annotations

from triage.verify.allocator_settings import GIB, MIB
from triage.verify.reproduction import Facts, Fix, Reproduction, advised_setting, size, wording
from triage.verify.toolkit.harness import Parameters, measure
from triage.verify.toolkit.traces import Step, fits, play


def _reserved(facts: Facts) -> int | None:
    reserved, allocated, idle = (facts.get(name) for name in ("reserved_bytes", "allocated_bytes", "reserved_unallocated_bytes"))
    if isinstance(reserved, int):
        return reserved
    return allocated + idle if isinstance(allocated, int) and isinstance(idle, int) else None


REPRODUCTION = Reproduction(
    id="memory.gpu-oom.fragmentation",
    family="memory.gpu-oom",
    cause="fragmentation",
    cause_shown=True,
    title="Out of memory with enough memory reserved but unallocated",
    shows="Segments that are partly in use can serve no large request and cannot be given back.",
    backends={
        "cuda": "the sequence of requests is made up to end with the reported figures; the report does not tell the true one",
        "model": "the sequence of requests is made up to end with the reported figures, and the allocator is simulated",
    },
    needs=("torch",),
    parameters=(
        size("capacity_bytes", 34_080_451_379, "total memory of the card", "capacity_bytes", low=GIB),
        size("allocated_bytes", 22_666_689_904, "live tensors at the failure", "allocated_bytes", low=64 * MIB),
        size("reserved_bytes", 28_722_593_792, "held by PyTorch at the failure", low=64 * MIB, read=_reserved),
        size("free_bytes", 4_949_950_791, "free on the card at the failure", "free_bytes"),
        size("requested_bytes", 6 * GIB, "the request that failed", "requested_bytes", low=2 * MIB),
        wording(),
        advised_setting(),
    ),
    fixes={
        "allocator-config": Fix("sets PYTORCH_CUDA_ALLOC_CONF to what is advised, or else to the first of a list that serves the request"),
        "free-memory": Fix("frees the temporaries before the tensors that live on are made, and calls torch.cuda.empty_cache()"),
        "reduce-batch-or-sequence": Fix("asks for half as much at a time"),
    },
    sources=(
        "https://pytorch.org/docs/stable/notes/cuda.html#optimizing-memory-usage-with-pytorch-cuda-alloc-conf",
        "https://github.com/pytorch/pytorch/blob/main/c10/cuda/CUDACachingAllocator.cpp",
    ),
)  # fmt: skip


def reported(p: Parameters) -> None:
    """Temporaries, then tensors in their place, then the request."""
    play(p, [*_occupy(p), ("alloc", 0, p.requested_bytes)], "", p.capacity_bytes, _outside(p))


def fixed(p: Parameters, fix: str) -> None:
    """The same requests under another setting, or after other frees."""
    steps = _occupy(p)
    request: list[Step] = [("alloc", 0, p.requested_bytes)]
    setting = ""
    if fix == "allocator-config":
        setting = _setting(p, steps + request)
    elif fix == "free-memory":
        steps = _without_temporaries(steps)
    else:
        request = [("alloc", 0, p.requested_bytes // 2), ("free", 0, 0), ("alloc", 0, p.requested_bytes - p.requested_bytes // 2)]
    play(p, steps + request, setting, p.capacity_bytes, _outside(p))


def _outside(p: Parameters) -> int:
    return max(0, int(p.capacity_bytes - p.reserved_bytes - p.free_bytes))


def _occupy(p: Parameters) -> list[Step]:
    """Steps after which `allocated_bytes` are live in `reserved_bytes`, the rest in pieces too small for the request."""
    page = 2 * MIB
    idle = max(p.reserved_bytes - p.allocated_bytes, page)
    living = min(p.allocated_bytes, idle * 3 // 2)  # more than half of each segment, so that each serves one tensor only
    segments = max(1, -(-(idle + living) // GIB), idle // p.requested_bytes + 1)
    segment = (idle + living) // segments // page * page
    tensor = max(page, min(living // segments, segment - page))
    weights = p.allocated_bytes - living
    pieces = [min(512 * MIB, weights - start) // page * page for start in range(0, weights, 512 * MIB)]
    steps: list[Step] = [("alloc", 1_000_000 + number, piece) for number, piece in enumerate(pieces) if piece]
    steps += [("alloc", 1 + number, segment) for number in range(segments)]
    steps += [("free", 1 + number, 0) for number in range(segments)]
    return steps + [("alloc", 10_000 + number, tensor) for number in range(segments)]


def _without_temporaries(steps: list[Step]) -> list[Step]:
    """Only what lives on: the temporaries were freed, and their segments given back, before it is made."""
    freed = {block for action, block, _ in steps if action == "free"}
    return [step for step in steps if step[1] not in freed]


def _setting(p: Parameters, steps: list[Step]) -> str:
    """The first setting known to the release that serves all steps on the model; the first one when none does."""
    settings: list[str] = [p.advised_setting] if p.advised_setting else []
    settings += ["expandable_segments:True"] if p.wording != "2.0" else []
    settings += [f"max_split_size_mb:{limit}" for limit in (512, 256, 128, 64)]
    for setting in dict.fromkeys(settings):
        served = fits(steps, setting, p.capacity_bytes, _outside(p))
        print(f"{setting}: {'serves' if served else 'does not serve'} the request on the model of the allocator")
        if served:
            measure(setting=setting, **({"refused": p.advised_setting} if p.advised_setting not in ("", setting) else {}))
            return setting
    return settings[0]
