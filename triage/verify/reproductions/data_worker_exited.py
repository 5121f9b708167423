"""DataLoader workers that are spawned import the main script again, and the script has no `__main__` guard.

Each worker starts the whole program over, is stopped by Python while it tries to start workers of its own, and ends;
the loader sees that its workers exited. This is how the failure comes on Windows and macOS, where spawn is the rule.
"""

from __future__ import annotations

import subprocess
import sys

from triage.verify.reproduction import Fix, Reproduction, count
from triage.verify.toolkit.harness import Parameters

_SCRIPT = """
import torch
from torch.utils.data import DataLoader, TensorDataset

def main():
    data = TensorDataset(torch.arange(8))
    for batch in DataLoader(data, num_workers={workers}, multiprocessing_context={context}):
        print(batch)

{start}
"""

REPRODUCTION = Reproduction(
    id="data.dataloader-worker.no-main-guard",
    family="data.dataloader-worker",
    cause=None,
    diagnoses=(
        "data.dataloader-worker.main-guard",
        "data.dataloader-worker.exited",
    ),
    title="Spawned DataLoader workers exit because the script has no __main__ guard",
    shows="Without the guard every worker runs the whole script again and ends; with it, or without workers, data flows.",
    backends={"cpu": "the start method is set to spawn, the default of Windows and macOS"},
    parameters=(count("workers", 2, "worker processes", high=16),),
    fixes={
        "update-code": Fix("starts the program below `if __name__ == '__main__':`"),
        "reduce-workers": Fix("loads in the main process (num_workers=0)"),
    },
    sources=("https://pytorch.org/docs/stable/data.html#platform-specific-behaviors",),
)


def reported(p: Parameters) -> None:
    """Spawned workers, no guard."""
    _run(p.workers, guard=False)


def fixed(p: Parameters, fix: str) -> None:
    """A guard, or no workers."""
    _run(0 if fix == "reduce-workers" else p.workers, guard=fix == "update-code")


def _run(workers: int, guard: bool) -> None:
    start = 'if __name__ == "__main__":\n    main()' if guard else "main()"
    with open("train.py", "w", encoding="utf-8") as file:
        file.write(_SCRIPT.format(workers=workers, context="'spawn'" if workers else "None", start=start))
    sys.exit(subprocess.run([sys.executable, "train.py"], check=False).returncode)
