"""Compiled rules on disk: built once, found again, rebuilt when a rule file changes.

One file holds a header line (JSON: format, fingerprint, sizes of the sections) and the sections (JSON each). `index` is
parsed at every start; texts, cases and tables only when a report speaks of them. The file lies in the package's
`_compiled` directory or, where that cannot be written, in the user's cache directory; it is written aside and renamed,
so processes that start together see either nothing or all of it. Where neither can be written the rules are compiled
in memory. It is data only: a forged file can be wrong, it cannot run.
"""

from __future__ import annotations

import json
import os
import sys
import zlib
from collections.abc import Iterable, Sequence
from typing import Any

from triage.engine import Fact
from triage.engine.values import Value, sort_key
from triage.knowledge.tables import Tables

FORMAT = 1
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Rulebook:
    """The compiled rule base as the rooms that reason use it."""

    __slots__ = ("_cache", "_data", "_sections", "_tables")

    def __init__(self, data: bytes, sections: dict[str, tuple[int, int]]) -> None:
        self._data = data
        self._sections = sections
        self._cache: dict[str, Any] = {}
        self._tables: Tables | None = None

    def section(self, name: str) -> Any:
        """The parsed section, or {} where there is none of that name."""
        if name not in self._cache:
            start, size = self._sections.get(name, (0, 0))
            self._cache[name] = json.loads(self._data[start : start + size]) if size else {}
        return self._cache[name]

    @property
    def index(self) -> dict[str, Any]:
        index: dict[str, Any] = self.section("index")
        return index

    @property
    def tables(self) -> Tables:
        """The tables of `kb/tables`."""
        if self._tables is None:
            self._tables = Tables(lambda name: self.section(f"table/{name}"))
        return self._tables

    def texts(self, name: str) -> dict[str, Any]:
        """The texts of a diagnosis or of a rule, {} where it has none."""
        owner = self.index["owners"].get(name)
        texts: dict[str, Any] = self.section(f"texts/{owner}") if owner else {}
        return texts.get(name, {})  # type: ignore[no-any-return]

    def table_facts(self, facts: Iterable[Fact]) -> list[Fact]:
        """The rows of tables whose key stands in some fact: what rules can join as `table:NAME`."""
        joins: dict[str, dict[str, str]] = self.index.get("tables", {})
        known: dict[str, set[Value]] = {slot: set() for join in joins.values() for slot in join.values()}
        for fact in facts:
            for slot, value in fact.slots.items():
                if slot in known:
                    known[slot].add(value)
        rows: list[Fact] = []
        for name, join in joins.items():
            for column, slot in join.items():
                if known[slot]:
                    table = self.tables.table(name)
                    rows += [Fact(f"table:{name}", row) for value in sorted(known[slot], key=sort_key) for row in table.where(**{column: value})]
        return rows

    def label(self, key: str) -> Any:
        """A text of the vocabulary: `family:ID`, `cause:ID` or `fix:ID`; {} where unknown."""
        return self.section("vocabulary").get(key, {})


def shipped_directory(name: str) -> str:
    """`rules` or `kb`: inside an installed package, or at the top of a checkout."""
    inside = os.path.join(_PACKAGE, name)
    return inside if os.path.isdir(inside) else os.path.join(os.path.dirname(_PACKAGE), name)


def load_rulebook(packs: Sequence[str] = ()) -> Rulebook:
    """The shipped rules and those of further directories, compiled. Raises RuleError where a rule file is wrong."""
    roots = [shipped_directory("rules"), *packs]
    kb = shipped_directory("kb")
    fingerprint = _fingerprint([*roots, kb])
    name = f"rules-{FORMAT}-{zlib.crc32(fingerprint.encode()):08x}.json"
    places = _places()
    for place in places:
        book = _read(os.path.join(place, name), fingerprint)
        if book is not None:
            return book
    from triage.rulebook.build import build  # YAML and the checks cost time: only when something changed

    sections = build(roots, kb)
    data, offsets = _pack(sections, fingerprint)
    for place in places:
        if _write(place, name, data):
            break
    return Rulebook(data, offsets)


def _places() -> list[str]:
    cache = os.environ.get("XDG_CACHE_HOME") or (
        os.environ.get("LOCALAPPDATA") if sys.platform == "win32" else os.path.join(os.path.expanduser("~"), ".cache")
    )
    return [os.path.join(_PACKAGE, "_compiled"), os.path.join(cache or _PACKAGE, "gpu-triage")]


def _fingerprint(roots: Sequence[str]) -> str:
    """Path, size and time of every file below the roots, and of the modules that compile them."""
    parts = [f"{FORMAT} {sys.version_info[:2]}"]
    for root in [*roots, *(os.path.join(_PACKAGE, room) for room in ("rulebook", "engine", "signatures", "facts", "knowledge"))]:
        parts.append(os.path.abspath(root))
        parts.extend(_entries(root))
    return "\n".join(parts)


def _entries(root: str) -> list[str]:
    found: list[str] = []
    stack = [root]
    while stack:
        directory = stack.pop()
        try:
            with os.scandir(directory) as entries:
                for entry in entries:
                    if entry.name.startswith((".", "__pycache__")):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        stack.append(entry.path)
                    else:
                        state = entry.stat()
                        found.append(f"{entry.path[len(root):]} {state.st_size} {state.st_mtime_ns}")
        except OSError:
            continue
    return sorted(found)


def _pack(sections: dict[str, Any], fingerprint: str) -> tuple[bytes, dict[str, tuple[int, int]]]:
    bodies = {name: json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass") for name, body in sections.items()}
    header = json.dumps({"format": FORMAT, "fingerprint": fingerprint, "sections": [[name, len(body)] for name, body in bodies.items()]})
    data = header.encode() + b"\n" + b"".join(bodies.values())
    return data, _offsets(len(header.encode()) + 1, [(name, len(body)) for name, body in bodies.items()])


def _offsets(start: int, sizes: Sequence[tuple[str, int]]) -> dict[str, tuple[int, int]]:
    offsets = {}
    for name, size in sizes:
        offsets[name] = (start, size)
        start += size
    return offsets


def _read(path: str, fingerprint: str) -> Rulebook | None:
    try:
        with open(path, "rb") as file:
            data = file.read()
        end = data.index(b"\n")
        header = json.loads(data[:end])
        offsets = _offsets(end + 1, [(name, size) for name, size in header["sections"]])
        whole = all(start + size <= len(data) for start, size in offsets.values())
        if header["format"] != FORMAT or header["fingerprint"] != fingerprint or not whole:
            return None
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return Rulebook(data, offsets)


def _write(place: str, name: str, data: bytes) -> bool:
    aside = os.path.join(place, f".{name}.{os.getpid()}")
    try:
        os.makedirs(place, exist_ok=True)
        with open(aside, "wb") as file:
            file.write(data)
        os.replace(aside, os.path.join(place, name))
        _drop_old(place, name)
    except OSError:
        try:
            os.unlink(aside)
        except OSError:
            pass
        return False
    return True


def _drop_old(place: str, name: str) -> None:
    """Keep the newest few: a changed rule base makes a new name each time."""
    old = sorted((entry.stat().st_mtime_ns, entry.path) for entry in os.scandir(place) if entry.name.startswith("rules-") and entry.name != name)
    for _, path in old[:-3]:
        os.unlink(path)
