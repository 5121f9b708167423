"""Compiled programs: strata, the index, limits, and what a run does not depend on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from triage.engine import Fact, Program, RunawayError, StratificationError, compile_program, parse_expression
from triage.engine.evaluation import State
from triage.engine.program import read_rule

ROOT = Path(__file__).parents[2]


def rule(name: str, asks: list[Any], gives: str, **slots: Any) -> dict[str, Any]:
    """A rule over templates; "!t" negates one, "#t" counts its facts."""
    when: list[Any] = []
    for template in asks:
        if isinstance(template, list):
            when.append(template)
        elif template[0] == "!":
            when.append(["not", [["match", template[1:], {}, False]]])
        elif template[0] == "#":
            when.append(["aggregate", "count", "n", None, None, None, [["match", template[1:], {}, False]]])
        else:
            when.append(["match", template, {}, False])
    return {"name": name, "when": when, "then": [[gives, slots]]}


def test_strata_put_rules_after_what_they_ask_for() -> None:
    data = compile_program(
        [rule("c", ["y", "!x"], "z"), rule("b", ["x"], "y"), rule("a", ["in"], "x"), rule("loop", ["z", "w"], "w")], ["in"]
    )
    strata = dict(zip(data["names"], data["strata"], strict=True))
    assert strata == {"a": 0, "b": 1, "c": 2, "loop": 3}
    assert data["templates"].index("x") < data["templates"].index("y") < data["templates"].index("z") < data["templates"].index("w")
    assert [name for name, component in zip(data["names"], data["components"], strict=True) if component >= 0] == ["loop"]


@pytest.mark.parametrize("mark", ["!", "#"])
def test_negation_through_a_cycle_is_refused_and_shown(mark: str) -> None:
    rules = [rule("first", ["a", mark + "c"], "b"), rule("second", ["b", "a"], "d"), rule("third", ["d"], "c"), rule("beside", ["b"], "e")]
    with pytest.raises(StratificationError) as caught:
        compile_program(rules, ["a"])
    assert caught.value.cycle == ("first", "b", "second", "d", "third", "c", "first")
    assert "rule first → b → rule second → d → rule third → c → rule first" in str(caught.value)


def test_a_rule_that_negates_what_it_gives_is_refused() -> None:
    with pytest.raises(StratificationError) as caught:
        compile_program([rule("self", ["!b"], "b")], [])
    assert caught.value.cycle == ("self", "b", "self")


def test_negation_deep_inside_counts() -> None:
    inner = ["exists", [["match", "a", {}, False], ["not", [["exists", [["match", "b", {}, False]]]]]]]
    with pytest.raises(StratificationError):
        compile_program([rule("deep", [inner], "b")], ["a"])


def test_exists_may_be_recursive() -> None:
    linked = {
        "name": "next",
        "when": [
            ["match", "edge", {"a": ["var", "a"], "b": ["var", "b"]}, False],
            ["exists", [["match", "on", {"id": ["var", "a"]}, False]]],
        ],
        "then": [["on", {"id": ["var", "b"]}]],
    }
    model = Program(compile_program([linked], ["edge", "on"])).run(
        [Fact("on", {"id": 0}), *[Fact("edge", {"a": number, "b": (number + 1) % 4}) for number in range(4)]]
    )
    assert len(model.facts("on")) == 4
    assert [fact.get("id") for fact in model.derivations(Fact("on", {"id": 3}))[0].premises if fact.template == "on"] == [2]


def test_a_witness_never_rests_on_what_it_supports() -> None:
    some = ["exists", [["match", "on", {}, False]]]
    spread = {"name": "spread", "when": [["match", "lamp", {"id": ["var", "i"]}, False], some], "then": [["on", {"id": ["var", "i"]}]]}
    model = Program(compile_program([spread], ["lamp", "on"])).run(
        [Fact("on", {"id": 5}), Fact("lamp", {"id": 1}), Fact("lamp", {"id": 2})]
    )
    assert [derivation.premises[1] for derivation in model.derivations(Fact("on", {"id": 1}))] == [Fact("on", {"id": 5})]
    assert model.why(Fact("on", {"id": 1})).children[1].derivation is None


def closure(*extra: dict[str, Any]) -> Program:
    step = {
        "name": "step",
        "when": [["match", "at", {"x": ["var", "a"]}, False], ["match", "edge", {"a": ["var", "a"], "b": ["var", "b"]}, False]],
        "then": [["at", {"x": ["var", "b"]}]],
    }
    return Program(compile_program([step, *extra], ["edge", "at"]))


def edges(*pairs: tuple[int, int]) -> list[Fact]:
    return [Fact("edge", {"a": one, "b": other}) for one, other in pairs]


def test_a_rule_called_for_late_joins_the_rounds_of_its_component() -> None:
    jump = rule("jump", [["match", "at", {"x": ["const", 3]}, False]], "at", x=["const", 10])
    model = closure(jump).run([Fact("at", {"x": 0}), *edges((0, 1), (1, 2), (2, 3), (10, 11), (11, 0))])
    assert [fact.get("x") for fact in model.facts("at")] == [0, 1, 2, 3, 10, 11]
    assert [derivation.rule for derivation in model.derivations(Fact("at", {"x": 0}))] == ["step"]


def test_rounds_look_only_at_what_the_last_one_brought(monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[int] = []
    whole = State._round

    def counted(self: State, *rules: Any) -> Any:
        found = whole(self, *rules)
        rows.append(len(found))
        return found

    monkeypatch.setattr(State, "_round", counted)
    model = closure().run([Fact("at", {"x": 0}), *edges(*[(number, number + 1) for number in range(50)])])
    assert len(model.facts("at")) == 51
    assert sum(rows) == 50


def test_a_counter_without_end_is_stopped_and_named() -> None:
    up = {
        "name": "up",
        "when": [["match", "n", {"x": ["var", "x"]}, False], ["let", "y", parse_expression("x + 1")]],
        "then": [["n", {"x": ["var", "y"]}]],
    }
    program = Program(compile_program([up, rule("other", ["n"], "m")], ["n"]))
    with pytest.raises(RunawayError) as caught:
        program.run([Fact("n", {"x": 0})], limit=500)
    assert caught.value.rules == ("up",)
    assert "up" in str(caught.value)
    assert "500" in str(caught.value)


def test_a_cross_product_is_stopped_and_named() -> None:
    cross = rule("cross", [["match", "n", {"x": ["var", name]}, False] for name in "abcde"], "out", a=["var", "a"])
    program = Program(compile_program([cross], ["n"]))
    with pytest.raises(RunawayError, match="more than 1000 derivations; the rules at work: cross"):
        program.run([Fact("n", {"x": number}) for number in range(100)], limit=1000)


def test_a_search_that_finds_nothing_is_stopped_and_named() -> None:
    patterns = [["match", "n", {"x": ["var", name]}, False] for name in "abcde"]
    search = rule("search", [*patterns, ["test", parse_expression("a + b + c + d + e < 0")]], "out")
    program = Program(compile_program([search], ["n"]))
    with pytest.raises(RunawayError, match="more than 10000 facts looked at; the rules at work: search"):
        program.run([Fact("n", {"x": number}) for number in range(100)], limit=100)
    model = program.run([Fact("n", {"x": number}) for number in range(3)], limit=100)
    assert model.why_not("search").failures[0].kind == "test-false"


def test_a_recursive_cross_product_is_stopped_and_named() -> None:
    cross = rule("cross", [["match", "n", {"x": ["var", name]}, False] for name in "abcde"], "n", a=["var", "a"])
    program = Program(compile_program([cross], ["n"]))
    with pytest.raises(RunawayError, match="cross"):
        program.run([Fact("n", {"x": number}) for number in range(100)], limit=1000)


def test_rules_are_made_ready_only_when_called_for() -> None:
    rules = [
        rule(f"r{number}", [["match", "signal", {"id": ["const", f"s{number}"], "kind": ["const", "x"]}, False], "context"], f"out{number}")
        for number in range(50)
    ]
    program = Program(json.loads(json.dumps(compile_program(rules, ["signal", "context"]))))
    program.run([Fact("context", {}), Fact("signal", {"id": "s7", "kind": "x"}), Fact("signal", {"id": "none", "kind": "x"})])
    assert [ready.name for ready in program._rules.values()] == ["r7"]


@pytest.mark.parametrize("value", [3, 3.5, True, ["v", "2.0"], ["t", 1, "a"]])
def test_rules_are_indexed_by_values_of_every_kind(value: Any) -> None:
    from triage.engine.values import from_data

    rules = [
        rule("wanted", [["match", "t", {"s": ["const", value]}, False]], "out"),
        rule("or", [["match", "t", {"s": ["in", [value, "k"]]}, False]], "or"),
    ]
    model = Program(json.loads(json.dumps(compile_program(rules, ["t"])))).run([Fact("t", {"s": from_data(value)})])
    assert [fact.template for fact in model.facts()] == ["or", "out", "t"]


def test_a_rule_given_twice_is_one_rule_and_alternatives_may_share_a_name() -> None:
    rules = [rule("r", ["a"], "out"), rule("r", ["a"], "out"), rule("r", ["b"], "out")]
    data = compile_program(rules, ["a", "b"])
    assert data["names"] == ["r", "r"]
    model = Program(data).run([Fact("b", {})])
    assert len(model.derivations(Fact("out", {}))) == 1
    assert model.why_not("r").fired


def test_compiled_data_does_not_depend_on_the_order_of_rules() -> None:
    rules = [rule("a", ["in"], "x"), rule("b", ["x", "!y"], "z"), rule("c", ["in", "x"], "y"), rule("d", ["z", "w"], "w")]
    assert json.dumps(compile_program(rules, ["in", "w"])) == json.dumps(compile_program(rules[::-1], ["w", "in"]))


def test_rules_are_added_to_compiled_ones_as_if_all_were_compiled() -> None:
    planned = rule("b", [["match", "x", {"s": ["var", "s"]}, False], ["match", "y", {"s": ["const", 1]}, False], "!w"], "z")
    old = [rule("a", ["in"], "x"), planned, rule("b", ["x", "y"], "z")]
    new = [rule("c", ["in", "z"], "v"), rule("b", ["x"], "z"), rule("0", ["x"], "y")]
    data = compile_program(old, ["in"])
    read = [read_rule(name, text) for name, text in zip(data["names"], data["rules"], strict=True)]
    assert json.dumps(compile_program([*read, *new], ["in"])) == json.dumps(compile_program([*old, *new], ["in"]))


def test_data_of_another_format_is_refused() -> None:
    with pytest.raises(ValueError, match="format 0"):
        Program({"format": 0})


def test_at_most_64_derivations_of_a_fact_are_kept_whatever_the_order() -> None:
    program = Program(compile_program([rule("r", [["match", "n", {"x": ["var", "x"]}, False]], "out")], ["n"]))
    facts = [Fact("n", {"x": number}) for number in range(300)]
    for order in (facts, facts[::-1], facts[150:] + facts[:150]):
        derivations = program.run(order).derivations(Fact("out", {}))
        assert [derivation.bindings["x"] for derivation in derivations] == list(range(64))


PRINTS = """
import json
from random import Random
from tests.engine.worlds import INPUTS, dump, program, world
from triage.engine import Program, RuleError, compile_program
for seed in range(25):
    rng = Random(seed)
    rules, facts = program(rng), world(rng)
    try:
        data = compile_program(rules, INPUTS)
    except RuleError as error:
        print(error)
        continue
    model = Program(data).run(facts)
    print(json.dumps([data, dump(model), [model.why_not(rule["name"]).to_data() for rule in rules]]))
    print(json.dumps([model.why(fact).to_data() for fact in model.facts()]))
    model.retract_facts(facts[:3])
    print(json.dumps([withdrawal.to_data() for withdrawal in model.withdrawn]))
"""


def test_no_hash_seed_shows() -> None:
    printed = set()
    for seed in ("0", "1", "42", "31337"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        done = subprocess.run([sys.executable, "-c", PRINTS], capture_output=True, text=True, env=environment, cwd=ROOT, check=True)
        printed.add(done.stdout)
    assert len(printed) == 1
    assert len(printed.pop()) > 10_000


def test_running_needs_no_heavy_module() -> None:
    code = """
import sys
from triage.engine import Fact, Program
data = {"format": 4, "names": [], "rules": [], "strata": [], "components": [], "needs": [], "recursive": {}, "templates": [], "readers": {},
        "givers": {}, "inputs": [], "always": []}
Program(data).run([Fact("a", {})]).facts("a")
heavy = {"dataclasses", "logging", "yaml", "inspect", "triage.engine.parsing", "triage.engine.compilation", "triage.engine.whynot"}
print(sorted(heavy & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == "[]"
