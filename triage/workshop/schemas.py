"""JSON Schemas of rule, case, table and pack files, for editors: made from the types that load the files and from the vocabulary.

`# yaml-language-server: $schema=…` in the first line of a file names its schema; an editor then completes and checks it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel

from triage.facts.vocabulary import DERIVED, SLOTS, TEMPLATES
from triage.knowledge.schema import CaseFile, TableFile
from triage.render.json import escaped_dumps
from triage.render.schema import finding_schema, report_schema
from triage.rulebook.conditions import AGGREGATES
from triage.rulebook.packfile import PackFile
from triage.rulebook.schema import RuleFile
from triage.rulebook.store import shipped_directory
from triage.rulebook.taxonomy import load_taxonomy
from triage.signatures.holes import HOLES

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
_TERM: Final = "a constant compares, $name binds or joins, a list is one-of, $_ means present"
_CONDITIONS: Final = {"type": "array", "items": {"$ref": "#/$defs/Condition"}}


def rule_schema() -> dict[str, Any]:
    """The schema of `rules/<domain>/<failure>.yaml`."""
    schema = _of(RuleFile, "rule", "A rule file of triage: one failure, or a set of facts and inferences")
    definitions = schema["$defs"]
    definitions["Condition"] = _condition()
    definitions["Facts"] = _facts()
    holes = ", ".join(f"%{{{name}}}" for name in HOLES)
    for key in ("text", "pattern"):
        definitions["Signature"]["properties"][key]["description"] += f". Holes: {holes}"
    for name in ("Signature", "Inference"):
        for key in ("asserts", "assert"):
            if key in definitions[name]["properties"]:
                definitions[name]["properties"][key]["items"] = {"$ref": "#/$defs/Facts"}
    for name, definition in definitions.items():
        for key in ("when", "unless"):
            if key in definition.get("properties", {}):
                _refine(definition["properties"][key], optional=name not in ("DiagnosisRule", "Inference"))
    _name_ids(schema)
    return schema


def case_schema() -> dict[str, Any]:
    """The schema of `kb/cases/<id>.yaml`."""
    schema = _of(CaseFile, "case", "A case of triage: one real failure, told in our own words")
    schema["properties"]["facts"]["properties"] = {name: _slot(name) for name in SLOTS}
    return schema


def table_schema() -> dict[str, Any]:
    """The schema of `kb/tables/<name>.yaml`."""
    return _of(TableFile, "table", "A table of facts that rules can join")


def pack_schema() -> dict[str, Any]:
    """The schema of a rule pack's `pack.yaml`."""
    return _of(PackFile, "pack", "What a directory of rules from elsewhere is")


SCHEMAS: Final[Mapping[str, Callable[[], dict[str, Any]]]] = {
    "rule": rule_schema,
    "case": case_schema,
    "table": table_schema,
    "pack": pack_schema,
    "report": report_schema,
    "finding": finding_schema,
}


def write_schemas(directory: Path) -> None:
    """Write NAME.schema.json for each of SCHEMAS. Raises OSError."""
    directory.mkdir(parents=True, exist_ok=True)
    for name, make in SCHEMAS.items():
        (directory / f"{name}.schema.json").write_text(escaped_dumps(make()), encoding="utf-8", newline="\n")


def _of(model: type[BaseModel], name: str, title: str) -> dict[str, Any]:
    schema = model.model_json_schema(by_alias=True)
    _drop_titles(schema)
    return {"$schema": DRAFT, "$id": f"{name}.schema.json", **schema, "title": title}


def _drop_titles(node: Any) -> None:
    """Titles that repeat the key they stand under help nobody."""
    if isinstance(node, dict):
        if isinstance(node.get("title"), str):
            del node["title"]
        for name, child in node.items():
            if name != "properties":
                _drop_titles(child)
            else:
                for inner in child.values():
                    _drop_titles(inner)
    elif isinstance(node, list):
        for child in node:
            _drop_titles(child)


