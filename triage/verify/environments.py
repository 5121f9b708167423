"""Throw-away interpreters with given releases of packages: for fixes that are a version.

Building one is the only step of the verifier that uses a package index. It is announced, done with uv (or venv and
pip where uv is absent) and kept in the user's cache, so that the next run finds it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from triage.verify.backends.base import Machine, Unavailable

BUILD_SECONDS = 1800
_PACKAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\Z")
_RELEASE = re.compile(r"[0-9][0-9A-Za-z.+]*\Z")
_OLD_NUMPY = "numpy<2"  # releases of torch before 2.3 were built against NumPy 1


def cache_folder() -> Path:
    """Where environments are kept: `triage/environments` below the user's cache."""
    base = os.environ.get("XDG_CACHE_HOME") or (Path.home() / ".cache")
    return Path(base, "triage", "environments")


def machine_with(pins: Mapping[str, str], others: Sequence[str], announce: Callable[[str], None]) -> Machine:
    """An interpreter that has exactly these releases, and some further packages in any release that fits.

    Args:
        pins: release by package name, for instance `{"torch": "2.0.1"}`.
        others: further requirements; one of a package that is pinned gives way, so that a release beyond it can be tried.
        announce: told before anything is downloaded.

    Raises:
        Unavailable: a name or release is not well-formed, or the environment cannot be had; with the reason.
    """
    for name, version in pins.items():
        if not _PACKAGE.match(name) or not _RELEASE.match(version):
            raise Unavailable(f"a release such as torch==2.1.0, not {name}=={version}")
    wanted = [f"{name}=={version}" for name, version in sorted(pins.items())]
    torch = pins.get("torch", "")
    wanted += sorted({each for each in others if re.split("[<>=]", each)[0] not in pins}) + (
        [_OLD_NUMPY] if torch and _before(torch, (2, 3)) else ["numpy"]
    )
    label = re.sub(r"[^A-Za-z0-9.]+", "-", "_".join(wanted)) + f"-py{sys.version_info.major}{sys.version_info.minor}"
    folder = cache_folder() / label
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not (folder / "complete").exists():
        shutil.rmtree(folder, ignore_errors=True)
        announce(f"building an environment with {', '.join(wanted)} in {folder}; this downloads packages")
        _build(folder, python, wanted)
        (folder / "complete").touch()
    return Machine.ask(str(python))


def _before(version: str, bound: tuple[int, int]) -> bool:
    numbers = re.findall(r"\d+", version)[:2]
    return tuple(map(int, numbers)) < bound


def _build(folder: Path, python: Path, wanted: list[str]) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    uv = shutil.which("uv")
    if uv:
        steps = [[uv, "venv", "--quiet", "--python", sys.executable, str(folder)]]
        steps.append([uv, "pip", "install", "--quiet", "--python", str(python), *wanted])
    else:
        steps = [[sys.executable, "-m", "venv", str(folder)], [str(python), "-m", "pip", "install", "--quiet", *wanted]]
    for step in steps:
        try:
            done = subprocess.run(step, capture_output=True, text=True, timeout=BUILD_SECONDS, check=False, stdin=subprocess.DEVNULL)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Unavailable(f"an environment with {', '.join(wanted)}: {error}") from None
        if done.returncode:
            last = " ".join(done.stderr.split())[-400:]
            raise Unavailable(f"an environment with {', '.join(wanted)}, which cannot be had here: {last}")
