"""A hostile pack can do no more than be wrong: no code, no file, no endless work; and every attempt is told in one clear way."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from pack_support import CASE, LOG, MANIFEST, OOM, RULE, write_pack

from triage.knowledge.tables import load_tables
from triage.pipeline import Triage
from triage.render.formats import document
from triage.render.text import render
from triage.rulebook import walking
from triage.rulebook.build import assemble
from triage.rulebook.compiler import compile_rules
from triage.rulebook.errors import RuleError
from triage.rulebook.loader import MAX_FILE_BYTES, load_rules, load_text
from triage.rulebook.packs import MAX_FILES, MAX_SIGNATURES, combined, read_pack
from triage.rulebook.store import in_memory, shipped_directory
from triage.rulebook.taxonomy import load_taxonomy
from triage.rulebook.yaml12 import RuleLoader

KB = Path(shipped_directory("kb"))
COMMON = load_rules([Path(shipped_directory("rules")) / "common"])
TAXONOMY, TABLES = load_taxonomy(KB), load_tables(KB)


def _small(pack: Path) -> Triage:
    """A pack beside the rules that every report needs, and nothing else: what is tried here does not depend on the rest."""
    sources, cases = combined(COMMON, [], [read_pack(pack, KB)])
    compiled = compile_rules(sources, TAXONOMY, {table.name: table.columns for table in TABLES})
    return Triage(book=in_memory(assemble(compiled, TAXONOMY, TABLES, cases)))


def _refused(pack: Path, code: str) -> str:
    """The one way in which a pack is refused."""
    with pytest.raises(RuleError) as error:
        read_pack(pack, KB)
    assert code in {problem.code for problem in error.value.problems}
    return str(error.value)


ALIASES = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join(['*' + before] * 10)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (ALIASES, "R005"),
        ("failure: &x memory.gpu-oom\ntitle: *x\n", "R005"),
        ("a: &a {b: *a}", "R005"),
        ("<<: {failure: x}\n? [a]\n: b", "R003"),
        ("[" * (MAX_FILE_BYTES - 10), "R003"),
        ("{a: " * 100_000, "R003"),
        ("- " * 400_000, "R003"),
        ("".join(" " * depth + "a:\n" for depth in range(1500)), "R003"),
        ("!!python/object/apply:os.system ['touch owned']", "R003"),
        ("failure: !!python/name:os.system", "R003"),
        ("failure: !!binary aGVsbG8=", "R004"),
        ("failure: !include /etc/passwd", "R003"),
        ("failure: x\nfailure: y", "R003"),
        ("\x00\x01\x02", "R003"),
        ("--- a\n--- b", "R003"),
        ("x" * (MAX_FILE_BYTES + 1), "R002"),
        ("failure: \ud83d", "R001"),
        ("", "R004"),
        ("failure: '" + "9" * 100_000 + "'", "R004"),
        ("since: " + "9" * 100_000, "R003"),
    ],
)
@pytest.mark.parametrize("name", ["toy.yaml", "pack.yaml", "cases/toy-case.yaml"])
def test_hostile_yaml_is_refused(tmp_path: Path, text: str, code: str, name: str) -> None:
    pack = write_pack(tmp_path / "pack")
    (pack / name).write_bytes(text.encode("utf-8", "surrogatepass"))
    if name.startswith("cases"):
        code = "R004"
    said = _refused(pack, code)
    assert len(said) < 5000
    assert not (Path.cwd() / "owned").exists()


def test_too_many_files_and_signatures_are_refused(tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "many")
    for number in range(MAX_FILES):
        (pack / f"{number}.yaml").write_text("rules: []", encoding="utf-8")
    assert f"more than {MAX_FILES} files" in _refused(pack, "R002")
    forms = "".join(f"  - {{id: s{number}, text: 'toy number {number}x'}}\n" for number in range(MAX_SIGNATURES))
    full = write_pack(tmp_path / "full", RULE.replace("diagnoses:", forms + "diagnoses:"))
    assert f"more than {MAX_SIGNATURES} signatures" in _refused(full, "R002")


def test_links_out_of_a_pack_are_refused(tmp_path: Path) -> None:
    secret = tmp_path / "secret.yaml"
    secret.write_text("password: hunter2", encoding="utf-8")
    for name in ("rule.yaml", "pack.yaml", "cases/other.yaml"):
        pack = write_pack(tmp_path / name.replace("/", "-"))
        (pack / name).unlink(missing_ok=True)
        (pack / name).symlink_to(secret)
        said = _refused(pack, "R006")
        assert "hunter2" not in said
        assert "password" not in said


def test_links_within_a_pack_and_special_files_do_no_harm(tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "pack")
    (pack / "again").symlink_to(pack, target_is_directory=True)
    os.mkfifo(pack / "pipe.yaml")
    (pack / "gone.yaml").symlink_to(pack / "nowhere.yaml")
    (pack / "itself.yaml").symlink_to(pack / "itself.yaml")
    assert [source.path.rpartition("/")[2] for source in read_pack(pack, KB).sources] == ["toy.yaml"]
    (pack / "zero.yaml").symlink_to("/dev/zero")
    assert len(read_pack(pack, KB).sources) == 1


@pytest.mark.parametrize("name", ["toy.yaml", "pack.yaml", "cases/toy-case.yaml"])
def test_pipes_and_devices_are_not_waited_for(tmp_path: Path, name: str) -> None:
    pack = write_pack(tmp_path / "pack")
    (pack / name).unlink()
    os.mkfifo(pack / name)
    if name == "pack.yaml":
        assert "is no file" in _refused(pack, "R001")
    else:
        read_pack(pack, KB)
    for device in ("/dev/zero", str(pack / name)):
        assert "is no file" in _refused(Path(device), "R001")


def test_directories_too_deep_for_a_stack_are_read(tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "pack")
    directory = os.open(pack, os.O_RDONLY)
    for _ in range(1200):
        os.mkdir("a", dir_fd=directory)
        below = os.open("a", os.O_RDONLY, dir_fd=directory)
        os.close(directory)
        directory = below
    os.close(os.open("deep.yaml", os.O_CREAT | os.O_WRONLY, dir_fd=directory))
    os.close(directory)
    try:
        assert "deep.yaml" in _refused(pack, "R004")
    finally:
        _unnest(pack)


def _unnest(pack: Path) -> None:
    """Takes the directories away one by one: what cleans up after tests has a stack of its own."""
    top, below = pack / "a", pack / "below"
    while (top / "a").exists():
        (top / "a").rename(below)
        top.rmdir()
        below.rename(top)
    (top / "deep.yaml").unlink()
    top.rmdir()


def test_a_walk_over_far_too_much_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walking, "MOST_ENTRIES", 20)
    pack = write_pack(tmp_path / "pack")
    for number in range(30):
        (pack / f"{number}.txt").touch()
    assert "more than 20 files and directories: name the directory of the rules itself" in _refused(pack, "R002")


@pytest.mark.parametrize("text", ["failure: [", "rules: []"])
def test_names_that_are_no_text_do_no_harm(tmp_path: Path, text: str) -> None:
    pack = write_pack(tmp_path / "pack")
    (Path(os.fsdecode(os.fsencode(pack) + b"/\xff\x1b[31m\n.yaml"))).write_text(text, encoding="utf-8")
    done = _explain(pack)
    assert b"Traceback" not in done.stderr
    assert b"\x1b" not in done.stderr
    if text == "rules: []":
        assert (done.returncode, done.stderr) == (0, b"")
    else:
        assert done.returncode == 2
        assert done.stderr.count(b"\n") == 1


def _explain(pack: Path, log: str = LOG) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "triage", "explain", "--rules", str(pack)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    return subprocess.run(command, input=log.encode(), cwd=pack.parent, env=environment, capture_output=True, timeout=120, check=False)


def test_files_that_would_never_be_read_are_told(tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "pack")
    (pack / "more.yml").write_text("failure: x", encoding="utf-8")
    (pack / "cases" / "other.YAML").write_text("id: x", encoding="utf-8")
    said = _refused(pack, "R008").splitlines()
    assert [line.partition("/pack/")[2] for line in said] == [
        f"{name}: error R008: is not read: files of a pack end with .yaml. Rename it" for name in ("cases/other.YAML", "more.yml")
    ]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("Toy ran out", "x" * 6000, "title.en: String should have at most 5000 characters"),
        ("id: toy-plain", "id: " + "x" * 200, "diagnoses.1.id: String should have at most 100 characters"),
        ("memory.gpu-oom/toy", "memory.gpu-oom/" + "x" * 200, "failure: String should have at most 100 characters"),
    ],
)
def test_texts_and_names_without_end_are_refused(tmp_path: Path, old: str, new: str, says: str) -> None:
    said = _refused(write_pack(tmp_path / "pack", RULE.replace(old, new)), "R004")
    assert says in said
    assert len(said) < 300


def test_what_is_quoted_of_a_file_is_short(tmp_path: Path) -> None:
    with pytest.raises(RuleError) as error:
        _small(write_pack(tmp_path / "pack", RULE.replace("cause: request-too-large", "cause: " + "x" * 100_000)))
    assert len(str(error.value)) < 1500
    assert len(_refused(write_pack(tmp_path / "keys", RULE.replace("title:", "t" * 900 + ":")), "R004")) < 3000


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("memory.gpu-oom/toy", "memory.gpu-oom/../../../tmp/x"),
        ("memory.gpu-oom/toy", "/etc/passwd"),
        ("memory.gpu-oom/toy", "memory.gpu-oom/toy/../x"),
        ("id: toy-plain", "id: ../toy"),
        ("id: toy-plain", "id: toy:plain"),
        ("id: toy-plain", "id: 'toy\\nplain'"),
        ("id: toy\n", "id: '%2e%2e/toy'\n"),
    ],
)
def test_names_that_are_paths_are_refused(tmp_path: Path, old: str, new: str) -> None:
    assert old in RULE
    _refused(write_pack(tmp_path / "pack", RULE.replace(old, new)), "R004")


def test_case_names_that_are_paths_are_refused(tmp_path: Path) -> None:
    _refused(write_pack(tmp_path / "pack", case=CASE.replace("id: toy-case", "id: ../toy-case")), "R004")


# patterns


@pytest.mark.parametrize(
    "pattern",
    [r"toy (a+)+$", r"toy (?:a|aa)+$", r"toy (?:a*)*b", r"toy (?:x+x+)+y", r"toy (?:.*,){11}P", r"toy (?:[a-z]+)*\d", r"toy .*.*.*.*=.*"],
)
def test_patterns_that_would_never_end_elsewhere_end(tmp_path: Path, pattern: str) -> None:
    rule = RULE.replace("    text: 'toy allocator refused %{SIZE:requested_bytes}'", f"    pattern: '{pattern.replace('(a+)', '(?:a+)')}'")
    triage = _small(write_pack(tmp_path / "pack", rule.replace("      - test: requested_bytes > 1 GiB", "      - test: 2 > 1")))
    for line in ("toy " + "a" * 50_000 + "!", "toy " + "x" * 50_000, "toy " + ",a" * 20_000):
        triage.explain(line)  # a backtracking engine would not come back from this


@pytest.mark.parametrize(
    ("pattern", "code"),
    [
        (r"toy (?=x)", "R019"),
        (r"toy (?P<op>x)\1", "R019"),
        (r"toy (?<!x)y", "R019"),
        (r"toy (?:a{1000}){1000}", "R019"),
        (r"toy " + "(?:" * 2000 + "a" + ")" * 2000, "R015"),
        (r"toy " + "a?" * 400_000, "R015"),
        (r"toy (", "R015"),
        (r"toy (?P<nothing>x)", "R020"),
        (r"toy \p{Klingon}", "R015"),
        (r"[\x00-\x7f]+", "R018"),
        (r"toy a{99999999999}", "R015"),
        (r"toy (?i:x", "R015"),
    ],
)
def test_patterns_outside_the_linear_engine_are_refused(tmp_path: Path, pattern: str, code: str) -> None:
    rule = RULE.replace("    text: 'toy allocator refused %{SIZE:requested_bytes}'", f"    pattern: {json.dumps(pattern)}")
    with pytest.raises(RuleError) as error:
        _small(write_pack(tmp_path / "pack", rule))
    assert {problem.code for problem in error.value.problems} == {code}


# rules

LOOP = """
rules:
  - id: start
    when: [{signal: {failure: "acme:memory.gpu-oom/toy"}}]
    assert: [{step: {number: 1}}]
  - id: loop
    when: [{step: {number: $n}}]
    assert: [{step: {number: "= n + 1"}}]
