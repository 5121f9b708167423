"""Groups of readings, which rules give way to together."""

from __future__ import annotations

from pathlib import Path

import pytest

from triage.rulebook.loader import Source
from triage.rulebook.store import shipped_directory
from triage.rulebook.taxonomy import Taxonomy, load_taxonomy

GROUPS = {
    "sizes": {"members": ["memory.full", "memory.shm"]},
    "local": {"members": ["*"], "but": ["net.*"]},
    "local-but-sizes": {"members": ["local", "net.port.told"], "but": ["sizes"]},
}
TOY = Taxonomy({family: {} for family in ("memory.full", "memory.shm", "memory.host", "net.port", "data.worker")}, {}, {}, GROUPS)


@pytest.mark.parametrize(
    ("names", "meant"),
    [
        (["sizes"], ["memory.full", "memory.shm"]),
        (["local"], ["memory.full", "memory.shm", "memory.host", "data.worker"]),
        (["local-but-sizes"], ["memory.host", "data.worker", "net.port.told"]),
        (["net.*", "sizes", "memory.*"], ["net.port", "memory.full", "memory.shm", "memory.host"]),
        (["memory.full.told", "disk.*"], ["memory.full.told", "disk.*"]),
    ],
)
def test_a_group_is_its_members_without_those_that_it_leaves_out(names: list[str], meant: list[str]) -> None:
    assert TOY.spread(names) == meant


def test_every_group_is_of_what_exists_and_is_given_way_to(shipped_rules: list[Source]) -> None:
    taxonomy = load_taxonomy(Path(shipped_directory("kb")))
    rules = [(source, rule) for source in shipped_rules for _, rule in source.diagnoses()]
    known = {*taxonomy.families, *(source.diagnosis(rule) for source, rule in rules)}
    named = {name for _, rule in rules for name in rule.yields_to}
    named |= {name for group in taxonomy.groups.values() for name in group["members"]}
    for name in taxonomy.groups:
        assert set(taxonomy.spread([name])) <= known, name
        assert name in named, name
