"""Rule packs: what they add and override, and where they are found."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pack_support import CASE, LOG, MANIFEST, OOM, RULE, write_pack

from triage.pipeline import Triage
from triage.rulebook import discovery
from triage.rulebook.build import build
from triage.rulebook.errors import RuleError
from triage.rulebook.store import in_memory, shipped_directory

ROOT = Path(__file__).resolve().parents[2]


def _codes(error: pytest.ExceptionInfo[RuleError]) -> list[str]:
    return [problem.code for problem in error.value.problems]


# what a pack adds


def test_a_pack_adds_a_failure_and_a_case_under_its_namespace(tmp_path: Path) -> None:
    report = Triage([str(write_pack(tmp_path / "pack"))]).explain(LOG)
    [found] = report.diagnoses
    assert (found.id, found.family, found.cause) == ("acme:memory.gpu-oom.toy-large", "memory.gpu-oom", "request-too-large")
    assert found.cases[0]["id"] == "acme:toy-case"
    assert found.fixes[0].leads_to == ["acme:memory.gpu-oom.toy-plain"]
    assert report.why()[0]["children"]
    [outdone] = report.why_not("acme:memory.gpu-oom.toy-plain")
    assert outdone["condition"] == "not overshadowed(id='acme:memory.gpu-oom.toy-plain')"
    assert report.why_not("acme:memory.gpu-oom.toy-large") == []


def test_a_pack_may_use_ids_that_are_taken(tmp_path: Path) -> None:
    rule = RULE.replace("toy-plain", "fragmentation")
    triage = Triage([str(write_pack(tmp_path / "pack", rule))])
    assert [item.id for item in triage.explain("toy allocator refused 2 MiB").diagnoses] == ["acme:memory.gpu-oom.fragmentation"]
    assert triage.explain(OOM).diagnoses[0].id.startswith("memory.gpu-oom.")


def test_signals_of_a_pack_set_off_no_shipped_diagnosis(tmp_path: Path) -> None:
    """Even where its file names a failure that is shipped too."""
    rule = RULE.replace("memory.gpu-oom/toy", "memory.gpu-oom")
    found = Triage([str(write_pack(tmp_path / "pack", rule))]).explain("toy allocator refused 2 MiB").diagnoses
    assert [item.id for item in found] == ["acme:memory.gpu-oom.toy-plain"]


def test_a_directory_without_a_manifest_has_no_namespace(tmp_path: Path) -> None:
    [found] = Triage([str(write_pack(tmp_path / "mine", manifest=None))]).explain(LOG).diagnoses
    assert found.id == "memory.gpu-oom.toy-large"
    assert found.cases[0]["id"] == "toy-case"
    with pytest.raises(RuleError, match="already taken") as error:
        Triage([str(write_pack(tmp_path / "mine", RULE.replace("toy-plain", "fragmentation"), manifest=None))])
    assert _codes(error) == ["R012"]


def test_a_single_file_is_a_pack_too(tmp_path: Path) -> None:
    file = write_pack(tmp_path / "mine", RULE.replace("    cases: [toy-case]\n", ""), None, None) / "toy.yaml"
    [found] = Triage([str(file)]).explain(LOG).diagnoses
    assert found.id == "memory.gpu-oom.toy-large"


def test_packs_beside_compiled_rules_are_what_compiling_everything_gives(tmp_path: Path) -> None:
    told = RULE.replace("toy", "doll") + "rules: [{id: told, when: [{signal: {failure: $f}}], assert: [{told-doll: {name: $f}}]}]\n"
    asked = "rules: [{id: asked, when: [{told-doll: {name: $n}}, {'table:xid': {xid: $x}}], assert: [{heard: {name: $n, xid: $x}}]}]\n"
    packs = [str(write_pack(tmp_path / "one")), str(write_pack(tmp_path / "two", told.replace("    cases: [doll-case]\n", ""), None, None))]
    (tmp_path / "two" / "more.yaml").write_text(asked, encoding="utf-8")
    places = shipped_directory("rules"), shipped_directory("kb")
    alone = in_memory(build(*places))  # not what lies on disk: that knows nothing of a parser changed since
    added, whole = (in_memory(build(*places, packs, shipped)) for shipped in (alone, None))
    assert set(added.names()) == set(whole.names())
    assert [name for name in whole.names() if added.stored(name).data != whole.stored(name).data] == []


# what a pack overrides


def test_a_pack_overrides_a_failure(tmp_path: Path) -> None:
    rule = RULE.replace("memory.gpu-oom/toy", "memory.gpu-oom")
    triage = Triage([str(write_pack(tmp_path / "pack", rule, MANIFEST + "overrides: [memory.gpu-oom]\n"))])
    [found] = triage.explain(LOG).diagnoses
    assert found.id == "memory.gpu-oom.toy-large"
    assert triage.explain(OOM).diagnoses == []


def test_a_pack_overrides_a_diagnosis(tmp_path: Path) -> None:
    rule = """
