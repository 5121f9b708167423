"""Rule packs: directories of rules from elsewhere, checked before anything in them is believed.

A pack has `pack.yaml`, rules anywhere below it, and cases in `cases/`. A directory without `pack.yaml` is taken as rules of one's own,
without a namespace. Whatever is in a pack is data; what is read of it is bounded in number, size and depth, and lies inside it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

from triage import __version__
from triage.engine.values import Version
from triage.facts.quantities import parse_version
from triage.facts.spelling import did_you_mean
from triage.knowledge.cases import Case, scan_cases
from triage.rulebook.errors import Problem, RuleError
from triage.rulebook.loader import Source, check_text, load_file, read_text, rule_files
from triage.rulebook.packfile import PackFile
from triage.rulebook.ranges import parse_range
from triage.rulebook.walking import files_below

MAX_FILES = 1000
MAX_SIGNATURES = 2000
MAX_RULES = 4000
PACK_FILE = "pack.yaml"
CASES = "cases"
T = TypeVar("T")


class Pack(NamedTuple):
    """A pack as read: its namespace is "" where the directory has no `pack.yaml`. Its cases bear their full ids."""

    directory: Path
    namespace: str
    overrides: frozenset[str]
    sources: list[Source]
    cases: list[Case]


def load_packs(directories: Iterable[str], kb: Path) -> list[Pack]:
    """Read packs, whose ids are those of the vocabulary in `kb`. Raises RuleError with everything that is wrong in any of them."""
    packs: list[Pack] = []
    problems: list[Problem] = []
    names: dict[str, Path] = {}
    for directory in directories:
        try:
            pack = read_pack(Path(directory), kb)
        except RuleError as error:
            problems.extend(error.problems)
            continue
        packs.append(pack)
        first = names.setdefault(pack.namespace, pack.directory) if pack.namespace else pack.directory
        if first != pack.directory:
            shown = _shown(pack.directory, PACK_FILE)
            problems.append(Problem(shown, 0, 0, "R012", f"the name {pack.namespace} is already taken by the pack in {first}"))
    if problems:
        raise RuleError(problems)
    return packs


def read_pack(directory: Path, kb: Path) -> Pack:
    """Read one pack, or one rule file. Raises RuleError."""
    pack, problems = scan_pack(directory, kb)
    if problems:
        raise RuleError(problems)
    return pack


def scan_pack(directory: Path, kb: Path) -> tuple[Pack, list[Problem]]:
    """What can be read of a pack, and what is wrong with the rest."""
    problems: list[Problem] = []

    def attempt(read: Callable[[], T]) -> T | None:
        try:
            return read()
        except RuleError as error:
            problems.extend(error.problems)
        return None

    if not directory.is_dir():
        source = attempt(lambda: load_file(directory))
        if source is not None:
            source.pack, source.inside = str(directory), directory.name
        return Pack(directory, "", frozenset(), [source] if source is not None else [], []), problems
    manifest = attempt(lambda: _manifest(directory))
    namespace = manifest.pack if manifest is not None else ""
    overrides = frozenset(manifest.overrides if manifest is not None else ())
    files = attempt(lambda: _files(directory))
    if files is not None:
        problems.extend(_misnamed(directory))
    rules, told, outside = files or ([], [], [])
    problems.extend(outside)
    sources: list[Source] = []
    for path in rules:
        inside = path.relative_to(directory).as_posix()
        source = attempt(partial(load_file, path, _shown(directory, inside), namespace, overrides))
        if source is not None:
            source.pack, source.inside = str(directory), inside
            sources.append(source)
    problems.extend(_too_much(directory, sources))
    known, findings = scan_cases(told, directory, kb) if told else ([], [])
    for finding in findings:
        shown = _shown(directory, finding.path.removeprefix(f"{directory.name}/"))
        problems.append(Problem(shown, finding.line, finding.column, "R004", finding.message))
    cases = [_named(case, namespace, overrides) for case in known]
    aliases = {case.id.removeprefix(f"{namespace}:"): case.id for case in cases}
    aliases |= {f"{source.model.family}.{rule.id}": source.diagnosis(rule) for source in sources for rule in source.model.diagnoses}
    for source in sources:
        source.aliases = aliases
    return Pack(directory, namespace, overrides, sources, cases), problems


def pack_root(path: Path) -> Path:
    """The pack that a file or directory belongs to: the nearest directory at or above it with `pack.yaml`, or else the path itself."""
    for directory in (path, *path.absolute().parents):
        if (directory / PACK_FILE).is_file():
            return directory
    return path


def _named(case: Case, namespace: str, overrides: Collection[str]) -> Case:
    """A case under its full id."""
    if not namespace or case.id in overrides:
        return case
    return Case(case.model.model_copy(update={"id": f"{namespace}:{case.id}"}), case.facts)


def _manifest(directory: Path) -> PackFile | None:
    path = directory / PACK_FILE
    shown = _shown(directory, PACK_FILE)
    if not path.exists():
        return None
    _stay_inside(directory, path, shown)
    manifest = check_text(read_text(path, shown), shown, PackFile)
    try:
        low, high = (_bound(data) for data in parse_range(manifest.engine))
    except ValueError as error:
        raise RuleError([Problem(shown, 0, 0, "R007", f"engine: {error}")]) from None
    own = parse_version(__version__)
    if own is not None and ((low is not None and own < low) or (high is not None and own >= high)):
        raise RuleError([Problem(shown, 0, 0, "R007", f"the pack works with triage {manifest.engine}; this is {__version__}")])
    return manifest


def _bound(data: list[str] | None) -> Version | None:
    return None if data is None else Version(int(part) for part in data[1].split("."))


def _files(directory: Path) -> tuple[list[Path], list[Path], list[Problem]]:
    """The rule files and the case files of a pack, in a fixed order, and what lies outside of it. Raises RuleError."""
    rules: list[Path] = []
    cases: list[Path] = []
    outside: list[Problem] = []
    for path in rule_files(directory):
        inside = path.relative_to(directory)
        if inside == Path(PACK_FILE):
            continue
        try:
            _stay_inside(directory, path, _shown(directory, inside.as_posix()))
        except RuleError as error:
            outside.extend(error.problems)
            continue
        (cases if inside.parts[0] == CASES else rules).append(path)
        if len(rules) + len(cases) > MAX_FILES:
            raise RuleError([Problem(str(directory), 0, 0, "R002", f"more than {MAX_FILES} files: split the pack")])
    return rules, cases, outside


def _misnamed(directory: Path) -> Iterable[Problem]:
    """Files that would silently never be read."""
    names = sorted(entry.path for entry in files_below(str(directory)) if entry.name.lower().endswith((".yml", ".yaml")))
    for name in names:
        if not name.endswith(".yaml"):
            shown = _shown(directory, Path(name).relative_to(directory).as_posix())
            yield Problem(shown, 0, 0, "R008", "is not read: files of a pack end with .yaml. Rename it")


def _stay_inside(directory: Path, path: Path, shown: str) -> None:
    if not path.resolve().is_relative_to(directory.resolve()):
        raise RuleError([Problem(shown, 0, 0, "R006", "a link that leads out of the pack")])


def _too_much(directory: Path, sources: Sequence[Source]) -> Iterable[Problem]:
    """More than a log could be tried against in reasonable time."""
    signatures = sum(len(source.model.signatures) for source in sources)
    rules = sum(len(source.model.diagnoses) + len(source.model.rules) for source in sources)
    for count, most, what in ((signatures, MAX_SIGNATURES, "signatures"), (rules, MAX_RULES, "rules")):
        if count > most:
            yield Problem(str(directory), 0, 0, "R002", f"more than {most} {what}: split the pack")


def _shown(directory: Path, inside: str) -> str:
    return f"{directory.as_posix()}/{inside}"


def _of_override(pack: Pack, name: str, code: str, message: str) -> Problem:
    """Something wrong with a name under `overrides`, told where it stands."""
    shown = _shown(pack.directory, PACK_FILE)
    lines = read_text(pack.directory / PACK_FILE, shown).splitlines()
    at = next(((number, line.index(name) + 1) for number, line in enumerate(lines, 1) if name in line), (0, 0))
    return Problem(shown, *at, code, message)


def combined(shipped: Sequence[Source], cases: Sequence[Case], packs: Sequence[Pack]) -> tuple[list[Source], list[Case]]:
    """All sources and cases, without what packs take over.

    Raises RuleError where a pack overrides what there is not, or what another pack overrides too.
    """
    problems: list[Problem] = []
    taken: dict[str, Pack] = {}
    every = [*shipped, *(source for pack in packs for source in pack.sources)]
    for pack in packs:
        others = [source for source in every if source not in pack.sources]
        known = {source.failure for source in others} | {source.diagnosis(rule) for source in others for rule in source.model.diagnoses}
        known |= {case.id for case in cases}
        for name in sorted(pack.overrides):
            if name not in known:
                hint = did_you_mean(name, filter(None, known))
                problems.append(_of_override(pack, name, "R010", f"overrides {name}, which nothing has{hint}"))
            elif name in taken:
                problems.append(_of_override(pack, name, "R012", f"overrides {name}, as {taken[name].directory} does already"))
            taken.setdefault(name, pack)
    if problems:
        raise RuleError(problems)
    kept = []
    for source in every:
        owner = taken.get(source.failure or "")
        if owner is not None and source not in owner.sources:
            continue
        source.without = frozenset(name for name, pack in taken.items() if source not in pack.sources)
        kept.append(source)
    return kept, [case for case in cases if case.id not in taken] + [case for pack in packs for case in pack.cases]
