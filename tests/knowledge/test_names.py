"""Printed names of GPUs and models find their rows."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triage.knowledge.names import Gpus, Models
from triage.knowledge.tables import load_tables

TABLES = {table.name: table for table in load_tables(Path(__file__).parents[2] / "kb")}
GPUS = Gpus(TABLES["gpus"])
AMD = Gpus(TABLES["amd-gpus"], amd=True)
MODELS = Models(TABLES["models"])
GIB = 2**30


@pytest.mark.parametrize(
    ("printed", "name", "memory"),
    [
        ("NVIDIA A100-SXM4-80GB", "A100", 80),
        ("A100-PCIE-40GB", "A100", 40),
        ("NVIDIA A100", "A100", None),
        ("Tesla V100-SXM2-32GB", "V100", 32),
        ("Tesla T4", "T4", 16),
        ("NVIDIA H100 80GB HBM3", "H100", 80),
        ("NVIDIA GeForce RTX 4090", "RTX 4090", 24),
        ("RTX3090", "RTX 3090", 24),
        ("A100-40G", "A100", 40),
        ("V100 32g", "V100", 32),
        ("3090 Ti", "RTX 3090 Ti", 24),
        ("4090", "RTX 4090", 24),
        ("1080 Ti", "GTX 1080 Ti", 11),
        ("1660ti", "GTX 1660 Ti", 6),
        ("GTX 3090", "RTX 3090", 24),
        ("RTX 1080Ti", "GTX 1080 Ti", 11),
        ("NVIDIA GeForce RTX 3080 Laptop GPU", "RTX 3080", None),
        ("NVIDIA GeForce RTX 2080 SUPER with Max-Q Design", "RTX 2080 SUPER", None),
        ("Quadro RTX 6000", "Quadro RTX 6000", 24),
        ("NVIDIA RTX 6000 Ada Generation", "RTX 6000 Ada", 48),
        ("NVIDIA RTX A6000", "RTX A6000", 48),
        ("A6000", "RTX A6000", 48),
        ("K2000", "Quadro K2000", 2),
        ("P5000", "Quadro P5000", 16),
        ("NVIDIA RTX PRO 6000 Blackwell Server Edition", "RTX PRO 6000 Blackwell", 96),
        ("GeForce GTX TITAN X", "GTX TITAN X", 12),
        ("NVIDIA TITAN X (Pascal)", "TITAN X (Pascal)", 12),
    ],
)
def test_gpus_are_recognised(printed: str, name: str, memory: int | None) -> None:
    found = GPUS.recognise(printed)
    assert found is not None
    assert (found["name"], found.get("memory_gib")) == (name, memory)


@pytest.mark.parametrize(
    ("printed", "reported", "memory"),
    [("NVIDIA A100", 79.15, 80), ("NVIDIA A100", 39.39, 40), ("NVIDIA V100", 31.74, 32), ("A10G", 22.06, 24), ("H100", 10.0, None)],
)
def test_the_reported_capacity_tells_the_size(printed: str, reported: float, memory: int | None) -> None:
    found = GPUS.recognise(printed, int(reported * GIB))
    assert found is not None
    assert found.get("memory_gib") == memory


@pytest.mark.parametrize(
    ("printed", "largest"), [("RTX 2060", 12), ("GeForce RTX 3080", 12), ("RTX 3080 Laptop GPU", None), ("RTX 2060 12GB", None)]
)
def test_of_several_sizes_the_largest_is_known(printed: str, largest: int | None) -> None:
    found = GPUS.recognise(printed)
    assert found is not None
    assert found.get("largest_gib") == largest


@pytest.mark.parametrize(
    ("printed", "name", "target", "memory"),
    [
        ("AMD Radeon RX 7900 XTX", "RX 7900 XTX", "gfx1100", 24),
        ("7900XTX", "RX 7900 XTX", "gfx1100", 24),
        ("AMD Radeon(TM) 780M Graphics", "Radeon 780M", "gfx1103", None),
        ("Radeon 8060S Graphics", "Radeon 8060S", "gfx1151", None),
        ("AMD Instinct MI300X OAM", "MI300X", "gfx942", 192),
        ("AMD Instinct MI250X/MI250", "MI250X", "gfx90a", 64),
        ("AMD Radeon VII", "Radeon VII", "gfx906", 16),
        ("Radeon PRO W7900", "Radeon PRO W7900", "gfx1100", 48),
        ("RX 6700 XT 12GB", "RX 6700 XT", "gfx1031", 12),
        ("AMD Radeon AI PRO R9700", "Radeon AI PRO R9700", "gfx1201", 32),
    ],
)
def test_amds_gpus_are_recognised(printed: str, name: str, target: str, memory: int | None) -> None:
    found = AMD.recognise(printed)
    assert found is not None
    assert (found["name"], found["gfx"], found.get("memory_gib")) == (name, target, memory)


@pytest.mark.parametrize("printed", ["", "AMD Radeon Graphics", "NVIDIA GeForce GTX 780M", "RX 9999", "AMD", "A100"])
def test_other_names_are_none_of_amds(printed: str) -> None:
    assert AMD.recognise(printed) is None


@pytest.mark.parametrize("printed", ["", "NVIDIA Graphics Device", "A100 MIG 1g.5gb", "Radeon RX 7900 XTX", "RTX 9999", "GPU", "cuda:0"])
def test_other_names_are_no_gpus(printed: str) -> None:
    assert GPUS.recognise(printed) is None


@pytest.mark.parametrize(
    ("printed", "name"),
    [
        ("meta-llama/Llama-2-7b-chat-hf", "llama-2-7b"),
        ("/models/llama2-13b", "llama-2-13b"),
        ("C:\\models\\llama-7b", "llama-7b"),
        ("Meta-Llama-3-8B-Instruct", "llama-3-8b"),
        ("TheBloke/Llama-2-13B-chat-GPTQ", "llama-2-13b"),
        ("Qwen/Qwen2.5-Coder-7B", "qwen2.5-7b"),
        ("mistralai/Mistral-7B-Instruct-v0.2", "mistral-7b"),
        ("deepseek-ai/DeepSeek-V3", "deepseek-v3"),
        ("deepseek-ai/DeepSeek-V2", "deepseek-v2"),
        ("THUDM/chatglm3-6b-32k", "chatglm3-6b"),
        ("runwayml/stable-diffusion-v1-5", "stable-diffusion-1.5"),
        ("bert-base-uncased", "bert-base"),
    ],
)
def test_models_are_recognised(printed: str, name: str) -> None:
    found = MODELS.recognise(printed)
    assert found is not None
    assert found["name"] == name


@pytest.mark.parametrize("printed", ["", "/", "deepseek", "llama", "my-model", "model.safetensors"])
def test_other_names_are_no_models(printed: str) -> None:
    assert MODELS.recognise(printed) is None


def test_no_two_rows_share_a_name() -> None:
    for rows, recogniser in ((TABLES["gpus"], GPUS), (TABLES["amd-gpus"], AMD), (TABLES["models"], MODELS)):
        for row in rows.rows:
            found = recogniser.recognise(str(row[0]))
            assert found is not None
            assert found["name"] == row[0]


@given(st.text(max_size=400))
def test_any_text_may_be_asked(text: str) -> None:
    for found in (GPUS.recognise(text), AMD.recognise(text), MODELS.recognise(text)):
        assert found is None or isinstance(found["name"], str)
