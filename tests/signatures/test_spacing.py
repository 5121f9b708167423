"""A blank between Chinese and Latin, which some write and some do not."""

from __future__ import annotations

import pytest
import re2

from triage.signatures.patterns import compile_pattern
from triage.signatures.spacing import spaced


@pytest.mark.parametrize(
    ("pattern", "texts"),
    [
        ("(?:GPU|显卡)(?:会)?掉卡", ["GPU掉卡", "GPU 掉卡", "GPU 会掉卡", "显卡掉卡"]),
        ("保存(?:模型|checkpoint)(?:的?时候)", ["保存checkpoint的时候", "保存 checkpoint 的时候", "保存模型的时候"]),
        (r"用\bvllm\b部署", ["用vllm部署", "用 vllm 部署", "用 vllm部署"]),
        ("%{INT:number}号卡爆显存", ["3号卡爆显存", "3 号卡爆显存"]),
        (r"显存(?:\boom\b|不足)", ["显存oom", "显存 oom", "显存不足"]),
    ],
)
def test_a_blank_may_stand_where_chinese_meets_latin(pattern: str, texts: list[str]) -> None:
    compiled = compile_pattern(pattern)
    assert [text for text in texts if not re2.search(compiled.regex, text)] == []


def test_chinese_words_stay_together() -> None:
    assert re2.search(compile_pattern("显存不足GPU").regex, "显存 不足GPU") is None


@pytest.mark.parametrize(
    "pattern", ["CUDA out of memory", "显存不足", "显存 ?OOM ?了", r"GPU.{0,4}不见", r"GPU[^，]{0,4}不见", r"GPU\s*丢失"]
)
def test_a_pattern_that_says_it_or_needs_none_stays_as_it_is(pattern: str) -> None:
    assert spaced(pattern) == pattern
