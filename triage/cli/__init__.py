"""The command line. One module a command; no logic.

Exit status: 0, or what the command documents; 2 for wrong usage and unreadable input, with one line that says why; 130
when interrupted. A closed pipe is silent.
"""

from __future__ import annotations

import gc
import os
import sys

# A short run makes no cyclic garbage worth looking for: looking, and taking the heap apart at the end, costs a tenth of it.
_GARBAGE_THRESHOLD = 200_000


def main() -> None:
    """What the console script calls. A plain `triage explain` runs without click, whose import takes as long as all the rest."""
    if sys.argv[1:2] == ["explain"] and "_TRIAGE_COMPLETE" not in os.environ:
        from triage.cli import explain, terminal
        from triage.cli.options import parse

        values = parse(explain.OPTIONS, sys.argv[2:])
        if values is not None:
            gc.set_threshold(_GARBAGE_THRESHOLD)
            with terminal.ending():
                status = explain.explain(**values)
                gc.freeze()
            raise SystemExit(status)
    from triage.cli.group import program

    program()
