"""From the engine's model to the report: order, texts, facts, evidence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from triage.engine.facts import Fact
from triage.engine.model import Derivation, Model
from triage.engine.values import Value
from triage.facts.convert import whole
from triage.facts.messages import fill, fill_command, heading
from triage.facts.observation import Evidence, Observation
from triage.facts.vocabulary import REPORTED
from triage.report.audience.programs import library_commands, understood
from triage.report.audience.reader import Reader
from triage.report.model import Diagnosis, Fix, calibrated, gpu_memory, plain
from triage.report.placeholders import Placeholders
from triage.report.proof import MAX_DEPTH, proof_sentences, proof_tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from triage.reading import Log
    from triage.rulebook.rulebook import Rulebook

SCHEMA_VERSION = 1
MAX_EVIDENCE = 12  # lines shown for one diagnosis
MAX_TEXT = 2000  # characters of a raw line kept as evidence
_KNOWN = ("table:", "gpu-model")  # templates of what is known beforehand, which no line of the text tells
_GPU_SLOTS = ("gpu", "gpu_name", "capacity_bytes", "capability", "pci")
NEARLY_CERTAIN = 0.9  # of failures at least as strong, the place in the text tells which was met first: attempts stand one below the other
LIKE = 0.78  # similarity from which a case is shown


class Report:
    """What `explain` found in one text.

    `diagnoses` (in English; `to_dict("zh")` has the Chinese texts) come root cause first. Nothing here raises for any input text.
    """

    def __init__(self, log: Log, observations: Sequence[Observation], model: Model, book: Rulebook) -> None:
        self._log = log
        self._observations = observations
        self._model = model
        self._book = book
        self._evidence: dict[Fact, tuple[Evidence, ...]] = {}
        for observation in observations:
            fact = Fact(observation.template, observation.slots)
            self._evidence.setdefault(fact, observation.evidence)
        self._placeholders = Placeholders(observations, model, book)
        self._reader = Reader(log, observations, model)
        self._languages: dict[str, list[Diagnosis]] = {}
        self._candidates: dict[Fact, tuple[Fact, Derivation] | None] = {}
        self.notes: list[str] = []  # what a reader must know of how the report came about, in English

    @property
    def log(self) -> Log:
        """The text as it was read."""
        return self._log

    @property
    def diagnoses(self) -> list[Diagnosis]:
        """What failed, the root cause first, with English texts; empty where nothing of the GPU stack did."""
        return self._in("en")

    def to_dict(self, lang: str = "en", *, verbose: bool = False) -> dict[str, Any]:
        """The JSON report. `lang` is "en" or "zh"; `verbose` adds all facts under `observations`."""
        data: dict[str, Any] = {
            "schema_version": SCHEMA_VERSION,
            "lang": lang,
            "diagnoses": [diagnosis.to_dict() for diagnosis in self._in(lang)],
            "noise": self._noise(lang),
            "environment": self._environment(),
            "input": {
                "lines": self._log.total_lines,
                "bytes": self._log.total_bytes,
                "omitted": [list(part) for part in self._log.omitted],
                "kind": self._log.kind,
            },
        }
        if self._log.parts:
            data["input"]["files"] = [
                {"name": log.name, "lines": log.total_lines, "bytes": log.total_bytes, "omitted": [list(part) for part in log.omitted]}
                for log, _ in self._log.parts
            ]
        if self.notes:
            data["notes"] = list(self.notes)
        if verbose:
            data["observations"] = [
                {
                    "template": observation.template,
                    "slots": {name: plain(value) for name, value in observation.slots.items()},
                    "line": observation.evidence[0].line if observation.evidence else None,
                }
                for observation in self._observations
            ]
        return data

    def to_markdown(self, lang: str = "en") -> str:
        """The report as an issue comment: nothing of the log can act as markup in it."""
        from triage.render.markdown import render

        return render(self.to_dict(lang))

    def why(self, lang: str = "en") -> list[dict[str, Any]]:
        """For each diagnosis, in order, its proof: `{"text", "rule", "evidence", "children"}` down to raw lines."""
        return [self._proof(self._primary[identifier], lang) for identifier in self._order]

    def why_advice(self, lang: str = "en") -> list[list[dict[str, Any]]]:
        """For each diagnosis, in order, the proofs of what followed from trying its fixes: those withdrawn, then those proved."""
        return [[self._proof(fact, lang, steps=1) for fact in self._tried(identifier)] for identifier in self._order]

    def _proof(self, fact: Fact, lang: str, steps: int = MAX_DEPTH) -> dict[str, Any]:
        return proof_tree(self._model, fact, self._evidence, self._book, lang, steps)

    def why_not(self, rule: str, *, assume: Sequence[str] = (), without: Sequence[str] = ()) -> list[dict[str, Any]]:
        """Why a rule (the id of a diagnosis, or one that `triage rules list` names) did not fire: nearest failed condition first.
        For a diagnosis that was proposed and gave way, what took its place. None of either: the diagnosis stands, or the rule fired.

        `assume` are facts to take for given, `without` such as to leave out: `setting name=NCCL_DEBUG value=INFO`. The report stays as it
        is.
        Raises KeyError for an unknown rule, ValueError for what is no fact.
        """
        from triage.report.assuming import assumed, fact_from
        from triage.report.silence import silence

        with assumed(self._model, [fact_from(text) for text in assume], [fact_from(text) for text in without]):
            return silence(self._model, self._book, rule)

    # order

    @cached_property
    def _primary(self) -> dict[str, Fact]:
        """For each diagnosis the fact that shows it first: by time where all tell theirs, else by line."""
        groups: dict[str, list[Fact]] = {}
        for fact in self._model.facts("diagnosis"):
            groups.setdefault(str(fact.get("id")), []).append(fact)
        primary = {}
        for identifier, facts in groups.items():
            slots = ("time", "line") if all(fact.get("time") is not None for fact in facts) else ("line",)
            primary[identifier] = min(facts, key=lambda fact: (*(_number(fact.get(slot)) for slot in slots), fact.sort_key))
        return primary

    @cached_property
    def _parents(self) -> dict[str, list[str]]:
        """Which diagnoses explain, or are shown before, a diagnosis."""
        parents: dict[str, list[str]] = {identifier: [] for identifier in self._primary}
        for template, first, then in (("consequence", "of", "is"), ("leads", "first", "then")):
            for fact in self._model.facts(template):
                before, after = str(fact.get(first)), str(fact.get(then))
                if before in parents and after in parents:
                    parents[after].append(before)
        return parents

    @cached_property
    def _order(self) -> list[str]:
        """Topological by consequence, then by family and by certainty; a circle is broken at its best member."""
        best = sorted(self._primary, key=self._rank)
        order: list[str] = []
        while len(order) < len(best):
            left = [identifier for identifier in best if identifier not in order]
            ready = [identifier for identifier in left if not set(self._parents[identifier]) & set(left)]
            order.append((ready or left)[0])
        return order

    @cached_property
    def _families(self) -> dict[str, tuple[float, float]]:
        """Families as they are read: the surest first, and of those that are nearly certain the one that the text shows first."""
        ranks: dict[str, tuple[float, float]] = {}
        for fact in self._primary.values():
            family, rank = str(fact.get("family")), (-min(_number(fact.get("confidence")), NEARLY_CERTAIN), _number(fact.get("line")))
            ranks[family] = min(ranks.get(family, rank), rank)
        return ranks

    def _rank(self, identifier: str) -> tuple[tuple[float, float], float, bool, float, str]:
        fact = self._primary[identifier]
        family, confidence = self._families[str(fact.get("family"))], _number(fact.get("confidence"))
        return (family, -confidence, fact.get("cause") is None, _number(fact.get("line")), identifier)

    # diagnoses

    def _in(self, lang: str) -> list[Diagnosis]:
        if lang not in ("en", "zh"):
            raise ValueError(f"unknown language {lang!r}: 'en' or 'zh'")
        if lang not in self._languages:
            self._languages[lang] = [self._diagnosis(identifier, lang) for identifier in self._order]
        return self._languages[lang]

    def _diagnosis(self, identifier: str, lang: str) -> Diagnosis:
        fact = self._primary[identifier]
        texts = self._book.texts(identifier)
        bindings = self._bindings(identifier, fact)
        facts = self._facts(identifier, fact)
        cause, found = fact.get("cause"), self._candidate(fact)
        strength = _number(fact.get("confidence"))
        evidence = self._lines(identifier, fact)
        explained = sorted(self._model.facts("consequence"), key=lambda item: item.sort_key)
        of = [str(item.get("of")) for item in explained if item.get("is") == identifier and item.get("of") in self._primary]
        return Diagnosis(
            id=identifier,
            family=fact.get("family"),
            cause=cause,
            confidence=min(round(calibrated(strength, self._book.section("calibration").get("points", [])), 3), texts.get("most", 1)),
            strength=strength,
            title=self._title(identifier, bindings, lang),
            summary=self._reader.of_containers(_fill(texts.get("summary"), bindings, lang))
            or self._about(str(fact.get("family")), cause, lang),
            family_title=self._label(f"family:{fact.get('family')}", lang),
            cause_title=self._label(f"cause:{cause}", lang) if cause else None,
            facts=facts,
            evidence=evidence,
            why=[
                *(proof_sentences(self._model, found[1], self._evidence, self._book, lang) if found else ()),
                *(self._proof(tried, lang, steps=1)["text"] for tried in self._tried(identifier)),
            ],
            fixes=self._fixes(identifier, lang),
            will_not_help=self._advice("no-use", identifier, lang),
            missing=self._advice("missing", identifier, lang),
            consequence_of=min(of, key=self._order.index) if of else None,
            cases=self._cases(identifier, {**facts, **_framework(bindings)}, texts.get("cases", []), evidence, lang),
            references=texts.get("references", []),
            gpu_memory=gpu_memory(facts) if str(fact.get("family")).startswith("memory.") else None,
            user_frame=self._user_frame(fact),
        )

    def _title(self, identifier: str, bindings: Mapping[str, Value], lang: str) -> str:
        """The title of a diagnosis, or of its family where it speaks of values that are not known."""
        message = self._book.texts(identifier).get("title")
        title = heading(message[lang], bindings, lang) if message else ""
        return title or self._label(f"family:{identifier.rpartition('.')[0]}", lang)

    def _about(self, family: str, cause: Value | None, lang: str) -> str:
        """What the vocabulary says of family and cause, for a summary all of whose sentences speak of values that are not known."""
        return ("" if lang == "zh" else " ").join(self._label(f"about:{name}", lang) for name in (family, cause) if name)

    def _label(self, key: str, lang: str) -> str:
        label = self._book.label(key)
        return str(label.get(lang, key.partition(":")[2])) if isinstance(label, dict) else key

    def _candidate(self, fact: Fact) -> tuple[Fact, Derivation] | None:
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

    def _bindings(self, identifier: str, fact: Fact) -> Mapping[str, Value]:
        """What the rule bound, and beside it which rank and GPU it was, how large and how capable, as attributes of the diagnosis say."""
        found = self._candidate(fact)
        added = self._attributes.get(identifier, ())
        known = {slot: value for item in added for slot in ("rank", *_GPU_SLOTS) if (value := item.get(slot)) is not None}
        return {**known, **(found[1].bindings if found else {})}

    @cached_property
    def _attributes(self) -> dict[str, list[Fact]]:
        """What rules add to the facts of each diagnosis."""
        added: dict[str, list[Fact]] = {}
        for item in self._model.facts("attribute"):
            added.setdefault(str(item.get("diagnosis")), []).append(item)
        return added

    def _facts(self, identifier: str, fact: Fact) -> dict[str, Value]:
        """Reported slots: of the signals of all sightings, of their other premises, then of attributes that rules add.

        Which of several names of a GPU is meant is for the attributes to say, which of several ranks failed first for the rule itself.
        """
        sources: list[Fact] = []
        for sighting in [fact, *(other for other in self._model.facts("diagnosis") if other.get("id") == identifier and other != fact)]:
            found = self._candidate(sighting)
            premises = [premise for premise in (found[1].premises if found else ()) if not premise.template.startswith(_KNOWN)]
            sources += premises
        sources += self._attributes.get(identifier, [])
        sources.sort(key=lambda source: (source.template != "signal", source.template == "gpu-name", source.template == "attribute"))
        told = fact.get("rank")
        facts: dict[str, Value] = {} if told is None else {"rank": whole("rank", told)}
        for source in sources:
            for slot in REPORTED:
                value = source.get(slot)
                if value is not None:
                    facts.setdefault(slot, whole(slot, value))
        return {slot: facts[slot] for slot in REPORTED if slot in facts}

    def _lines(self, identifier: str, fact: Fact) -> list[Evidence]:
        """The raw lines behind a diagnosis, each kind in order of the text: signals, what is said on the line that it stands on, what else
        it rests on. Where no signal is of its family, it is only told: what is said comes first."""
        family, line = fact.get("family"), fact.get("line")
        signals: list[Evidence] = []
        context: list[Evidence] = []
        shown = False  # by a signal of its own, not only told beside those of other failures
        for sighting in [fact, *(other for other in self._model.facts("diagnosis") if other.get("id") == identifier and other != fact)]:
            found = self._candidate(sighting)
            for premise in found[1].premises if found else ():
                shown = shown or (premise.template == "signal" and str(premise.get("failure")).partition("/")[0] == family)
                (signals if premise.template == "signal" else context).extend(self._leaves(premise))
        said = [item for item in context if item.order == line]
        parts = [sorted(part, key=lambda item: item.order) for part in (signals, said, context)]
        ordered = [item for part in (parts if shown else (said, *parts)) for item in part]
        return [Evidence(item.line, item.text[:MAX_TEXT], item.file, item.order) for item in list(dict.fromkeys(ordered))[:MAX_EVIDENCE]]

    def _leaves(self, fact: Fact, depth: int = 0) -> Iterable[Evidence]:
        evidence = self._evidence.get(fact)
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
            if fact.get("id") == identifier and (candidate := self._candidate(fact)):
                for premise in candidate[1].premises:
                    found += [(str(signal.get("failure")), str(signal.get("signature"))) for signal in self._signals(premise)]
        family = self._primary[identifier].get("family")
        own = [pair for pair in found if pair[0].partition("/")[0] == family]
        return sorted(set(own or found))

    def _signals(self, fact: Fact, depth: int = 0) -> Iterable[Fact]:
        if fact.template == "signal":
            yield fact
        elif depth < MAX_DEPTH and (derivation := self._model.derivation(fact)):
            for premise in derivation.premises:
                yield from self._signals(premise, depth + 1)

    # advice

    def _followers(self, template: str, identifier: str) -> list[tuple[Fact, Derivation]]:
        facts = [fact for fact in self._model.facts(template) if fact.get("diagnosis") == identifier]
        facts.sort(key=lambda fact: (_number(fact.get("order")), fact.sort_key))
        return [(fact, derivation) for fact in facts if (derivation := self._model.derivation(fact))]

    def _text(self, fact: Fact) -> dict[str, Any]:
        owner, _, path = str(fact.get("text")).rpartition("#")
        texts = self._book.texts(owner)
        kind, _, number = path.partition(".")
        entry = texts.get(kind, {})
        return entry[int(number)] if number else entry  # type: ignore[no-any-return]

    def _fixes(self, identifier: str, lang: str) -> list[Fix]:
        """Each fix once, in order, those first that helped by the text, those last that were tried in vain; where several rules offer
        one, the first that has something of its own to say speaks."""
        offers: dict[str, list[tuple[dict[str, Any], Mapping[str, Value]]]] = {}
        for fact, derivation in self._followers("fix", identifier):
            offers.setdefault(str(fact.get("fix")), []).append((self._text(fact), derivation.bindings))
        tried, helped = (
            {str(fact.get("fix")): fact for fact in self._model.facts(template) if fact.get("diagnosis") == identifier}
            for template in ("in-vain", "in-favour")
        )
        said = {**tried, **helped}
        fixes = []
        framework = self._reader.framework(self._bindings(identifier, self._primary[identifier]))
        of_use = (name for name in offers if self._reader.is_of_use(name, identifier, framework))
        for name in sorted(of_use, key=lambda name: ((name in tried) - (name in helped), self._reader.comes_later(name))):
            texts = offers[name]
            text, bindings = next(((text, bindings) for text, bindings in texts if "detail" in text), texts[0])
            fix = self._fix(identifier, name, text, bindings, lang)
            if name in said:
                fix.detail = ("" if lang == "zh" else " ").join(filter(None, (self._because(said[name], lang), fix.detail)))
            fixes.append(fix)
        return fixes

    def _because(self, fact: Fact, lang: str) -> str:
        """What the rule that derived a fact says of it."""
        derivation = self._model.derivation(fact)
        return _fill(self._book.texts(derivation.rule).get("because"), derivation.bindings, lang) if derivation else ""

    def _fix(self, identifier: str, name: str, text: dict[str, Any], bindings: Mapping[str, Value], lang: str) -> Fix:
        text = self._reader.own_words(text, self._library(name, identifier))
        # a rule that brings its own detail does not want the library's commands for the general case, nor the library's detail
        # below a title and commands of its own
        brought = text.get("commands") or text.get("commands_of")
        own = text.get("title") and brought
        fact = self._primary[identifier]
        known = {**self._bindings(identifier, fact), **bindings}  # the fix's rule binds what its own texts speak of
        reader = self._reader
        framework = reader.framework(known)
        library = reader.library_fix(self._library(name, identifier), framework)
        offered = text if brought or "commands" in text or "detail" in text else library
        commands = library_commands(offered, framework, reader.uses)
        lines = understood([line for command in commands if (line := fill_command(command, bindings))], framework)
        lines = self._placeholders.fill(lines, identifier, name, fact, known)
        fix = Fix(
            id=name,
            title=reader.words(_fill(text.get("title") or library.get("title"), bindings, lang), framework),
            detail=reader.words(_fill(text.get("detail", None if own else library.get("detail")), bindings, lang), framework),
            commands=reader.lines(lines, framework),
            leads_to=list(text.get("leads_to", [])),
            leads_to_titles=[self._title(following, {}, lang) for following in text.get("leads_to", [])],
            references=list(text.get("references", library.get("references", []))),
            verifiable=name in self._book.section("verifiable").get(identifier, []),
            verdict=self._verdicts.get((identifier, name)),
        )
        fix.detail = ("" if lang == "zh" else " ").join(filter(None, (fix.detail, reader.of_rights(name, fix.commands, lang))))
        if text.get("detail") and not (fix.detail or fix.commands):  # it spoke to users of another framework alone
            return self._fix(identifier, name, {"leads_to": fix.leads_to}, bindings, lang)
        return fix

    def _library(self, fix: str, identifier: str) -> dict[str, Any]:
        """What the library says of a fix for this failure: of its family, else of its domain, else in general."""
        domain, _, family = identifier.rpartition(".")[0].partition(".")
        places = (f"@{domain}.{family}", f"@{domain}", "")
        return next((text for place in places if (text := self._book.label(f"fix:{fix}{place}"))), {})

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

    def _tried(self, identifier: str) -> list[Fact]:
        """What followed from verdicts on the fixes of a diagnosis: those withdrawn, then those proved."""
        facts = [fact for template in ("withdrawn", "proved") for fact in self._model.facts(template)]
        return [fact for fact in facts if fact.get("diagnosis") == identifier]

    def _advice(self, template: str, identifier: str, lang: str) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = []
        known = self._bindings(identifier, self._primary[identifier])
        for fact, derivation in self._followers(template, identifier):
            text = self._text(fact)
            framework = self._reader.framework({**known, **derivation.bindings})
            if template == "no-use":
                name = str(fact.get("fix"))
                why = self._reader.words(_fill(text.get("why"), derivation.bindings, lang), framework)
                if why and not any(item["id"] == name for item in items):
                    library = self._reader.library_fix(self._library(name, identifier), framework)
                    title = self._reader.words(_fill(library.get("title"), derivation.bindings, lang), framework)
                    tried = self._verdicts.get((identifier, name))
                    items.append({"id": name, **({"title": title} if title else {}), "why": why, **({"verdict": tried} if tried else {})})
            else:
                named = _fill(text.get("fact"), derivation.bindings, lang)
                [line] = self._placeholders.fill([text["how"]], identifier, "", self._primary[identifier], known)
                how = self._reader.how_to_know(line, framework)
                if how and not any(item["fact"] == named for item in items):
                    items.append({"fact": named, "how": how})
        return items

    def _noise(self, lang: str) -> list[dict[str, Any]]:
        items: dict[int, str] = {}
        for fact in self._model.facts("noise"):
            derivation = self._model.derivation(fact)
            why = _fill(self._text(fact).get("why"), self._located(derivation.bindings) if derivation else {}, lang)
            items.setdefault(int(_number(fact.get("line"))), why)
        places = [(*self._log.place(number), why) for number, why in sorted(items.items())]
        return [{"file": file, "line": line, "why": why} if file else {"line": line, "why": why} for file, line, why in places]

    def _located(self, bindings: Mapping[str, Value]) -> Mapping[str, Value]:
        """Bindings whose line numbers a reader of several logs finds again."""
        number = bindings.get("by")
        file, line = self._log.place(number) if isinstance(number, int) else ("", 0)
        return {**bindings, "by": f"{file}:{line}"} if file else bindings

    # surroundings

    def _environment(self) -> dict[str, Any]:
        versions: dict[str, str] = {}
        gpus: list[dict[str, Any]] = []
        names: list[str] = []
        for observation in self._observations:
            slots = observation.slots
            if observation.template == "version":
                versions.setdefault(str(slots.get("package")), str(slots.get("version_text") or slots.get("version")))
            elif observation.template == "gpu":
                gpu: dict[str, Any] = {name: plain(slots[name]) for name in _GPU_SLOTS if name in slots}
                if gpu and gpu not in gpus:
                    gpus.append(gpu)
            elif observation.template == "gpu-name" and slots.get("gpu_name") not in names:
                names.append(str(slots.get("gpu_name")))
        if not gpus:
            gpus = [{"gpu_name": name} for name in names]
        return {"versions": dict(sorted(versions.items())), "gpus": gpus[:64]}

    def _user_frame(self, fact: Fact) -> dict[str, Any] | None:
        """The last frame of the user's own code at or before the line of the diagnosis, in the same process, where its traceback is the
        last one there or led to that."""
        line, stream = _number(fact.get("line")), fact.get("stream") or ""
        best, last = None, None
        for observation in self._observations:
            slots = observation.slots
            if observation.template == "frame" and (slots.get("stream") or "") == stream and _number(slots["line"]) <= line:
                last = slots
                best = slots if slots.get("innermost_user") else best
        if best is None or last is None or not self._led_to(best["traceback"], last["traceback"]):
            return None
        return {"path": best.get("path"), "line": best.get("source_line"), "function": best.get("function"), "code": best.get("code")}

    def _led_to(self, first: Value, then: Value) -> bool:
        """Whether a traceback is the other, or one that Python printed because of the first."""
        parents = {item.slots["traceback"]: item.slots.get("parent") for item in self._observations if item.template == "exception"}
        at: Value | None = first
        while at is not None and at != then:
            at = parents.pop(at, None)
        return at == then

    def _cases(self, identifier: str, facts: dict[str, Any], named: list[str], evidence: list[Evidence], lang: str) -> list[dict[str, Any]]:
        from triage.knowledge.similarity import similar

        cases = self._book.cases(str(self._primary[identifier].get("family")))
        if not cases:
            return []
        fact = self._primary[identifier]
        wanted = {"id": identifier, "family": fact.get("family"), "cause": fact.get("cause"), **facts}
        text = "\n".join(item.text for item in evidence)
        framework = str(next(iter(facts.get("frameworks", ())), ""))
        of_its_maker = [case for case in cases if self._reader.is_for(case, framework)]
        scores = dict(similar(wanted, text, of_its_maker, least=LIKE))
        known = [case for case in cases if case["id"] in named and case["id"] not in scores]
        scores.update(similar(wanted, text, known, least=0))  # what the rule itself was derived from
        chosen = sorted(scores.items(), key=lambda item: (-(item[1] + (0.1 if item[0] in named else 0)), item[0]))[:3]
        by_id = {case["id"]: case for case in cases}
        return [
            {"id": name, "score": round(score, 2), "title": by_id[name]["title"][lang], "url": by_id[name]["source"][0]["url"]}
            for name, score in chosen
        ]


def _fill(message: dict[str, Any] | None, bindings: Mapping[str, Value], lang: str) -> str:
    return fill(message[lang], bindings, lang) if message else ""


def _framework(bindings: Mapping[str, Value]) -> dict[str, list[Value]]:
    """What a case names under `frameworks`, as far as the message itself told it."""
    return {"frameworks": [bindings["framework"]]} if bindings.get("framework") else {}


def _number(value: Value | None) -> float:
    return float(value) if isinstance(value, (int, float)) else 0.0
