"""What each kind of condition and head means."""

from __future__ import annotations

from typing import Any

import pytest

from triage.engine import Fact, Model, Program, RuleError, Value, Version, compile_program, parse_expression

PROCESS = {"rank": ["var", "r"]}


def run(facts: list[Fact], *rules: dict[str, Any]) -> Model:
    return Program(compile_program(list(rules), {fact.template for fact in facts})).run(facts)


def rule(when: list[Any], **slots: Any) -> dict[str, Any]:
    return {"name": "rule", "when": when, "then": [["out", slots]]}


def outs(facts: list[Fact], when: list[Any], **slots: Any) -> list[dict[str, Value]]:
    return [dict(fact.slots) for fact in run(facts, rule(when, **slots)).facts("out")]


def match(template: str, bind_all: bool = False, **terms: Any) -> list[Any]:
    return ["match", template, terms, bind_all]


def test(text: str) -> list[Any]:
    return ["test", parse_expression(text)]


test.__test__ = False  # type: ignore[attr-defined]


def var(name: str) -> list[Any]:
    return ["var", name]


def const(value: Any) -> list[Any]:
    return ["const", value]


def ranks(*numbers: int) -> list[Fact]:
    return [Fact("process", {"rank": number}) for number in numbers]


def aggregate(function: str, of: list[Any], value: str | None = None, by: str | None = None, distinct: str | None = None) -> list[Any]:
    parts = [None if text is None else parse_expression(text) for text in (value, by, distinct)]
    return ["aggregate", function, "n", *parts, of]


@pytest.mark.parametrize(
    ("term", "matching"),
    [
        (const(1), [1]),
        (const(1.0), [1]),
        (const(True), [True]),
        (const("1"), ["1"]),
        (const(["v", "2.1.0"]), [Version((2, 1))]),
        (const(["t", 2, 1]), [(2, 1)]),
        (["in", [1, "1", 7]], [1, "1"]),
        (["in", [["v", "2.1"], False]], [Version((2, 1))]),
        (["any"], [1, True, "1", Version((2, 1)), (2, 1)]),
    ],
)
def test_terms_compare_by_value_and_kind(term: list[Any], matching: list[Value]) -> None:
    values: list[Value] = [1, True, "1", Version((2, 1)), (2, 1)]
    facts = [Fact("thing", {"value": value, "other": place}) for place, value in enumerate(values)] + [Fact("thing", {"other": 9})]
    found = outs(facts, [match("thing", value=term, other=var("o"))], other=var("o"))
    assert [values[int(out["other"])] for out in found] == matching  # type: ignore[arg-type]


def test_a_variable_needs_the_slot_and_joins() -> None:
    facts = [Fact("a", {"x": 1}), Fact("a", {"x": True}), Fact("a", {}), Fact("b", {"y": 1}), Fact("b", {"y": 2})]
    assert outs(facts, [match("a", x=var("v")), match("b", y=var("v"))], v=var("v")) == [{"v": 1}]


def test_a_variable_used_twice_in_a_pattern_must_agree_with_itself() -> None:
    facts = [Fact("edge", {"a": 1, "b": 1}), Fact("edge", {"a": 1, "b": 2})]
    assert outs(facts, [match("edge", a=var("v"), b=var("v"))], v=var("v")) == [{"v": 1}]


def test_joins_of_many_facts_use_every_kind_of_value() -> None:
    values: list[Value] = [*range(20), True, "1", Version((1,)), (1,), (True,), 2.5]
    facts = [Fact(template, {"x": value, "side": template}) for template in "ab" for value in values]
    found = outs(facts, [match("a", x=var("v")), match("b", x=var("v"))], v=var("v"))
    assert len(found) == len(values)
    chosen = match("a", True, x=["in", [3, "1", ["v", "1.0"], 3, "absent"]])
    assert [out["v"] for out in outs(facts, [chosen], v=var("x"))] == [3, "1", Version((1,))]


