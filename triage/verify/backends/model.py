"""The simulation of the caching allocator alone: a trace of requests against a card of the reported size."""

from __future__ import annotations

from typing import Any

from triage.verify.backends.base import Backend, Machine, Setup, plain_setup
from triage.verify.reproduction import Reproduction

NO_PROOF = "a pass on the model of the allocator is no proof"


class Model(Backend):
    """Nothing of PyTorch runs; `allocator_model` stands for its allocator."""

    name = "model"
    needs_torch = False

    def _setup(self, machine: Machine, reproduction: Reproduction, values: dict[str, Any]) -> Setup:
        setup = plain_setup(machine, self.name, reproduction, values)
        setup.limits.append(NO_PROOF)
        return setup
