"""The pre-commit hook: which GPU failures logs hold that no baseline allows.

A baseline is a JSON or YAML list of what is known and accepted, each entry a log and the id of a diagnosis:

    [{"file": "logs/nightly.log", "id": "memory.gpu-oom.fragmentation", "reason": "kept as an example"}]

Paths are relative to the baseline's directory. Entries may carry further keys; they are kept.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from triage.reading.compressed import ArchiveError, unpacked
from triage.scan.sources import SAMPLE, looks_like_source, named_as_source

if TYPE_CHECKING:
    from triage.pipeline import Triage

_TOO_DEEP: Final = "nested too deep to be a list of entries with a `file` and an `id`"


class BaselineError(Exception):
    """A baseline that cannot be read, with the reason in one line."""


class Finding:
    """A failure in a log: where, which, and its title. What follows from another failure is no finding of its own."""

    __slots__ = ("file", "id", "line", "title")

    def __init__(self, file: str, line: int, id: str, title: str) -> None:
        self.file, self.line, self.id, self.title = file, line, id, title

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.id}: {self.title}"


def findings(engine: Triage, file: str, lang: str = "en") -> list[Finding]:
    """The failures that a log reports, root causes only. Raises OSError where it cannot be read."""
    if named_as_source(file):
        return []
    with open(file, "rb") as stream:
        try:
            diagnoses = engine.explain(unpacked(stream)).to_dict(lang)["diagnoses"]
        except ArchiveError:
            return []
        if diagnoses and stream.seekable():
            stream.seek(0)
            if looks_like_source(unpacked(stream).read(SAMPLE)):
                return []
    return [
        Finding(file, item["evidence"][0]["line"] if item["evidence"] else 1, item["id"], item["title"])
        for item in diagnoses
        if item["consequence_of"] is None
    ]


class Baseline:
    """What is accepted: a set of (file, diagnosis)."""

    def __init__(self, path: str, entries: Iterable[dict[str, Any]] = ()) -> None:
        self._path = path
        self._entries = {(entry["file"], entry["id"]): dict(entry) for entry in entries}

    @classmethod
    def load(cls, path: str, missing_is_empty: bool = False) -> Baseline:
        """Read a baseline; YAML where the name ends in .yaml or .yml, else JSON. Raises BaselineError."""
        try:
            with open(path, encoding="utf-8") as stream:
                data = _parse(stream.read(), path)
        except FileNotFoundError as error:
            if missing_is_empty:
                return cls(path)
            raise BaselineError(f"{path}: no such file; make it with --update-baseline") from error
        except (OSError, UnicodeDecodeError) as error:
            raise BaselineError(f"{path}: {getattr(error, 'strerror', None) or 'not UTF-8'}") from error
        for entry in data if isinstance(data, list) else [None]:
            if not (isinstance(entry, dict) and isinstance(entry.get("file"), str) and isinstance(entry.get("id"), str)):
                raise BaselineError(f"{path}: must be a list of entries with a `file` and an `id`")
        return cls(path, data)

    def allows(self, finding: Finding) -> bool:
        """Whether the baseline has this failure for this log."""
        return (self._key(finding.file), finding.id) in self._entries

    def update(self, files: Iterable[str], found: Iterable[Finding]) -> None:
        """Make the entries of these files what was found in them; what is known of other files stays."""
        current = {self._key(file) for file in files}
        kept = {key: entry for key, entry in self._entries.items() if key[0] not in current}
        for finding in found:
            key = (self._key(finding.file), finding.id)
            kept[key] = self._entries.get(key, {"file": key[0], "id": key[1]})
        self._entries = kept

    def save(self) -> None:
        """Write the baseline, sorted. Raises OSError."""
        entries = [self._entries[key] for key in sorted(self._entries)]
        with open(self._path, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(_dump(entries, self._path))

    def _key(self, file: str) -> str:
        """The path as the baseline writes it: relative to its directory, with forward slashes."""
        try:
            path = os.path.relpath(file, os.path.dirname(os.path.abspath(self._path)))
        except ValueError:  # another drive
            path = os.path.abspath(file)
        return path.replace(os.sep, "/")


def check(engine: Triage, files: Iterable[str], baseline: Baseline | None, lang: str = "en") -> Iterator[Finding | OSError]:
    """Findings that the baseline does not allow, file by file; an OSError (with `filename`) for one that cannot be read."""
    for file in files:
        try:
            for finding in findings(engine, file, lang):
                if baseline is None or not baseline.allows(finding):
                    yield finding
        except OSError as error:
            error.filename = file
            yield error


def _is_yaml(path: str) -> bool:
    return path.lower().endswith((".yaml", ".yml"))


def _parse(text: str, path: str) -> Any:
    """Raises BaselineError with the place of the first mistake."""
    if not text.strip():
        return []
    if _is_yaml(path):
        import yaml

        try:
            return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)) or []
        except yaml.YAMLError as error:
            raise BaselineError(f"{path}: {' '.join(str(error).split())}") from error
        except RecursionError as error:
            raise BaselineError(f"{path}: {_TOO_DEEP}") from error
    import json

    try:
        return json.loads(text)
    except ValueError as error:
        raise BaselineError(f"{path}: {error}") from error
    except RecursionError as error:
        raise BaselineError(f"{path}: {_TOO_DEEP}") from error


def _dump(entries: list[dict[str, Any]], path: str) -> str:
    if _is_yaml(path):
        import yaml

        return yaml.safe_dump(entries, sort_keys=True, allow_unicode=True) if entries else "[]\n"
    import json

    return json.dumps(entries, indent=2, sort_keys=True, ensure_ascii=True) + "\n"
