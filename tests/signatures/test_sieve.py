"""A sieve gives the lines of a huge log in which a failure is reported, and no others."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
import yaml

import triage
from triage.pipeline import shared_triage
from triage.reading import read
from triage.reading.prefixes import Stripper
from triage.signatures.matcher import Matcher
from triage.signatures.sieve import STORM, TRACEBACK, Search, Sieve, Texts, _as_searched, _matches
from triage.signatures.signature import asks_for_digits

RULES = sorted((Path(__file__).parents[2] / "rules").rglob("*.yaml"))
# Words that signatures look for stand in every line of a healthy run.
HEALTHY = b"2026-11-01 10:00:00,123 INFO rank %d step %d loss 0.%04d lr 1e-4 grad norm 0.31 mem 34.2 GiB exit hooks 0 gpu 217 tok/s\n"
OOM = (
    b"[rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 3 has a total capacity of 79.15 GiB of "
    b"which 1.06 GiB is free. Of the allocated memory 70.00 GiB is allocated by PyTorch, and 6.00 GiB is reserved by PyTorch but "
    b"unallocated.\n"
)
ASSERT = (
    b"../aten/src/ATen/native/cuda/Indexing.cu:1292: indexSelectLargeIndex: block: [1,0,0], thread: [5,0,0] "
    b"Assertion `srcIndex < srcSelectDimSize` failed.\n"
)


def healthy(lines: int) -> list[bytes]:
    return [HEALTHY % (number % 8, number, number % 10_000) for number in range(lines)]


@cache
def matcher() -> Matcher:
    return shared_triage()._matcher


@cache
def texts() -> Texts:
    """Those that are looked for first."""
    return shared_search().texts


def sieve() -> Sieve:
    """One that knows nothing of logs yet."""
    search = shared_search()
    search.texts = texts()
    search.texts.settled.clear()
    return Sieve(search, matcher()._signature)


@cache
def shared_search() -> Search:
    return Search(matcher()._data, matcher()._signature)


def failures(hits: list[tuple[int, int]]) -> list[tuple[int, str | None]]:
    return [(offset, "traceback" if number == TRACEBACK else matcher()._signature(number).failure) for offset, number in hits]


def test_a_healthy_log_holds_nothing() -> None:
    assert sieve()(b"".join(healthy(5_000))) == []


def test_texts_that_stand_in_every_line_are_no_longer_looked_for() -> None:
    chunk = b"".join(healthy(5_000))
    looks = sieve()
    looks(chunk)
    assert sum(1 for _ in looks._lines(chunk.lower(), Counter())) < 500
    assert looks._texts.automaton.find_matches_as_indexes(b"a loss of nan") != []


def test_what_was_learnt_of_one_log_serves_the_next() -> None:
    first = sieve()
    first(b"".join(healthy(5_000)))
    again = Sieve(first._search, matcher()._signature)
    assert again._texts is first._texts
    assert again(b"".join([*healthy(100), b"loss: nan\n"])) != []


def test_failures_are_found_where_they_stand_among_lines_like_them() -> None:
    lines = healthy(5_000)
    lines[2_000] = OOM
    lines[4_000] = ASSERT
    looks = sieve()
    assert looks(b"".join(healthy(5_000))) == []
    found = failures(looks(b"".join(lines)))
    first, second = (sum(map(len, lines[:place])) for place in (2_000, 4_000))
    assert (first, "memory.gpu-oom") in found
    assert (second, "kernel.device-assert") in found
    assert {offset for offset, _ in found} == {first, second}


@pytest.mark.parametrize(
    ("before", "after"),
    [(b"", b""), (b"\x1b[31m", b"\x1b[0m"), (b"  7%|#   | 7/100 [00:03<00:41]\r", b""), (b"\t", b"  \r")],
    ids=["bare", "coloured", "behind a progress bar", "blanks and the line end of Windows"],
)
def test_what_stands_around_a_message_hides_nothing(before: bytes, after: bytes) -> None:
    lines = [b"\x1b[1mepoch\x1b[0m  1   of  20\n", *healthy(3), before + OOM.rstrip() + after + b"\n"]
    [(offset, failure)] = {hit for hit in failures(sieve()(b"".join(lines))) if hit[1] == "memory.gpu-oom"}
    line = sum(map(len, lines[:-1]))
    assert line <= offset <= line + len(before)
    assert failure == "memory.gpu-oom"


def test_messages_in_records_are_found() -> None:
    messages = ("\"addmm_impl_cpu_\" not implemented for 'Half'", "it is 12 °C")
    lines = [json.dumps({"log": f"{message}\n", "stream": "stderr", "time": "2026-11-01T10:00:00Z"}) for message in messages]
    assert {failure for _, failure in failures(sieve()("\n".join([*lines, ""]).encode()))} == {"dtype.not-implemented"}


def test_of_a_storm_each_chunk_gives_one() -> None:
    looks = sieve()
    first = [hit for hit in failures(looks(OOM * (STORM + 20))) if hit[1] == "memory.gpu-oom"]
    assert len({offset for offset, _ in first}) == STORM + 1
    later = looks(OOM * 50 + ASSERT)
    assert {offset for offset, failure in failures(later) if failure == "memory.gpu-oom"} == {0}
    assert (50 * len(OOM), "kernel.device-assert") in failures(later)


def test_python_exceptions_of_any_kind_are_places_to_read() -> None:
    assert sieve()(b"ok\nTraceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 'x'\n")[0] == (3, TRACEBACK)


@pytest.mark.parametrize("path", RULES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_examples_of_the_rules_pass(path: Path) -> None:
    """Whatever a whole reading recognises as printed, the sieve does not lose."""
    looks = sieve()
    numbers = {(data.get("failure"), data["id"]): number for number, data in enumerate(matcher()._data)}
    for example in (yaml.safe_load(path.read_text(encoding="utf-8")).get("examples") or ())[:6]:
        # A last line that breaks off is read as if it went on, a title in small letters as if it had others: no sieve does that.
        log = read("begin\n" + example["text"] + "\nend\n")
        signals = [item.slots for item in matcher().observe(log) if item.template == "signal" and item.slots["role"] in ("output", "table")]
        wanted = {numbers[slots["failure"], slots["signature"]] for slots in signals}
        looks._counts.clear()
        found = {number for _, number in looks(example["text"].encode() + b"\n")}
        assert not wanted or wanted & found, example["name"]


@pytest.mark.parametrize("path", RULES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_quick_verdict_on_a_line_loses_nothing_that_a_reading_finds(path: Path) -> None:
    stripper = Stripper(None)
    for example in (yaml.safe_load(path.read_text(encoding="utf-8")).get("examples") or ())[:6]:
        for line in example["text"].split("\n"):
            text = f"[rank3]: {line} ".encode()
            looks = sieve()
            for _, _, held in looks._lines(_as_searched(text), Counter()):
                for span, *groups in looks._called(held):
                    for number, forms in [item for group in groups for item in group if span == 1 and item[0] != TRACEBACK]:
                        if _matches(matcher()._signature(number), forms, text, stripper):
                            assert list(shared_search().matching([(number, forms)], text, _as_searched(text), stripper)) == [number], line


@pytest.mark.parametrize(
    ("regex", "asks"),
    [
        (r"rank \d+ of [0-9]{1,3}x[a-f0-9]", False),
        (r"error 719", True),
        (r"[1-9]\d*", True),
        (r"[^0-9.]$", False),
        (r"\{2", True),
        (r"a{2}", False),
    ],
)
def test_an_expression_that_asks_for_certain_digits_is_known(regex: str, asks: bool) -> None:
    assert asks_for_digits(regex) == asks


def test_lines_that_differ_in_digits_are_told_apart_where_a_signature_does() -> None:
    lines = [b"CUDA error 719 in step 1\n", b"CUDA error 209 in step 2\n", b"CUDA error 333 in step 3\n"]
    found = failures(sieve()(b"".join(lines)))
    assert [{failure for offset, failure in found if offset == place} for place in (0, 25, 50)] == [
        {"kernel.launch-failure"}, {"kernel.arch-mismatch"}, set(),
    ]  # fmt: skip


def test_one_message_among_a_hundred_thousand_healthy_lines_is_explained() -> None:
    lines = healthy(100_000)
    lines[60_000] = OOM
    report = triage.explain(b"".join(lines))
    assert report.diagnoses[0].family == "memory.gpu-oom"
    assert report.diagnoses[0].evidence[0].line == 60_001
