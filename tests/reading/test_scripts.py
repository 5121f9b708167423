"""What scripts and files of settings remark, print and compare was never printed; what somebody says of a script is."""

from __future__ import annotations

import pytest

from triage.reading import read

ERROR = "CUDA out of memory"
SCRIPT = (
    "#!/bin/bash\nset -e\nexport MODEL=small\n# the large one ends with CUDA out of memory here\n"
    'NVCC="$(command -v nvcc)" || { echo "ERROR: nvcc not found" >&2; exit 1; }\n'
    'if ! command -v nvidia-container-cli > /dev/null; then\n    common::err "Command not found: nvidia-container-cli"\nfi\n'
    'LOST=$(egrep "GPU has fallen off the bus" ${LOG} | wc -l)\n'
    'assert_eq "a fragment" "" "$(pin "ModuleNotFoundError: No module named torch")"\n'
    "python - <<'EOF'\nimport torch\nprint(torch.zeros(1))\nEOF\n"
    "torchrun --nproc_per_node 2 train.py \\\n  --batch 4\n"
)
SETTINGS = "base: small\nload_in_4bit: true\ndatasets:\n  - path: a\n# flex attention OOMs here, so use another\nattention: flash\n"


def _roles(text: str, words: str) -> set[str]:
    return {line.role for line in read(text).lines if words in line.text}


@pytest.mark.parametrize("words", ["the large one", "fallen off the bus", "nvcc not found", 'nvidia-container-cli"', "ModuleNotFoundError"])
def test_what_a_script_remarks_prints_and_compares(words: str) -> None:
    assert _roles(SCRIPT, words) == {"code"}


def test_what_a_script_sets_and_runs_tells_of_the_machine() -> None:
    assert _roles(SCRIPT, "export MODEL") == _roles(SCRIPT, "torchrun") == {"output"}


def test_a_part_of_a_script() -> None:
    part = SCRIPT.partition("\n")[2].partition("\n")[2]
    assert _roles(part, "the large one") == {"code"}


def test_what_a_script_printed() -> None:
    assert _roles(SCRIPT + f"RuntimeError: {ERROR}\n", "nvcc not found") != {"code"}


def test_commands_with_what_came_of_them() -> None:
    text = f"python train.py\n# {ERROR}\n# after two steps\n"
    assert _roles(text, ERROR) != {"code"}


def test_what_settings_remark() -> None:
    assert _roles(SETTINGS, "OOMs") == {"code"}
    assert _roles(f"{SETTINGS}It ends there.\n", "OOMs") != {"code"}
    assert _roles("Name: a\nState: failed\nReason: OOMs\nExit: 1\n", "OOMs") == {"output"}
