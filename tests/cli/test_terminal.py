"""Language, colour, width, encodings."""

from __future__ import annotations

import io
import os
import sys

import pytest

from triage.cli import terminal
from triage.cli.errors import CommandError


class Stream(io.TextIOWrapper):
    def __init__(self, encoding: str = "utf-8", tty: bool = False) -> None:
        super().__init__(io.BytesIO(), encoding=encoding)
        self.tty = tty

    def isatty(self) -> bool:
        return self.tty

    def written(self) -> bytes:
        return self.buffer.getvalue()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("wanted", "environ", "expected"),
    [
        (None, {}, "en"),
        ("zh", {"TRIAGE_LANG": "en"}, "zh"),
        (None, {"TRIAGE_LANG": "zh"}, "zh"),
        (None, {"TRIAGE_LANG": "en", "LANG": "zh_CN.UTF-8"}, "en"),
        (None, {"LANG": "zh_CN.UTF-8"}, "zh"),
        (None, {"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}, "en"),
        (None, {"LC_ALL": "zh_TW", "LANG": "en_US.UTF-8"}, "zh"),
        (None, {"LC_MESSAGES": "zh_CN", "LANG": "en_US.UTF-8"}, "zh"),
        (None, {"LANG": "de_DE.UTF-8"}, "en"),
    ],
)
def test_language(wanted: str | None, environ: dict[str, str], expected: str) -> None:
    assert terminal.language(wanted, environ) == expected


@pytest.mark.parametrize(
    ("when", "environ", "tty", "expected"),
    [
        ("auto", {"TERM": "xterm"}, True, True),
        ("auto", {"TERM": "xterm"}, False, False),
        ("auto", {"TERM": "dumb"}, True, False),
        ("auto", {"TERM": "xterm", "NO_COLOR": "1"}, True, False),
        ("auto", {"TERM": "xterm", "NO_COLOR": ""}, True, True),
        ("auto", {"FORCE_COLOR": "1"}, False, True),
        ("auto", {"FORCE_COLOR": "0", "TERM": "xterm"}, False, False),
        ("auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
        ("auto", {"CLICOLOR": "0", "TERM": "xterm"}, True, False),
        ("auto", {"CLICOLOR_FORCE": "1"}, False, True),
        ("always", {"NO_COLOR": "1"}, False, True),
        ("never", {"FORCE_COLOR": "1"}, True, False),
    ],
)
def test_colored(when: str, environ: dict[str, str], tty: bool, expected: bool) -> None:
    assert terminal.colored(when, Stream(tty=tty), environ) is expected


def test_columns() -> None:
    assert terminal.columns(Stream(), {}) == 100
    assert terminal.columns(None, {}) == 100
    assert terminal.columns(Stream(), {"COLUMNS": "72"}) == 72
    assert terminal.columns(Stream(), {"COLUMNS": "0"}) == 100
    assert terminal.columns(Stream(), {"COLUMNS": "wide"}) == 100


@pytest.mark.parametrize("encoding", ["ascii", "cp936", "cp437", "latin-1", "utf-8"])
def test_draws_blocks(encoding: str) -> None:
    assert terminal.draws_blocks(Stream(encoding)) is (encoding == "utf-8")


def test_what_an_encoding_lacks_is_said_plainer_or_escaped() -> None:
    stream = Stream("ascii")
    terminal.write("a · b … 显\n", stream)
    assert stream.written() == b"a - b ... \\u663e\n"
    stream = Stream("cp936")
    terminal.write("显存 · é\n", stream)
    assert stream.written() == "显存 · é\n".encode("cp936")
    stream = Stream("ascii")
    terminal.write("显", stream, "utf-8")
    assert stream.written() == "显".encode()


def test_write_to_nowhere() -> None:
    terminal.write("text", None)
    plain = io.StringIO()
    terminal.write("显", plain)
    assert plain.getvalue() == "显"


def test_a_closed_pipe_is_silent() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "w", encoding="utf-8") as stream:
        terminal.write("x" * 100_000, stream)
        terminal.write("again", stream)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_a_full_disk_is_told() -> None:
    with open("/dev/full", "w", encoding="utf-8") as stream, pytest.raises(OSError, match="No space left"):
        terminal.write("text", stream)


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
