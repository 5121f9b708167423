"""The published schema, and documents that must follow one."""

from __future__ import annotations

import copy
import json
from typing import Any

import jsonschema
import pytest
from render_samples import EMPTY, HOSTILE_TEXTS, NOTHING, OOM, hostile, oom

from triage.facts.vocabulary import REPORTED
from triage.render import formats
from triage.render.schema import report_schema

VALIDATOR = jsonschema.Draft202012Validator(report_schema())

# What of SARIF 2.1.0 triage writes, and no other property: names and types as the standard has them.
TEXT = {"type": "string"}
MESSAGE = {"type": "object", "required": ["text"], "additionalProperties": False, "properties": {"text": TEXT}}
LOCATION = {
    "type": "object",
    "required": ["physicalLocation"],
    "additionalProperties": False,
    "properties": {
        "message": MESSAGE,
        "physicalLocation": {
            "type": "object",
            "required": ["artifactLocation"],
            "additionalProperties": False,
            "properties": {
                "artifactLocation": {"type": "object", "required": ["uri"], "additionalProperties": False, "properties": {"uri": TEXT}},
                "region": {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": {"startLine": {"type": "integer", "minimum": 1}, "snippet": MESSAGE},
                },
            },
        },
    },
}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
SARIF = {
    "type": "object",
    "required": ["version", "runs"],
    "additionalProperties": False,
    "properties": {
        "$schema": TEXT,
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["tool"],
                "additionalProperties": False,
                "properties": {
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "additionalProperties": False,
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name"],
                                "additionalProperties": False,
                                "properties": {
                                    "name": TEXT,
                                    "semanticVersion": TEXT,
                                    "rules": {
                                        "type": "array",
                                        "uniqueItems": True,
                                        "items": {
                                            "type": "object",
                                            "required": ["id"],
                                            "additionalProperties": False,
                                            "properties": {
                                                "id": TEXT,
                                                "name": {"type": "string", "pattern": "^[A-Za-z0-9]+$"},
                                                "shortDescription": MESSAGE,
                                                "help": MESSAGE,
                                                "helpUri": {"type": "string", "pattern": "^https?://"},
                                                "defaultConfiguration": {"type": "object", "properties": {"level": LEVEL}},
                                                "properties": {"type": "object"},
                                            },
                                        },
                                    },
                                },
                            }
                        },
                    },
                    "results": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["message", "ruleId"],
                            "additionalProperties": False,
                            "properties": {
                                "ruleId": TEXT,
                                "ruleIndex": {"type": "integer", "minimum": 0},
                                "level": LEVEL,
                                "message": MESSAGE,
                                "locations": {"type": "array", "items": LOCATION},
                                "relatedLocations": {"type": "array", "items": LOCATION},
                                "properties": {"type": "object"},
                            },
                        },
                    },
                },
            },
        },
    },
}


def test_schema_is_itself_valid() -> None:
    jsonschema.Draft202012Validator.check_schema(report_schema())


@pytest.mark.parametrize("report", [OOM, NOTHING, EMPTY, oom("zh")], ids=["oom", "nothing", "empty", "zh"])
def test_samples_follow_the_schema(report: dict[str, Any]) -> None:
    VALIDATOR.validate(report)


def test_schema_describes_every_reported_fact() -> None:
    facts = report_schema()["properties"]["diagnoses"]["items"]["properties"]["facts"]["properties"]
    assert set(facts) == set(REPORTED)
    assert facts["requested_bytes"]["type"] == "integer"
    assert facts["devices"] == {"type": "array", "items": {"type": "string"}, "description": "devices named by the message, in order"}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("schema_version",), 2),
        (("diagnoses", 0, "confidence"), 1.5),
        (("diagnoses", 0, "facts", "gpu"), "0"),
        (("diagnoses", 0, "evidence", 0, "line"), 0),
        (("diagnoses", 0, "fixes", 0, "commands"), "export X=1"),
        (("diagnoses", 0, "gpu_memory", "parts", 0, "label"), "mine"),
        (("noise", 0, "why"), None),
    ],
)
def test_schema_rejects_what_the_contract_excludes(path: tuple[str | int, ...], value: object) -> None:
    report: Any = copy.deepcopy(OOM)
    place = report
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    assert not VALIDATOR.is_valid(report)


def test_schema_misses_every_key_of_the_contract() -> None:
    for key in report_schema()["required"]:
        assert not VALIDATOR.is_valid({name: value for name, value in OOM.items() if name != key})
    for key in report_schema()["properties"]["diagnoses"]["items"]["required"]:
        diagnosis = {name: value for name, value in OOM["diagnoses"][0].items() if name != key}
        assert not VALIDATOR.is_valid({**OOM, "diagnoses": [diagnosis]})


@pytest.mark.parametrize("report", [OOM, NOTHING, *map(hostile, HOSTILE_TEXTS)], ids=range(2 + len(HOSTILE_TEXTS)))
def test_sarif_has_the_standards_properties_only(report: dict[str, Any]) -> None:
    log = json.loads(formats.document([report], "sarif", "1.2.3"))
    jsonschema.Draft202012Validator(SARIF).validate(log)


def test_sarif_names_each_rule_once_and_levels_consequences_as_notes() -> None:
    log = json.loads(formats.document([OOM, OOM], "sarif", "1.2.3"))
    run = log["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == ["memory.gpu-oom.fragmentation", "distributed.collective-timeout", "numerics.nan"]
    assert [result["level"] for result in run["results"]] == ["error", "note", "error"] * 2
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in run["results"])
    related = run["results"][0]["relatedLocations"][-1]["physicalLocation"]
    assert related["artifactLocation"]["uri"] == "file:///srv/jobs/edit_llama2.py"
    assert related["region"]["startLine"] == 88


def test_json_is_a_list_only_for_several_reports() -> None:
    assert json.loads(formats.document([OOM], "json", "1"))["schema_version"] == 1
    assert [report["schema_version"] for report in json.loads(formats.document([OOM, NOTHING], "json", "1"))] == [1, 1]
    assert len(json.loads(formats.document([OOM], "json", "1", as_list=True))) == 1


def test_json_keys_come_in_the_contracts_order() -> None:
    scrambled = {key: OOM[key] for key in reversed(OOM)}
    scrambled["diagnoses"] = [{key: diagnosis[key] for key in reversed(diagnosis)} for diagnosis in OOM["diagnoses"]]
    assert formats.document([scrambled], "json", "1") == formats.document([OOM], "json", "1")


def test_unknown_format_is_named() -> None:
    with pytest.raises(ValueError, match="unknown format 'pdf'"):
        formats.document([OOM], "pdf", "1")
