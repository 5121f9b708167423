"""Pages for those who write rules: what lint finds, and which facts there are."""

from __future__ import annotations

from triage.facts.vocabulary import DERIVED, SLOTS, TEMPLATES
from triage.signatures.holes import HOLES
from triage.workshop.docs.markdown import bullets, code, inline
from triage.workshop.lint import CODES


def lint_page() -> str:
    """Every code of the loader and of lint."""
    parts = [
        "# What lint finds",
        inline("Codes that begin with R are errors of loading: a rule base that has one is refused."),
        inline("A finding of lint that is right is allowed where it stands, with its reason: `allow: [{code: L012, because: …}]`."),
    ]
    for name, found in CODES.items():
        parts += [f"## {name}: {found.title} {{#{name}}}", f"{found.severity}. {inline(found.about)} {inline(found.remedy)}"]
    return "\n\n".join(parts) + "\n"


def facts_page() -> str:
    """Templates, slots and the types of holes."""
    parts = ["# Facts", "## Templates", inline("What signatures and parsers assert, and what rules derive.")]
    for name, (slots, description) in {**TEMPLATES, **DERIVED}.items():
        taken = "every slot" if len(slots) == len(SLOTS) else ", ".join(code(slot) for slot in slots)
        parts += [f"### {name} {{#{name}}}", f"{inline(description)}. Slots: {taken}"]
    parts += ["## Slots", bullets([f"{code(name)} ({inline(kind)}): {inline(description)}" for name, (kind, description) in SLOTS.items()])]
    parts += ["## Holes", bullets([f"{code('%{' + name + '}')}: {code(pattern)}" for name, pattern in HOLES.items()])]
    return "\n\n".join(parts) + "\n"
