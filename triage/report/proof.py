"""The chain of reasoning as sentences and as a tree, down to raw lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from triage.engine.describe import show_expression
from triage.engine.facts import Fact
from triage.engine.model import Derivation, Model
from triage.engine.values import Value
from triage.facts.messages import FILTERS, fill
from triage.facts.observation import Evidence
from triage.facts.vocabulary import SLOTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from triage.rulebook.rulebook import Rulebook

MAX_DEPTH = 12
_NAME = re.compile(r"'[^']*'|[A-Za-z_][A-Za-z0-9_]*")
_HIDDEN = frozenset({"line", "stream", "role", "time", "failure", "signature", "depth", "traceback", "innermost_user", "user"})
_WORDS = {
    "en": {
        "line": "Line {0}: {1}.",
        "place": "{0}: {1}.",
        "given": "Given: {0}.",
        "test": "{0}, that is {1}.",
        "plain": "{0}.",
        "absent": "Nothing speaks against it: {0}.",
    },
    "zh": {
        "line": "第 {0} 行：{1}。",
        "place": "{0}：{1}。",
        "given": "已知：{0}。",
        "test": "{0}，即 {1}。",
        "plain": "{0}。",
        "absent": "没有相反的证据：{0}。",
    },
}
_FILTER_OF_TYPE = {"bytes": "bytes", "ms": "ms"}


def show(name: str, value: Value) -> str:
    """A value in the unit of its slot: sizes as PyTorch prints them, durations in their natural unit."""
    kind = SLOTS.get(name, ("bytes" if name.endswith("_bytes") else "",))[0]
    return FILTERS[_FILTER_OF_TYPE.get(kind, "")](value)


def describe(fact: Fact) -> str:
    """A fact in one line: its template, and its slots but for those that only say where it was seen."""
    slots = ", ".join(f"{name} {show(name, value)}" for name, value in fact.slots.items() if name not in _HIDDEN)
    name = str(fact.get("signature") or fact.template)
    return f"{name} ({slots})" if slots else name


def proof_sentences(
    model: Model, derivation: Derivation, evidence: Mapping[Fact, tuple[Evidence, ...]], book: Rulebook, lang: str
) -> list[str]:
    """One sentence per inference step, from the raw lines up to what a rule derived."""
    return [text for text in dict.fromkeys(_sentences(model, derivation, evidence, book, lang, 0)) if text]


def _sentences(
    model: Model, derivation: Derivation, evidence: Mapping[Fact, tuple[Evidence, ...]], book: Rulebook, lang: str, depth: int
) -> Iterator[str]:
    words = _WORDS[lang]
    for premise in derivation.premises:
        inner = None if model.is_given(premise) else model.derivation(premise)
        if inner is not None and depth < MAX_DEPTH:
            yield from _sentences(model, inner, evidence, book, lang, depth + 1)
        elif evidence.get(premise):
            first = evidence[premise][0]
            if first.file:
                yield words["place"].format(f"{first.file}:{first.line}", describe(premise))
            else:
                yield words["line"].format(first.line, describe(premise))
        elif not premise.template.startswith("table:"):
            yield words["given"].format(describe(premise))
    for expression in _tests(derivation):
        text = show_expression(expression)
        filled = _with_values(text, derivation.bindings)
        yield words["test" if filled != text else "plain"].format(text, filled)
    yield from (words["absent"].format(text) for text in derivation.absent if "verdict" not in text)
    because = book.texts(derivation.rule).get("because")
    if because:
        yield fill(because[lang], derivation.bindings, lang)


def _tests(derivation: Derivation) -> list[Any]:
    """The tests of the rule."""
    return [condition[1] for condition in derivation.conditions if condition[0] == "test"]


def _with_values(text: str, bindings: Mapping[str, Value]) -> str:
    def value(match: re.Match[str]) -> str:
        name = match.group()
        return show(name, bindings[name]) if name in bindings else name

    return _NAME.sub(value, text)


def proof_tree(
    model: Model, fact: Fact, evidence: Mapping[Fact, tuple[Evidence, ...]], book: Rulebook, lang: str, steps: int = MAX_DEPTH
) -> dict[str, Any]:
    """The proof of a fact as nested `{"text", "rule", "evidence", "children"}`, so many steps deep."""
    return _node(model, fact, evidence, book, lang, MAX_DEPTH - steps)


def _node(model: Model, fact: Fact, evidence: Mapping[Fact, tuple[Evidence, ...]], book: Rulebook, lang: str, depth: int) -> dict[str, Any]:
    lines = [item.to_dict() for item in evidence.get(fact, ())]
    derivation = None if model.is_given(fact) else model.derivation(fact)
    if derivation is None or depth >= MAX_DEPTH:
        return {"text": describe(fact), "rule": None, "evidence": lines, "children": []}
    because = book.texts(derivation.rule).get("because")
    text = (fill(because[lang], derivation.bindings, lang) if because else "") or describe(fact)
    children = [_node(model, premise, evidence, book, lang, depth + 1) for premise in derivation.premises]
    for expression in _tests(derivation):
        shown = show_expression(expression)
        children.append({"text": f"{shown}: {_with_values(shown, derivation.bindings)}", "rule": None, "evidence": [], "children": []})
    children += [{"text": item, "rule": None, "evidence": [], "children": []} for item in derivation.absent]
    return {"text": text, "rule": derivation.rule, "evidence": lines, "children": children}