"""
JOIN = """
rules:
  - id: join
    when:
      - setting: {name: $a}
      - setting: {name: $b}
      - setting: {name: $c}
      - setting: {name: $d}
      - test: "a == 'x' and b == 'y' and c == 'z' and a == d"
    assert: [{step: {number: 1}}]
"""


@pytest.mark.parametrize("loop", [LOOP, JOIN], ids=["derives for ever", "joins everything"])
def test_rules_that_never_end_are_left_out_and_the_analysis_goes_on(tmp_path: Path, loop: str) -> None:
    pack, other = write_pack(tmp_path / "pack"), write_pack(tmp_path / "other", manifest=MANIFEST.replace("acme", "other"))
    (pack / "loop.yaml").write_text(loop, encoding="utf-8")
    log = "\n".join([LOG, OOM, *(f"export VARIABLE_{number}=1" for number in range(200))])
    report = Triage([str(other), str(pack)]).explain(log)
    ids = [item.id for item in report.diagnoses]
    assert "other:memory.gpu-oom.toy-large" in ids
    assert any(name.startswith("memory.gpu-oom.") for name in ids)
    assert not any(name.startswith("acme:") for name in ids)
    [note] = report.to_dict()["notes"]
    assert note.startswith(f"the rules of {pack} are left out: more than ")
    assert "acme:loop#" in note


GIVEN = "assert: [{step: {number: 1}}]"
EITHER = json.dumps([[{"setting": {"name": "A"}}]] * 30)
MANY = json.dumps([{"setting": {"name": str(number)}} for number in range(65)])


@pytest.mark.parametrize(
    ("rule", "code", "says"),
    [
        ("when: [{diagnosis: {id: $i}}], assert: [{overshadowed: {id: $i, by: x}}]", "R013", "acme:cycle#a"),
        ("when: [{signal: {failure: $f}}, {not: {step: {number: 1}}}], " + GIVEN, "R013", "step"),
        ("when: [{any-of: " + EITHER + "}, {any-of: " + EITHER + "}], " + GIVEN, "R011", "alternatives"),
        ("when: " + MANY + ", " + GIVEN, "R011", "64 conditions"),
        ("when: [{let: {x: y}}, {let: {y: x}}], " + GIVEN, "R011", "wait"),
        ("when: [{test: '" + "(" * 500 + "1" + ")" * 500 + "'}], " + GIVEN, "R011", "deep"),
        ("when: [{test: '" + "1+" * 3000 + "1'}], " + GIVEN, "R011", "longer"),
        ("when: [{setting: {name: A}}], assert: [{step: {number: '= __import__(x)'}}]", "R011", "__import__"),
    ],
)
def test_rules_that_cannot_be_ordered_or_are_too_large_are_refused(tmp_path: Path, rule: str, code: str, says: str) -> None:
    pack = write_pack(tmp_path / "pack")
    (pack / "cycle.yaml").write_text("rules: [{id: a, " + rule + "}]", encoding="utf-8")
    with pytest.raises(RuleError) as error:
        _small(pack)
    [problem] = error.value.problems
    assert problem.code == code
    assert says in problem.message
    assert problem.path.endswith("cycle.yaml")
    assert problem.line > 0


GROWTH = """
rules:
  - id: start
    when: [{signal: {failure: "acme:memory.gpu-oom/toy"}}]
    assert: [{step: {number: 3, text: "abc"}}]
  - id: squares
    when: [{step: {number: $n}}]
    assert: [{step: {number: "= n * n"}}]
  - id: doubles
    when: [{step: {text: $t}}]
    assert: [{step: {text: "= t + t"}}]
