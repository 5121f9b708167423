"""Chinese texts as they are read, with their values filled in: signs and spaces, words for one thing, sentences that fall away."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, Final

from triage.engine.expressions import variables
from triage.facts.messages import close_up, parse_message
from triage.workshop.lint.base import Base, Finding
from triage.workshop.lint.texts import Place, texts_of

_HAN = "㐀-䶿一-鿿"
_VALUE = "0"  # what stands for a value of the log: digits, Latin letters
_MOST = 6  # conditions within one sentence that are tried both ways
_CODE = re.compile(r"`[^`]*`|https?://[!-~]+")
_SIGNS: Final = (
    (
        re.compile(rf"[{_HAN}] ?[,;:!?](?![\w/])|[{_HAN}]\.(?=[\s{_HAN}]|$)|[,;] ?[{_HAN}]|[!?][{_HAN}]"),
        "a sign of half width beside Chinese",
    ),
    (re.compile(rf"\((?=[^()]*[{_HAN}])[^()]*\)"), "brackets of half width around Chinese"),
    (re.compile(rf"[{_HAN}][\"']|[\"'][{_HAN}]"), "an English quotation mark beside Chinese"),
    (re.compile(rf"[{_HAN}][A-Za-z0-9]|[A-Za-z0-9%+][{_HAN}]"), "no space between Chinese and Latin"),
    (re.compile(rf"[{_HAN}] [{_HAN}]|  "), "a space too many"),
    (re.compile(r" [，。；：！？、）”]|[，。；：！？、（“] "), "a space beside a sign of full width"),
    (re.compile(r"[，。；：、][，。；：、]|。\.|\.。|（）"), "two signs for one"),
    (re.compile(r"（[^）]*$|^[^（]*）"), "a bracket without its other half"),
)
# What rules do not write, and what they write for it: one word for one thing.
_WORDS: Final = tuple(
    (re.compile(word), other)
    for word, other in (
        (r"\btraceback\b|回溯信息|报错堆栈", "调用栈"),
        (r"驱动程序", "驱动"),
        (r"GPU 内存(?!管理)|显卡内存|视频内存", "显存"),
        (r"批次大小|批量大小|批尺寸", "批大小"),
        (r"注意力分数", "注意力得分"),
        (r"词元", "token"),
        (r"[张个] GPU\b(?! 实例)", "块 GPU"),
        (r"工作空间", "工作区"),
        (r"报错信息|错误信息", "报错"),
        (r"算力", "计算能力"),
        (r"集合操作|集体通信", "集合通信"),
        (r"CUDA Graph", "CUDA graph"),
        (r"基座模型", "基础模型"),
        (r"结点", "节点"),
        (r"缺省", "默认"),
    )
)
_QUOTED = re.compile(r"“[^”]*”")


def wording(base: Base) -> Iterator[Finding]:
    """L032: signs and spaces; L033: words that stand for something else elsewhere; L034: sentences that one language leaves out sooner."""
    for source in base.checked:
        for place in texts_of(source):
            for sentence in listed(place.text.zh):
                for code, message in flaws(sentence):
                    yield Finding(source, (*place.keys, "zh"), code, message)
            if message := left_out(place):
                yield Finding(source, (*place.keys, "zh"), "L034", message)


def flaws(sentence: str) -> Iterator[tuple[str, str]]:
    """What is wrong with a sentence, as code and message, each once."""
    told: set[str] = set()
    for text in readings(sentence):
        plain = _CODE.sub(_VALUE, text)
        for pattern, what in _SIGNS:
            found = pattern.search(plain)
            if found and what not in told:
                told.add(what)
                yield "L032", f"{what}: '{plain[max(0, found.start() - 8) : found.end() + 8]}'"
    for pattern, other in _WORDS:
        if found := pattern.search(_QUOTED.sub("", _CODE.sub("", sentence))):
            yield "L033", f"{found.group()} is {other} elsewhere"


def readings(sentence: str) -> Iterator[str]:
    """The sentence as its conditions make it, with `0` for each value of the log; none where it is left out."""
    segments = parse_message(sentence)
    values = [part[1] for part in segments if isinstance(part, list)]
    asked = list(dict.fromkeys(repr(condition) for value in values for condition in _conditions(value)))[:_MOST]
    for answers in product((True, False), repeat=len(asked)):
        truth = dict(zip(asked, answers, strict=True))
        parts = [part if isinstance(part, str) else _said(part[1], truth) for part in segments]
        if None not in parts:
            yield close_up([part or "" for part in parts])


def _conditions(expr: Any) -> Iterator[Any]:
    if isinstance(expr, list):
        if expr[0] == "if":
            yield expr[1]
        for part in expr[1:]:
            yield from _conditions(part)


def _said(expr: Any, truth: Mapping[str, bool]) -> str | None:
    """What an expression stands for in a sentence; None for `untold`, which leaves the sentence out."""
    if isinstance(expr, str):
        return expr
    if expr == ["var", "untold"]:
        return None
    if isinstance(expr, list) and expr[0] == "if":
        return _said(expr[2 if truth.get(repr(expr[1]), True) else 3], truth)
    if isinstance(expr, list) and expr[0] == "join" and isinstance(expr[1], list) and expr[1][0] == "list":
        parts = [_said(part, truth) for part in expr[1][1:]]
        between = expr[2] if len(expr) > 2 and isinstance(expr[2], str) else ", "
        return None if None in parts else between.join(part or "" for part in parts)
    return "字" if isinstance(expr, list) and expr[0] == "var" and expr[1].endswith("_zh") else _VALUE


def left_out(place: Place) -> str:
    """What keeps a sentence away in one language only; '' where both say as much of every log."""
    both = [sorted(sorted(_names(sentence)) for sentence in listed(getattr(place.text, lang))) for lang in ("en", "zh")]
    if both[0] == both[1]:
        return ""
    shown = [" and ".join("[" + ", ".join(names) + "]" for names in needs) for needs in both]
    return f"the sentences need {shown[0]} in English and {shown[1]} in Chinese"


def _names(sentence: str) -> set[str]:
    """The values that a sentence asks for and does not do without by `has`."""
    values = [part[1] for part in parse_message(sentence) if isinstance(part, list)]
    asked = {name for value in values for name in variables(value)} - {name for value in values for name in _optional(value)}
    return {name.removesuffix("_en").removesuffix("_zh") for name in asked}


def _optional(expr: Any) -> Iterator[str]:
    if isinstance(expr, list):
        if expr[0] == "has":
            yield from variables(expr[1])
        for part in expr[1:]:
            yield from _optional(part)


def listed(value: str | list[str]) -> list[str]:
    """The sentences of a text."""
    return [value] if isinstance(value, str) else value
