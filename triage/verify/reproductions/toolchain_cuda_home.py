"""An extension with CUDA sources is built where no CUDA toolkit is found.

PyTorch looks for the toolkit in CUDA_HOME, then beside the nvcc on the path, then in /usr/local/cuda.
"""

from __future__ import annotations

import os
import pathlib

from triage.verify.reproduction import Fix, Reproduction
from triage.verify.toolkit.harness import NotPossibleHere, Parameters

REPRODUCTION = Reproduction(
    id="version.toolchain-missing.cuda-home",
    family="version.toolchain-missing",
    cause=None,
    diagnoses=("version.toolchain-missing.no-toolkit",),
    title="CUDA_HOME is not set",
    shows="PyTorch refuses to describe a CUDA extension without a toolkit, and does once CUDA_HOME names one or nvcc is on the path.",
    backends={"cpu": "the extension is described, not built: an empty folder stands for the toolkit, an empty program for nvcc"},
    fixes={"set-library-path": Fix("sets CUDA_HOME"), "install-package": Fix("puts nvcc on the path, as installing the toolkit does")},
    sources=("https://github.com/pytorch/pytorch/blob/main/torch/utils/cpp_extension.py",),
)


def reported(p: Parameters) -> None:
    """No toolkit on the path, no CUDA_HOME."""
    _describe(home="", path="")


def fixed(p: Parameters, fix: str) -> None:
    """A folder that CUDA_HOME names, or that has nvcc."""
    import torch

    if torch.version.cuda is None:
        raise NotPossibleHere("a build of PyTorch with CUDA; one without ignores CUDA_HOME")
    programs = pathlib.Path("cuda", "bin").absolute()
    programs.mkdir(parents=True)
    if fix == "install-package":
        pathlib.Path(programs, "nvcc").touch(mode=0o755)
        _describe(home="", path=str(programs))
    else:
        _describe(home=str(programs.parent), path="")


def _describe(home: str, path: str) -> None:
    os.environ["PATH"] = path
    for name in ("CUDA_HOME", "CUDA_PATH"):
        os.environ.pop(name, None)
    if home:
        os.environ["CUDA_HOME"] = home
    from torch.utils import cpp_extension

    if cpp_extension.CUDA_HOME and not (home or path):
        raise NotPossibleHere(f"a machine without {cpp_extension.CUDA_HOME}, where PyTorch looks unasked")
    cpp_extension.CUDAExtension("extension", ["kernel.cu"])
