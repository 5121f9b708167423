"""What each backend makes of a machine: which GPU, how large, and what is missing."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from triage.verify.backends import ALL, Machine, Unavailable
from triage.verify.backends.base import release
from triage.verify.catalog import catalog
from triage.verify.reproduction import Facts

GIB = 1 << 30
FRAGMENTATION = catalog()["memory.gpu-oom.fragmentation"]
TORCH = {"version": "2.6.0+cu124", "cuda": "12.4", "hip": None}


def gpu(index: int, free: int = 140 * GIB) -> dict[str, Any]:
    return {
        "index": index,
        "visible_as": str(index),
        "uuid": f"aaaa-{index}",
        "name": "NVIDIA H200",
        "total_bytes": 141 * GIB,
        "free_bytes": free,
    }


def machine(*gpus: dict[str, Any], wanted: int | None = None) -> Machine:
    return Machine(sys.executable, {"versions": {"torch": "2.6.0"}, "tools": [], "torch": TORCH, "gpus": list(gpus)}, wanted)


def prepared(host: Machine, name: str = FRAGMENTATION.id, **facts: Any) -> Any:
    one = catalog()[name]
    return ALL["cuda"].prepare(host, one, one.bind(Facts({"facts": facts}))[0])


@pytest.fixture(autouse=True)
def held(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Who holds which GPU, by UUID as NVML prints it."""
    holders: dict[str, str] = {}
    monkeypatch.setattr("triage.live.nvml.holders", lambda: holders)
    monkeypatch.setattr("triage.live.nvml.driver_version", lambda: "550.54.15")
    return holders


def test_a_larger_card_stands_for_the_reported_one() -> None:
    setup = prepared(machine(gpu(0)), capacity_bytes=32 * GIB)
    assert setup.parameters["capacity_bytes"] == 32 * GIB
    assert setup.emulation == {"capacity_bytes": 32 * GIB, "gpu": 0, "name": "memory fraction"}
    assert setup.variables["CUDA_VISIBLE_DEVICES"] == "0"
    assert setup.environment["driver"] == "550.54.15"
    assert setup.environment["versions"]["cuda"] == "12.4"


def test_on_a_smaller_card_sizes_shrink_and_that_is_said() -> None:
    setup = prepared(machine(gpu(0, free=16 * GIB)), capacity_bytes=80 * GIB, requested_bytes=8 * GIB, allocated_bytes=60 * GIB)
    scale = setup.parameters["capacity_bytes"] / (80 * GIB)
    assert setup.parameters["capacity_bytes"] <= 16 * GIB
    assert setup.parameters["requested_bytes"] == pytest.approx(8 * GIB * scale, rel=1e-6)
    assert any("all sizes are multiplied by 0.194" in limit for limit in setup.limits)


def test_a_card_that_is_too_small_for_the_mechanism_is_not_used() -> None:
    with pytest.raises(Unavailable, match=r"a GPU with 4[01] GiB free"):
        prepared(machine(gpu(0, free=24 * GIB)), "memory.gpu-oom.algorithm-parameter")


@pytest.mark.parametrize(("backend", "name"), [("fake", "device.mismatch.input-not-moved"), ("model", FRAGMENTATION.id)])
def test_a_pass_without_a_card_is_never_called_proof(backend: str, name: str) -> None:
    one = catalog()[name]
    limits = ALL[backend].prepare(machine(), one, one.bind(Facts())[0]).limits
    assert "no proof" in limits[-1]
    assert limits[0] == one.backends[backend]


def test_a_limit_that_is_the_failure_emulates_nothing() -> None:
    assert prepared(machine(gpu(0)), "memory.gpu-oom.memory-cap").emulation == {}


def test_a_gpu_in_use_is_left_alone(held: dict[str, str]) -> None:
    held["GPU-aaaa-0"] = "2 process(es) hold 3000 MiB: python (1), python (2)"
    assert prepared(machine(gpu(0), gpu(1))).variables["CUDA_VISIBLE_DEVICES"] == "1"
    with pytest.raises(Unavailable, match="named with --gpu: on GPU 0 2 process"):
        prepared(machine(gpu(0)))
    assert prepared(machine(gpu(0), wanted=0)).variables["CUDA_VISIBLE_DEVICES"] == "0"
    with pytest.raises(Unavailable, match="GPU 3"):
        prepared(machine(gpu(0), wanted=3))


def test_without_identities_any_use_counts(held: dict[str, str]) -> None:
    held["GPU-aaaa-5"] = "1 process(es) hold 10 MiB: python (1)"
    with pytest.raises(Unavailable):
        prepared(machine({**gpu(0), "uuid": ""}))


def test_two_gpus_are_two_gpus() -> None:
    name = "device.mismatch.model-parallel-placement"
    assert prepared(machine(gpu(0), gpu(1)), name).variables["CUDA_VISIBLE_DEVICES"] == "0,1"
    with pytest.raises(Unavailable, match="2 GPUs"):
        prepared(machine(gpu(0)), name)


def test_only_visible_gpus_are_used() -> None:
    setup = prepared(machine({**gpu(0), "visible_as": "GPU-aaaa-0"}))
    assert setup.variables["CUDA_VISIBLE_DEVICES"] == "GPU-aaaa-0"


@pytest.mark.parametrize("name", ["fake", "cpu", "model"])
def test_other_backends_hide_gpus(name: str) -> None:
    one = next(one for one in catalog().values() if name in one.backends and set(one.needs) <= {"torch"})
    setup = ALL[name].prepare(machine(gpu(0)), one, one.bind(Facts())[0])
    assert setup.variables["CUDA_VISIBLE_DEVICES"] == ""
    assert setup.parameters["backend"] == name


def test_needs() -> None:
    host = Machine(sys.executable, {"versions": {"transformers": "4.57.6", "torch": "2.13.0+cpu"}, "tools": ["g++"]})
    for need in ("torch", "transformers>=4.30,<5", "transformers==4.57", "tool:g++", "absent:flash-attn"):
        host.check(need)
    for need in ("transformers>=5", "transformers<4.57", "transformers==4.5", "bitsandbytes", "tool:ninja", "absent:torch"):
        with pytest.raises(Unavailable):
            host.check(need)
    assert release("2.13.0+cpu") == (2, 13, 0)
    assert release("unknown") == ()


def test_a_broken_interpreter_is_told() -> None:
    with pytest.raises((Unavailable, OSError)):
        Machine.ask("/bin/false")
