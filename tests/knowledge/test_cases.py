"""The shipped cases are well-formed, in two languages, and speak the vocabulary; wrong files say where they are wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from triage import explain
from triage.knowledge.cases import Case, load_cases
from triage.knowledge.sources import KnowledgeError
from triage.rulebook.store import load_rulebook

KB = Path(__file__).parents[2] / "kb"
FOUNDING = [
    "cogvlm-composite-double-load",
    "deepke-bf16-triu",
    "deepke-llama2-13b-oom",
    "deepke-quantization-arguments",
    "easyedit-kn-oom",
    "easyedit-memit-device-mismatch",
    "easyedit-memit-oom",
]
TAXONOMY = """\
version: 1
families:
  device.mismatch: {en: {title: Mismatch, about: About.}, zh: {title: 不一致, about: 说明。}}
causes: {}
fixes: [move-to-same-device]
"""
CASE = """\
id: sample
title: {en: A sample, zh: 样例}
symptom: [RuntimeError]
family: device.mismatch
facts: {requested_bytes: 2 GiB, devices: [GPU 1, cpu], dtypes: Half}
cause: {en: Because., zh: 因为。}
fix: {en: Do this., zh: 这样做。}
fixes: [move-to-same-device]
outcome: reported
source: [{url: "https://example.org/issues/1"}]
date: 2024-05-06
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "kb"
    (root / "cases").mkdir(parents=True)
    (root / "taxonomy.yaml").write_text(TAXONOMY, encoding="utf-8")
    return root


def _load(root: Path, text: str, name: str = "sample") -> list[Case]:
    (root / "cases" / f"{name}.yaml").write_text(text, encoding="utf-8")
    return load_cases(root)


def _wrong(root: Path, text: str, name: str = "sample") -> list[str]:
    with pytest.raises(KnowledgeError) as caught:
        _load(root, text, name)
    return [str(finding) for finding in caught.value.findings]


def test_shipped_cases_load_and_include_the_founding_ones() -> None:
    ids = [case.id for case in load_cases(KB)]
    assert ids == sorted(ids)
    assert set(FOUNDING) <= set(ids)


def test_shipped_cases_are_plain_data() -> None:
    for case in load_cases(KB):
        data = case.to_data()
        assert json.loads(json.dumps(data)) == data
        assert all(data[part] for part in ("symptom", "fixes", "source"))


def test_facts_become_values_of_their_slots(root: Path) -> None:
    (case,) = _load(root, CASE)
    assert case.facts == {"requested_bytes": 2 * 2**30, "devices": ("cuda:1", "cpu"), "dtypes": ("Half",)}
    assert case.to_data()["facts"] == {"requested_bytes": 2 * 2**30, "devices": ["cuda:1", "cpu"], "dtypes": ["Half"]}


@pytest.mark.parametrize(
    ("old", "new", "finding"),
    [
        ("requested_bytes: 2 GiB", "requested_bytes: plenty", "kb/cases/sample.yaml:5:9: 'plenty' is no bytes"),
        ("requested_bytes: 2 GiB", "requested_bites: 2 GiB", "kb/cases/sample.yaml:5:9: no slot is called requested_bites"),
        ("family: device.mismatch", "family: device.missmatch", "kb/cases/sample.yaml:4:1: no family is called device.missmatch"),
        ("fixes: [move-to-same-device]", "fixes: [move]", "kb/cases/sample.yaml:8:9: no fix is called move"),
        ("zh: 样例", "zh: sample", "kb/cases/sample.yaml:2:23: title.zh: holds no Chinese character"),
        ("outcome: reported", "outcome: rumoured", "kb/cases/sample.yaml:9:1: outcome: must be 'confirmed' or 'reported'"),
        ("date: 2024-05-06", "date: 2024-05-06\nmood: good", "kb/cases/sample.yaml:12:1: mood: no such key is known here"),
        ("date: 2024-05-06", "date: 2024-05-06\nid: again", "kb/cases/sample.yaml:12:1: the key id stands here twice"),
        ("id: sample", "id: [sample", "kb/cases/sample.yaml:2:6: not YAML: did not find expected ',' or ']'"),
    ],
)
def test_a_wrong_case_is_refused_with_its_place(root: Path, old: str, new: str, finding: str) -> None:
    assert any(found.startswith(finding) for found in _wrong(root, CASE.replace(old, new)))


def test_the_name_of_the_file_is_the_id(root: Path) -> None:
    assert _wrong(root, CASE, "other") == ["kb/cases/other.yaml:1:1: must be other, the name of the file"]


def test_everything_wrong_in_all_files_is_told_at_once(root: Path) -> None:
    other = CASE.replace("id: sample", "id: a").replace("fixes: [move-to-same-device]", "fixes: [x]")
    (root / "cases" / "a.yaml").write_text(other, encoding="utf-8")
    found = _wrong(root, CASE.replace("family: device.mismatch", "family: y"))
    assert [line.split(":")[0] for line in found] == ["kb/cases/a.yaml", "kb/cases/sample.yaml"]


def test_text_that_is_no_utf8_is_refused(root: Path) -> None:
    (root / "cases" / "sample.yaml").write_bytes(b"id: \xff\xfe")
    with pytest.raises(KnowledgeError, match="cannot be read as UTF-8"):
        load_cases(root)


def test_a_case_belongs_to_diagnoses_that_exist() -> None:
    known = {name.removeprefix("texts/") for name in load_rulebook().names()}
    for case in load_cases(KB):
        assert case.model.diagnoses, case.id
        assert known.issuperset(case.model.diagnoses), case.id


def test_a_diagnosis_of_another_family_is_refused(root: Path) -> None:
    [message] = _wrong(root, CASE.replace("facts:", "diagnoses: [kernel.launch-config.grid-limit]\nfacts:"))
    assert "kernel.launch-config.grid-limit is no diagnosis of device.mismatch" in message


def test_one_message_of_many_causes_shows_a_case_to_texts_of_its_matter() -> None:
    told = "RuntimeError: CUDA error: an illegal memory access was encountered"
    shown = {text: [case["id"] for case in explain(text).diagnoses[0].cases] for text in (told, f"{told} in max_pool2d of a long input")}
    assert list(shown.values()) == [[], ["maxpool-int32-overflow"]]
