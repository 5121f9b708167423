"""Compressed files are read as what they hold, others as they are."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from collections.abc import Callable

import pytest

from triage.reading.compressed import Unpacked, unpacked

TEXT = b"".join(b"%d steps\n" % (number * 7919 % 10007) for number in range(60_000))


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
@pytest.mark.parametrize("size", [1, 10, 11, 70_000, 10_000_000])
def test_a_read_gives_as_much_as_is_asked_for(pack: Callable[[bytes], bytes], size: int) -> None:
    text = unpacked(io.BytesIO(pack(TEXT)))
    assert text.read(size) == TEXT[:size]
    assert text.read() == TEXT[size:]
    assert text.read() == b""
    assert not getattr(text, "damage", "")


@pytest.mark.parametrize("text", [b"", b"\x1f", b"BZh is how bzip2 begins", b"PK is no archive", b"(\xb5/"])
def test_what_only_begins_alike_is_read_as_it_is(text: bytes) -> None:
    assert unpacked(io.BytesIO(text)).read() == text


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_of_a_file_that_ends_early_the_beginning_is_read(pack: Callable[[bytes], bytes]) -> None:
    text = unpacked(io.BytesIO(pack(TEXT)[:-500]))
    assert isinstance(text, Unpacked)
    assert TEXT.startswith(text.read())
    assert text.damage == "it ends early"


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_damage_is_told_and_raises_nothing(pack: Callable[[bytes], bytes]) -> None:
    data = bytearray(pack(TEXT))
    data[len(data) // 2] ^= 0xFF
    text = unpacked(io.BytesIO(bytes(data)))
    assert isinstance(text, Unpacked)
    assert len(text.read()) <= len(TEXT)
    assert text.damage


def test_an_archive_is_refused() -> None:
    with pytest.raises(OSError, match="unzip -p"):
        unpacked(io.BytesIO(b"PK\x03\x04" + bytes(40)))
