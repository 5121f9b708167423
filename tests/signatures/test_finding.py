"""The search for one expression, as the inner part of RE2's package gives it and as its wrapper does."""

from __future__ import annotations

import pytest
import re2

from triage.signatures import finding


@pytest.mark.parametrize("regex", [b"(a)b|(c)", b"x", b"", b"^b", b"(?:a(b)?)+", b"z(z)z"])
@pytest.mark.parametrize("text", [b"", b"xab", b"c", b"aab\nxc"])
def test_both_ways_find_the_same(regex: bytes, text: bytes) -> None:
    options = re2.Options()
    for start in range(len(text) + 1):
        by_wrapper = finding.wrapped(regex, options)(text, start, len(text))
        assert [tuple(span) for span in finding.finder(regex, options)(text, start, len(text))] == by_wrapper


def test_an_expression_that_is_none_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    options = re2.Options()
    options.log_errors = False
    for inner in (True, False):
        monkeypatch.setattr(finding, "_HAS_INNER", inner)
        with pytest.raises(re2.error):
            finding.finder(b"(", options)


def test_another_release_of_the_package_is_wrapped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(re2, "_Regexp")
    assert not finding._has_inner()
