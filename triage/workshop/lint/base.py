"""What checks look at: the whole rule base, translated, and the files that are to be judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from triage.knowledge.cases import Case, load_cases
from triage.knowledge.sources import KnowledgeError
from triage.knowledge.tables import Table, load_tables
from triage.pipeline import Triage
from triage.rulebook import schema
from triage.rulebook.build import assemble, extend
from triage.rulebook.compiler import Compiled, Foundation, compile_rules
from triage.rulebook.conditions import Condition, Translator
from triage.rulebook.errors import Problem, RuleError
from triage.rulebook.loader import Source, load_file, rule_files
from triage.rulebook.packs import Pack, combined, scan_pack
from triage.rulebook.reuse import Earlier
from triage.rulebook.store import in_memory, last_compiled, load_rulebook, shipped_directory
from triage.rulebook.taxonomy import Taxonomy, load_taxonomy
from triage.signatures.matcher import Matcher
from triage.signatures.signature import Signature
from triage.workshop.lint.codes import CODES

Keys = tuple[str | int, ...]


class Finding(NamedTuple):
    """A finding at what lies under `keys` of a file."""

    source: Source
    keys: Keys
    code: str
    message: str

    def problem(self) -> Problem:
        """The finding with its place, and the remedy of its code."""
        code = CODES[self.code]
        return self.source.problem(self.keys, self.code, f"{self.message}. {code.remedy}", code.severity)


class Knowledge(NamedTuple):
    """What stands in `kb`."""

    directory: Path
    taxonomy: Taxonomy
    tables: list[Table]
    cases: list[Case]

    @property
    def columns(self) -> dict[str, tuple[str, ...]]:
        """The columns of every table."""
        return {table.name: table.columns for table in self.tables}


class Part(NamedTuple):
    """A condition as written, with the alternatives it stands for."""

    keys: Keys
    alternatives: list[list[Condition]]


class RuleView:
    """A diagnosis, a follower of one (the condition of a fix …) or an inference, as conditions for the engine.

    `kind` is diagnosis, follower or inference; `parent` is the diagnosis that a follower belongs to, whose variables it can use.
    """

    __slots__ = ("heads", "keys", "kind", "name", "parent", "parts", "source")

    def __init__(
        self, source: Source, keys: Keys, kind: str, name: str, parts: list[Part], heads: list[Any], parent: RuleView | None = None
    ) -> None:
        self.source, self.keys, self.kind, self.name = source, keys, kind, name
        self.parts, self.heads, self.parent = parts, heads, parent

    def conditions(self) -> Iterator[tuple[Keys, Condition]]:
        """Every condition of every alternative."""
        for part in self.parts:
            for alternative in part.alternatives:
                for condition in alternative:
                    yield part.keys, condition


class SignatureView:
    """A signature, ready to match, beside what it was compiled to."""

    __slots__ = ("compiled", "data", "keys", "model", "source")

    def __init__(self, source: Source, keys: Keys, model: schema.Signature, data: dict[str, Any]) -> None:
        self.source, self.keys, self.model, self.data = source, keys, model, data
        self.compiled = Signature(data)

    @property
    def slots(self) -> set[str]:
        """Every slot that a match can have."""
        captured = {slot for _, names in self.data["regexes"] for slot in names}
        return captured | set(self.model.constants) | set(self.model.compute)


class Base:
    """A rule base: `sources` is all of it, `checked` what is to be judged."""

    def __init__(
        self,
        sources: list[Source],
        checked: list[Source],
        loaded: list[Source],
        compiled: Compiled,
        knowledge: Knowledge,
        foundation: Foundation | None,
    ) -> None:
        """`loaded` are the files with those that do not compile: their names exist, so nothing that refers to them dangles. With a
        `foundation` the others were compiled beside it."""
        self.sources = sources
        self.checked = checked
        self.compiled = compiled
        self.knowledge = knowledge
        self._foundation = foundation
        self.taxonomy = knowledge.taxonomy
        self.matcher = Matcher(compiled.index["signatures"])
        self.diagnoses = {source.diagnosis(rule): source for source in loaded for rule in source.model.diagnoses}
        self.failures = {source.failure: source for source in loaded if source.failure}
        self.signatures = self._signatures()
        heads = {rule["name"]: rule["then"] for rule in compiled.rules}
        self.rules = [view for source in self.sources for view in _views(source, heads)]

    def _signatures(self) -> dict[str, list[SignatureView]]:
        """By path of their file."""
        data = iter(self.compiled.index["signatures"])
        return {
            source.path: [
                SignatureView(source, ("signatures", number), model, next(data)) for number, model in enumerate(source.model.signatures)
            ]
            for source in self.sources
        }

    @cached_property
    def triage(self) -> Triage:
        """The rule base at work."""
        knowledge = self.knowledge
        if self._foundation is not None:
            return Triage(book=in_memory(extend(self._foundation.book, self.compiled)))
        return Triage(book=in_memory(assemble(self.compiled, knowledge.taxonomy, knowledge.tables, knowledge.cases)))

    def checked_rules(self) -> Iterator[RuleView]:
        """The rules of the files that are checked, not of those around them."""
        wanted = {source.path for source in self.checked}
        return (view for view in self.rules if view.source.path in wanted)

    def checked_signatures(self) -> Iterator[SignatureView]:
        """Likewise the signatures."""
        for source in self.checked:
            yield from self.signatures[source.path]


class Gathered(NamedTuple):
    """A base, what is wrong with files that cannot take part in it, and where the files lie, by the path they are known under."""

    base: Base
    problems: list[Problem]
    places: dict[str, Path]


def gather(rules: Path, packs: Sequence[Path], wanted: Iterable[Path] | None, kb: Path) -> Gathered:
    """The base of all files below `rules` and in packs.

    `wanted` names files to judge; None judges those of `rules`. A file that cannot be used is left out, so that the others are still
    checked.
    """
    knowledge = _knowledge(kb)
    shipped, problems = _load(rules)
    whole = not problems
    read = [scan_pack(pack, kb) for pack in packs]
    problems += [problem for _, found in read for problem in found]
    try:
        loaded, cases = combined(shipped, knowledge.cases, [pack for pack, _ in read])
    except RuleError as error:
        problems += error.problems
        loaded = [*shipped, *(source for pack, _ in read for source in pack.sources)]
        cases = knowledge.cases
    knowledge = knowledge._replace(cases=cases)
    foundation = _foundation(rules, kb, [pack for pack, _ in read]) if whole else None
    below = shipped if foundation else []
    usable = [source for source in loaded if source not in below]
    earlier = Earlier(last_compiled())
    while True:
        try:
            compiled = compile_rules(usable, knowledge.taxonomy, knowledge.columns, foundation, earlier)
            break
        except RuleError as error:
            problems.extend(error.problems)
            broken = {problem.path for problem in error.problems}
            kept = [source for source in usable if source.path not in broken]
            if len(kept) == len(usable):  # nobody can be blamed alone: judge what is left
                kept = []
            usable = kept
    usable = [*below, *usable]
    places = _places(rules, packs)
    paths = {path.resolve() for path in wanted} if wanted is not None else {path.resolve() for path in rule_files(rules)}
    checked = [source for source in usable if source.path in places and places[source.path].resolve() in paths]
    problems = [problem for problem in problems if problem.path not in places or places[problem.path].resolve() in paths]
    return Gathered(Base(usable, checked, loaded, compiled, knowledge, foundation), problems, places)


def _foundation(rules: Path, kb: Path, packs: Sequence[Pack]) -> Foundation | None:
    """The shipped rules as they are compiled already, where packs are judged beside them and leave them as they are."""
    if not packs or [str(rules), str(kb)] != [shipped_directory("rules"), shipped_directory("kb")]:
        return None
    try:
        foundation = Foundation(load_rulebook())
    except RuleError:  # told where the files are compiled again
        return None
    return foundation if foundation.takes(packs) else None


def _load(root: Path) -> tuple[list[Source], list[Problem]]:
    loaded: list[Source] = []
    problems: list[Problem] = []
    for path in rule_files(root):
        try:
            loaded.append(load_file(path, f"{root.name}/{path.relative_to(root).as_posix()}"))
        except RuleError as error:
            problems.extend(error.problems)
    return loaded, problems


def _places(rules: Path, packs: Sequence[Path]) -> dict[str, Path]:
    """Where files lie, by the path under which they are known."""
    places = {f"{rules.name}/{path.relative_to(rules).as_posix()}": path for path in rule_files(rules)}
    for pack in packs:
        for path in rule_files(pack):
            places[str(pack) if path == pack else f"{pack.as_posix()}/{path.relative_to(pack).as_posix()}"] = path
    return places


def _knowledge(kb: Path) -> Knowledge:
    try:
        cases = load_cases(kb)
    except KnowledgeError:  # told by the command that compiles them
        cases = []
    return Knowledge(kb, load_taxonomy(kb), load_tables(kb), cases)


# rules as views


def _views(source: Source, heads_of: Mapping[str, list[Any]]) -> Iterator[RuleView]:
    translator = Translator(lambda keys, message: None)  # what is not well formed was told by the compiler
    file = source.model
    for number, rule in source.diagnoses():
        keys: Keys = ("diagnoses", number)
        name = source.diagnosis(rule)
        parts = [Part(keys, [[_signal(source, rule)]])] if rule.on != [] else []
        parts += _parts(translator, rule.when, (*keys, "when"))
        view = RuleView(source, keys, "diagnosis", name, parts, heads_of.get(name, []))
        yield view
        yield from _followers(view, rule, translator)
    for number, inference in enumerate(file.rules):
        keys = ("rules", number)
        heads = [translator.heads(template, slots, keys) for item in inference.asserts for template, slots in item.items()]
        for kind in ("noise", "fix", "no_use", "missing"):
            if getattr(inference, kind) is not None:
                heads.append([kind.replace("_", "-"), {}])
        yield RuleView(source, keys, "inference", inference.id, _parts(translator, inference.when, (*keys, "when")), heads)


def _followers(diagnosis: RuleView, rule: schema.DiagnosisRule, translator: Translator) -> Iterator[RuleView]:
    keys = diagnosis.keys
    conditions: list[tuple[Keys, Any]] = []
    for number, fix in enumerate(rule.fixes):
        if isinstance(fix, schema.FixUse):
            conditions.append(((*keys, "fixes", number, "when"), fix.when))
    for number, vain in enumerate(rule.no_use):
        conditions.append(((*keys, "no_use", number, "when"), vain.when))
    for number, missing in enumerate(rule.missing):
        conditions.append(((*keys, "missing", number, "when"), missing.when))
        conditions.append(((*keys, "missing", number, "unless"), missing.unless))
    for at, when in conditions:
        if when is not None:
            yield RuleView(diagnosis.source, at, "follower", diagnosis.name, _parts(translator, when, at), [], diagnosis)


def _signal(source: Source, rule: schema.DiagnosisRule) -> Condition:
    terms: dict[str, Any] = {"failure": ["const", source.failure]}
    if rule.on is not None:
        terms["signature"] = ["in", _listed(rule.on)]
    return ["match", "signal", terms, True]


def _parts(translator: Translator, items: Any, keys: Keys) -> list[Part]:
    if isinstance(items, list):
        return [Part((*keys, number), translator.conditions([item], keys)) for number, item in enumerate(items)]
    return [Part(keys, translator.conditions(items, keys))]


def _listed(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value
