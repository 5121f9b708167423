"""What a sentence quotes of a program's output."""

from __future__ import annotations

import pytest

from triage import explain
from triage.reading.quotations import quoted

MESSAGE = "RuntimeError: Requested 8 GPUs but only 4 available"


@pytest.mark.parametrize(
    "sentence",
    [
        "When I start it I get {}", "It stops with `{}` since yesterday.", 'It says "{}" and I do not know why.', "I get this error: {}",
        "运行的时候报错：{}", "启动时提示如下：{}",
    ],
)  # fmt: skip
def test_a_message_in_a_sentence(sentence: str) -> None:
    text = sentence.format(MESSAGE)
    assert quoted(text) == MESSAGE
    assert [found.family for found in explain(text + "\n").diagnoses] == ["device.invalid-ordinal"]


def test_the_longest_text_between_backticks_where_no_exception_is_named() -> None:
    assert quoted("with `a b` it ends in `no GPU was found` here") == "no GPU was found"


@pytest.mark.parametrize(
    "sentence",
    [
        "Should we raise `{}` here or just warn?", "What if users hit `{}`?", "This fixes {}", 'A better message than "{}" would do.',
        "Thanks, `{}` is gone now.", "`{}` no longer comes.", "修复 {}",
    ],
)  # fmt: skip
def test_a_message_that_nobody_met(sentence: str) -> None:
    assert quoted(sentence.format(MESSAGE)) == ""


@pytest.mark.parametrize("text", ["I set `batch_size` to 4.", "The RuntimeError is gone.", "Note: it is slow.", "an error of mine", ""])
def test_a_name_is_no_message(text: str) -> None:
    assert quoted(text) == ""
