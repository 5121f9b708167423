"""What a backend is, and the machine it is asked about."""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from triage.verify import runner
from triage.verify.reproduction import Reproduction


class Unavailable(Exception):  # noqa: N818 - an answer, not a defect
    """A backend, a package or a tool is not here; the text says what is needed."""


@dataclass
class Machine:
    """An interpreter and what a child process of it sees.

    Attributes:
        python: path of the interpreter.
        facts: what `backends.probe` found; see there.
        gpu: index of the GPU to use whoever else uses it, None for the first one nobody uses.
    """

    python: str
    facts: dict[str, Any] = field(default_factory=dict)
    gpu: int | None = None

    @classmethod
    def ask(cls, python: str, gpu: int | None = None) -> Machine:
        """Starts the interpreter once and asks. Raises Unavailable when it does not answer."""
        spec = find_spec("triage.verify.backends.probe")
        if spec is None or spec.origin is None:
            raise Unavailable("the sources of triage.verify")
        program = Path(spec.origin).read_text(encoding="utf-8")
        visible = {name: os.environ[name] for name in ("CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES") if name in os.environ}
        variables = {"CUDA_DEVICE_ORDER": "PCI_BUS_ID", **visible}
        arm = runner.run(program, [], name="probe", python=python, timeout_s=180.0, variables=variables)
        if arm.outcome != "passed":
            raise Unavailable(f"a working interpreter: {python} ended with {arm.outcome}")
        return cls(python, arm.measurements, gpu)

    @property
    def versions(self) -> dict[str, str]:
        """The releases of torch, CUDA and the like that the interpreter has, by package."""
        return dict(self.facts.get("versions", {}))

    def check(self, need: str) -> None:
        """Raises Unavailable unless a distribution (`"transformers>=4.30,<5"`) or a tool (`"tool:g++"`) is here, or one is not
        (`"absent:flash-attn"`)."""
        if need.startswith("absent:"):
            if need[7:] in self.versions:
                raise Unavailable(f"an interpreter without {need[7:]}")
            return
        if need.startswith("tool:"):
            if need[5:] not in self.facts.get("tools", []):
                raise Unavailable(f"{need[5:]} on the path" if not need.endswith(".h") else f"{need[5:]}, the headers of Python")
            return
        match = re.match(r"([A-Za-z0-9_.-]+)(.*)", need)
        if not match:
            raise Unavailable(need)
        name, bounds = match.groups()
        have = self.versions.get(name)
        if have is None:
            raise Unavailable(f"the package {need} for {self.python}")
        for operator, text in re.findall(r"(>=|<|==)([0-9.]+)", bounds):
            if not _satisfies(have, operator, text):
                raise Unavailable(f"the package {need} (here is {have})")


def release(text: str) -> tuple[int, ...]:
    """`"2.13.0+cpu"` → `(2, 13, 0)`."""
    match = re.match(r"\d+(\.\d+)*", text)
    return tuple(int(part) for part in match[0].split(".")) if match else ()


def _satisfies(have: str, operator: str, wanted: str) -> bool:
    mine, bound = release(have), release(wanted)
    if operator == ">=":
        return mine >= bound
    if operator == "<":
        return mine < bound
    return mine[: len(bound)] == bound


class Backend(ABC):
    """Turns parameters of a report into what an arm gets here, or says why it cannot."""

    name: str
    needs_torch = True

    def prepare(self, machine: Machine, reproduction: Reproduction, values: dict[str, Any]) -> Setup:
        """The parameters, environment and facts of the arms of a reproduction on a machine.

        Raises:
            Unavailable: naming what is missing.
        """
        for need in reproduction.needs:
            if need == "torch" and not self.needs_torch:
                continue
            if not need.startswith("gpus:"):
                machine.check(need)
        return self._setup(machine, reproduction, values)

    @abstractmethod
    def _setup(self, machine: Machine, reproduction: Reproduction, values: dict[str, Any]) -> Setup: ...


@dataclass
class Setup:
    """How the arms of a reproduction run on a backend.

    Attributes:
        parameters: complete, `backend` and `isolation` among them.
        variables: environment variables of the child.
        limits: what this run cannot show, sentences.
        emulation: slots of the fact `emulation` that explain receives, empty when nothing is emulated.
        environment: stands in the verdict.
    """

    parameters: dict[str, Any]
    variables: dict[str, str] = field(default_factory=dict)
    limits: list[str] = field(default_factory=list)
    emulation: dict[str, Any] = field(default_factory=dict)
    environment: dict[str, Any] = field(default_factory=dict)


def plain_setup(machine: Machine, backend: str, reproduction: Reproduction, values: dict[str, Any]) -> Setup:
    """Without a GPU: the parameters as they are, GPUs hidden from the child."""
    setup = Setup({**values, "backend": backend, "isolation": reproduction.isolation})
    setup.parameters.setdefault("wording", "2.6")
    setup.variables = {"CUDA_VISIBLE_DEVICES": "", "HIP_VISIBLE_DEVICES": ""}
    setup.environment = described(machine)
    limit = reproduction.backends.get(backend, "")
    if limit:
        setup.limits.append(limit)
    return setup


def described(machine: Machine) -> dict[str, Any]:
    """The machine as a verdict shows it."""
    facts = machine.facts
    torch = facts.get("torch", {})
    environment = {"python": facts.get("python"), "system": facts.get("system"), "versions": machine.versions}
    if torch.get("cuda"):
        environment["versions"] = {**machine.versions, "cuda": torch["cuda"]}
    if torch.get("hip"):
        environment["versions"] = {**machine.versions, "hip": torch["hip"]}
    return environment
