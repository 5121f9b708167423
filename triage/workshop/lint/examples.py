"""Examples: they must be about their own file, and near misses must be near."""

from __future__ import annotations

from collections.abc import Iterator

from triage.reading import read
from triage.rulebook.loader import Source
from triage.rulebook.schema import Example, Expectation
from triage.workshop.lint.base import Base, Finding


def examples(base: Base) -> Iterator[Finding]:
    """L040: a positive example that no signature of its file matches; L041: near misses that are all far from every signature; L043:
    repetitions.
    """
    texts: dict[str, str] = {}
    for source in base.sources:
        checked = source in base.checked
        for number, example in enumerate(source.model.examples):
            first = texts.setdefault(example.text.strip(), f"{source.path}, example {number + 1}")
            here = f"{source.path}, example {number + 1}"
            if checked and first != here:
                yield Finding(source, ("examples", number), "L043", f"the text is that of {first}")
    for source in base.checked:
        if source.model.failure is not None:
            yield from _of_a_failure(base, source)


def _nearly_holds(text: str, literal: str) -> bool:
    """Whether one half of a literal stands in a text: near misses differ from messages somewhere."""
    middle = len(literal) // 2
    return len(literal) > 1 and (literal[:middle] in text or literal[middle:] in text)


def _of_a_failure(base: Base, source: Source) -> Iterator[Finding]:
    literals = sorted({literal for view in base.signatures[source.path] for literal in view.data["literals"]})
    near = [(number, example) for number, example in enumerate(source.model.examples) if example.near_miss]
    if literals and not any(_nearly_holds(example.text.lower(), literal) for _, example in near for literal in literals):
        for number, example in near:
            yield Finding(
                source, ("examples", number), "L041", f"{_name(example, number)} holds nothing that this file's signatures require"
            )
    for number, example in enumerate(source.model.examples):
        if example.near_miss:
            continue
        matched = matched_signatures(base, example.text)
        own = {signature for failure, signature in matched if failure == source.failure}
        wanted = example.expect.signature if isinstance(example.expect, Expectation) else None
        if not own and not _diagnosed(base, source, example):
            others = ", ".join(sorted(f"{failure}: {signature}" for failure, signature in matched)) or "nothing"
            yield Finding(source, ("examples", number), "L040", f"{_name(example, number)} is matched by {others}, not by this file")
        elif wanted is not None and wanted not in own:
            message = f"{_name(example, number)} is matched by {', '.join(sorted(own)) or 'nothing'}, not by {wanted}"
            yield Finding(source, ("examples", number, "expect"), "L040", message)


def _diagnosed(base: Base, source: Source, example: Example) -> bool:
    """Whether a diagnosis of this file is made all the same: one without `on` may follow from other facts."""
    silent = {source.diagnosis(rule) for _, rule in source.diagnoses() if rule.on == []}
    return bool(silent) and not silent.isdisjoint(diagnosis.id for diagnosis in base.triage.explain(example.text).diagnoses)


def matched_signatures(base: Base, text: str) -> set[tuple[str, str]]:
    """(failure, signature) of every signal in a text."""
    observations = base.matcher.observe(read(text))
    return {(str(item.slots.get("failure")), str(item.slots.get("signature"))) for item in observations if item.template == "signal"}


def uncovered(base: Base) -> Iterator[Finding]:
    """L042: signatures of failures that no example of any file is matched by."""
    signals = {
        source.path: [view.model.id for view in base.signatures[source.path] if source.failure is not None and view.model.reports]
        for source in base.checked
    }
    left = {(str(source.failure), signature) for source in base.checked for signature in signals[source.path]}
    for source in base.checked:  # its own examples match most of them
        for example in source.model.examples:
            left -= matched_signatures(base, example.text)
    for text in _likely_first(base, left) if left else ():
        left -= matched_signatures(base, text)
        if not left:
            break
    for source in base.checked:
        lonely = [signature for signature in signals[source.path] if (str(source.failure), signature) in left]
        if lonely:
            yield Finding(source, ("examples",), "L042", f"no example is matched by {', '.join(lonely)}")


def _likely_first(base: Base, left: set[tuple[str, str]]) -> list[str]:
    """The examples of files that are not judged; those which hold what one of these signatures requires come first."""
    literals = {
        literal
        for source in base.checked
        for view in base.signatures[source.path]
        if (str(source.failure), view.model.id) in left
        for literal in view.data["literals"]
    }
    texts = [example.text for source in base.sources if source not in base.checked for example in source.model.examples]
    return sorted(texts, key=lambda text: not any(map(text.lower().__contains__, literals)))


def _name(example: Example, number: int) -> str:
    return f"'{example.name}'" if example.name else f"example {number + 1}"
