"""Everything that is compiled when a rule or case file has changed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from triage.knowledge.cases import Case, load_cases
from triage.knowledge.tables import Table, load_tables
from triage.rulebook.compiler import Compiled, compile_rules
from triage.rulebook.loader import load_rules
from triage.rulebook.taxonomy import Taxonomy, load_taxonomy
from triage.signatures.matcher import literal_index


def build(roots: Sequence[str], kb: str) -> dict[str, Any]:
    """The sections of the compiled file; a tuple is kept entry by entry. Raises RuleError with everything that is wrong."""
    taxonomy, tables = load_taxonomy(Path(kb)), load_tables(Path(kb))
    columns = {table.name: table.columns for table in tables}
    compiled = compile_rules(load_rules([Path(root) for root in roots]), taxonomy, columns)
    return assemble(compiled, taxonomy, tables, load_cases(Path(kb)))


def assemble(compiled: Compiled, taxonomy: Taxonomy, tables: Sequence[Table], cases: Sequence[Case]) -> dict[str, Any]:
    """The sections of the compiled file, of parts that were made already."""
    sections: dict[str, Any] = {
        "literals": literal_index(compiled.index["signatures"]),
        "signatures": tuple(compiled.index["signatures"]),
        "owners": compiled.index["owners"],
        "vocabulary": taxonomy.texts(),
    }
    for name, part in compiled.index["program"].items():
        sections[f"program/{name}"] = tuple(part) if name in ("names", "rules") else part
    sections["cases"] = [case.to_data() for case in cases]
    sections["joins"] = {table.name: table.join for table in tables if table.join}
    for table in tables:
        sections[f"table/{table.name}"] = table.to_data()
    for path, texts in compiled.texts.items():
        sections[f"texts/{path}"] = texts
    return sections
