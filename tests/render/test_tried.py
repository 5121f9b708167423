"""What the verifier says of a trial is read in Chinese, but for the words of programs."""

from __future__ import annotations

import pytest

from triage.render.tried import in_chinese


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        (
            "the failure occurs without the fix and not with it; peak allocated 3.50 GiB as reported, 1.25 GiB with the fix",
            "不修复时出现该故障，修复后不再出现；分配峰值：原样 3.50 GiB，修复后 1.25 GiB",
        ),
        (
            "needs a GPU that torch can use (torch 2.6.0+cpu is a build without CUDA)",
            "需要 torch 可用的 GPU（torch 2.6.0+cpu 是不含 CUDA 的构建）",
        ),
        (
            "needs 1 GPU(s) that nobody uses, or one named with --gpu: on GPU 0 2 process(es) hold 9000 MiB: python (17)",
            "需要 1 块空闲的 GPU，或用 --gpu 指定一块：GPU 0 上有 2 个进程占用 9000 MiB：python (17)",
        ),
        (
            "the program fails in another way than reported: the arm ended with failed (exit status 1), triage reads no failure; "
            "its last line is 'needs a rest'",
            "程序的失败方式与报告的不同：程序失败（退出码 1），triage 没有读出故障；最后一行为 'needs a rest'",
        ),
        ("words that nobody foresaw", "words that nobody foresaw"),
    ],
)
def test_reasons_in_chinese(english: str, chinese: str) -> None:
    assert in_chinese(english) == chinese
