"""What a text was found to report: which diagnoses, in which order, with which facts, resting on which lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from triage.engine.facts import Fact
from triage.engine.model import Derivation, Model
from triage.engine.values import Value
from triage.facts.convert import whole
from triage.facts.observation import Evidence, Observation
from triage.facts.vocabulary import REPORTED
from triage.report.model import number
from triage.report.proof import MAX_DEPTH
from triage.report.surroundings import GPU_SLOTS

MAX_EVIDENCE = 12  # lines shown for one diagnosis
MAX_TEXT = 2000  # characters of a raw line kept as evidence
_KNOWN = ("table:", "gpu-model")  # templates of what is known beforehand, which no line of the text tells
NEARLY_CERTAIN = 0.9  # of failures at least as strong, the place in the text tells which was met first: attempts stand one below the other


class Findings:
    """The diagnoses of a model, each by its id. `evidence` are the lines behind each fact that was observed."""

    def __init__(self, observations: Sequence[Observation], model: Model) -> None:
        self._model = model
        self.evidence: dict[Fact, tuple[Evidence, ...]] = {}
        for observation in observations:
            self.evidence.setdefault(Fact(observation.template, observation.slots), observation.evidence)
        self._candidates: dict[Fact, tuple[Fact, Derivation] | None] = {}

    # order

    @cached_property
    def primary(self) -> dict[str, Fact]:
        """For each diagnosis the fact that shows it first: by time where all tell theirs, else by line."""
        groups: dict[str, list[Fact]] = {}
        for fact in self._model.facts("diagnosis"):
            groups.setdefault(str(fact.get("id")), []).append(fact)
        primary = {}
        for identifier, facts in groups.items():
            slots = ("time", "line") if all(fact.get("time") is not None for fact in facts) else ("line",)
            primary[identifier] = min(facts, key=lambda fact: (*(number(fact.get(slot)) for slot in slots), fact.sort_key))
        return primary

    @cached_property
    def _parents(self) -> dict[str, list[str]]:
        """Which diagnoses explain, or are shown before, a diagnosis."""
        parents: dict[str, list[str]] = {identifier: [] for identifier in self.primary}
        for template, first, then in (("consequence", "of", "is"), ("leads", "first", "then")):
            for fact in self._model.facts(template):
                before, after = str(fact.get(first)), str(fact.get(then))
                if before in parents and after in parents:
                    parents[after].append(before)
        return parents

    @cached_property
    def order(self) -> list[str]:
        """Topological by consequence, then by family and by certainty; a circle is broken at its best member."""
        best = sorted(self.primary, key=self._rank)
        order: list[str] = []
        while len(order) < len(best):
            left = [identifier for identifier in best if identifier not in order]
            ready = [identifier for identifier in left if not set(self._parents[identifier]) & set(left)]
            order.append((ready or left)[0])
        return order

    @cached_property
    def _families(self) -> dict[str, tuple[float, float]]:
        """Families as they are read: the surest first, and of those that are nearly certain the one that the text shows first."""
        sure = {str(fact.get("family")): number(fact.get("confidence")) for fact in self._model.facts("certainty")}
        ranks: dict[str, tuple[float, float]] = {}
        for fact in self.primary.values():
            family = str(fact.get("family"))
            rank = (-min(sure.get(family, 0.0), NEARLY_CERTAIN), number(fact.get("line")))
            ranks[family] = min(ranks.get(family, rank), rank)
        return ranks

    def _rank(self, identifier: str) -> tuple[tuple[float, float], float, bool, float, str]:
        fact = self.primary[identifier]
        family, confidence = self._families[str(fact.get("family"))], number(fact.get("confidence"))
        return (family, -confidence, fact.get("cause") is None, number(fact.get("line")), identifier)

    def consequence_of(self, identifier: str) -> str | None:
        """The diagnosis that explains this one, the first in order of several; None where none does."""
        explained = [str(fact.get("of")) for fact in self._model.facts("consequence") if fact.get("is") == identifier]
        return min((of for of in explained if of in self.primary), key=self.order.index, default=None)

    # what a diagnosis rests on

    def candidate(self, fact: Fact) -> tuple[Fact, Derivation] | None:
        """The candidate behind a diagnosis, and how the rule of that diagnosis derived it."""
        if fact not in self._candidates:
            derivation = self._model.derivation(fact)
            found = None
            for premise in derivation.premises if derivation else ():
                if premise.template == "candidate" and premise.get("id") == fact.get("id") and (inner := self._model.derivation(premise)):
                    found = premise, inner
                    break
            self._candidates[fact] = found
        return self._candidates[fact]

    def bindings(self, identifier: str) -> Mapping[str, Value]:
        """What the rule bound, and beside it which rank and GPU it was, how large and how capable, as attributes of the diagnosis say."""
        found = self.candidate(self.primary[identifier])
        added = self._attributes.get(identifier, ())
        known = {slot: value for item in added for slot in ("rank", *GPU_SLOTS) if (value := item.get(slot)) is not None}
        return {**known, **(found[1].bindings if found else {})}

    @cached_property
    def _attributes(self) -> dict[str, list[Fact]]:
        """What rules add to the facts of each diagnosis."""
        added: dict[str, list[Fact]] = {}
        for item in self._model.facts("attribute"):
            added.setdefault(str(item.get("diagnosis")), []).append(item)
        return added

    def _sightings(self, identifier: str) -> list[Fact]:
        """All facts that show a diagnosis, the one that shows it first before the others."""
        first = self.primary[identifier]
        return [first, *(fact for fact in self._model.facts("diagnosis") if fact.get("id") == identifier and fact != first)]

    def facts(self, identifier: str) -> dict[str, Value]:
        """Reported slots: of the signals of all sightings, of their other premises, then of attributes that rules add.

        Which of several names of a GPU is meant is for the attributes to say, which of several ranks failed first for the rule itself.
        """
        sources: list[Fact] = []
        for sighting in self._sightings(identifier):
            found = self.candidate(sighting)
            premises = [premise for premise in (found[1].premises if found else ()) if not premise.template.startswith(_KNOWN)]
            sources += premises
        sources += self._attributes.get(identifier, [])
        sources.sort(key=lambda source: (source.template != "signal", source.template == "gpu-name", source.template == "attribute"))
        told = self.primary[identifier].get("rank")
        facts: dict[str, Value] = {} if told is None else {"rank": whole("rank", told)}
        for source in sources:
            for slot in REPORTED:
                value = source.get(slot)
                if value is not None:
                    facts.setdefault(slot, whole(slot, value))
        return {slot: facts[slot] for slot in REPORTED if slot in facts}

    def is_only_mentioned(self, identifier: str) -> bool:
        """Whether a failure stands beside one that is shown, and the text only names it, or says that it is solved: nothing is known of
        the one that could be advised on, and of the other nothing is asked."""
        if identifier == self.order[0]:
            return False
        return any(fact.get("id") == identifier for template in ("only-named", "solved") for fact in self._model.facts(template))

    def lines(self, identifier: str) -> list[Evidence]:
        """The raw lines behind a diagnosis, each kind in order of the text: signals, what is said on the line that it stands on, what else
        it rests on. Where no signal is of its family, it is only told: what is said comes first."""
        family, line = self.primary[identifier].get("family"), self.primary[identifier].get("line")
        signals: list[Evidence] = []
        context: list[Evidence] = []
        shown = False  # by a signal of its own, not only told beside those of other failures
        for sighting in self._sightings(identifier):
            found = self.candidate(sighting)
            for premise in found[1].premises if found else ():
                shown = shown or (premise.template == "signal" and str(premise.get("failure")).partition("/")[0] == family)
                (signals if premise.template == "signal" else context).extend(self._leaves(premise))
        said = [item for item in context if item.order == line]
        parts = [sorted(part, key=lambda item: item.order) for part in (signals, said, context)]
        ordered = [item for part in (parts if shown else (said, *parts)) for item in part]
        return [Evidence(item.line, item.text[:MAX_TEXT], item.file, item.order) for item in list(dict.fromkeys(ordered))[:MAX_EVIDENCE]]

    def _leaves(self, fact: Fact, depth: int = 0) -> Iterable[Evidence]:
        evidence = self.evidence.get(fact)
        if evidence:
            yield from evidence
        elif depth < 8:
            derivation = self._model.derivation(fact)
            for premise in derivation.premises if derivation else ():
                yield from self._leaves(premise, depth + 1)

    def rests_on(self, identifier: str) -> list[tuple[str, str]]:
        """Failure and id of the signatures whose matches a diagnosis rests on: those of its own family where there are any."""
        found: list[tuple[str, str]] = []
        for fact in self._model.facts("diagnosis"):
            if fact.get("id") == identifier and (candidate := self.candidate(fact)):
                for premise in candidate[1].premises:
                    found += [(str(signal.get("failure")), str(signal.get("signature"))) for signal in self._signals(premise)]
        family = self.primary[identifier].get("family")
        own = [pair for pair in found if pair[0].partition("/")[0] == family]
        return sorted(set(own or found))

    def _signals(self, fact: Fact, depth: int = 0) -> Iterable[Fact]:
        if fact.template == "signal":
            yield fact
        elif depth < MAX_DEPTH and (derivation := self._model.derivation(fact)):
            for premise in derivation.premises:
                yield from self._signals(premise, depth + 1)
