"""Versions that people tell without a dot."""

from __future__ import annotations

import pytest
from parser_support import versions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My NVIDIA driver is at 535 and the CUDA is version 12.", {"driver": "535", "cuda": "12"}),
        ("| **driver** | `535` |", {"driver": "535"}),
        ("driver version: 535", {"driver": "535"}),
        ("CUDA [12]", {"cuda": "12"}),
        ("CUDA 版本是 12", {"cuda": "12"}),
        ("windows is 10", {"windows": "10"}),
    ],
)
def test_number_without_a_dot(text: str, expected: dict[str, str]) -> None:
    assert versions(text) == expected


@pytest.mark.parametrize(
    "text", ["cuda:8", "CUDA error 9", "CUDA device 9", "driver 8 GB", "cuDNN took 7 seconds", "ROCm, 6 GPUs", "CUDA 45"]
)
def test_what_counts_things_is_no_version(text: str) -> None:
    assert versions(text) == {}
