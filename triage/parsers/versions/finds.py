"""What is found of versions in a log: each version of a package once, with the place that can be trusted most."""

from __future__ import annotations

from triage.engine.values import Value, Version
from triage.facts import Observation
from triage.facts.quantities import parse_cuda_version, parse_cudnn_version, parse_driver_version, parse_version
from triage.parsers.contrasts import Contrast
from triage.parsers.seen import observe
from triage.parsers.versions.packages import IMPLIED, WEAK
from triage.parsers.versions.writing import formed
from triage.reading import Block, Line

MAX_VERSIONS = 400
# of which the first two numbers count
_BRIEF = ("cuda", "driver_cuda", "required_cuda", "toolkit", "runtime", "cudnn", "driver")
OLD_CUDA = ("4.", "5.0", "5.5", "6.0", "6.5", "7.0", "7.5", "8.0")  # every release before 9
_NO_CUDA = ("5.", "6.", "7.", "8.")  # but for those


def _parse_build(text: str) -> Version | None:
    """The number of a build that is tagged b3432."""
    return parse_version(text.removeprefix("b"))


_PARSERS = {
    **dict.fromkeys(("cuda", "runtime", "driver_cuda"), parse_cuda_version),
    "cudnn": parse_cudnn_version, "driver": parse_driver_version,
    "llama.cpp": _parse_build,
}  # fmt: skip
_MAJOR_ONLY = ("cuda", "cudnn", "rocm", "jetpack")


class Finds:
    """What was found so far, and where; of a storm of numbers no more than can matter."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], tuple[int, int, Line]] = {}
        self._order = 0
        self.lines: list[Line] = []  # of the block that is read
        self.contrast = Contrast(Block([]))  # of that block

    def add(self, package: str, text: str, line: Line, strength: int, neighbours: bool = True) -> None:
        """Keep a find. `neighbours` says that what stands beside it may be versions too."""
        text = text.removesuffix(".html").removesuffix(".whl")  # of an address or a file
        text = text.partition("-0-g")[0]  # as git describes a release with no commits since
        if package == "cuda" and text[:2] in _NO_CUDA and not text.startswith(OLD_CUDA):
            package = "cudnn"  # in the field of both
        if package == "paddle":
            self.add("paddlepaddle", text, line, strength)  # the name of its wheels
        key = (package, text)
        if neighbours:
            self.lines.append(line)
        known = self._found.get(key)
        if known is None:
            if len(self._found) >= 4 * MAX_VERSIONS:
                return
            self._order += 1
            self._found[key] = (strength, self._order, line)
        elif known[0] < strength:
            self._found[key] = (strength, known[1], line)

    def observations(self) -> list[Observation]:
        """Facts `version`, the best known one of each package first, then by how far their places can be trusted."""
        ranked = sorted(self._found.items(), key=lambda item: (-item[1][0], item[1][1]))[:MAX_VERSIONS]
        observations = []
        for (package, text), (_, _, line) in _fullest_first(ranked):
            parse = _PARSERS.get(package, parse_version)
            version = parse(formed(text, "nccl")) if package == "nccl" and text.isdigit() else parse(text)
            if version is not None:
                slots: dict[str, Value] = {"package": package, "version": version, "version_text": text}
                if (package in _MAJOR_ONLY and len(text) < 3) or " " in text:  # " " in a date: LAMMPS 2 Aug 2023
                    del slots["version"]  # which minor version it is decides most questions
                observations.append(observe("version", slots, line))
        return observations


def _fullest_first(ranked: list[tuple[tuple[str, str], tuple[int, int, Line]]]) -> list[tuple[tuple[str, str], tuple[int, int, Line]]]:
    """The same, but the best known version of a package gives way to the first that tells more of it: 1.12 to 1.12.0+cu113."""
    best: dict[str, int] = {}
    for index, ((package, text), (strength, _, _)) in enumerate(ranked):
        first = best.setdefault(package, index)
        known = ranked[first][0][1]
        if strength not in (WEAK, IMPLIED) and text.startswith((f"{known}.", f"{known}+")) and package not in _BRIEF:
            best[package] = index
        elif package == "cudnn" and known.isdigit() and "." in text and parse_cudnn_version(known) == _three_numbers(text):
            best[package] = index  # as people write what the library calls 8600
    order = [ranked[index] for index in best.values()]
    return order + [found for index, found in enumerate(ranked) if best[found[0][0]] != index]


def _three_numbers(text: str) -> Version | None:
    version = parse_version(text)
    return Version(version[:3]) if version is not None else None
