"""The grammar of expressions: text → nested lists. Needed when rules are compiled, never when they run.

expression  := conjunction ("or" conjunction)*
conjunction := negation ("and" negation)*
negation    := "not" negation | comparison
comparison  := sum (("<" | "<=" | ">" | ">=" | "==" | "!=") sum)* | sum ["not"] "in" sum
sum         := product (("+" | "-") product)*
product     := factor (("*" | "/") factor)*
factor      := "-" factor | number [unit] | string | version | "true" | "false" | name | name "(" expression, … ")"
             | "(" expression ")" | "[" expression, … "]"
"""

from __future__ import annotations

import re

from triage.engine.errors import ExpressionError
from triage.engine.expressions import FUNCTIONS, MAX_DEPTH, depth
from triage.engine.values import Version, normal, to_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_LENGTH = 4000

_KIB = 1024
UNITS: dict[str, int] = {
    "B": 1,
    "KiB": _KIB, "MiB": _KIB**2, "GiB": _KIB**3, "TiB": _KIB**4,
    "KB": _KIB, "MB": _KIB**2, "GB": _KIB**3, "TB": _KIB**4,
    "ms": 1, "s": 1000, "min": 60_000, "h": 3_600_000,
}  # fmt: skip

_WORDS = frozenset(("and", "or", "not", "in", "true", "false"))
_COMPARISONS = frozenset(("<", "<=", ">", ">=", "==", "!="))
_ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", "'": "'", '"': '"'}
_TOKEN = re.compile(
    r"""\s*(?:
        (?P<version>v[0-9]{1,18}(?:\.[0-9]{1,18})*(?![\w.]))
      | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
      | (?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?)
      | (?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
      | (?P<sign><=|>=|==|!=|[-+*/<>()\[\],])
      | (?P<end>\Z)
    )""",
    re.VERBOSE,
)


def parse(text: str) -> Any:
    """The expression a text stands for. Raises ExpressionError."""
    if len(text) > MAX_LENGTH:
        raise ExpressionError(f"longer than {MAX_LENGTH} characters", MAX_LENGTH)
    parser = _Parser(text)
    found = parser.disjunction()
    if parser.kind != "end":
        raise parser.error("an operator or the end")
    if depth(found) > MAX_DEPTH:
        raise ExpressionError(f"nested more than {MAX_DEPTH} levels deep", 1)
    return found


