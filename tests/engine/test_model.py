"""Why, why not, and what changes take away."""

from __future__ import annotations

import json
from typing import Any

import pytest

from triage.engine import Fact, Model, Program, compile_program, parse_expression, whynot


def chain(length: int) -> Model:
    rules = [
        {
            "name": "step",
            "when": [["match", "n", {"x": ["var", "x"]}, False], ["test", ["<", ["var", "x"], length]]],
            "then": [["n", {"x": ["expr", parse_expression("x + 1")]}]],
        }
    ]
    return Program(compile_program(rules, ["n"])).run([Fact("n", {"x": 0})])


OOM: list[dict[str, Any]] = [
    {
        "name": "oom.fragmentation",
        "when": [
            ["match", "signal", {"failure": ["const", "oom"]}, True],
            ["test", parse_expression("reserved > 0.5 * capacity")],
            ["not", [["match", "setting", {"name": ["const", "expandable"], "rank": ["var", "rank"]}, False]]],
        ],
        "then": [["candidate", {"id": ["const", "fragmentation"], "rank": ["var", "rank"]}]],
    },
    {
        "name": "lead",
        "when": [["match", "candidate", {"id": ["var", "id"]}, False], ["exists", [["match", "signal", {}, False]]]],
        "then": [["diagnosis", {"id": ["var", "id"]}]],
    },
    {
        "name": "several",
        "when": [["aggregate", "count", "n", None, None, None, [["match", "signal", {}, False]]], ["test", parse_expression("n > 1")]],
        "then": [["storm", {}]],
    },
]
SIGNAL = Fact("signal", {"failure": "oom", "rank": 0, "reserved": 8, "capacity": 10})
PROGRAM = Program(compile_program(OOM, ["signal", "setting"]))


def test_the_tree_of_a_proof() -> None:
    data = PROGRAM.run([SIGNAL]).why(Fact("diagnosis", {"id": "fragmentation"})).to_data()
    assert data["rule"] == "lead"
    candidate, witness = data["premises"]  # type: ignore[misc]
    assert candidate["rule"] == "oom.fragmentation"
    assert candidate["absent"] == ["not setting(name='expandable', rank=0)"]
    assert candidate["bindings"] == {"capacity": 10, "failure": "oom", "rank": 0, "reserved": 8}
    assert candidate["premises"] == [{"fact": SIGNAL.to_data(), "given": True}]
    assert witness == {"fact": SIGNAL.to_data(), "given": True}


def test_a_proof_is_asked_only_of_facts_that_hold() -> None:
    with pytest.raises(KeyError):
        PROGRAM.run([]).why(SIGNAL)


def test_a_deep_proof_is_found_and_written_to_a_depth() -> None:
    model = chain(5000)
    proof = model.why(Fact("n", {"x": 5000}))
    data: Any = proof.to_data(depth=3)
    assert data["premises"][0]["premises"][0]["premises"][0] == {"fact": Fact("n", {"x": 4997}).to_data(), "elided": True}
    assert len(json.dumps(proof.to_data())) < 100_000


def test_a_proof_with_shared_parts_stays_small() -> None:
    # Each level rests twice on the one below: written out in full the tree would have 2**40 leaves.
    rules = [
        {
            "name": f"level-{level}",
            "when": [["match", f"t{level}", {"x": ["var", name]}, False] for name in "ab"],
            "then": [[f"t{level + 1}", {"x": ["expr", parse_expression(text)]}] for text in ("min(a, b)", "max(a, b)")],
        }
        for level in range(40)
    ]
    model = Program(compile_program(rules, ["t0"])).run([Fact("t0", {"x": 0}), Fact("t0", {"x": 1})])
    text = json.dumps(model.why(Fact("t40", {"x": 1})).to_data())
    assert '"repeated": true' in text
    assert len(text) < 100_000


def test_a_fact_given_and_derived_is_given() -> None:
    model = PROGRAM.run([SIGNAL, Fact("candidate", {"id": "fragmentation", "rank": 0})])
    fact = Fact("candidate", {"id": "fragmentation", "rank": 0})
    assert model.is_given(fact)
    assert model.why(fact).derivation is None
    assert [derivation.rule for derivation in model.derivations(fact)] == ["oom.fragmentation"]
    model.retract_facts([fact])
    assert fact in model
    assert not model.is_given(fact)
    assert model.withdrawn == ()


