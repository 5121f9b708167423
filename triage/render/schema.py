"""The JSON Schema of the report, for programs that read it. `triage schema report` prints it.

Descriptions and types of `facts` come from the vocabulary, so the two cannot drift apart. Further keys may be added
in any place; a change of what is here raises `schema_version`.
"""

from __future__ import annotations

from typing import Any, Final

from triage.facts.vocabulary import REPORTED, SLOTS

SCHEMA_VERSION: Final = 1

_TEXT: Final = {"type": "string"}
_COUNT: Final = {"type": "integer", "minimum": 0}
_LINE: Final = {"type": "integer", "minimum": 1, "description": "number of the raw line, from 1"}
_FILE: Final = {"type": "string", "description": "which of several logs the line stands in"}
_PLACE: Final = {"file": _FILE, "line": _LINE}
_PROBABILITY: Final = {"type": "number", "minimum": 0, "maximum": 1}
_JSON_TYPES: Final = {"bytes": "integer", "ms": "integer", "int": "integer", "line": "integer", "float": "number", "bool": "boolean"}


def report_schema() -> dict[str, Any]:
    """JSON Schema, draft 2020-12, of what `Report.to_dict()` returns."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "triage report",
        "description": "What triage found in one text: the root cause first, then what else failed.",
        **_object(
            {
                "schema_version": {"const": SCHEMA_VERSION},
                "lang": {"enum": ["en", "zh"]},
                "diagnoses": _list(_diagnosis()),
                "noise": _list(_object({**_PLACE, "why": _TEXT}, optional=("file",))),
                "environment": _object(
                    {
                        "versions": {"type": "object", "additionalProperties": _TEXT, "description": "by lower-case distribution name"},
                        "gpus": _list({"type": "object"}),
                    }
                ),
                "input": _object(
                    {
                        "lines": _COUNT,
                        "bytes": _COUNT,
                        "omitted": _list(_list(_COUNT), "parts of a very large input that were searched for failures only"),
                        "kind": {**_TEXT, "description": "what kind of text it is: issue, log, traceback …"},
                        "name": {**_TEXT, "description": "name of the file"},
                        "files": _list(
                            _object({"name": _TEXT, "lines": _COUNT, "bytes": _COUNT, "omitted": _list(_list(_COUNT))}),
                            "the logs of a job that were explained together",
                        ),
                    },
                    optional=("kind", "name", "files"),
                ),
                "notes": _list(_TEXT, "what to know of how the report came about, such as rule packs that were left out"),
                "observations": _list(
                    _object({"template": _TEXT, "slots": {"type": "object"}, "line": {"type": ["integer", "null"]}}),
                    "everything read from the text; only with --verbose",
                ),
            },
            optional=("lang", "input", "notes", "observations"),
        ),
        "$defs": {"step": _step()},
    }


def finding_schema() -> dict[str, Any]:
    """JSON Schema, draft 2020-12, of a line that `triage scan --format jsonl` writes."""
    diagnosis = _diagnosis()
    place = _object(
        {
            "schema_version": {"const": SCHEMA_VERSION},
            "path": {**_TEXT, "description": "the log, as it was named or found"},
            "line": _LINE,
            "last_line": {**_LINE, "description": "the last line on which such a message begins"},
            "count": {"type": "integer", "minimum": 1, "description": "lines on which a message that the diagnosis rests on begins"},
        }
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "triage finding",
        "description": "A failure that a log reports: a diagnosis of the report, where it stands and how often it occurs.",
        **diagnosis,
        "properties": {**place["properties"], **diagnosis["properties"]},
        "required": [*place["required"], *diagnosis["required"]],
        "$defs": {"step": _step()},
    }


def _diagnosis() -> dict[str, Any]:
    nullable = {"type": ["string", "null"]}
    return _object(
        {
            "id": {**_TEXT, "description": "family and cause, or a finer name; stable"},
            "family": {**_TEXT, "description": "what the text reports, an id of the taxonomy"},
            "cause": {"type": ["string", "null"], "description": "why, an id of the taxonomy"},
            "family_title": _TEXT,
            "cause_title": {"type": ["string", "null"]},
            "confidence": {**_PROBABILITY, "description": "probability that family and cause are right"},
            "title": _TEXT,
            "summary": _TEXT,
            "facts": {"type": "object", "properties": {name: _fact(name) for name in REPORTED}},
            "gpu_memory": {"anyOf": [{"type": "null"}, _gpu_memory()]},
            "user_frame": {"anyOf": [{"type": "null"}, _user_frame()], "description": "the last frame of the user's own code"},
            "evidence": _list(_object({**_PLACE, "text": _TEXT}, optional=("file",)), "raw lines of the input"),
            "why": _list(_TEXT, "one sentence an inference step"),
            "proof": _list({"$ref": "#/$defs/step"}, "the same as a tree, down to the raw lines; only with --why"),
            "fixes": _list(_fix(), "best first"),
            "will_not_help": _list(
                _object({"id": _TEXT, "title": _TEXT, "why": _TEXT, "verdict": _verdict()}, optional=("title", "verdict"))
            ),
            "missing": _list(_object({"fact": _TEXT, "how": _TEXT})),
            "consequence_of": {"type": ["string", "null"], "description": "id of the diagnosis that explains this one"},
            "cases": _list(_object({"id": _TEXT, "score": _PROBABILITY, "title": nullable, "url": nullable}, optional=("title", "url"))),
            "references": _list({"type": "string", "format": "uri"}),
        },
        optional=("family_title", "cause_title", "gpu_memory", "user_frame", "proof"),
    )


def _fix() -> dict[str, Any]:
    return _object(
        {
            "id": {**_TEXT, "description": "an id of the taxonomy"},
            "title": _TEXT,
            "detail": _TEXT,
            "commands": _list(_TEXT, "exact commands, settings or code lines for this case"),
            "verifiable": {"type": "boolean", "description": "whether `triage verify` can rerun it"},
            "leads_to": _list(_TEXT, "ids of what is known to come next"),
            "leads_to_titles": _list(_TEXT, "their titles"),
            "references": _list(_TEXT),
            "verdict": _verdict(),
        },
        optional=("leads_to", "leads_to_titles", "references", "verdict"),
    )


def _verdict() -> dict[str, Any]:
    """What came of trying it; only with --verify or --verdicts."""
    verdict = {"enum": ["confirmed", "refuted", "partly", "not-reproduced", "not-possible"]}
    where = {**_TEXT, "description": "backend, card, driver, releases"}
    limits = {**_TEXT, "description": "what this backend cannot show"}
    return _object({"verdict": verdict, "backend": _TEXT, "where": where, "reason": _TEXT, "limits": limits})


def _gpu_memory() -> dict[str, Any]:
    size = {**_COUNT, "description": "bytes"}
    label = {"enum": ["live", "reserved", "other", "free", "unknown"]}
    return _object({"parts": _list(_object({"label": label, "bytes": size})), "capacity": size, "requested": size}, optional=("requested",))


def _user_frame() -> dict[str, Any]:
    nullable = {"type": ["string", "null"]}
    return _object({"path": _TEXT, "line": {"type": ["integer", "null"]}, "function": nullable, "code": nullable})


def _step() -> dict[str, Any]:
    """A node of the proof tree: what was concluded, by which rule, from which lines and which earlier steps."""
    rule = {"type": ["string", "null"]}
    evidence = _list(_object({**_PLACE, "text": _TEXT}, optional=("file",)))
    return _object({"text": _TEXT, "rule": rule, "evidence": evidence, "children": _list({"$ref": "#/$defs/step"})})


def _fact(name: str) -> dict[str, Any]:
    kind, description = SLOTS[name]
    element = {"type": _JSON_TYPES.get(kind.removeprefix("list:"), "string")}
    return {**(_list(element) if kind.startswith("list:") else element), "description": description}


def _list(items: dict[str, Any], description: str = "") -> dict[str, Any]:
    return {"type": "array", "items": items, **({"description": description} if description else {})}


def _object(properties: dict[str, Any], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"type": "object", "required": [name for name in properties if name not in optional], "properties": properties}
