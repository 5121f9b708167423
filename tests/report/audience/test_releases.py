"""Lines to paste are those that the reader's release of a program takes."""

from __future__ import annotations

from pathlib import Path

import pytest

from triage import explain
from triage.engine.values import Version
from triage.knowledge.tables import Table, load_tables
from triage.report.audience.releases import Word, lacking, lines_for, with_earlier_ways, words_for

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def table() -> Table:
    return next(table for table in load_tables(ROOT / "kb") if table.name == "words-of-releases")


def words(table: Table, program: str) -> list[Word]:
    return [Word(row) for row in table.where(program=program)]


@pytest.mark.parametrize(
    ("program", "release", "line", "told"),
    [
        ("llama.cpp", (6400,), "llama-server -m MODEL.gguf -c 8192 -fa on", ["llama-server -m MODEL.gguf -c 8192 -fa on"]),
        ("llama.cpp", (5000,), "llama-server -m MODEL.gguf -c 8192 -fa on", ["llama-server -m MODEL.gguf -c 8192 -fa"]),
        ("llama.cpp", (5000,), "llama-server -m MODEL.gguf -fa off -ub 128", ["llama-server -m MODEL.gguf -ub 128"]),
        ("llama.cpp", (5000,), "llama-server -m MODEL.gguf -fa off", []),
        ("llama.cpp", (6000,), "llama-server -m MODEL.gguf --n-cpu-moe LAYERS", ["llama-server -m MODEL.gguf -ot exps=CPU"]),
        ("llama.cpp", (4000,), "llama-server -m MODEL.gguf --n-cpu-moe 20", []),
        ("llama.cpp", (2000,), "./llama-cli -m MODEL.gguf -ngl 0 -fa on", ["./main -m MODEL.gguf -ngl 0"]),
        ("llama.cpp", (2000,), "nvidia-smi", ["nvidia-smi"]),
        ("vllm", (0, 13), "vllm serve NAME --attention-backend FLASHINFER", ["vllm serve NAME --attention-backend FLASHINFER"]),
        ("vllm", (0, 9, 1), "vllm serve NAME --attention-backend FLASHINFER", ["VLLM_ATTENTION_BACKEND=FLASHINFER vllm serve NAME"]),
        ("vllm", (0, 9, 1), "--attention-backend FLASHINFER", ["export VLLM_ATTENTION_BACKEND=FLASHINFER"]),
        ("vllm", (0, 10), "--attention-backend TRITON_ATTN", ["export VLLM_ATTENTION_BACKEND=TRITON_ATTN_VLLM_V1"]),
        ("vllm", (0, 3, 3), "vllm serve NAME --attention-backend FLASHINFER", []),
        (
            "vllm",
            (0, 4, 3),
            "vllm serve NAME --max-num-seqs 8",
            ["python -m vllm.entrypoints.openai.api_server --model NAME --max-num-seqs 8"],
        ),
        ("vllm", (0, 20), "vllm serve NAME --swap-space 2", []),
        ("sglang", (0, 5, 10), "--cuda-graph-max-bs-decode 16 --tp 2", ["--cuda-graph-max-bs 16 --tp 2"]),
        ("sglang", (0, 5, 21), "--cuda-graph-max-bs 16", ["--cuda-graph-max-bs-decode 16"]),
        ("sglang", (0, 1, 14), "--cuda-graph-max-bs-decode 16", []),
        ("ollama", (0, 3, 5), "export OLLAMA_KV_CACHE_TYPE=q8_0", []),
        ("torch", (1, 12), "torchrun --nproc-per-node=4 --log-dir logs train.py", ["torchrun --nproc_per_node=4 --log_dir=logs train.py"]),
        (
            "torch",
            (1, 8),
            "torchrun --standalone --nproc-per-node=gpu train.py",
            ["python -m torch.distributed.launch --nproc_per_node=$(nvidia-smi -L | wc -l) train.py"],
        ),
        ("torch", (2, 1), "TORCH_NCCL_TRACE_BUFFER_SIZE=2000 TORCH_NCCL_DUMP_ON_TIMEOUT=1 torchrun …", []),
        ("torch", (2, 1), "export TORCH_NCCL_TRACE_BUFFER_SIZE=2000 TORCH_NCCL_DUMP_ON_TIMEOUT=1", []),
        ("torch", (2, 1), "export TORCH_NCCL_BLOCKING_WAIT=1", ["export NCCL_BLOCKING_WAIT=1"]),
        (
            "torch",
            (1, 7),
            "with torch.autocast('cuda', dtype=torch.float16): y = model(x)",
            ["with torch.cuda.amp.autocast(): y = model(x)"],
        ),
        ("torch", (1, 7), "with torch.autocast('cuda', dtype=torch.bfloat16): y = model(x)", []),
        ("torch", (1, 4), "with torch.autocast('cuda', dtype=torch.float16): y = model(x)", []),
        ("torch", (2, 2), "scaler = torch.amp.GradScaler('cuda')", ["scaler = torch.cuda.amp.GradScaler()"]),
        (
            "torch",
            (1, 8),
            "x = torch.utils.checkpoint.checkpoint(block, x, use_reentrant=False)",
            ["x = torch.utils.checkpoint.checkpoint(block, x)"],
        ),
        ("torch", (1, 8), "with torch.inference_mode(): y = model(x)", ["with torch.no_grad(): y = model(x)"]),
    ],
)
def test_lines_are_those_of_the_release(table: Table, program: str, release: tuple[int, ...], line: str, told: list[str]) -> None:
    assert lines_for([line], lacking(words(table, program), [Version(release)])) == told