"""


def test_values_that_grow_without_end_become_unknown(tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "pack")
    (pack / "growth.yaml").write_text(GROWTH, encoding="utf-8")
    report = _small(pack).explain(LOG)
    assert [item.id for item in report.diagnoses] == ["acme:memory.gpu-oom.toy-large"]
    assert "notes" not in report.to_dict()


@pytest.mark.parametrize("template", ["verdict", "emulation"])
def test_a_pack_cannot_claim_that_something_was_tried(tmp_path: Path, template: str) -> None:
    rule = "rules: [{id: lie, when: [{diagnosis: {id: $d}}], assert: [{" + template + ": {message: it works}}]}]"
    pack = write_pack(tmp_path / "pack")
    (pack / "lie.yaml").write_text(rule, encoding="utf-8")
    (pack / "said.yaml").write_text(f"signatures: [{{id: a, text: abc, asserts: [{{{template}: {{message: x}}}}]}}]", encoding="utf-8")
    with pytest.raises(RuleError) as error:
        _small(pack)
    assert [(Path(problem.path).name, problem.code) for problem in error.value.problems] == [("lie.yaml", "R021"), ("said.yaml", "R021")]
    assert "only `triage verify` and `--live` can say" in str(error.value)


# texts


@pytest.mark.parametrize(
    "said", ["$(touch${IFS}owned)", "x`id`", "x';id;'", "--index-url=http://x", "a|sh", "a&b", "a>b", "a\\b", "$HOME", "-rf", "a b", "a'b"]
)
def test_what_a_log_says_is_not_pasted_into_a_shell(tmp_path: Path, said: str) -> None:
    """Whoever wrote the log may not be who pastes the command."""
    rule = RULE.replace("%{SIZE:requested_bytes}", "%{SIZE:requested_bytes} for %{ANY:detail} today").replace(
        "      - id: reduce-batch-or-sequence\n",
        "      - id: reduce-batch-or-sequence\n        commands: [\"toy --name '{detail}'\", toy --free]\n",
    )
    triage = _small(write_pack(tmp_path / "pack", rule))
    [harmful] = triage.explain(f"{LOG} for {said} today").diagnoses
    assert harmful.fixes[0].commands == ["toy --free"]
    [harmless] = triage.explain(f"{LOG} for ~/models/a-b_7.1:x@2,3 today").diagnoses
    assert harmless.fixes[0].commands == ["toy --name '~/models/a-b_7.1:x@2,3'", "toy --free"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("{{{{ 7 * 7 }}}} {{% raw %}} ${{x}}", "{{ 7 * 7 }} {% raw %} ${x}"),
        ("%s %(x)s {{0}} {{0.__class__}} $HOME $(id) `id`", "%s %(x)s {0} {0.__class__} $HOME $(id) `id`"),
        ("{__class__} is not known", "Toy ran out"),
    ],
)
def test_templates_in_texts_stay_texts(tmp_path: Path, text: str, shown: str) -> None:
    rule = RULE.replace("{en: Toy ran out, zh: 玩具显存不足}", f"{{en: [Toy ran out, {json.dumps(text)}], zh: 玩具}}")
    [found] = _small(write_pack(tmp_path / "pack", rule)).explain(LOG).diagnoses
    assert shown in found.title


@pytest.mark.parametrize(
    "text", ["{x.__class__}", "{open('/etc/passwd')}", "{x!r}", "{x:>10}", "{", "}", "{[].append(1)}", "{lambda: 1}", "{x|safe}"]
)
def test_messages_that_would_be_code_elsewhere_are_refused(tmp_path: Path, text: str) -> None:
    rule = RULE.replace("{en: Toy ran out, zh: 玩具显存不足}", f"{{en: {json.dumps(text)}, zh: 玩具}}")
    with pytest.raises(RuleError) as error:
        _small(write_pack(tmp_path / "pack", rule))
    assert {problem.code for problem in error.value.problems} == {"R014"}


def test_what_a_pack_says_is_shown_harmlessly_in_every_format(tmp_path: Path) -> None:
    evil = "\x1b]0;owned\x07\x1b[31m <script>alert(1)</script> [x](javascript:alert(1)) @everyone \u202e"
    quoted = json.dumps(evil)
    rule = RULE.replace("{en: Toy ran out, zh: 玩具显存不足}", f"{{en: {quoted}, zh: {quoted}}}")
    rule = rule.replace("      - id: reduce-batch-or-sequence\n", f"      - id: reduce-batch-or-sequence\n        commands: [{quoted}]\n")
    data = _small(write_pack(tmp_path / "pack", rule)).explain(LOG).to_dict()
    assert "\x1b]0" not in render(data, width=80, color=True, why=True, verbose=False, ascii_only=False)
    for kind in ("markdown", "html", "sarif", "json"):
        text = document([data], kind, "0", False)
        assert "\x1b" not in text
        assert "\u202e" not in text
    assert "<script>alert" not in document([data], "html", "0", False)


# wrong types everywhere

FULL: dict[str, Any] = yaml.load(
    RULE.replace(
        "    text:", "    versions: {torch: '>=2.0'}\n    set: {framework: toy}\n    compute: {free_bytes: requested_bytes / 2}\n    text:"
    )
    .replace(
        "    confidence: 0.9", "    summary: {en: ['{requested_bytes|bytes}'], zh: ['{requested_bytes|bytes}']}\n    confidence: 0.5 + 0.1"
    )
    .replace("    cases: [toy-case]\n", "    consequence_of: [device.mismatch]\n    yields_to: [memory.gpu-oom.toy-plain]\n    on: toy\n"),
    Loader=RuleLoader,
)
FULL["signatures"][0]["asserts"] = [{"remark": {"topic": "toy", "number": "$requested_bytes"}}]
FULL["diagnoses"][0]["no_use"] = [{"id": "larger-gpu", "when": "requested_bytes > 1", "why": {"en": "no", "zh": "不"}}]
FULL["diagnoses"][0]["missing"] = [{"fact": {"en": "x", "zh": "版本"}, "unless": [{"version": {"package": "torch"}}], "how": "pip"}]
FULL["rules"] = [
    {
        "id": "count",
        "when": [
            {"count": {"as": "n", "of": [{"signal": {"failure": "$f"}}], "distinct": "f"}},
            {"any-of": [[{"remark": {"topic": ["toy", "x"]}}], [{"exists": {"setting": {"name": "$_"}}}]]},
            {"not": {"setting": {"name": "Z"}}},
            {"let": {"m": "n + 1"}},
            {"test": "m > 0"},
        ],
        "assert": [{"step": {"number": "= m * 2"}}],
        "noise": {"line": "$m", "why": {"en": "noise", "zh": "噪声"}},
    },
    {"id": "fix", "when": [{"diagnosis": {"id": "$id"}}], "fix": {"id": "larger-gpu", "diagnosis": "$id", "order": 5}},
]
FULL["examples"] = [{"text": LOG, "expect": {"family": "memory.gpu-oom"}}]
WORDS = ["$x", "$", "= x", "=", "= (", "{x}", "{", "%{SIZE:gpu}", "%{INT:line}", "toy", "bind", "*", "memory.*", "1 GiB", ">=1"]
KEYS = ["test", "not", "let", "signal", "any-of", "count", "id", "en", "*"]
scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12) | st.sampled_from(WORDS)
keys = st.text(max_size=6) | st.sampled_from(KEYS)
junk = st.recursive(scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4), max_leaves=8)


def _places(node: Any, at: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The keys under which something stands, at any depth."""
    found = [at] if at else []
    for key, child in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
        found += _places(child, (*at, key))
    return found


