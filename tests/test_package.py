"""What is built is what users install: rules and knowledge lie inside the wheel and in the sdist, and work from there."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("build")
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


def test_the_wheel_works_outside_the_checkout(built: Path, tmp_path: Path) -> None:
    [wheel] = built.glob("*.whl")
    home = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(home)
    program = (
        "import triage, sys; from triage.rulebook.store import shipped_directory\n"
        "report = triage.explain('RuntimeError: \"addmm_impl_cpu_\" not implemented for \\'Half\\'')\n"
        "print(triage.__file__, shipped_directory('rules'), report.diagnoses[0].family, len(report.diagnoses[0].references))"
    )
    environment = {**os.environ, "PYTHONPATH": str(home), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    module, rules, family, references = done.stdout.split()
    assert Path(module).is_relative_to(home)
    assert Path(rules) == home / "triage" / "rules"
    assert family == "dtype.not-implemented"
    assert int(references) > 0


def test_the_sdist_holds_rules_knowledge_and_tests(built: Path) -> None:
    [sdist] = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    wanted = {"rules/memory/gpu-oom.yaml", "kb/taxonomy.yaml", "kb/cases/easyedit-memit-oom.yaml", "tests/test_package.py", "LICENSE"}
    assert wanted <= names
