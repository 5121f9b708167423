"""Where it failed: versions and GPUs of the text, and the reader's own line of code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from triage.engine.facts import Fact
from triage.engine.values import Value
from triage.facts.observation import Observation
from triage.report.model import number, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

GPU_SLOTS = ("gpu", "gpu_name", "capacity_bytes", "capability", "pci")
_MAX_GPUS = 64


def environment(observations: Sequence[Observation]) -> dict[str, Any]:
    """The versions of packages that a text gives, and its GPUs: those of a table with what it tells of each, else their names."""
    versions: dict[str, str] = {}
    gpus: list[dict[str, Any]] = []
    names: dict[str, str] = {}  # the longest by product; what no table knows is a product by itself
    products = {slots.get("text"): str(slots.get("gpu_name")) for slots in _of("gpu-model", observations)}
    for slots in _of("version", observations):
        versions.setdefault(str(slots.get("package")), str(slots.get("version_text") or slots.get("version")))
    for slots in _of("gpu", observations):
        _add_gpu({name: plain(slots[name]) for name in GPU_SLOTS if name in slots}, gpus)
    for slots in _of("gpu-name", observations):
        name = str(slots.get("gpu_name"))
        product = products.get(name, name)
        names[product] = max(names.get(product, ""), name, key=len)
    if not gpus:
        gpus = [{"gpu_name": name} for name in names.values()]
    return {"versions": dict(sorted(versions.items())), "gpus": gpus[:_MAX_GPUS]}


def _of(template: str, observations: Sequence[Observation]) -> list[Mapping[str, Value]]:
    return [observation.slots for observation in observations if observation.template == template]


def _add_gpu(told: dict[str, Any], gpus: list[dict[str, Any]]) -> None:
    """Add a GPU, or what is new of one of the same index: a program tells its name in one line, its capability in another."""
    same = [gpu for gpu in gpus if "gpu" in told and all(gpu.get(slot, value) == value for slot, value in told.items())]
    if same:
        same[0].update(told)
    elif told and told not in gpus:
        gpus.append(told)


def user_frame(observations: Sequence[Observation], fact: Fact) -> dict[str, Any] | None:
    """The last frame of the user's own code at or before the line of the diagnosis, in the same process, where its traceback is the
    last one there or led to that."""
    line, stream = number(fact.get("line")), fact.get("stream") or ""
    best, last = None, None
    for observation in observations:
        slots = observation.slots
        if observation.template == "frame" and (slots.get("stream") or "") == stream and number(slots["line"]) <= line:
            last = slots
            best = slots if slots.get("innermost_user") else best
    if best is None or last is None or not _led_to(observations, best["traceback"], last["traceback"]):
        return None
    return {"path": best.get("path"), "line": best.get("source_line"), "function": best.get("function"), "code": best.get("code")}


def _led_to(observations: Sequence[Observation], first: Value, then: Value) -> bool:
    """Whether a traceback is the other, or one that Python printed because of the first."""
    parents = {item.slots["traceback"]: item.slots.get("parent") for item in observations if item.template == "exception"}
    at: Value | None = first
    while at is not None and at != then:
        at = parents.pop(at, None)
    return at == then
