from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from triage.engine import ExpressionError, Unknown, Version, evaluate, parse_expression, variables
from triage.engine.describe import show_expression

BINDINGS: dict[str, Any] = {
    "n": 5, "f": 2.5, "s": "abc", "t": True, "v": Version((2, 1)), "l": ("cpu", "cuda:0"), "e": (), "k": (1, 2.5, 3),
    "huge": 1 << 600, "nested": ((1,), 2), "inf": float("inf"), "long": "x" * 9000,
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3 - 4 / 2", 5),
        ("(1 + 2) * 3", 9),
        ("7 / 2", 3.5),
        ("6 / 2", 3),
        ("-n + --n", 0),
        ("2 - 3 - 4", -5),
        ("5 GiB", 5 << 30),
        ("1.5MiB + 1 KB", 1573888),
        ("2 TiB / 1 TB", 2),
        ("30 s + 5 ms", 30_005),
        ("2 h / 1 min", 120),
        ("1e3", 1000),
        ("'a' + \"b\"", "ab"),
        (r"'it\'s \\ \n'", "it's \\ \n"),
        ("true", True),
        ("n == 5 and f == 2.5 and s == 'abc' and t == true", True),
        ("n == '5'", False),
        ("t == 1", False),
        ("t != 1", True),
        ("1 == 1.0", True),
        ("v == v2.1.0", True),
        ("v2.9 < v2.10", True),
        ("v >= v2.2", False),
        ("'a' < 'b'", True),
        ("1 < n <= 5 < 6", True),
        ("1 < n < 5", False),
        ("9 < n < zz", False),
        ("zz < 3 < 2", False),
        ("'cpu' in l", True),
        ("'b' in s", True),
        ("n not in [1, 2]", True),
        ("not n in [1, 5]", False),
        ("not not t", True),
        ("true in [1]", False),
        ("false and zz", False),
        ("zz and false", False),
        ("true or zz", True),
        ("zz > 1 or n == 5", True),
        ("has(n) and not has(zz)", True),
        ("if(n > 3, 'big', zz)", "big"),
        ("if(n < 3, zz, 'small')", "small"),
        ("min(3, 1, 2)", 1),
        ("max(k)", 3),
        ("max(v2.1, v2.10)", Version((2, 10))),
        ("min(['b', 'a'])", "a"),
        ("abs(-3) + abs(3)", 6),
        ("round(f) + round(2.567, 2)", 4.57),
        ("floor(2.9) + ceil(2.1)", 5),
        ("len(s) + len(l) + len(e)", 5),
        ("contains(s, 'bc') and contains(l, 'cpu')", True),
        ("contains(s, 'x', 'bc') and not contains(s, 'x', 'y')", True),
        ("startswith(s, 'x', 'a') and endswith(s, 'c', 'x') and not startswith(s, 'x', 'b')", True),
        ("startswith(s, 'a') and endswith(s, 'c')", True),
        ("lower('ABC')", "abc"),
        ("version('4.9') < version('4.41') and version('v2.0.0rc4') == v2.0.0 and version(v1.2) == v1.2", True),
        ("first(l) + last(l)", "cpucuda:0"),
        ("sum(k)", 6.5),
        ("sum(e)", 0),
        ("join(l)", "cpu, cuda:0"),
        ("join([1, 2.5, true, v2.1], '/')", "1/2.5/true/2.1"),
        ("[1, 'a']", (1, "a")),
        ("[]", ()),
        ("huge > 1", True),
        ("inf > huge", True),
        ("vector", None),
    ],
)
def test_values(text: str, value: Any) -> None:
    expr = parse_expression(text)
    assert json.loads(json.dumps(expr)) == expr
    if value is None:
        assert variables(expr) == {text}
        return
    found = evaluate(expr, BINDINGS)
    assert found == value
    assert type(found) is type(value)
    assert parse_expression(show_expression(expr)) == expr


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("zz", "zz"), ("zz + 1", "zz"), ("true and zz", "zz"), ("zz or false", "zz"), ("not zz", "zz"), ("if(zz, 1, 2)", "zz"),
        ("1 < 2 < zz", "zz"), ("n + s", None), ("s < n", None), ("v < 2.1", None), ("t + 1", None), ("-s", None), ("n / 0", None),
        ("not n", None), ("n and t", None), ("if(n, 1, 2)", None), ("first(e)", None), ("min(e)", None), ("min(1, 'a')", None),
        ("max(t, false)", None), ("n in 5", None), ("n in s", None), ("len(n)", None), ("lower(n)", None), ("sum(l)", None),
        ("sum(n)", None),
        ("join(s)", None), ("join(l, n)", None), ("join(nested)", None), ("join([huge])", None), ("round(s)", None), ("round(f, s)", None),
        ("round(f, 99)", None), ("abs(s)", None), ("huge * huge", None), ("huge + 1", None), ("inf + 1", None), ("inf - inf", None),
        ("floor(inf)", None), ("1e300 * 1e300", None),
        ("version('latest')", None), ("version(n)", None), ("huge / 0.5", None), ("long + long", None), ("join([long, long])", None),
        ("[l, l]", None), ("contains(n, n)", None), ("startswith(s, n)", None), ("-huge", None), ("abs(huge)", None),
    ],
)  # fmt: skip
def test_unknown(text: str, name: str | None) -> None:
    with pytest.raises(Unknown) as caught:
        evaluate(parse_expression(text), BINDINGS)
    if name is not None:
        assert caught.value.name == name


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("", "expected a value, found the end", 1),
        ("1 +", "expected a value, found the end", 4),
        ("a = 1", "= does not compare, == does", 3),
        ("a b", "expected an operator or the end, found 'b'", 3),
        ("(a", "expected ')', found the end", 3),
        ("foo(1)", "there is no function 'foo'", 1),
        ("1 + len(1, 2)", "len takes 1 arguments, not 2", 5),
        ("has(1)", "has takes the name of a variable", 1),
        ("min()", "min takes 1 or more arguments, not 0", 1),
        ("round(1, 2, 3)", "round takes 1 to 2 arguments, not 3", 1),
        ("5 parsecs", "'parsecs' is no unit", 3),
        ("'abc", "a string without its closing quote", 1),
        ("a ? b", "unexpected '?'", 3),
        ("2 ** 3", "expected a value, found '*'", 4),
        ("1 < 2 in x", "expected an operator or the end, found 'in'", 7),
        (r"'\x41'", r"unknown escape \x", 1),
        ("1e999", "a number too large", 1),
        ("a and", "expected a value, found the end", 6),
        ("and", "expected a value, found 'and'", 1),
        ("not", "expected a value, found the end", 4),
        ("v2.1.x", "unexpected '.'", 3),
        ("[1, 2", "expected ',', found the end", 6),
        ("(" * 300, "nested more than 100 levels deep", 101),
        ("1" + "+1" * 300, "nested more than 100 levels deep", 1),
        ("1" * 5000, "longer than 4000 characters", 4000),
    ],
)
def test_errors_tell_where(text: str, message: str, column: int) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse_expression(text)
    assert message in str(caught.value)
    assert caught.value.column == column


