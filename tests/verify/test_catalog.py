"""The declarations: complete, true to the taxonomy and the rules, and enough of them."""

from __future__ import annotations

import inspect
import json
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml

from triage.pipeline import shared_triage
from triage.verify.campaign import jobs_of_report
from triage.verify.catalog import catalog, find, module_of, verifiable
from triage.verify.reproduction import BACKENDS, Facts, Reproduction

ROOT = Path(__file__).parents[2]
TAXONOMY = yaml.safe_load((ROOT / "kb" / "taxonomy.yaml").read_text(encoding="utf-8"))
RESERVED = {"backend", "rank", "arguments", "isolation"}
ALL = list(catalog().values())
WITHOUT_GPU = [one for one in ALL if set(one.backends) - {"cuda"}]


@lru_cache(maxsize=1)
def diagnoses_of_rules() -> list[tuple[str, str, str | None]]:
    """Id, family and cause of every diagnosis of the rule base."""
    found = []
    for path in sorted((ROOT / "rules").rglob("*.yaml")):
        rules = yaml.safe_load(path.read_text(encoding="utf-8"))
        for entry in rules.get("diagnoses") or ():
            family = entry.get("family") or rules.get("failure")
            found.append((f"{family}.{entry['id']}", str(family).partition("/")[0], entry.get("cause")))
    return found


def test_there_are_enough() -> None:
    assert len(ALL) >= 45
    assert len({one.family for one in ALL}) >= 30
    assert len(WITHOUT_GPU) >= 45
    assert len({one.family for one in WITHOUT_GPU}) >= 27


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.id)
def test_a_declaration_is_complete(one: Reproduction) -> None:
    assert one.id.startswith(one.family + ".")
    assert one.family in TAXONOMY["families"]
    assert one.cause is None or one.cause in TAXONOMY["causes"]
    assert one.fixes
    assert set(one.fixes) <= set(TAXONOMY["fixes"])
    assert list(one.backends) == [name for name in BACKENDS if name in one.backends], "strongest first"
    assert one.backends
    assert one.sources
    assert all(url.startswith("https://") for url in one.sources)
    assert one.diagnoses or one.cause, "nothing in a report would lead to it"
    assert one.title
    assert one.shows.endswith(".")
    for fix in one.fixes.values():
        assert set(fix.backends) <= set(one.backends)
    assert not {parameter.name for parameter in one.parameters} & RESERVED
    for parameter in one.parameters:
        assert parameter.accepts(parameter.default), parameter.name


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.id)
def test_a_module_explains_itself(one: Reproduction) -> None:
    module = import_module(module_of(one))
    assert module.__doc__
    for arm in ("reported", "fixed"):
        assert inspect.getdoc(getattr(module, arm)), arm
    assert sum(1 for _ in Path(str(module.__file__)).read_text(encoding="utf-8").splitlines()) < 250


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.id)
def test_the_diagnoses_exist(one: Reproduction) -> None:
    known = {identifier for identifier, _, _ in diagnoses_of_rules()}
    assert set(one.diagnoses) <= known


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.id)
def test_a_diagnosis_leads_to_its_reproduction(one: Reproduction) -> None:
    for identifier in one.diagnoses:
        assert find(Facts({"id": identifier, "family": one.family})) is one
    if one.cause and not one.diagnoses:
        assert find(Facts({"id": f"{one.family}.anything", "family": one.family, "cause": one.cause})) is one


def test_the_table_of_verifiable_fixes() -> None:
    table = verifiable([("memory.gpu-oom.fragmentation", "memory.gpu-oom", "fragmentation"), ("hardware.xid.other", "hardware.xid", None)])
    assert table == {"memory.gpu-oom.fragmentation": ["allocator-config", "free-memory", "reduce-batch-or-sequence"]}


# parameters come from strangers


HOSTILE: list[Any] = [
    None, True, -1, 0, 1 << 70, float("nan"), float("inf"), "6 GiB", "$(reboot)", "../../etc/passwd", b"x", [], {}, ["cuda:0"] * 100_000,
    {"a": {"b": []}}, "a" * 100_000, "'; import os; os.abort()", "\x00", "‮",
]  # fmt: skip


@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: repr(value)[:20])
def test_hostile_facts_never_reach_a_program(value: Any) -> None:
    """Whatever a report holds, parameters are of their kind and within their bounds."""
    slots = {
        slot: value for one in ALL for parameter in one.parameters for slot in (parameter.slot, "library", "shapes", "op", "dtypes") if slot
    }
    diagnosis = {
        "id": value,
        "family": value,
        "cause": value,
        "facts": slots,
        "evidence": value,
        "fixes": [{"id": "allocator-config", "commands": value}],
    }
    facts = Facts(diagnosis, {"versions": {"torch": value, "transformers": value}})
    for one in ALL:
        values, _ = one.bind(facts)
        assert all(parameter.accepts(values[parameter.name]) for parameter in one.parameters)
        json.dumps(values)


def test_a_command_gives_its_setting_and_nothing_else() -> None:
    one = catalog()["memory.gpu-oom.fragmentation"]
    for command, expected in (
        ("export PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:512", "max_split_size_mb:512"),
        ("export PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:512;reboot", "max_split_size_mb:512"),
        ("export PYTORCH_CUDA_ALLOC_CONF=$(reboot)", ""),
        ("export PYTORCH_CUDA_ALLOC_CONF=backend:evil", ""),
    ):
        values, _ = one.bind(Facts({"fixes": [{"id": "allocator-config", "commands": [command]}]}))
        assert values["advised_setting"] == expected


@pytest.mark.parametrize(
    ("line", "name", "parameter", "value"),
    [
        ("RuntimeError: mat1 and mat2 must have the same dtype, but got Float and Half", "dtype.mismatch.operands", "weights", "float16"),
        ("RuntimeError: expected scalar type Float but found BFloat16", "dtype.mismatch.operands", "weights", "bfloat16"),
        (
            "RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu! "
            "(when checking argument for argument index in method wrapper_CUDA__index_select)",
            "device.mismatch.input-not-moved", "operation", "embedding",
        ),
        (
            "RuntimeError: \"softmax_lastdim_kernel_impl\" not implemented for 'Long'",
            "dtype.not-implemented.no-kernel", "case", "softmax-int64",
        ),
    ],
)  # fmt: skip
def test_the_words_of_a_log_choose_the_case(line: str, name: str, parameter: str, value: str) -> None:
    (job, *_) = jobs_of_report(shared_triage().explain(line).to_dict())
    assert job.reproduction.id == name
    values, given = job.reproduction.bind(job.facts)
    assert values[parameter] == value
    assert parameter in given
