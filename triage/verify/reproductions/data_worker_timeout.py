"""A DataLoader with a timeout meets a sample that takes longer."""

from __future__ import annotations

import time
from typing import Any

from triage.verify.reproduction import Fix, Parameter, Reproduction
from triage.verify.toolkit.harness import Parameters

REPRODUCTION = Reproduction(
    id="data.dataloader-worker.timeout",
    family="data.dataloader-worker",
    cause=None,
    diagnoses=("data.dataloader-worker.timed-out",),
    title="A DataLoader worker does not deliver in time",
    shows="A sample slower than the loader's timeout ends the loop; a longer timeout or loading in place does not.",
    backends={"cpu": ""},
    parameters=(
        Parameter("timeout_s", "real", 1.0, "timeout of the loader, seconds", low=0.2, high=20),
        Parameter("sample_s", "real", 4.0, "time one sample takes, seconds", low=0.5, high=60),
    ),
    fixes={"increase-timeout": Fix("waits longer than a sample takes"), "reduce-workers": Fix("loads in the main process (num_workers=0)")},
    sources=("https://pytorch.org/docs/stable/data.html#torch.utils.data.DataLoader",),
)


def reported(p: Parameters) -> None:
    """A sample slower than the timeout."""
    _load(p, 1, p.timeout_s)


def fixed(p: Parameters, fix: str) -> None:
    """A longer timeout, or none at all."""
    if fix == "increase-timeout":
        _load(p, 1, p.sample_s + 30)
    else:
        _load(p, 0, 0)


def _load(p: Parameters, workers: int, timeout_s: float) -> None:
    from torch.utils.data import DataLoader, Dataset

    class Slow(Dataset):  # type: ignore[misc]
        def __len__(self) -> int:
            return 1

        def __getitem__(self, index: int) -> Any:
            time.sleep(p.sample_s)
            return index

    context = "fork" if workers else None
    for _ in DataLoader(Slow(), num_workers=workers, timeout=timeout_s, multiprocessing_context=context):
        pass
