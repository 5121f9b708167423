"""Sizes in a log that was printed under an emulated card, read as that card would have printed them.

The verifier stands a card of the reported size on a larger one by a limit of the process. Messages then tell the real
card's size and free memory, and the limit; what counts is the emulated size, what is allowed less what is held, and
never the limit itself.
"""

from __future__ import annotations

from collections.abc import Iterable

from triage.facts.observation import Observation


def under_emulation(observations: Iterable[Observation]) -> list[Observation]:
    """The observations with the sizes of signals seen from within the emulation that a fact `emulation` describes."""
    seen = list(observations)
    capacity = next((observation.slots.get("capacity_bytes") for observation in seen if observation.template == "emulation"), None)
    if not isinstance(capacity, int):
        return seen
    return [_within(observation, capacity) if observation.template == "signal" else observation for observation in seen]


def _within(signal: Observation, capacity: int) -> Observation:
    slots = dict(signal.slots)
    allowed = slots.pop("allowed_bytes", None)
    if not isinstance(allowed, int) or "capacity_bytes" not in slots:
        return signal
    slots["capacity_bytes"] = capacity
    allocated, idle, reserved = (slots.get(name) for name in ("allocated_bytes", "reserved_unallocated_bytes", "reserved_bytes"))
    if not isinstance(reserved, int) and isinstance(allocated, int) and isinstance(idle, int):
        reserved = allocated + idle
    if isinstance(reserved, int):
        slots["free_bytes"] = max(0, allowed - reserved)
        if "process_bytes" in slots:
            slots["process_bytes"] = reserved + max(0, capacity - allowed)
    return Observation(signal.template, slots, signal.evidence)
