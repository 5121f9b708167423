"""YAML files → checked `RuleFile`s, with the place of everything that is wrong.

YAML is read by the safe C loader with aliases refused (an alias bomb is the one way a YAML text can grow) and sizes
bounded: a rule pack from a stranger can at worst be wrong.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from stat import S_ISREG
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import yaml
from pydantic import BaseModel, ValidationError

from triage.knowledge.form import not_yaml, wrong_forms
from triage.knowledge.growth import growth
from triage.rulebook.errors import Problem, RuleError
from triage.rulebook.schema import DiagnosisRule, RuleFile
from triage.rulebook.walking import TooManyEntriesError, files_below
from triage.rulebook.yaml12 import RuleLoader

MAX_FILE_BYTES = 2 * 1024 * 1024
Model = TypeVar("Model", bound=BaseModel)
_READ: WeakValueDictionary[str, RuleFile] = WeakValueDictionary()  # by their texts: what is still in use is not read again


class Source:
    """A rule file as read: its path as shown, its model, and its text for positions.

    `namespace` is that of the rule pack it belongs to, "" outside of packs; `overrides` are the ids that the pack takes over; `aliases`
    are the short names that mean something of the pack; `pack` is its directory, "" for what is shipped; `without` are the ids of
    diagnoses in this file that some pack takes over.
    """

    __slots__ = ("_root", "_text", "aliases", "inside", "model", "namespace", "overrides", "pack", "path", "without")

    def __init__(self, path: str, model: RuleFile, text: str, namespace: str = "", overrides: Collection[str] = ()) -> None:
        self.path = path
        self.model = model
        self.namespace = namespace
        self.overrides = frozenset(overrides)
        self.aliases: Mapping[str, str] = {}
        self.inside = path.split("/", 1)[-1]  # below its directory
        self.pack = ""
        self.without: frozenset[str] = frozenset()
        self._text = text
        self._root: yaml.Node | None = None

    @property
    def failure(self) -> str | None:
        """The failure under the name by which signals know it: with the pack's namespace, unless the pack overrides it."""
        return None if self.model.failure is None else self._qualified(self.model.failure, self.model.failure)

    def diagnosis(self, rule: DiagnosisRule) -> str:
        """The id of a diagnosis of this file."""
        return self._qualified(f"{self.model.family}.{rule.id}", self.model.failure or "")

    def diagnoses(self) -> Iterator[tuple[int, DiagnosisRule]]:
        """The diagnoses that no pack takes over, each with its place in the file."""
        for number, rule in enumerate(self.model.diagnoses):
            if self.diagnosis(rule) not in self.without:
                yield number, rule

    def resolve(self, name: str) -> str:
        """The id that a name means in this file: inside a pack, its own diagnoses and cases need no namespace."""
        return self.aliases.get(name, name)

    @property
    def stem(self) -> str:
        """The file's name below its directory, with which the names of its further rules begin."""
        stem = self.inside.removesuffix(".yaml")
        return f"{self.namespace}:{stem}" if self.namespace else stem

    def _qualified(self, name: str, failure: str) -> str:
        return name if not self.namespace or name in self.overrides or failure in self.overrides else f"{self.namespace}:{name}"

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
        """A finding at the place that lies under these keys."""
        place = tuple(keys)
        return Problem(self.path, *self.position(*place), code, message, severity, rule_id(self.model, place))


def rule_files(root: Path) -> list[Path]:
    """All rule files below a directory, in a fixed order; a file stands for itself. Raises RuleError where there is far too much."""
    if root.is_file():
        return [root]
    try:
        return sorted(Path(entry.path) for entry in files_below(str(root)) if entry.name.endswith(".yaml") and os.path.isfile(entry.path))
    except TooManyEntriesError as error:
        raise RuleError([Problem(str(root), 0, 0, "R002", f"{error}: name the directory of the rules itself")]) from None


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


def load_file(path: Path, shown: str | None = None, namespace: str = "", overrides: Collection[str] = ()) -> Source:
    """Read one rule file. Raises RuleError."""
    return load_text(read_text(path, shown or str(path)), shown or str(path), namespace, overrides)


def read_text(path: Path, shown: str) -> str:
    """The text of a YAML file. Raises RuleError where it cannot be read or is larger than any such file needs to be."""
    try:
        state = path.stat()
        if not S_ISREG(state.st_mode):  # a pipe or a device might never end
            raise RuleError([Problem(shown, 0, 0, "R001", "is no file: only files are read")])
        if state.st_size > MAX_FILE_BYTES:
            raise RuleError([Problem(shown, 0, 0, "R002", f"larger than {MAX_FILE_BYTES >> 20} MiB: split it by failure")])
        data = path.read_bytes()
    except OSError as error:
        raise RuleError([Problem(shown, 0, 0, "R001", f"cannot be read: {error.strerror or error}")]) from None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line, column = data.count(b"\n", 0, error.start) + 1, error.start - data.rfind(b"\n", 0, error.start)
        wrong = f"cannot be read as UTF-8 text (byte 0x{data[error.start]:02x}): save it as UTF-8"
        raise RuleError([Problem(shown, line, column, "R001", wrong)]) from None


def load_text(text: str, shown: str, namespace: str = "", overrides: Collection[str] = ()) -> Source:
    """Check the text of a rule file. Raises RuleError."""
    model = _READ.get(text)
    if model is None:
        model = _READ[text] = check_text(text, shown, RuleFile)
    return Source(shown, model, text, namespace, overrides)


def check_text(text: str, shown: str, kind: type[Model]) -> Model:
    """The text of a YAML file as a model. Raises RuleError."""
    try:
        refused = growth(text, RuleLoader)
        if refused is not None:
            code = "R005" if refused.alias else "R003"
            raise RuleError([Problem(shown, refused.line, refused.column, code, refused.message)])
        data = yaml.load(text, Loader=RuleLoader)
    except yaml.MarkedYAMLError as error:
        raise RuleError([Problem(shown, *_place(error.problem_mark), "R003", not_yaml(error, text))]) from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise RuleError([Problem(shown, 0, 0, "R003", f"not YAML: {error}")]) from None
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        root = yaml.compose(text, Loader=RuleLoader)
        found = [(*_position(root, keys), message, rule_id(data, keys)) for keys, message in wrong_forms(error, data, kind)]
        raise RuleError([Problem(shown, line, column, "R004", said, rule=rule) for line, column, said, rule in found]) from None


def rule_id(file: Any, keys: tuple[str | int, ...]) -> str:
    """The id of the signature, diagnosis or rule that keys lead into, in a model or in plain data; "" where there is none."""
    if len(keys) < 2 or keys[0] not in ("signatures", "diagnoses", "rules") or not isinstance(keys[1], int):
        return ""
    items = file.get(keys[0]) if isinstance(file, dict) else getattr(file, str(keys[0]), None)
    if not isinstance(items, list) or keys[1] >= len(items):
        return ""
    item = items[keys[1]]
    found = item.get("id") if isinstance(item, dict) else getattr(item, "id", "")
    return found if isinstance(found, str) and len(found) <= 100 else ""


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
