"""Every check of lint with a rule that it is there to find, and what keeps it quiet."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from bad_rules import BAD
from click.testing import CliRunner
from lint_support import GOOD, Workplace
from pack_support import CASE

from triage.cli.group import program
from triage.knowledge.cases import load_cases
from triage.knowledge.sources import read_document
from triage.knowledge.tables import load_tables
from triage.render.phrases import _PHRASES
from triage.workshop.lint import CODES, lint
from triage.workshop.lint.chinese import flaws
from triage.workshop.lint.supply import READ

ROOT = Path(__file__).parents[2]


def test_the_good_rule_has_no_finding(workplace: Workplace) -> None:
    assert workplace.lint() == []


@pytest.mark.parametrize(("code", "old", "new", "at", "says"), BAD, ids=[f"{item[0]}-{number}" for number, item in enumerate(BAD)])
def test_a_bad_rule_is_found(workplace: Workplace, code: str, old: str, new: str, at: str, says: str) -> None:
    found = workplace.lint_changed(old, new)
    assert code in {problem.code for problem in found}, [str(problem) for problem in found]
    problem = next(problem for problem in found if problem.code == code)
    assert says in problem.message
    assert at in GOOD.replace(old, new).splitlines()[problem.line - 1]
    assert problem.severity == CODES[code].severity
    assert problem.message.endswith(CODES[code].remedy)


def test_a_library_of_fixes_that_is_wrong_is_told_before_the_rules(workplace: Workplace) -> None:
    library = workplace.kb / "fixes.yaml"
    library.write_text(library.read_text(encoding="utf-8") + "  for:\n    lightgmb: {title: {en: Use less, zh: 减少}}\n", encoding="utf-8")
    [problem] = lint(rules=workplace.rules, kb=workplace.kb)
    assert str(problem).startswith("kb/fixes.yaml:13:5: error R004: larger-gpu.for.lightgmb: 'lightgmb' is none of those that are known")
    assert "did you mean lightgbm?" in problem.message


def test_every_check_has_a_bad_rule() -> None:
    below = {"L024", "L082"}
    assert {item[0] for item in BAD} | below == {code for code in CODES if code.startswith("L")}


def test_a_signature_that_only_matches_healthy_text_is_found(workplace: Workplace) -> None:
    """It is not diagnosed there, because the only diagnosis asks for more."""
    wide = "'toy arena refused %{SIZE:requested_bytes} of %{SIZE:capacity_bytes}'"
    text = GOOD.replace(wide, f"[{wide}, 'toy arena %{{SIZE:requested_bytes}} in use']").replace(
        "  - id: toy-plain\n", "  - id: toy-plain\n    on: exhausted\n"
    )
    workplace.write("toy.yaml", text)
    [problem] = workplace.lint()
    assert (problem.code, problem.severity) == ("L024", "warning")
    assert "refused matches line 1 of healthy/training.log: 'step 1: loss 2.31" in problem.message


def test_a_reference_to_something_deprecated_is_found(workplace: Workplace) -> None:
    old = GOOD.replace("status: stable", "status: deprecated\nsuperseded_by: memory.gpu-oom/new").replace("toy", "old")
    workplace.write("old.yaml", old.replace("- id: old-plain", "- id: old-plain\n    yields_to: [memory.gpu-oom.old-too-large]"))
    new = GOOD.replace("memory.gpu-oom/toy", "memory.gpu-oom/new").replace(
        "  - id: toy-plain", "  - id: toy-plain\n    yields_to: [memory.gpu-oom.old-plain]"
    )
    workplace.write("toy.yaml", new)
    [problem] = [problem for problem in workplace.lint() if problem.code == "L082"]
    assert problem.path.endswith("toy.yaml")
    assert "memory.gpu-oom.old-plain is deprecated" in problem.message


def test_a_successor_must_exist(workplace: Workplace) -> None:
    [problem] = workplace.lint_changed("status: stable", "status: deprecated\nsuperseded_by: memory.gpu-oom/nowhere")
    assert problem.code == "L001"
    assert "no failure memory.gpu-oom/nowhere" in problem.message


def test_a_signature_needs_a_source_where_its_file_has_none(workplace: Workplace) -> None:
    without = re.sub(r"references:\n.*\n", "", GOOD, count=1).replace("    source: https://example.org/toy/v1/arena.c\n", "")
    workplace.write("toy.yaml", without)
    assert [problem.message.split(" ")[0] for problem in workplace.lint() if problem.code == "L060"] == ["memory.gpu-oom/toy", "exhausted"]


def test_a_finding_can_be_allowed_where_it_stands_and_above(workplace: Workplace) -> None:
    bare = GOOD.replace("    confidence: 0.7\n    fixes: [reduce-batch-or-sequence]", "    confidence: 0.7")
    allow = "allow: [{code: L051, because: the arena cannot be changed}]"
    workplace.write("toy.yaml", bare)
    assert [problem.code for problem in workplace.lint()] == ["L051"]
    workplace.write("toy.yaml", bare.replace("  - id: toy-plain\n", f"  - id: toy-plain\n    {allow}\n"))
    assert workplace.lint() == []
    workplace.write("toy.yaml", bare.replace("status: stable", f"status: stable\n{allow}"))
    assert workplace.lint() == []
    workplace.write("toy.yaml", bare.replace("    cause: activations\n", f"    cause: activations\n    {allow}\n"))
    assert sorted(problem.code for problem in workplace.lint()) == ["L051", "L090"]


def test_an_allowance_needs_a_reason(workplace: Workplace) -> None:
    [problem] = workplace.lint_changed("status: stable", "status: stable\nallow: [{code: L051, because: ok}]")
    assert problem.code == "R004"
    assert "at least 10 characters" in problem.message


def test_errors_of_loading_cannot_be_allowed(workplace: Workplace) -> None:
    [problem] = workplace.lint_changed("status: stable", "status: stable\nallow: [{code: R010, because: it is known to be wrong}]")
    assert problem.code == "R004"


@pytest.mark.parametrize(
    ("code", "old", "new", "says"),
    [
        ("R010", "cause: activations\n", "cause: activation\n", "did you mean activations?"),
        ("R015", "%{SIZE:allocated_bytes}", "%{SIZES:allocated_bytes}", "unknown hole"),
        ("R018", "'toy arena exhausted after %{SIZE:allocated_bytes}'", "'%{SIZE:allocated_bytes}'", "no text"),
        ("R019", "    text: 'toy arena exhausted after %{SIZE:allocated_bytes}'", "    pattern: 'toy arena exhausted(?=x)'", "RE2"),
        ("R020", "%{SIZE:allocated_bytes}", "%{SIZE:allocated_byte}", "did you mean allocated_bytes?"),
        ("R020", "      - test", "      - setting: {nam: A}\n      - test", "template setting has no slot nam: did you mean name?"),
        ("R020", "      - test", "      - 'table:features': {nam: A}\n      - test", "no slot nam"),
        ("R021", "      - test", "      - not: {settings: {name: A}}\n      - test", "did you mean setting?"),
        (
            "R021",
            "      - test",
            "      - count: {as: n, of: [{'table:feature': {name: A}}]}\n      - test",
            "did you mean table:features?",
        ),
    ],
)
def test_what_cannot_be_compiled_is_told_beside_the_rest(workplace: Workplace, code: str, old: str, new: str, says: str) -> None:
    workplace.write("other.yaml", GOOD.replace("toy", "other").replace("status: stable", "status: deprecated"))
    found = workplace.lint_changed(old, new)
    assert [problem.code for problem in found] == ["L081", code]
    assert says in found[1].message


def test_what_is_sound_in_a_pack_is_judged_beside_all_that_is_not(workplace: Workplace) -> None:
    """Wrong rules, a wrong case, and a file from elsewhere: a case that is right still exists for the rules that name it."""
    (workplace.pack / "cases").mkdir()
    workplace.write("cases/right-case.yaml", CASE.replace("toy-case", "right-case"))
    workplace.write("cases/wrong-case.yaml", CASE.replace("toy-case", "wrong-case").replace("outcome: reported", "outcome: rumour"))
    workplace.write("wrong.yaml", GOOD.replace("toy", "wrong").replace("status: stable", "status: new\nstate: stable"))
    (workplace.pack / "link.yaml").symlink_to(workplace.rules / "common.yaml")
    found = workplace.lint_changed(
        "fixes: [reduce-batch-or-sequence]\nexamples", "fixes: [reduce-batch-or-sequence]\n    cases: [right-case, no-case]\nexamples"
    )
    assert [(Path(problem.path).name, problem.code) for problem in found if problem.code.startswith("R")] == [
        ("wrong-case.yaml", "R004"), ("link.yaml", "R006"), ("wrong.yaml", "R004"), ("wrong.yaml", "R004"),
    ]  # fmt: skip
    [judged] = [problem for problem in found if not problem.code.startswith("R")]
    assert (Path(judged.path).name, judged.code) == ("toy.yaml", "L001")
    assert "no-case" in judged.message


def test_several_findings_in_several_files_come_in_order(workplace: Workplace) -> None:
    workplace.write("broken.yaml", "failure: [")
    workplace.write(
        "wrong.yaml", GOOD.replace("toy", "wrong").replace("status: stable", "state: stable").replace("note: the messages", "nota: x")
    )
    workplace.write(
        "toy.yaml",
        GOOD.replace("- id: toy-plain\n    confidence: 0.7", "- id: toy-plain\n    confidence: 7").replace("status: stable", "status: new"),
    )
    found = workplace.lint()
    assert [(Path(problem.path).name, problem.code) for problem in found] == [
        ("broken.yaml", "R003"), ("toy.yaml", "R004"), ("toy.yaml", "R004"), ("wrong.yaml", "R004"), ("wrong.yaml", "R004"),
    ]  # fmt: skip
    assert all(problem.line > 0 and problem.column > 0 for problem in found)


def test_the_command_tells_findings_and_fails_on_errors(workplace: Workplace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(workplace.root)
    monkeypatch.setattr("triage.workshop.lint.run.shipped_directory", lambda name: str(workplace.root / name))
    runner = CliRunner()
    clean = runner.invoke(program, ["rules", "lint", "pack"])
    assert (clean.exit_code, clean.output) == (0, "0 errors, 0 warnings\n")
    workplace.write("toy.yaml", GOOD.replace("status: stable", "status: deprecated"))
    warned = runner.invoke(program, ["rules", "lint", "pack"])
    assert warned.exit_code == 0
    assert warned.output.startswith("pack/toy.yaml:4:1: warning L081: ")
    assert runner.invoke(program, ["rules", "lint", "--strict", "pack/toy.yaml"]).exit_code == 1
    assert runner.invoke(program, ["rules", "lint", "--strict", "--errors", "pack"]).exit_code == 0
    workplace.write("toy.yaml", GOOD.replace("    source: https://example.org/toy/v1/arena.c\n", "    literal: arena after\n"))
    failed = runner.invoke(program, ["rules", "lint", "pack", "--format", "json"])
    assert failed.exit_code == 1
    finding = json.loads(failed.output)["findings"][0]
    assert (finding["path"], finding["line"], finding["column"], finding["code"]) == ("pack/toy.yaml", 17, 5, "L023")
    assert runner.invoke(program, ["rules", "lint", "nowhere"]).exit_code == 2


def test_codes_are_listed_and_documented() -> None:
    listed = CliRunner().invoke(program, ["rules", "lint", "--codes"]).output
    for name, code in CODES.items():
        assert f"{name} {code.severity}: {code.title}. " in listed
        assert code.about.endswith(".")
        assert code.remedy.endswith((".", "`"))


def test_every_code_that_is_raised_is_documented() -> None:
    raised = set()
    for path in [*(ROOT / "triage" / "rulebook").glob("*.py"), *(ROOT / "triage" / "workshop").rglob("*.py")]:
        if path.name != "codes.py":
            raised |= set(re.findall(r'"([RL]0[0-9]{2})"', path.read_text(encoding="utf-8")))
    assert raised == set(CODES)


def test_parsed_templates_are_those_that_parsers_assert() -> None:
    """The declared set, against every template that the source of the parsers and of the pipeline names."""
    asserted = set()
    package = ROOT / "triage"
    places = [*(package / "parsers").rglob("*.py"), package / "knowledge" / "recognition.py", package / "pipeline.py"]
    for path in places:
        asserted |= set(re.findall(r'(?:(?:observe|Observation)\(\s*|template = )"([a-z-]+)"', path.read_text(encoding="utf-8")))
    assert asserted | {"verdict", "emulation"} == READ  # what the verifier brings from outside


def test_what_rules_share_is_written_as_they_are() -> None:
    """The library of fixes, the vocabulary and the frame of reports, cases and tables: texts that lint does not come to by a rule."""
    kb = ROOT / "kb"
    messages = [read_document(kb / name, kb).data for name in ("fixes.yaml", "taxonomy.yaml")]
    rows = [dict(zip(table.columns, row, strict=True)) for table in load_tables(kb) for row in table.rows]
    plain = [*rows, *(case.model.model_dump() for case in load_cases(kb))]
    texts = [*_chinese(messages), *map(_without_braces, [*_chinese(plain), *(chinese for _, chinese in _PHRASES.values())])]
    assert [(text, flaw) for text in texts for flaw in flaws(text)] == []


def _without_braces(text: str) -> str:
    return re.sub(r"\{[^{}]*\}", "0", text)


def _chinese(node: object, below: bool = False) -> Iterator[str]:
    if isinstance(node, str) and below:
        yield node
    elif isinstance(node, dict):
        for key, value in node.items():
            yield from _chinese(value, below or key == "zh" or str(key).endswith("_zh"))
    elif isinstance(node, list | tuple):
        for value in node:
            yield from _chinese(value, below)
