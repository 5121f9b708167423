"""A binary extension needs a symbol that the framework beside it no longer has, or never had."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

from triage.verify.reproduction import Fix, Reproduction, choice
from triage.verify.toolkit.harness import Parameters

_SYMBOLS = ("_ZN3c105ErrorC2ENS_14SourceLocationENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE", "_ZN2at4_ops5zeros4callEv")

REPRODUCTION = Reproduction(
    id="version.abi.undefined-symbol",
    family="version.abi",
    cause=None,
    diagnoses=("version.abi.extension",),
    title="An extension's binary names a symbol that is not there",
    shows="An extension linked against one library cannot load beside one without the symbol; rebuilt for it, it can.",
    backends={"cpu": "a library made here stands for the framework"},
    needs=("tool:g++",),
    parameters=(choice("symbol", _SYMBOLS[0], _SYMBOLS, "the symbol that is missing"),),
    fixes={
        "rebuild-extension": Fix("builds the extension against the library that is there"),
        "pin-package": Fix("puts the library of the right version beside the extension"),
    },
    sources=("https://pytorch.org/docs/stable/cpp_extension.html",),
)


def reported(p: Parameters) -> None:
    """Built against a library with the symbol, loaded beside one without."""
    _compile("framework", f'extern "C" void {p.symbol}() {{}}')
    _compile("extension", f'extern "C" void {p.symbol}();\nextern "C" void run() {{ {p.symbol}(); }}', "-L.", "-lframework")
    _compile("framework", 'extern "C" void other() {}')
    _load()


def fixed(p: Parameters, fix: str) -> None:
    """Both of one version: the extension's, or the library's."""
    symbol = "other" if fix == "rebuild-extension" else p.symbol
    _compile("framework", f'extern "C" void {symbol}() {{}}')
    _compile("extension", f'extern "C" void {symbol}();\nextern "C" void run() {{ {symbol}(); }}', "-L.", "-lframework")
    _load()


def _compile(name: str, source: str, *options: str) -> None:
    pathlib.Path(f"{name}.cpp").write_text(source, encoding="utf-8")
    command = ["g++", "-shared", "-fPIC", "-Wl,-rpath,$ORIGIN", f"{name}.cpp", "-o", f"lib{name}.so", *options]
    subprocess.run(command, check=True)


def _load() -> None:
    code = "import ctypes, os; ctypes.CDLL(os.path.abspath('libextension.so'), os.RTLD_NOW)"
    sys.exit(subprocess.run([sys.executable, "-c", code], env=dict(os.environ), check=False).returncode)
