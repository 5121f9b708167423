"""Of huge inputs the beginning, the end and what surrounds hits are kept, under their true numbers."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest

from triage.reading import read
from triage.reading.reader import WHOLE_BYTES
from triage.reading.windows import AFTER, BEFORE, CHUNK, HEAD_LINES, TAIL_LINES, Part, Windows, errors, selected

FILLER = b"2025-01-01 00:00:00,000 - INFO - a line of a healthy log that says nothing of interest to anybody who reads it\n"
COUNT = WHOLE_BYTES // len(FILLER) + 40_000


def huge(errors: dict[int, bytes], count: int = COUNT) -> bytes:
    """A log of so many lines, with these lines (numbers from 1) in it."""
    lines = [FILLER] * count
    for number, line in errors.items():
        lines[number - 1] = line + b"\n"
    return b"".join(lines)


def check(data: bytes, log: object) -> None:
    """Every line stands where it says, and kept and omitted lines make up the whole."""
    from triage.reading import Log

    assert isinstance(log, Log)
    raws = data.split(b"\n")
    assert all(line.raw.encode() == raws[line.number - 1] for line in log.lines)
    kept = {line.number for line in log.lines}
    omitted = {number for first, last in log.omitted for number in range(first, last + 1)}
    assert not kept & omitted
    assert len(kept) + len(omitted) == log.total_lines == data.count(b"\n") + (not data.endswith(b"\n"))


@pytest.mark.parametrize("place", [3_000, 9_500, COUNT // 2, COUNT - 6_000, COUNT])
def test_surroundings_of_an_error_are_kept(place: int) -> None:
    data = huge({place: b"RuntimeError: no"})
    log = read(data)
    check(data, log)
    kept = {line.number for line in log.lines}
    assert set(range(place - BEFORE, min(place + AFTER, COUNT) + 1)) <= kept
    assert {1, HEAD_LINES // 2, COUNT - TAIL_LINES // 2, COUNT} <= kept


def test_scanner_decides_what_is_interesting() -> None:
    data = huge({30_000: b"needle", 40_000: b"RuntimeError: no"})

    def keep(chunk: bytes) -> list[tuple[int, int]]:
        place = chunk.find(b"needle")
        return [(place, 0)] if place >= 0 else []

    kept = {line.number for line in read(data, keep).lines}
    assert 30_000 in kept
    assert 40_000 not in kept


def test_windows_cross_chunks() -> None:
    """An error in every possible place relative to the ends of chunks."""
    rng = random.Random(0)
    places = sorted(rng.sample(range(3_000, COUNT - 6_000), 150))
    data = huge({place: b"RuntimeError: number %d" % place for place in places})
    log = read(data)
    check(data, log)
    kept = {line.number for line in log.lines}
    for place in places:
        assert set(range(place - BEFORE, place + AFTER + 1)) <= kept


def test_error_storm_keeps_the_first_and_the_last() -> None:
    storm = range(2_500, COUNT - 5_500)
    data = huge({number: b"RuntimeError: again and again and again in the very same words, %d" % number for number in storm})
    log = read(data)
    check(data, log)
    assert len(log.lines) < 100_000
    kept = {line.number for line in log.lines}
    assert {2_500, 2_501, 20_000, COUNT - 10_000, COUNT - 5_600} <= kept
    assert log.omitted


def test_path_and_file_object_agree_with_bytes(tmp_path: Path) -> None:
    data = huge({COUNT // 3: b"RuntimeError: no"})
    path = tmp_path / "huge.log"
    path.write_bytes(data)
    expected = [(line.number, line.raw) for line in read(data).lines]
    assert [(line.number, line.raw) for line in read(path).lines] == expected
    assert [(line.number, line.raw) for line in read(io.BytesIO(data)).lines] == expected
    assert [(line.number, line.raw) for line in read(io.StringIO(data.decode())).lines] == expected
    assert [(line.number, line.raw) for line in read(data.decode()).lines] == expected


def test_one_endless_line() -> None:
    data = b"x" * (WHOLE_BYTES + 1_000_000) + b"\nRuntimeError: no\n"
    log = read(data)
    assert log.total_lines == 2
    assert max(len(line.raw) for line in log.lines) <= 16384
    assert log.lines[-1].raw == "RuntimeError: no"
    assert log.lines[-1].number == 2
    assert sum(len(line.raw) for line in log.lines) < 6_000_000


def test_many_short_lines() -> None:
    data = b"\n" * 3_000_000
    log = read(data)
    assert log.total_lines == 3_000_000
    assert len(log.lines) < 50_000


def test_huge_utf_16() -> None:
    text = "".join(f"line {number} of a log that PowerShell wrote, in two bytes a character\n" for number in range(90_000))
    text = text.replace("line 45000 ", "RuntimeError: no ")
    data = b"\xff\xfe" + text.encode("utf-16-le")
    log = read(data)
    assert log.total_lines == 90_000
    assert next(line for line in log.lines if line.number == 45_001).text.startswith("RuntimeError: no")
    raws = text.split("\n")
    assert all(line.raw == raws[line.number - 1] for line in log.lines)


def test_characters_are_not_cut_in_two() -> None:
    data = ("显存" * 3_000_000).encode()
    assert not any("\ufffd" in line.raw for line in read(data).lines)


def test_a_storm_of_one_kind_does_not_drown_another() -> None:
    """What came once, in the middle of a storm that fills every budget, is kept with what stands around it."""
    once = COUNT // 2
    storm = {
        number: b"storm %d, and nothing but storm, over and over again, until the log is full of it" % number
        for number in range(3_000, COUNT)
    }
    data = huge({**storm, once: b"needle"})

    def keep(chunk: bytes) -> list[tuple[int, int]]:
        hits = [(chunk.find(b"needle"), 1)]
        position = chunk.find(b"storm ")
        while position >= 0:
            hits.append((position, 0))
            position = chunk.find(b"storm ", chunk.find(b"\n", position))
        return sorted(hit for hit in hits if hit[0] >= 0)

    log = read(data, keep)
    check(data, log)
    kept = {line.number for line in log.lines}
    assert set(range(once - AFTER, once + AFTER)) <= kept
    assert {3_000, COUNT - 100} <= kept
    assert once - 5_000 not in kept


@pytest.mark.parametrize("seed", range(12))
def test_parts_that_matter_give_what_all_of_them_would(seed: int) -> None:
    chance = random.Random(seed)
    data = huge({chance.randrange(1, 2 * COUNT): b"RuntimeError: no" for _ in range(chance.choice([0, 1, 3, 40]))}, 2 * COUNT)
    parts, offset = [], 0
    while offset < len(data):
        chunk = data[offset : offset + CHUNK]
        chunk = chunk[: chunk.rfind(b"\n") + 1] or chunk
        parts.append(Part(offset, len(chunk), chunk.count(b"\n"), chunk.endswith(b"\n"), errors(chunk)))
        offset += len(chunk)
    whole = Windows(errors)
    for part in parts:
        whole.feed(data[part.offset : part.offset + part.size])
    loaded = []

    def load(part: Part) -> bytes:
        loaded.append(part)
        return data[part.offset : part.offset + part.size]

    chosen = selected(parts, load)
    pieces = [[(piece.offset, piece.line, piece.data) for piece in windows.pieces()] for windows in (whole, chosen)]
    assert pieces[0] == pieces[1]
    assert (whole.total_lines, whole.total_bytes) == (chosen.total_lines, chosen.total_bytes)
    assert len(loaded) < len(parts) or any(part.hits for part in parts)
