"""Widths, wrapping, escapes, the memory bar."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from render_samples import GIB, MIB

from triage.render import escape, layout, membar
from triage.render.phrases import LANGUAGES, keys, phrase

TEXTS = st.text(alphabet=st.sampled_from("ab ,.（）。显存不足申请ée\u0301 "), max_size=120)


@given(TEXTS, st.integers(min_value=4, max_value=40))
def test_wrap_loses_nothing_and_keeps_to_the_width(text: str, width: int) -> None:
    lines = layout.wrap(text, width)
    assert "".join("".join(lines).split()) == "".join(text.split())
    for line in lines:
        assert line == line.strip()
        assert layout.cells(line) <= width or " " not in line  # only what cannot be broken is wider


@given(st.text(alphabet=st.sampled_from("ab 显存"), max_size=120), st.integers(min_value=2, max_value=40))
def test_chop_loses_nothing_and_keeps_to_the_width(text: str, width: int) -> None:
    pieces = layout.chop(text, width)
    assert "".join(pieces) == text
    assert all(layout.cells(piece) <= width for piece in pieces)


def test_cells() -> None:
    assert layout.cells("abc") == 3
    assert layout.cells("显存") == 4
    assert layout.cells("e\u0301") == 1
    assert layout.cells("，") == 2


def test_chinese_punctuation_does_not_begin_a_line() -> None:
    assert layout.wrap("显存不足，申请失败", 8) == ["显存不", "足，申请", "失败"]
    assert layout.wrap("空闲（显存）", 6) == ["空闲", "（显", "存）"]


def test_visible_leaves_plain_text_alone() -> None:
    text = "RuntimeError: CUDA out of memory — 显存不足 █ é"
    assert escape.visible(text) is text


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("a\tb\u3000c\xa0d", "a b c d"),
        ("\x1b[0m", r"\x1b[0m"),
        ("\x7f\x85\x9b", r"\x7f\x85\x9b"),
        ("\u202e\u2069\u200b\u2028", r"\u202e\u2069\u200b\u2028"),
        ("\udc80", r"\udc80"),
        ("\U000e0041", r"\U000e0041"),
        ("\u3164\u2800", r"\u3164\u2800"),
        ("a\U000e0101\ufe01", r"a\U000e0101\ufe01"),
        ("\u26a0\ufe0f", "\u26a0\ufe0f"),
        ("a\nb\r\n", r"a\nb"),
    ],
)
def test_visible(raw: str, shown: str) -> None:
    assert escape.visible(raw) == shown


def test_shorten_keeps_both_ends_and_counts_the_rest() -> None:
    text = "start" + "x" * 1000 + "the end"
    short = escape.shorten(text, 100)
    assert short.startswith("start")
    assert short.endswith("the end")
    assert "…[+912]…" in short
    assert escape.shorten("x" * 110, 100) == "x" * 110


def test_spans() -> None:
    assert escape.spans("set `a` now") == [(False, "set "), (True, "a"), (False, " now")]
    assert escape.spans("a ` b") == [(False, "a ` b")]
    assert escape.spans("`a` ` b") == [(True, "a"), (False, " ` b")]


SHARES = st.lists(st.integers(min_value=0, max_value=80 * GIB), min_size=5, max_size=5)


@given(
    SHARES,
    st.integers(min_value=0, max_value=200 * GIB),
    st.integers(min_value=20, max_value=100),
    st.sampled_from(LANGUAGES),
    st.booleans(),
)
def test_bar_fills_its_width(sizes: list[int], requested: int, width: int, lang: str, ascii_only: bool) -> None:
    labels = ("live", "reserved", "other", "free", "unknown")
    parts = [{"label": label, "bytes": size} for label, size in zip(labels, sizes, strict=True)]
    bar, request, legend = membar.draw({"parts": parts, "capacity": sum(sizes), "requested": requested}, width, lang, ascii_only)
    assert len(bar) == (width if sum(sizes) else 0)
    assert len(legend) == sum(size > 0 for size in sizes)
    assert bool(request) == bool(requested)
    assert request.isascii() or not ascii_only or lang == "zh"
    assert bar.isascii() or not ascii_only


def test_request_starts_where_memory_could_be_had() -> None:
    parts = [{"label": "live", "bytes": 20 * GIB}, {"label": "reserved", "bytes": 10 * GIB}, {"label": "free", "bytes": 10 * GIB}]
    bar, request, _ = membar.draw({"parts": parts, "capacity": 40 * GIB, "requested": 15 * GIB}, 40, "en")
    assert bar == "█" * 20 + "▓" * 10 + "░" * 10
    assert request == " " * 20 + "├" + "─" * 13 + "┤ 15.00 GiB requested"


def test_request_beyond_the_card_ends_in_an_arrow() -> None:
    parts = [{"label": "live", "bytes": 20 * GIB}, {"label": "free", "bytes": 20 * GIB}]
    _, request, _ = membar.draw({"parts": parts, "capacity": 40 * GIB, "requested": 400 * GIB}, 40, "en", True)
    assert request == " " * 20 + "|" + "-" * 26 + "> 400.00 GiB requested"


def test_small_request_is_a_tick() -> None:
    parts = [{"label": "live", "bytes": 40 * GIB}]
    _, request, _ = membar.draw({"parts": parts, "capacity": 40 * GIB, "requested": 2 * MIB}, 40, "en")
    assert request == " " * 40 + "│ 2.00 MiB requested"


def test_every_phrase_is_there_in_both_languages_with_the_same_values() -> None:
    import string

    for key in keys():
        names = [{name for _, name, _, _ in string.Formatter().parse(phrase(key, lang)) if name} for lang in LANGUAGES]
        assert names[0] == names[1], key
        assert phrase(key, "en") != "" != phrase(key, "zh")
