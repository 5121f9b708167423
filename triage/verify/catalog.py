"""All reproductions, by id, and the one that fits a diagnosis."""

from __future__ import annotations

import importlib
import pkgutil
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
    """The reproduction that fits a diagnosis best: same cause before no cause, then by id; None when there is none."""
    fitting = [one for one in catalog().values() if one.family == facts.family and one.cause in (facts.cause or None, None) and one.applies(facts)]
    return min(fitting, key=lambda one: (one.cause is None, one.id), default=None)


def verifiable() -> dict[str, dict[str, list[str]]]:
    """Which fixes can be tried: `{family: {cause or "": [fix ids]}}`, sorted."""
    table: dict[str, dict[str, set[str]]] = {}
    for one in catalog().values():
        table.setdefault(one.family, {}).setdefault(one.cause or "", set()).update(one.fixes)
    return {family: {cause: sorted(fixes) for cause, fixes in sorted(causes.items())} for family, causes in sorted(table.items())}
