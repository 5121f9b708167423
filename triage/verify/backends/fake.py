"""PyTorch's own tensors without data: devices that do not exist, models that fit no machine."""

from __future__ import annotations

from typing import Any

from triage.verify.backends.base import Backend, Machine, Setup, plain_setup
from triage.verify.reproduction import Reproduction

NO_PROOF = "a pass without data is no proof: some checks and all values are missing"


class Fake(Backend):
    """PyTorch runs the program on meta or fake tensors: shapes, dtypes, devices and storages are real, values are not."""

    name = "fake"

    def _setup(self, machine: Machine, reproduction: Reproduction, values: dict[str, Any]) -> Setup:
        setup = plain_setup(machine, self.name, reproduction, values)
        setup.limits.append(NO_PROOF)
        return setup
