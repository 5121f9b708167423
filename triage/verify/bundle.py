"""One file that runs a reproduction anywhere: its module and what it uses of the toolkit, joined into a program.

The same program is what the runner starts and what `--export` writes, so what was seen can be rerun by hand, also
under an interpreter that has torch but not triage.
"""

from __future__ import annotations

import ast
import json
import pprint
import threading
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from triage.verify.reproduction import Reproduction

_DECLARATIONS = "triage.verify.reproduction"  # a program needs the arms, not what is said about them
_HARNESS = "triage.verify.toolkit.harness"
_ROOTS = ("reported", "fixed", "run_program")
_ONE_AT_A_TIME = threading.Lock()  # ast.parse in two threads at once fails at times: https://github.com/python/cpython/issues/106905


class BundleError(ValueError):
    """A module is not fit to be bundled: a defect of triage, not of its input."""


@dataclass
class _Piece:
    """A top-level statement: the names it defines and uses, and its text with the comments above it."""

    module: str
    names: frozenset[str]
    uses: frozenset[str]
    text: str


@dataclass
class _Sources:
    pieces: list[_Piece] = field(default_factory=list)
    imports: dict[str, str] = field(default_factory=dict)
    """Import statement by the name it binds."""
    seen: set[str] = field(default_factory=set)


def program(reproduction: Reproduction, module: str, parameters: dict[str, Any]) -> str:
    """The text of a program that runs an arm of the reproduction, with these parameters built in."""
    with _ONE_AT_A_TIME:
        imports, body = _joined(module)
    fixes = list(reproduction.fixes)
    usage = "".join(f"#   python THIS_FILE --fix {fix}   # {reproduction.fixes[fix].does}\n" for fix in fixes)
    sources = "".join(f"# See {url}\n" for url in reproduction.sources)
    head = (
        f"# {reproduction.title}\n# {reproduction.shows}\n#\n# Written by `triage verify`. Needs {', '.join(reproduction.needs)}.\n"
        f"#   python THIS_FILE   # the failure as reported\n{usage}#\n{sources}"
    )
    values = pprint.pformat(parameters, width=120, sort_dicts=True)
    tail = f'PARAMETERS = {values}\n\nif __name__ == "__main__":\n    run_program(reported, fixed, PARAMETERS, {json.dumps(fixes)})\n'
    return f"{head}\nfrom __future__ import annotations\n\n{imports}\n\n{body}\n\n\n{tail}"


@lru_cache(maxsize=4)
def _joined(module: str) -> tuple[str, str]:
    """The import lines and the statements that the arms of a module reach."""
    sources = _Sources()
    _collect(_HARNESS, sources)
    _collect(module, sources)
    defined: dict[str, _Piece] = {}
    for piece in sources.pieces:
        for name in piece.names:
            if name in defined:
                raise BundleError(f"{name} is defined in {defined[name].module} and in {piece.module}")
            defined[name] = piece
    reached: set[str] = set()
    waiting = list(_ROOTS)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting.extend(defined[name].uses if name in defined else ())
    kept = [piece for piece in sources.pieces if piece.names & reached]
    imports = sorted({line for name, line in sources.imports.items() if name in reached}, key=lambda line: (line.startswith("from"), line))
    return "\n".join(imports), "\n\n\n".join(piece.text.strip("\n") for piece in kept)


def _collect(module: str, sources: _Sources) -> None:
    """Adds a module and, before it, the modules of this room that it imports."""
    if module in sources.seen or module == _DECLARATIONS:
        return
    sources.seen.add(module)
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise BundleError(f"no source of {module}")
    text = Path(spec.origin).read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    end = 0
    for position, node in enumerate(ast.parse(text).body):
        segment = "".join(lines[end : node.end_lineno])
        end = node.end_lineno or end
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            _import(node, sources)
        elif _is_text(node):
            if position:  # the description of the name above it
                sources.pieces[-1].text += segment
        else:
            names = _defined_by(node)
            if not names:
                raise BundleError(f"{module}, line {node.lineno}: only definitions may stand at the top of a bundled module")
            if "REPRODUCTION" not in names:
                uses = frozenset(name.id for name in ast.walk(node) if isinstance(name, ast.Name))
                sources.pieces.append(_Piece(module, names, uses, segment))


def _import(node: ast.Import | ast.ImportFrom, sources: _Sources) -> None:
    if isinstance(node, ast.ImportFrom):
        module = node.module or ""
        if module.startswith("triage."):
            _collect(module, sources)
        elif module != "__future__":
            for alias in node.names:
                renamed = f" as {alias.asname}" if alias.asname else ""
                sources.imports[alias.asname or alias.name] = f"from {module} import {alias.name}{renamed}"
        return
    for alias in node.names:
        renamed = f" as {alias.asname}" if alias.asname else ""
        sources.imports[alias.asname or alias.name.split(".")[0]] = f"import {alias.name}{renamed}"


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _defined_by(node: ast.stmt) -> frozenset[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return frozenset((node.name,))
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return frozenset((node.target.id,))
    if isinstance(node, ast.Assign):
        return frozenset(name.id for target in node.targets for name in ast.walk(target) if isinstance(name, ast.Name))
    return frozenset()
