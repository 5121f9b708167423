"""Run a command, pass on what it prints byte for byte as it comes, and explain it when the command fails.

Reading starts while the command still prints: what it prints goes through a small queue into the reader, which keeps of
a long output only what it needs. So a job of days costs no more memory than its last megabytes.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Final

if TYPE_CHECKING:
    from triage.report import Report

NOT_FOUND: Final = 127
NOT_EXECUTABLE: Final = 126
_CHUNK: Final = 1 << 16
_QUEUE: Final = 4 << 20  # bytes that wait for the reader before the command has to
_LONGEST_PARTIAL: Final = 1 << 16  # bytes without a line end that wait for one
_GRACE: Final = 2.0  # seconds that children of a finished command may still hold its output open
_ATTENTION: Final = 0.5  # seconds until a signal is noticed at the latest
_FORWARDED: Final = ("SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2")
_FROM_TERMINAL: Final = ("SIGINT", "SIGQUIT")


class CancelledError(Exception):
    """The command succeeded: nobody will ask for an explanation."""


class Feed:
    """What a command prints, as a binary file that another thread reads. Lines of the two streams are kept apart."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._ready: list[bytes] = []
        self._size = 0
        self._partial: dict[int, bytes] = {}
        self._closed = self._cancelled = self._abandoned = False

    def put(self, stream: int, data: bytes) -> None:
        """Add bytes of a stream; waits while the reader is far behind, unless it has gone."""
        with self._changed:
            data = self._partial.pop(stream, b"") + data
            cut = data.rfind(b"\n") + 1 if len(data) < _LONGEST_PARTIAL else len(data)
            if cut < len(data):
                self._partial[stream] = data[cut:]
            self._add(data[:cut])
            self._changed.wait_for(lambda: self._size < _QUEUE or self._abandoned)

    def close(self, last: bytes = b"") -> None:
        """The command has ended; `last` is a line about how."""
        with self._changed:
            for _, rest in sorted(self._partial.items()):
                self._add(rest + b"\n")
            self._partial.clear()
            self._add(last)
            self._closed = True

    def cancel(self) -> None:
        """Let the reader give up."""
        with self._changed:
            self._cancelled = True
            self._changed.notify_all()

    def abandon(self) -> None:
        """The reader has gone: whatever else is printed is not kept."""
        with self._changed:
            self._abandoned = True
            self._ready.clear()
            self._changed.notify_all()

    def read(self, size: int = -1) -> bytes:
        """Up to `size` bytes, at least one unless all was read. Waits for them. Raises CancelledError after `cancel`."""
        with self._changed:
            self._changed.wait_for(lambda: self._size or self._closed or self._cancelled)
            if self._cancelled:
                raise CancelledError
            data = b"".join(self._ready)
            self._ready = [data[size:]] if 0 <= size < len(data) else []
            data = data[:size] if size >= 0 else data
            self._size -= len(data)
            self._changed.notify_all()
            return data

    def _add(self, data: bytes) -> None:
        if data and not self._abandoned:
            self._ready.append(data)
            self._size += len(data)
        self._changed.notify_all()


class Outcome:
    """How a command ended: the status a shell would show, and the report where it failed and one could be made."""

    __slots__ = ("problem", "report", "status")

    def __init__(self, status: int, report: Report | None = None, problem: str = "") -> None:
        self.status, self.report, self.problem = status, report, problem


def run(command: Sequence[str]) -> Outcome:
    """Run `command` with this process's standard input, output and error, and explain its output if it fails.

    The exit status is the command's; 128 plus the number for a signal; 127 and 126 where it cannot be started. Signals
    sent to this process reach the command. Whatever goes wrong in explaining is told in `problem`, never raised.
    """
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    feed = Feed()
    started: list[subprocess.Popen[bytes]] = []
    with _forwarding(started):
        try:
            process = subprocess.Popen(list(command), stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
        except OSError as error:
            missing = isinstance(error, (FileNotFoundError, NotADirectoryError))
            return Outcome(NOT_FOUND if missing else NOT_EXECUTABLE, problem=f"{command[0]}: {error.strerror or error}")
        started.append(process)
        reader = _Reader(feed)
        reader.start()
        pumps = [
            threading.Thread(target=_pump, args=(source, target, feed), daemon=True)
            for source, target in ((process.stdout, 1), (process.stderr, 2))
        ]
        for pump in pumps:
            pump.start()
        code = _ended(process)
        for pump in pumps:
            pump.join(_GRACE)
    if code == 0:
        feed.cancel()
        reader.join()
        return Outcome(0)
    feed.close(_death(code))
    reader.join()
    return Outcome(128 - code if code < 0 else code, reader.report, reader.problem)


def _ended(process: subprocess.Popen[bytes]) -> int:
    """What the process ended with. A handler of signals runs between two steps of the main thread: one that came just before a wait
    without end would be forwarded when there is nobody left to hear of it."""
    waiting = threading.Thread(target=process.wait, daemon=True)
    waiting.start()
    while waiting.is_alive():
        waiting.join(_ATTENTION)
    return process.wait()


class _Reader(threading.Thread):
    """Loads the rules and reads the output while the command runs; reasons once it has ended."""

    def __init__(self, feed: Feed) -> None:
        super().__init__(daemon=True)
        self.report: Report | None = None
        self.problem = ""
        self._feed = feed

    def run(self) -> None:
        try:
            from triage.pipeline import Triage

            self.report = Triage(long_lived=False).explain(self._feed)
        except CancelledError:
            pass
        except Exception as error:  # a fault of ours must not cost the user the status of a job
            self.problem = f"{type(error).__name__}: {error}"
        finally:
            self._feed.abandon()


def _pump(source: IO[bytes] | None, target: int, feed: Feed) -> None:
    """Pass on one stream until its end. When our own reader has gone, the command learns it as it would without us."""
    assert source is not None
    with source:
        while data := os.read(source.fileno(), _CHUNK):
            try:
                _write(target, data)
            except OSError:
                return
            feed.put(target, data)


def _write(target: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(target, view) :]


def _death(code: int) -> bytes:
    """A line about a command that a signal ended: the shell would print one, and here there is no shell."""
    if code >= 0:
        return b""
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = "signal"
    return f"Process finished with exit code {128 - code} (interrupted by signal {-code}: {name})\n".encode()


@contextmanager
def _forwarding(started: list[subprocess.Popen[bytes]]) -> Iterator[None]:
    """While this holds, signals go on to the started process; what was ignored before stays ignored."""

    def forward(number: int, _: object) -> None:
        name = signal.Signals(number).name
        if started and not (name in _FROM_TERMINAL and _in_foreground()):
            started[0].send_signal(number)

    previous = {}
    if threading.current_thread() is threading.main_thread():
        for name in _FORWARDED:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                previous[number] = signal.signal(number, forward)
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _in_foreground() -> bool:
    """Whether a terminal sends Ctrl-C to the command as well as to us: then it must not get it twice."""
    try:
        return os.tcgetpgrp(0) == os.getpgrp()
    except (OSError, AttributeError):
        return sys.platform == "win32"
