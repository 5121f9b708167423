"""How fast `triage scan` reads the logs of a training run, against a grep for the words of a dozen failures.

    python benchmarks/scan.py [--mib SIZE] [--jobs N]

Logs of healthy runs, SIZE MiB in all; in one of eight, the last lines report that memory ran out a hundred times. All read them from
the page cache, in turn, three times; medians are compared. grep says which lines hold a word, triage what failed, why and how often,
so the ratio is what that costs.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

RANKS, ROUNDS = 8, 3
WORDS = (
    "out of memory|device-side assert|illegal memory access|Watchdog caught|unhandled cuda error|CUDA driver version is insufficient|Xid|"
    "no kernel image|fallen off the bus|CUBLAS_STATUS|CUDNN_STATUS|Segmentation fault"
)
OOM = (
    "[rank{rank}]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU {rank} has a total capacity of 79.15 GiB of "
    "which 1.06 GiB is free. Of the allocated memory 70.00 GiB is allocated by PyTorch, and 6.00 GiB is reserved by PyTorch but "
    "unallocated.\n"
)


def healthy(rank: int, size: int) -> Iterator[str]:
    """Lines as a training loop, NCCL and a checkpointer print them, of `size` bytes in all."""
    chance = random.Random(rank)
    step = 0
    while size > 0:
        step += 1
        stamp = f"2026-11-20 {step // 3600 % 24:02d}:{step // 60 % 60:02d}:{step % 60:02d},{step % 1000:03d}"
        line = (
            f"{stamp} [INFO] [Rank {rank}] epoch: {step // 1000} step: {step} loss: {chance.random() * 5:.4f} lr: 1.0e-04 grad_norm: "
            f"{chance.random():.3f} mem: {chance.random() * 80:.1f}GB tokens/s: {chance.randint(1000, 9999)}\n"
        )
        if step % 20 == 0:
            line = (
                f"node1:4711:5013 [{rank}] NCCL INFO Channel {step % 32:02d}/0 : {rank}[{rank}] -> {(rank + 1) % RANKS}[0] via P2P/CUMEM\n"
            )
        elif step % 97 == 0:
            line = f"WARNING:root:saving the checkpoint of step {step} took {chance.random() * 30:.2f}s\n"
        size -= len(line)
        yield line


def write_logs(directory: Path, size: int) -> list[Path]:
    """The logs, `size` bytes in all."""
    paths = []
    for rank in range(RANKS):
        paths.append(directory / f"rank{rank}.log")
        with paths[-1].open("w", encoding="utf-8") as log:
            log.writelines(healthy(rank, size // RANKS))
            log.writelines([OOM.format(rank=rank)] * 100 if rank == 5 else [])
    return paths


def seconds(command: Sequence[str | Path]) -> float:
    """Wall time of a whole process that succeeds."""
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, env={**os.environ, "LC_ALL": "C"}, check=True)
    return time.perf_counter() - start


def main() -> int:
    """Print the table; fails where there is no grep."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mib", type=int, default=256, help="size of all logs")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes that triage uses in the last row")
    arguments = parser.parse_args()
    grep = shutil.which("grep")
    if grep is None:
        print("there is no grep to compare with", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as directory:
        paths = write_logs(Path(directory), arguments.mib << 20)
        scan = [sys.executable, "-m", "triage", "scan", "--jobs"]
        commands: dict[str, list[str | Path]] = {
            "grep -E, 12 words": [grep, "-c", "-E", WORDS, *paths],
            "triage scan, 1 job": [*scan, "1", *paths],
            f"triage scan, {arguments.jobs} jobs": [*scan, str(arguments.jobs), *paths],
        }
        seconds(commands["triage scan, 1 job"])  # compiles the rules on the first run, and brings the logs into memory
        rounds = [{name: seconds(command) for name, command in commands.items()} for _ in range(ROUNDS)]
    times = {name: statistics.median(found[name] for found in rounds) for name in commands}
    peer = times["grep -E, 12 words"]
    print(f"| {arguments.mib} MiB in {RANKS} logs | seconds | MiB/s | times as long as grep |\n| --- | --- | --- | --- |")
    for name, taken in times.items():
        print(f"| {name} | {taken:.2f} | {arguments.mib / taken:.0f} | {taken / peer:.1f} |")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
