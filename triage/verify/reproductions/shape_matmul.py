"""The width of the input is not the width a layer was made for."""

from __future__ import annotations

import re

from triage.verify.reproduction import Facts, Fix, Parameter, Reproduction
from triage.verify.toolkit.harness import Parameters


def _dimension(shape: int, side: int):  # type: ignore[no-untyped-def]  # a reader of one number of the reported shapes
    def read(facts: Facts) -> int | None:
        shapes = facts.get("shapes")
        if not isinstance(shapes, list) or len(shapes) <= shape:
            return None
        numbers = re.findall(r"\d{1,6}", str(shapes[shape]))
        return int(numbers[side]) if len(numbers) == 2 else None

    return read


def _product(facts: Facts) -> bool:
    shapes = facts.get("shapes")
    return not isinstance(shapes, list) or (len(shapes) == 2 and all(len(re.findall(r"\d+", str(shape))) == 2 for shape in shapes))


REPRODUCTION = Reproduction(
    id="shape.mismatch.matmul",
    family="shape.mismatch",
    cause=None,
    diagnoses=("shape.mismatch.operation",),
    title="Two matrices cannot be multiplied",
    shows="A linear layer refuses another input width than its own, and takes its own.",
    backends={"cuda": "", "cpu": ""},
    applies=_product,
    parameters=(
        Parameter("rows", "count", 2, "rows of the input", high=1 << 16, read=_dimension(0, 0)),
        Parameter("given", "count", 768, "width of the input", high=1 << 16, read=_dimension(0, 1)),
        Parameter("expected", "count", 1024, "width the layer was made for", high=1 << 16, read=_dimension(1, 0)),
    ),
    fixes={"fix-shape": Fix("makes the layer for the width of its input"), "update-code": Fix("projects the input to the layer's width")},
    sources=("https://pytorch.org/docs/stable/generated/torch.nn.Linear.html",),
)


def reported(p: Parameters) -> None:
    """A layer of another width."""
    _apply(p, p.expected, project=False)


def fixed(p: Parameters, fix: str) -> None:
    """A layer of that width, or a projection to it."""
    _apply(p, p.given if fix == "fix-shape" else p.expected, project=fix == "update-code")


def _apply(p: Parameters, expected: int, project: bool) -> None:
    import torch

    device = "cuda" if p.backend == "cuda" else "cpu"
    x = torch.ones(p.rows, p.given, device=device)
    if project:
        x = torch.nn.Linear(p.given, expected, device=device)(x)
    torch.nn.Linear(expected, 4, device=device)(x)
