"""What the writers say of the environment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from render_samples import OOM

from triage.render import html, markdown, text


@pytest.mark.parametrize("render", [text.render, markdown.render, lambda report: html.render([report])])
def test_the_environment_names_packages_and_no_side_of_a_comparison(render: Callable[[dict[str, Any]], str]) -> None:
    versions = {"built_against": "8.2.4", "cudnn": "8.0.5", "loaded": "8.0.5"}
    shown = render({**OOM, "environment": {"versions": versions, "gpus": []}})
    assert "cudnn 8.0.5" in shown
    assert "loaded" not in shown
    assert "8.2.4" not in shown


def test_sides_of_a_comparison_alone_are_no_environment() -> None:
    sides = {**OOM, "environment": {"versions": {"loaded": "8.0.5"}, "gpus": []}}
    assert "Environment" not in markdown.render(sides)
