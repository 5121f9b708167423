"""The rooms of ARCHITECTURE.md: each imports only from rooms above it, and explaining loads nothing it does not use."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "triage"
ORDER = ["engine", "facts", "reading", "signatures", "parsers", "knowledge", "rulebook", "report", "pipeline", "render", "live", "verify",
         "workshop", "scan", "integrations", "cli"]  # fmt: skip
# Doors that open downwards: a report renders itself, and explains lazily.
ALLOWED = {("report", "render")}


def _imports(path: Path) -> set[str]:
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        rooms |= {name.split(".")[1] for name in names if name.startswith("triage.")}
    return rooms


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_room_imports_only_from_rooms_above_it(path: Path) -> None:
    room = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    if room in ("__init__", "__main__"):
        pytest.skip("the door of the package")
    assert room in ORDER, f"{room} is not in the order of rooms: name it here and in ARCHITECTURE.md"
    for other in sorted(_imports(path) - {room}):
        assert ORDER.index(other) < ORDER.index(room) or (room, other) in ALLOWED, f"{path.name} imports {other}, which lies below {room}"


HEAVY = (
    "yaml", "jinja2", "rapidfuzz", "pydantic", "torch", "pynvml", "hyperscan", "dataclasses", "click", "importlib.metadata",
    "asyncio", "logging",
)  # fmt: skip


def test_explaining_loads_nothing_that_it_does_not_use() -> None:
    program = (
        "import sys, triage; triage.explain('warm'); before = set(sys.modules)\n"
        "report = triage.explain('RuntimeError: \"addmm_impl_cpu_\" not implemented for \\'Half\\'')\n"
        "assert report.diagnoses[0].family == 'dtype.not-implemented'\n"
        f"print(sorted(set({HEAVY!r}) & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-c", "import triage; triage.explain('compiles the rules')"], check=True)
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_importing_the_package_loads_no_room() -> None:
    program = "import sys, triage; print([name for name in sys.modules if name.startswith('triage.')])"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
