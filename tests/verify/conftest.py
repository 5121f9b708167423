"""What the tests of reproductions share: one campaign over all of them, run once, three at a time: some mostly wait."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

import pytest

from tests.verify.warm import WarmInterpreter
from triage.verify import runner
from triage.verify.backends import Machine
from triage.verify.campaign import Campaign, Job
from triage.verify.catalog import catalog
from triage.verify.reproduction import Reproduction

EVERYTHING = bool(os.environ.get("TRIAGE_VERIFY_ALL"))
"""Set to try all fixes at full size; without it, one or two of each reproduction and all that say something about a founding case."""

ALSO = {
    "memory.gpu-oom.algorithm-parameter": ("algorithm-parameter", "free-memory"),
    "memory.gpu-oom.model-too-large": ("quantize", "shard-model"),
    "memory.gpu-oom.duplicate-load": ("load-once", "allocator-config"),
    "memory.gpu-oom.fragmentation": ("allocator-config", "free-memory", "reduce-batch-or-sequence"),
    "device.host-conversion.numpy": ("run-on-cpu",),
    "device.mismatch.model-parallel-placement": ("move-to-same-device", "update-code"),
    "config.quantization.both-arguments": ("remove-argument",),
    "memory.host-shm.small-dev-shm": ("increase-shm", "raise-limits"),
    "version.toolchain-missing.compiler": ("disable-feature",),
}  # fmt: skip

SMALLER = {
    # the mechanism on a quarter of the layers, with a longer prompt and a card in proportion
    "memory.gpu-oom.algorithm-parameter": {"layers": 8, "prompt_tokens": 1440, "capacity_bytes": 44_000_000_000},
    "data.dataloader-worker.no-main-guard": {"workers": 1},
}


@pytest.fixture(scope="session")
def with_torch() -> None:
    """Skips where torch is not installed: the tests that ask for it run it for real, in child processes."""
    if find_spec("torch") is None:
        pytest.skip("torch is not installed (pip install 'gpu-triage[verify]')")


@pytest.fixture(scope="session")
def machine(with_torch: None) -> Machine:
    return Machine.ask(sys.executable)


@pytest.fixture(scope="session")
def warm(machine: Machine) -> Iterator[None]:
    """Arms that may are forks of an interpreter with torch, see there."""
    if EVERYTHING or not sys.platform.startswith("linux"):
        yield
        return
    interpreter = WarmInterpreter()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "subprocess", SimpleNamespace(**{**vars(subprocess), "Popen": interpreter.popen}))
        yield
    interpreter.close()


class Runs(dict[tuple[str, str], "Future[list[dict[str, Any]]]"]):
    """Verdicts by reproduction and backend, as futures: what is asked for is on its way."""

    def __init__(self, machine: Machine) -> None:
        super().__init__()
        self._machine = machine
        self._pool = ThreadPoolExecutor(3)

    def __missing__(self, key: tuple[str, str]) -> Future[list[dict[str, Any]]]:
        one = catalog()[key[0]]
        self[key] = self._pool.submit(_verdicts, self._machine, Job(one.id, _sized(one), _fixes(one.id, tuple(one.fixes))), key[1])
        return self[key]


@pytest.fixture(scope="session")
def runs(machine: Machine, warm: None, request: pytest.FixtureRequest) -> Runs:
    """Runs that the selected tests will look at. GPUs are for tests/gpu."""
    started = Runs(machine)
    for item in request.session.items:
        parameters = item.callspec.params if "runs" in getattr(item, "fixturenames", ()) and hasattr(item, "callspec") else {}
        if {"name", "backend"} <= parameters.keys():
            started[parameters["name"], parameters["backend"]]  # asking starts it
    return started


def _fixes(name: str, fixes: tuple[str, ...]) -> tuple[str, ...]:
    return fixes if EVERYTHING else ALSO.get(name, fixes[:1])


def _sized(one: Reproduction) -> Reproduction:
    smaller = {} if EVERYTHING else SMALLER.get(one.id, {})
    return replace(one, parameters=tuple(replace(each, default=smaller.get(each.name, each.default)) for each in one.parameters))


def _verdicts(machine: Machine, job: Job, backend: str) -> list[dict[str, Any]]:
    return list(Campaign(machine, backend=backend).verdicts([job]))
