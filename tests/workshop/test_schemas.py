"""The JSON Schemas for editors: current, of the right draft, and in agreement with the files they describe."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from triage.cli.group import program
from triage.rulebook.yaml12 import RuleLoader
from triage.workshop.schemas import SCHEMAS

ROOT = Path(__file__).parents[2]
FILES = {"rule": "rules", "case": "kb/cases", "table": "kb/tables"}


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_committed_schema_is_current(name: str) -> None:
    made = SCHEMAS[name]()
    Draft202012Validator.check_schema(made)
    committed = json.loads((ROOT / "docs" / "schema" / f"{name}.schema.json").read_text(encoding="utf-8"))
    assert committed == made, "run: triage schema --write docs/schema"


@pytest.mark.parametrize("name", FILES)
def test_shipped_files_satisfy_their_schema(name: str) -> None:
    validator = Draft202012Validator(SCHEMAS[name]())
    wrong = [
        f"{path.relative_to(ROOT)}: {error.json_path}: {error.message[:200]}"
        for path in sorted((ROOT / FILES[name]).rglob("*.yaml"))
        for error in validator.iter_errors(yaml.load(path.read_bytes(), Loader=RuleLoader))
    ]
    assert wrong == []


@pytest.mark.parametrize("name", FILES)
def test_every_file_names_its_schema(name: str) -> None:
    for path in sorted((ROOT / FILES[name]).rglob("*.yaml")):
        first = path.read_text(encoding="utf-8").splitlines()[0]
        wanted = "../" * (len(path.relative_to(ROOT).parts) - 1) + f"docs/schema/{name}.schema.json"
        assert first == f"# yaml-language-server: $schema={wanted}", path


def _described(schema: Any, at: str) -> list[str]:
    """Properties without a description of their own or of the type they refer to."""
    found = []
    for name, prop in schema.get("properties", {}).items():
        if "description" not in prop and "$ref" not in prop and "anyOf" not in prop:
            found.append(f"{at}.{name}")
    return found


@pytest.mark.parametrize("name", ["rule", "case", "table", "pack"])
def test_every_field_is_described(name: str) -> None:
    schema = SCHEMAS[name]()
    bare = _described(schema, "file")
    for definition in schema["$defs"]:
        bare += _described(schema["$defs"][definition], definition)
    assert bare == []


def test_an_editor_is_told_what_is_wrong() -> None:
    validator = Draft202012Validator(SCHEMAS["rule"]())
    wrong = {
        "failure": "memory.gpu-oops",
        "signatures": [{"id": "x", "txt": "y"}],
        "diagnoses": [{"id": "a", "cause": "nope", "fixes": ["nope"]}],
    }
    places = {error.json_path for error in validator.iter_errors(wrong)}
    assert {"$.failure", "$.signatures[0]", "$.diagnoses[0].cause", "$.diagnoses[0].fixes[0]"} <= places


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_command_prints_a_schema(name: str) -> None:
    result = CliRunner().invoke(program, ["schema", name])
    assert result.exit_code == 0
    assert json.loads(result.output) == SCHEMAS[name]()


def test_the_command_needs_to_know_what() -> None:
    assert CliRunner().invoke(program, ["schema"]).exit_code == 2
