"""Bytes → text. UTF-8 nearly always; UTF-16 from PowerShell; GBK and Latin-1 line by line where UTF-8 fails."""

from __future__ import annotations

import re

_HIGH_RUNS = re.compile(rb"[\x80-\xff]+")


def wide_encoding(head: bytes) -> str:
    """'utf-16-le', 'utf-16-be' or '': told by the byte order mark, or by where the NULs of mostly ASCII text stand."""
    if head.startswith(b"\xff\xfe"):
        return "utf-16-le"
    if head.startswith(b"\xfe\xff"):
        return "utf-16-be"
    sample = head[:4096]
    half = len(sample) // 2
    if half < 4 or not 3 * sample.count(0) >= half:
        return ""
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if odd > 0.6 * half and even < 0.05 * half:
        return "utf-16-le"
    if even > 0.6 * half and odd < 0.05 * half:
        return "utf-16-be"
    return ""


def decode(data: bytes) -> str:
    """Text of any bytes, without its byte order mark. Never raises; newlines stay where they were."""
    wide = wide_encoding(data)
    if wide:
        return data.decode(wide, "replace").removeprefix("\ufeff")
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    try:
        return data.decode()
    except UnicodeDecodeError:
        return "\n".join([_decode_line(line) for line in data.split(b"\n")])


def _decode_line(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        pass
    text = line.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    if sum(character > "\x7f" for character in text) >= 2 * broken:
        return text  # UTF-8 with a few bytes lost, as where a write was cut
    if _looks_like_gbk(line):
        return line.decode("gb18030", "replace")
    return line.decode("latin-1")


def _looks_like_gbk(line: bytes) -> bool:
    """Whether the high bytes come in pairs that begin as common Chinese characters and punctuation do.

    Accented letters of Latin-1 mostly stand alone, and small ones begin no common character.
    """
    runs = _HIGH_RUNS.findall(line)
    total = sum(map(len, runs))
    common = sum(2 for run in runs for lead in run[: len(run) - 1 : 2] if 0xB0 <= lead <= 0xD7 or 0xA1 <= lead <= 0xA3)
    return common >= 0.7 * total