failure: memory.gpu-oom/mine
title: {en: Mine, zh: 我的}
diagnoses:
  - id: fragmentation
    cause: fragmentation
    on: []
    when: [{signal: {failure: memory.gpu-oom, gpu: $gpu, line: $line}}]
    confidence: 0.99
    fixes: [larger-gpu]
"""
    triage = Triage([str(write_pack(tmp_path / "pack", rule, MANIFEST + "overrides: [memory.gpu-oom.fragmentation]\n", None))])
    found = {item.id: item for item in triage.explain(OOM).diagnoses}
    assert found["memory.gpu-oom.fragmentation"].title == "Mine"
    assert "larger-gpu" in [fix.id for fix in found["memory.gpu-oom.fragmentation"].fixes]  # beside what other shipped rules add


def test_a_pack_overrides_a_case(tmp_path: Path) -> None:
    case = CASE.replace("toy-case", "easyedit-memit-oom").replace("A toy that was too large", "The case of the pack")
    pack = write_pack(tmp_path / "pack", manifest=MANIFEST + "overrides: [easyedit-memit-oom]\n", case=None)
    (pack / "cases").mkdir()
    (pack / "cases" / "easyedit-memit-oom.yaml").write_text(case, encoding="utf-8")
    book = Triage([str(pack)]).book
    titles = [entry["title"]["en"] for entry in book.section("cases/memory.gpu-oom") if entry["id"] == "easyedit-memit-oom"]
    assert titles == ["The case of the pack"]


@pytest.mark.parametrize(
    ("manifest", "code", "says"),
    [
        (MANIFEST + "overrides: [memory.gpu-oom.nothing]\n", "R010", "overrides memory.gpu-oom.nothing, which nothing has"),
        (MANIFEST + "overrides: [no.such]\n", "R010", "pack.yaml:6:13: error R010: overrides no.such"),
        (MANIFEST + "overrides: [memory.gpu-oom.fragmentaton]\n", "R010", "did you mean memory.gpu-oom.fragmentation?"),
        (MANIFEST.replace('">=0.1"', '">=7.0"'), "R007", "works with triage >=7.0; this is"),
        (MANIFEST.replace('">=0.1"', '"<0.1"'), "R007", "works with triage <0.1"),
        (MANIFEST.replace('">=0.1"', "newest"), "R007", "no version range"),
        (MANIFEST.replace("schema: 1", "schema: 2"), "R004", "schema"),
        (MANIFEST.replace("pack: acme", "pack: Acme Inc"), "R004", "pack"),
        (MANIFEST.replace("pack: acme", "pack: ../../etc"), "R004", "pack"),
        (MANIFEST + "run: setup.py\n", "R004", "run: no such key"),
        ("[]", "R004", "must be a mapping"),
        ("pack: acme\npack: other\n", "R003", "stands here twice"),
    ],
)
def test_a_wrong_manifest_is_told_with_its_place(tmp_path: Path, manifest: str, code: str, says: str) -> None:
    with pytest.raises(RuleError) as error:
        Triage([str(write_pack(tmp_path / "pack", manifest=manifest))])
    assert code in _codes(error)
    assert says in str(error.value)
    assert all(problem.path == f"{tmp_path.as_posix()}/pack/pack.yaml" for problem in error.value.problems)


def test_conflicts_between_packs_are_told(tmp_path: Path) -> None:
    one = write_pack(tmp_path / "one", case=None, rule=RULE.replace("    cases: [toy-case]\n", ""))
    two = write_pack(tmp_path / "two", case=None, rule=RULE.replace("    cases: [toy-case]\n", ""))
    with pytest.raises(RuleError, match=r"the name acme is already taken by the pack in .*one"):
        Triage([str(one), str(two)])
    overriding = "overrides: [memory.gpu-oom]\n"
    rule = RULE.replace("memory.gpu-oom/toy", "memory.gpu-oom").replace("    cases: [toy-case]\n", "")
    write_pack(one, rule, MANIFEST + overriding, None)
    write_pack(two, rule, MANIFEST.replace("acme", "other") + overriding, None)
    with pytest.raises(RuleError, match=r"overrides memory\.gpu-oom, as .*one does already"):
        Triage([str(one), str(two)])


def test_everything_wrong_in_a_pack_is_told_at_once(tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "pack", RULE.replace("title:", "tilte:"), case=CASE.replace("outcome: reported", "outcome: rumour"))
    (pack / "more.yaml").write_text("failure: [", encoding="utf-8")
    with pytest.raises(RuleError) as error:
        Triage([str(pack)])
    assert {Path(problem.path).name for problem in error.value.problems} == {"toy.yaml", "toy-case.yaml", "more.yaml"}


# the nursery


def test_confidence_in_the_nursery_is_capped_and_told(tmp_path: Path) -> None:
    triage = Triage([str(write_pack(tmp_path / "pack", RULE.replace("title:", "status: nursery\ntitle:", 1)))])
    report = triage.explain(LOG)
    trusted = Triage([str(write_pack(tmp_path / "stable"))]).explain(LOG)
    assert report.diagnoses[0].confidence <= 0.6 < trusted.diagnoses[0].confidence
    assert "new and not proved enough" in report.to_dict("en")["diagnoses"][0]["summary"]
    assert "验证不足" in report.to_dict("zh")["diagnoses"][0]["summary"]
    low = RULE.replace("title:", "status: nursery\ntitle:", 1).replace("confidence: 0.9", "confidence: 0.3")
    [found] = Triage([str(write_pack(tmp_path / "pack", low))]).explain(LOG).diagnoses
    assert found.confidence < report.diagnoses[0].confidence


def test_a_deprecated_failure_speaks_until_its_successor_does(tmp_path: Path) -> None:
    old = RULE.replace("title:", "status: deprecated\nsuperseded_by: memory.gpu-oom/doll\ntitle:", 1)
    pack = write_pack(tmp_path / "pack", old)
    assert [item.id for item in Triage([str(pack)]).explain(LOG).diagnoses] == ["acme:memory.gpu-oom.toy-large"]
    new = RULE.replace("/toy", "/doll").replace("id: toy", "id: doll").replace(".toy-", ".doll-")
    (pack / "doll.yaml").write_text(new.replace("confidence: 0.9", "confidence: 0.7"), encoding="utf-8")
    assert [item.id for item in Triage([str(pack)]).explain(LOG).diagnoses] == ["acme:memory.gpu-oom.doll-large"]


# where packs are found


def _install(site: Path, name: str, value: str, group: str = "triage.rules") -> None:
    """What an installer leaves of a package: its metadata."""
    info = site / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "entry_points.txt").write_text(f"[console_scripts]\nx = y:z\n\n[{group}]\n{name} = {value}\n", encoding="utf-8")


def test_an_installed_package_offers_rules_without_being_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = tmp_path / "site-packages"
    pack = write_pack(site / "acme_rules" / "data" / "rules")
    for package in (site / "acme_rules", site / "acme_rules" / "data"):
        (package / "__init__.py").write_text("raise SystemExit('imported')", encoding="utf-8")
    _install(site, "acme", "acme_rules.data.rules")
    monkeypatch.syspath_prepend(str(site))
    assert discovery.installed([str(site)]) == [str(pack)]
    assert "acme_rules" not in sys.modules


@pytest.mark.parametrize(
    "value",
    [
        "acme_rules:run",
        "acme_rules.no",
        "../outside",
        "acme_rules/../..",
        "",
        ".",
        "os; import x",
        "acme_rules..data",
        "no_such_package",
        "os.path",
    ],
)
def test_an_entry_that_names_no_directory_of_a_package_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    site = tmp_path / "site-packages"
    write_pack(site / "acme_rules" / "data")
    write_pack(tmp_path / "outside")
    _install(site, "acme", value)
    monkeypatch.syspath_prepend(str(site))
    assert discovery.installed([str(site)]) == []


def test_what_is_installed_is_remembered_until_something_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site, place = tmp_path / "site-packages", tmp_path / "cache"
    pack = write_pack(site / "acme_rules")
    _install(site, "acme", "acme_rules")
    monkeypatch.syspath_prepend(str(site))
    assert discovery.installed([str(site)], [str(place)]) == [str(pack)]
    with monkeypatch.context() as patch:
        patch.setattr(discovery, "_entries", lambda directory: pytest.fail("looked again"))
        assert discovery.installed([str(site)], [str(place)]) == [str(pack)]
    (place / "packs-1.json").write_text("{", encoding="utf-8")
    assert discovery.installed([str(site)], [str(place)]) == [str(pack)]
    other = write_pack(site / "beta_rules")
    _install(site, "beta", "beta_rules")
    os.utime(site, ns=(1, 1))
    assert discovery.installed([str(site)], [str(place)]) == [str(pack), str(other)]
    _install(tmp_path / "work", "gamma", "beta_rules")
    assert discovery.installed([str(tmp_path / "work")]) == []  # no place where packages are installed


def test_the_rules_of_a_project_are_looked_for_up_to_its_root(tmp_path: Path) -> None:
    project, inside = tmp_path / "project", tmp_path / "project" / "a" / "b"
    inside.mkdir(parents=True)
    rules = tmp_path / ".triage" / "rules"
    rules.mkdir(parents=True)
    assert discovery.project_rules(str(inside)) is None  # no repository: what lies above is not looked at
    (project / ".git").mkdir()
    assert discovery.project_rules(str(inside)) is None  # above the root of the repository
    own = project / ".triage" / "rules"
    own.mkdir(parents=True)
    assert discovery.project_rules(str(inside)) == str(own)
    nearer = project / "a" / ".triage" / "rules"
    nearer.mkdir(parents=True)
    assert discovery.project_rules(str(inside)) == str(nearer)
    assert discovery.project_rules(str(tmp_path)) == str(rules)


def test_the_order_of_claims(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = tmp_path / "site-packages"
    installed = write_pack(site / "acme_rules")
    _install(site, "acme", "acme_rules")
    monkeypatch.syspath_prepend(str(site))
    project = tmp_path / ".triage" / "rules"
    project.mkdir(parents=True)
    environ = {"TRIAGE_RULES": os.pathsep.join(["/one", "", "/two", "/one"])}
    assert discovery.discover(environ, [str(site)], str(tmp_path)) == [str(installed), "/one", "/two", str(project)]
    assert discovery.discover(environ, [str(site)], None) == [str(installed), "/one", "/two"]
    assert discovery.discover({}, [], None) == []


def _explain(directory: Path, *options: str, **environ: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8", **environ}
    command = [sys.executable, "-m", "triage", "explain", "--format", "json", *options]
    return subprocess.run(command, input=LOG, cwd=directory, env=environment, capture_output=True, text=True, timeout=120, check=False)


def test_the_command_line_uses_the_project_and_the_environment_and_the_library_no_project(tmp_path: Path) -> None:
    project = tmp_path / "project"
    write_pack(project / ".triage" / "rules")
    assert "acme:memory.gpu-oom.toy-large" in _explain(project).stdout
    other = write_pack(tmp_path / "other", manifest=MANIFEST.replace("acme", "other"))
    named = _explain(tmp_path, TRIAGE_RULES=str(other))
    assert "other:memory.gpu-oom.toy-large" in named.stdout
    program = f"import triage; print([found.id for found in triage.explain({LOG!r}).diagnoses])"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", program], cwd=project, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    environment["TRIAGE_RULES"] = str(other)
    done = subprocess.run([sys.executable, "-c", program], cwd=project, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['other:memory.gpu-oom.toy-large']"


def test_a_found_pack_that_cannot_be_used_is_told_and_left_out(tmp_path: Path) -> None:
    project = tmp_path / "project"
    write_pack(project / ".triage" / "rules", RULE.replace("title:", "tilte:"))
    other = write_pack(tmp_path / "other", manifest=MANIFEST.replace("acme", "other"))
    done = _explain(project, TRIAGE_RULES=os.pathsep.join([str(other), str(tmp_path / "nowhere")]))
    assert done.returncode == 0
    assert "other:memory.gpu-oom.toy-large" in done.stdout
    lines = done.stderr.splitlines()
    assert len(lines) == 2
    assert all(line.startswith("triage: the rule pack in ") and " is left out: " in line for line in lines)
    assert "toy.yaml:3:1: error R004: tilte" in lines[0]
    assert "No such file or directory" in lines[1]


def test_a_named_directory_without_rules_is_an_error_and_one_that_was_found_is_not(tmp_path: Path) -> None:
    (tmp_path / ".triage" / "rules").mkdir(parents=True)
    found = _explain(tmp_path)
    assert (found.returncode, found.stderr) == (0, "")
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "pack.yaml").write_text(MANIFEST, encoding="utf-8")
    (tmp_path / "empty" / "notes.txt").write_text("rules will be here", encoding="utf-8")
    named = _explain(tmp_path, "--rules", "empty")
    assert (named.returncode, named.stdout) == (2, "")
    assert named.stderr == "triage: empty: error R009: holds no rules: they are files that end with .yaml\n"
    assert _explain(tmp_path, "--rules", str(write_pack(tmp_path / "cases-only", "", case=CASE))).returncode == 2  # an empty file is wrong
    (tmp_path / "cases-only" / "toy.yaml").unlink()
    assert _explain(tmp_path, "--rules", "cases-only").returncode == 0


def test_a_given_pack_that_cannot_be_used_is_an_error(tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "pack", RULE.replace("title:", "tilte:"))
    done = _explain(tmp_path, "--rules", str(pack))
    assert (done.returncode, done.stdout) == (2, "")
    assert "R004" in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_stronger_claim_stands_where_packs_exclude_each_other(tmp_path: Path) -> None:
    weak = write_pack(tmp_path / "weak", RULE.replace("Toy ran out", "weak"))
    strong = write_pack(tmp_path / "project" / ".triage" / "rules", RULE.replace("Toy ran out", "strong"))
    done = _explain(tmp_path / "project", TRIAGE_RULES=str(weak))
    assert '"title": "strong"' in done.stdout
    assert str(weak) in done.stderr
    assert f"already taken by the pack in {strong.relative_to(tmp_path / 'project')}" in done.stderr or str(strong) in done.stderr