def _refine(schema: dict[str, Any], optional: bool) -> None:
    """Conditions instead of any mappings."""
    options: list[dict[str, Any]] = [_CONDITIONS]
    if optional:
        options = [{"type": "string", "description": "an expression"}, _CONDITIONS, {"type": "null"}]
    schema.pop("items", None)
    schema.pop("type", None)
    schema["anyOf"] = options


def _name_ids(schema: dict[str, Any]) -> None:
    """The ids of the vocabulary, so that an editor offers them."""
    taxonomy = load_taxonomy(Path(shipped_directory("kb")))
    families, causes, fixes = ({"enum": list(names)} for names in (taxonomy.families, taxonomy.causes, taxonomy.fixes))
    definitions = schema["$defs"]
    failure, finer = schema["properties"]["failure"], {"type": "string", "pattern": "^[a-z0-9.-]+/[a-z0-9.-]+$"}
    failure["anyOf"] = [families, finer, {"type": "null"}]
    definitions["DiagnosisRule"]["properties"]["cause"]["anyOf"] = [causes, {"type": "null"}]
    definitions["DiagnosisRule"]["properties"]["fixes"]["items"]["anyOf"] = [fixes, {"$ref": "#/$defs/FixUse"}]
    for name in ("FixUse", "AdviceUse"):
        identifier = definitions[name]["properties"]["id"]
        definitions[name]["properties"]["id"] = {"description": identifier["description"], **fixes}


def _condition() -> dict[str, Any]:
    """One condition: a mapping with one key, a template or one of the words."""
    inner = {"anyOf": [{"$ref": "#/$defs/Condition"}, _CONDITIONS]}
    aggregate = {
        "type": "object",
        "required": ["as", "of"],
        "properties": {
            "as": {"type": "string", "description": "the variable to bind"},
            "of": inner,
            "value": {"description": "expression to aggregate"},
            "by": {"description": "expression that orders"},
            "distinct": {"description": "expression of which each value counts once"},
        },
    }
    words: dict[str, Any] = {
        "test": {"type": ["string", "boolean"], "description": "an expression that must be true; an unknown variable makes it false"},
        "let": {"type": "object", "description": "variables and the expressions they stand for"},
        "not": {**inner, "description": "no assignment satisfies these"},
        "exists": {**inner, "description": "some assignment satisfies these; binds nothing"},
        "any-of": {"type": "array", "items": _CONDITIONS, "description": "one of the lists holds"},
    }
    words |= {word: {**aggregate, "description": f"{word} over the assignments that satisfy `of`"} for word in AGGREGATES}
    bind = {"*": {"const": "bind", "description": "bind every slot to a variable of its name"}}
    templates = {
        name: _template(description, {**bind, **{slot: _term(slot) for slot in slots}}) for name, slots, description in _templates()
    }
    return {
        "type": "object",
        "description": "a fact that must be there, or one of the words",
        "minProperties": 1,
        "maxProperties": 1,
        "properties": {**words, **templates},
    }


def _facts() -> dict[str, Any]:
    """Facts to assert: template → slots."""
    return {
        "type": "object",
        "description": "template → slots; a value is a constant, $variable or '= expression'",
        "properties": {name: _template(description, {slot: _slot(slot) for slot in slots}) for name, slots, description in _templates()},
    }


def _templates() -> list[tuple[str, tuple[str, ...], str]]:
    return [(name, slots, description) for name, (slots, description) in {**TEMPLATES, **DERIVED}.items()]


def _template(description: str, slots: dict[str, Any]) -> dict[str, Any]:
    return {"type": ["object", "null"], "description": description, "properties": slots}


def _term(slot: str) -> dict[str, Any]:
    return {"description": f"{_described(slot)}. {_TERM}"}


def _slot(slot: str) -> dict[str, Any]:
    return {"description": _described(slot)}


def _described(slot: str) -> str:
    kind, description = SLOTS.get(slot, ("str", "see rules/common"))
    return f"{kind}: {description}"
