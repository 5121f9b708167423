"""What `triage rules test` says of an example whose report is not what it expects."""

from __future__ import annotations

import pytest
import yaml

from triage.pipeline import Triage
from triage.rulebook.loader import load_text
from triage.workshop.testing import run_examples

FULL = (
    "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 15.78 GiB total capacity; "
    "14.56 GiB already allocated; 38.44 MiB free; 14.80 GiB reserved in total by PyTorch)"
)
OF_MEMORY = {"family": "memory.gpu-oom"}


@pytest.fixture(scope="module")
def engine() -> Triage:
    return Triage()


def differences(engine: Triage, example: dict[str, object]) -> list[str]:
    source = load_text(yaml.safe_dump({"since": "0.1", "examples": [example]}), "examples.yaml")
    return [difference for outcome in run_examples(engine, [source]) for difference in outcome.differences]


@pytest.mark.parametrize(
    "expect",
    [
        OF_MEMORY,
        {**OF_MEMORY, "first_fix": "reduce-batch-or-sequence", "line": 1, "facts": {"requested_bytes": "2 GiB", "gpu": 0}},
        {**OF_MEMORY, "says": ["38.44 MiB free", "smaller batch"], "says_not": ["set_device"]},
    ],
)
def test_nothing_where_the_report_is_as_expected(engine: Triage, expect: dict[str, object]) -> None:
    assert differences(engine, {"text": FULL, "expect": expect}) == []


@pytest.mark.parametrize(
    ("expect", "said"),
    [
        ({"family": "device.mismatch"}, "expected device.mismatch first"),
        ({**OF_MEMORY, "cause": "leak"}, "expected cause leak"),
        ({**OF_MEMORY, "also": ["env.mig"]}, "expected also env.mig"),
        ({**OF_MEMORY, "line": 2}, "expected line 2 as evidence"),
        ({**OF_MEMORY, "facts": {"requested_bytes": "3 GiB"}}, "expected requested_bytes"),
        ({**OF_MEMORY, "fixes": ["reboot-or-reset"]}, "expected fix reboot-or-reset"),
        ({**OF_MEMORY, "first_fix": "reboot-or-reset"}, "expected first fix reboot-or-reset"),
        ({**OF_MEMORY, "says": ["99.99 GiB"]}, "expected the report to say '99.99 GiB'"),
        ({**OF_MEMORY, "says_not": ["38.44 MiB free"]}, "the report says '38.44 MiB free'"),
        ({**OF_MEMORY, "noise": [1]}, "line 1 is not named as noise"),
        ("none", "expected nothing"),
    ],
)
def test_each_difference_is_told(engine: Triage, expect: object, said: str) -> None:
    (difference,) = differences(engine, {"text": FULL, "expect": expect})
    assert said in difference


def test_a_family_that_is_not_declared(engine: Triage) -> None:
    both = FULL + "\nRuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!"
    assert any(difference.startswith("also diagnosed as") for difference in differences(engine, {"text": both, "expect": OF_MEMORY}))
