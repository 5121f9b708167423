"""Random programs and facts for the tests that compare the engine with the reference."""

from __future__ import annotations

from random import Random
from typing import Any

from triage.engine import Fact, Model, Value, Version, parse_expression
from triage.engine.values import to_data

# Level of each template: rules may negate and aggregate over what lies below the level they give to.
LEVELS = {"a": 0, "b": 0, "p": 1, "q": 1, "r": 2, "s": 3}
INPUTS = ("a", "b", "p")
SLOTS = ("x", "y")
NAMES = ("x", "y", "u", "v")
COMMON: tuple[Value, ...] = (0, 1, 2)
RARE: tuple[Value, ...] = (0, 1, True, "1", "k", 2.5, Version((1,)), (1, True))
TESTS = [
    parse_expression(text)
    for text in (
        "x == y", "u != 1", "u < v", "has(v) or x == 1", "not (n > 1)", "n >= 1 and has(n)", "y in ['k', '1', 0]", "w == 1",
        "if(has(x), x == 1, true)", "x != y or u == v",
    )
]  # fmt: skip
TERMS = [
    parse_expression(text) for text in ("min(u + 1, 3)", "x", "if(has(y), y, 0)", "n", "w", "len([x, y])", "if(u == 'k', 1, 'k')", "v")
]


def value(rng: Random) -> Value:
    return rng.choice(COMMON if rng.random() < 0.75 else RARE)


def fact(rng: Random) -> Fact:
    return Fact(rng.choice(INPUTS), {slot: value(rng) for slot in SLOTS if rng.random() < 0.9})


def world(rng: Random, most: int = 14) -> list[Fact]:
    return [fact(rng) for _ in range(rng.randint(0, most))]


def term(rng: Random) -> list[Any]:
    kind = rng.choices(("var", "const", "in", "any"), (12, 2, 1, 1))[0]
    if kind == "var":
        return ["var", rng.choice(NAMES)]
    if kind == "in":
        return ["in", [to_data(value(rng)) for _ in range(rng.randint(1, 3))]]
    return ["const", to_data(value(rng))] if kind == "const" else ["any"]


def match(rng: Random, templates: list[str]) -> list[Any]:
    return ["match", rng.choice(templates), {slot: term(rng) for slot in SLOTS if rng.random() < 0.6}, rng.random() < 0.2]


def inner(rng: Random, templates: list[str]) -> list[Any]:
    patterns = [match(rng, templates) for _ in range(rng.choice((1, 1, 1, 2)))]
    return [*patterns, ["test", rng.choice(TESTS)]] if rng.random() < 0.2 else patterns


def aggregate(rng: Random, templates: list[str]) -> list[Any]:
    function = rng.choice(("count", "count", "sum", "min", "max", "first", "last"))
    valued, by, distinct = (rng.choice(TERMS) if rng.random() < 0.4 else None for _ in range(3))
    if function != "count":
        valued = valued or ["var", rng.choice(("u", "x", "y"))]
    return ["aggregate", function, rng.choice(("n", "n", "n", "x")), valued, by, distinct, inner(rng, templates)]


def condition(rng: Random, lower: list[str], reach: list[str]) -> list[Any]:
    kind = rng.choice(("test", "not", "exists", "aggregate", "let"))
    if kind == "test":
        return ["test", rng.choice(TESTS)]
    if kind == "let":
        return ["let", rng.choice(("w", "w", "u")), rng.choice(TERMS)]
    if kind == "aggregate":
        return aggregate(rng, lower)
    return [kind, inner(rng, lower if kind == "not" else reach)]


def head(rng: Random, template: str) -> list[Any]:
    slots: dict[str, Any] = {}
    for slot in SLOTS:
        kind = rng.choices(("var", "expr", "const", ""), (8, 2, 1, 1))[0]
        if kind == "var":
            slots[slot] = ["var", rng.choice((*NAMES, "x", "y", "n", "w"))]
        elif kind == "expr":
            slots[slot] = ["expr", rng.choice(TERMS)]
        elif kind == "const":
            slots[slot] = ["const", to_data(value(rng))]
    return [template, slots]


def rule(rng: Random, number: int) -> dict[str, Any]:
    shape = rng.random()
    if shape < 0.1:
        return closure(rng)
    if shape < 0.15:
        return counter(rng)
    level = rng.choice((1, 1, 2, 3))
    lower = [template for template, own in LEVELS.items() if own < level]
    reach = [template for template, own in LEVELS.items() if own <= level]
    conditions = [match(rng, [*reach, "a", "b"]) for _ in range(rng.choice((0, 1, 1, 1, 1, 2, 2, 2)))]
    conditions += [condition(rng, lower, reach) for _ in range(rng.choice((0, 0, 1, 1, 2)))]
    rng.shuffle(conditions)
    templates = [template for template, own in LEVELS.items() if own == level]
    heads = [head(rng, rng.choice(templates)) for _ in range(rng.choice((1, 1, 1, 2)))]
    return {"name": f"rule-{number if rng.random() < 0.9 else 0}", "when": conditions, "then": heads}


def closure(rng: Random) -> dict[str, Any]:
    """A step of a transitive closure: by an edge, or by joining the closure with itself."""
    reach = rng.choice("pq")
    step = [
        ["match", rng.choice(("a", "b", reach)), {"x": ["var", "u"], "y": ["var", "v"]}, False],
        ["match", reach, {"x": ["var", "v"], "y": ["var", "w"]}, False],
    ]
    rng.shuffle(step)
    return {"name": "closure", "when": step, "then": [[reach, {"x": ["var", "u"], "y": ["var", "w"]}]]}


def counter(rng: Random) -> dict[str, Any]:
    """Counts up to a bound."""
    template = rng.choice("pq")
    step = ["let", "w", ["min", ["+", ["var", "u"], 1], rng.randint(1, 5)]]
    return {
        "name": "counter",
        "when": [["match", template, {"x": ["var", "u"]}, True], step],
        "then": [[template, {"x": ["var", "w"], "y": ["var", "y"]}]],
    }


def program(rng: Random) -> list[dict[str, Any]]:
    return [rule(rng, number) for number in range(rng.randint(1, 7))]


def dump(model: Model) -> list[Any]:
    """All there is to know of a model, in the order it gives it."""
    return [
        [fact.to_data(), model.is_given(fact), [derivation.to_data() for derivation in model.derivations(fact)]] for fact in model.facts()
    ]
