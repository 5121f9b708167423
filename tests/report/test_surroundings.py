"""What a report says of the machine."""

from __future__ import annotations

import triage

TABLE = """GPU 0,1: NVIDIA H100 80GB HBM3
GPU 0,1 Compute Capability: 9.0
"""


def test_a_gpu_of_which_two_lines_tell_is_listed_once() -> None:
    gpus = triage.explain(TABLE).to_dict()["environment"]["gpus"]
    assert gpus == [{"gpu": index, "gpu_name": "NVIDIA H100 80GB HBM3", "capability": "9.0"} for index in (0, 1)]


def test_a_product_under_two_spellings_is_listed_once() -> None:
    gpus = triage.explain("RTX4090 here. The error is the same on every NVIDIA GeForce RTX 4090.").to_dict()["environment"]["gpus"]
    assert gpus == [{"gpu_name": "NVIDIA GeForce RTX 4090"}]


def test_two_products_are_two() -> None:
    gpus = triage.explain("One machine has an RTX 4090, the other an A100.").to_dict()["environment"]["gpus"]
    assert [gpu["gpu_name"] for gpu in gpus] == ["RTX 4090", "A100"]