class _Parser:
    """Recursive descent with one token of look-ahead."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.level = 0
        self.advance()

    def advance(self) -> None:
        match = _TOKEN.match(self.text, self.position)
        if match is None:
            rest = self.text[self.position :]
            column = self.position + len(rest) - len(rest.lstrip()) + 1
            letter = rest.lstrip()[:1]
            if letter in "'\"":
                raise ExpressionError("a string without its closing quote", column)
            raise ExpressionError("= does not compare, == does" if letter == "=" else f"unexpected {letter!r}", column)
        self.kind = match.lastgroup or "end"
        self.token = match.group(self.kind)
        self.column = match.start(self.kind) + 1
        self.position = match.end()

    def error(self, wanted: str) -> ExpressionError:
        found = repr(self.token) if self.token else "the end"
        return ExpressionError(f"expected {wanted}, found {found}", self.column)

    def accept(self, *tokens: str) -> str | None:
        """Consumes the sign or word at hand when it is one of `tokens`."""
        token = self.token
        if token in tokens and (self.kind == "sign" or (self.kind == "name" and token in _WORDS)):
            self.advance()
            return token
        return None

    def expect(self, token: str) -> None:
        if not self.accept(token):
            raise self.error(repr(token))

    def disjunction(self) -> Any:
        self.level += 1
        if self.level > MAX_DEPTH:
            raise ExpressionError(f"nested more than {MAX_DEPTH} levels deep", self.column)
        parts = [self.conjunction()]
        while self.accept("or"):
            parts.append(self.conjunction())
        self.level -= 1
        return parts[0] if len(parts) == 1 else ["or", *parts]

    def conjunction(self) -> Any:
        parts = [self.negation()]
        while self.accept("and"):
            parts.append(self.negation())
        return parts[0] if len(parts) == 1 else ["and", *parts]

    def negation(self) -> Any:
        count = 0
        while self.accept("not"):
            count += 1
        found = self.comparison()
        if count:
            found = ["not", found]
            if count % 2 == 0:
                found = ["not", found]
        return found

    def comparison(self) -> Any:
        left = self.sum()
        if self.accept("in"):
            return ["in", left, self.sum()]
        if self.accept("not"):
            self.expect("in")
            return ["not", ["in", left, self.sum()]]
        chain = [left]
        while self.kind == "sign" and self.token in _COMPARISONS:
            chain.append(self.token)
            self.advance()
            chain.append(self.sum())
        if len(chain) == 1:
            return left
        return [chain[1], chain[0], chain[2]] if len(chain) == 3 else ["chain", *chain]

    def sum(self) -> Any:
        found = self.product()
        while sign := self.accept("+", "-"):
            found = [sign, found, self.product()]
        return found

    def product(self) -> Any:
        found = self.factor()
        while sign := self.accept("*", "/"):
            found = [sign, found, self.factor()]
        return found

    def factor(self) -> Any:
        minus = False
        while self.accept("-"):
            minus = not minus
        found = self.primary()
        if not minus:
            return found
        return -found if type(found) in (int, float) else ["neg", found]

    def primary(self) -> Any:
        kind, token, column = self.kind, self.token, self.column
        if kind == "number":
            self.advance()
            return self.number(token, column)
        if kind == "string":
            self.advance()
            return _unquote(token, column)
        if kind == "version":
            self.advance()
            return to_data(Version(int(part) for part in token[1:].split(".")))
        if kind == "name" and token not in _WORDS:
            self.advance()
            return self.call(token, column) if self.kind == "sign" and self.token == "(" else ["var", token]
        if self.accept("true"):
            return True
        if self.accept("false"):
            return False
        if self.accept("("):
            found = self.disjunction()
            self.expect(")")
            return found
        if self.accept("["):
            return ["list", *self.arguments("]")]
        raise self.error("a value")

    def number(self, token: str, column: int) -> int | float:
        number: Any = int(token) if token.isdigit() else float(token)
        if self.kind == "name" and self.token in UNITS:
            number *= UNITS[self.token]
            self.advance()
        elif self.kind == "name" and self.token not in _WORDS:
            raise ExpressionError(f"{self.token!r} is no unit; there are {', '.join(UNITS)}", self.column)
        if number in (float("inf"), float("-inf")):
            raise ExpressionError("a number too large", column)
        return normal(number)  # type: ignore[return-value]

    def call(self, name: str, column: int) -> Any:
        if name not in FUNCTIONS:
            raise ExpressionError(f"there is no function {name!r}; there are {', '.join(sorted(FUNCTIONS))}", column)
        self.expect("(")
        arguments = self.arguments(")")
        least, most = FUNCTIONS[name]
        if not least <= len(arguments) <= most:
            wanted = str(least) if least == most else f"{least} or more" if most > 9 else f"{least} to {most}"
            raise ExpressionError(f"{name} takes {wanted} arguments, not {len(arguments)}", column)
        if name == "has" and not (isinstance(arguments[0], list) and arguments[0][0] == "var"):
            raise ExpressionError("has takes the name of a variable", column)
        return [name, *arguments]

    def arguments(self, close: str) -> list[Any]:
        found: list[Any] = []
        while not self.accept(close):
            if found:
                self.expect(",")
            found.append(self.disjunction())
        return found


def _unquote(token: str, column: int) -> str:
    if "\\" not in token:
        return token[1:-1]
    parts: list[str] = []
    letters = iter(token[1:-1])
    for letter in letters:
        if letter == "\\":
            escaped = next(letters)
            if escaped not in _ESCAPES:
                raise ExpressionError(f"unknown escape \\{escaped}", column)
            letter = _ESCAPES[escaped]
        parts.append(letter)
    return "".join(parts)
