"""An operator has no kernel for the dtype on the processor."""

from __future__ import annotations

from triage.verify.reproduction import Facts, Fix, Reproduction, choice
from triage.verify.toolkit.harness import Parameters

_CASES = {  # part of the kernel's name as printed: operator and dtype
    "cholesky": "cholesky-float16",
    "svd": "svd-bfloat16",
    "softmax": "softmax-int64",
    "mse": "mse-int64",
    "add_stub": "add-float8",
    "geqrf": "geqrf-float16",
    "hist": "histc-int64",
    "addmm": "addmm-float16",
    "layernorm": "layernorm-float16",
}


def _case(facts: Facts) -> str | None:
    kernel = str(facts.get("op")).lower()
    return next((case for part, case in _CASES.items() if part in kernel), None)


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
    parameters=(choice("case", "cholesky-float16", tuple(_CASES.values()), "operator and dtype", _case),),
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
        "addmm": lambda: square @ square,
        "layernorm": lambda: torch.nn.functional.layer_norm(square, (4,)),
        "histc": lambda: torch.histc(square, 4, 0, 3),
    }
    operations[operation]()
