"""What is wrong with a rule file, and where."""

from __future__ import annotations


class Problem:
    """One finding: path, line and column (from 1; 0 when unknown), a documented code, and a sentence that says the remedy."""

    __slots__ = ("code", "column", "line", "message", "path", "severity")

    def __init__(self, path: str, line: int, column: int, code: str, message: str, severity: str = "error") -> None:
        self.path, self.line, self.column = path, line, column
        self.code, self.message, self.severity = code, message, severity

    def to_dict(self) -> dict[str, str | int]:
        """As JSON has it."""
        return {name: getattr(self, name) for name in ("path", "line", "column", "severity", "code", "message")}

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}: {self.severity} {self.code}: {self.message}"


class RuleError(Exception):
    """A rule base that cannot be used; `problems` has everything found, in order of files and lines."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = sorted(problems, key=lambda p: (p.path, p.line, p.column, p.code, p.message))
        super().__init__("\n".join(map(str, self.problems)))
