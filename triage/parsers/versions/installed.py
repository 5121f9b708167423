"""What package managers print of the versions they know: pip's and conda's sentences and tables."""

from __future__ import annotations

import re

from triage.facts.quantities import parse_cuda_version
from triage.parsers.versions.finds import Finds
from triage.parsers.versions.packages import IMPLIED, KNOWN, OWN_NAMES, PRINTED, SUFFIX, canonical
from triage.parsers.versions.writing import LOCAL_CUDA
from triage.reading import Block, Line
from triage.reading.lazy import Pattern

_SATISFIED = Pattern(r"Requirement already satisfied: ([A-Za-z][\w.-]{0,80}).{0,1500}\(([0-9][\w.+!-]{0,60})\)\s*$", re.MULTILINE)
_INSTALLED = Pattern(r"(?<=\s)([A-Za-z][\w.-]{0,80}?)-([0-9][0-9A-Za-z.+!]{0,60})(?=\s|$)")
# APT's history: "nvidia-docker2:amd64 (2.5.0-1, 2.6.0-1)", and what `apt-cache policy` says of a package
_RAISED = Pattern(r"(?<=[\s,])([a-z0-9][a-z0-9.+-]{1,60}):(?:amd64|arm64|all) \([0-9:][^\s,()]{0,60}, (?:[0-9]:)?([0-9][^\s,()]{0,60})\)")
_POLICY = Pattern(r"^([a-z0-9][a-z0-9.+-]{1,60}):[ \t]*\n[ \t]{1,8}Installed: (?:[0-9]:)?([0-9]\S{0,60})", re.MULTILINE)
_LISTING = Pattern(r"\b(?:pip3?|conda|mamba) list\b")
_ROW = Pattern(r"([A-Za-z][\w.-]{0,80})\s+([0-9][\w.+!-]{0,60})(?:\s+\S{1,200}){0,3}\s*$")


def installed_versions(block: Block, finds: Finds) -> None:
    """Add what pip and conda say is installed."""
    text = block.text
    if "Requirement already satisfied" in text:
        for match in _SATISFIED.finditer(text):
            _named(match[1], match[2], block.line(match.start()), PRINTED, finds)
    if "Successfully installed" in text:
        for line in block.lines:
            if "Successfully installed" in line.text:
                for match in _INSTALLED.finditer(line.text):
                    _named(match[1], match[2], line, PRINTED + 1, finds)
    if ":amd64 (" in text or ":arm64 (" in text or ":all (" in text:
        for match in _RAISED.finditer(text):
            _named(match[1], match[2], block.line(match.start()), PRINTED + 1, finds)
    if "  Installed: " in text:
        for match in _POLICY.finditer(text):
            _named(match[1], match[2], block.line(match.start(2)), PRINTED, finds)
    if ("Package" in text and "Version" in text and "-----" in text) or "# Name " in text or " list" in text:
        _listed(block, finds)
    if "[conda]" in text or "pypi_0" in text or "conda-forge" in text:
        for line in block.lines:
            if "[conda]" in line.text or "pypi" in line.text or "conda" in line.text:
                row = _ROW.match(line.text.replace("[conda]", "").strip())
                if row:
                    _named(row[1], row[2], line, PRINTED, finds)


def _listed(block: Block, finds: Finds) -> None:
    """The tables of `pip list` and `conda list`, from head or command to the first line that is no row."""
    inside = False
    for index, line in enumerate(block.lines):
        text = line.text.strip()
        row = _ROW.match(text) if inside else None
        if row and "." in row[2]:
            _named(row[1], row[2], line, PRINTED, finds)
        elif text.startswith("-----"):
            inside = index > 0 and "Version" in block.lines[index - 1].text
        elif not (inside and text.startswith(("Using Python", "# "))):  # what uv and conda say first
            inside = text.startswith("# Name ") or (" list" in text and _LISTING.search(text) is not None)


def _named(name: str, number: str, line: Line, strength: int, finds: Finds) -> None:
    """Add the version of a distribution, and of the package that it holds."""
    package = canonical(name)
    if package == "version":
        return
    if package not in KNOWN:
        package = package.replace("_", "-")
    if package in ("cuda", "nccl", "cudnn") and package != name.lower():
        strength = IMPLIED
    finds.add(package, number, line, strength)
    if name.lower() in OWN_NAMES:
        finds.add(name.lower(), number, line, strength)
    local = LOCAL_CUDA.search(number)
    if local and package == "torch":
        finds.add("cuda", str(parse_cuda_version(local[1])), line, SUFFIX)
