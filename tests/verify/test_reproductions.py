"""Every reproduction that needs no GPU, run for real: it fails as reported, and the fix does what is said of it."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

import pytest

from triage.verify.catalog import catalog, find
from triage.verify.reproduction import Facts

RUNS = [(one.id, backend) for one in catalog().values() for backend in one.backends if backend != "cuda"]

# Advice that is given and does not hold, found by running it.
REFUTED = {("memory.gpu-oom.algorithm-parameter", "algorithm-parameter")}
# What a machine may lack; the reason must name it.
MAY_NEED = {
    "config.quantization.both-arguments": "transformers",
    "config.quantization.backend-missing": ("transformers", "accelerate", "bitsandbytes"),
    "config.device-map.moved-after-dispatch": "accelerate",
    "config.attention-backend.flash-missing": ("transformers", "flash-attn"),
    "dtype.unsupported-by-gpu.bf16-training": ("transformers", "accelerate"),
    "memory.host-shm.small-dev-shm": "namespace",
    "version.toolchain-missing.compiler": "g++",
    "version.toolchain-missing.ninja": "ninja",
    "version.toolchain-missing.cuda-home": "with CUDA",
    "version.abi.undefined-symbol": "g++",
    "compile.extension-build.compiler-error": ("g++", "ninja"),
    "device.unavailable.no-driver": "with CUDA",
    "env.driver-not-loaded.nvml": "nvidia-ml-py",
}

Runs = dict[tuple[str, str], "Future[list[dict[str, Any]]]"]


@pytest.mark.parametrize(("name", "backend"), RUNS, ids=[f"{name}-{backend}" for name, backend in RUNS])
def test_reproduction(name: str, backend: str, runs: Runs) -> None:
    verdicts = runs[name, backend].result()
    assert verdicts
    needs = MAY_NEED.get(name, ())
    needed = (needs,) if isinstance(needs, str) else needs
    if all(verdict["verdict"] == "not-possible" for verdict in verdicts):
        tried = [catalog()[name].fixes[verdict["fix"]] for verdict in verdicts]
        elsewhere = all(fix.package or backend not in (fix.backends or (backend,)) for fix in tried)
        if elsewhere or any(word in verdicts[0]["reason"] for word in needed):
            pytest.skip(verdicts[0]["reason"])
    for verdict in verdicts:
        check(name, verdict)


def check(name: str, verdict: dict[str, Any]) -> None:
    fix = catalog()[name].fixes[verdict["fix"]]
    if fix.package or (fix.backends and verdict["backend"] not in fix.backends):
        assert verdict["verdict"] == "not-possible"
        return
    refuted = not fix.advised or (name, verdict["fix"]) in REFUTED
    reported = verdict["arms"]["reported"]
    assert verdict["verdict"] == ("refuted" if refuted else "confirmed"), (verdict["reason"], reported and reported["output_tail"])
    assert reported["diagnosis"]["family"] == verdict["family"]
    assert verdict["arms"]["fixed"]["outcome"] == ("failed" if refuted else "passed")


@pytest.mark.parametrize(("name", "backend"), RUNS, ids=[f"{name}-{backend}" for name, backend in RUNS])
def test_the_diagnosis_of_its_own_output_leads_back(name: str, backend: str, runs: Runs) -> None:
    """What triage says of the failing arm is a diagnosis for which a reproduction of the same family is found, where one names it."""
    one = catalog()[name]
    reported = next((verdict["arms"]["reported"] for verdict in runs[name, backend].result() if verdict["arms"]["reported"]), None)
    if reported is None or reported["diagnosis"] is None or not one.diagnoses:
        pytest.skip("nothing was diagnosed here")
    found = find(Facts(reported["diagnosis"]))
    assert found is not None, reported["diagnosis"]
    assert found.family == one.family


def test_the_threshold_of_neuron_scoring_does_not_lower_the_peak(runs: Runs) -> None:
    """Fewer neurons are kept, after the memory was needed; letting go of the graph is what lowers the peak."""
    verdicts = {verdict["fix"]: verdict["arms"] for verdict in runs["memory.gpu-oom.algorithm-parameter", "fake"].result()}
    reported, raised = (verdicts["algorithm-parameter"][arm]["measurements"] for arm in ("reported", "fixed"))
    assert raised["neurons_kept"] < reported["neurons_kept"]
    assert raised["peak_allocated_bytes"] == reported["peak_allocated_bytes"]
    detached = verdicts["free-memory"]["fixed"]["measurements"]
    assert detached["peak_allocated_bytes"] < reported["peak_allocated_bytes"] / 2
    assert detached["neurons_kept"] == reported["neurons_kept"]


def test_weights_in_four_bits_are_as_large_as_they_must_be(runs: Runs) -> None:
    """13 billion parameters: about 24.2 GiB in 16 bits; 4.5 bits each for the projections, adapters and embeddings besides."""
    verdicts = {
        verdict["fix"]: verdict["arms"]["fixed"]["measurements"] for verdict in runs["memory.gpu-oom.model-too-large", "fake"].result()
    }
    assert 7.5 < verdicts["quantize"]["weights_bytes"] / 2**30 < 8.0
    assert verdicts["shard-model"]["weights_bytes"] < verdicts["quantize"]["capacity_bytes"] / 2
