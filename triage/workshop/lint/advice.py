"""What rules refer to, what they offer, and where they have it from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from triage.engine.rules import nested
from triage.facts.spelling import did_you_mean
from triage.rulebook import schema
from triage.rulebook.loader import Source
from triage.rulebook.schema import Expectation
from triage.workshop.lint.base import Base, Finding, Keys


def references(base: Base) -> Iterator[Finding]:
    """L001: names of cases, diagnoses, failures and fixes that do not exist; L082: references to deprecated failures."""
    diagnoses = set(base.diagnoses)
    families = set(base.taxonomy.families)
    for source in base.checked:
        for keys, kind, written in _named(source):
            name = source.resolve(written)
            known: set[str] = {
                "case": {case.id for case in base.knowledge.cases},
                "diagnosis": diagnoses,
                "diagnosis or family": diagnoses | families | set(base.taxonomy.groups),
                "failure": {failure for failure in base.failures if failure},
                "family": families,
                "cause": set(base.taxonomy.causes),
                "fix": set(base.taxonomy.fixes),
                "signature": {signature.id for signature in source.model.signatures},
            }[kind]
            if name not in known and not (name.endswith("*") and base.taxonomy.matching(name)):
                yield Finding(source, keys, "L001", f"there is no {kind} {name}{did_you_mean(name, known)}")
            elif name in base.diagnoses and base.diagnoses[name].model.status == "deprecated" and source.model.status != "deprecated":
                yield Finding(source, keys, "L082", f"{name} is deprecated")
    yield from _constants(base)


def _named(source: Source) -> Iterator[tuple[Keys, str, str]]:
    file = source.model
    if file.superseded_by is not None:
        yield ("superseded_by",), "failure", file.superseded_by
    for number, rule in enumerate(file.diagnoses):
        keys: Keys = ("diagnoses", number)
        yield from (((*keys, "cases", at), "case", name) for at, name in enumerate(rule.cases))
        yield from (((*keys, "yields_to", at), "diagnosis or family", name) for at, name in enumerate(rule.yields_to))
        yield from (((*keys, "no_use", at, "id"), "fix", vain.id) for at, vain in enumerate(rule.no_use))
        for at, fix in enumerate(rule.fixes):
            if isinstance(fix, schema.FixUse):
                yield from (((*keys, "fixes", at, "leads_to", place), "diagnosis", name) for place, name in enumerate(fix.leads_to))
    for number, inference in enumerate(file.rules):
        if inference.fix is not None:
            yield ("rules", number, "fix", "id"), "fix", inference.fix.id
        if inference.no_use is not None and not inference.no_use.id.startswith("$"):
            yield ("rules", number, "no_use", "id"), "fix", inference.no_use.id
    for number, example in enumerate(file.examples):
        if isinstance(example.expect, Expectation):
            yield from _expected(("examples", number, "expect"), example.expect)


def _expected(keys: Keys, expect: Expectation) -> Iterator[tuple[Keys, str, str]]:
    for key, kind, name in (("family", "family", expect.family), ("cause", "cause", expect.cause), ("id", "diagnosis", expect.id),
                            ("signature", "signature", expect.signature), ("first_fix", "fix", expect.first_fix)):  # fmt: skip
        if name is not None:
            yield (*keys, key), kind, name
    yield from (((*keys, "also", at), "family", name) for at, name in enumerate(expect.also))
    yield from (((*keys, "fixes", at), "fix", name) for at, name in enumerate(expect.fixes))


_CONSTANTS = {
    ("candidate", "id"): "diagnosis",
    ("diagnosis", "id"): "diagnosis",
    ("candidate", "family"): "family",
    ("diagnosis", "family"): "family",
    ("candidate", "cause"): "cause",
    ("diagnosis", "cause"): "cause",
    ("signal", "failure"): "failure",
    ("consequence", "of"): "diagnosis",
    ("consequence", "is"): "diagnosis",
    ("overshadowed", "id"): "diagnosis",
    ("attribute", "diagnosis"): "diagnosis",
}


def _constants(base: Base) -> Iterator[Finding]:
    """Ids that stand as constants in conditions and derived facts."""
    known: Mapping[str, Iterable[str]] = {
        "diagnosis": base.diagnoses,
        "family": base.taxonomy.families,
        "cause": base.taxonomy.causes,
        "failure": [failure for failure in base.failures if failure],
    }
    for view in base.checked_rules():
        uses = [*view.conditions(), *((view.keys, ["match", *head]) for head in view.heads if view.kind == "inference")]
        for keys, condition in uses:
            for template, slots in _patterns(condition):
                for slot, term in slots.items():
                    kind = _CONSTANTS.get((template, slot))
                    values = [term[1]] if term[0] == "const" else term[1] if term[0] == "in" else []
                    for value in values if kind else ():
                        names = known[kind or ""]
                        if value not in names:
                            yield Finding(
                                view.source, keys, "L001", f"{view.name}: there is no {kind} {value}{did_you_mean(str(value), names)}"
                            )


def _patterns(condition: list[Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    if condition[0] == "match":
        yield condition[1], condition[2]
    for inner in nested(condition):
        yield from _patterns(inner)


def fixes(base: Base) -> Iterator[Finding]:
    """L050: fixes that say nothing; L051: diagnoses without a fix, of their own or kept; L052: fixes behind one that always applies."""
    for source in base.checked:
        for number, rule in enumerate(source.model.diagnoses):
            keys: Keys = ("diagnoses", number)
            if not (rule.fixes or rule.keeps_advice):
                yield Finding(source, keys, "L051", f"{rule.id} offers no fix")
            for at, fix in enumerate(rule.fixes):
                if isinstance(fix, schema.FixUse) and _empty(base, fix):
                    yield Finding(source, (*keys, "fixes", at), "L050", f"{rule.id}: {fix.id} has neither detail nor command here")
            yield from _never_told(source, rule, (*keys, "fixes"))
        for number, inference in enumerate(source.model.rules):
            if inference.fix is not None and _empty(base, inference.fix):
                message = f"{inference.id}: {inference.fix.id} has neither detail nor command here"
                yield Finding(source, ("rules", number, "fix"), "L050", message)


def _never_told(source: Source, rule: schema.DiagnosisRule, keys: Keys) -> Iterator[Finding]:
    """Of one fix the first use that applies is told: what follows one without a condition never is."""
    always: set[str] = set()
    for at, fix in enumerate(rule.fixes):
        name, when = (fix, None) if isinstance(fix, str) else (fix.id, fix.when)
        if name in always:
            yield Finding(source, (*keys, at), "L052", f"{rule.id}: {name} is told already, by a use that has no condition")
        if when is None:
            always.add(name)


def _empty(base: Base, fix: schema.FixUse) -> bool:
    library = base.taxonomy.fixes.get(fix.id, {})
    if fix.detail is not None:
        return not any(sentence.strip() for sentence in ([fix.detail.en] if isinstance(fix.detail.en, str) else fix.detail.en))
    own = [command for command in fix.lines or base.taxonomy.commands(fix.id) if command.strip()]
    return not own and not str(library.get("detail", {}).get("en", "")).strip()


def sources(base: Base) -> Iterator[Finding]:
    """L060: signatures without a source where the file has none either, and failures without any reference."""
    for source in base.checked:
        file = source.model
        if file.failure is None:
            continue
        if not file.references and not all(rule.references for rule in file.diagnoses):
            yield Finding(source, ("failure",), "L060", f"{file.failure} cites nothing under references")
        for number, signature in enumerate(file.signatures):
            if not signature.source and not file.references:
                yield Finding(source, ("signatures", number), "L060", f"{signature.id} does not say where its form comes from")
