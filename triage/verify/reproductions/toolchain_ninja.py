"""A C++ extension is loaded where ninja is not on the path."""

from __future__ import annotations

import os

from triage.verify.reproduction import Fix, Reproduction
from triage.verify.toolkit.harness import Parameters

REPRODUCTION = Reproduction(
    id="version.toolchain-missing.ninja",
    family="version.toolchain-missing",
    cause=None,
    diagnoses=("version.toolchain-missing.no-ninja",),
    title="Ninja is required to load C++ extensions",
    shows="PyTorch asks for ninja before it compiles anything, and is content once it is on the path.",
    backends={"cpu": "the check for ninja is shown, no extension is compiled"},
    needs=("torch", "tool:ninja"),
    fixes={"install-package": Fix("puts ninja on the path")},
    sources=("https://pytorch.org/docs/stable/cpp_extension.html",),
)


def reported(p: Parameters) -> None:
    """Nothing on the path."""
    os.environ["PATH"] = ""
    _verify()


def fixed(p: Parameters, fix: str) -> None:
    """The path as it is here."""
    _verify()


def _verify() -> None:
    from torch.utils import cpp_extension

    cpp_extension.verify_ninja_availability()