def test_an_escape_of_a_quote_character_inside_the_other_kind() -> None:
    assert parse_expression('"it\'s"') == "it's"


WORDS = st.sampled_from(
    ["1", "2.5", "'a'", "n", "zz", "s", "l", "v2.1", "+", "-", "*", "/", "<", "==", "and", "or", "not", "in",
     "(", ")", "[", "]", ",", "min", "if", "has", "GiB", "true"]
)  # fmt: skip


@settings(deadline=None, max_examples=200)
@given(st.one_of(st.lists(WORDS, max_size=12).map(" ".join), st.text(max_size=30)))
@example("-" * 3000 + "1")
@example("not " * 900 + "t")
@example("[" * 90 + "]" * 90)
def test_any_text_is_parsed_or_refused_and_has_a_value_or_none(text: str) -> None:
    column: int | None = None
    try:
        expr = parse_expression(text)
    except ExpressionError as error:
        column = error.column
    if column is not None:
        assert 1 <= column <= len(text) + 1
        return
    if text.isprintable():
        assert parse_expression(show_expression(expr)) == expr
    try:
        value = evaluate(expr, BINDINGS)
    except Unknown:
        return
    assert type(value) in (str, int, float, bool, Version, tuple)


def test_a_value_built_over_and_over_stays_in_bounds() -> None:
    for text, start in (("x * x", 3), ("x + x", "ab"), ("join([x, x])", "ab"), ("[x, x]", "ab")):
        expr, values = parse_expression(text), [start]
        with suppress(Unknown):
            while len(values) < 1000:
                values.append(evaluate(expr, {"x": values[-1]}))  # type: ignore[arg-type]
        assert len(values) < 1000
        assert len(str(values[-1])) < 20_000
