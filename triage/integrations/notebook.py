"""Explanations in IPython and notebooks.

%load_ext triage       explains what a cell raises, below its traceback
%triage                explains the last exception once more; `%triage zh` in Chinese
%%triage               explains the text in the cell: a traceback from elsewhere, or a log
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from triage.integrations.exceptions import explain_exception
from triage.pipeline import explain
from triage.render import console
from triage.render.text import render

if TYPE_CHECKING:
    from triage.report import Report


class Explanation:
    """A report, shown as a page in a notebook and as text in a terminal."""

    def __init__(self, report: Report, lang: str | None = None) -> None:
        self.report = report
        self.lang = console.language(lang)

    def __repr__(self) -> str:
        return render(self.report.to_dict(self.lang), width=console.columns(sys.stdout))

    def _repr_markdown_(self) -> str:
        return self.report.to_markdown(self.lang)


def load_ipython_extension(shell: Any) -> None:
    """What `%load_ext triage` calls."""
    shell.events.register("post_run_cell", _after_cell)
    shell.register_magic_function(_magic, "line_cell", "triage")


def unload_ipython_extension(shell: Any) -> None:
    """What `%unload_ext triage` calls."""
    shell.events.unregister("post_run_cell", _after_cell)
    shell.magics_manager.magics["line"].pop("triage", None)
    shell.magics_manager.magics["cell"].pop("triage", None)


def _after_cell(result: Any) -> None:
    error = result.error_in_exec
    if isinstance(error, Exception):
        explanation = Explanation(explain_exception(error))
        if explanation.report.diagnoses:
            _display(explanation)


def _magic(line: str, cell: str | None = None) -> None:
    """Explain the last exception, or the text of the cell; "en" or "zh" behind the name chooses the language."""
    lang = line.strip() or None
    if lang not in (None, "en", "zh"):
        print(f"triage: unknown language {lang!r}: en or zh")
    elif cell is not None:
        _display(Explanation(explain(cell), lang))
    elif isinstance(error := getattr(sys, "last_value", None), BaseException):
        _display(Explanation(explain_exception(error), lang))
    else:
        print("triage: no exception yet; `%%triage` explains the text of its cell")


def _display(explanation: Explanation) -> None:
    from IPython.display import display

    display(explanation)  # type: ignore[no-untyped-call]
