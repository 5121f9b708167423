"""Real cases: `kb/cases/*.yaml`, read and checked when knowledge is compiled; what explains works on `Case.to_data()`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from triage.engine.values import Value, Version
from triage.facts.convert import convert
from triage.facts.vocabulary import SLOTS
from triage.knowledge.schema import CaseFile, Text, VocabularyFile
from triage.knowledge.sources import Document, Finding, KnowledgeError, read_document, yaml_files


class Case:
    """A checked case: the model of its file, and its facts as typed values."""

    __slots__ = ("facts", "model")

    def __init__(self, model: CaseFile, facts: dict[str, Value]) -> None:
        self.model = model
        self.facts = facts

    @property
    def id(self) -> str:
        """The name of its file, by which rules and `triage kb show` call it."""
        return self.model.id

    def to_data(self) -> dict[str, Any]:
        """The case as plain JSON data, the form that similarity, search and display work on."""
        model = self.model
        return {
            "id": model.id,
            "title": _both(model.title),
            "symptom": list(model.symptom),
            "environment": model.environment.model_dump(exclude_defaults=True),
            "family": model.family,
            "causes": list(model.causes),
            "diagnoses": list(model.diagnoses),
            "telling": list(model.telling),
            "facts": {slot: _plain(value) for slot, value in self.facts.items()},
            "cause": _both(model.cause),
            "fix": _both(model.fix),
            "fixes": list(model.fixes),
            "no_use": _both(model.no_use) if model.no_use else None,
            "outcome": model.outcome,
            "source": [source.model_dump(exclude_defaults=True) for source in model.source],
            "date": model.date.isoformat(),
            "checked": [check.model_dump(exclude_defaults=True) for check in model.checked],
        }


def load_cases(root: Path) -> list[Case]:
    """Read and check all cases below `root` (`kb`), in order of their ids. Raises KnowledgeError with everything wrong in any."""
    cases, findings = scan_cases(yaml_files(root / "cases"), root, root)
    if findings:
        raise KnowledgeError(findings)
    return cases


def scan_cases(paths: Iterable[Path], root: Path, kb: Path) -> tuple[list[Case], list[Finding]]:
    """The cases that can be used among these files, and what is wrong with the others. Raises KnowledgeError for a wrong vocabulary."""
    vocabulary = read_document(kb / "taxonomy.yaml", kb).model(VocabularyFile)
    cases: list[Case] = []
    findings: list[Finding] = []
    for path in paths:
        try:
            document = read_document(path, root)
            model = document.model(CaseFile)
            facts, wrong = _facts(document, model)
            wrong.extend(_unknown_ids(document, model, path.stem, vocabulary))
            findings.extend(wrong)
            if not wrong:
                cases.append(Case(model, facts))
        except KnowledgeError as error:
            findings.extend(error.findings)
    return cases, findings


def _facts(document: Document, model: CaseFile) -> tuple[dict[str, Value], list[Finding]]:
    facts: dict[str, Value] = {}
    findings: list[Finding] = []
    for slot, written in model.facts.items():
        if slot not in SLOTS:
            findings.append(document.finding(["facts", slot], f"no slot is called {slot}"))
            continue
        value = _value(slot, written)
        if value is None:
            findings.append(document.finding(["facts", slot], f"{written!r} is no {SLOTS[slot][0]}"))
        else:
            facts[slot] = value
    return facts, findings


def _value(slot: str, written: Any) -> Value | None:
    if not SLOTS[slot][0].startswith("list:"):
        return None if isinstance(written, (list, dict)) else convert(slot, str(written))
    values: list[Value] = []
    for item in written if isinstance(written, list) else [written]:
        value = convert(slot, str(item))
        if not isinstance(value, tuple):
            return None
        values.extend(value)
    return tuple(values)


def _unknown_ids(document: Document, model: CaseFile, stem: str, vocabulary: VocabularyFile) -> list[Finding]:
    findings = []
    if model.id != stem:
        findings.append(document.finding(["id"], f"must be {stem}, the name of the file"))
    if model.family not in vocabulary.families:
        findings.append(document.finding(["family"], f"no family is called {model.family}"))
    for place, diagnosis in enumerate(model.diagnoses):
        if not diagnosis.startswith(f"{model.family}."):
            findings.append(document.finding(["diagnoses", place], f"{diagnosis} is no diagnosis of {model.family}"))
    for place, cause in enumerate(model.causes):
        if cause not in vocabulary.causes:
            findings.append(document.finding(["causes", place], f"no cause is called {cause}"))
    for place, fix in enumerate(model.fixes):
        if fix not in vocabulary.fixes:
            findings.append(document.finding(["fixes", place], f"no fix is called {fix}"))
    return findings


def _both(text: Text) -> dict[str, str]:
    return {"en": text.en.strip(), "zh": text.zh.strip()}


def _plain(value: Value) -> Any:
    """A fact as a report's JSON shows it: versions as text, tuples as lists."""
    if isinstance(value, Version):
        return str(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value
