"""Why a diagnosis is not in a report: what kept its rule from firing, or what took its place after it did."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from triage.engine import Fact, Model
from triage.engine.values import from_data, plain
from triage.facts.messages import fill
from triage.facts.vocabulary import ASSERTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from triage.engine.program import Head
    from triage.rulebook.rulebook import Rulebook


def silence(model: Model, book: Rulebook, rule: str) -> list[dict[str, Any]]:
    """The conditions in the way, the nearest first; none where the rule fired and, of a diagnosis, nothing took its place.

    `kind` is that of the engine's failures. A message of which the text holds no form is `absent`, whatever other messages it holds. What
    another diagnosis or a harmless line took away is `blocked-by-negation`; `because` says it in English and Chinese where its rule does.
    Raises KeyError for an unknown rule.
    """
    answer = model.why_not(rule)
    if answer.fired:
        return list(_outdone(model, book, rule))
    found: Any = answer.to_data()["failures"]
    return [_judged(model, book, failure) for failure in found]


def _judged(model: Model, book: Rulebook, failure: dict[str, Any]) -> dict[str, Any]:
    """A failure with what is known of where its facts come from: tables, the messages of a failure, nothing at all."""
    template, wanted = failure.get("template", ""), failure.get("wanted", {})
    if failure["kind"] == "never" and template.startswith("table:"):
        return {**failure, "kind": "absent"}  # a row is there once a fact joins it
    if failure["kind"] not in ("absent", "other-value") or template not in ASSERTED or _derived(model, failure):
        return failure
    alone = {key: item for key, item in failure.items() if key != "facts"}
    if not _asserted(book, template, wanted):
        return {**{key: item for key, item in alone.items() if key != "given_by"}, "kind": "never"}
    other = template == "signal" and all(fact["slots"].get("failure") not in wanted.get("failure", ()) for fact in failure.get("facts", []))
    return {**alone, "kind": "absent"} if other else failure


def _derived(model: Model, failure: Mapping[str, Any]) -> bool:
    """Whether one of the rules that give facts of the template can give such a one."""
    template, wanted = failure["template"], failure.get("wanted", {})
    heads = [head for name in failure.get("given_by", ()) for rule in model.program.named(name) for head in rule.heads]
    return any(head.template == template and all(_may_have(head, slot, values) for slot, values in wanted.items()) for head in heads)


def _may_have(head: Head, slot: str, values: list[Any]) -> bool:
    if slot in head.constants:
        return plain(head.constants[slot]) in values
    return any(slot == name for name, _ in (*head.variables, *head.terms))


def _asserted(book: Rulebook, template: str, wanted: Mapping[str, list[Any]]) -> bool:
    """Whether some signature asserts such a fact."""
    signatures = list(book.section("signatures"))
    if template == "version-bound":
        return any(signature.get("versions") for signature in signatures)
    if template == "signal":
        return any(signature.get("failure") in wanted.get("failure", [signature.get("failure")]) for signature in signatures)
    heads = [head for signature in signatures for head in signature.get("asserts", [])]
    return any(name == template and all(_may_be(terms.get(slot), values) for slot, values in wanted.items()) for name, terms in heads)


def _may_be(term: list[Any] | None, values: list[Any]) -> bool:
    return term is not None and (term[0] != "const" or plain(from_data(term[1])) in values)


def _outdone(model: Model, book: Rulebook, identifier: str) -> Iterator[dict[str, Any]]:
    """What stands against a diagnosis that was proposed and does not stand."""
    proposed = [fact for fact in model.facts("candidate") if fact.get("id") == identifier]
    if not proposed or any(fact.get("id") == identifier for fact in model.facts("diagnosis")):
        return
    for fact in model.facts("overshadowed"):
        if fact.get("id") == identifier:
            yield _blocked(model, book, fact, f"not overshadowed(id='{identifier}')")
    for fact in model.facts("harmless"):
        if any(fact.get("line") == other.get("line") for other in proposed):
            yield _blocked(model, book, fact, f"not harmless(line={fact.get('line')})")


def _blocked(model: Model, book: Rulebook, fact: Fact, condition: str) -> dict[str, Any]:
    failure: dict[str, Any] = {"kind": "blocked-by-negation", "condition": condition, "facts": [fact.to_data()]}
    derivation = model.derivation(fact)
    because = book.texts(derivation.rule).get("because") if derivation is not None else None
    if derivation is not None and because:
        failure["because"] = {lang: fill(because[lang], derivation.bindings, lang) for lang in ("en", "zh")}
    return failure
