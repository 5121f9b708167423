"""Everything that is compiled when a rule or case file has changed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from triage.knowledge.cases import load_cases
from triage.knowledge.tables import load_tables
from triage.rulebook.compiler import compile_rules
from triage.rulebook.loader import load_rules
from triage.rulebook.taxonomy import load_taxonomy


def build(roots: Sequence[str], kb: str) -> dict[str, Any]:
    """The sections of the compiled file. Raises RuleError with everything that is wrong in any rule file."""
    taxonomy = load_taxonomy(Path(kb))
    compiled = compile_rules(load_rules([Path(root) for root in roots]), taxonomy)
    sections: dict[str, Any] = {"index": compiled.index, "vocabulary": taxonomy.texts()}
    cases, tables = load_cases(Path(kb)), load_tables(Path(kb))
    sections["cases"] = [case.to_data() for case in cases]
    compiled.index["tables"] = {table.name: table.join for table in tables if table.join}
    for table in tables:
        sections[f"table/{table.name}"] = table.to_data()
    for path, texts in compiled.texts.items():
        sections[f"texts/{path}"] = texts
    return sections
