"""A kernel reads far outside its arrays."""

from __future__ import annotations

import pathlib
import subprocess
import sys

from triage.verify.reproduction import Fix, Reproduction, count
from triage.verify.toolkit.harness import Parameters

_COPY = """
import sys
import torch, triton
import triton.language as tl

@triton.jit
def copy(source, target, offset, size, MASKED: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK) + offset
    if MASKED:
        values = tl.load(source + at, mask=at < size, other=0.0)
    else:
        values = tl.load(source + at)
    tl.store(target + tl.arange(0, BLOCK), values)

offset, masked = map(int, sys.argv[1:])
source, target = torch.ones(256, device="cuda"), torch.empty(256, device="cuda")
copy[(1,)](source, target, offset, 256, MASKED=bool(masked), BLOCK=256)
torch.cuda.synchronize()
"""

REPRODUCTION = Reproduction(
    id="kernel.illegal-access.out-of-bounds",
    family="kernel.illegal-access",
    cause=None,
    diagnoses=(
        "kernel.illegal-access.fault",
        "kernel.illegal-access.custom-kernel",
        "kernel.illegal-access.unmapped-address",
    ),
    title="An illegal memory access inside a kernel",
    shows="A load far beyond an array stops the kernel; with a mask, or the right offset, it does not happen.",
    backends={"cuda": ""},
    needs=("torch", "triton", "tool:gcc", "tool:Python.h"),  # Triton compiles its launcher
    parameters=(count("offset", 1 << 40, "elements beyond the start", low=1 << 30, high=1 << 44),),
    fixes={"fix-index-range": Fix("starts at the array"), "update-code": Fix("masks what lies outside")},
    sources=("https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html",),
)


def reported(p: Parameters) -> None:
    """Far outside."""
    _launch(p.offset, masked=False)


def fixed(p: Parameters, fix: str) -> None:
    """Inside, or masked."""
    _launch(0 if fix == "fix-index-range" else p.offset, masked=fix == "update-code")


def _launch(offset: int, masked: bool) -> None:
    pathlib.Path("kernel.py").write_text(_COPY, encoding="utf-8")  # Triton reads a kernel's source from a file
    sys.exit(subprocess.run([sys.executable, "kernel.py", str(offset), str(int(masked))], check=False).returncode)
