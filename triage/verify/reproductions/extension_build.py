"""A C++ extension does not compile."""

from __future__ import annotations

import pathlib

from triage.verify.reproduction import Fix, Reproduction, choice
from triage.verify.toolkit.harness import Parameters

REPRODUCTION = Reproduction(
    id="compile.extension-build.compiler-error",
    family="compile.extension-build",
    cause=None,
    diagnoses=(
        "compile.extension-build.failed",
        "compile.extension-build.newer-torch",
    ),
    title="Building a C++ extension fails",
    shows="The build stops at the compiler's error and passes with the source corrected.",
    backends={"cpu": "plain C++; nvcc is not run"},
    needs=("torch", "tool:g++", "tool:ninja"),
    parameters=(choice("error", "undeclared", ("undeclared", "header"), "what is wrong with the source"),),
    fixes={"update-code": Fix("corrects the source")},
    sources=("https://pytorch.org/docs/stable/cpp_extension.html#torch.utils.cpp_extension.load",),
)


def reported(p: Parameters) -> None:
    """A source with an error."""
    wrong = "#include <THC/THC.h>\nint size() { return 1; }\n" if p.error == "header" else "int size() { return THCudaTensor_size; }\n"
    _build(wrong)


def fixed(p: Parameters, fix: str) -> None:
    """A source without."""
    _build("int size() { return 1; }\n")


def _build(source: str) -> None:
    from torch.utils import cpp_extension

    pathlib.Path("kernels.cpp").write_text(source, encoding="utf-8")
    cpp_extension.load("kernels", ["kernels.cpp"], build_directory=".", is_python_module=False)
