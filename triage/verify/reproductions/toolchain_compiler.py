"""Inductor finds no C++ compiler."""

from __future__ import annotations

import os

from triage.verify.reproduction import Fix, Reproduction, count
from triage.verify.toolkit.harness import Parameters

REPRODUCTION = Reproduction(
    id="version.toolchain-missing.compiler",
    family="version.toolchain-missing",
    cause=None,
    diagnoses=("version.toolchain-missing.no-compiler",),
    title="torch.compile finds no C++ compiler",
    shows="With nothing on the path compiling fails; with a compiler there, or without generated code, it runs.",
    backends={"cpu": "Inductor for the processor; for a GPU it is Triton that looks for gcc"},
    needs=("torch", "tool:g++"),
    parameters=(count("elements", 64, "elements of the tensor", high=1 << 20),),
    fixes={
        "install-package": Fix("puts a compiler on the path"),
        "disable-feature": Fix("compiles with backend='eager', which generates no code"),
    },
    sources=("https://pytorch.org/docs/stable/torch.compiler_troubleshooting.html",),
    timeout_s=240.0,
)


def reported(p: Parameters) -> None:
    """Nothing on the path."""
    _compile(p, "inductor", path="")


def fixed(p: Parameters, fix: str) -> None:
    """A compiler on the path, or none needed."""
    if fix == "install-package":
        _compile(p, "inductor", path=os.environ["PATH"])
    else:
        _compile(p, "eager", path="")


def _compile(p: Parameters, backend: str, path: str) -> None:
    os.environ["PATH"] = path
    os.environ.pop("CXX", None)
    import torch

    torch.compile(lambda x: (x * 2).relu() + 1, backend=backend)(torch.ones(p.elements))
