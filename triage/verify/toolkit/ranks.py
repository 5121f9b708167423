"""Several processes of one job on this machine: the same program, started once a rank."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable

from triage.verify.toolkit.harness import Parameters

GRACE_SECONDS = 20.0
"""How long the other ranks may go on once one has failed, as a launcher lets them."""


def with_ranks(p: Parameters, world: int, body: Callable[[int], object], debug: str = "") -> None:
    """Runs `body(rank)` in `world` processes and shows their lines as `torchrun --tee 3` does.

    Exits with status 1 when any of them fails. `debug` sets TORCH_DISTRIBUTED_DEBUG, which torch reads when it is
    imported.
    """
    if p.rank is not None:
        body(p.rank)
        leave_group()
        sys.stdout.flush()
        os._exit(0)  # its work is done; threads of the backend that are still ending can abort an ordinary exit under load
    processes = [_start_rank(p, rank, world, debug) for rank in range(world)]
    threads = [threading.Thread(target=_show_lines, args=(rank, process)) for rank, process in enumerate(processes)]
    for thread in threads:
        thread.start()
    failed_at = 0.0
    while any(process.poll() is None for process in processes):
        if not failed_at and any(process.poll() for process in processes):
            failed_at = time.monotonic()
        if failed_at and time.monotonic() - failed_at > GRACE_SECONDS:
            for process in processes:
                process.kill()
        time.sleep(0.05)
    for thread in threads:
        thread.join()
    if any(process.returncode for process in processes):
        sys.exit(1)


def rendezvous_file() -> str:
    """An address for `init_process_group` that needs no port: a file in the working folder."""
    return f"file://{os.getcwd()}/rendezvous"


def free_port() -> int:
    """A port of the loopback interface that nobody uses; import what takes long before asking, so that it stays so."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def leave_group() -> None:
    """Leaves the process group in order: one that is still there when the interpreter ends can abort it."""
    from torch import distributed

    if distributed.is_initialized():
        distributed.barrier()  # a rank that leaves while another still talks to it can take that one down
        distributed.destroy_process_group()


def _start_rank(p: Parameters, rank: int, world: int, debug: str) -> subprocess.Popen[str]:
    variables = {**os.environ, "RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(world)}
    if debug:
        variables["TORCH_DISTRIBUTED_DEBUG"] = debug
    command = [sys.executable, sys.argv[0], *p.arguments, "--rank", str(rank)]
    return subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")


def _show_lines(rank: int, process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        print(f"[default{rank}]:{line}", end="", flush=True)
