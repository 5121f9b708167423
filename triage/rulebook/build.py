"""Everything that is compiled when a rule or case file has changed."""

from __future__ import annotations

import gc
from array import array
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml

from triage.facts.vocabulary import TEMPLATES
from triage.knowledge.cases import Case, load_cases
from triage.knowledge.sources import KnowledgeError
from triage.knowledge.tables import Table, load_tables
from triage.rulebook.compiler import Compiled, compile_rules
from triage.rulebook.errors import Problem, RuleError
from triage.rulebook.loader import load_rules
from triage.rulebook.packs import combined, load_packs
from triage.rulebook.taxonomy import Taxonomy, load_taxonomy
from triage.rulebook.yaml12 import RuleLoader
from triage.signatures.matcher import literal_index


def build(rules: str, kb: str, packs: Sequence[str] = ()) -> dict[str, Any]:
    """The sections of the compiled file; a tuple is kept entry by entry. Raises RuleError with everything that is wrong."""
    collecting = gc.isenabled()
    gc.disable()  # a third of the time went into looking for cycles among what is kept anyway
    try:
        return _build(rules, kb, packs)
    finally:
        if collecting:
            gc.enable()


def _build(rules: str, kb: str, packs: Sequence[str]) -> dict[str, Any]:
    taxonomy, tables = load_taxonomy(Path(kb)), load_tables(Path(kb))
    columns = {table.name: table.columns for table in tables}
    try:
        known = load_cases(Path(kb))
    except KnowledgeError as error:
        raise RuleError([Problem(item.path, item.line, item.column, "R004", item.message) for item in error.findings]) from None
    sources, cases = combined(load_rules([Path(rules)]), known, load_packs(packs, Path(kb)))
    sections = assemble(compile_rules(sources, taxonomy, columns), taxonomy, tables, cases)
    for name in ("verifiable", "calibration"):
        sections[name] = yaml.load((Path(kb) / f"{name}.yaml").read_bytes(), Loader=RuleLoader)
    return sections


def assemble(compiled: Compiled, taxonomy: Taxonomy, tables: Sequence[Table], cases: Sequence[Case]) -> dict[str, Any]:
    """The sections of the compiled file, of parts that were made already."""
    sections: dict[str, Any] = {
        **literal_index(compiled.index["signatures"]),
        "signatures": tuple(compiled.index["signatures"]),
        "foreign": compiled.foreign,
    }
    for name, part in compiled.index["program"].items():
        stored = tuple(part) if name in ("names", "rules") else array("i", part) if name in ("strata", "components") else part
        sections[f"program/{name}"] = stored
    families: dict[str, list[dict[str, Any]]] = {}
    for case in cases:
        families.setdefault(case.model.family, []).append(case.to_data())
    for family, known in families.items():
        sections[f"cases/{family}"] = known
    for key, label in taxonomy.texts().items():
        sections[f"label/{key}"] = label
    needs = table_needs(compiled.rules)
    sections["joins"] = {table.name: [table.join, needs[table.name]] for table in tables if table.join and table.name in needs}
    for table in tables:
        sections[f"table/{table.name}"] = table.to_data()
    for texts in compiled.texts.values():
        for name, text in texts.items():
            sections[f"texts/{name}"] = text
    return sections


def table_needs(rules: Iterable[dict[str, Any]]) -> dict[str, list[list[Any]] | None]:
    """For each table that rules join, the (template, slot, constant) of given facts one of which every such rule requires; None where
    some rule requires none. A table is worth reading only where one of them is there."""
    needs: dict[str, list[list[Any]] | None] = {}
    for rule in rules:
        patterns = [condition for condition in rule["when"] if condition[0] == "match"]
        tables = set(_tables(rule["when"]))
        given = [pattern for pattern in patterns if pattern[1] in TEMPLATES]
        constants = [
            [template, slot, value]
            for _, template, terms, _ in given
            for slot, term in terms.items()
            for value in ([term[1]] if term[0] == "const" else [])
        ]
        for table in tables:
            known = needs.setdefault(table, [])
            if not constants or known is None:
                needs[table] = None
            elif constants[0] not in known:
                known.append(constants[0])
    return dict(sorted(needs.items()))


def _tables(conditions: Any) -> Iterator[str]:
    """The tables that conditions ask for, those inside `exists`, `not` and aggregates too."""
    if isinstance(conditions, list):
        if len(conditions) > 1 and conditions[0] == "match" and str(conditions[1]).startswith("table:"):
            yield conditions[1].removeprefix("table:")
        for condition in conditions:
            yield from _tables(condition)
    elif isinstance(conditions, dict):
        for condition in conditions.values():
            yield from _tables(condition)
