"""Runs one program in a child process that cannot outlive its limits.

The child leads a session of its own, reads nothing, talks to the loopback interface only (see toolkit.harness) and
starts from a clean environment. Its whole tree is polled for host memory and killed on excess, at the wall-clock
limit and when the verifier is interrupted. Descendants are found by session and by a mark in their environment,
so one that left the session dies as well. An address-space limit is not used: it breaks CUDA.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from triage.verify.allocator_settings import GIB
from triage.verify.verdict import Arm

MARK = "TRIAGE_VERIFY_RUN"
OUTPUT_LIMIT = 1 << 20  # bytes kept of a child's output: the first half and the last half of it
_LINUX = os.path.isdir("/proc/self")
_POLL_SECONDS = 0.25
_LOOK_AGAIN = 8  # polls of memory after which processes that were none of ours are looked at again: a pid can be given anew
_KILL_ATTEMPTS = 100
_KERNEL = b"2"  # parent of all threads of the kernel
_KEPT_VARIABLES = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "CUDA_HOME", "CUDA_PATH", "ROCM_PATH", "LOGNAME", "USER")

Progress = Callable[[float, int], None]
"""Called while a child runs: seconds so far, bytes of host memory now."""


def run(
    program: str,
    arguments: list[str],
    *,
    name: str = "reproduction",
    python: str = sys.executable,
    timeout_s: float = 120.0,
    memory_bytes: int = 6 * GIB,
    variables: dict[str, str] | None = None,
    progress: Progress | None = None,
) -> Arm:
    """Runs the text of a program and says how it ended.

    Args:
        arguments: command-line arguments of the program.
        variables: environment variables besides the clean set.
        timeout_s, memory_bytes: limits of the whole tree of processes.

    Raises:
        KeyboardInterrupt: after the tree was killed.
        OSError: the interpreter cannot be started.
    """
    with tempfile.TemporaryDirectory(prefix="triage-verify-") as folder:
        script = Path(folder, f"{name}.py")
        script.write_text(program, encoding="utf-8")
        result = Path(folder, "result.json")
        mark = secrets.token_hex(16)
        environment = clean_environment(folder, mark) | (variables or {})
        start = time.monotonic()
        process = subprocess.Popen(
            [python, str(script), *arguments, "--result", str(result)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
        watch = _Watch(process, ProcessTree(process.pid, mark), start + timeout_s, memory_bytes)
        try:
            outcome = watch.follow(start, progress)
        finally:
            watch.kill()
        seconds = time.monotonic() - start
        measured = _read_result(result)
        code = None if outcome != "ended" else process.returncode
        if outcome == "ended":
            outcome = "passed" if code == 0 else "not-possible" if measured.get("outcome") == "not-possible" else "failed"
        return Arm(outcome, code, seconds, watch.peak, measured.get("measurements", {}), watch.output())


def clean_environment(folder: str, mark: str) -> dict[str, str]:
    """What a child sees: nothing of the user's settings, caches and homes in its own folder, no network proxies."""
    loopback = "lo" if _LINUX else "lo0"
    environment = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    environment.update(
        dict.fromkeys(("HOME", "TMPDIR", "XDG_CACHE_HOME", "HF_HOME", "TORCHINDUCTOR_CACHE_DIR", "TORCH_EXTENSIONS_DIR"), folder)
    )
    environment.update(
        {
            MARK: mark,
            "LANG": "C.UTF-8",
            "PYTHONUNBUFFERED": "1",
            "PYTHONUSERBASE": _user_base(),
            "PYTHONDONTWRITEBYTECODE": "1",
            "HF_HUB_OFFLINE": "1",
            "TRANSFORMERS_OFFLINE": "1",
            "TOKENIZERS_PARALLELISM": "false",
            "NO_PROXY": "*",
            "OMP_NUM_THREADS": "2",
            "MASTER_ADDR": "127.0.0.1",
            "GLOO_SOCKET_IFNAME": loopback,
            "NCCL_SOCKET_IFNAME": loopback,
        }
    )
    return environment


def _user_base() -> str:
    import site

    return site.getuserbase()


def _read_result(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}  # the arm was killed before it could write
    return data if isinstance(data, dict) else {}


