"""Tables of facts: Xid codes, drivers and CUDA versions, GPUs, builds, models …

`load_tables` reads and checks `kb/tables/*.yaml` when knowledge is compiled. A report reads compiled tables through
`Tables`, which builds each one when it is first asked for.
"""

from __future__ import annotations

from triage.engine.values import TYPE_CHECKING, Value, Version
from triage.facts.quantities import parse_bytes, parse_version

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import Any, TypeAlias, TypeVar

    from triage.knowledge.sources import Document

    Row: TypeAlias = tuple[Value | None, ...]
    Slots: TypeAlias = dict[str, Value]
    T = TypeVar("T")


class Table:
    """Rows of typed values under named columns. A value that is not known is None in a row and absent from slots."""

    __slots__ = ("_indices", "columns", "join", "key", "name", "rows", "source", "types")

    def __init__(
        self, name: str, columns: tuple[str, ...], types: tuple[str, ...], key: tuple[str, ...], rows: list[Row], source: list[str],
        join: dict[str, str] | None = None,
    ) -> None:  # fmt: skip
        self.name = name
        self.columns = columns
        self.types = types
        self.key = key
        self.join = join or {column: column for column in key}
        self.rows = rows
        self.source = source
        self._indices: dict[str, dict[Value, list[int]]] = {}

    def slots(self, row: Row) -> Slots:
        """A row by column names."""
        return {column: value for column, value in zip(self.columns, row, strict=True) if value is not None}

    def find(self, column: str, value: Value) -> Slots | None:
        """The first row with this value, or None. Raises KeyError for a column that the table lacks."""
        positions = self._index(column).get(value)
        return self.slots(self.rows[positions[0]]) if positions else None

    def where(self, **wanted: Value) -> list[Slots]:
        """All rows with these values, in the order of the file. Raises KeyError for a column that the table lacks."""
        positions: set[int] | None = None
        for column, value in wanted.items():
            matching = set(self._index(column).get(value, ()))
            positions = matching if positions is None else positions & matching
        chosen = range(len(self.rows)) if positions is None else sorted(positions)
        return [self.slots(self.rows[position]) for position in chosen]

    def to_data(self) -> dict[str, Any]:
        """The table as JSON can hold it; the types of its columns tell how to read it back."""
        return {
            "name": self.name,
            "columns": list(self.columns),
            "types": list(self.types),
            "key": list(self.key),
            "join": self.join,
            "rows": [[_stored(value) for value in row] for row in self.rows],
            "source": self.source,
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Table:
        """The table that `to_data` wrote."""
        types = tuple(data["types"])
        rows = [tuple(_restored(kind, cell) for kind, cell in zip(types, row, strict=True)) for row in data["rows"]]
        return cls(data["name"], tuple(data["columns"]), types, tuple(data["key"]), rows, data["source"], data["join"])

    def _index(self, column: str) -> dict[Value, list[int]]:
        index = self._indices.get(column)
        if index is None:
            if column not in self.columns:
                raise KeyError(f"table {self.name} has no column {column}")
            place = self.columns.index(column)
            index = {}
            for position, row in enumerate(self.rows):
                value = row[place]
                if value is not None:
                    index.setdefault(value, []).append(position)
            self._indices[column] = index
        return index


def _stored(value: Value | None) -> Any:
    if isinstance(value, Version):
        return str(value)
    if isinstance(value, tuple):
        return [_stored(item) for item in value]
    return value


def _restored(kind: str, cell: Any) -> Value | None:
    if kind.startswith("list:") and cell is not None:
        return tuple(item for item in (_restored(kind.removeprefix("list:"), item) for item in cell) if item is not None)
    if kind == "version" and cell is not None:
        return parse_version(cell)
    return cell  # type: ignore[no-any-return]


class Tables:
    """The compiled tables. `read` gives what `Table.to_data` wrote for a name, or nothing (None, {}) where there is none."""

    __slots__ = ("_made", "_read", "_tables")

    def __init__(self, read: Callable[[str], Any]) -> None:
        self._read = read
        self._tables: dict[str, Table] = {}
        self._made: dict[tuple[Any, ...], list[Any]] = {}

    def table(self, name: str) -> Table:
        """The table of this name. Raises KeyError where there is none."""
        table = self._tables.get(name)
        if table is None:
            data = self._read(name)
            if not data:
                raise KeyError(f"no table {name}")
            table = self._tables[name] = Table.from_data(data)
        return table

    def made(self, name: str, kind: Callable[[Slots], T], **wanted: Value) -> list[T]:
        """What `kind` makes of each row with these values, made once for all texts. Raises KeyError as `table` and `Table.where` do."""
        key = (name, kind, *sorted(wanted.items()))
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = [kind(row) for row in self.table(name).where(**wanted)]
        return made


def load_tables(root: Path) -> list[Table]:
    """Read and check all tables below `root` (`kb`), in order of their names. Raises KnowledgeError with everything wrong in any."""
    from triage.knowledge.schema import TableFile
    from triage.knowledge.sources import Finding, KnowledgeError, read_document, yaml_files

    tables: list[Table] = []
    findings: list[Finding] = []
    for path in yaml_files(root / "tables"):
        try:
            document = read_document(path, root)
            model = document.model(TableFile)
            if model.table != path.stem:
                raise KnowledgeError([document.finding(["table"], f"table: must be {path.stem}, the name of the file")])
            columns = tuple(column.name for column in model.columns)
            types: tuple[str, ...] = tuple(column.type for column in model.columns)
            rows = _typed_rows(document, model.rows, columns, types)
            _check_key(document, rows, columns, tuple(model.key))
            source = [source.url for source in model.source]
            tables.append(Table(model.table, columns, types, tuple(model.key), rows, source, model.join))
        except KnowledgeError as error:
            findings.extend(error.findings)
    if findings:
        raise KnowledgeError(findings)
    return tables


def _typed_rows(document: Document, rows: list[list[Any]], columns: tuple[str, ...], types: tuple[str, ...]) -> list[Row]:
    from triage.knowledge.sources import KnowledgeError

    typed: list[Row] = []
    findings = []
    for number, row in enumerate(rows):
        if len(row) != len(columns):
            findings.append(document.finding(["rows", number], f"{len(row)} values for {len(columns)} columns"))
            continue
        values: list[Value | None] = []
        for place, (column, kind, cell) in enumerate(zip(columns, types, row, strict=True)):
            try:
                values.append(None if cell is None else _typed(kind, cell))
            except ValueError as error:
                findings.append(document.finding(["rows", number, place], f"{column}: {error}"))
        typed.append(tuple(values))
    if findings:
        raise KnowledgeError(findings)
    return typed


def _check_key(document: Document, rows: list[Row], columns: tuple[str, ...], key: tuple[str, ...]) -> None:
    from triage.knowledge.sources import KnowledgeError

    if not key:
        return
    places = [columns.index(name) for name in key]
    seen: dict[Row, int] = {}
    findings = []
    for number, row in enumerate(rows):
        value = tuple(row[place] for place in places)
        if value in seen:
            findings.append(document.finding(["rows", number], f"the same {', '.join(key)} as row {seen[value] + 1}"))
        seen.setdefault(value, number)
    if findings:
        raise KnowledgeError(findings)


def _typed(kind: str, cell: Any) -> Value:
    """A cell as its column's type. Raises ValueError."""
    if kind.startswith("list:"):
        if not isinstance(cell, list):
            raise ValueError(f"{cell!r} is no list")
        return tuple(_typed(kind.removeprefix("list:"), item) for item in cell)
    if isinstance(cell, list):
        raise ValueError(f"a list where {kind} is expected")
    if kind == "version":
        version = parse_version(cell) if isinstance(cell, str) else None
        if version is None:
            raise ValueError(f"{cell!r} is no version; write it in quotes")
        return version
    if kind == "bytes":
        size = cell if isinstance(cell, int) and not isinstance(cell, bool) else parse_bytes(str(cell))
        if size is None:
            raise ValueError(f"{cell!r} is no size")
        return size
    for name, kinds in (("bool", (bool,)), ("int", (int,)), ("float", (int, float)), ("str", (str,))):
        if kind == name:
            if not isinstance(cell, kinds) or (isinstance(cell, bool) and kind != "bool"):
                raise ValueError(f"{cell!r} is no {kind}")
            return float(cell) if kind == "float" else cell
    raise ValueError(f"unknown type {kind}")
