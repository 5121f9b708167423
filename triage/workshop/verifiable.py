"""Writes `kb/verifiable.yaml`, by which a report knows which of its fixes `triage verify` can try without importing the verifier.

python -m triage.workshop.verifiable
"""

from __future__ import annotations

from pathlib import Path

from triage.rulebook.loader import load_rules
from triage.rulebook.store import shipped_directory
from triage.workshop.reference import tried_fixes

_HEAD = """\
# Which fixes of which diagnosis `triage verify` can try. Written by `python -m triage.workshop.verifiable`; a test compares it
# with the reproductions.
"""


def rendered() -> str:
    """The text of the file."""
    table = tried_fixes(load_rules([Path(shipped_directory("rules"))]))
    return _HEAD + "".join(f"{identifier}: [{', '.join(fixes)}]\n" for identifier, fixes in table.items())


def path() -> Path:
    """Where it lies."""
    return Path(shipped_directory("kb")) / "verifiable.yaml"


if __name__ == "__main__":
    path().write_text(rendered(), encoding="utf-8")
