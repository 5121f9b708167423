"""The loader does not find a shared library that a program names."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import sys

from triage.verify.reproduction import Facts, Fix, Parameter, Reproduction
from triage.verify.toolkit.harness import NotPossibleHere, Parameters


def _soname(facts: Facts) -> str | None:
    match = re.match(r"lib[A-Za-z0-9_+-]{1,40}\.so[0-9.]{0,20}", str(facts.get("library")))
    return match[0] if match else None


REPRODUCTION = Reproduction(
    id="version.missing-library.loader",
    family="version.missing-library",
    cause=None,
    diagnoses=("version.missing-library.cuda-library",),
    title="A shared library cannot be found",
    shows="A library in a folder that the loader does not search is not found; with its folder named, or a copy in one that is, it is.",
    backends={"cpu": "a library of another content stands in for the missing one: that it is found is shown, not that it works"},
    needs=(),
    parameters=(Parameter("library", "name", "libcudart.so.11.0", "the library that is missing", read=_soname),),
    fixes={
        "set-library-path": Fix("adds the folder in which the library lies to LD_LIBRARY_PATH"),
        "install-package": Fix("puts the library into the folder that LD_LIBRARY_PATH names already"),
    },
    sources=("https://man7.org/linux/man-pages/man8/ld.so.8.html",),
)


def reported(p: Parameters) -> None:
    """The library lies in a folder that the loader does not search."""
    _load(p, "searched")


def fixed(p: Parameters, fix: str) -> None:
    """It lies in one that the loader searches."""
    if fix == "install-package":
        _load(p, "searched", lies_in="searched")
    else:
        _load(p, "elsewhere", "searched")


def _load(p: Parameters, *searched: str, lies_in: str = "elsewhere") -> None:
    """Loads the library by its name alone, with these folders in LD_LIBRARY_PATH."""
    for name in ("searched", "elsewhere"):
        pathlib.Path(name).mkdir()
    shutil.copy(_any_library(), pathlib.Path(lies_in, p.library))
    code = "import ctypes, sys; ctypes.CDLL(sys.argv[1])"
    variables = {**os.environ, "LD_LIBRARY_PATH": ":".join(os.path.abspath(name) for name in searched)}
    sys.exit(subprocess.run([sys.executable, "-c", code, p.library], env=variables, check=False).returncode)


def _any_library() -> str:
    """The path of some small library that this interpreter has loaded."""
    try:
        maps = pathlib.Path("/proc/self/maps").read_text(encoding="utf-8")
    except OSError:
        raise NotPossibleHere("Linux: /proc/self/maps names a library to copy") from None
    paths = sorted(set(re.findall(r"(/\S*/lib(?:m|z|dl|ffi|expat)[.-]\S*)", maps)))
    if not paths:
        raise NotPossibleHere("a small shared library that this interpreter has loaded")
    return str(paths[0])