def test_of_several_releases_none_decides(table: Table) -> None:
    line = "vllm serve NAME --attention-backend FLASHINFER"
    assert lines_for([line], lacking(words(table, "vllm"), [Version((0, 9)), Version((0, 13))])) == [line]


def test_who_names_no_release_is_told_what_the_newest_takes(table: Table) -> None:
    known = words(table, "vllm")
    told = lines_for(["vllm serve NAME --attention-backend XFORMERS", "vllm serve NAME --swap-space 2", "nvidia-smi"], lacking(known, []))
    assert told == ["vllm serve NAME --attention-backend FLASHINFER", "nvidia-smi"]
    assert with_earlier_ways(told, known) == [f"{told[0]}  # before 0.13: VLLM_ATTENTION_BACKEND=FLASHINFER", "nvidia-smi"]


def test_a_line_with_long_names_is_looked_at_once(table: Table) -> None:
    line = "vllm serve /models/" + "a-model-with-a-long-name" * 4 + " --port=80"
    assert all(word.put(f"{line} {word.word}", "") is not None for word in words(table, "vllm"))


def test_sentences_name_what_the_release_has(table: Table) -> None:
    text = "Leave the experts in RAM (--n-cpu-moe). A higher --n-cpu-moe empties the card."
    known = words(table, "llama.cpp")
    assert words_for(text, lacking(known, [Version((6100,))])) == text
    assert words_for(text, lacking(known, [Version((5500,))])) == "Leave the experts in RAM (-ot exps=CPU)."
    assert words_for("Set --n-cpu-moe.", lacking(known, [Version((4000,))])) == "Set --n-cpu-moe."  # nothing else would be said


def test_every_word_is_written_in_some_advice(table: Table) -> None:
    written = "\n".join(path.read_text(encoding="utf-8") for path in [*(ROOT / "rules").rglob("*.yaml"), ROOT / "kb" / "fixes.yaml"])
    written += "\n".join(str(row.get("before", "")) for row in table.where()) + (ROOT / "triage/report/audience/llamas.py").read_text(
        "utf-8"
    )
    assert [row["word"] for row in table.where() if str(row["word"]).split(" ")[0].split("=")[0] not in written] == []


def test_the_build_that_a_log_names_counts() -> None:
    log = (
        "version: 4615 (bfcce4d6)\nggml_backend_cuda_buffer_type_alloc_buffer: allocating 2304.01 MiB on device 0: cudaMalloc failed: "
        "out of memory\nggml_gallocr_reserve_n: failed to allocate CUDA0 buffer of size 2415927296\n"
    )
    lines = [line for found in explain(log).to_dict()["diagnoses"] for fix in found["fixes"] for line in fix["commands"]]
    assert any(" -fa" in line for line in lines)
    assert not any("-fa on" in line or "--n-cpu-moe" in line for line in lines)
