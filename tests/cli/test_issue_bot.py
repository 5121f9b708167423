"""The function an issue bot calls."""

from __future__ import annotations

import pytest
from cli_support import HEALTHY, OOM

from triage.integrations.issue_bot import comment_for, language_of

ISSUE = f"""### Bug

@maintainer my training dies, fixes #12?

```
{OOM}```
"""


def test_a_comment_explains_the_failure() -> None:
    comment = comment_for(ISSUE)
    assert comment is not None
    assert comment.startswith("### ")
    assert "`memory.gpu-oom" in comment
    assert "@maintainer" not in comment.replace("`", "")
    assert "显存" not in comment


def test_nothing_to_say_is_none() -> None:
    for body in ("", "Please add a feature.", HEALTHY, "```\n```", "\x00\ud800"):
        assert comment_for(body) is None


def test_the_comment_speaks_the_posters_language() -> None:
    comment = comment_for(f"训练到一半显存就爆了，该怎么办？\n```\n{OOM}```\n")
    assert comment is not None
    assert "显存" in comment
    english = comment_for(f"训练到一半显存就爆了，该怎么办？\n```\n{OOM}```\n", lang="en")
    assert english is not None
    assert "What to do" in english


@pytest.mark.parametrize(
    ("body", "lang"),
    [
        ("", "en"),
        ("It fails on GPU 0.", "en"),
        ("训练报错，怎么解决？", "zh"),
        ("显存不足", "zh"),
        (f"显存不足\n```\n{OOM}\n```", "zh"),
        (f"用四张卡训练的时候报了这个错误，求助\n{OOM}", "zh"),
        ("My path is /data/项目 and training with these settings fails every time I try", "en"),
        ("```\n训练到一半显存就爆了，该怎么办呢\n```\nIt says this in my log.", "en"),
        ("GPUのメモリが足りません。学習を開始すると必ず失敗します。", "en"),
    ],
)
def test_language_of(body: str, lang: str) -> None:
    assert language_of(body) == lang
