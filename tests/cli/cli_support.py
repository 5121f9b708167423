"""Running the command line as a user does: another process, bytes in, bytes out."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

OOM = """Traceback (most recent call last):
  File "/home/ana/train.py", line 12, in <module>
    loss.backward()
torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 1; 23.65 GiB total capacity; 20.12 GiB already \
allocated; 1.10 GiB free; 22.30 GiB reserved in total by PyTorch) If reserved memory is >> allocated memory try setting \
max_split_size_mb to avoid fragmentation.  See documentation for Memory Management and PYTORCH_CUDA_ALLOC_CONF
"""
HEALTHY = "epoch 1: loss 0.31\nepoch 2: loss 0.28\n"


def environment(**changes: str | None) -> dict[str, str]:
    """This process's environment without what steers language and colours, changed; None removes a variable."""
    steering = ("LANG", "LC_ALL", "LC_MESSAGES", "TRIAGE_LANG", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS")
    result = {name: value for name, value in os.environ.items() if name not in steering}
    result["PYTHONPATH"] = str(ROOT)
    for name, value in changes.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = value
    return result


def triage(
    *arguments: str | Path, stdin: bytes = b"", cwd: Path | None = None, **changes: str | None
) -> subprocess.CompletedProcess[bytes]:
    """`triage ARGUMENTS`, with environment variables changed."""
    command = [sys.executable, "-m", "triage", *map(str, arguments)]
    return subprocess.run(command, input=stdin, capture_output=True, cwd=cwd, env=environment(**changes), timeout=120, check=False)


# Not getrusage: its peak begins with that of the process that starts another, and goes on over all of them.
_PEAK = """
import re, sys
from triage.cli import main
try:
    main()
finally:
    print(re.search(r"VmHWM:\\s+([0-9]+) kB", open("/proc/self/status").read())[1], file=sys.stderr)
"""


def triage_with_peak(*arguments: str | Path, stdout: int = subprocess.PIPE) -> tuple[subprocess.CompletedProcess[bytes], int]:
    """The same, with the most memory that it held, in KiB. Skips where nothing tells it."""
    if not Path("/proc/self/status").exists():
        pytest.skip("the peak of a process is read from /proc")
    command = [sys.executable, "-c", _PEAK, *map(str, arguments)]
    done = subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, env=environment(), timeout=120, check=False)
    done.stderr, _, peak = done.stderr.rstrip(b"\n").rpartition(b"\n")
    return done, int(peak or done.stderr)


def one_line(error: bytes) -> str:
    """The only line of standard error; fails where there are several, or a traceback."""
    text = error.decode()
    assert text.count("\n") == 1, text
    assert "Traceback" not in text
    return text.rstrip("\n")
