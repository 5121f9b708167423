"""What the engine raises. Everything a rule's author can get wrong is an `EngineError`."""

from __future__ import annotations


class EngineError(Exception):
    """Base of the engine's errors."""


class ExpressionError(EngineError):
    """An expression that cannot be parsed. `column` counts from 1."""

    def __init__(self, message: str, column: int = 1) -> None:
        super().__init__(f"{message} (column {column})")
        self.message = message
        self.column = column


class RuleError(EngineError):
    """Rule data that is not well formed."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(f"rule {rule}: {message}")
        self.rule = rule
        self.message = message


class StratificationError(EngineError):
    """A rule negates, or aggregates over, facts that depend on what the rule itself derives.

    `cycle` alternates rule names and templates, beginning and ending with the same rule.
    """

    def __init__(self, message: str, cycle: tuple[str, ...]) -> None:
        super().__init__(message)
        self.cycle = cycle


class RunawayError(EngineError):
    """A run derived more than its limit, or looked at more facts than that allows. `rules` names those at work, the busiest first."""

    def __init__(self, message: str, rules: tuple[str, ...]) -> None:
        super().__init__(f"{message}; the rules at work: {', '.join(rules)}")
        self.rules = rules


class Exhausted(Exception):  # noqa: N818 - a signal between two modules of the engine
    """A run has looked at as many facts as it may."""


class Unknown(Exception):  # noqa: N818 - a value that is not known is no error of anyone
    """The value of an expression is not known. `name` is the variable that is unbound, or says what did not fit."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name
