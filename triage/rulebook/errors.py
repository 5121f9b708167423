"""What is wrong with a rule file, and where."""

from __future__ import annotations

import re

_SHOWN = 500  # characters of each end: a message may quote what a file holds, which may be anything


class Problem:
    """One finding: path, line and column (from 1; 0 when unknown), a documented code, and a sentence that says the remedy.

    `rule` is the id of the signature, diagnosis or rule it stands in, "" outside of them.
    """

    __slots__ = ("code", "column", "line", "message", "path", "rule", "severity")

    def __init__(self, path: str, line: int, column: int, code: str, message: str, severity: str = "error", rule: str = "") -> None:
        self.path, self.line, self.column = path, line, column
        self.code, self.severity, self.rule = code, severity, rule
        self.message = message if len(message) <= 2 * _SHOWN else f"{message[:_SHOWN]} … {message[-_SHOWN:]}"

    def to_dict(self) -> dict[str, str | int]:
        """As JSON has it."""
        return {name: getattr(self, name) for name in ("path", "line", "column", "severity", "code", "rule", "message")}

    def __str__(self) -> str:
        told = re.search(rf"(?<![\w-]){re.escape(self.rule)}(?![\w-])", self.message)
        named = f"{self.rule}: " if self.rule and not told else ""
        place = f"{self.path}:{self.line}:{self.column}" if self.line else self.path
        return f"{place}: {self.severity} {self.code}: {named}{self.message}"


class RuleError(Exception):
    """A rule base that cannot be used; `problems` has everything found, in order of files and lines."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = sorted(problems, key=lambda p: (p.path, p.line, p.column, p.code, p.message))
        super().__init__("\n".join(map(str, self.problems)))