def _replaced(at: tuple[str | int, ...], value: Any) -> dict[str, Any]:
    copy: dict[str, Any] = json.loads(json.dumps(FULL))
    node: Any = copy
    for key in at[:-1]:
        node = node[key]
    node[at[-1]] = value
    return copy


def _explained(text: str) -> None:
    compiled = compile_rules([*COMMON, load_text(text, "pack/toy.yaml", "acme")], TAXONOMY, {table.name: table.columns for table in TABLES})
    triage = Triage(book=in_memory(assemble(compiled, TAXONOMY, TABLES, [])))
    for lang in ("en", "zh"):
        report = triage.explain(LOG + "\nexport A=1\n")
        data = report.to_dict(lang, verbose=True)
        report.why(lang)
        render(data, width=80, color=False, why=False, verbose=True, ascii_only=False)
        document([data], "html", "0", False)


def test_the_file_that_is_spoiled_below_is_good() -> None:
    _explained(json.dumps(FULL))


@settings(max_examples=400, deadline=None)
@given(at=st.sampled_from(_places(FULL)), value=junk)
def test_wrong_types_anywhere_are_told_or_harmless(at: tuple[str | int, ...], value: Any) -> None:
    text = yaml.safe_dump(_replaced(at, value), allow_unicode=True)
    with contextlib.suppress(RuleError):
        _explained(text)
