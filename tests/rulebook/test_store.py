"""Compiled rules on disk: found again, rebuilt when something changes, safe beside other processes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from triage.rulebook import compiler, store
from triage.rulebook.build import build
from triage.signatures.patterns import compile_text

RULE = """
failure: memory.gpu-oom/cached
title: {{en: "{0}", zh: 缓存}}
signatures: [{{id: cached, text: 'cached thing broke'}}]
diagnoses: [{{id: cached, confidence: 0.5}}]
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "cache"
    monkeypatch.setattr(store, "cache_places", lambda: [str(place)])
    return place


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two rule files in place of the shipped ones, which take seconds to compile."""
    shutil.copytree(store.shipped_directory("kb"), tmp_path / "kb")
    (tmp_path / "rules").mkdir()
    for name in ("first", "second"):
        (tmp_path / "rules" / f"{name}.yaml").write_text(RULE.format(name).replace("cached", name))
    monkeypatch.setattr(store, "shipped_directory", lambda name: str(tmp_path / name))
    return tmp_path / "rules"


def _title(pack: Path) -> str:
    return store.load_rulebook([str(pack)]).texts("memory.gpu-oom.cached")["title"]["en"][0][0]


@pytest.mark.usefixtures("shipped")
def test_found_again_and_rebuilt(tmp_path: Path, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack = tmp_path / "pack"
    pack.mkdir()
    file = pack / "cached.yaml"
    file.write_text(RULE.format("one"))
    assert _title(pack) == "one"
    [stored] = place.glob("extended-*")  # beside the shipped rules, to which the pack was added
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "triage.rulebook.build", None)  # compiling again would fail now
        assert _title(pack) == "one"
    file.write_text(RULE.format("two, longer"))
    assert _title(pack) == "two, longer"
    stored.write_bytes(b"garbage")
    for path in place.iterdir():
        path.write_bytes(path.read_bytes()[:100])
    assert _title(pack) == "two, longer"


@pytest.mark.usefixtures("shipped")
def test_packs_are_added_to_what_is_compiled_of_the_shipped_rules(tmp_path: Path, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store.load_rulebook()
    monkeypatch.setattr("triage.rulebook.build.load_rules", None)  # reading a shipped file would fail now
    for number in range(5):  # more than are kept of a kind
        pack = tmp_path / f"pack{number}"
        pack.mkdir()
        (pack / "cached.yaml").write_text(RULE.format(number))
        assert _title(pack) == str(number)
    assert len(list(place.glob("extended-*"))) == 4
    assert len(list(place.glob("rules-*"))) == 1


@pytest.mark.usefixtures("place")
def test_where_one_rule_changed_only_its_forms_are_compiled(shipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store.load_rulebook()
    (shipped / "second.yaml").write_text(RULE.format("third").replace("cached", "third"))
    compiled = []
    monkeypatch.setattr(compiler, "compile_text", lambda form, *how: compiled.append(form) or compile_text(form, *how))
    book = store.load_rulebook()
    assert compiled == ["third thing broke"]
    anew = store.in_memory(build(str(shipped), str(shipped.parent / "kb")))
    assert sorted(book.names()) == sorted(anew.names())
    assert all(book.stored(name).data == anew.stored(name).data for name in anew.names())


def test_what_other_modules_compiled_is_not_taken_over(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place.mkdir()
    name = f"rules-{store.FORMAT}-0.bin"
    for text, taken in ((store._modules() + b"of other rules", True), (b"of other modules", False)):
        (place / name).write_bytes(store._pack({"made-from": []}, text))
        assert (store.last_compiled() is not None) == taken


@pytest.mark.usefixtures("shipped")
def test_without_a_writable_place_rules_are_compiled_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setattr(store, "cache_places", lambda: [str(blocked / "under")])
    assert store.load_rulebook().section("signatures")


def test_processes_that_start_together_all_get_a_whole_file(tmp_path: Path) -> None:
    program = "import triage; print(len(triage.explain('RuntimeError: \"x_cpu\" not implemented for \\'Half\\'').diagnoses))"
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    started = [subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=environment) for _ in range(4)]
    assert [process.communicate()[0].strip() for process in started] == ["1"] * 4