def why_not(facts: list[Fact], rule: str = "oom.fragmentation") -> list[tuple[str, str]]:
    answer = PROGRAM.run(facts).why_not(rule)
    assert not answer.fired
    return [(failure.kind, failure.condition) for failure in answer.failures]


def signal(**slots: Any) -> Fact:
    return Fact("signal", {**SIGNAL.slots, **slots})


BLOCK = Fact("setting", {"name": "expandable", "rank": 0})


def test_why_not() -> None:
    test, negation = "reserved > 0.5 * capacity", "not setting(name='expandable', rank=0)"
    assert why_not([]) == [("absent", "signal(failure='oom')")]
    assert why_not([signal(failure="other")]) == [("other-value", "signal(failure='oom')")]
    assert why_not([signal(reserved=1)]) == [("test-false", test)]
    assert why_not([Fact("signal", {"failure": "oom", "reserved": 1})]) == [("test-unknown", test)]
    assert why_not([SIGNAL, BLOCK]) == [("blocked-by-negation", negation)]
    assert why_not([signal(reserved=1), BLOCK]) == [("test-false", test), ("blocked-by-negation", negation)]
    # Of two signals the one that comes further counts.
    assert why_not([signal(reserved=1, rank=1), SIGNAL, BLOCK]) == [("blocked-by-negation", negation)]
    # Of two that fail at the same place the one with less in its way counts.
    assert why_not([signal(reserved=1), signal(reserved=2, rank=1), BLOCK]) == [("test-false", test)]


def test_why_not_tells_what_is_there_instead() -> None:
    model = PROGRAM.run([signal(failure="other"), signal(failure="third", line=3), Fact("setting", {"name": "expandable", "rank": 0})])
    (failure,) = model.why_not("oom.fragmentation").failures
    assert [fact.get("failure") for fact in failure.facts] == ["other", "third"]
    assert failure.template == "signal"
    (blocked,) = PROGRAM.run([SIGNAL, BLOCK]).why_not("oom.fragmentation").failures
    assert blocked.facts == (BLOCK,)
    assert blocked.bindings["rank"] == 0
    (unknown,) = PROGRAM.run([Fact("signal", {"failure": "oom", "reserved": 1})]).why_not("oom.fragmentation").failures
    assert unknown.unknown == ("capacity",)
    (absent,) = (failure for failure in PROGRAM.run([]).why_not("lead").failures if failure.template == "candidate")
    assert absent.givers == ("oom.fragmentation",)
    assert (
        json.loads(json.dumps(PROGRAM.run([SIGNAL, BLOCK]).why_not("oom.fragmentation").to_data()))["failures"][0]["kind"] == blocked.kind
    )


X = {"x": ["var", "x"]}
N = {"x": ["var", "n"]}
B = [["match", "b", X, False]]


@pytest.mark.parametrize(
    ("when", "kinds"),
    [
        ([["match", "a", X, False], ["let", "x", 5]], ["other-value"]),
        ([["match", "a", X, False], ["let", "y", parse_expression("z + 1")]], ["test-unknown"]),
        ([["match", "a", X, False], ["let", "y", parse_expression("x + 1")], ["let", "y", 5]], ["test-false"]),
        ([["aggregate", "max", "n", ["var", "x"], None, None, B]], ["absent"]),
        ([["match", "a", N, False], ["aggregate", "count", "n", None, None, None, B]], ["other-value"]),
        ([["match", "a", N, False], ["aggregate", "count", "n", None, None, None, [["match", "b", N, False]]]], ["test-false"]),
        ([["exists", B]], ["absent"]),
        ([["match", "nowhere", {}, False]], ["never"]),
        ([["match", "a", X, False], ["match", "b", {}, False], ["match", "nowhere", {}, False]], ["absent", "never"]),
        # What rests on the variables of a condition that fails is no failure of its own.
        ([["match", "b", X, False], ["let", "y", parse_expression("x + 1")], ["test", parse_expression("y > 1")]], ["absent"]),
        ([["match", "b", {}, True], ["test", parse_expression("x > 1")], ["not", [["match", "a", X, False]]]], ["absent"]),
    ],
)
def test_kinds_of_failures(when: list[Any], kinds: list[str]) -> None:
    rule = {"name": "rule", "when": when, "then": [["out", {}]]}
    model = Program(compile_program([rule], ["a", "b"])).run([Fact("a", {"x": 1})])
    assert [failure.kind for failure in model.why_not("rule").failures] == kinds


