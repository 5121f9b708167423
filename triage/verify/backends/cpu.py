"""PyTorch on the processor: everything that does not depend on a GPU's own memory or kernels."""

from __future__ import annotations

from typing import Any

from triage.verify.backends.base import Backend, Machine, Setup, plain_setup
from triage.verify.reproduction import Reproduction


class Cpu(Backend):
    """Real operators, processes, sockets and files, without any GPU."""

    name = "cpu"

    def _setup(self, machine: Machine, reproduction: Reproduction, values: dict[str, Any]) -> Setup:
        return plain_setup(machine, self.name, reproduction, values)
