"""GPUs and models become facts under the names of the tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from triage.facts import Observation
from triage.facts.observation import Evidence
from triage.knowledge.recognition import Recognition
from triage.knowledge.tables import Tables, load_tables

ROOT = Path(__file__).parents[2] / "kb"
STORED = {table.name: table.to_data() for table in load_tables(ROOT)}


def _observe(template: str, slots: dict[str, Any], stored: dict[str, Any] = STORED) -> list[Observation]:
    tables = Tables(lambda name: stored.get(name))
    return Recognition(tables).observe([Observation(template, slots, (Evidence(3, "as printed"),))])


def test_a_gpu_gets_the_name_capability_and_memory_of_its_product() -> None:
    [found] = _observe("gpu-name", {"gpu_name": "NVIDIA GeForce RTX 3080 Ti", "line": 3, "role": "prose"})
    assert found.template == "gpu-model"
    assert found.slots == {
        "gpu_name": "RTX 3080 Ti", "text": "NVIDIA GeForce RTX 3080 Ti", "capability": "8.6", "nominal_bytes": 12 << 30,
        "largest_bytes": 12 << 30, "line": 3, "role": "prose",
    }  # fmt: skip
    assert found.evidence == (Evidence(3, "as printed"),)


def test_memory_stays_open_where_a_product_is_sold_with_several() -> None:
    [found] = _observe("gpu-name", {"gpu_name": "Tesla V100", "line": 1})
    assert "nominal_bytes" not in found.slots
    [found] = _observe("gpu-name", {"gpu_name": "Tesla V100-SXM2-32GB", "line": 1})
    assert found.slots["nominal_bytes"] == 32 << 30
    [found] = _observe("gpu-name", {"gpu_name": "V100", "capacity_bytes": 16 << 30, "line": 1})
    assert found.slots["nominal_bytes"] == 16 << 30


def test_a_model_gets_the_name_of_its_row() -> None:
    [found] = _observe("model", {"name": "Meta-Llama-3-8B-Instruct", "parameters": 8e9, "line": 1})
    assert (found.template, found.slots["name"], found.slots["text"]) == ("known-model", "llama-3-8b", "Meta-Llama-3-8B-Instruct")
    assert "parameters" not in found.slots


def test_what_no_table_holds_is_left_out() -> None:
    assert _observe("gpu-name", {"gpu_name": "Voodoo 2", "line": 1}) == []
    assert _observe("model", {"name": "13B 模型", "parameters": 13e9, "line": 1}) == []
    assert _observe("option", {"name": "llama-3-8b", "value": "x", "line": 1}) == []


def test_without_tables_nothing_is_recognised() -> None:
    assert _observe("gpu-name", {"gpu_name": "RTX 3090", "line": 1}, {}) == []
    assert _observe("model", {"name": "llama-3-8b", "parameters": 8e9, "line": 1}, {}) == []
