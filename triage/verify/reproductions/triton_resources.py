"""A Triton kernel asks for more shared memory than a block of this GPU may have."""

from __future__ import annotations

import pathlib
import subprocess
import sys

from triage.verify.reproduction import Fix, Reproduction, count
from triage.verify.toolkit.harness import Parameters

_KERNEL = """
import sys
import torch, triton
import triton.language as tl

@triton.jit
def product(a, b, c, BLOCK: tl.constexpr, DEPTH: tl.constexpr, STEPS: tl.constexpr):
    rows = tl.arange(0, BLOCK)[:, None]
    columns = tl.arange(0, BLOCK)[None, :]
    total = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    for step in range(STEPS):
        left = tl.load(a + rows * DEPTH * STEPS + step * DEPTH + tl.arange(0, DEPTH)[None, :])
        right = tl.load(b + (step * DEPTH + tl.arange(0, DEPTH)[:, None]) * BLOCK + columns)
        total += tl.dot(left, right)
    tl.store(c + rows * BLOCK + columns, total)

block, depth, stages = map(int, sys.argv[1:])
a = torch.ones(block, depth * 8, device="cuda", dtype=torch.float16)
b = torch.ones(depth * 8, block, device="cuda", dtype=torch.float16)
c = torch.empty(block, block, device="cuda")
product[(1,)](a, b, c, BLOCK=block, DEPTH=depth, STEPS=8, num_stages=stages)
torch.cuda.synchronize()
"""

REPRODUCTION = Reproduction(
    id="kernel.triton-resources.shared-memory",
    family="kernel.triton-resources",
    cause=None,
    diagnoses=("kernel.triton-resources.shared-memory",),
    title="A Triton kernel needs more shared memory than there is",
    shows="Many pipeline stages of large tiles exceed the shared memory of a block; fewer stages or smaller tiles fit.",
    backends={"cuda": ""},
    needs=("torch", "triton", "tool:gcc", "tool:Python.h"),  # Triton compiles its launcher
    parameters=(count("stages", 8, "pipeline stages", low=2, high=16), count("block", 128, "side of a tile", low=16, high=256)),
    fixes={"disable-feature": Fix("pipelines in one stage"), "update-code": Fix("uses tiles of half the side")},
    sources=("https://triton-lang.org/main/python-api/generated/triton.Config.html",),
)


def reported(p: Parameters) -> None:
    """Large tiles in many stages."""
    _launch(p.block, 128, p.stages)


def fixed(p: Parameters, fix: str) -> None:
    """One stage, or smaller tiles."""
    if fix == "disable-feature":
        _launch(p.block, 128, 1)
    else:
        _launch(p.block // 2, 32, p.stages)


def _launch(block: int, depth: int, stages: int) -> None:
    pathlib.Path("kernel.py").write_text(_KERNEL, encoding="utf-8")  # Triton reads a kernel's source from a file
    sys.exit(subprocess.run([sys.executable, "kernel.py", str(block), str(depth), str(stages)], check=False).returncode)
