"""What would follow if more were known, or less: facts given in words, for one question to the model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from triage.engine import Fact, Model
from triage.facts.convert import convert
from triage.facts.spelling import did_you_mean
from triage.facts.vocabulary import SLOTS, TEMPLATES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from triage.engine.values import Value


def fact_from(text: str) -> Fact:
    """`setting name=NCCL_DEBUG value=INFO` as a fact: a template of the vocabulary and its slots. Raises ValueError with one line."""
    template, *words = text.split()[:40] or [""]
    if template not in TEMPLATES:
        raise ValueError(f"there is no template {template}{did_you_mean(template, TEMPLATES)}")
    slots: dict[str, Value] = {}
    for word in words:
        slot, sign, written = word.partition("=")
        known = TEMPLATES[template][0]
        if not sign:
            raise ValueError(f"{word} is no slot with its value: write {word}=…")
        if slot not in known:
            raise ValueError(f"{template} has no slot {slot}{did_you_mean(slot, known)} (slots: {', '.join(known)})")
        value = convert(slot, written)
        if value is None:
            raise ValueError(f"{slot}: {written} is no {SLOTS[slot][0]}")
        slots[slot] = value
    return Fact(template, slots)


@contextmanager
def assumed(model: Model, facts: Sequence[Fact], without: Sequence[Fact]) -> Iterator[None]:
    """The model with facts added and without all given facts that agree with some of `without`; afterwards as it was."""
    gone = [fact for fact in model.facts() if model.is_given(fact) and any(_agrees(fact, pattern) for pattern in without)]
    new = [fact for fact in facts if not (fact in model and model.is_given(fact))]
    try:
        model.retract_facts(gone)
        model.assert_facts(new)
        yield
    finally:
        model.retract_facts([fact for fact in new if fact not in gone])
        model.assert_facts(gone)


def _agrees(fact: Fact, pattern: Fact) -> bool:
    return fact.template == pattern.template and all(fact.get(slot) == value for slot, value in pattern.slots.items())
