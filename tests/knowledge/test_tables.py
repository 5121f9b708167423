"""The shipped tables load, have sources, agree with the vocabulary and with each other; wrong files say where they are wrong."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from triage.engine.values import Version
from triage.knowledge.schema import TableFile, VocabularyFile
from triage.knowledge.sources import KnowledgeError, read_document
from triage.knowledge.tables import Table, Tables, load_tables

KB = Path(__file__).parents[2] / "kb"
SHIPPED = load_tables(KB)
NAMES = [table.name for table in SHIPPED]
CJK = re.compile(r"[㐀-鿿]")
TABLE = """\
table: sample
about: A sample
source: [{url: "https://example.org", date: 2024-05-06}]
key: [code]
columns:
  - {name: code, type: int, description: code}
  - {name: since, type: version, description: first release}
  - {name: size, type: bytes, description: size}
  - {name: parts, type: "list:str", description: parts}
rows:
  - [1, "2.1", 2 GiB, [a, b]]
  - [2, null, 1024, []]
  - [3, "2.10.0", null, null]
"""


def _table(name: str) -> Table:
    return next(table for table in SHIPPED if table.name == name)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "kb"
    (root / "tables").mkdir(parents=True)
    return root


def _load(root: Path, text: str) -> list[Table]:
    (root / "tables" / "sample.yaml").write_text(text, encoding="utf-8")
    return load_tables(root)


def test_the_expected_tables_are_there() -> None:
    wanted = {
        "xid", "xid-actions", "xid-nvlink5", "sxid", "cuda-errors", "cuda-driver", "architectures", "gpus", "torch-builds",
        "amd-gpus", "amd-architectures", "torch-rocm-builds", "torch-companions", "tensorflow-builds", "paddle-builds",
        "torch-releases", "requirements", "models", "bytes-per-parameter", "nccl-errors", "library-status", "exit-codes",
    }  # fmt: skip
    assert wanted <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_table_survives_being_stored(name: str) -> None:
    table = _table(name)
    again = Table.from_data(json.loads(json.dumps(table.to_data())))
    assert (again.name, again.columns, again.key, again.rows, again.source) == (
        table.name,
        table.columns,
        table.key,
        table.rows,
        table.source,
    )
    assert again.where() == table.where()


@pytest.mark.parametrize("name", NAMES)
def test_a_table_names_dated_sources_and_speaks_two_languages(name: str) -> None:
    document = read_document(KB / "tables" / f"{name}.yaml", KB)
    model = document.model(TableFile)
    assert all(source.date.year >= 2019 for source in model.source)
    columns = [column.name for column in model.columns]
    for place, column in enumerate(columns):
        if column.endswith("_zh"):
            assert f"{column.removesuffix('_zh')}_en" in columns
            english = columns.index(f"{column.removesuffix('_zh')}_en")
            for row in model.rows:
                assert (row[place] is None) == (row[english] is None)
                assert row[place] is None or CJK.search(str(row[place])), row


@pytest.mark.parametrize("name", NAMES)
def test_families_of_a_table_are_families_of_the_vocabulary(name: str) -> None:
    families = read_document(KB / "taxonomy.yaml", KB).model(VocabularyFile).families
    assert {slots["family"] for slots in _table(name).where() if "family" in slots} <= set(families)


def test_xid_codes_lead_to_the_families_of_the_vocabulary() -> None:
    xid = _table("xid")
    assert [row[0] for row in xid.rows] == list(range(1, 177))
    expected = {
        79: "hardware.gpu-lost",
        48: "hardware.ecc",
        172: "hardware.ecc",
        74: "hardware.nvlink-fabric",
        150: "hardware.nvlink-fabric",
    }
    for code, family in expected.items():
        found = xid.find("xid", code)
        assert found is not None
        assert found["family"] == family


def test_actions_of_xids_are_explained() -> None:
    known = {row[0] for row in _table("xid-actions").rows}
    for name in ("xid", "xid-nvlink5"):
        used = {slots[column] for slots in _table(name).where() for column in ("action", "investigate") if column in slots}
        assert used <= known


def test_amds_gpus_builds_and_siblings_have_targets_of_the_table() -> None:
    known = {row["gfx"]: row for row in _table("amd-architectures").where()}
    for gpu in _table("amd-gpus").where():
        assert gpu["gfx"] in known, gpu
        assert str(gpu["architecture"]) in str(known[str(gpu["gfx"])]["architecture"]) or gpu["gfx"] == "gfx803"
    for build in _table("torch-rocm-builds").where():
        targets = build["targets"]
        assert isinstance(targets, tuple)
        assert set(targets) <= set(known)
        assert build["index"] == f"rocm{build['rocm']}"
    for row in known.values():
        assert ("override" in row) == ("sibling" in row) == ("basis" in row)
        assert row.get("sibling", "gfx900") in known


def test_gpus_have_the_architecture_of_their_capability() -> None:
    architectures = _table("architectures")
    for gpu in _table("gpus").where():
        known = architectures.find("capability", gpu["capability"])
        assert known is not None, gpu
        assert [gpu[slot] for slot in ("architecture", "native_bf16", "native_fp8", "native_fp4")] == [
            known[slot] for slot in ("architecture", "native_bf16", "native_fp8", "native_fp4")
        ]


def test_builds_hold_only_what_their_toolkit_compiles() -> None:
    architectures = _table("architectures")
    for build in _table("torch-builds").where():
        for capability in build["capabilities"]:
            known = architectures.find("capability", capability)
            assert known is not None
            assert known["first_cuda"] <= build["cuda"], build
            assert "last_cuda" not in known or build["cuda"] <= known["last_cuda"], build


def test_every_release_of_torch_has_one_default_build_with_its_cuda() -> None:
    releases = _table("torch-releases")
    builds = _table("torch-builds")
    for release in releases.where():
        found = builds.where(low=release["low"], platform="linux", default=True)
        assert [build["cuda"] for build in found] == [release["cuda"]] or release["low"] == Version((1, 8))


def test_releases_of_tensorflow_follow_each_other_with_newer_libraries() -> None:
    builds = _table("tensorflow-builds").where()
    for build, following in pairwise(builds):
        assert build["high"] == following["low"]
        assert build["cuda"] <= following["cuda"]
        assert build["cudnn"] <= following["cudnn"]
        assert build["extra"] <= following["extra"]
        assert build["windows"] >= following["windows"]


def test_newer_toolkits_need_newer_drivers() -> None:
    first = [
        (slots["cuda"], slots["linux_driver"])
        for slots in _table("cuda-driver").where()
        if slots["update"] == 0 and "linux_driver" in slots
    ]
    assert [driver for _, driver in sorted(first)] == sorted(driver for _, driver in first)


def test_sizes_of_models_follow_from_their_dimensions() -> None:
    for model in _table("models").where():
        if {"layers", "kv_heads", "head_size", "kv_bytes_per_token"} <= set(model):
            assert model["kv_bytes_per_token"] == 2 * model["layers"] * model["kv_heads"] * model["head_size"] * 2
        if "embedding_parameters" in model:
            assert model["embedding_parameters"] in (model["vocabulary"] * model["hidden"], 2 * model["vocabulary"] * model["hidden"])
            assert model["embedding_parameters"] < model["parameters"]


def test_bytes_per_parameter_add_up() -> None:
    for regime in _table("bytes-per-parameter").where():
        assert regime["weights"] + regime["gradients"] + regime["optimizer"] == pytest.approx(regime["total"])


def test_find_and_where(root: Path) -> None:
    (table,) = _load(root, TABLE)
    assert table.find("code", 1) == {"code": 1, "since": Version((2, 1)), "size": 2 * 2**30, "parts": ("a", "b")}
    assert table.find("code", 9) is None
    assert table.where(since=Version((2, 10))) == [{"code": 3, "since": Version((2, 10))}]
    assert [row["code"] for row in table.where()] == [1, 2, 3]
    assert table.where(code=1, size=1024) == []
    with pytest.raises(KeyError, match="table sample has no column colour"):
        table.find("colour", 1)


def test_compiled_tables_are_read_once_and_only_when_asked_for(root: Path) -> None:
    (table,) = _load(root, TABLE)
    asked: list[str] = []

    def read(name: str) -> object:
        asked.append(name)
        return table.to_data() if name == "sample" else {}

    tables = Tables(read)
    assert asked == []
    assert tables.table("sample") is tables.table("sample")
    assert asked == ["sample"]
    with pytest.raises(KeyError, match="no table other"):
        tables.table("other")


@pytest.mark.parametrize(
    ("old", "new", "finding"),
    [
        ('[2, null, 1024, []]', '[2, null, 1024]', "kb/tables/sample.yaml:12:5: 3 values for 4 columns"),
        ('[2, null, 1024, []]', '[1, null, 1024, []]', "kb/tables/sample.yaml:12:5: the same code as row 1"),
        ('[2, null, 1024, []]', '[two, null, 1024, []]', "kb/tables/sample.yaml:12:6: code: 'two' is no int"),
        ('[2, null, 1024, []]', '[true, null, 1024, []]', "kb/tables/sample.yaml:12:6: code: True is no int"),
        ('[2, null, 1024, []]', '[2, 2.1, 1024, []]', "kb/tables/sample.yaml:12:9: since: 2.1 is no version; write it in quotes"),
        ('[2, null, 1024, []]', '[2, null, lots, []]', "kb/tables/sample.yaml:12:15: size: 'lots' is no size"),
        ('[2, null, 1024, []]', '[2, null, 1024, a]', "kb/tables/sample.yaml:12:21: parts: 'a' is no list"),
        ("table: sample", "table: other", "kb/tables/sample.yaml:1:1: table: must be sample, the name of the file"),
        ("type: int", "type: integer", "kb/tables/sample.yaml:6:18: columns.0.type: must be 'str', 'int'"),
        ("key: [code]", "key: [number]", "kb/tables/sample.yaml:1:1: file: the key names no column: number"),
        (", date: 2024-05-06", "", "kb/tables/sample.yaml:3:10: source.0.date: is missing here"),
    ],
)  # fmt: skip
def test_a_wrong_table_is_refused_with_its_place(root: Path, old: str, new: str, finding: str) -> None:
    with pytest.raises(KnowledgeError) as caught:
        _load(root, TABLE.replace(old, new))
    assert any(str(found).startswith(finding) for found in caught.value.findings), caught.value


def test_reading_compiled_tables_needs_neither_yaml_nor_pydantic() -> None:
    program = (
        "import sys\n"
        "from triage.knowledge.names import Gpus, Models\n"
        "from triage.knowledge.tables import Tables\n"
        "loaded = {'yaml', 'pydantic', 'rapidfuzz', 'dataclasses'} & set(sys.modules)\n"
        "sys.exit(f'loaded {loaded}' if loaded else 0)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=Path(__file__).parents[2])
