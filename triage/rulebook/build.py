"""Everything that is compiled when a rule or case file has changed."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from triage.engine.compilation import required_facts
from triage.engine.rules import templates_read
from triage.engine.values import to_data
from triage.facts.vocabulary import TEMPLATES
from triage.knowledge.cases import Case, load_cases
from triage.knowledge.sources import KnowledgeError
from triage.knowledge.tables import Table, load_tables
from triage.rulebook import expressions
from triage.rulebook.collecting import uncollected
from triage.rulebook.compiler import Compiled, Foundation, compile_rules
from triage.rulebook.errors import Problem, RuleError
from triage.rulebook.loader import load_rules
from triage.rulebook.packs import combined, load_packs
from triage.rulebook.reuse import Earlier
from triage.rulebook.taxonomy import Taxonomy, load_taxonomy
from triage.rulebook.yaml12 import RuleLoader
from triage.signatures.matcher import literal_index

if TYPE_CHECKING:
    from triage.rulebook.rulebook import Rulebook


@uncollected()
def build(
    rules: str, kb: str, packs: Sequence[str] = (), shipped: Rulebook | None = None, before: Rulebook | None = None
) -> dict[str, Any]:
    """The sections of the compiled file; a tuple is kept entry by entry. Raises RuleError with everything that is wrong.

    `shipped` are the rules below `rules` without packs, where they are compiled already: packs are added to them. `before` is what the
    same modules compiled before some rule changed.
    """
    return _build(rules, kb, packs, Earlier(before)) if shipped is None else _extended(Foundation(shipped), rules, kb, packs)


def _extended(base: Foundation, rules: str, kb: str, packs: Sequence[str]) -> dict[str, Any]:
    read = load_packs(packs, Path(kb))
    sources = [source for pack in read for source in pack.sources]
    if not base.takes(read):
        return _build(rules, kb, packs, Earlier(base.book))
    compiled = compile_rules(sources, load_taxonomy(Path(kb)), base.columns(), base)
    return extend(base.book, compiled, [case for pack in read for case in pack.cases])


def _build(rules: str, kb: str, packs: Sequence[str], earlier: Earlier) -> dict[str, Any]:
    taxonomy, tables = load_taxonomy(Path(kb)), load_tables(Path(kb))
    columns = {table.name: table.columns for table in tables}
    try:
        known = load_cases(Path(kb))
    except KnowledgeError as error:
        raise RuleError([Problem(item.path, item.line, item.column, "R004", item.message) for item in error.findings]) from None
    sources, cases = combined(load_rules([Path(rules)]), known, load_packs(packs, Path(kb)))
    sections = assemble(compile_rules(sources, taxonomy, columns, earlier=earlier), taxonomy, tables, cases)
    for name in ("verifiable", "calibration"):
        sections[name] = yaml.load((Path(kb) / f"{name}.yaml").read_bytes(), Loader=RuleLoader)
    return sections | expressions.sections()


def assemble(compiled: Compiled, taxonomy: Taxonomy, tables: Sequence[Table], cases: Sequence[Case]) -> dict[str, Any]:
    """The sections of the compiled file, of parts that were made already."""
    sections = _of_rules(compiled, {table.name: table for table in tables}.__getitem__)
    families: dict[str, list[dict[str, Any]]] = {}
    for case in cases:
        families.setdefault(case.model.family, []).append(case.to_data())
    for family, known in families.items():
        sections[f"cases/{family}"] = known
    sections["asked"] = taxonomy.asked()
    for key, label in taxonomy.texts().items():
        sections[f"label/{key}"] = label
    for table in tables:
        sections[f"table/{table.name}"] = table.to_data()
    return sections


def extend(book: Rulebook, compiled: Compiled, cases: Iterable[Case] = ()) -> dict[str, Any]:
    """The sections of the compiled file that has the rules that were compiled beside those of `book`, and further cases."""
    sections: dict[str, Any] = {name: book.stored(name) for name in book.names() if not name.startswith("program/")}
    sections |= _of_rules(compiled, book.tables.table)
    for case in cases:
        name = f"cases/{case.model.family}"
        known = sections.get(name, [])
        sections[name] = [*(known if isinstance(known, list) else book.section(name)), case.to_data()]
    return sections


def _of_rules(compiled: Compiled, table: Callable[[str], Table]) -> dict[str, Any]:
    """The sections that rules and their texts make."""
    sections: dict[str, Any] = {
        **literal_index(compiled.index["signatures"]),
        "signatures": tuple(compiled.index["signatures"]),
        "made-from": compiled.index["made-from"],
        "foreign": compiled.foreign,
        "files": compiled.files,
    }
    for name, part in compiled.index["program"].items():
        stored = tuple(part) if name in ("names", "rules", "needs") else array("i", part) if name in ("strata", "components") else part
        sections[f"program/{name}"] = stored
    joins = {name: [table(name).join, needed] for name, needed in table_needs(compiled.rules).items()}
    sections["joins"] = {name: joined for name, joined in joins.items() if joined[0]}
    for name, text in compiled.texts.items():
        sections[f"texts/{name}"] = text
    return sections


def table_needs(rules: Iterable[dict[str, Any]]) -> dict[str, list[list[Any]] | None]:
    """For each table that rules join, the (template, slot, value) of given facts one of which every such rule requires; None where
    some rule requires none. A table is worth reading only where one of them is there."""
    rules = list(rules)
    roots = _Roots(rules)
    needs: dict[str, list[list[Any]] | None] = {}
    for rule in rules:
        for table in _tables(rule["when"]):
            known = needs.setdefault(table, [])
            wanted = roots.of_rule(rule)
            needs[table] = None if known is None or wanted is None else known + [need for need in wanted if need not in known]
    # any order of the rules makes the same sections
    return {table: known and sorted(known, key=str) for table, known in sorted(needs.items())}


class _Roots:
    """Which values of given facts a rule requires, if only because facts that it requires are derived from them."""

    def __init__(self, rules: list[dict[str, Any]]) -> None:
        self._givers: dict[str, list[dict[str, Any]]] = {}
        for rule in rules:
            for template in {head[0] for head in rule["then"]}:
                self._givers.setdefault(template, []).append(rule)
        self._known: dict[str, list[list[Any]] | None] = dict.fromkeys(TEMPLATES)

    def of_rule(self, rule: dict[str, Any]) -> list[list[Any]] | None:
        """(template, slot, value), of which one must be there for the rule to fire; None where nothing is known."""
        wanted = list(required_facts(rule["when"]))
        for template, slot, values in wanted:
            if values and template in TEMPLATES:
                return [[template, slot, to_data(value)] for value in values]
        derived = [self._of_template(template) for template in dict.fromkeys(template for template, _, _ in wanted)]
        return min((needs for needs in derived if needs is not None), key=len, default=None)

    def _of_template(self, template: str) -> list[list[Any]] | None:
        if template not in self._known:
            self._known[template] = None  # of a template that depends on itself nothing is known
            found: list[list[Any]] | None = []
            for rule in self._givers.get(template, ()):
                needs = self.of_rule(rule)
                found = None if found is None or needs is None else found + [need for need in needs if need not in found]
            self._known[template] = found or None
        return self._known[template]


def _tables(conditions: list[Any]) -> set[str]:
    """The tables that conditions ask for, those inside `exists`, `not` and aggregates too."""
    return {template.removeprefix("table:") for template, _ in templates_read(conditions) if template.startswith("table:")}
