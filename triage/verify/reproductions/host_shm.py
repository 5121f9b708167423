"""DataLoader workers hand batches over in shared memory that is too small, as it is in a container by default.

The process gets a mount namespace of its own with a /dev/shm of the given size; nothing outside sees it.
"""

from __future__ import annotations

import ctypes
import os
from typing import Any

from triage.verify.allocator_settings import MIB
from triage.verify.reproduction import Fix, Reproduction, count, size
from triage.verify.toolkit.harness import NotPossibleHere, Parameters

REPRODUCTION = Reproduction(
    id="memory.host-shm.small-dev-shm",
    family="memory.host-shm",
    cause=None,
    diagnoses=("memory.host-shm.too-small",),
    title="A DataLoader worker runs out of shared memory",
    shows="Batches larger than /dev/shm end a worker; a larger /dev/shm or no worker lets them through.",
    backends={"cpu": ""},
    parameters=(
        size("shm_bytes", 8 * MIB, "size of /dev/shm", low=MIB),
        size("batch_bytes", 32 * MIB, "size of a batch", low=2 * MIB),
        count("workers", 2, "worker processes", high=8),
    ),
    fixes={
        "increase-shm": Fix("gives /dev/shm room for the batches of all workers"),
        "reduce-workers": Fix("loads in the main process (num_workers=0)"),
        "raise-limits": Fix("shares by file names (sharing strategy file_system), which uses the same /dev/shm", advised=False),
    },
    sources=("https://pytorch.org/docs/stable/multiprocessing.html#sharing-strategies", "https://docs.docker.com/engine/containers/run/"),
    isolation="mounts",
)


def reported(p: Parameters) -> None:
    """Workers and a small /dev/shm."""
    _load(p, p.shm_bytes, p.workers)


def fixed(p: Parameters, fix: str) -> None:
    """More shared memory, or less use of it."""
    enough = p.batch_bytes * (2 * p.workers + 2)
    workers = 0 if fix == "reduce-workers" else p.workers
    _load(p, enough if fix == "increase-shm" else p.shm_bytes, workers, "file_system" if fix == "raise-limits" else "file_descriptor")


def _load(p: Parameters, shm_bytes: int, workers: int, strategy: str = "file_descriptor") -> None:
    _mount_shm(shm_bytes)
    import torch
    from torch.utils.data import DataLoader, Dataset

    torch.multiprocessing.set_sharing_strategy(strategy)

    class Batches(Dataset):  # type: ignore[misc]
        def __len__(self) -> int:
            return 4

        def __getitem__(self, index: int) -> Any:
            return torch.ones(p.batch_bytes // 4)

    context = "fork" if workers else None
    for _ in DataLoader(Batches(), batch_size=1, num_workers=workers, multiprocessing_context=context):
        pass


def _mount_shm(size_bytes: int) -> None:
    private, recursive = 1 << 18, 1 << 14
    libc = ctypes.CDLL(None, use_errno=True)
    failed = libc.mount(b"none", b"/", None, private | recursive, None)
    failed = failed or libc.mount(b"tmpfs", b"/dev/shm", b"tmpfs", 0, f"size={size_bytes}".encode())
    if failed:
        raise NotPossibleHere(f"a /dev/shm of its own (mount was refused: {os.strerror(ctypes.get_errno())})")
