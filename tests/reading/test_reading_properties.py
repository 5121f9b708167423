"""What holds for any input."""

from __future__ import annotations

import string

from hypothesis import given, settings
from hypothesis import strategies as st

from triage.reading import Block, read
from triage.reading.reader import MAX_LINE

PIECES = [
    b"\r", b"\r\n", b"\n", b"\x1b[31m", b"\x1b[0m", b"\x1b]0;", b"\x07", b"^[[1m", b"[0m", b"```\n", b"~~~", b"> ", b"\x00", b"\xff\xfe",
    b"\xef\xbb\xbf", b"Traceback (most recent call last):\n", b'  File "a.py", line 3, in f\n    g()\n', b"RuntimeError: no\n",
    b"[rank0]: ", b"[1,0]<stderr>:", b"2025-01-01 00:00:00,000 - INFO - ", b"0: ", b"1: ", b"node1: ", b"==> a <==\n",
    b" 5%|##  | 5/100 [00:01<00:02, 1.0it/s]", b"\\n  File ", b"&gt;", b"diff --git a b\n", b"@@ -1 +1 @@\n", b"---> 12 x\n",
    b"| 12 | x\n", "\u663e\u5b58\u4e0d\u8db3\uff0c".encode(), "\u663e\u5b58".encode("gbk"), b"I am here.\n", b"\xe9", b"WARNING ",
    b"(a pid=1) ", b"E1107 10:04:31.9 1 a.py:2] ", b"x" * 300, b" ", b"\t", b"\b\b\b", b"\xc2\x85", b"\xe2\x80\xa8", b"\x0c",
]  # fmt: skip
texts = st.one_of(st.binary(max_size=300), st.lists(st.sampled_from(PIECES), max_size=40).map(b"".join))


@given(texts)
@settings(max_examples=400, deadline=None)
def test_read_takes_any_bytes(data: bytes) -> None:
    log = read(data)
    assert log.total_bytes == len(data)
    assert log.kind in ("empty", "binary", "issue", "traceback", "log")
    assert log.omitted == []
    for line in [*log.lines, *log.unwrapped]:
        assert line.role in ("output", "prose", "code", "source", "diff")
        assert 1 <= line.number <= max(log.total_lines, 1)
        assert not any(ord(character) < 32 and character != "\t" for character in line.text.replace("\n", ""))
        assert line.time is None or line.time == line.time
    assert [line.number for line in log.lines] == sorted(line.number for line in log.lines)
    assert sum(map(len, log.streams().values())) == len(log.lines)


@given(texts)
@settings(max_examples=200, deadline=None)
def test_read_takes_any_text(data: bytes) -> None:
    text = data.decode("utf-8", "surrogateescape")
    assert [line.raw for line in read(text).lines] == [line.raw for line in read(text).lines]


@given(st.lists(st.text(string.digits + string.ascii_letters + string.punctuation + " \t", max_size=60), max_size=40))
@settings(max_examples=200, deadline=None)
def test_numbers_are_those_of_newlines(lines: list[str]) -> None:
    data = "\n".join(lines).encode()
    raws = data.split(b"\n")
    log = read(data)
    for line in log.lines:
        assert line.raw in raws[line.number - 1].decode()
    shown = {line.number for line in log.lines}
    assert all(number in shown for number, raw in enumerate(raws[: log.total_lines], 1) if raw.strip())


@given(texts)
@settings(max_examples=200, deadline=None)
def test_raw_text_stands_in_its_raw_line(data: bytes) -> None:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or data.count(0) > len(data) // 8:
        return
    raws = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    for line in read(data).lines:
        if line.raw.isascii():
            assert line.raw.encode() in raws[line.number - 1]


@given(texts)
@settings(max_examples=200, deadline=None)
def test_blocks_find_lines_by_offset(data: bytes) -> None:
    for block in read(data).blocks():
        for index, line in enumerate(block.lines):
            offset = block.starts[index]
            assert block.text[offset : offset + len(line.text)] == line.text
            assert block.index(offset) == index
            assert block.line(offset + len(line.text)) is line


def test_blocks_are_bounded() -> None:
    log = read("a\n" * 9_000)
    blocks = list(log.blocks())
    assert [len(block.lines) for block in blocks] == [8192, 808]
    assert all(isinstance(block, Block) for block in blocks)


@given(st.integers(1, 3 * MAX_LINE), st.sampled_from(["x", "\u663e", "a ", "\U0001f600"]))
@settings(max_examples=30, deadline=None)
def test_long_lines_are_cut_without_loss(length: int, unit: str) -> None:
    text = unit * length
    log = read(text)
    assert "".join(line.raw for line in log.lines) == text
    assert all(len(line.raw) <= MAX_LINE for line in log.lines)
