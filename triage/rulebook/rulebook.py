"""The compiled rule base as the rooms that reason use it: every part is parsed when it is first asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from json import JSONDecoder

from triage.engine.facts import Fact
from triage.engine.values import Value, sort_key
from triage.knowledge.tables import Tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mmap import mmap
    from typing import Any

    Data = bytes | mmap

_decode = JSONDecoder().raw_decode
_WIDTH = 4  # bytes of an integer


def decoded(data: Any) -> Any:
    """What JSON in UTF-8 says; what follows it does not matter. Raises ValueError where it is none."""
    return _decode(str(data, "utf-8", "surrogatepass"))[0]


def told_instead(entry: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """A fix with what is said instead of it; lines of its own leave no room for those that only one framework understands."""
    return {**entry, **({"commands_of": {}} if "commands" in own else {}), **own}


class Entries(Sequence):  # type: ignore[type-arg]
    """A list whose entries are parsed one by one."""

    __slots__ = ("_data", "_ends", "_length")

    def __init__(self, data: memoryview) -> None:
        """`data` holds how many there are, where the first begins and where each ends, and the entries."""
        self._length = data[:_WIDTH].cast("i")[0]
        start = _WIDTH * (self._length + 2)
        self._ends = data[_WIDTH:start].cast("i")
        self._data = data[start:]

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, number: Any) -> Any:
        if not 0 <= number < self._length:
            raise IndexError(number)
        return decoded(self._data[self._ends[number] : self._ends[number + 1]])


class Stored:
    """A section as it stands in a file: its bytes, and its kind if it is not JSON."""

    __slots__ = ("data", "kind")

    def __init__(self, data: bytes, kind: list[str]) -> None:
        self.data = data
        self.kind = kind


class Rulebook:
    """The compiled rule base. `data` holds its sections; `directory` says where each stands: from, to, and its kind if it is not JSON."""

    __slots__ = ("_cache", "_data", "_directory", "_rows", "_tables")

    def __init__(self, data: memoryview, directory: dict[str, list[Any]]) -> None:
        self._data = data
        self._directory = directory
        self._cache: dict[str, Any] = {}
        self._tables: Tables | None = None
        self._rows: dict[tuple[str, str, Value], list[Fact]] = {}

    def section(self, name: str) -> Any:
        """What a section holds, or {} where there is none of that name."""
        if name not in self._cache:
            self._cache[name] = self._parsed(*self._directory[name]) if name in self._directory else {}
        return self._cache[name]

    def names(self) -> Iterator[str]:
        """The names of all sections."""
        return iter(self._directory)

    def stored(self, name: str) -> Stored:
        """A section as it stands in the file."""
        start, end, *kind = self._directory[name]
        return Stored(bytes(self._data[start:end]), kind)

    def _parsed(self, start: int, end: int, kind: str = "json") -> Any:
        data = self._data[start:end]
        if kind == "entries":
            return Entries(data)
        if kind == "integers":
            return data.cast("i")
        return data.tobytes() if kind == "bytes" else decoded(data)

    @property
    def program(self) -> Mapping[str, Any]:
        """What the engine runs."""
        return _Program(self)

    @property
    def tables(self) -> Tables:
        """The tables of `kb/tables`."""
        if self._tables is None:
            self._tables = Tables(lambda name: self.section(f"table/{name}"))
        return self._tables

    def texts(self, name: str) -> dict[str, Any]:
        """The texts of a diagnosis or of a rule, {} where it has none."""
        return self.section(f"texts/{name}")  # type: ignore[no-any-return]

    def label(self, key: str) -> Any:
        """A text of the vocabulary: `family:ID`, `cause:ID`, `about:ID` or `fix:ID`; {} where unknown."""
        return self.section(f"label/{key}")

    def cases(self, family: str) -> list[dict[str, Any]]:
        """The known cases of a family."""
        return self.section(f"cases/{family}") or []

    def all_cases(self) -> list[dict[str, Any]]:
        """The known cases of all families, by id."""
        families = [name.removeprefix("cases/") for name in self._directory if name.startswith("cases/")]
        return sorted((case for family in families for case in self.cases(family)), key=lambda case: str(case["id"]))

    def search_cases(self, query: str, limit: int) -> list[tuple[dict[str, Any], float]]:
        """The cases that speak of the words of a query, misspelt or not, best first, each with a score from 0 to 1."""
        from triage.knowledge.similarity import search

        cases = {case["id"]: case for case in self.all_cases()}
        return [(cases[name], score) for name, score in search(query, list(cases.values()), limit, self.section("asked"))]

    def table_facts(self, facts: Sequence[Fact]) -> list[Fact]:
        """The rows of tables whose join column's value stands in the slot it joins: what rules can join as `table:NAME`."""
        joins: dict[str, Any] = self.section("joins")
        known: dict[str, set[Value]] = {slot: set() for join, _ in joins.values() for slot in join.values()}
        of_template: dict[str, list[Fact]] = {}
        for fact in facts:
            of_template.setdefault(fact.template, []).append(fact)
            for slot, value in fact.slots.items():
                if slot in known:
                    known[slot].add(value)
        rows: list[Fact] = []
        for name, (join, needs) in joins.items():
            if needs is not None and not _met(needs, of_template):
                continue
            for column, slot in join.items():
                for value in sorted(known[slot], key=sort_key):
                    rows += self._rows_of(name, column, value)
        return rows

    def _rows_of(self, name: str, column: str, value: Value) -> list[Fact]:
        key = (name, column, value)
        rows = self._rows.get(key)
        if rows is None:
            rows = [Fact(f"table:{name}", row) for row in self.tables.table(name).where(**{column: value})]
            if rows:  # the values of tables are few; those of logs are not
                self._rows[key] = rows
        return rows


def _met(needs: list[list[Any]], of_template: dict[str, list[Fact]]) -> bool:
    """Whether some fact has one of the values that rows of a table are wanted for."""
    for template, slot, value in needs:
        for fact in of_template.get(template, ()):
            if fact.get(slot) == value:
                return True
    return False


class _Program(Mapping):  # type: ignore[type-arg]
    """The parts of the compiled program by name."""

    __slots__ = ("_book", "_parts")

    def __init__(self, book: Rulebook) -> None:
        self._book = book
        self._parts: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        part = self._parts.get(name)
        if part is None:
            if f"program/{name}" not in self._book._directory:
                raise KeyError(name)
            part = self._parts[name] = self._book.section(f"program/{name}")
        return part

    def __iter__(self) -> Iterator[str]:
        return (name.removeprefix("program/") for name in self._book._directory if name.startswith("program/"))

    def __len__(self) -> int:
        return sum(1 for _ in self)
