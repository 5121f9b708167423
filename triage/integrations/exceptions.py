"""Exceptions of this program, explained where they happen.

    import triage

    triage.install()                       # what nobody catches is explained below its traceback

    try:
        trainer.train()
    except RuntimeError as error:
        report = triage.explain_exception(error)

Beside the traceback an explanation knows this machine: GPUs and who holds their memory, driver, installed packages, the environment.
"""

from __future__ import annotations

import sys
import threading
import traceback
from types import TracebackType
from typing import TYPE_CHECKING, Final

from triage.pipeline import shared_triage

if TYPE_CHECKING:
    from triage.report import Report

_NO_FAILURE: Final = (KeyboardInterrupt, SystemExit, GeneratorExit)
_installed: list[_Hooks] = []  # at most one


def explain_exception(error: BaseException, *, live: bool = True, printed: str = "") -> Report:
    """What an exception, with those that led to it, says of the GPU stack.

    Args:
        live: look at this machine too, which takes some ten milliseconds. Where the exception comes from another machine, say no.
        printed: what the program printed before. Kernels print their assertions there, which no traceback holds.

    Never raises for any exception or text.
    """
    engine = shared_triage()
    report = engine.explain(f"{printed}\n{_told(error)}" if printed else _told(error))
    if not live or not report.diagnoses:
        return report
    from triage.live import observe

    return engine.reconsider(report, observe(report.to_dict()["environment"]["versions"]))


def _told(error: BaseException) -> str:
    """The traceback as Python prints it, without the frames of the notebook that ran the code."""
    return "".join(traceback.TracebackException(type(error), error, _of_ones_own(error.__traceback__), compact=True).format())


def _of_ones_own(trace: TracebackType | None) -> TracebackType | None:
    at = trace
    while at is not None and at.tb_frame.f_globals.get("__name__") == "IPython.core.interactiveshell":
        at = at.tb_next
    return at or trace


class _Hooks:
    """What Python calls for exceptions that nobody catches: the hooks that were there, then an explanation."""

    def __init__(self, lang: str | None) -> None:
        self.lang = lang
        self._active = True
        self._before, self._before_in_thread = sys.excepthook, threading.excepthook
        # Kept as they are set, because every look at a method makes a new object.
        self._set, self._set_in_thread = self._after, self._after_in_thread
        sys.excepthook, threading.excepthook = self._set, self._set_in_thread

    def remove(self) -> None:
        """What was put above these hooks meanwhile stays, and calls them in vain."""
        self._active = False
        if sys.excepthook is self._set:
            sys.excepthook = self._before
        if threading.excepthook is self._set_in_thread:
            threading.excepthook = self._before_in_thread

    def _after(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        self._before(kind, error, trace)
        self._tell(error)

    def _after_in_thread(self, arguments: threading.ExceptHookArgs) -> None:
        self._before_in_thread(arguments)
        if arguments.exc_value is not None:
            self._tell(arguments.exc_value)

    def _tell(self, error: BaseException) -> None:
        if not self._active or isinstance(error, _NO_FAILURE) or sys.stderr is None:
            return
        from triage.render import console

        try:
            report = explain_exception(error)
            if report.diagnoses:
                console.write("\n", sys.stderr)
                console.show(report.to_dict(console.language(self.lang)), sys.stderr)
        except Exception as fault:  # the program's own traceback stands above, and how it ends is not ours to change
            console.write(f"triage: could not explain this: {type(fault).__name__}\n", sys.stderr)


def install(lang: str | None = None) -> None:
    """Explain exceptions that nobody catches, in any thread, on standard error below their tracebacks; those that are no failure of the
    GPU stack are left alone. `lang` is "en" or "zh"; left out, what TRIAGE_LANG or the locale asks for. Asked for again, only the
    language changes. In IPython and notebooks `%load_ext triage` does the same for cells.

    Raises ValueError for another language.
    """
    if lang not in (None, "en", "zh"):
        raise ValueError(f"unknown language {lang!r}: 'en' or 'zh'")
    if _installed:
        _installed[0].lang = lang
    else:
        _installed.append(_Hooks(lang))


def uninstall() -> None:
    """Leave exceptions alone again; nothing where `install` was not called."""
    if _installed:
        _installed.pop().remove()
