"""Templates and slots that rules name and that nothing has: told when rules are compiled, not by silence when a log comes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from triage.facts.spelling import did_you_mean
from triage.facts.vocabulary import DERIVED, SLOTS, TEMPLATES
from triage.rulebook import schema
from triage.rulebook.conditions import AGGREGATES
from triage.rulebook.errors import Problem
from triage.rulebook.loader import Source
from triage.signatures.patterns import slots_of

Keys = tuple[str | int, ...]
ANYTHING: Collection[str] = frozenset()  # the slots of a template of which nothing is known here
PROVED = frozenset({"verdict", "emulation"})  # what was found by trying: no rule may claim it
MATCH = ""  # stands for the slots of a signature's match, which all of the vocabulary may be


def derived_templates(source: Source) -> dict[str, set[str]]:
    """The templates of facts that the rules of a file derive, with their slots."""
    derived: dict[str, set[str]] = {}
    for rule in source.model.rules:
        for item in rule.asserts:
            for template, slots in item.items():
                derived.setdefault(template, set()).update(slots)
    return derived


def unknown_names(
    sources: Sequence[Source], tables: Mapping[str, Sequence[str]] | None, derived: Iterable[Mapping[str, Collection[str]]]
) -> Iterator[Problem]:
    """Problems R020 (slots) and R021 (templates) of these files. Without `tables` every table and column is taken to exist; `derived` has
    what `derived_templates` gives for every file of the rule base."""
    names = _Names(derived, tables)
    for source in sources:
        for keys, template, slots, written in _uses(source.model):
            known = names.slots(template)
            if template in PROVED and "when" not in keys and "unless" not in keys:
                yield source.problem(keys, "R021", f"only `triage verify` and `--live` can say {template}: derive a fact of another name")
                continue
            if known is None:
                yield source.problem(keys, "R021", f"no template is called {template}{names.nearest(template)}")
                continue
            for slot in slots:
                if slot not in known and known is not ANYTHING:
                    of = f"template {template} has no slot" if template else "no slot is called"
                    yield source.problem((*keys, *([slot] if written else [])), "R020", f"{of} {slot}{did_you_mean(slot, known)}")


class _Names:
    """What templates there are: those of the vocabulary, those that rules derive, and tables."""

    def __init__(self, derived: Iterable[Mapping[str, Collection[str]]], tables: Mapping[str, Sequence[str]] | None) -> None:
        self._tables = tables
        self._known: dict[str, Collection[str]] = {name: slots for name, (slots, _) in {**TEMPLATES, **DERIVED}.items()}
        self._known[MATCH] = SLOTS
        found: dict[str, set[str]] = {}
        for file in derived:
            for template, slots in file.items():
                if template not in self._known:
                    found.setdefault(template, set()).update(slots)
        self._known.update(found)

    def slots(self, template: str) -> Collection[str] | None:
        """The slots of a template, None where there is no such template."""
        if template.startswith("table:"):
            return ANYTHING if self._tables is None else self._tables.get(template.removeprefix("table:"))
        return ANYTHING if template.startswith("finding:") else self._known.get(template)

    def nearest(self, template: str) -> str:
        """The end of a message that there is no such template: which may be meant; '' where none comes near."""
        return did_you_mean(template, [*self._known, *(f"table:{name}" for name in self._tables or ())])


def _uses(file: schema.RuleFile) -> Iterator[tuple[Keys, str, list[str], bool]]:
    """(keys, template, its slots, whether each slot is a key in the file); the template is MATCH for the slots of a signature's match."""
    for number, signature in enumerate(file.signatures):
        at: Keys = ("signatures", number)
        key = "text" if signature.text is not None else "pattern"
        yield (*at, key), MATCH, sorted({slot for form in signature.forms for slot in slots_of(form)}), False
        yield (*at, "set"), MATCH, list(signature.constants), True
        yield (*at, "compute"), MATCH, list(signature.compute), True
        for place, item in enumerate(signature.asserts):
            for template, slots in item.items():
                yield (*at, "asserts", place, template), template, list(slots), True
    for number, rule in enumerate(file.diagnoses):
        yield from _diagnosis_uses(rule, ("diagnoses", number))
    for number, inference in enumerate(file.rules):
        at = ("rules", number)
        yield from _conditions(inference.when, (*at, "when"))
        for place, item in enumerate(inference.asserts):
            for template, slots in item.items():
                yield (*at, "assert", place, template), template, list(slots), True
        if inference.missing is not None:
            yield from _conditions(inference.missing.unless, (*at, "missing", "unless"))


def _diagnosis_uses(rule: schema.DiagnosisRule, at: Keys) -> Iterator[tuple[Keys, str, list[str], bool]]:
    yield from _conditions(rule.when, (*at, "when"))
    for number, fix in enumerate(rule.fixes):
        if isinstance(fix, schema.FixUse):
            yield from _conditions(fix.when, (*at, "fixes", number, "when"))
    for number, vain in enumerate(rule.no_use):
        yield from _conditions(vain.when, (*at, "no_use", number, "when"))
    for number, missing in enumerate(rule.missing):
        yield from _conditions(missing.when, (*at, "missing", number, "when"))
        yield from _conditions(missing.unless, (*at, "missing", number, "unless"))


def _conditions(items: Any, keys: Keys) -> Iterator[tuple[Keys, str, list[str], bool]]:
    """The templates that conditions ask for, at any depth. What is not well formed is told by the translator."""
    if isinstance(items, dict):
        items = [items]
    for number, item in enumerate(items if isinstance(items, list) else ()):
        for word, body in item.items() if isinstance(item, dict) else ():
            at = (*keys, number, word)
            if word in ("test", "let"):
                continue
            if word == "any-of":
                for place, option in enumerate(body if isinstance(body, list) else ()):
                    yield from _conditions(option, (*at, place))
            elif word in ("not", "exists"):
                yield from _conditions(body, at)
            elif word in AGGREGATES:
                yield from _conditions(body.get("of") if isinstance(body, dict) else None, (*at, "of"))
            else:
                yield at, str(word), [str(slot) for slot in body if slot != "*"] if isinstance(body, dict) else [], True
