"""Options of llama.cpp are those of the build that is run."""

from __future__ import annotations

import pytest

from triage import explain
from triage.report.audience.llamas import of_a_build, words_of_a_build


@pytest.mark.parametrize(
    ("line", "build", "told"),
    [
        ("llama-server -m MODEL.gguf -c 8192 -fa on", 6400, ["llama-server -m MODEL.gguf -c 8192 -fa on"]),
        ("llama-server -m MODEL.gguf -c 8192 -fa on", 5000, ["llama-server -m MODEL.gguf -c 8192 -fa"]),
        ("llama-server -m MODEL.gguf -fa off -ub 128", 5000, ["llama-server -m MODEL.gguf -ub 128"]),
        ("llama-server -m MODEL.gguf -fa off", 5000, []),
        ("llama-server -m MODEL.gguf --n-cpu-moe LAYERS", 6000, ["llama-server -m MODEL.gguf -ot exps=CPU"]),
        ("llama-server -m MODEL.gguf --n-cpu-moe 20", 4000, []),
        ("./llama-cli -m MODEL.gguf -ngl 0 -fa on", 2000, ["./main -m MODEL.gguf -ngl 0"]),
        ("nvidia-smi", 2000, ["nvidia-smi"]),
    ],
)
def test_lines_take_the_options_of_the_build(line: str, build: int, told: list[str]) -> None:
    assert of_a_build([line], build) == told


def test_words_name_the_option_that_the_build_has() -> None:
    text = "Leave the experts in RAM (--n-cpu-moe, -ot). A higher --n-cpu-moe empties the card."
    assert words_of_a_build(text, 6100) == text
    assert words_of_a_build(text, 5500) == "Leave the experts in RAM (-ot exps=CPU)."


def test_the_build_that_a_log_names_counts() -> None:
    log = (
        "version: 4615 (bfcce4d6)\nggml_backend_cuda_buffer_type_alloc_buffer: allocating 2304.01 MiB on device 0: cudaMalloc failed: "
        "out of memory\nggml_gallocr_reserve_n: failed to allocate CUDA0 buffer of size 2415927296\n"
    )
    lines = [line for found in explain(log).to_dict()["diagnoses"] for fix in found["fixes"] for line in fix["commands"]]
    assert any(" -fa" in line for line in lines)
    assert not any("-fa on" in line or "--n-cpu-moe" in line for line in lines)
