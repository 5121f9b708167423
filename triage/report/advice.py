"""What to do, in which order, what would be no use, and which facts would tell more: for this reader, with this reader's values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from triage.engine.facts import Fact
from triage.engine.model import Derivation, Model
from triage.engine.values import Value
from triage.facts.messages import fill_command
from triage.facts.observation import Observation
from triage.report.audience.programs import library_commands, speaks_to_others
from triage.report.audience.reader import Reader
from triage.report.audience.use import is_of_use
from triage.report.findings import Findings
from triage.report.legend import explain_words
from triage.report.model import Fix, number
from triage.report.padding import OF_THE_MATTER, without_padding, without_untold
from triage.report.placeholders import Placeholders
from triage.report.precision import Precision
from triage.report.wording import Wording, filled, together

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from triage.rulebook.rulebook import Rulebook


# What is missing or does not fit is a file or package there; where a call fails, any library on the path may be at fault.
_OF_FILES_NAMED_BY_THE_RULES = ("version.", "compile.")


def _without_or(title: str) -> str:
    """The title of the fix that comes first: "Or install a build for CUDA 11" has nothing before it where that was tried in vain."""
    told = title.removeprefix("Or ").removeprefix("\u6216")
    return told[:1].upper() + told[1:] if told != title else title


class Advice:
    """What the rules advise of the diagnoses of one text."""

    def __init__(
        self, observations: Sequence[Observation], model: Model, book: Rulebook, findings: Findings, wording: Wording, reader: Reader
    ) -> None:
        self._observations = observations
        self._model = model
        self._book = book
        self._findings = findings
        self._wording = wording
        self._reader = reader
        self._placeholders = Placeholders(observations, model, book)
        self._precision = Precision(model)

    def _followers(self, template: str, identifier: str) -> list[tuple[Fact, Derivation]]:
        """What is advised of a diagnosis, with how it was derived; what a reading advises whose place it took comes after its own."""
        facts = [fact for fact in self._model.facts(template) if fact.get("diagnosis") == identifier]
        lent = {str(fact.get("id")) for fact in self._model.facts("lends") if fact.get("to") == identifier}
        facts.sort(key=lambda fact: (str(fact.get("text")).partition("#")[0] in lent, number(fact.get("order")), fact.sort_key))
        return [(fact, derivation) for fact in facts if (derivation := self._model.derivation(fact))]

    def fixes(self, identifier: str, lang: str) -> list[Fix]:
        """Each fix once, in order, those first that helped by the text, those last that were tried in vain, none that is needless here;
        where several rules offer one, the first that has something of its own to say speaks."""
        offers: dict[str, list[tuple[dict[str, Any], Mapping[str, Value]]]] = {}
        for fact, derivation in self._followers("fix", identifier):
            offers.setdefault(str(fact.get("fix")), []).append((self._wording.of(fact), derivation.bindings))
        tried, helped = (
            {str(fact.get("fix")): fact for fact in self._model.facts(template) if fact.get("diagnosis") == identifier}
            for template in ("in-vain", "in-favour")
        )
        said = {**tried, **helped}
        fixes: list[Fix] = []
        framework = self._reader.framework(self._findings.bindings(identifier))
        needless = {str(fact.get("fix")) for fact in self._model.facts("needless") if fact.get("diagnosis") == identifier}
        of_use = (name for name in offers if name not in needless and is_of_use(name, self._reader, identifier, framework))
        for name in sorted(of_use, key=lambda name: ((name in tried) - (name in helped), self._reader.comes_later(name))):
            texts = offers[name]
            text, bindings = next(((text, bindings) for text, bindings in texts if "detail" in text), texts[0])
            fix = self._fix(identifier, name, text, bindings, lang)
            if fix is None:
                continue
            if name in said:
                fix.detail = together((self._because(said[name], lang), fix.detail), lang)
            if all(fix.title != other.title for other in fixes):  # two ways of saying "build it for this GPU" are one for some readers
                fixes.append(fix)
        fixes = without_padding(fixes, lambda name: name not in said and self._is_general(name, identifier, framework))
        for fix in fixes:
            without_untold(fix)
        fixes = self._placed(fixes, lang)
        if fixes:
            fixes[0].title = _without_or(fixes[0].title)
        explain_words(fixes, lang)
        return fixes

    def _is_general(self, name: str, identifier: str, framework: str) -> bool:
        """Whether a fix is offered whatever the text says, and nothing is said of it but what the library says to everyone."""
        if name == "shard-model" and self._reader.has_several_gpus:
            return False
        if name == "set-library-path" and not identifier.startswith(_OF_FILES_NAMED_BY_THE_RULES):
            return False
        library = self._wording.of_library(name, identifier)
        if self._reader.library_fix(library, framework) != library:
            return False
        offered = [(fact, derivation) for fact, derivation in self._followers("fix", identifier) if fact.get("fix") == name]
        return not any("/fix/" not in derivation.rule or OF_THE_MATTER.intersection(self._wording.of(fact)) for fact, derivation in offered)

    def _placed(self, fixes: list[Fix], lang: str) -> list[Fix]:
        """The fixes; the first with options for a server says where these go, if that is not the server's own command."""
        for fix in fixes:
            if place := self._reader.of_place(fix.commands, lang):
                fix.detail = together((fix.detail, place), lang)
                break
        return fixes

    def _because(self, fact: Fact, lang: str) -> str:
        """What the rule that derived a fact says of it."""
        derivation = self._model.derivation(fact)
        return filled(self._book.texts(derivation.rule).get("because"), derivation.bindings, lang) if derivation else ""

    def _fix(self, identifier: str, name: str, text: dict[str, Any], bindings: Mapping[str, Value], lang: str) -> Fix | None:
        """A fix in this reader's words; None where title, words and lines of the rule are for users of another framework."""
        text = self._reader.own_words(text, self._wording.of_library(name, identifier))
        # a rule that brings its own detail does not want the library's commands for the general case, nor the library's detail
        # below a title and commands of its own
        brought = text.get("commands") or text.get("commands_of")
        own = text.get("title") and brought
        fact = self._findings.primary[identifier]
        known = {**self._findings.bindings(identifier), **bindings}  # the fix's rule binds what its own texts speak of
        reader = self._reader
        framework = reader.framework(known)
        general = self._wording.of_library(name, identifier)
        library = reader.library_fix(general, framework)
        offered = text if brought or "commands" in text or "detail" in text else library
        commands = library_commands(offered, framework, reader.speaks)
        lines = [line for command in commands if (line := fill_command(command, bindings))]
        given = self._precision.lines(self._placeholders.fill(lines, identifier, name, fact, known), identifier)
        lines = reader.understood(given, framework)
        if lines == ["pip check"]:  # of an upgrade whose package is not known
            lines = []
        title = filled(text.get("title") or library.get("title"), bindings, lang)
        detail = filled(text.get("detail", None if own else library.get("detail")), bindings, lang)
        if brought and given and not lines and library == general and speaks_to_others(title, detail, framework):
            return None
        spoken = reader.words(title, framework)
        if text.get("title") and title and not spoken:  # what the rule brings is for users of another framework
            return self._fix(identifier, name, {"leads_to": text.get("leads_to", [])}, bindings, lang)
        following = [diagnosis for diagnosis in text.get("leads_to", []) if diagnosis not in self._ruled_out]
        fix = Fix(
            id=name,
            title=spoken or title,
            detail=reader.words(detail, framework),
            commands=reader.lines(lines, framework),
            leads_to=following,
            leads_to_titles=[self._wording.title(diagnosis, {}, lang) for diagnosis in following],
            references=list(text.get("references", library.get("references", []))),
            verifiable=name in self._book.section("verifiable").get(identifier, []),
            verdict=self._verdicts.get((identifier, name)),
        )
        fix.detail = self._precision.said(fix.detail, identifier)
        fix.detail = together((fix.detail, reader.of_rights(name, fix.commands, lang)), lang)
        if text.get("detail") and not (fix.detail or fix.commands):  # it spoke to users of another framework alone
            return self._fix(identifier, name, {"leads_to": fix.leads_to}, bindings, lang)
        return fix

    @cached_property
    def _ruled_out(self) -> set[str]:
        """The diagnoses that the text shows cannot come next, whatever is done."""
        return {str(fact.get("diagnosis")) for fact in self._model.facts("cannot-follow")}

    @cached_property
    def _verdicts(self) -> dict[tuple[str, str], dict[str, Any]]:
        """What the verifier found, by diagnosis and fix."""
        found = {}
        for observation in self._observations:
            slots = observation.slots
            if observation.template == "verdict":
                named = (("verdict", "value"), ("backend", "name"), ("where", "detail"), ("reason", "message"), ("limits", "text"))
                entry = {key: str(slots.get(slot) or "") for key, slot in named}
                found[str(slots.get("diagnosis")), str(slots.get("fix"))] = entry
        return found

    def tried(self, identifier: str) -> list[Fact]:
        """What followed from verdicts on the fixes of a diagnosis: those withdrawn, then those proved."""
        facts = [fact for template in ("withdrawn", "proved") for fact in self._model.facts(template)]
        return [fact for fact in facts if fact.get("diagnosis") == identifier]

    def no_use(self, identifier: str, lang: str) -> list[dict[str, Any]]:
        """What is often tried in vain, each with the reason and with the verdict where it was tried here."""
        items: dict[str, dict[str, Any]] = {}
        for fact, bindings, framework in self._told("no-use", identifier):
            name = str(fact.get("fix"))
            told = self._wording.of(fact)
            why = self._reader.words(filled(told.get("why"), bindings, lang), framework)
            if why and name not in items:
                library = self._reader.library_fix(self._wording.of_library(name, identifier), framework)
                title = self._reader.words(filled(told.get("title") or library.get("title"), bindings, lang), framework)
                tried = self._verdicts.get((identifier, name))
                items[name] = {"id": name, **({"title": title} if title else {}), "why": why, **({"verdict": tried} if tried else {})}
        return list(items.values())

    def missing(self, identifier: str, lang: str) -> list[dict[str, Any]]:
        """Which facts would tell more, each with how it is found out."""
        items: dict[str, str] = {}
        for fact, bindings, framework in self._told("missing", identifier):
            text, primary = self._wording.of(fact), self._findings.primary[identifier]
            [line] = self._placeholders.fill([text["how"]], identifier, "", primary, self._findings.bindings(identifier))
            if how := self._reader.how_to_know(line, framework):
                items.setdefault(filled(text.get("fact"), bindings, lang), how)
        return [{"fact": fact, "how": how} for fact, how in items.items()]

    def _told(self, template: str, identifier: str) -> Iterator[tuple[Fact, Mapping[str, Value], str]]:
        """What rules advise of a diagnosis, with what they bound, and the framework that it speaks to."""
        known = self._findings.bindings(identifier)
        for fact, derivation in self._followers(template, identifier):
            yield fact, derivation.bindings, self._reader.framework({**known, **derivation.bindings})
