"""Entries that ask and answer report nothing; a person's own case does."""

from __future__ import annotations

import pytest

from triage.reading import read

GUIDE = """#### 2. Memory

```
RuntimeError: CUDA out of memory.
```

##### Solution

Lower the batch.

#### 3. Speed
torch.OutOfMemoryError: CUDA out of memory.
"""


def roles(text: str) -> list[str]:
    return [line.role for line in read(text).lines]


def test_what_stands_above_a_solution_is_told_not_reported() -> None:
    found = roles(GUIDE)
    assert found[3] == "document"
    assert found[-1] != "document"  # the next section has no solution


@pytest.mark.parametrize("label", ["**Fix:**", "**해결 방법:**", "**解決策**", "**解决方案**：", "- **Solution**: lower the batch"])
def test_a_label_in_any_language_answers(label: str) -> None:
    text = f"### Memory\n\n**Error**\n```\nRuntimeError: CUDA out of memory.\n```\n\n{label}\n\nLower it.\n"
    assert roles(text)[4] == "document"


def test_a_heading_that_quotes_a_failure_to_explain_it() -> None:
    text = '### Fails with "RuntimeError: CUDA error: an illegal memory access"\n\nThis usually means an index is wrong.\n'
    assert roles(text)[0] == "document"
    asks = '### Fails with "RuntimeError: CUDA error: an illegal memory access"\n\nHere is the full log.\n'
    assert roles(asks)[0] != "document"


def test_questions_and_answers() -> None:
    assert set(roles("Q: 训练时提示 CUDA out of memory 怎么处理？\nA: 减小批大小。\n")) == {"document"}
    assert "document" not in roles("Q: what is RuntimeError: CUDA out of memory?\nno reply yet\n")


def test_a_person_tells_of_a_case() -> None:
    text = GUIDE.replace("Lower the batch.", "I tried a lower batch, it still fails.")
    assert "document" not in roles(text)


def test_a_guide_whose_sections_are_called_as_those_of_a_form() -> None:
    entry = "#### {} \n**Symptoms**: {}\n\n**Solutions**:\n```bash\nfree -h\n```\n\n"
    parts = [entry.format(title, told) for title, told in (("Memory", "System runs out of RAM"), ("Port", "Timeouts"), ("Disk", "Slow"))]
    guide = "```\n" + "".join(parts) + "### System Information\n```bash\nuname -a\n```\n" + "".join(parts)
    assert [line.role for line in read(guide).lines if "RAM" in line.text][-1] == "document"


def test_a_report_that_names_a_workaround() -> None:
    text = "**GPU:** NVIDIA GB10\n**Symptoms:** `CUDA error: an illegal memory access`\n\n**Workaround:** no graphs.\n"
    assert "document" not in roles(text)


@pytest.mark.parametrize(
    "text",
    [
        "# why CUDA_LAUNCH_BLOCKING: RuntimeError: CUDA error: device-side assert triggered\nimport os\nimport torch\nfrom run import main\nmain()\n",  # noqa: E501
        'SEEN="Traceback (most recent call last):\n  File \\"a.py\\", line 3\nRuntimeError: CUDA error: device-side assert triggered"\nkeep "$SEEN"\n',  # noqa: E501
        "parser.add_argument('--memory', help='Lower it after \"RuntimeError: CUDA out of memory.\"')\n",
        'def test_memory():\n    found = explain("RuntimeError: CUDA out of memory.")\n    assert found and "batch" in found\n\ndef test_none():\n    assert explain("") is None\n',  # noqa: E501
        "Set it up:\n```python\n# RuntimeError: CUDA error: device-side assert triggered → use the CPU\nmodel = load(device='cpu')\n```\n",
    ],
)
def test_source_that_quotes_a_failure(text: str) -> None:
    assert all(line.role == "code" for line in read(text).lines if "CUDA" in line.text)


def test_a_value_printed_over_several_lines_is_output() -> None:
    assert set(roles('error="Traceback (most recent call last):\nRuntimeError: CUDA out of memory."\n')) == {"output"}


def test_many_headings_take_linear_time() -> None:
    lines = ["# a", "## Solution", "**Fix:**", '### "x error" y', "This usually means z."] * 1900
    assert len(roles("\n".join(lines))) == 9500


def test_headings_that_ask_as_readers_do() -> None:
    text = (
        "### How can I see more?\n\nSet DEBUG=true.\n\n### I'm getting a CUDA out-of-memory error, or a model that will not load\n\n"
        "These are described in the reference.\n"
    )
    assert {line.role for line in read(text).lines if line.text.startswith("#")} == {"document"}
    assert {line.role for line in read(text + "\nMy card has 8 GB.\n").lines if line.text.startswith("#")} == {"prose"}


def test_many_questions_put_as_readers_put_them() -> None:
    pair = "3.1 Q：我的作业报 CUDA out of memory\n~~~~~~~~~\n\n**A：** 申请更多资源。\n\n"
    assert {line.role for line in read(pair * 4).lines if "out of memory" in line.text} == {"document"}
    assert {line.role for line in read(pair).lines if "out of memory" in line.text} != {"document"}


def test_a_reader_speaks_in_the_questions_of_a_page() -> None:
    page = '**Q: I see "CUDA out of memory". What now?**\n\nA: Reduce the batch.\n\n**Q: Why is it slow?**\n\nA: Use more workers.\n'
    assert roles(page)[0] == "document"
    assert roles(page + "\nMy card has 8 GB.\n")[0] != "document"


def test_who_supposes_a_cause_tells_of_a_case() -> None:
    text = "# 驱动不能使用\n\n# Error log\n\nNVIDIA-SMI has failed\n\n{}Ubuntu 自动更新了内核。\n\n# Solution\n\n1. 重装驱动\n"
    assert roles(text.format("初步怀疑"))[4] != "document"
    assert roles(text.format(""))[4] == "document"


def test_questions_of_a_page_in_chinese() -> None:
    text = "##### 问题：训练时报错 RuntimeError: CUDA out of memory，如何解决？\n\n+ 报错分析：\n\n批大小过大。\n"
    assert roles(text)[0] == "document"
    assert roles("### Q8: What should I check first when training hangs?\n\nThe interface.\n")[0] == "document"


@pytest.mark.parametrize("label", ["**해결**:", "**Oplossing**:", "**Lösung:**", "**Solución**:", "**Решение:**", "**対策**:"])
def test_a_journal_in_any_language_answers(label: str) -> None:
    text = f"### 3. vLLM\n\n- **Symptom**: `RuntimeError: CUDA out of memory`\n- {label} `--enforce-eager`\n"
    assert roles(text)[2] == "document"


def test_a_numbered_question() -> None:
    assert roles("3.3 Q：运行程序时提示 CUDA out of memory\n\nA：减小批大小。\n")[0] == "document"


def test_what_is_shown_below_a_numbered_question() -> None:
    text = "### Q40: 遇到相关报错\n\n```\nRuntimeError: CUDA out of memory\n```\n\n通过参数关闭即可。\n"
    assert roles(text)[3] == "document"
    assert roles(text.replace("通过参数关闭即可。", "请问怎么关闭？"))[3] != "document"


def test_who_analyses_a_problem_reports_it() -> None:
    assert "document" not in roles("问题：两张卡训练报 CUDA out of memory\n\n分析：怀疑显存泄漏。\n")
