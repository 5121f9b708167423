"""torch.compile with fullgraph=True meets a branch on the value of a tensor."""

from __future__ import annotations

from triage.verify.reproduction import Fix, Reproduction, count
from triage.verify.toolkit.harness import Parameters

REPRODUCTION = Reproduction(
    id="compile.graph.data-dependent-branch",
    family="compile.graph",
    cause=None,
    diagnoses=("compile.graph.dynamo-unsupported",),
    title="torch.compile cannot trace a branch on a tensor's value",
    shows="fullgraph=True refuses the branch; torch.where, or graph breaks, do not.",
    backends={"cpu": "Dynamo alone: no code is generated"},
    parameters=(count("elements", 8, "elements of the tensor", high=1 << 20),),
    fixes={"disable-feature": Fix("allows graph breaks (fullgraph=False)"), "update-code": Fix("writes the branch as torch.where")},
    sources=("https://pytorch.org/docs/stable/torch.compiler_faq.html#graph-breaks",),
)


def reported(p: Parameters) -> None:
    """A Python branch, one graph."""
    _compile(p, fullgraph=True, branch=True)


def fixed(p: Parameters, fix: str) -> None:
    """Graph breaks, or no branch."""
    _compile(p, fullgraph=fix != "disable-feature", branch=fix != "update-code")


def _compile(p: Parameters, fullgraph: bool, branch: bool) -> None:
    import torch

    def step(x: torch.Tensor) -> torch.Tensor:
        if branch:
            if x.sum() > 0:
                return x * 2
            return x
        return torch.where(x.sum() > 0, x * 2, x)

    torch.compile(step, fullgraph=fullgraph, backend="eager")(torch.ones(p.elements))
