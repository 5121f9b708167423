"""The steps from the lines of a text to a diagnosis."""

from __future__ import annotations

import pytest

from triage import explain
from triage.report.proof import read_aloud


def test_a_reason_that_holds_an_unknown_value_adds_no_empty_step() -> None:
    report = explain("Found GPU0 GeForce 820M which is of cuda capability 2.1.\nPyTorch no longer supports this GPU because it is too old.")
    steps = [step for diagnosis in report.to_dict()["diagnoses"] for step in diagnosis["why"]]
    assert steps
    assert all(steps)


@pytest.mark.parametrize(
    ("condition", "chinese"),
    [
        ("not exists remark(topic='in use')", "没有文中所述(topic='in use')"),
        ("not has(op) or not startswith(op, 'cu')", "未知(op) 或 非 开头为(op, 'cu')"),
        ("code in ['not', 'and'] and size > 3", "code 属于 ['not', 'and'] 且 size > 3"),
        ("remark (topic cause-told)", "文中所述 (topic cause-told)"),
    ],
)
def test_conditions_are_read_in_chinese(condition: str, chinese: str) -> None:
    assert read_aloud(condition, "zh") == chinese
    assert read_aloud(condition, "en") == condition
