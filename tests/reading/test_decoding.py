"""Bytes of any encoding become text; sources of any kind are read."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from triage.reading import read
from triage.reading.decoding import decode

CHINESE = "运行时错误：显存不足，请减小批量。"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030", "gbk"])
def test_chinese_in_any_encoding(encoding: str) -> None:
    assert decode(f"start\r\n{CHINESE}\r\nRuntimeError: x".encode(encoding)).split("\r\n") == ["start", CHINESE, "RuntimeError: x"]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_mark_is_told_by_its_nuls(encoding: str) -> None:
    assert decode("RuntimeError: CUDA out of memory".encode(encoding)) == "RuntimeError: CUDA out of memory"


def test_latin_1_line_in_a_utf_8_text() -> None:
    data = CHINESE.encode() + b"\n" + "Gr\u00f6\u00dfe des Tensors".encode("latin-1")
    assert decode(data) == CHINESE + "\nGr\u00f6\u00dfe des Tensors"


def test_truncated_character_costs_only_itself() -> None:
    assert decode(CHINESE.encode()[:-1]).startswith(CHINESE[:-1])


def test_windows_log_mixes_gbk_and_utf_8_lines() -> None:
    data = CHINESE.encode("gbk") + b"\n" + CHINESE.encode()
    assert decode(data) == f"{CHINESE}\n{CHINESE}"


def test_lone_surrogates_are_replaced() -> None:
    (line,) = read("a\ud800b").lines
    line.raw.encode()
    assert line.text[0] == "a"
    assert line.text[-1] == "b"


@pytest.mark.parametrize("wrap", [bytes, bytearray, memoryview, io.BytesIO])
def test_binary_sources(wrap: type) -> None:
    assert [line.text for line in read(wrap(b"a\nb\n")).lines] == ["a", "b"]


def test_text_file_object() -> None:
    assert [line.text for line in read(io.StringIO(f"a\n{CHINESE}")).lines] == ["a", CHINESE]


def test_path_is_read_and_named(tmp_path: Path) -> None:
    path = tmp_path / "train.log"
    path.write_bytes(b"a\r\nb\r\n")
    log = read(path)
    assert ([line.raw for line in log.lines], log.name, log.total_bytes) == (["a", "b"], str(path), 6)


def test_str_is_never_a_path(tmp_path: Path) -> None:
    path = tmp_path / "train.log"
    path.write_text("inside")
    assert read(str(path)).lines[0].text == str(path)


def test_missing_path_raises(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere"):
        read(tmp_path / "nowhere")


def test_other_sources_raise() -> None:
    with pytest.raises(TypeError):
        read(42)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "empty"),
        ("\n \n\t\n", "empty"),
        (b"\x00\x01\x02\x03\x04\x05" * 50 + b"\n" + bytes(range(256)), "binary"),
        ('Traceback (most recent call last):\n  File "a.py", line 1, in f\n    g()\nRuntimeError: x', "traceback"),
        ("2025-01-01 00:00:00,000 - INFO - a\n2025-01-01 00:00:01,000 - INFO - b\n", "log"),
        ("I get this error on my machine, what can I do?\n\n```\nRuntimeError: x\n```\n", "issue"),
        ("我在微调模型的时候遇到了下面的问题，请问怎么解决？\n\nRuntimeError: x\n", "issue"),
    ],
)
def test_kinds(text: str | bytes, kind: str) -> None:
    assert read(text).kind == kind


def test_counts() -> None:
    log = read("a\n\nb\n")
    assert (log.total_lines, log.total_bytes, log.omitted) == (3, 5, [])
