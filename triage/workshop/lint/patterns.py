"""Patterns: specific enough, reachable, and silent where nothing failed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import re2

from triage.reading import read
from triage.render.escape import visible
from triage.signatures.frequencies import LINES
from triage.workshop.lint.base import Base, Finding, RuleView, SignatureView
from triage.workshop.lint.samples import samples

COMMON = 1000  # of ten thousand lines hold it
_OPEN_START = re.compile(r"\A(?:\(\?i\))?(?:\.\*\??|\(\?:\.\*\??\))")
_OPEN_END = re.compile(r"(?<!\\)(?:\.\*\??|\(\?:\.\*\??\))\Z")


def shapes(base: Base) -> Iterator[Finding]:
    """L020: only common words required; L022: an open end; L023: a `literal` that is not in every match, or not on
    its first line: there a pattern is tried.
    """
    for view in base.checked_signatures():
        key = "text" if view.model.text is not None else "pattern"
        literals = view.data["literals"]
        if any(LINES.get(literal.strip(), 0) >= COMMON for literal in literals):
            shown = ", ".join(f"'{literal}'" for literal in literals)
            yield Finding(view.source, (*view.keys, key), "L020", f"{view.model.id}: all that a match must hold is {shown}")
        for regex, _ in view.data["regexes"]:
            if _OPEN_START.search(regex) or _OPEN_END.search(regex):
                yield Finding(view.source, (*view.keys, key), "L022", f"{view.model.id}: the pattern begins or ends with a gap")
        if view.model.literal is not None or view.model.span > 1:
            without = next((text for text in _samples(view) if not _tried(text.lower().split("\n")[0], literals)), None)
            if without is not None:
                shown = " or ".join(f"'{literal}'" for literal in literals)
                how = f"has {shown} on a later line" if _tried(without.lower(), literals) else f"matches without {shown}"
                at = key if view.model.literal is None else "literal"
                yield Finding(view.source, (*view.keys, at), "L023", f"{view.model.id}: '{visible(without[:80])}' {how}")


def _tried(text: str, literals: list[str]) -> bool:
    return any(literal in text for literal in literals)


def healthy(base: Base, directory: Path) -> Iterator[Finding]:
    """L021: diagnoses of logs and documents in which nothing failed; L024: signals in them that no diagnosis followed from."""
    places = {(view.source.failure, view.model.id): view for view in base.checked_signatures()}
    rules = {view.name: view for view in base.checked_rules() if view.kind == "diagnosis"}
    told: set[str | tuple[str, str]] = set()
    for path in healthy_texts(directory):
        report = base.triage.explain(path)
        for diagnosis in report.diagnoses:
            if diagnosis.id in rules and diagnosis.id not in told:
                told.add(diagnosis.id)
                rule, line = rules[diagnosis.id], diagnosis.evidence[0]
                yield Finding(rule.source, rule.keys, "L021", f"{diagnosis.id} is diagnosed in {_quoted(path, line.line, line.text)}")
        families = {diagnosis.family for diagnosis in report.diagnoses}
        for observation in base.matcher.observe(read(path.read_bytes())):
            key = (str(observation.slots.get("failure")), str(observation.slots.get("signature")))
            if observation.template != "signal" or key not in places or key in told or key[0].rpartition(":")[2].split("/")[0] in families:
                continue
            told.add(key)
            view, line = places[key], observation.evidence[0]
            form = "text" if view.model.text is not None else "pattern"
            yield Finding(view.source, (*view.keys, form), "L024", f"{view.model.id} matches {_quoted(path, line.line, line.text)}")


def _quoted(path: Path, line: int, text: str) -> str:
    return f"line {line} of {path.parent.name}/{path.name}: '{text.strip()[:100]}'"


def healthy_texts(directory: Path) -> list[Path]:
    """The logs and documents against which patterns are tried, in a fixed order."""
    return sorted(path for path in directory.iterdir() if path.suffix in (".log", ".md", ".txt")) if directory.is_dir() else []


def hidden_signatures(base: Base) -> Iterator[Finding]:
    """L014: a signature that an earlier one of its file always forestalls: of one failure a line reports the first form that fits."""
    for source in base.checked:
        earlier: list[SignatureView] = []
        for view in base.signatures[source.path]:
            if not view.model.reports or source.model.failure is None:
                continue
            texts = _samples(view)
            for other in earlier:
                reaches = other.compiled.span <= view.compiled.span and set(view.compiled.roles) <= set(other.compiled.roles)
                if reaches and _all_match(other, texts):
                    yield Finding(source, view.keys, "L014", f"{view.model.id}: {other.model.id} matches first wherever it would")
                    break
            earlier.append(view)


def _samples(view: SignatureView) -> list[str]:
    return [text for regex, _ in view.data["regexes"] for text in samples(regex) if re2.search(regex, text)]


def _all_match(view: SignatureView, texts: list[str]) -> bool:
    """Whether each text is matched; a signature sees no more lines than its span."""
    seen = ["\n".join(text.split("\n")[: view.compiled.span]) for text in texts]
    return bool(seen) and all(view.compiled.match(text) is not None for text in seen)


def hidden_diagnoses(base: Base) -> Iterator[Finding]:
    """L014: a diagnosis that never stands, because another one always fires with it and has precedence."""
    views = {view.name: view for view in base.rules if view.kind == "diagnosis"}
    for source in base.checked:
        rules = list(source.diagnoses())
        yields = {rule.id: base.taxonomy.spread(map(source.resolve, rule.yields_to)) for _, rule in rules}
        for number, rule in rules:
            for _, other in rules:
                if other is rule:
                    continue
                mine, theirs = views[source.diagnosis(rule)], views[source.diagnosis(other)]
                ahead = rule.cause is None and other.cause is not None
                ahead = ahead or (theirs.name in yields[rule.id] and mine.name not in yields[other.id])
                if ahead and _implies(mine, theirs):
                    message = f"{rule.id}: whenever it fires, {other.id} fires and takes precedence"
                    yield Finding(source, ("diagnoses", number), "L014", message)
                    break


def _implies(one: RuleView, other: RuleView) -> bool:
    """Whether a diagnosis fires whenever another one does: the same conditions or fewer, over the same signatures or more."""
    if not one.parts or not other.parts:
        return False
    (own, *conditions), (general, *wanted) = _flat(one), _flat(other)
    if own is None or general is None:
        return False
    narrow, wide = own[2].get("signature"), general[2].get("signature")
    if wide is not None and (narrow is None or not set(narrow[1]) <= set(wide[1])):
        return False
    return all(condition in conditions for condition in wanted)


def _flat(view: RuleView) -> list[Any]:
    """The signal and the conditions of a diagnosis; [None] where it has no signal of its own, or alternatives."""
    if any(len(part.alternatives) != 1 for part in view.parts):
        return [None]
    flat = [condition for part in view.parts for condition in part.alternatives[0]]
    return flat if view.parts[0].keys == view.keys else [None]


def duplicates(base: Base) -> Iterator[Finding]:
    """L015: the same form in two signatures, the same signature id twice in a file, the same conditions for the same conclusion."""
    checked = {source.path for source in base.checked}
    forms: dict[tuple[Any, ...], SignatureView] = {}
    for views in base.signatures.values():
        ids: set[str] = set()
        for view in views:
            if view.model.id in ids and view.source.path in checked:
                yield Finding(view.source, (*view.keys, "id"), "L015", f"the file has two signatures {view.model.id}")
            ids.add(view.model.id)
            for form in view.model.forms:
                key = (
                    form,
                    view.model.text is None,
                    view.model.ignore_case,
                    view.compiled.span,
                    tuple(view.compiled.roles),
                    view.model.reports,
                )
                first = forms.setdefault(key, view)
                if first is not view and view.source.path in checked:
                    where = f"{first.source.path}, signature {first.model.id}"
                    yield Finding(view.source, view.keys, "L015", f"{view.model.id}: the same form stands in {where}")
    rules: dict[str, RuleView] = {}
    for rule in base.rules:
        if rule.kind == "follower" or not rule.parts:
            continue
        conclusion = [head for head in rule.heads if not head[0].startswith("finding:")]
        if rule.kind == "diagnosis":
            conclusion = [[conclusion[0][0], {slot: term for slot, term in conclusion[0][1].items() if slot != "id"}]]
        elif any(not slots for _, slots in conclusion):
            continue  # advice and noise: their texts tell them apart
        content = json.dumps([[part.alternatives for part in rule.parts], conclusion], sort_keys=True, default=str)
        former = rules.setdefault(content, rule)
        if former is not rule and rule.source.path in checked:
            yield Finding(rule.source, rule.keys, "L015", f"{rule.name}: the same rule as {former.name} in {former.source.path}")
