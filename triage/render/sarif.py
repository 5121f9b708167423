"""Reports as SARIF 2.1.0, for dashboards that collect findings of many tools.

One run holds any number of inputs: a diagnosis is a result at its first line of evidence, a rule is described once. What
follows from another failure has level `note`. The standard: https://docs.oasis-open.org/sarif/sarif/v2.1.0/
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

from triage.render.escape import is_web_address, shorten, visible
from triage.render.json import escaped_dumps
from triage.render.phrases import phrase
from triage.render.wording import colon

_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_MAX_TEXT: Final = 2000
_UNNAMED: Final = "stdin"


def render(reports: Sequence[Mapping[str, Any]], version: str) -> str:
    """All reports in one SARIF log; `version` is the one of triage. A report's `input.name` is the location of its results."""
    rules: dict[str, dict[str, Any]] = {}
    results = []
    for report in reports:
        lang = str(report.get("lang", "en"))
        for diagnosis in report["diagnoses"]:
            rule = rules.setdefault(diagnosis["id"], _rule(diagnosis))
            index = list(rules).index(rule["id"])
            results.append(_result(diagnosis, index, str(report["input"].get("name") or _UNNAMED), lang))
    driver = {"name": "triage", "semanticVersion": version, "rules": list(rules.values())}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return escaped_dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(diagnosis: Mapping[str, Any]) -> dict[str, Any]:
    """The kind of failure, in words that hold for every log: titles of family and cause, not of this case."""
    family, cause = diagnosis.get("family_title") or diagnosis["family"], diagnosis.get("cause_title")
    name = _text(f"{family}: {cause}" if cause else family)
    rule: dict[str, Any] = {
        "id": diagnosis["id"],
        "name": "".join(part.capitalize() for part in diagnosis["id"].replace("-", ".").split(".")),
        "shortDescription": {"text": name},
        "help": {"text": _text("\n".join([name, *diagnosis["references"]]))},
        "defaultConfiguration": {"level": "error"},
        "properties": {"tags": ["gpu", diagnosis["family"].partition(".")[0]]},
    }
    links = [address for address in diagnosis["references"] if is_web_address(address)]
    if links:
        rule["helpUri"] = links[0]
    return rule


def _result(diagnosis: Mapping[str, Any], index: int, name: str, lang: str) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": diagnosis["id"],
        "ruleIndex": index,
        "level": "note" if diagnosis["consequence_of"] else "error",
        "message": {"text": _message(diagnosis, lang)},
        "locations": _locations(diagnosis["evidence"][:1], name) or [_location(name)],
        "properties": {"confidence": diagnosis["confidence"], "consequenceOf": diagnosis["consequence_of"]},
    }
    related = _locations(diagnosis["evidence"][1:], name)
    frame = diagnosis.get("user_frame")
    if frame and frame.get("line"):
        related.append({**_location(frame["path"], frame["line"], frame.get("code")), "message": {"text": phrase("your-code", lang)}})
    if related:
        result["relatedLocations"] = related
    return result


def _message(diagnosis: Mapping[str, Any], lang: str) -> str:
    """Title and summary, then what to do. Braces and brackets are placeholders and links to a reader of SARIF, so they are defused."""
    parts = [diagnosis["title"], diagnosis["summary"]]
    if diagnosis["fixes"]:
        parts.append(phrase("fixes", lang) + colon(lang).rstrip())
        parts += [f"{number}. {fix['title']}" for number, fix in enumerate(diagnosis["fixes"], 1)]
    text = "\n".join(_text(part) for part in parts if part)
    return text.replace("{", "{{").replace("}", "}}").replace("](", "] (")


def _locations(evidence: Sequence[Mapping[str, Any]], name: str) -> list[dict[str, Any]]:
    return [_location(item.get("file") or name, item["line"], item["text"]) for item in evidence]


def _location(name: str, line: int | None = None, snippet: str | None = None) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(name)}}
    if line:
        physical["region"] = {"startLine": line}
        if snippet:
            physical["region"]["snippet"] = {"text": _text(snippet)}
    return {"physicalLocation": physical}


def _uri(name: str) -> str:
    """A path as a URI reference: every byte that is not plain is percent-encoded, so no scheme can be smuggled in."""
    path = name.replace("\\", "/").encode("utf-8", "surrogateescape" if _from_file_system(name) else "backslashreplace")
    return ("file://" if path.startswith(b"/") else "") + quote(path)


def _from_file_system(name: str) -> bool:
    """Whether lone surrogates in a name stand for the undecodable bytes of a file name."""
    return not any("\ud800" <= char < "\udc80" or "\udcff" < char <= "\udfff" for char in name)


def _text(text: str) -> str:
    return "\n".join(shorten(visible(line), _MAX_TEXT) for line in text.split("\n"))