def test_why_not_of_a_rule_that_fired_or_is_none() -> None:
    answer = PROGRAM.run([SIGNAL]).why_not("lead")
    assert answer.fired
    assert answer.failures == ()
    with pytest.raises(KeyError):
        PROGRAM.run([]).why_not("nothing")


def test_why_not_gives_up_searching_where_assignments_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = []
    advance = whynot._Search._advance
    monkeypatch.setattr(whynot, "_EFFORT", 200)
    monkeypatch.setattr(whynot._Search, "_advance", lambda self, *arguments: steps.append(1) or advance(self, *arguments))
    patterns = [["match", "n", {"x": ["var", name]}, False] for name in "abc"]
    rule = {"name": "rule", "when": [*patterns, ["test", parse_expression("a + b + c < 0")]], "then": [["out", {}]]}
    answer = Program(compile_program([rule], ["n"])).run([Fact("n", {"x": number}) for number in range(40)]).why_not("rule")
    assert [failure.kind for failure in answer.failures] == ["test-false"]
    assert len(steps) < 400


def test_withdrawals_tell_what_each_support_lost() -> None:
    model = PROGRAM.run([SIGNAL, signal(rank=1)])
    model.assert_facts([BLOCK])
    lost = {withdrawal.fact.template: withdrawal.reasons for withdrawal in model.withdrawn}
    assert lost == {
        "candidate": ("rule oom.fragmentation: not setting(name='expandable', rank=0): there is setting(name='expandable', rank=0)",)
    }
    model.retract_facts([signal(rank=1)])
    lost = {withdrawal.fact.template: withdrawal.reasons for withdrawal in model.withdrawn}
    assert lost["signal"] == ("it was retracted",)
    assert lost["storm"] == ("rule several: n changed",)
    assert lost["diagnosis"] == ("rule lead: candidate(id='fragmentation', rank=1) is gone",)
    assert model.withdrawn[0].to_data() == {
        "fact": Fact("candidate", {"id": "fragmentation", "rank": 1}).to_data(),
        "reasons": [f"rule oom.fragmentation: {signal(rank=1)!r} is gone"],
    }
    model.retract_facts([SIGNAL])
    assert [withdrawal.fact for withdrawal in model.withdrawn] == [SIGNAL]
    model.assert_facts([])
    assert model.withdrawn == ()


def test_a_fact_that_supports_itself_falls_with_its_ground() -> None:
    rules = [
        {"name": f"{one}-{other}", "when": [["match", one, {}, False]], "then": [[other, {}]]}
        for one, other in (("ground", "a"), ("a", "b"), ("b", "a"))
    ]
    model = Program(compile_program(rules, ["ground"])).run([Fact("ground", {})])
    assert [derivation.rule for derivation in model.derivations(Fact("a", {}))] == ["ground-a", "b-a"]
    model.retract_facts([Fact("ground", {})])
    assert model.facts() == []


def test_a_change_that_runs_away_leaves_the_model_as_it_was() -> None:
    from triage.engine import RunawayError

    rules = [
        {
            "name": "up",
            "when": [["match", "n", {"x": ["var", "x"]}, False], ["match", "go", {}, False]],
            "then": [["n", {"x": ["expr", parse_expression("x + 1")]}]],
        }
    ]
    model = Program(compile_program(rules, ["n", "go"])).run([Fact("n", {"x": 0})], limit=50)
    with pytest.raises(RunawayError):
        model.assert_facts([Fact("go", {})])
    assert model.facts() == [Fact("n", {"x": 0})]
    assert not model.is_given(Fact("go", {}))


def test_strata_below_a_change_are_not_evaluated_again() -> None:
    model = PROGRAM.run([SIGNAL])
    kept = model._state.support[Fact("candidate", {"id": "fragmentation", "rank": 0})]
    records = list(kept)
    model.assert_facts([Fact("candidate", {"id": "other"})])
    assert len(model.facts("diagnosis")) == 2
    assert model._state.support[Fact("candidate", {"id": "fragmentation", "rank": 0})][0] is records[0]
