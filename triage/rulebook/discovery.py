"""Where rule packs are found without being named: the environment, the project, and installed packages.

Every start looks, so looking costs next to nothing where there are none: a few `stat` calls, and one small file that remembers which
installed packages offer rules for as long as no package is installed or removed. Nothing of a package is imported or run.
"""

from __future__ import annotations

import json
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

VARIABLE = "TRIAGE_RULES"
PROJECT = os.path.join(".triage", "rules")
GROUP = "triage.rules"
_REMEMBERED = "packs-1.json"
_SITES = ("site-packages", "dist-packages")


def discover(environ: Mapping[str, str], path: Sequence[str], here: str | None, places: Sequence[str] = ()) -> list[str]:
    """Directories of packs, the weakest claim first: installed packages by name, TRIAGE_RULES in its order, the project of `here`.

    `path` is where packages are looked for (`sys.path`), `here` a directory of the project (None: no project is looked for), `places` are
    directories in which what was found may be remembered.
    """
    found = installed(path, places)
    found += [directory for directory in environ.get(VARIABLE, "").split(os.pathsep) if directory]
    project = project_rules(here) if here is not None else None
    if project is not None:
        found.append(project)
    return list(dict.fromkeys(found))


def project_rules(here: str) -> str | None:
    """`.triage/rules` in a directory or, inside a repository, in one above it up to the root; None where there is none."""
    directory = os.path.abspath(here)
    nearest: str | None = None
    while True:
        candidate = os.path.join(directory, PROJECT)
        if nearest is None and os.path.isdir(candidate):
            nearest = candidate
        if os.path.exists(os.path.join(directory, ".git")):
            return nearest
        above = os.path.dirname(directory)
        if above == directory:  # no repository: what lies above is none of this project's
            own = os.path.join(os.path.abspath(here), PROJECT)
            return own if os.path.isdir(own) else None
        directory = above


def installed(path: Sequence[str], places: Sequence[str] = ()) -> list[str]:
    """The directories that installed packages name under the entry point group `triage.rules`, in order of the names of the entries."""
    state: dict[str, int] = {}
    for directory in path:
        if os.path.basename(directory) not in _SITES:  # the working directory and scripts beside it install nothing
            continue
        try:
            state[directory] = os.stat(directory).st_mtime_ns
        except OSError:
            continue
    entries = _remembered(places, state)
    if entries is None:
        entries = sorted(entry for directory in state for entry in _entries(directory))
        _remember(places, state, entries)
    found = [_directory(value) for _, value in entries]
    return [directory for directory in found if directory is not None]


def _entries(directory: str) -> list[list[str]]:
    """[name, value] of every entry of the group in the metadata below a directory."""
    found: list[list[str]] = []
    try:
        names = [name for name in os.listdir(directory) if name.endswith((".dist-info", ".egg-info"))]
    except OSError:
        return found
    for name in names:
        try:
            with open(os.path.join(directory, name, "entry_points.txt"), encoding="utf-8") as file:
                text = file.read(1 << 20)
        except (OSError, UnicodeDecodeError):
            continue
        inside = False
        for line in text.splitlines() if GROUP in text else ():
            line = line.strip()
            if line.startswith("["):
                inside = line == f"[{GROUP}]"
            elif inside and "=" in line:
                entry, _, value = line.partition("=")
                found.append([entry.strip(), value.strip()])
    return found


def _directory(value: str) -> str | None:
    """`package.part` as the directory `part` inside the package, found without importing anything."""
    top, *parts = value.split(".")
    if not all(part.isidentifier() for part in (top, *parts)):
        return None
    from importlib.util import find_spec

    try:
        spec = find_spec(top)
    except (ImportError, ValueError):
        return None
    for home in (spec.submodule_search_locations or ()) if spec is not None else ():
        directory = os.path.join(home, *parts)
        if os.path.isdir(directory):
            return directory
    return None


def _remembered(places: Sequence[str], state: dict[str, int]) -> list[list[str]] | None:
    for place in places:
        try:
            with open(os.path.join(place, _REMEMBERED), encoding="utf-8") as file:
                data: dict[str, Any] = json.load(file)
            if data["python"] == sys.executable and data["state"] == state:
                return [[str(name), str(value)] for name, value in data["entries"]]
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return None


def _remember(places: Sequence[str], state: dict[str, int], entries: list[list[str]]) -> None:
    for place in places:
        aside = os.path.join(place, f".{_REMEMBERED}.{os.getpid()}")
        try:
            os.makedirs(place, exist_ok=True)
            with open(aside, "w", encoding="utf-8") as file:
                json.dump({"python": sys.executable, "state": state, "entries": entries}, file)
            os.replace(aside, os.path.join(place, _REMEMBERED))
            return
        except OSError:
            continue
