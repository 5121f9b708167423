"""Language, colour, width, encodings."""

from __future__ import annotations

import io
import os

import pytest
from render_streams import Stream

from triage.render import console


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
    assert console.language(wanted, environ) == expected


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
    assert console.colored(when, Stream(tty=tty), environ) is expected


def test_columns() -> None:
    assert console.columns(Stream(), {}) == 100
    assert console.columns(None, {}) == 100
    assert console.columns(Stream(), {"COLUMNS": "72"}) == 72
    assert console.columns(Stream(), {"COLUMNS": "0"}) == 100
    assert console.columns(Stream(), {"COLUMNS": "wide"}) == 100


@pytest.mark.parametrize("encoding", ["ascii", "cp936", "cp437", "latin-1", "utf-8"])
def test_draws_blocks(encoding: str) -> None:
    assert console.draws_blocks(Stream(encoding)) is (encoding == "utf-8")


def test_what_an_encoding_lacks_is_said_plainer_or_escaped() -> None:
    stream = Stream("ascii")
    console.write("a · b … 显\n", stream)
    assert stream.written() == b"a - b ... \\u663e\n"
    stream = Stream("cp936")
    console.write("显存 · é\n", stream)
    assert stream.written() == "显存 · é\n".encode("cp936")
    stream = Stream("ascii")
    console.write("显", stream, "utf-8")
    assert stream.written() == "显".encode()


def test_write_to_nowhere() -> None:
    console.write("text", None)
    plain = io.StringIO()
    console.write("显", plain)
    assert plain.getvalue() == "显"


def test_a_closed_pipe_is_silent() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "w", encoding="utf-8") as stream:
        console.write("x" * 100_000, stream)
        console.write("again", stream)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_a_full_disk_is_told() -> None:
    with open("/dev/full", "w", encoding="utf-8") as stream, pytest.raises(OSError, match="No space left"):
        console.write("text", stream)
