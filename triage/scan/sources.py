"""Which files are logs: those that are named, and those below directories that are named, less what cannot be one."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

from triage.reading.decoding import wide_encoding

# Files that are not logs whatever they quote.
_SOURCE_SUFFIXES: Final = (
    ".py", ".pyi", ".ipynb", ".c", ".cc", ".cpp", ".cu", ".cuh", ".h", ".hpp", ".rs", ".go", ".java", ".js", ".ts", ".rb", ".sh",
    ".toml", ".yaml", ".yml", ".json", ".csv", ".tsv", ".md", ".rst", ".html", ".css", ".svg",
)  # fmt: skip
_PACKED_SUFFIXES: Final = (".gz", ".bz2", ".xz", ".zst")
# How lines of source code begin, in the languages that GPU programs are written in; and how lines of a traceback do.
_CODE_STARTS: Final = (
    "def ", "class ", "import ", "from ", "if ", "elif ", "else:", "for ", "while ", "return", "raise ", "try:", "except", "with ",
    "assert ", "async ", "await ", "yield ", "@", "# ", "#!", '"""', "#include", "#define", "#pragma", "//", "/*", "*/", "{", "}",
    "template", "namespace ", "using ", "struct ", "auto ", "const ", "static ", "void ", "int ", "float ", "let ", "var ",
    "function ", "fn ", "pub ", "use ", "package ",
)  # fmt: skip
_TRACE_STARTS: Final = ("Traceback (most recent", '  File "', '    File "')
SAMPLE: Final = 1 << 16  # bytes looked at
_CODE_SHARE: Final = 0.4


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read; `given` where it was named itself, and is read whatever it looks like. `problem` says why it cannot be."""

    path: str
    size: int = 0
    given: bool = True
    problem: str = ""


def find_sources(paths: Iterable[str], only: Sequence[str] = (), but: Sequence[str] = ()) -> Iterator[Source]:
    """The files that are named, and those below the directories that are named, in order of their names and each once.

    Of those below directories: with patterns in `only` those that one of them fits, and none that one in `but` fits; a pattern with a slash
    speaks of the path below the directory, others of the name. Hidden files and directories, links to directories, and what is no
    regular file are passed over.
    """
    seen: set[tuple[int, int]] = set()
    for path in paths:
        if path == "-":
            yield Source(path)
        elif os.path.isdir(path):
            yield from _below(path, only, but, seen)
        else:
            try:
                status = os.stat(path)
            except OSError as error:
                yield Source(path, problem=error.strerror or str(error))
                continue
            if _first(status, seen):
                yield Source(path, status.st_size)


def _below(directory: str, only: Sequence[str], but: Sequence[str], seen: set[tuple[int, int]]) -> Iterator[Source]:
    problems: list[OSError] = []
    for place, folders, names in os.walk(directory, onerror=problems.append):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = os.path.join(place, name)
            below = os.path.relpath(path, directory).replace(os.sep, "/")
            if name.startswith(".") or (only and not _fits(below, only)) or _fits(below, but):
                continue
            try:
                status = os.stat(path)
            except OSError as error:
                problems.append(error)
                continue
            if stat.S_ISREG(status.st_mode) and status.st_size and _first(status, seen):
                yield Source(path, status.st_size, given=False)
        while problems:
            met = problems.pop(0)
            yield Source(os.fspath(met.filename or place), given=False, problem=met.strerror or str(met))


def _fits(path: str, patterns: Sequence[str]) -> bool:
    name = path.rpartition("/")[2]
    return any(fnmatchcase(path if "/" in pattern else name, pattern) for pattern in patterns)


def _first(status: os.stat_result, seen: set[tuple[int, int]]) -> bool:
    """Whether a file is met for the first time: the log that a link called `latest` leads to is read once."""
    key = status.st_dev, status.st_ino
    if not status.st_ino:  # a file system without such numbers
        return True
    first = key not in seen
    seen.add(key)
    return first


def named_as_source(path: str) -> bool:
    """Whether a file's name, that of its text where it is compressed, says that it is no log."""
    name = path.lower()
    packed = next((suffix for suffix in _PACKED_SUFFIXES if name.endswith(suffix)), "")
    return name.removesuffix(packed).endswith(_SOURCE_SUFFIXES)


def looks_binary(start: bytes) -> bool:
    """Whether a file that begins so is no text."""
    return b"\0" in start and not wide_encoding(start)


def looks_like_source(data: bytes) -> bool:
    """Whether a text is a program rather than what one printed: it may quote the messages it handles."""
    lines = [line for line in data.decode("utf-8", "replace").splitlines() if line.strip()]
    if any(line.startswith(_TRACE_STARTS) for line in lines):
        return False
    code = sum(line.lstrip().startswith(_CODE_STARTS) and not _is_record(line) for line in lines)
    return code > _CODE_SHARE * len(lines)


def _is_record(line: str) -> bool:
    """Whether a line is a whole JSON object, as collectors of logs write them; source code breaks its braces over lines."""
    text = line.strip()
    return text.startswith(('{"', '{ "')) and text.endswith(("}", "},")) and '":' in text.replace('" :', '":', 1)
