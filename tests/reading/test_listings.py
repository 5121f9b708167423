"""Tables of codes, and reports that name codes."""

from __future__ import annotations

from triage.reading import read


def test_three_codes_that_are_explained_are_a_table() -> None:
    text = "- cudaErrorInvalidConfiguration：尺寸不合法\n- cudaErrorIllegalAddress：访问了非法地址\n- cudaErrorAssert: a failed assertion\n"
    assert {line.role for line in read("常见的错误码有：\n" + text).lines[1:]} == {"document"}


def test_three_codes_that_were_printed_are_none() -> None:
    text = "cudaErrorInvalidConfiguration\ncudaErrorIllegalAddress\ncudaErrorAssert\n"
    assert all(line.role != "document" for line in read(text).lines)
