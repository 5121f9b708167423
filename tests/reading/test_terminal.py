"""Escape sequences, carriage returns and progress bars become what a reader would have seen."""

from __future__ import annotations

import pytest

from triage.reading import read


def texts(raw: str | bytes) -> list[str]:
    return [line.text for line in read(raw).lines]


@pytest.mark.parametrize(
    "raw",
    [
        "\x1b[1;31mRuntimeError\x1b[0m: no",
        "\x1b]0;window title\x07RuntimeError: no",
        "\x1b]8;;https://example.org\x1b\\RuntimeError: no\x1b]8;;\x1b\\",
        "\x1b(BRuntimeError: no\x1b[K",
        "\x1b[2K\x1b[1ARuntimeError: no",
        "^[[31mRuntimeError: no^[[0m",
        "#033[31mRuntimeError: no#033[0m",
        "\\x1b[31mRuntimeError: no\\x1b[0m",
        "[31mRuntimeError: no[0m",
        "\x00RuntimeError\x01: no\x7f",
        "RuntimeError: no\r",
        "RuntimeError: no^M\r",
    ],
)
def test_sequences_vanish(raw: str) -> None:
    assert texts(raw) == ["RuntimeError: no"]


def test_prefix_inside_colours() -> None:
    (line,) = read("\x1b[1;36m(EngineCore_DP0 pid=7)\x1b[0;0m ERROR 11-01 12:31:40 [core.py:781] no").lines
    assert (line.text, line.stream) == ("no", "EngineCore_DP0 pid=7")


def test_unfinished_sequence_loses_nothing_else() -> None:
    assert texts("before\n\x1b[31")[0] == "before"
    assert texts("\x1b]0;title without end\nRuntimeError: no")[1] == "RuntimeError: no"


def test_brackets_without_resets_stay() -> None:
    assert texts("shape [3m, 4m]") == ["shape [3m, 4m]"]


def test_only_the_last_state_of_a_bar_is_kept() -> None:
    raw = "\r".join(f"train: {percent}%|##   | {percent}/100 [00:01<00:02, 5.0it/s]" for percent in range(0, 101, 5))
    assert texts(raw) == ["train: 100%|##   | 100/100 [00:01<00:02, 5.0it/s]"]


def test_error_between_states_is_kept_with_the_same_number() -> None:
    log = read("start\n 1%|  | 1/100 [00:01<00:02, 5.0it/s]\rRuntimeError: no\r 2%|  | 2/100 [00:01<00:02, 5.0it/s]\n")
    assert [(line.number, line.text) for line in log.lines] == [
        (1, "start"),
        (2, " 1%|  | 1/100 [00:01<00:02, 5.0it/s]"),
        (2, "RuntimeError: no"),
        (2, " 2%|  | 2/100 [00:01<00:02, 5.0it/s]"),
    ]


def test_bar_that_starts_again_keeps_both_ends() -> None:
    bar = "{}%|  | {}/10 [00:01<00:02, 5.0it/s]"
    raw = "\r".join(bar.format(10 * step, step) for step in [*range(11), *range(4)])
    assert texts(raw) == [bar.format(100, 10), bar.format(30, 3)]


def test_backspaces_rewrite_like_keras() -> None:
    assert texts("  1/10 [=>...] - ETA: 3s" + "\b" * 24 + " 10/10 [====] - 1s - loss: 0.5 ETA") == [" 10/10 [====] - 1s - loss: 0.5 ETA"]


def test_message_glued_to_a_bar_comes_apart() -> None:
    raw = "  0%|          | 0/1000 [00:00<?, ?it/s]Traceback (most recent call last):"
    assert texts(raw) == ["  0%|          | 0/1000 [00:00<?, ?it/s]", "Traceback (most recent call last):"]


def test_flattened_traceback_comes_apart() -> None:
    log = read(r"task failed: Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n    g()\nRuntimeError: no")
    assert [line.text for line in log.lines][-1] == "RuntimeError: no"
    assert {line.number for line in log.lines} == {1}


def test_entities_are_decoded_in_the_text_only() -> None:
    (line,) = read("if a &gt; b &amp;&amp; c &lt; &quot;d&quot;: &#39;x&#39;").lines
    assert line.text == "if a > b && c < \"d\": 'x'"
    assert "&gt;" in line.raw


def test_doubly_escaped_entity_is_decoded_once() -> None:
    assert texts("&amp;gt;") == ["&gt;"]


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x0b", "\x0c", "\x85", "\x1c", "\x1e"])
def test_only_newlines_end_lines(separator: str) -> None:
    log = read(f"a{separator}b\nc")
    assert log.total_lines == 2
    assert [line.number for line in log.lines] == [1, 2]


def test_old_mac_line_ends_share_a_number() -> None:
    assert [(line.number, line.text) for line in read("one\rtwo\rthree").lines] == [(1, "one"), (1, "two"), (1, "three")]


def test_endless_line_is_cut() -> None:
    log = read("word " * 20_000)
    assert {line.number for line in log.lines} == {1}
    assert max(len(line.raw) for line in log.lines) <= 16384
    assert "".join(line.raw for line in log.lines) == "word " * 20_000


def test_letters_and_digits_of_full_width() -> None:
    assert read("显卡：ＲＴＸ３０８０（１０Ｇ），ｔｏｒｃｈ＝２．１\n").lines[0].text == "显卡：RTX3080（10G），torch=2.1"


@pytest.mark.parametrize(
    ("copied", "shown"),
    [
        ("Cell In[4], [line 1](vscode-notebook-cell:?execution_count=4&line=1)", "Cell In[4], line 1"),
        ("--> [674](file:///C:/envs/lib/engine/model.py:674) self.train()", "--> 674 self.train()"),
        ("/env/lib/[flash_attn.so](http://flash_attn.so/): undefined symbol: x", "/env/lib/flash_attn.so: undefined symbol: x"),
        ("see [the guide](https://example.org/guide)", "see [the guide](https://example.org/guide)"),
    ],
)
def test_links_that_editors_make_of_paths(copied: str, shown: str) -> None:
    assert texts(copied) == [shown]
