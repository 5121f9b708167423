"""The code of regular expressions that is kept: found again it matches as what it was made from; strange code is not used."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from inspect import unwrap
from typing import Any

import pytest

from triage.rulebook import expressions
from triage.rulebook.expressions import Expressions
from triage.rulebook.store import in_memory

pytestmark = pytest.mark.skipif(sys.implementation.name != "cpython", reason="the code of another implementation is not kept")
LINE = (
    "RuntimeError: PyTorch 2.1.2+cu118 on 2 x NVIDIA A100-SXM4-80GB, driver 535.54.03, 显存不足 --batch_size=8 (cuda:1) "
    "/usr/lib/libcudart.so.11.0"
)


@pytest.fixture(scope="module")
def kept() -> dict[str, Any]:
    return expressions.sections()


def test_every_expression_is_found_and_is_the_one_that_was_compiled(kept: dict[str, Any]) -> None:
    find = Expressions(in_memory(dict(kept))).find
    written = sorted(set(expressions._lazy_patterns()))
    assert len(written) > 300
    for source, flags in written:
        taken, compiled = find(source, flags), re.compile(source, flags)
        assert taken is not None
        assert (taken.pattern, taken.flags, taken.groups, taken.groupindex) == (
            source,
            compiled.flags,
            compiled.groups,
            compiled.groupindex,
        )
        assert [match.groupdict() for match in taken.finditer(LINE)] == [match.groupdict() for match in compiled.finditer(LINE)]
        assert [match.span() for match in taken.finditer(LINE)] == [match.span() for match in compiled.finditer(LINE)]


def test_folders_within_a_room_count() -> None:
    from triage.parsers.versions.forms import FORMS
    from triage.reading.kinds.mentions import _DENIAL

    assert {FORMS[0][1].written, _DENIAL.written} <= set(expressions._lazy_patterns())


def test_what_is_not_kept_is_not_found(kept: dict[str, Any]) -> None:
    find = Expressions(in_memory(dict(kept))).find
    source, flags = next(iter(expressions._lazy_patterns()))
    assert find("no such expression", 0) is None
    assert find(source[:-1], flags) is None
    assert find(source, flags ^ re.DOTALL) is None
    assert Expressions(in_memory({})).find(source, flags) is None


def test_code_of_another_release_is_not_used(kept: dict[str, Any]) -> None:
    source, flags = next(iter(expressions._lazy_patterns()))
    magic, size = kept["expressions/form"]
    assert Expressions(in_memory({**kept, "expressions/form": [magic + 1, size]})).find(source, flags) is None


def test_forged_code_is_refused(kept: dict[str, Any]) -> None:
    codes = kept["expressions/codes"]
    forged = type(codes)(codes.typecode, [4_000_000_000] * len(codes))
    find = Expressions(in_memory({**kept, "expressions/codes": forged})).find
    assert all(find(source, flags) is None for source, flags in expressions._lazy_patterns())


def test_without_the_parts_of_re_that_are_nobodys_business_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("re._compiler._code")
    assert unwrap(expressions.sections)() == {}  # not what a test before this one was given


def test_the_parsers_ask_for_what_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    lazy = import_module("triage.reading.lazy")
    asked: list[str] = []
    lazy_before = lazy._kept

    def find(source: str, flags: int) -> re.Pattern[str] | None:
        asked.append(source)
        return re.compile("the other") if source == "this one" else None

    try:
        lazy.keep(find)
        assert lazy.Pattern("this one").search("and the other") is not None
        assert lazy.Pattern("not that").search("not that") is not None
    finally:
        lazy.keep(lazy_before)
    assert asked == ["this one", "not that"]
