"""Who serves a model with a ready-made server is told nothing about training programs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from triage import explain
from triage.facts.servers import PACKAGED, SERVERS, STARTED_BY, only_server
from triage.report.audience.servers import lines_for, words_for
from triage.rulebook.yaml12 import RuleLoader

SERVE = STARTED_BY["vllm"]
USES = Path(__file__).parents[3] / "rules" / "context" / "uses.yaml"


def test_the_rules_know_the_same_servers() -> None:
    rules = {rule["id"]: rule for rule in yaml.load(USES.read_bytes(), Loader=RuleLoader)["rules"]}
    (listed,) = [condition["test"] for condition in rules["server-of-a-message"]["when"] if "test" in condition]
    assert set(re.findall(r"'([^']+)'", listed)) == set(SERVERS)
    assert set(SERVERS) >= PACKAGED


def test_sglang_counts_before_the_vllm_whose_parts_it_takes() -> None:
    assert only_server({"vllm", "sglang", "torch"}, PACKAGED) == "sglang"
    assert only_server({"vllm", "torch"}, PACKAGED) == "vllm"
    assert only_server({"vllm", "lmdeploy"}, PACKAGED) == ""
    assert only_server({"tgi"}, PACKAGED) == ""


def test_a_line_that_runs_a_program_starts_the_server() -> None:
    assert lines_for(["CUDA_LAUNCH_BLOCKING=1 python train.py", "python app.py 2>&1 | tee LOG"], SERVE) == [
        "CUDA_LAUNCH_BLOCKING=1 vllm serve NAME",
        "vllm serve NAME 2>&1 | tee LOG",
    ]


def test_lines_of_a_launcher_and_of_a_program_of_ones_own_are_left_out() -> None:
    own = ["torchrun --nproc-per-node=2 train.py", "with torch.no_grad(): y = model(x)", "model.half()", "python train.py --fp16"]
    assert lines_for([*own, "nvidia-smi", "llm = LLM(NAME)"], SERVE) == ["nvidia-smi", "llm = LLM(NAME)"]


def test_sentences_on_training_are_left_out() -> None:
    assert words_for("Raise the limit. The timeout of init_process_group bounds it too.") == "Raise the limit."
    assert words_for("Raise the limit.") == "Raise the limit."


def test_what_is_missing_is_asked_in_steps_that_a_server_has() -> None:
    failed = "(EngineCore_0 pid=71) RuntimeError: CUDA error: unspecified launch failure\n"
    report = explain("$ vllm serve NAME\n" + failed)
    asked = [item["how"] for item in report.diagnoses[0].missing]
    assert asked
    assert not any("train.py" in how or "torchrun" in how for how in asked)


@pytest.mark.parametrize(
    ("started", "line", "absent"),
    [
        ("vllm serve NAME -tp 2", "CUDA_LAUNCH_BLOCKING=1 vllm serve NAME", "train.py"),
        (
            "python -m sglang.launch_server --model-path NAME",
            "CUDA_LAUNCH_BLOCKING=1 python -m sglang.launch_server --model-path NAME",
            "train.py",
        ),
        ("from vllm import LLM", "CUDA_LAUNCH_BLOCKING=1 python app.py", "train.py"),
        ("python run.py", "CUDA_LAUNCH_BLOCKING=1 python train.py", "vllm serve"),
    ],
)
def test_the_report_speaks_to_who_serves(started: str, line: str, absent: str) -> None:
    report = explain(f"{started}\nRuntimeError: CUDA error: unspecified launch failure\n")
    commands = "\n".join(command for fix in report.diagnoses[0].fixes for command in fix.commands)
    assert line in commands
    assert absent not in commands