def test_bind_all_binds_slots_that_nothing_else_binds() -> None:
    signal = Fact("signal", {"rank": 3, "line": 7, "size": 10})
    others = [Fact("version", {"line": 1, "rank": 3}), Fact("version", {"line": 2, "rank": 4})]
    # Written below, a pattern joins with the slots.
    assert outs(
        [signal, *others], [match("signal", True), match("version", rank=var("rank"), line=var("l"))], l=var("l"), s=var("size")
    ) == [{"l": 1, "s": 10}]
    # Written above, it binds the variable first, and the slot of that name is not bound.
    above = outs([signal, *others], [match("version", rank=var("rank")), match("signal", True)], r=var("rank"), s=var("size"))
    assert above == [{"r": 3, "s": 10}, {"r": 4, "s": 10}]
    # So it does where the other pattern is the more selective one.
    when = [match("version", rank=var("rank")), match("signal", True, line=const(7))]
    assert outs([signal, *others], when, r=var("rank"), s=var("size")) == above


def test_bind_all_leaves_names_to_let_and_aggregates() -> None:
    signal = Fact("signal", {"n": 5, "x": 1})
    when = [match("signal", True), ["let", "x", 2], aggregate("count", [match("signal")])]
    assert outs([signal], when, n=var("n"), x=var("x")) == [{"n": 1, "x": 2}]


def test_of_two_patterns_that_bind_all_the_upper_one_wins() -> None:
    facts = [Fact("a", {"x": 1}), Fact("b", {"x": 2, "y": 3})]
    assert outs(facts, [match("a", True), match("b", True)], x=var("x"), y=var("y")) == [{"x": 1, "y": 3}]
    assert outs(facts, [match("b", True), match("a", True)], x=var("x"), y=var("y")) == [{"x": 2, "y": 3}]


def test_a_slot_that_is_absent_joins_with_anything_under_bind_all() -> None:
    facts = [Fact("signal", {"line": 1}), Fact("setting", {"rank": 1})]
    assert outs(facts, [match("signal", True), match("setting", rank=var("rank"))], r=var("rank")) == [{"r": 1}]


def test_negation_sees_outer_variables() -> None:
    facts = [*ranks(0, 1, 2), Fact("exit", {"rank": 1, "code": 0})]
    when = [match("process", **PROCESS), ["not", [match("exit", rank=var("r"))]]]
    assert outs(facts, when, r=var("r")) == [{"r": 0}, {"r": 2}]


def test_negation_of_several_conditions_needs_all_of_them_to_block() -> None:
    facts = [*ranks(0, 1), Fact("exit", {"rank": 0, "code": 0}), Fact("exit", {"rank": 1, "code": 9})]
    when = [match("process", **PROCESS), ["not", [match("exit", rank=var("r"), code=var("c")), test("c != 0")]]]
    assert outs(facts, when, r=var("r")) == [{"r": 0}]


def test_a_variable_of_a_negation_is_its_own() -> None:
    facts = [*ranks(0), Fact("exit", {"code": 9})]
    assert outs(facts, [match("process", **PROCESS), ["not", [match("exit", code=var("c"))]]], r=var("r")) == []
    assert outs(ranks(0), [match("process", **PROCESS), ["not", [match("exit", code=var("c"))]]], r=var("r"), c=var("c")) == [{"r": 0}]


def test_exists_binds_nothing_and_holds_once() -> None:
    facts = [*ranks(0), Fact("exit", {"code": 9}), Fact("exit", {"code": 8})]
    model = run(facts, rule([match("process", **PROCESS), ["exists", [match("exit", code=var("c"))]]], c=var("c"), r=var("r")))
    (fact,) = model.facts("out")
    assert dict(fact.slots) == {"r": 0}
    (derivation,) = model.derivations(fact)
    assert derivation.premises == (Fact("process", {"rank": 0}), Fact("exit", {"code": 8}))


def test_nested_negation() -> None:
    # Groups all of whose members are done.
    facts = [Fact("member", {"group": group, "id": number}) for group, number in (("a", 1), ("a", 2), ("b", 3))]
    facts += [Fact("group", {"id": group}) for group in "ab"] + [Fact("done", {"id": number}) for number in (1, 3)]
    undone = [match("member", group=var("g"), id=var("i")), ["not", [match("done", id=var("i"))]]]
    assert outs(facts, [match("group", id=var("g")), ["not", undone]], g=var("g")) == [{"g": "b"}]


@pytest.mark.parametrize("text", ["r > zz", "not (r > zz)", "r > 'a'", "r", "r + zz == 3"])
def test_a_test_that_is_unknown_or_no_truth_value_fails(text: str) -> None:
    assert outs(ranks(1), [match("process", **PROCESS), test(text)], r=var("r")) == []


