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
    shows="The loader fails on the name; with a library of that name in a folder of LD_LIBRARY_PATH it loads.",
    backends={"cpu": "a library of another content stands in for the missing one: that it is found is shown, not that it works"},
    needs=(),
    parameters=(Parameter("library", "name", "libcudart.so.11.0", "the library that is missing", read=_soname),),
    fixes={
        "set-library-path": Fix("names the library's folder in LD_LIBRARY_PATH"),
        "install-package": Fix("puts a library of that name into a folder the loader searches"),
    },
    sources=("https://man7.org/linux/man-pages/man8/ld.so.8.html",),
)


def reported(p: Parameters) -> None:
    """The library is nowhere."""
    _load(p.library, "")


def fixed(p: Parameters, fix: str) -> None:
    """A library of that name is in a folder the loader is told of."""
    folder = pathlib.Path("libraries").absolute()
    folder.mkdir()
    shutil.copy(_any_library(), folder / p.library)
    _load(p.library, str(folder))


def _load(library: str, folder: str) -> None:
    code = "import ctypes, sys; ctypes.CDLL(sys.argv[1])"
    variables = {**os.environ, "LD_LIBRARY_PATH": folder}
    sys.exit(subprocess.run([sys.executable, "-c", code, library], env=variables, check=False).returncode)


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
