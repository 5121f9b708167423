"""The report on one text: what was found, what is said of it and what is advised, put together in the language it is asked in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from triage.engine.facts import Fact
from triage.engine.model import Model
from triage.engine.values import Value
from triage.facts.observation import Evidence, Observation
from triage.report.advice import Advice
from triage.report.audience.reader import Reader
from triage.report.findings import Findings
from triage.report.model import Diagnosis, calibrated, gpu_memory, number, plain
from triage.report.proof import MAX_DEPTH, proof_sentences, proof_tree
from triage.report.surroundings import environment, user_frame
from triage.report.wording import Wording, filled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from triage.reading import Log
    from triage.rulebook.rulebook import Rulebook

SCHEMA_VERSION = 1
LIKE = 0.78  # similarity from which a case is shown that does not say which diagnoses it belongs to


class Report:
    """What `explain` found in one text.

    `diagnoses` (in English; `to_dict("zh")` has the Chinese texts) come root cause first. Nothing here raises for any input text.
    """

    def __init__(self, log: Log, observations: Sequence[Observation], model: Model, book: Rulebook) -> None:
        self._log = log
        self._observations = observations
        self._model = model
        self._book = book
        self._findings = Findings(observations, model)
        self._wording = Wording(book)
        self._reader = Reader(log, observations, model, book.tables)
        self._advice = Advice(observations, model, book, self._findings, self._wording, self._reader)
        self._languages: dict[str, list[Diagnosis]] = {}
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
            "environment": environment(self._observations),
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
        return [self._proof(self._findings.primary[identifier], lang) for identifier in self._findings.order]

    def why_advice(self, lang: str = "en") -> list[list[dict[str, Any]]]:
        """For each diagnosis, in order, the proofs of what followed from trying its fixes: those withdrawn, then those proved."""
        return [[self._proof(fact, lang, steps=1) for fact in self._advice.tried(identifier)] for identifier in self._findings.order]

    def _proof(self, fact: Fact, lang: str, steps: int = MAX_DEPTH) -> dict[str, Any]:
        return proof_tree(self._model, fact, self._findings.evidence, self._book, lang, steps)

    def rests_on(self, identifier: str) -> list[tuple[str, str]]:
        """Failure and id of the signatures whose matches a diagnosis rests on: those of its own family where there are any."""
        return self._findings.rests_on(identifier)

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

    # diagnoses

    def _in(self, lang: str) -> list[Diagnosis]:
        if lang not in ("en", "zh"):
            raise ValueError(f"unknown language {lang!r}: 'en' or 'zh'")
        if lang not in self._languages:
            self._languages[lang] = [self._diagnosis(identifier, lang) for identifier in self._findings.order]
        return self._languages[lang]

    def _diagnosis(self, identifier: str, lang: str) -> Diagnosis:
        fact = self._findings.primary[identifier]
        texts = self._book.texts(identifier)
        bindings = self._findings.bindings(identifier)
        facts = self._findings.facts(identifier)
        cause, found = fact.get("cause"), self._findings.candidate(fact)
        strength = number(fact.get("confidence"))
        evidence = self._findings.lines(identifier)
        return Diagnosis(
            id=identifier,
            family=fact.get("family"),
            cause=cause,
            confidence=min(round(calibrated(strength, self._book.section("calibration").get("points", [])), 3), texts.get("most", 1)),
            strength=strength,
            title=self._wording.title(identifier, bindings, lang),
            summary=self._reader.said(filled(texts.get("summary"), bindings, lang), self._reader.framework(bindings))
            or self._wording.about(str(fact.get("family")), cause, lang),
            family_title=self._wording.label(f"family:{fact.get('family')}", lang),
            cause_title=self._wording.label(f"cause:{cause}", lang) if cause else None,
            facts=facts,
            evidence=evidence,
            why=[
                *(proof_sentences(self._model, found[1], self._findings.evidence, self._book, lang) if found else ()),
                *(self._proof(tried, lang, steps=1)["text"] for tried in self._advice.tried(identifier)),
            ],
            fixes=[] if self._findings.is_only_mentioned(identifier) else self._advice.fixes(identifier, lang),
            will_not_help=self._advice.no_use(identifier, lang),
            missing=self._advice.missing(identifier, lang),
            consequence_of=self._findings.consequence_of(identifier),
            cases=self._cases(identifier, {**facts, **_framework(bindings)}, texts.get("cases", []), evidence, lang),
            references=texts.get("references", []),
            gpu_memory=gpu_memory(facts) if str(fact.get("family")).startswith("memory.") else None,
            user_frame=user_frame(self._observations, fact),
        )

    def _noise(self, lang: str) -> list[dict[str, Any]]:
        items: dict[int, str] = {}
        for fact in self._model.facts("noise"):
            derivation = self._model.derivation(fact)
            why = filled(self._wording.of(fact).get("why"), self._located(derivation.bindings) if derivation else {}, lang)
            items.setdefault(int(number(fact.get("line"))), why)
        places = [(*self._log.place(number), why) for number, why in sorted(items.items())]
        return [{"file": file, "line": line, "why": why} if file else {"line": line, "why": why} for file, line, why in places]

    def _located(self, bindings: Mapping[str, Value]) -> Mapping[str, Value]:
        """Bindings whose line numbers a reader of several logs finds again."""
        number = bindings.get("by")
        file, line = self._log.place(number) if isinstance(number, int) else ("", 0)
        return {**bindings, "by": f"{file}:{line}"} if file else bindings

    def _cases(self, identifier: str, facts: dict[str, Any], named: list[str], evidence: list[Evidence], lang: str) -> list[dict[str, Any]]:
        from triage.knowledge.similarity import similar
        from triage.report.audience.use import is_for

        cases = self._book.cases(str(self._findings.primary[identifier].get("family")))
        if not cases:
            return []
        fact = self._findings.primary[identifier]
        wanted = {"id": identifier, "family": fact.get("family"), "cause": fact.get("cause"), **facts}
        text = "\n".join(item.text for item in evidence)
        framework = str(next(iter(facts.get("frameworks", ())), ""))
        of_the_reader = [case for case in cases if is_for(case, self._reader, framework, identifier)]
        of_the_matter = [
            case
            for case in of_the_reader
            if case["id"] in named or (identifier in case["diagnoses"] and _same_cause(fact.get("cause"), case))
        ]
        of_none = [case for case in of_the_reader if not case["diagnoses"] and case["id"] not in named]
        scores = dict([*similar(wanted, text, of_the_matter, least=0), *similar(wanted, text, of_none, least=LIKE)])
        chosen = sorted(scores.items(), key=lambda item: (-(item[1] + (0.1 if item[0] in named else 0)), item[0]))[:3]
        by_id = {case["id"]: case for case in cases}
        return [
            {"id": name, "score": round(score, 2), "title": by_id[name]["title"][lang], "url": by_id[name]["source"][0]["url"]}
            for name, score in chosen
        ]


def _same_cause(cause: Value | None, case: Mapping[str, Any]) -> bool:
    """Whether a case had the cause of a diagnosis, as far as both are known: one card is too old for what another is too new for."""
    return not (cause and case["causes"]) or cause in case["causes"]


def _framework(bindings: Mapping[str, Value]) -> dict[str, list[Value]]:
    """What a case names under `frameworks`, as far as the message itself told it."""
    return {"frameworks": [bindings["framework"]]} if bindings.get("framework") else {}
