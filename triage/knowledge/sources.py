"""YAML files of `kb/` → checked models, with path and line of everything that is wrong.

Used when knowledge is compiled and by lint, never to explain.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from triage.knowledge.form import not_yaml, wrong_forms
from triage.knowledge.growth import growth

MAX_FILE_BYTES = 4 * 1024 * 1024
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
Model = TypeVar("Model", bound=BaseModel)
Keys = Sequence[str | int]


class Finding(NamedTuple):
    """Something wrong in a file of knowledge: its path below `kb`'s parent, line and column from 1 (0: unknown), a sentence."""

    path: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}: {self.message}" if self.line else f"{self.path}: {self.message}"


class KnowledgeError(Exception):
    """Knowledge that cannot be used; `findings` has everything found, in order of files and lines."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = sorted(findings)
        super().__init__("\n".join(map(str, self.findings)))


class Document:
    """A YAML file as read: its path as shown, its plain data, and the places of its parts."""

    __slots__ = ("_root", "data", "path")

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self._root: yaml.Node | None = None
        try:
            refused = growth(text, _Loader)
            if refused is not None:
                raise KnowledgeError([Finding(path, refused.line, refused.column, refused.message)])
            loader = _Loader(text)
            self._root = loader.get_single_node()
            self.data = loader.construct_document(self._root) if self._root is not None else None
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark
            line, column = (mark.line + 1, mark.column + 1) if mark else (0, 0)
            raise KnowledgeError([Finding(path, line, column, not_yaml(error, text))]) from None
        except (yaml.YAMLError, RecursionError, ValueError) as error:
            raise KnowledgeError([Finding(path, 0, 0, f"not YAML: {error}")]) from None
        self._refuse_repeated_keys()

    def finding(self, keys: Keys, message: str) -> Finding:
        """A finding at what lies under these keys, or at the nearest thing above it that exists."""
        mark = self._root.start_mark if self._root else None
        node = self._root
        for key in keys:
            node, mark = _step(node, key, mark)
            if node is None:
                break
        return Finding(self.path, mark.line + 1 if mark else 0, mark.column + 1 if mark else 0, message)

    def model(self, kind: type[Model]) -> Model:
        """The data as a model of this kind. Raises KnowledgeError."""
        try:
            return kind.model_validate(self.data)
        except ValidationError as error:
            raise KnowledgeError(self.finding(*wrong) for wrong in wrong_forms(error, self.data, kind)) from None

    def _refuse_repeated_keys(self) -> None:
        """A repeated key silently replaces the first one in YAML: an entry would be lost."""
        findings = []
        stack = [self._root] if self._root else []
        while stack:
            node = stack.pop()
            if isinstance(node, yaml.MappingNode):
                seen: set[str] = set()
                for key, value in node.value:
                    if key.value in seen:
                        mark = key.start_mark
                        findings.append(Finding(self.path, mark.line + 1, mark.column + 1, f"the key {key.value} stands here twice"))
                    seen.add(key.value)
                    stack.append(value)
            elif isinstance(node, yaml.SequenceNode):
                stack.extend(node.value)
        if findings:
            raise KnowledgeError(findings)


def _step(node: yaml.Node | None, key: str | int, mark: Any) -> tuple[yaml.Node | None, Any]:
    if isinstance(node, yaml.MappingNode):
        for key_node, value_node in node.value:
            if key_node.value == str(key):
                return value_node, key_node.start_mark
    elif isinstance(node, yaml.SequenceNode) and isinstance(key, int) and key < len(node.value):
        return node.value[key], node.value[key].start_mark
    return None, mark


def read_document(path: Path, root: Path) -> Document:
    """Read one file below `root` (`kb`). Raises KnowledgeError."""
    shown = f"{root.name}/{path.relative_to(root).as_posix()}"
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise KnowledgeError([Finding(shown, 0, 0, f"larger than {MAX_FILE_BYTES >> 20} MiB")])
        text = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise KnowledgeError([Finding(shown, 0, 0, f"cannot be read as UTF-8 text: {error}")]) from None
    return Document(shown, text)


def yaml_files(directory: Path) -> list[Path]:
    """The YAML files of a directory, in a fixed order."""
    return sorted(path for path in directory.glob("*.yaml") if path.is_file() and not path.name.startswith("."))
