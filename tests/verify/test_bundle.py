"""Programs: one file each, complete, and the same every time."""

from __future__ import annotations

import ast
import builtins
import subprocess
import sys
from pathlib import Path

import pytest

from triage.verify import bundle
from triage.verify.catalog import catalog, module_of
from triage.verify.reproduction import Facts, Reproduction

REPRODUCTIONS = sorted(catalog())


def program_of(reproduction: Reproduction) -> str:
    values, _ = reproduction.bind(Facts())
    backend = next(iter(reproduction.backends))
    return bundle.program(
        reproduction, module_of(reproduction), {"wording": "2.6", **values, "backend": backend, "isolation": reproduction.isolation}
    )


@pytest.mark.parametrize("name", REPRODUCTIONS)
def test_a_program_is_complete(name: str) -> None:
    """It compiles, imports nothing of triage, and uses no name that it does not define."""
    text = program_of(catalog()[name])
    tree = ast.parse(text)
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not [module for module in imported if module.startswith("triage")]
    assert not undefined_names(tree)


def undefined_names(tree: ast.Module) -> set[str]:
    """Names read somewhere and bound nowhere, annotations aside."""
    bound = set(dir(builtins)) | {"__file__", "__name__"}
    read = set()
    annotations = {id(part) for node in ast.walk(tree) for owner in annotation_of(node) for part in ast.walk(owner)}
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            bound.add(node.name)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            bound |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ExceptHandler) and node.name:
            bound.add(node.name)
        elif isinstance(node, ast.Name) and id(node) not in annotations:
            (bound if isinstance(node.ctx, ast.Store) else read).add(node.id)
    return read - bound


def annotation_of(node: ast.AST) -> list[ast.expr]:
    found = [getattr(node, "annotation", None), getattr(node, "returns", None)]
    return [annotation for annotation in found if annotation is not None]


def test_a_program_is_the_same_every_time() -> None:
    code = (
        "from tests.verify.test_bundle import program_of, REPRODUCTIONS, catalog\n"
        "import hashlib; print(hashlib.sha256(''.join(program_of(catalog()[name]) for name in REPRODUCTIONS).encode()).hexdigest())"
    )
    root = Path(__file__).parents[2]
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=root,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "12345")
    }
    assert len(digests) == 1


def test_a_program_runs_alone(tmp_path: Path) -> None:
    """Without triage on the path: as reported it fails with the driver's words, with the fix it passes."""
    reproduction = catalog()["memory.gpu-oom.fragmentation"]
    values, _ = reproduction.bind(Facts())
    text = bundle.program(reproduction, module_of(reproduction), {**values, "backend": "model", "isolation": "network"})
    path = tmp_path / "program.py"
    path.write_text(text, encoding="utf-8")
    reported = subprocess.run([sys.executable, "-I", str(path)], capture_output=True, text=True, check=False, cwd=tmp_path)
    fixed = subprocess.run(
        [sys.executable, "-I", str(path), "--fix", "allocator-config"], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert reported.returncode == 1
    assert "CUDA out of memory. Tried to allocate 6.00 GiB" in reported.stderr
    assert fixed.returncode == 0, fixed.stderr
    assert '"outcome": "passed"' in fixed.stderr


def test_importing_reproductions_imports_no_framework() -> None:
    code = (
        "import sys; from triage.verify.catalog import catalog; catalog()\n"
        "sys.exit(bool({'torch', 'transformers', 'numpy'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2], check=False).returncode == 0


def test_only_definitions_may_be_bundled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "loose_statement.py").write_text("def reported(p): ...\nprint('on import')\n")
    (tmp_path / "same_name.py").write_text("def measure(): ...\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    reproduction = catalog()["memory.gpu-oom.fragmentation"]
    with pytest.raises(bundle.BundleError, match="only definitions"):
        bundle.program(reproduction, "loose_statement", {})
    with pytest.raises(bundle.BundleError, match="measure is defined in"):
        bundle.program(reproduction, "same_name", {})
    with pytest.raises(bundle.BundleError, match="no source"):
        bundle.program(reproduction, "there_is_no_such_module", {})
