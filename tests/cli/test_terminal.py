"""What a command says beside what it was asked for, and how it ends."""

from __future__ import annotations

import io
import os
import sys

import pytest
from render_streams import Stream

from triage.cli import terminal
from triage.cli.errors import CommandError


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (CommandError("two\nlines \x1b[31m"), 2, "two\\nlines \\x1b[31m\n"),
        (OSError(28, "No space left on device"), 2, "triage: No space left on device\n"),
        (KeyboardInterrupt(), 130, ""),
        (BrokenPipeError(), 0, ""),
        (SystemExit(3), 3, ""),
    ],
)
def test_ending(error: BaseException, status: int, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped, terminal.ending():
        raise error
    assert stopped.value.code == status
    assert capsys.readouterr().err == said


def test_ending_hides_no_fault_of_ours() -> None:
    with pytest.raises(ZeroDivisionError), terminal.ending():
        raise ZeroDivisionError


def test_reason_is_the_systems_words() -> None:
    with pytest.raises(FileNotFoundError) as raised:
        os.stat(os.path.join(sys.prefix, "no", "such", "file"))
    assert terminal.reason(raised.value) == "No such file or directory"
    assert terminal.reason(OSError("standard input is closed")) == "standard input is closed"


@pytest.mark.parametrize(("size", "tty", "shown"), [(40 << 20, True, True), (1 << 20, True, False), (40 << 20, False, False)])
def test_of_a_large_file_a_terminal_shows_how_far_it_was_read(monkeypatch: pytest.MonkeyPatch, size: int, tty: bool, shown: bool) -> None:
    errors = Stream(tty=tty)
    monkeypatch.setattr(sys, "stderr", errors)
    data = bytes(size)
    file = terminal.watched(io.BytesIO(data), "a\x1b[2Jb.log")
    read = b"".join(iter(lambda: file.read(1 << 20), b""))
    assert read == data
    errors.flush()
    assert (b"MiB read" in errors.written()) == shown
    assert b"\x1b[2J" not in errors.written()
    assert not shown or errors.written().endswith(b"\r\x1b[K")


def test_a_terminal_is_told_why_nothing_comes(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    terminal.tell_of_compiling()
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(terminal.sys.stderr, "isatty", lambda: True)
    terminal.tell_of_compiling()
    assert capsys.readouterr().err == "triage: compiling the rules, once after they were installed or changed\n"