class _Watch:
    """Follows a child: collects output, polls memory, ends it."""

    def __init__(self, process: subprocess.Popen[bytes], tree: ProcessTree, deadline: float, memory_bytes: int) -> None:
        self.process = process
        self.tree = tree
        self.deadline = deadline
        self.memory_bytes = memory_bytes
        self.peak = 0
        self._head = bytearray()
        self._tail = bytearray()
        self._lost = 0

    def follow(self, start: float, progress: Progress | None) -> str:
        """Returns `ended`, `timeout` or `memory`."""
        assert self.process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            polled = 0.0
            while True:
                if selector.get_map() and selector.select(_POLL_SECONDS):
                    chunk = os.read(self.process.stdout.fileno(), 1 << 16)
                    self._keep(chunk)
                    if not chunk:
                        selector.unregister(self.process.stdout)
                elif not selector.get_map():
                    time.sleep(_POLL_SECONDS / 10)
                if self.process.poll() is not None:
                    self._drain()
                    return "ended"
                if time.monotonic() - polled < _POLL_SECONDS:
                    continue
                polled = time.monotonic()
                now = self.tree.memory()
                self.peak = max(self.peak, now)
                if progress is not None:
                    progress(polled - start, now)
                if now > self.memory_bytes:
                    return "memory"
                if polled >= self.deadline:
                    return "timeout"

    def _drain(self) -> None:
        """What the child wrote before it ended; a descendant that holds the pipe open is not waited for."""
        assert self.process.stdout is not None
        os.set_blocking(self.process.stdout.fileno(), False)
        with contextlib.suppress(BlockingIOError):
            while chunk := os.read(self.process.stdout.fileno(), 1 << 16):
                self._keep(chunk)

    def _keep(self, chunk: bytes) -> None:
        half = OUTPUT_LIMIT // 2
        room = half - len(self._head)
        self._head += chunk[:room]
        self._tail += chunk[room:]
        if len(self._tail) > half:
            self._lost += len(self._tail) - half
            del self._tail[:-half]

    def output(self) -> str:
        gap = f"\n[{self._lost} bytes of output left out]\n".encode() if self._lost else b""
        return bytes(self._head + gap + self._tail).decode("utf-8", "replace")

    def kill(self) -> None:
        """Ends every process of the run and reaps the child."""
        for _ in range(_KILL_ATTEMPTS):
            alive = self.tree.pids()
            if self.process.poll() is None:
                alive.append(self.process.pid)
            if not alive:
                break
            for pid in alive:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.02)
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


class ProcessTree:
    """The processes of one run: those of its session, and those that carry its mark.

    Args:
        leader: process id, and session id, of the child that the runner started.
        mark: value of the variable `MARK` in its environment; every descendant inherits it.
    """

    def __init__(self, leader: int, mark: str) -> None:
        self.leader = leader
        self._mark = f"{MARK}={mark}".encode()
        self._strangers: dict[str, bytes] = {}  # when each started, by process id
        self._polls = 0

    def pids(self) -> list[int]:
        """Process ids that still live, the leader among them; zombies do not count."""
        if not _LINUX:
            listing = subprocess.run(["ps", "-A", "-o", "pid=,sess=,pgid=,state="], capture_output=True, text=True, check=False)
            rows = [line.split() for line in listing.stdout.splitlines()]
            return [int(row[0]) for row in rows if len(row) == 4 and str(self.leader) in row[1:3] and row[3][:1] != "Z"]
        return [int(entry) for entry in os.listdir("/proc") if entry.isdigit() and self._is_member(entry)]

    def _likely_pids(self) -> list[int]:
        """The same at a tenth of the cost: strangers are looked at again every few polls only."""
        self._polls += 1
        if not _LINUX or self._polls % _LOOK_AGAIN == 0:
            return self.pids()
        return [int(entry) for entry in os.listdir("/proc") if entry.isdigit() and entry not in self._strangers and self._is_member(entry)]

    def _is_member(self, pid: str) -> bool:
        with contextlib.suppress(OSError, IndexError, ValueError):
            fields = Path("/proc", pid, "stat").read_bytes().rpartition(b")")[2].split()
            state, session, started = fields[0], int(fields[3]), fields[19]
            if self._strangers.get(pid) == started or state == b"Z":
                return False
            if session == self.leader:
                return True
            variables = b"" if fields[1] == _KERNEL else Path("/proc", pid, "environ").read_bytes()
            if self._mark in variables:
                return True
            if variables or fields[1] == _KERNEL:  # else it may be on its way to another program
                self._strangers[pid] = started
        return False

    def memory(self) -> int:
        """Host memory in bytes; pages that the processes share count once where the system tells."""
        pids = self._likely_pids()
        if _LINUX:
            return sum(map(_proportional_bytes, pids)) if len(pids) > 1 else sum(map(_resident_bytes, pids))
        listing = subprocess.run(["ps", "-o", "rss=", "-p", ",".join(map(str, pids))], capture_output=True, text=True, check=False)
        return sum(int(line) * 1024 for line in listing.stdout.split() if line.isdigit())


def _proportional_bytes(pid: int) -> int:
    with contextlib.suppress(OSError, ValueError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return _resident_bytes(pid)


def _resident_bytes(pid: int) -> int:
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0
