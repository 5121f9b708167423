"""Who serves a model with a ready-made server is told nothing about training programs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from triage import explain
from triage.facts.servers import PACKAGED, SERVERS, STARTED_BY, only_server
from triage.report.audience import frameworks, llamas, places
from triage.report.audience.places import lines_for as in_their_place
from triage.report.audience.servers import for_an_engine, lines_for, without_what_is_set, words_for
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


def test_options_that_are_set_are_left_out() -> None:
    given = {"gpu_memory_utilization": {"0.95"}, "max_num_seqs": {"16"}, "enforce_eager": {"true"}}
    lines = ["vllm serve NAME --gpu-memory-utilization 0.95 --max-num-seqs 64 --max-model-len 8192", "--enforce-eager", "nvidia-smi"]
    assert without_what_is_set(lines, given) == ["vllm serve NAME --max-model-len 8192", "nvidia-smi"]
    assert without_what_is_set(["--max-num-seqs 64"], {"max_num_seqs": {"256"}}) == ["--max-num-seqs 64"]


def test_options_become_arguments_of_an_engine() -> None:
    assert for_an_engine(["--max-model-len 4096 --kv-cache-dtype fp8", "nvidia-smi"], "vllm") == [
        "LLM(model=NAME, max_model_len=4096, kv_cache_dtype='fp8')",
        "nvidia-smi",
    ]


def test_options_stand_where_the_program_takes_them_that_starts_the_server() -> None:
    lines = ["vllm serve NAME --max-model-len 4096", "vllm serve NAME --tensor-parallel-size 2", "nvidia-smi"]
    assert places.lines_for(lines, {"xinference", "compose"}) == ["--max_model_len 4096", "--n-gpu 2", "nvidia-smi"]
    assert places.lines_for(lines, {"compose"}) == ["--max-model-len 4096", "--tensor-parallel-size 2", "nvidia-smi"]
    assert places.lines_for(lines, {"ray"}) == lines
    assert "under command" in places.remark({"compose"}, lines, "en")
    assert places.remark({"compose"}, ["nvidia-smi"], "en") == ""
    assert places.remark(set(), lines, "zh") == ""


def test_settings_of_llama_cpp_have_other_names_in_programs_around_it() -> None:
    lines = ["llama-server -m MODEL.gguf -ngl 20 -c 4096", "nvidia-smi"]
    assert llamas.lines_for(lines, "koboldcpp") == ["koboldcpp --model MODEL.gguf --gpulayers 20 --contextsize 4096", "nvidia-smi"]
    assert llamas.lines_for(lines, "llama-cpp-python")[0] == "Llama(model_path='MODEL.gguf', n_gpu_layers=20, n_ctx=4096)"
    assert frameworks.around_ggml({"ollama"}, bound=False) == "ollama"
    assert frameworks.around_ggml({"ollama", "lm-studio"}, bound=False) == ""
    assert frameworks.around_ggml(set(), bound=True) == "llama-cpp-python"


def test_what_is_switched_off_stays_off_in_programs_around_llama_cpp() -> None:
    lines = [
        "GGML_CUDA_DISABLE_GRAPHS=1 ./llama-server -m MODEL",
        "./llama-server -m MODEL -fa off",
        "compute-sanitizer ./llama-cli -m MODEL",
    ]
    assert llamas.lines_for(lines, "ollama") == ["export GGML_CUDA_DISABLE_GRAPHS=1", "export OLLAMA_FLASH_ATTENTION=0"]
    assert llamas.lines_for(lines[1:2], "lm-studio") == ["Flash Attention: off"]
    assert llamas.lines_for(lines[1:2], "koboldcpp") == []


def test_sentences_on_training_are_left_out() -> None:
    assert words_for("Raise the limit. The timeout of init_process_group bounds it too.", {}) == "Raise the limit."
    assert words_for("Raise the limit.", {}) == "Raise the limit."


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
        ("python run.py", "CUDA_LAUNCH_BLOCKING=1 python run.py", "vllm serve"),
    ],
)
def test_the_report_speaks_to_who_serves(started: str, line: str, absent: str) -> None:
    report = explain(f"{started}\nRuntimeError: CUDA error: unspecified launch failure\n")
    commands = "\n".join(command for fix in report.diagnoses[0].fixes for command in fix.commands)
    assert line in commands
    assert absent not in commands


def test_what_has_another_name_or_spelling_is_set_too() -> None:
    lines = ["--mem-fraction-static 0.8 --cuda-graph-max-bs 16", "trtllm-serve NAME --max_num_tokens 2048 --tp_size 2"]
    given = {"mem_fraction_static": {"0.80"}, "max_num_tokens": {"1024"}}
    assert without_what_is_set(lines, given) == ["--cuda-graph-max-bs 16", "trtllm-serve NAME --tp_size 2"]
    assert without_what_is_set(["--tp 2"], {"tensor_parallel_size": {"2"}}) == []
    assert without_what_is_set(["vllm serve NAME --enforce-eager"], {"enforce_eager": {"True"}}) == []
    assert without_what_is_set(["vllm serve NAME --enforce-eager"], {"enforce_eager": {"False"}}) == ["vllm serve NAME --enforce-eager"]


def test_a_context_that_is_short_bounds_a_step_too() -> None:
    lines = ["--max-model-len 8192 --max-num-batched-tokens 8192 --max-num-seqs 64"]
    assert without_what_is_set(lines, {"max_seq_len": {"4096"}}) == ["--max-num-seqs 64"]
    assert without_what_is_set(lines, {"max_seq_len": {"32768"}}) == lines


def test_a_line_that_sets_variables_divides_the_model_too() -> None:
    line = "CUDA_LAUNCH_BLOCKING=1 python -m sglang.launch_server --model-path NAME --disable-cuda-graph"
    assert without_what_is_set([line], {"tp": {"8"}}) == [f"{line} --tp 8"]


def test_sentences_about_what_is_set_are_left_out() -> None:
    said = "4096 fits now. An FP8 KV cache holds nearly twice as many tokens."
    assert words_for(said, {}) == said
    assert words_for(said, {"kv_cache_dtype": {"fp8_e5m2"}}) == "4096 fits now."


def test_options_go_where_ray_serve_and_aphrodite_take_them() -> None:
    lines = ["vllm serve NAME --gpu-memory-utilization 0.92 --enforce-eager", "nvidia-smi"]
    assert in_their_place(lines, {"ray-serve"}) == ["gpu_memory_utilization: 0.92, enforce_eager: true", "nvidia-smi"]
    assert in_their_place(["vllm serve NAME --max-model-len 4096"], {"aphrodite"}) == ["aphrodite run NAME --max-model-len 4096"]


def test_the_lines_of_sglang_beside_frames_of_vllm() -> None:
    text = """python -m sglang.launch_server --model-path org/model
  File "/opt/env/lib/python3.10/site-packages/sglang/srt/models/mixtral.py", line 90, in load_model
  File "/opt/env/lib/python3.10/site-packages/vllm/model_executor/layers/linear.py", line 480, in create_weights
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 112.00 MiB."""
    commands = [line for fix in explain(text).to_dict()["diagnoses"][0]["fixes"] for line in fix["commands"]]
    assert any("sglang.launch_server" in line for line in commands)
    assert not any("vllm serve" in line for line in commands)