def test_a_test_may_be_written_before_what_binds_its_variables() -> None:
    assert outs(ranks(1, 5), [test("r > 2"), match("process", **PROCESS)], r=var("r")) == [{"r": 5}]


def test_let_binds_fails_when_unknown_and_compares_when_bound() -> None:
    assert outs(ranks(1, 5), [["let", "d", parse_expression("r * 2")], match("process", **PROCESS)], d=var("d")) == [{"d": 2}, {"d": 10}]
    assert outs(ranks(1, 5), [match("process", **PROCESS), ["let", "d", parse_expression("r / zz")]], d=var("d")) == []
    assert outs(ranks(1, 5), [match("process", **PROCESS), ["let", "r", parse_expression("2 + 3")]], r=var("r")) == [{"r": 5}]


def test_lets_may_build_on_one_another_in_any_order() -> None:
    when = [["let", "c", parse_expression("b + 1")], ["let", "b", parse_expression("r + 1")], match("process", **PROCESS), test("c == 3")]
    assert outs(ranks(1, 5), when, c=var("c")) == [{"c": 3}]


def test_conditions_that_wait_for_one_another_are_refused() -> None:
    with pytest.raises(RuleError, match="wait for one another, over a, b"):
        run([], rule([["let", "a", parse_expression("b + 1")], ["let", "b", parse_expression("a - 1")]]))


LOSSES = [Fact("loss", {"step": step, "value": value, "rank": rank}) for step, value, rank in ((1, 4, 0), (2, 4, 0), (3, 1, 0), (2, 9, 1))]


@pytest.mark.parametrize(
    ("function", "value", "by", "distinct", "expected"),
    [
        ("count", None, None, None, [3, 1]),
        ("count", None, None, "v", [2, 1]),
        ("count", "v > 2 or nothing", None, None, [2, 1]),
        ("sum", "v", None, None, [9, 9]),
        ("sum", "v", None, "v", [5, 9]),
        ("sum", "v / 2", None, None, [4.5, 4.5]),
        ("min", "v", None, None, [1, 9]),
        ("max", "v", None, None, [4, 9]),
        ("first", "v", "s", None, [4, 9]),
        ("last", "v", "s", None, [1, 9]),
        ("last", "v", "-s", None, [4, 9]),
        ("first", "s", "v", None, [3, 2]),
        ("last", "s", "v", None, [2, 2]),
        ("first", "v", None, None, [1, 9]),
        ("max", "v", "s", "v", [4, 9]),
    ],
)
def test_aggregates_group_by_outer_variables(
    function: str, value: str | None, by: str | None, distinct: str | None, expected: list[Any]
) -> None:
    of = [match("loss", rank=var("r"), step=var("s"), value=var("v"))]
    found = outs(
        [*LOSSES, *ranks(0, 1)], [match("process", **PROCESS), aggregate(function, of, value, by, distinct)], r=var("r"), n=var("n")
    )
    assert {out["r"]: out["n"] for out in found} == dict(enumerate(expected))


@pytest.mark.parametrize(("function", "expected"), [("count", [0]), ("sum", [0]), ("min", []), ("max", []), ("first", []), ("last", [])])
def test_aggregates_over_nothing(function: str, expected: list[int]) -> None:
    when = [match("process", **PROCESS), aggregate(function, [match("loss", value=var("v"))], "v")]
    assert [out["n"] for out in outs(ranks(0), when, n=var("n"))] == expected


def test_a_sum_over_what_is_no_number_fails() -> None:
    facts = [*ranks(0), Fact("loss", {"value": 1}), Fact("loss", {"value": "nan"})]
    assert outs(facts, [match("process", **PROCESS), aggregate("sum", [match("loss", value=var("v"))], "v")], n=var("n")) == []


def test_a_sum_of_floats_is_exact() -> None:
    facts = [Fact("loss", {"value": value, "id": place}) for place, value in enumerate([1e16, 1.5, -1e16, 0.25])]
    for order in (facts, facts[::-1], facts[2:] + facts[:2]):
        assert outs(order, [aggregate("sum", [match("loss", value=var("v"), id=var("i"))], "v")], n=var("n")) == [{"n": 1.75}]


