"""The one list of readers: what rules find in a text, and what the library of fixes speaks to, stands in it."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from triage import explain
from triage.facts.readers import CIRCUMSTANCES, PROGRAMS, having
from triage.facts.servers import SERVERS
from triage.rulebook.yaml12 import RuleLoader

CONTEXT = Path(__file__).parents[3] / "rules" / "context"
# What a remark of a topic names, and the trait by which the words for readers go.
TRAITS = {"desktop": having("desktop"), "engine": having("container"), "program": having("compiled"), "uses-library": frozenset(PROGRAMS)}


def _told() -> list[tuple[str, str]]:
    """Topic and value of every remark that a signature or a rule of the context asserts."""
    told = []
    for path in sorted(CONTEXT.glob("*.yaml")):
        document = yaml.load(path.read_bytes(), Loader=RuleLoader)
        for rule in (*document.get("signatures", ()), *document.get("rules", ())):
            told += [remark for asserted in rule.get("asserts", ()) if (remark := asserted.get("remark"))]
    return [(remark["topic"], remark["value"]) for remark in told if "value" in remark and not str(remark["value"]).startswith("$")]


@pytest.mark.parametrize("topic", TRAITS)
def test_what_the_rules_find_is_in_the_list_with_its_trait(topic: str) -> None:
    values = {value for told, value in _told() if told == topic}
    assert values, "the rules say nothing of this topic"
    assert values - TRAITS[topic] == set()


def test_what_serves_a_model_is_a_server_or_has_lines_under_its_name() -> None:
    assert {value for topic, value in _told() if topic == "serves"} - set(SERVERS) == set()


def test_a_trait_is_had_by_some_and_a_name_is_no_circumstance() -> None:
    assert having("trainer") | having("interface") >= having("engine-inside")
    assert having("interface") >= having("only-runs") | having("no-switches") | having("several-gpus") | having("loads-data")
    assert having("apart") >= having("compiled")
    assert having("misspelt") == frozenset()
    assert set(PROGRAMS).isdisjoint(CIRCUMSTANCES)


def test_a_mac_has_no_figures_of_linux() -> None:
    trace = 'Traceback (most recent call last):\n  File "{}/ann/run.py", line 3, in <module>\n    x = load()\nMemoryError\nKilled: 9\n'

    def lines(home: str) -> str:
        return str([fix.get("commands") for found in explain(trace.format(home)).to_dict()["diagnoses"] for fix in found["fixes"]])

    assert "free -g" in lines("/home")
    assert "free -g" not in lines("/Users")
    assert "/sys/" not in lines("/Users")
