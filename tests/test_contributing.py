"""The contributor's guide does what it says: its commands are run as they stand, in a copy of the repository.

What checks the whole rule base is left out: `scripts/test` does that.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
WHOLE = {"triage rules test", "triage rules lint --errors"}
_BLOCK = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _copy(place: Path) -> Path:
    for name in ("rules", "kb", "docs", "triage"):
        shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("__pycache__", "_compiled"))
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, place / name)
    return place


def _run(place: Path, command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(place), "LANG": "C.UTF-8", "XDG_CACHE_HOME": str(place / "cache")}
    arguments = [sys.executable, "-m", "triage", *command.split()[1:]]
    return subprocess.run(arguments, cwd=place, env=environment, capture_output=True, text=True, timeout=300, check=False)


def test_the_guide_leads_to_a_rule_that_passes(tmp_path: Path) -> None:
    place = _copy(tmp_path)
    said: dict[str, list[str]] = {}
    for kind, file, text in _BLOCK.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")):
        if file:
            (place / file).write_text(text, encoding="utf-8")
        for command in text.splitlines() if kind == "bash" else ():
            if command.startswith("triage ") and command not in WHOLE:
                done = _run(place, command)
                assert done.returncode == 0, (command, done.stdout, done.stderr)
                said.setdefault(command, []).append(done.stdout)
    before, drafted = said["triage explain pool.log"]
    assert before.startswith("Nothing GPU-related found")
    assert "memory.gpu-oom.arena" in drafted
    assert said["triage rules test rules/memory/arena.yaml"] == ["3 examples in 1 files, 0 differ\n"]
    assert said["triage rules lint rules/memory/arena.yaml"] == ["0 errors, 0 warnings\n"]
    assert "line 5: " in said["triage explain pool.log --why"][0]
