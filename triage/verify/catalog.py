"""All reproductions, by id, and the one that fits a diagnosis."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from functools import lru_cache

from triage.verify import reproductions
from triage.verify.reproduction import Facts, Reproduction


@lru_cache(maxsize=1)
def catalog() -> dict[str, Reproduction]:
    """Every reproduction, sorted by id. Importing them imports no torch."""
    found = {}
    for module in _modules():
        reproduction: Reproduction = importlib.import_module(module).REPRODUCTION
        found[reproduction.id] = reproduction
    return dict(sorted(found.items()))


@lru_cache(maxsize=1)
def _module_of() -> dict[str, str]:
    return {importlib.import_module(module).REPRODUCTION.id: module for module in _modules()}


def _modules() -> list[str]:
    prefix = reproductions.__name__ + "."
    return sorted(entry.name for entry in pkgutil.iter_modules(reproductions.__path__, prefix))


def module_of(reproduction: Reproduction) -> str:
    """The dotted name of the module a reproduction stands in."""
    return _module_of()[reproduction.id]


def find(facts: Facts) -> Reproduction | None:
    """The reproduction that fits a diagnosis best: one that names it before one of its cause; None when there is none."""
    fitting = [one for one in catalog().values() if _covers(one, facts.id, facts.family, facts.cause) and one.applies(facts)]
    return min(fitting, key=lambda one: (facts.id not in one.diagnoses, one.id), default=None)


def _covers(one: Reproduction, diagnosis: str, family: str, cause: str) -> bool:
    return diagnosis in one.diagnoses or (bool(cause) and one.family == family and one.cause == cause)


def verifiable(diagnoses: Iterable[tuple[str, str, str | None]]) -> dict[str, list[str]]:
    """Which fixes can be tried, by id of a diagnosis: `{id: [fix ids]}`, sorted; ids without any are left out.

    Args:
        diagnoses: id, family and cause of every diagnosis of the rule base.
    """
    table = {}
    for identifier, family, cause in sorted(diagnoses, key=lambda entry: entry[0]):
        fixes = sorted({fix for one in catalog().values() if _covers(one, identifier, family, cause or "") for fix in one.fixes})
        if fixes:
            table[identifier] = fixes
    return table
