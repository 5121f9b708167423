"""Ranges of versions: of two wordings of one message, releases print one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from triage.rulebook.ranges import parse_range
from triage.workshop.lint.base import Base, Finding, SignatureView
from triage.workshop.lint.samples import samples

_SAME_START = 0.6  # share of the shorter of two wordings of one message that both begin with


def ranges(base: Base) -> Iterator[Finding]:
    """L071: ranges that hold no release; L070: ranges of two wordings that overlap.

    Two signatures of a file word one message when they begin alike. A form that also matches whatever the other one does (a shortened
    one, tried after it) may claim the same releases: it then claims all of the other's.
    """
    for source in base.checked:
        views = [view for view in base.signatures[source.path] if view.model.versions]
        for view in views:
            for package, text in view.model.versions.items():
                low, high = (_key(bound) for bound in parse_range(text))
                if low is not None and high is not None and low >= high:
                    yield Finding(source, (*view.keys, "versions", package), "L071", f"{view.model.id}: no {package} is {text}")
        for one, other in combinations(views, 2):
            for package in sorted(set(one.model.versions) & set(other.model.versions)):
                problem = _conflict(one, other, package)
                if problem:
                    yield Finding(source, (*other.keys, "versions", package), "L070", problem)


def _conflict(one: SignatureView, other: SignatureView, package: str) -> str:
    mine, theirs = (view.model.versions[package] for view in (one, other))
    if not _overlap(mine, theirs):
        return ""
    texts, others = _texts(one), _texts(other)
    if all(other.compiled.match(text) is not None for text in texts):  # a general form, tried after the special one
        if _within(mine, theirs):
            return ""
        return f"{other.model.id} also matches what {one.model.id} does, but claims {package} {theirs}, not {mine}"
    if any(one.compiled.match(text) is not None for text in others):
        return ""
    alike = any(_common(text, another) >= _SAME_START * min(len(text), len(another)) for text in texts for another in others)
    if not alike:
        return ""
    return f"{one.model.id} ({package} {mine}) and {other.model.id} ({package} {theirs}) word one message and overlap"


def _texts(view: SignatureView) -> list[str]:
    return [text for regex, _ in view.data["regexes"] for text in samples(regex)]


def _common(one: str, other: str) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def _bounds(text: str) -> tuple[Any, Any]:
    low, high = (_key(bound) for bound in parse_range(text))
    return (0,) if low is None else low, (float("inf"),) if high is None else high


def _overlap(one: str, other: str) -> bool:
    (low, high), (other_low, other_high) = _bounds(one), _bounds(other)
    return bool(low < other_high and other_low < high)


def _within(inner: str, outer: str) -> bool:
    (low, high), (outer_low, outer_high) = _bounds(inner), _bounds(outer)
    return bool(outer_low <= low and high <= outer_high)


def _key(bound: Any) -> tuple[int, ...] | None:
    return None if bound is None else tuple(int(part) for part in bound[1].split("."))