def test_the_result_of_an_aggregate_can_be_tested_joined_and_built_on() -> None:
    when = [test("m == 4"), ["let", "m", parse_expression("n * 2")], aggregate("count", [match("process")]), match("wanted", n=var("n"))]
    assert outs([*ranks(0, 1), Fact("wanted", {"n": 2}), Fact("wanted", {"n": 3})], when, n=var("n"), m=var("m")) == [{"n": 2, "m": 4}]


def test_a_variable_inside_an_aggregate_named_like_its_result_is_its_own() -> None:
    facts = [Fact("loss", {"value": 3}), Fact("loss", {"value": 5})]
    model = run(facts, rule([aggregate("max", [match("loss", value=var("n"))], "n")], n=var("n")))
    (fact,) = model.facts("out")
    assert fact.get("n") == 5
    assert model.derivations(fact)[0].premises == tuple(facts)


def test_aggregated_facts_are_premises() -> None:
    model = run([*LOSSES, *ranks(1)], rule([match("process", **PROCESS), aggregate("count", [match("loss", rank=var("r"))])], n=var("n")))
    (derivation,) = model.derivations(Fact("out", {"n": 1}))
    assert derivation.premises == (Fact("process", {"rank": 1}), Fact("loss", {"step": 2, "value": 9, "rank": 1}))


def test_heads_leave_out_what_is_unknown() -> None:
    found = outs(
        ranks(1), [match("process", **PROCESS)], r=var("r"), a=var("zz"), b=["expr", parse_expression("zz + 1")], c=const("k"),
        d=["expr", parse_expression("r + 1")], e=["expr", parse_expression("r > 0")],
    )  # fmt: skip
    assert found == [{"c": "k", "r": 1, "d": 2, "e": True}]


def test_a_rule_may_give_several_facts_or_one_fact_twice() -> None:
    heads = [["out", {"r": var("r")}], ["out", {"r": var("r")}], ["other", {}]]
    model = run(ranks(1), {"name": "rule", "when": [match("process", **PROCESS)], "then": heads})
    assert [len(model.derivations(fact)) for fact in model.facts() if not model.is_given(fact)] == [1, 1]


def test_a_rule_without_patterns_holds_of_itself() -> None:
    assert outs([], [], k=const(1)) == [{"k": 1}]
    assert outs([], [["not", [match("process")]]], k=const(1)) == [{"k": 1}]
    assert outs(ranks(1), [["not", [match("process")]]], k=const(1)) == []
    assert outs(ranks(1), [["exists", [match("process", rank=const(1))]]], k=const(1)) == [{"k": 1}]


@pytest.mark.parametrize(
    "broken",
    [
        {"when": [], "then": []},
        {"name": "r", "when": [["match", "t", {}]], "then": []},
        {"name": "r", "when": [["match", "t", {"s": ["is", 1]}, False]], "then": []},
        {"name": "r", "when": [["match", "t", {"s": ["const", None]}, False]], "then": []},
        {"name": "r", "when": [["match", "t", {"s": ["const", float("nan")]}, False]], "then": []},
        {"name": "r", "when": [["match", "t", {"s": ["in", []]}, False]], "then": []},
        {"name": "r", "when": [["test", ["frobnicate", 1]]], "then": []},
        {"name": "r", "when": [["test", ["min"]]], "then": []},
        {"name": "r", "when": [["not", []]], "then": []},
        {"name": "r", "when": [["maybe", []]], "then": []},
        {"name": "r", "when": [["aggregate", "median", "n", None, None, None, [["match", "t", {}, False]]]], "then": []},
        {"name": "r", "when": [["aggregate", "sum", "n", None, None, None, [["match", "t", {}, False]]]], "then": []},
        {"name": "r", "when": [["aggregate", "count", "n", None, None, None, []]], "then": []},
        {"name": "r", "when": [], "then": [["t", {"s": ["any"]}]]},
        {"name": "r", "when": [], "then": [["t", {"s": ["expr", ["chain", 1, "<", 2, "=", 3]]}]]},
        {"name": "r", "when": [1], "then": []},
        {"name": "r", "when": [["match", "t", {}, False]]},
    ],
)
def test_rules_that_are_not_well_formed_are_refused_by_name(broken: dict[str, Any]) -> None:
    with pytest.raises(RuleError) as caught:
        compile_program([broken], [])
    assert caught.value.rule in ("r", "None")
