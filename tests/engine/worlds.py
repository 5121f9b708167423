"""Random programs and facts for the tests that compare the engine with the reference."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from triage.engine import Fact, Model, Value, Version, parse_expression
from triage.engine.values import to_data

# Level of each template: rules may negate and aggregate over what lies below the level they give to.
LEVELS = {"a": 0, "b": 0, "p": 1, "q": 1, "r": 2, "s": 3}
SLOTS = ("x", "y")
VALUES: tuple[Value, ...] = (0, 1, True, "1", "k", 2.5, Version((1,)), (1, True))
NAMES = ("x", "y", "u", "v")
TESTS = (
    "x == y",
    "u != 1",
    "u < v",
    "has(v) or x == 1",
    "not (n > 1)",
    "n >= 1 and has(n)",
    "y in ['k', '1']",
    "w == 1",
    "if(has(x), x == 1, true)",
)
TERMS = ("min(u + 1, 3)", "x", "if(has(y), y, 0)", "n", "w", "len([x, y])", "if(u == 'k', 1, 'k')")

values = st.sampled_from(VALUES)
names = st.sampled_from(NAMES)
slots = st.dictionaries(st.sampled_from(SLOTS), values, max_size=2)
facts = st.builds(Fact, st.sampled_from(("a", "b", "a", "p")), slots)

terms = st.one_of(
    st.builds(lambda value: ["const", to_data(value)], values),
    st.builds(lambda name: ["var", name], names),
    st.builds(lambda name: ["var", name], names),
    st.builds(lambda several: ["in", [to_data(value) for value in several]], st.lists(values, min_size=1, max_size=3)),
    st.just(["any"]),
)
tests = st.builds(lambda text: ["test", parse_expression(text)], st.sampled_from(TESTS))
expressions = st.builds(parse_expression, st.sampled_from(TERMS))


def below(level: int) -> list[str]:
    return [template for template, own in LEVELS.items() if own < level]


def up_to(level: int) -> list[str]:
    return [template for template, own in LEVELS.items() if own <= level]


def matches(templates: list[str]) -> st.SearchStrategy[Any]:
    binding_all = st.sampled_from((False, False, False, True))
    return st.builds(
        lambda template, own, every: ["match", template, own, every],
        st.sampled_from(templates),
        st.dictionaries(st.sampled_from(SLOTS), terms, max_size=2),
        binding_all,
    )


def inner(templates: list[str]) -> st.SearchStrategy[list[Any]]:
    return st.builds(
        lambda patterns, rest: [*patterns, *rest], st.lists(matches(templates), min_size=1, max_size=2), st.lists(tests, max_size=1)
    )


def aggregates(templates: list[str]) -> st.SearchStrategy[Any]:
    maybe = st.one_of(st.none(), expressions)
    return st.builds(
        lambda function, name, value, by, distinct, conditions: [
            "aggregate", function, name, value if function == "count" else value or ["var", "u"], by, distinct, conditions
        ],
        st.sampled_from(("count", "count", "sum", "min", "max", "first", "last")),
        st.sampled_from(("n", "n", "x")),
        maybe,
        maybe,
        maybe,
        inner(templates),
    )  # fmt: skip


@st.composite
def rules(draw: st.DrawFn) -> dict[str, Any]:
    level = draw(st.integers(1, 3))
    lower, reach = below(level), up_to(level)
    patterns = draw(st.lists(matches(reach), min_size=0 if draw(st.integers(0, 9)) == 0 else 1, max_size=2))
    others = draw(
        st.lists(
            st.one_of(
                tests,
                st.builds(lambda conditions: ["not", conditions], inner(lower)),
                st.builds(lambda conditions: ["exists", conditions], inner(reach)),
                aggregates(lower),
                st.builds(lambda name, value: ["let", name, value], st.sampled_from(("w", "w", "u")), expressions),
            ),
            max_size=2,
        )
    )
    head = st.dictionaries(
        st.sampled_from(SLOTS),
        st.one_of(
            st.builds(lambda name: ["var", name], st.sampled_from((*NAMES, "n", "w"))),
            st.builds(lambda value: ["expr", value], expressions),
            st.builds(lambda value: ["const", to_data(value)], values),
        ),
    )
    given = st.sampled_from([template for template, own in LEVELS.items() if own == level])
    return {
        "name": draw(st.sampled_from([f"rule-{number}" for number in range(20)])),
        "when": draw(st.permutations([*patterns, *others])),
        "then": draw(st.lists(st.builds(lambda template, own: [template, own], given, head), min_size=1, max_size=2)),
    }


programs = st.lists(rules(), min_size=1, max_size=6)
worlds = st.lists(facts, max_size=7)


def dump(model: Model) -> list[Any]:
    """All there is to know of a model, in the order it gives it."""
    return [
        [fact.to_data(), model.is_given(fact), [derivation.to_data() for derivation in model.derivations(fact)]] for fact in model.facts()
    ]
