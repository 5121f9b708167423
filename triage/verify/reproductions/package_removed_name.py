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
    ),
    title="A package needs a name that a newer release dropped",
    shows="Importing torch._six fails since PyTorch 2.0; what it held comes from the standard library.",
    backends={"cpu": ""},
    fixes={
        "update-code": Fix("takes inf and the string classes from Python itself, as the dependents' newer releases do"),
        "pin-package": Fix("runs the same program under an older release of PyTorch", package="torch", older=True),
    },
    sources=("https://github.com/pytorch/pytorch/pull/94709",),
)


def reported(p: Parameters) -> None:
    """The import as older dependents write it."""
    importlib.import_module("torch._six")


def fixed(p: Parameters, fix: str) -> None:
    """Without the import."""
    importlib.import_module("torch")
    print(float("inf"), (str, bytes))
