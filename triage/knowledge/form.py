"""What pydantic found wrong in a file, in the words of someone who writes such files: where, what is wrong, what would be right."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, get_args

from pydantic import BaseModel, ValidationError

from triage.facts.spelling import did_you_mean

Keys = tuple[str | int, ...]

_FEW = 20  # values that are listed where none of them was given

_NOUNS = {
    "string_type": "a text (in quotes, if it looks like something else)",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "list_type": "a list",
    "dict_type": "a mapping (key: value)",
    "model_type": "a mapping (key: value)",
    "none_required": "nothing",
}
_PATTERNS = {
    r"^[a-z0-9][a-z0-9.\-]*$": "small letters, digits, dots and dashes, a letter or digit first",
    r"^[a-z0-9][a-z0-9.\-]*(/[a-z0-9][a-z0-9.\-]*)?$": "a family, or family/name: small letters, digits, dots and dashes",
    r"^[a-z][a-z0-9-]{0,39}$": "small letters, digits and dashes, a letter first, at most 40",
    r"^https?://": "an address: https://…",
    r"^https?://[^\s]+$": "an address: https://…",
    r"^L[0-9]{3}$": "the code of a check: L and three digits",
    r"^[0-9]+(\.[0-9]+)*$": "a release, such as '0.2'",
}


class Wrong(NamedTuple):
    """Something wrong at what lies under `keys`; the message begins with them."""

    keys: Keys
    message: str


def wrong_forms(error: ValidationError, data: Any, kind: type[BaseModel]) -> list[Wrong]:
    """Everything that was found, once: where a value may be of several kinds, what each of them would need is one finding."""
    places: dict[Keys, list[Any]] = {}
    for item in error.errors(include_url=False):
        places.setdefault(_place(item, data), []).append(item)
    found = []
    for keys, items in places.items():
        deeper = any(len(other) > len(keys) and other[: len(keys)] == keys for other in places)
        if deeper and all(item["type"] in _NOUNS for item in items):  # another kind fits better: what that one lacks is told
            continue
        at = ".".join(map(str, keys)) or "file"
        found.append(Wrong(keys, f"{at}: {_said(keys, items, kind)}"))
    return found


def _place(item: Any, data: Any) -> Keys:
    """The keys of the file that lead to an error: without the names that pydantic gives to the kinds a value may be of."""
    keys: list[str | int] = []
    node = data
    for step in item["loc"]:
        if isinstance(node, dict) and (step in node or str(step) in map(str, node)):
            node = node.get(step)
        elif isinstance(node, list) and isinstance(step, int) and step < len(node):
            node = node[step]
        else:
            continue
        keys.append(step)
    if item["type"] == "missing":
        keys.append(item["loc"][-1])
    return tuple(keys)


def _said(keys: Keys, items: Sequence[Any], kind: type[BaseModel]) -> str:
    item = next((item for item in items if item["type"] not in _NOUNS), None)
    if item is None:
        return f"must be {' or '.join(dict.fromkeys(_NOUNS[item['type']] for item in items))}"
    if item["type"] == "missing":
        return "is missing here"
    if item["type"] == "extra_forbidden":
        return "no such key is known here" + _hint(str(keys[-1]), _known(kind, keys[:-1]))
    if item["type"] == "literal_error":
        return _one_of(str(item["input"]), str(item["ctx"]["expected"]))
    if item["type"] == "string_pattern_mismatch":
        pattern = item["ctx"]["pattern"]
        return f"must be {_PATTERNS.get(pattern, f'as {pattern} says')}"
    return str(item["msg"]).removeprefix("Value error, ")


def _one_of(given: str, expected: str) -> str:
    """That one of the values that pydantic lists is expected; of many, whose list it cuts short, the one that was meant."""
    known = re.findall(r"'([^']*)'", expected)
    meant = did_you_mean(given, known) if len(known) > _FEW else ""
    return f"{given!r} is none of those that are known{meant}" if meant else f"must be {expected}"


def _hint(key: str, known: Sequence[str]) -> str:
    return did_you_mean(key, known) or (f"; there are {', '.join(known)}" if known else "")


def _known(kind: type[BaseModel], keys: Keys) -> list[str]:
    """The keys that a mapping at this place may have, in the order of their declaration."""
    models = [kind]
    for key in keys:
        if isinstance(key, int):
            continue
        fields = [field for model in models for name, field in model.model_fields.items() if (field.alias or name) == key]
        models = [model for field in fields for model in _models(field.annotation)]
    return list(dict.fromkeys(field.alias or name for model in models for name, field in model.model_fields.items()))


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        if not isinstance(part, str):
            yield from _models(part)


def not_yaml(error: Any, text: str) -> str:
    """What the YAML parser says (a MarkedYAMLError), with what would be right there."""
    mark = error.problem_mark
    lines = text.split("\n")
    line = lines[mark.line] if mark is not None and mark.line < len(lines) else ""
    hint = _hint_for(str(error.problem), line)
    return f"not YAML: {error.problem}" + (f"; {hint}" if hint else "")


def _hint_for(problem: str, line: str) -> str:
    if "\t" in line[: len(line) - len(line.lstrip())]:
        return "indent with spaces, not with tabs"
    if "cannot start any token" in problem:
        return "put a text that begins with %, @ or ` in quotes"
    if re.search(r"not allowed|expect|could not find", problem):
        return "let lines of one level begin in one column, and put texts that hold `: `, ` #`, brackets or braces in quotes"
    return ""
