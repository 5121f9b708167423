"""A package imports a name that newer releases of another package no longer have.

`torch._six` was removed in PyTorch 2.0; older DeepSpeed, timm and apex import it.
"""

from __future__ import annotations

import importlib

from triage.verify.reproduction import Fix, Reproduction
from triage.verify.toolkit.harness import Parameters

REPRODUCTION = Reproduction(
    id="version.package-conflict.removed-name",
    family="version.package-conflict",
    cause=None,
    diagnoses=(
        "version.package-conflict.missing-module",
        "version.package-conflict.missing-name",
        "version.package-conflict.module-absent-from-its-package",
        "version.package-conflict.module-that-is-gone",
        "version.package-conflict.name-that-is-gone",
    ),
    title="A package needs a name that a newer release dropped",
    shows="Importing torch._six fails since PyTorch 2.0; the package torch itself offers what dependents took from it.",
    backends={"cpu": ""},
    fixes={
        "update-code": Fix("imports inf from torch, as newer releases of DeepSpeed do"),
        "pin-package": Fix("runs the same program under an older release of PyTorch", package="torch", older=True),
    },
    sources=("https://github.com/pytorch/pytorch/pull/94709",),
)


def reported(p: Parameters) -> None:
    """The import as older dependents write it."""
    _take_inf("torch._six")


def fixed(p: Parameters, fix: str) -> None:
    """The same name from where it is now."""
    _take_inf("torch")


def _take_inf(module: str) -> None:
    """`from MODULE import inf`."""
    print(importlib.import_module(module).inf)
