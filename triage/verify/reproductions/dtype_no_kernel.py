"""An operator has no kernel for the dtype on the processor."""

from __future__ import annotations

from triage.verify.reproduction import Facts, Fix, Reproduction, choice
from triage.verify.toolkit.harness import Parameters

_CASES = ("cholesky-float16", "svd-bfloat16", "softmax-int64", "mse-int64", "add-float8", "geqrf-float16", "histc-int64")
_NAMES = {"cholesky": 0, "svd": 1, "softmax": 2, "mse": 3, "add_stub": 4, "geqrf": 5, "qr": 5, "hist": 6}


def _case(facts: Facts) -> str | None:
    name = str(facts.get("op")).lower()
    return next((_CASES[index] for part, index in _NAMES.items() if part in name), None)


def _known(facts: Facts) -> bool:
    return facts.get("op") is None or _case(facts) is not None


REPRODUCTION = Reproduction(
    id="dtype.not-implemented.no-kernel",
    family="dtype.not-implemented",
    cause=None,
    diagnoses=(
        "dtype.not-implemented.generic",
        "dtype.not-implemented.half-on-cpu",
        "dtype.not-implemented.no-gpu",
    ),
    title="An operator is not implemented for a dtype",
    shows="The operator fails in one dtype and runs in another.",
    backends={"cpu": "the processor's kernels; those of a GPU have their own lists of dtypes"},
    applies=_known,
    parameters=(choice("case", _CASES[0], _CASES, "operator and dtype", _case),),
    fixes={
        "cast-dtype": Fix("computes in float32"),
        "upgrade-package": Fix("runs the same program under another release of PyTorch", package="torch"),
    },
    sources=("https://pytorch.org/docs/stable/tensor_attributes.html#torch-dtype",),
)


def reported(p: Parameters) -> None:
    """In the dtype that has no kernel."""
    _compute(p.case, "")


def fixed(p: Parameters, fix: str) -> None:
    """In float32."""
    _compute(p.case, "float32")


def _compute(case: str, instead: str) -> None:
    import torch

    operation, dtype = case.split("-")
    kind = getattr(torch, instead or {"float8": "float8_e4m3fn"}.get(dtype, dtype))
    square = torch.eye(4).to(kind)
    operations = {
        "cholesky": lambda: torch.linalg.cholesky(square),
        "svd": lambda: torch.linalg.svd(square),
        "softmax": lambda: square.softmax(-1),
        "mse": lambda: torch.nn.functional.mse_loss(square, square),
        "add": lambda: square + square,
        "geqrf": lambda: torch.geqrf(square),
        "histc": lambda: torch.histc(square, 4, 0, 3),
    }
    operations[operation]()
