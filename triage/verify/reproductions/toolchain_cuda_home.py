"""An extension with CUDA sources is built where no CUDA toolkit is found."""

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
    shows="PyTorch refuses to describe a CUDA extension without a toolkit, and does once CUDA_HOME names a folder.",
    backends={"cpu": "the extension is described, not built: CUDA_HOME names an empty folder"},
    fixes={"set-library-path": Fix("sets CUDA_HOME"), "install-package": Fix("sets CUDA_HOME to where a toolkit would be installed")},
    sources=("https://pytorch.org/docs/stable/cpp_extension.html",),
)


def reported(p: Parameters) -> None:
    """No toolkit on the path, no CUDA_HOME."""
    _describe("")


def fixed(p: Parameters, fix: str) -> None:
    """A folder that CUDA_HOME names."""
    import torch

    if torch.version.cuda is None:
        raise NotPossibleHere("a build of PyTorch with CUDA; one without ignores CUDA_HOME")
    folder = pathlib.Path("cuda")
    folder.mkdir()
    _describe(str(folder.absolute()))


def _describe(home: str) -> None:
    os.environ["PATH"] = ""
    for name in ("CUDA_HOME", "CUDA_PATH"):
        os.environ.pop(name, None)
    if home:
        os.environ["CUDA_HOME"] = home
    from torch.utils import cpp_extension

    if cpp_extension.CUDA_HOME and not home:
        raise NotPossibleHere(f"a machine without {cpp_extension.CUDA_HOME}, where PyTorch looks unasked")
    cpp_extension.CUDAExtension("extension", ["kernel.cu"])
