"""A failed test is explained where its GPU failed, and no other."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TESTS = """
def test_memory():
    raise RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 15.90 GiB total capacity; 14.00 GiB already allocated; "
                       "500.00 MiB free; 14.80 GiB reserved in total by PyTorch)")

def test_labels():
    print("Loss.cu:250: nll_loss_reduce_cuda_kernel_2d: block: [0,0,0], thread: [3,0,0] Assertion `t >= 0 && t < n_classes` failed.")
    raise RuntimeError("CUDA error: device-side assert triggered")

def test_words():
    assert "CUDA out of memory" == "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB"

def test_passes():
    print("RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB")
"""


def test_sections(tmp_path: Path) -> None:
    (tmp_path / "test_gpu.py").write_text(TESTS, encoding="utf-8")
    arguments = ["-p", "triage.integrations.pytest_plugin", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), str(tmp_path)]
    done = subprocess.run([sys.executable, "-m", "pytest", *arguments], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert "3 failed, 1 passed" in done.stdout
    explained = done.stdout.split(" triage ---")
    assert len(explained) == 3, done.stdout
    assert "GPU 0 out of memory" in explained[1]
    assert "kernel.device-assert.class-label" in explained[2]
