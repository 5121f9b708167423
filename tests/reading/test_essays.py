"""Long pages of prose, and reports of the same length."""

from __future__ import annotations

import pytest

from triage.reading import read

HEADINGS = "## Scheduling\n\n## Memory\n\n## Weights\n\n## Results\n\n"
SENTENCE = (
    "Weights are updated in buckets here, because a very large model would otherwise not fit beside the engine that serves it, and the "
    "ranks would run out of memory before the first step.\n"
)
PAGES = {
    "an essay in English": HEADINGS + SENTENCE * 36,
    "a manual in Chinese, with code": "RuntimeError: CUDA out of memory.\n"
    + "## 部署\n\n这里比较两种方式。\n" * 25
    + "```bash\n# 创建日志目录\n```\n" * 9,
    "a specification of messages": "RuntimeError: CUDA out of memory.\n" + "## 报错信息的写法\n\n直接告诉用户即可。\n" * 25,
}
REPORTS = {
    "a form": "### Describe the bug\n\n### Environment\n\n### Logs\n\n### Reproduction\n\n" + SENTENCE * 30,
    "few headings": "## Memory\n\n" + SENTENCE * 30,
    "a traceback": HEADINGS + SENTENCE * 30 + "Traceback (most recent call last):\nRuntimeError: CUDA out of memory.\n",
    "somebody asks": HEADINGS + SENTENCE * 30 + "Any help would be great.\n",
    "lines of a program": HEADINGS + "[rank0]: CUDA out of memory.\n" * 60,
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_a_document(name: str) -> None:
    assert {line.role for line in read(PAGES[name]).lines if "out of memory" in line.text} == {"document"}


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_is_none(name: str) -> None:
    assert all(line.role != "document" for line in read(REPORTS[name]).lines if "out of memory" in line.text)
