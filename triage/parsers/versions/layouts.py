"""Versions that the layout of a text gives to a package: a heading above, the top of a column, a list of what is installed."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator

from triage.parsers.versions.packages import KNOWN, canonical
from triage.reading import Block, Line
from triage.reading.lazy import Gated, Pattern

MAX_HEADING = 70
MAX_TABLES = 20  # a block
_VALUE = Pattern(r"v?([0-9]{1,4}(?:\.[0-9]{1,8}){1,3}[\w.+-]{0,24})\Z")
_NAME_ONLY = Pattern(r"\s*(?:versions?|\bver\.?|\u7248\u672c\u53f7?)\s*\Z", re.IGNORECASE)
# A row of a list of what is installed, whatever stands behind it: "- gsplat: 1.5.3", "minference==0.1.4.post2", "| natten | 0.17.1 |"
_ROW = Pattern(
    r"[ \t>*+|#\u2022-]{0,16}(?:[0-9]{1,2}[.)] )?[*_`\"'\[]{0,3}(?P<name>[A-Za-z][\w.+-]{1,40}?)[*_`\"'\]]{0,3}(?i:[ _]version)?[*_`]{0,2}"
    r"(?:\s{0,4}(?P<mark>==?|[:\uff1a|@(]|=>)[\s`\"'*]{0,24}|\s{1,40}[`*]{0,2}|-(?=[0-9]))[vV]?"
    r"(?P<version>[0-9]{1,4}(?:\.[0-9]{1,6}){1,4}(?:[.-]?(?:post|dev|rc|alpha|beta|a|b)\.?[0-9]{1,10}){0,2}(?:\+[\w.]{1,40})?)"
    r"(?=[\s`\"'*,;|)\]\uff08\uff0c\u3002(+]|$)(?!\s?(?:[%x\u00b0]|(?:[KMGT]i?B|[kMG]?Hz|m?s|sec\w*|min\w*|hours?|W|C|fps|it/s|tok\w*)\b))"
)
_COUNTED = Pattern(r"\s*[\"'][\w.-]{1,40}[\"'] ?: ?[0-9]")  # a number in JSON, where a version is a string
# What is measured, set or counted rather than installed.
_NO_PACKAGE = frozenset((
    "capability", "memory", "vram", "ram", "score", "accuracy", "acc", "loss", "lr", "epoch", "step", "time", "speed", "size",
    "ratio", "threshold", "temperature", "p", "dropout", "rate", "fps", "arch", "sm", "compute", "power", "util",
    "utilization", "available", "total", "used", "free", "version", "versions", "full", "map", "iou", "eps", "gamma", "alpha", "beta",
    "weight", "scale", "factor", "ip", "host", "section", "chapter", "table", "fig", "figure", "port", "date", "release", "build",
    "with", "and", "or", "from", "to", "on", "in", "at", "is", "for", "using", "use", "than", "until", "since", "also", "about",
    "the", "even", "tried", "installed", "latest", "model", "level", "gpu", "cpu", "cc", "x", "layer", "batch", "len", "length", "dim",
    "ms", "fp", "page", "item", "part", "day", "line", "no", "id", "ver",
))  # fmt: skip
# Numbers in the order of the names before them: "Torch, CUDA, Python: 2.1.0, 12.1, 3.10", "torch and torchvision are 2.1.0 and 0.16.0"
_BETWEEN = r"(?: ?[,/\u3001\uff0c] ?(?:and )?| and | & |\u548c)"
_SERIES = Gated(rf"(?<![\w.])v?[0-9]{{1,3}}\.[0-9][\w.+]{{0,24}}(?:{_BETWEEN}v?[0-9]{{1,3}}\.[0-9][\w.+]{{0,24}}){{1,5}}")
_SERIES_NAMES = Pattern(
    rf"(?P<names>(?:[A-Za-z][\w-]{{1,24}}(?: (?i:driver))?{_BETWEEN}){{1,5}}[A-Za-z][\w-]{{1,24}}(?: (?i:driver))?)"
    r"(?: ?(?:(?i:versions?)|\u7248\u672c\u53f7?))?(?: ?[:\uff1a=] ?| (?:are|is|were) (?:respectively )?|\u5206\u522b[\u662f\u4e3a]?)\Z"
)
_SEPARATOR = Pattern(_BETWEEN)
_NEAR = 2  # lines
_NEAR_IN_A_TABLE = 6
_DESCRIBED = Pattern(r"v[0-9]")  # by git describe
_FIELD = Pattern(r"(?P<name>[A-Za-z][A-Za-z0-9 _.-]{1,24}?) ?(?:[vV]ersion|\u7248\u672c)\Z")
# Fields of forms that name no program, since whoever fills them in knows whose form it is: the field, another one of that form, whose.
_FIELDS_OF_FORMS = (
    ("what version did you experience this issue on", "", "invokeai"),  # InvokeAI's form until 3.6
    ("version number", "GPU VRAM", "invokeai"),
    ("version", "Frigate config file", "frigate"),
    ("version or commit where the problem happens", "", "stable-diffusion-webui"),
)
_HEADING_TAIL = Pattern(r"(?: or commit id| used| installed|\?)+\Z", re.IGNORECASE)


def heading_above(block: Block, offset: int) -> str:
    """The heading under which the line at `offset` stands, without marks: "### CUDA Version" → "CUDA Version"; '' for none.

    A heading is a Markdown title, a bold line or a line that ends with a colon; it must speak of a version or be a package's name.
    Without any mark it must be both: "PyTorch Version".
    """
    index = block.index(offset)
    for line in reversed(block.lines[max(0, index - 3) : index]):
        text = line.text.strip()
        if not text or text.startswith("```"):
            continue
        if len(text) > MAX_HEADING:
            return ""
        if not (text.startswith(("#", "**")) or text.endswith((":", "\uff1a", "?"))):
            field = _FIELD.match(text)
            return _joined(field["name"].lower().split()) if field is not None else ""
        title = _HEADING_TAIL.sub("", text.strip("#*:_` \uff1a"))
        lowered = title.lower()
        name = _joined(lowered.replace("(gpu?)", "").removeprefix("what ").removeprefix("which ").split("version")[0].split())
        if name:
            return name
        form = next((whose for field, other, whose in _FIELDS_OF_FORMS if field == lowered and other in block.text), "")
        if form:
            return form
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


def series_versions(block: Block) -> Iterator[tuple[str, str, Line]]:
    """Package, version and line where several names stand before as many numbers."""
    for match in _SERIES.finditer(block.text):
        line = block.line(match.start())
        named = _SERIES_NAMES.search(block.text, block.starts[block.index(match.start())], match.start())
        if named is None or line.role in ("source", "diff"):
            continue
        packages = [_package(name.replace(" ", "-")) for name in _SEPARATOR.sub("\n", named["names"]).split("\n")]
        numbers = _SEPARATOR.sub("\n", match[0]).split("\n")
        if all(packages) and len(set(packages)) == len(numbers):
            yield from ((package, number.lstrip("v").rstrip("."), line) for package, number in zip(packages, numbers, strict=True))


def listed_versions(block: Block, known: Iterable[Line]) -> Iterator[tuple[str, str, Line]]:
    """Name, version and line of packages that nothing knows, in a list beside lines with `known` ones: what an environment holds."""
    waiting = sorted({line.number for line in known if _ROW.match(line.text)}, reverse=True)
    seen: set[int] = set()
    while waiting:
        number = waiting.pop()
        for line in _beside(block, number):
            passed = line.number in seen or line.role in ("source", "code", "diff") or _COUNTED.match(line.text)
            row = None if passed else _ROW.match(line.text)
            # words in Chinese beside one are no name; neither is torch.version.cuda
            if row is None or not row["name"].isascii() or _package(row["name"]) or _package(row["name"].partition(".")[0]):
                continue
            name = row["name"].lower().replace("_", "-")
            if name.rstrip(".").replace(".", "-").rpartition("-")[2] in _NO_PACKAGE or _DESCRIBED.match(
                name
            ):  # "v2.13.0-rc2-7-g1cb1a03 2.13.0"
                continue
            if row["mark"] or abs(line.number - number) < _NEAR:  # an empty line ends a table
                seen.add(line.number)
                waiting.append(line.number)
                yield name, row["version"], line


def _beside(block: Block, number: int) -> list[Line]:
    """The lines near one; in a table also rows further off, as those between may hold no version."""
    first = bisect_left(block.lines, number, key=_number)
    table = first < len(block.lines) and block.lines[first].text.startswith("|")
    near = _NEAR_IN_A_TABLE if table else _NEAR
    around = [line for line in block.lines[max(0, first - near) : first + near + 1] if abs(line.number - number) <= near]
    return [line for line in around if line.text.startswith("|") or abs(line.number - number) <= _NEAR] if table else around


def _number(line: Line) -> int:
    return line.number


def _cells(text: str, separator: str) -> list[str]:
    return [cell.strip(" `*") for cell in text.strip().strip(separator).split(separator, 16)]


def _joined(words: list[str]) -> str:
    """The name of a package that is written apart: "ONNX Runtime" → onnxruntime; '' for none."""
    return next((name for name in ("".join(words), "-".join(words)) if _package(name)), "")


def _package(cell: str) -> str:
    """The package that a cell of a table's head names: "Tensorflow版本" → tensorflow."""
    name = _NAME_ONLY.sub("", cell[:40]).strip(" `*").lower()
    name = canonical(name)
    return name if name in KNOWN else ""
