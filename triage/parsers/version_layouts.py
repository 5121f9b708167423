"""Versions whose package stands elsewhere than before them: in a heading above, or at the top of a column."""

from __future__ import annotations

import re
from collections.abc import Iterator

from triage.parsers.packages import KNOWN, canonical
from triage.reading import Block, Line
from triage.reading.lazy import Pattern

MAX_HEADING = 70
MAX_TABLES = 20  # a block
_VALUE = Pattern(r"v?([0-9]{1,4}(?:\.[0-9]{1,8}){1,3}[\w.+-]{0,24})\Z")
_NAME_ONLY = Pattern(r"\s*(?:versions?|ver\.?|\u7248\u672c\u53f7?)\s*\Z", re.IGNORECASE)
_HEADING_TAIL = Pattern(r"(?: or commit id| used| installed|\?)+\Z", re.IGNORECASE)


def heading_above(block: Block, offset: int) -> str:
    """The heading under which the line at `offset` stands, without marks: "### CUDA Version" → "CUDA Version"; '' for none.

    A heading is a Markdown title, a bold line or a line that ends with a colon; it must speak of a version or be a package's name.
    """
    index = block.index(offset)
    for line in reversed(block.lines[max(0, index - 3) : index]):
        text = line.text.strip()
        if not text or text.startswith("```"):
            continue
        if len(text) > MAX_HEADING or not (text.startswith(("#", "**")) or text.endswith((":", "\uff1a", "?"))):
            return ""
        title = _HEADING_TAIL.sub("", text.strip("#*:_` \uff1a"))
        lowered = title.lower()
        words = lowered.replace("(gpu?)", "").split("version")[0].split()
        for name in ("".join(words), "-".join(words)):
            if _package(name):
                return name
        return title if "version" in lowered or "\u7248\u672c" in lowered else ""
    return ""


def column_versions(block: Block) -> Iterator[tuple[str, str, Line]]:
    """Package, version and line of tables whose first row names packages: `| CUDA | torch |` above `| 11.8 | 2.1.0 |`."""
    tables = 0
    lines = block.lines
    for index, line in enumerate(lines[:-1]):
        separator = "\t" if "\t" in line.text else "|"
        if line.text.count(separator) < 1 or tables >= MAX_TABLES:
            continue
        packages = [_package(cell) for cell in _cells(line.text, separator)]
        if sum(map(bool, packages)) < 2:
            continue
        tables += 1
        for row in lines[index + 1 : index + 4]:
            cells = _cells(row.text, separator)
            if len(cells) != len(packages):
                break
            if all(set(cell) <= set("-: ") for cell in cells):
                continue
            for package, cell in zip(packages, cells, strict=True):
                value = _VALUE.match(cell) if package else None
                if value is not None:
                    yield package, value[1], row


def _cells(text: str, separator: str) -> list[str]:
    return [cell.strip(" `*") for cell in text.strip().strip(separator).split(separator, 16)]


def _package(cell: str) -> str:
    """The package that a cell of a table's head names: "Tensorflow版本" → tensorflow."""
    name = _NAME_ONLY.sub("", cell[:40]).strip(" `*").lower()
    name = canonical(name)
    return name if name in KNOWN else ""
