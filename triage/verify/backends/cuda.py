"""A real GPU through PyTorch, limited to the size of the reported one. HIP where torch reports it."""

from __future__ import annotations

from typing import Any

from triage.verify.allocator_settings import MIB
from triage.verify.backends.base import Backend, Machine, Setup, Unavailable, described
from triage.verify.reproduction import Reproduction

SPARE = 512 * MIB
"""Left on the real card for the CUDA context and the workspaces of libraries, bytes."""


class Cuda(Backend):
    """The failure itself, on the card that is here."""

    name = "cuda"

    def _setup(self, machine: Machine, reproduction: Reproduction, values: dict[str, Any]) -> Setup:
        gpus = machine.facts.get("gpus") or []
        if not gpus:
            raise Unavailable("a GPU that torch can use" + _why_not(machine))
        wanted = next((int(need[5:]) for need in reproduction.needs if need.startswith("gpus:")), 1)
        chosen = _choose(machine, gpus, wanted)
        setup = Setup({**values, "backend": self.name, "isolation": "none"})
        setup.parameters.setdefault("wording", "2.6")
        visible = ",".join(gpu["visible_as"] for gpu in chosen)
        setup.variables = {"CUDA_DEVICE_ORDER": "PCI_BUS_ID", "CUDA_VISIBLE_DEVICES": visible, "HIP_VISIBLE_DEVICES": visible}
        setup.environment = {**described(machine), "gpu_name": chosen[0]["name"], "gpus": chosen, **_driver()}
        limit = reproduction.backends.get(self.name, "")
        setup.limits = [limit] if limit else []
        if "capacity_bytes" in values and "allowed_bytes" not in values:  # a limit that is the failure emulates nothing
            _fit(setup, reproduction, min(gpu["free_bytes"] for gpu in chosen))
        return setup


def _why_not(machine: Machine) -> str:
    torch = machine.facts.get("torch", {})
    if machine.facts.get("torch_error"):
        return f" (torch cannot be imported: {machine.facts['torch_error']})"
    if torch and not torch.get("cuda") and not torch.get("hip"):
        return f" (torch {torch.get('version')} is a build without CUDA)"
    return ""


def _choose(machine: Machine, gpus: list[dict[str, Any]], wanted: int) -> list[dict[str, Any]]:
    """The GPUs to use: nobody else's, unless one is named."""
    from triage.live.nvml import holders

    if machine.gpu is not None:
        gpus = [gpu for gpu in gpus if gpu["index"] == machine.gpu] + [gpu for gpu in gpus if gpu["index"] != machine.gpu]
        if not gpus or gpus[0]["index"] != machine.gpu:
            raise Unavailable(f"GPU {machine.gpu}")
    if len(gpus) < wanted:
        raise Unavailable(f"{wanted} GPUs (here is {len(gpus)})")
    if machine.gpu is not None:
        return gpus[:wanted]  # named by the user, who knows who else is on it
    held = holders()
    unused = [gpu for gpu in gpus if not _use_of(gpu, held)]
    if len(unused) < wanted:
        uses = "; ".join(f"on GPU {gpu['index']} {_use_of(gpu, held)}" for gpu in gpus if _use_of(gpu, held))
        raise Unavailable(f"{wanted} GPU(s) that nobody uses, or one named with --gpu: {uses}")
    return unused[:wanted]


def _use_of(gpu: dict[str, Any], held: dict[str, str]) -> str:
    """Who holds memory on a GPU; where torch does not tell which GPU of NVML's it is, whoever holds memory anywhere."""
    uuid = str(gpu.get("uuid") or "").removeprefix("GPU-")
    return next((text for name, text in sorted(held.items()) if not uuid or name.endswith(uuid)), "")


def _fit(setup: Setup, reproduction: Reproduction, free: int) -> None:
    """Emulates the reported capacity, on a smaller card at a smaller scale."""
    capacity = int(setup.parameters["capacity_bytes"])
    room = free - SPARE
    if capacity > room:
        scale = room / capacity
        least = next((int(each.low) for each in reproduction.parameters if each.name == "capacity_bytes"), 0)
        if room < least:
            raise Unavailable(f"a GPU with {(least + SPARE) / 2**30:.0f} GiB free (here are {free / 2**30:.0f} GiB)")
        for parameter in reproduction.parameters:
            if parameter.scales:
                setup.parameters[parameter.name] = max(int(parameter.low), int(setup.parameters[parameter.name] * scale))
        setup.limits.append(
            f"the card here is smaller than the reported one: all sizes are multiplied by {scale:.3f}, models and counts are not"
        )
        capacity = int(setup.parameters["capacity_bytes"])
    setup.emulation = {"capacity_bytes": capacity, "gpu": 0, "name": "memory fraction"}


def _driver() -> dict[str, Any]:
    from triage.live.nvml import driver_version

    version = driver_version()
    return {"driver": version} if version else {}
