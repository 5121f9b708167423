"""All checks over a rule base, and what its files allow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from triage.knowledge.schema import FixLibrary
from triage.knowledge.sources import KnowledgeError, read_document
from triage.rulebook.collecting import uncollected
from triage.rulebook.errors import Problem
from triage.rulebook.loader import Source, rule_files
from triage.rulebook.packs import pack_root
from triage.rulebook.schema import Allowance
from triage.rulebook.store import shipped_directory
from triage.workshop.lint import advice, chinese, conditions, examples, lifecycle, patterns, releases, texts
from triage.workshop.lint.base import Base, Finding, Keys, gather
from triage.workshop.lint.codes import CODES
from triage.workshop.lint.supply import Supply


@uncollected()
def lint(paths: Sequence[Path] = (), *, rules: Path | None = None, kb: Path | None = None) -> list[Problem]:
    """Findings in rule files (default: all that are shipped), in order of files and lines.

    Files outside `rules` (default: the shipped ones) are judged as packs beside it. `kb` holds vocabulary, fixes, tables, cases and the
    healthy texts.
    """
    home = rules or Path(shipped_directory("rules"))
    knowledge = kb or Path(shipped_directory("kb"))
    unusable = [] if paths else _of_the_library(knowledge)
    if unusable:  # what rules name there could not be judged
        return unusable
    outside = [path for path in paths if not path.resolve().is_relative_to(home.resolve())]
    packs = list(dict.fromkeys(pack_root(path) for path in outside))
    wanted = [file for path in paths for file in rule_files(path)] if paths else None
    base, problems, places = gather(home, packs, wanted, knowledge)
    found = list(dict.fromkeys(_findings(base)))
    problems.extend(finding.problem() for finding in _apply_allowances(base.checked, found))
    for problem in problems:
        problem.path = _shown(places.get(problem.path), problem.path)
    return sorted(problems, key=lambda problem: (problem.path, problem.line, problem.column, problem.code, problem.message))


def _of_the_library(kb: Path) -> list[Problem]:
    """What is wrong with the form of the library of fixes."""
    try:
        read_document(kb / "fixes.yaml", kb).model(FixLibrary)
    except KnowledgeError as error:
        return [Problem(found.path, found.line, found.column, "R004", found.message) for found in error.findings]
    return []


def _shown(place: Path | None, known: str) -> str:
    """A path that can be opened from here, where the file lies below the working directory or was named so."""
    if place is None or not place.is_absolute():
        return str(place or known)
    here = Path.cwd()
    return str(place.relative_to(here)) if place.is_relative_to(here) else str(place)


def _findings(base: Base) -> Iterator[Finding]:
    supply = Supply(base)
    yield from advice.references(base)
    yield from advice.fixes(base)
    yield from advice.sources(base)
    yield from conditions.contradictions(base)
    yield from conditions.never(base, supply)
    yield from conditions.confidences(base, supply)
    yield from texts.translations(base)
    yield from texts.unbound(base, supply)
    yield from chinese.wording(base)
    yield from patterns.shapes(base)
    yield from patterns.healthy(base, base.knowledge.directory / "healthy")
    yield from patterns.hidden_signatures(base)
    yield from patterns.hidden_diagnoses(base)
    yield from patterns.duplicates(base)
    yield from examples.examples(base)
    yield from examples.uncovered(base)
    yield from releases.ranges(base)
    yield from lifecycle.status(base)
    yield from lifecycle.modelines(base)


def _apply_allowances(sources: Iterable[Source], findings: Sequence[Finding]) -> Iterator[Finding]:
    """The findings that no file allows, and the allowances that are unknown or not needed."""
    allowed = {(source.path, keys): items for source in sources for keys, items in _allowances(source)}
    used: set[tuple[str, Keys, int]] = set()
    for finding in findings:
        held = False
        for depth in range(len(finding.keys) + 1):
            place = (finding.source.path, finding.keys[:depth])
            for number, item in enumerate(allowed.get(place, ())):
                if item.code == finding.code:
                    used.add((*place, number))
                    held = True
        if not held:
            yield finding
    for source in sources:
        for keys, items in _allowances(source):
            for number, item in enumerate(items):
                if item.code not in CODES:
                    yield Finding(source, (*keys, "allow", number), "L091", f"there is no check {item.code}")
                elif (source.path, keys, number) not in used:
                    yield Finding(source, (*keys, "allow", number), "L090", f"{item.code} is not found here")


def _allowances(source: Source) -> Iterator[tuple[Keys, list[Allowance]]]:
    file = source.model
    yield (), file.allow
    for number, signature in enumerate(file.signatures):
        yield ("signatures", number), signature.allow
    for number, rule in enumerate(file.diagnoses):
        yield ("diagnoses", number), rule.allow
    for number, inference in enumerate(file.rules):
        yield ("rules", number), inference.allow
