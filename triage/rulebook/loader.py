"""YAML files → checked `RuleFile`s, with the place of everything that is wrong.

YAML is read by the safe C loader with aliases refused (an alias bomb is the one way a YAML text can grow) and sizes
bounded: a rule pack from a stranger can at worst be wrong.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from triage.rulebook.errors import Problem, RuleError
from triage.rulebook.schema import RuleFile
from triage.rulebook.yaml12 import RuleLoader

MAX_FILE_BYTES = 2 * 1024 * 1024


class Source:
    """A rule file as read: its path as shown, its model, and its text for positions."""

    __slots__ = ("_root", "_text", "model", "path")

    def __init__(self, path: str, model: RuleFile, text: str) -> None:
        self.path = path
        self.model = model
        self._text = text
        self._root: yaml.Node | None = None

    @property
    def text(self) -> str:
        """The file as it was read."""
        return self._text

    def position(self, *keys: str | int) -> tuple[int, int]:
        """Line and column (from 1) of what lies under these keys; of the nearest thing above it that exists."""
        if self._root is None:  # only when something is wrong: the node tree costs more than the data
            self._root = yaml.compose(self._text, Loader=RuleLoader)
        return _position(self._root, keys)

    def problem(self, keys: Iterable[str | int], code: str, message: str, severity: str = "error") -> Problem:
        line, column = self.position(*keys)
        return Problem(self.path, line, column, code, message, severity)


def rule_files(root: Path) -> list[Path]:
    """All rule files below a directory, in a fixed order; a file stands for itself."""
    if root.is_file():
        return [root]
    return sorted(path for path in root.rglob("*.yaml") if path.is_file() and not path.name.startswith("."))


def load_rules(roots: Iterable[Path]) -> list[Source]:
    """Read all rule files below the given directories. Raises RuleError with everything that is wrong in all of them."""
    sources: list[Source] = []
    problems: list[Problem] = []
    for root in roots:
        for path in rule_files(root):
            try:
                sources.append(load_file(path, shown=str(root) if path == root else f"{root.name}/{path.relative_to(root).as_posix()}"))
            except RuleError as error:
                problems.extend(error.problems)
    if problems:
        raise RuleError(problems)
    return sources


def load_file(path: Path, shown: str | None = None) -> Source:
    """Read one rule file. Raises RuleError."""
    shown = shown or str(path)
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise RuleError([Problem(shown, 0, 0, "R002", f"larger than {MAX_FILE_BYTES >> 20} MiB: split it by failure")])
        text = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RuleError([Problem(shown, 0, 0, "R001", f"cannot be read as UTF-8 text: {error}")]) from None
    return load_text(text, shown)


def load_text(text: str, shown: str) -> Source:
    """Check the text of a rule file. Raises RuleError."""
    try:
        _refuse_aliases(text, shown)
        data = yaml.load(text, Loader=RuleLoader)
    except yaml.MarkedYAMLError as error:
        raise RuleError([Problem(shown, *_place(error.problem_mark), "R003", f"not YAML: {error.problem}")]) from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise RuleError([Problem(shown, 0, 0, "R003", f"not YAML: {error}")]) from None
    try:
        return Source(shown, RuleFile.model_validate(data), text)
    except ValidationError as error:
        problems = []
        root = yaml.compose(text, Loader=RuleLoader)
        for item in error.errors(include_url=False):
            keys = [key for key in item["loc"] if not (isinstance(key, str) and key[:1].isupper())]
            line, column = _position(root, keys)
            at = ".".join(map(str, keys)) or "file"
            problems.append(Problem(shown, line, column, "R004", f"{at}: {item['msg']}"))
        raise RuleError(problems) from None


def _refuse_aliases(text: str, shown: str) -> None:
    if "&" not in text or "*" not in text:
        return
    for event in yaml.parse(text, Loader=RuleLoader):
        if isinstance(event, yaml.AliasEvent):
            raise RuleError([Problem(shown, *_place(event.start_mark), "R005", "aliases (*name) are not allowed: write it out")])


def _position(root: yaml.Node | None, keys: Iterable[str | int]) -> tuple[int, int]:
    if root is None:
        return 0, 0
    node, mark = root, root.start_mark
    for key in keys:
        following: yaml.Node | None = None
        if isinstance(node, yaml.MappingNode):
            for key_node, value_node in node.value:
                if key_node.value == str(key):
                    following, mark = value_node, key_node.start_mark
                    break
        elif isinstance(node, yaml.SequenceNode) and isinstance(key, int) and key < len(node.value):
            following = node.value[key]
            mark = following.start_mark
        if following is None:
            break
        node = following
    return _place(mark)


def _place(mark: Any) -> tuple[int, int]:
    return (mark.line + 1, mark.column + 1) if mark is not None else (0, 0)
