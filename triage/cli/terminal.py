"""What a command says beside what it was asked for: complaints, progress, and how it ends."""

from __future__ import annotations

import os
import sys

from triage.cli.errors import CommandError
from triage.render import console

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import IO, Any, Final

_INTERRUPTED: Final = 130


def tell_of_compiling() -> None:
    """Say on standard error, where that is a terminal, why nothing comes for some seconds."""
    if sys.stderr is not None and sys.stderr.isatty():
        complain("triage: compiling the rules, once after they were installed or changed")


def watched(file: IO[bytes], name: str) -> IO[bytes]:
    """A file that shows on standard error how far it has been read, where that is a terminal and the file is large."""
    watching: Any = _Watched(file, name) if sys.stderr is not None and sys.stderr.isatty() else file
    return watching  # type: ignore[no-any-return]


class _Watched:
    """An open file, as far as reading needs one."""

    _STEP: Final = 8 << 20

    def __init__(self, file: IO[bytes], name: str) -> None:
        self._file = file
        self.name = name
        try:
            self._size = os.fstat(file.fileno()).st_size
        except (OSError, ValueError):
            self._size = 0
        self._read = 0
        self._next = 2 * self._STEP

    def read(self, size: int = -1) -> bytes:
        """What the file's own `read` gives."""
        data = self._file.read(size)
        self._read += len(data)
        if self._read >= self._next or (not data and self._next > 2 * self._STEP):
            self._next = self._read + self._STEP
            self._show(bool(data))
        return data

    def _show(self, goes_on: bool) -> None:
        of = f" of {self._size >> 20}" if self._size > self._read else ""
        tell_progress(f"{self.name}: {self._read >> 20}{of} MiB read" if goes_on else "")


def tell_progress(text: str) -> None:
    """A line on standard error that the next one replaces, where that is a terminal; '' takes it away."""
    if sys.stderr is not None and sys.stderr.isatty():
        from triage.render.escape import visible

        sys.stderr.write(f"\r\033[K{visible(text)}")
        sys.stderr.flush()


class ending:  # noqa: N801 - read as a statement: `with ending():`
    """The end of a command: one line for a CommandError and status 2, 130 when interrupted, silence about a closed pipe."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if isinstance(error, (CommandError, OSError)) and not isinstance(error, BrokenPipeError):
            complain(str(error) if isinstance(error, CommandError) else f"triage: {reason(error)}")
            raise SystemExit(2) from None
        if isinstance(error, KeyboardInterrupt):
            raise SystemExit(_INTERRUPTED) from None
        if sys.stdout is not None:
            console.write("", sys.stdout)
        if isinstance(error, BrokenPipeError):
            raise SystemExit(0) from None


def complain(message: str) -> None:
    """One line on standard error."""
    from triage.render.escape import visible

    console.write(" ".join(visible(message).split()) + "\n", sys.stderr)


def reason(error: OSError) -> str:
    """What went wrong, in the system's words and without the path."""
    return error.strerror or str(error) or type(error).__name__
