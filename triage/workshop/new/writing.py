"""A draft as the text of a rule file, laid out as people write it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.\-/]*\Z")
_WIDTH = 100
_NOT_WORDS = re.compile(r"(?:true|false|null|yes|no|on|off|~|[-+.0-9]+)\Z", re.IGNORECASE)


def quoted(text: str) -> str:
    """A text as a YAML scalar on one line: bare where that is safe, else in single quotes, else as JSON has it."""
    if _PLAIN.match(text) and not _NOT_WORDS.match(text):
        return text
    if text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    return json.dumps(text, ensure_ascii=False)


def both(key: str, texts: Mapping[str, str]) -> list[str]:
    """A text in both languages under a key: in one line where it is short."""
    line = f"{key}: {{en: {quoted(texts['en'])}, zh: {quoted(texts['zh'])}}}"
    if len(line) <= _WIDTH:
        return [line]
    return [f"{key}:", f"  en: {quoted(texts['en'])}", f"  zh: {quoted(texts['zh'])}"]


def block(text: str, indent: int) -> str:
    """A text of several lines as a block; as JSON where a block would not keep it."""
    lines = text.rstrip("\n").split("\n")
    if any(not line.isprintable() for line in lines) or not lines[0].strip() or lines[0][0] in " \t":
        return json.dumps(text, ensure_ascii=False)
    return "|\n" + "\n".join((" " * indent + line).rstrip() for line in lines)


def value(data: Any) -> str:
    """A fact of an expectation."""
    if isinstance(data, list):
        return "[" + ", ".join(value(item) for item in data) + "]"
    return quoted(data) if isinstance(data, str) else json.dumps(data)


def rule_text(
    *,
    modeline: str,
    failure: str,
    since: str,
    title: Mapping[str, str],
    about: Mapping[str, str],
    sources: Sequence[str],
    signature: str,
    forms: str,
    span: int,
    diagnosis: str,
    cause: str | None,
    confidence: float,
    summary: Mapping[str, Sequence[str]],
    fixes: Sequence[str],
    example: str,
    expect: Mapping[str, Any],
    near: str,
) -> str:
    """The file. Without sources it allows itself to have none, and says why."""
    lines = [f"# yaml-language-server: $schema={modeline}", f"failure: {failure}", "status: nursery", f'since: "{since}"']
    lines += [*both("title", title), *both("about", about)]
    if sources:
        lines += ["references:", *[f"  - {{url: {quoted(url)}, note: the form of the message}}" for url in sources]]
    else:
        lines += ["allow:", "  - {code: L060, because: written from a log; cite the source of the message before the rule becomes stable}"]
    lines += ["signatures:", f"  - id: {signature}", f"    text: {quoted(forms) if span == 1 else json.dumps(forms, ensure_ascii=False)}"]
    lines += [f"    span: {span}"] if span > 1 else []
    lines += [f"    source: {quoted(sources[0])}"] if sources else []
    lines += ["diagnoses:", f"  - id: {diagnosis}"]
    lines += [f"    cause: {cause}"] if cause else []
    lines += [f"    confidence: {confidence}"]
    if summary:
        lines += ["    summary:", *[f"      {lang}: {json.dumps(list(texts), ensure_ascii=False)}" for lang, texts in summary.items()]]
    lines += [f"    fixes: [{', '.join(fixes)}]", "examples:"]
    lines += ["  - name: the log this was written from", f"    text: {block(example, 6)}", f"    expect: {_mapping(expect)}"]
    shown = block(near, 6) if "\n" in near else quoted(near)
    lines += ["  - name: the words without the failure", "    near_miss: true", f"    text: {shown}", "    expect: none"]
    return "\n".join(lines) + "\n"


def _mapping(expect: Mapping[str, Any]) -> str:
    parts = []
    for key, data in expect.items():
        shown = "{" + ", ".join(f"{name}: {value(item)}" for name, item in data.items()) + "}" if isinstance(data, Mapping) else value(data)
        parts.append(f"{key}: {shown}")
    return "{" + ", ".join(parts) + "}"
