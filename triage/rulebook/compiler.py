"""Checked rule files → compiled data: signatures for the matcher, a program for the engine, texts for the report.

Every diagnosis `D` of a file becomes

- the rule `D`: its signals and conditions derive `candidate {id: D, …}` and `finding:D {…}`, which keeps the bindings that its
  texts and fixes speak of;
- one rule per fix, per vain advice and per missing fact, each from `finding:D`, `advises {id: D, on: E}` and conditions of its own;
  E is D, or the diagnosis that takes its place and keeps its advice;
- rules for `consequence_of` and `yields_to`.

What becomes of candidates is not decided here but by the rules of `rules/common`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from triage.engine.expressions import parse_expression, variables
from triage.engine.program import RuleError as EngineRuleError
from triage.engine.program import StratificationError, compile_program, read_rule
from triage.facts.messages import MessageError, parse_message
from triage.facts.vocabulary import TEMPLATES
from triage.rulebook import schema
from triage.rulebook.conditions import Translator, condition_variables, used_variables
from triage.rulebook.errors import Problem, RuleError
from triage.rulebook.loader import Source
from triage.rulebook.names import derived_templates, unknown_names
from triage.rulebook.ranges import parse_range
from triage.rulebook.reuse import Earlier, digest
from triage.rulebook.taxonomy import Taxonomy
from triage.signatures.patterns import CompiledPattern, PatternError, compile_pattern, compile_text

if TYPE_CHECKING:
    from triage.facts.messages import Sentence
    from triage.rulebook.packs import Pack
    from triage.rulebook.rulebook import Rulebook

Keys = tuple[str | int, ...]
Rule = dict[str, Any]
ADVISED = "advised"  # the variable of a rule that advises: the diagnosis that its advice is shown with
NURSERY_CONFIDENCE = 0.6  # at most, of a diagnosis whose file is in the nursery
NURSERY_REMARK = {
    "en": "(This rule is new and not proved enough yet: its confidence is capped.)",
    "zh": "（该规则较新、验证不足，置信度设有上限。）",
}
_PATTERN_CODES = {"form": "R015", "literal": "R018", "engine": "R019"}


class Compiled:
    """What the compiler made: `index` is read at every start, each of `texts` only when a report needs it.

    `rules` are the rules for the engine before it orders and indexes them; `foreign` has the directory of the pack of every diagnosis
    and rule that is not shipped; `files` what other files may refer to in each.
    """

    __slots__ = ("files", "foreign", "index", "rules", "texts")

    def __init__(
        self,
        index: dict[str, Any],
        texts: dict[str, Any],
        rules: list[Rule],
        foreign: dict[str, str],
        files: list[dict[str, Any]],
    ) -> None:
        self.index = index
        self.texts = texts
        self.rules = rules
        self.foreign = foreign
        self.files = files


def compile_rules(
    sources: Sequence[Source],
    taxonomy: Taxonomy,
    tables: Mapping[str, Sequence[str]] | None = None,
    base: Foundation | None = None,
    earlier: Earlier | None = None,
) -> Compiled:
    """Compile a whole rule base, or files to be added to `base`. Raises RuleError with everything that is wrong.

    `tables` gives the columns of the tables that rules may join; without it any table and column is taken to exist. What `earlier` has
    is taken over.
    """
    earlier = earlier or Earlier()
    added = [_named(source) for source in sources]
    files = [*base.files, *added] if base else added
    problems: list[Problem] = list(unknown_names(sources, tables, [file["derived"] for file in files]))
    signatures: list[dict[str, Any]] = list(base.signatures) if base else []
    made_from: list[str] = list(base.book.section("made-from")) if base else []
    rules: list[Rule] = list(base.rules) if base else []
    texts: dict[str, Any] = {}
    paths = {name: file["path"] for file in files for name in file["owns"]}
    owners: dict[str, tuple[Source, Keys]] = {}
    for source, named in zip(sources, added, strict=True):
        part = _FileCompiler(source, taxonomy, problems, _heirs(source, files), earlier)
        part.run()
        for name, keys in part.names:
            if name in paths:
                problems.append(source.problem(keys, "R012", f"the id {name} is already taken by {paths[name]}"))
            paths[name] = source.path
            owners[name] = (source, keys)
        named["owns"] = [name for name, _ in part.names]
        signatures.extend(part.signatures)
        made_from.extend(map(digest, source.model.signatures))
        rules.extend(part.rules)
        texts |= part.texts
    program: dict[str, Any] = {}
    if not problems:
        try:
            program = compile_program(rules, TEMPLATES)
        except StratificationError as error:
            problems.append(_placed(error.cycle[::2], owners, "R013", str(error)))
        except EngineRuleError as error:
            problems.append(_placed([error.rule], owners, "R011", error.message))
    if problems:
        raise RuleError(problems)
    foreign = {name: source.pack for name, (source, _) in owners.items() if source.pack}
    return Compiled({"signatures": signatures, "made-from": made_from, "program": program}, texts, rules, foreign, files)


def _named(source: Source) -> dict[str, Any]:
    """What other files may refer to in a file; `owns`, its names among the rules of the engine, are not known yet."""
    return {
        "path": source.path,
        "failure": source.failure,
        "diagnoses": [source.diagnosis(rule) for rule in source.model.diagnoses],
        "heir": source.model.superseded_by,
        "derived": {template: sorted(slots) for template, slots in derived_templates(source).items()},
        "owns": [],
    }


def _heirs(source: Source, files: Iterable[dict[str, Any]]) -> list[str]:
    """The diagnoses of the failure that takes the place of a deprecated one."""
    heir = source.model.superseded_by
    if heir is None:
        return []
    names = {heir, f"{source.namespace}:{heir}"}
    return [name for file in files if file["failure"] in names for name in file["diagnoses"]]


def _placed(names: Iterable[str], owners: Mapping[str, tuple[Source, Keys]], code: str, message: str) -> Problem:
    """A problem of rules known by their names in the engine, told at the first one that belongs to a pack, or else at the first."""
    found = [owners[owner] for name in names if (owner := name.split("/", 1)[0] if name not in owners else name) in owners]
    found.sort(key=lambda item: not item[0].namespace)
    return found[0][0].problem(found[0][1], code, message) if found else Problem("rules", 0, 0, code, message)


class Foundation:
    """Rules that are compiled already, for files that are added to them."""

    __slots__ = ("book", "files", "rules", "signatures")

    def __init__(self, book: Rulebook) -> None:
        program = book.program
        self.book = book
        self.files: list[dict[str, Any]] = book.section("files")
        self.signatures: list[dict[str, Any]] = list(book.section("signatures"))
        self.rules: list[Rule] = [read_rule(name, text) for name, text in zip(program["names"], program["rules"], strict=True)]

    def columns(self) -> dict[str, list[str]]:
        """The columns of every table."""
        names = [name for name in self.book.names() if name.startswith("table/")]
        return {name.removeprefix("table/"): self.book.section(name)["columns"] for name in names}

    def takes(self, packs: Iterable[Pack]) -> bool:
        """Whether the rules stay as they are when packs are added: none of them takes over something of theirs, or takes its place."""
        heirs = {file["heir"] for file in self.files} - {None}
        return not any(pack.overrides or any(source.failure in heirs for source in pack.sources) for pack in packs)


class _FileCompiler:
    """One file: its signatures, rules and texts."""

    def __init__(self, source: Source, taxonomy: Taxonomy, problems: list[Problem], heirs: Sequence[str], earlier: Earlier) -> None:
        self.source = source
        self.heirs = heirs
        self.file = source.model
        self.taxonomy = taxonomy
        self.signatures: list[dict[str, Any]] = []
        self.rules: list[Rule] = []
        self.texts: dict[str, Any] = {}
        self.names: list[tuple[str, Keys]] = []
        self._problems = problems
        self._earlier = earlier

    def run(self) -> None:
        family = self.file.family
        if family is not None and family not in self.taxonomy.families:
            self._problem(("failure",), "R010", f"unknown family {family}{self.taxonomy.nearest_family(family)}")
        for number, signature in enumerate(self.file.signatures):
            self._signature(signature, ("signatures", number))
        for number, diagnosis in self.source.diagnoses():
            self._diagnosis(diagnosis, ("diagnoses", number))
        for number, inference in enumerate(self.file.rules):
            self._inference(inference, ("rules", number))

    def _problem(self, keys: Keys, code: str, message: str) -> None:
        self._problems.append(self.source.problem(keys, code, message))

    def _translator(self, keys: Keys) -> Translator:
        return Translator(lambda inner, message: self._problem(inner, "R011", message))

    # texts

    def _message(self, text: schema.Text | None, keys: Keys) -> dict[str, list[Sentence]] | None:
        if text is None:
            return None
        result: dict[str, list[Sentence]] = {}
        for lang in ("en", "zh"):
            result[lang] = [self._sentence(sentence, (*keys, lang)) for sentence in _as_list(getattr(text, lang))]
        return result

    def _sentence(self, sentence: str, keys: Keys) -> Sentence:
        try:
            return parse_message(sentence)
        except MessageError as error:
            self._problem(keys, "R014", f"{error} in '{sentence}'")
            return [sentence]

    # signatures

    def _signature(self, signature: schema.Signature, keys: Keys) -> None:
        """Compile a signature: what finds it, where it counts, and what a match gives."""
        data = {"id": signature.id, **(self._earlier.forms(digest(signature)) or self._forms(signature, keys))}
        self._scope(signature, data)
        self._gives(signature, keys, data)
        self.signatures.append(data)

    def _forms(self, signature: schema.Signature, keys: Keys) -> dict[str, Any]:
        """The regexes of a signature, and the literals of which each needs one: `needs` by their places in `literals`."""
        compiler = compile_text if signature.text is not None else compile_pattern
        key = "text" if signature.text is not None else "pattern"
        parts: list[CompiledPattern] = []
        for form in signature.forms:
            try:
                pattern = compiler(form, signature.literal, signature.span > 1)
            except PatternError as error:
                self._problem((*keys, key), _PATTERN_CODES[error.kind], f"signature {signature.id}: {error}")
                continue
            parts += [pattern] if signature.literal else pattern.alternatives()
        flags = "(?i)" if signature.ignore_case else ""
        literals = sorted({literal for part in parts for literal in part.literals})
        data: dict[str, Any] = {"regexes": [(flags + part.regex, part.slots) for part in parts], "literals": literals}
        if len(parts) > 1:
            data["needs"] = [[literals.index(literal) for literal in part.literals] for part in parts]
        if any(part.further for part in parts):
            data["further"] = [part.further for part in parts]
        return data

    def _scope(self, signature: schema.Signature, data: dict[str, Any]) -> None:
        """Which failure a signature is of, and in which lines it counts. What is the rule is left out."""
        if self.source.failure is not None:
            data["failure"] = self.source.failure
        if signature.span > 1:
            data["span"] = signature.span
        if signature.roles is not None:
            roles = [role for role in signature.roles if role != "said"]
            if "said" in signature.roles:  # a line that a person wrote may be taken for output
                if "output" not in roles:  # which has what exceptions print as well
                    data["said"] = True
                roles += [role for role in ("prose", "output") if role not in roles]
            data["in"] = roles

    def _gives(self, signature: schema.Signature, keys: Keys, data: dict[str, Any]) -> None:
        """The facts and slots that a match gives besides what it captures."""
        translator = self._translator(keys)
        if not signature.reports:
            data["signal"] = False
        if signature.once:
            data["once"] = True
        if signature.sentences:
            data["sentences"] = True
        if signature.constants:
            data["set"] = {slot: translator._term(slot, value, keys)[1] if not isinstance(value, list) else ["t", *value]
                           for slot, value in signature.constants.items()}  # fmt: skip
        if signature.compute:
            data["compute"] = [(slot, translator.expression(text, (*keys, "compute", slot))) for slot, text in signature.compute.items()]
        if signature.asserts:
            data["asserts"] = [
                (template, translator.terms(slots, (*keys, "asserts", number, template)))
                for number, item in enumerate(signature.asserts)
                for template, slots in item.items()
            ]
        if signature.versions:
            data["versions"] = {package: self._range(text, (*keys, "versions", package)) for package, text in signature.versions.items()}

    def _range(self, text: str, keys: Keys) -> list[Any]:
        try:
            return parse_range(text)
        except ValueError as error:
            self._problem(keys, "R016", str(error))
            return [None, None]

    # diagnoses

    def _diagnosis(self, rule: schema.DiagnosisRule, keys: Keys) -> None:
        family = self.file.family or ""
        name = self.source.diagnosis(rule)
        self.names.append((name, (*keys, "id")))
        if rule.cause is not None and rule.cause not in self.taxonomy.causes:
            self._problem((*keys, "cause"), "R010", f"unknown cause {rule.cause}{self.taxonomy.nearest_cause(rule.cause)}")
        translator = self._translator(keys)
        alternatives = translator.conditions(rule.when, (*keys, "when"))
        signal = self._signal_pattern(rule, keys)
        wanted = self._finding_variables(rule, translator, alternatives, keys)
        candidate: dict[str, Any] = {
            "id": ["const", name], "family": ["const", family], "line": ["var", "line"], "rank": ["var", "rank"],
            "stream": ["var", "stream"], "time": ["var", "time"], "specific": ["const", rule.cause is not None],
            "narrow": ["const", bool(rule.on or rule.when)],
            "confidence": ["expr", self._confidence(rule, translator, keys)],
        }  # fmt: skip
        if rule.cause is not None:
            candidate["cause"] = ["const", rule.cause]
        then: list[list[Any]] = [
            ["candidate", candidate],
            [f"finding:{name}", {variable: ["var", variable] for variable in sorted(wanted)}],
        ]
        if rule.told:
            then.append(["only-told", {"id": ["const", name]}])
        if rule.named:
            then.append(["only-named", {"id": ["const", name]}])
        if rule.keeps_advice:
            then.append(["keeps-advice", {"id": ["const", name]}])
        for conditions in alternatives:
            self.rules.append({"name": name, "when": signal + conditions, "then": then})
        self._followers(rule, name, _binds_line(rule, alternatives), translator, keys)
        self.texts[name] = {
            "title": self._message(rule.title or self.file.title, (*keys, "title")),
            "summary": self._summary(rule, keys),
            **({"most": NURSERY_CONFIDENCE} if self.file.status == "nursery" else {}),
            "because": self._message(rule.because, (*keys, "because")),
            "fixes": [self._fix_text(fix, (*keys, "fixes", number)) for number, fix in enumerate(rule.fixes)],
            "no_use": [self._no_use_text(item, (*keys, "no_use", number)) for number, item in enumerate(rule.no_use)],
            "missing": [self._missing_text(item, (*keys, "missing", number)) for number, item in enumerate(rule.missing)],
            "references": list(dict.fromkeys(reference.url for reference in [*rule.references, *self.file.references])),
            "cases": [self.source.resolve(case) for case in rule.cases],
        }

    def _summary(self, rule: schema.DiagnosisRule, keys: Keys) -> dict[str, list[Sentence]] | None:
        """What the diagnosis says, with a remark where its file is in the nursery."""
        summary = self._message(rule.summary, (*keys, "summary"))
        if self.file.status != "nursery":
            return summary
        return {lang: [*(summary or {}).get(lang, []), [remark]] for lang, remark in NURSERY_REMARK.items()}

    def _confidence(self, rule: schema.DiagnosisRule, translator: Translator, keys: Keys) -> Any:
        """The probability, or the expression that gives it. What is not proved yet is not believed too much."""
        value = translator.expression(rule.confidence, (*keys, "confidence"))
        return value if self.file.status != "nursery" else ["min", value, NURSERY_CONFIDENCE]

    def _signal_pattern(self, rule: schema.DiagnosisRule, keys: Keys) -> list[Any]:
        wanted = [rule.on] if isinstance(rule.on, str) else rule.on
        if wanted == []:
            return []
        known = {signature.id for signature in self.file.signatures}
        for signature in wanted or []:
            if signature not in known:
                self._problem((*keys, "on"), "R010", f"no signature {signature} in this file; there are {', '.join(sorted(known))}")
        terms: dict[str, Any] = {"failure": ["const", self.source.failure]}
        if wanted is not None:
            terms["signature"] = ["const", wanted[0]] if len(wanted) == 1 else ["in", wanted]
        harmless = ["not", [["match", "harmless", {"line": ["var", "line"]}, False]]]
        return [["match", "signal", terms, True], harmless]

    def _finding_variables(self, rule: schema.DiagnosisRule, translator: Translator, alternatives: list[list[Any]], keys: Keys) -> set[str]:
        """Every variable that a text or a follower of this diagnosis can speak of."""
        names = {"line"}
        for conditions in alternatives:
            names |= condition_variables(conditions)
        for text in (rule.title or self.file.title, rule.summary, rule.because):
            names |= self._text_variables(text)
        for fix in rule.fixes:
            if isinstance(fix, schema.FixUse):
                names |= self._text_variables(fix.title) | self._text_variables(fix.detail)
                names |= _sentence_variables(fix.lines or [])
                names |= self._condition_names(fix.when)
        for vain in rule.no_use:
            names |= self._text_variables(vain.title) | self._text_variables(vain.why) | self._condition_names(vain.when)
        for missing in rule.missing:
            names |= self._condition_names(missing.when) | self._condition_names(missing.unless)
        return {name for name in names if name.isidentifier()}

    def _text_variables(self, text: schema.Text | None) -> set[str]:
        if text is None:
            return set()
        return _sentence_variables([sentence for lang in ("en", "zh") for sentence in _as_list(getattr(text, lang)) if "{" in sentence])

    def _condition_names(self, conditions: Any) -> set[str]:
        if conditions is None:
            return set()
        silent = Translator(lambda keys, message: None)
        return {name for option in silent.conditions(conditions, ()) for name in used_variables(option)}

    def _followers(self, rule: schema.DiagnosisRule, name: str, by_line: bool, translator: Translator, keys: Keys) -> None:
        base = [["match", f"finding:{name}", {"line": ["var", "line"]}, True],
                ["match", "advises", {"id": ["const", name], "line": ["var", "line"], "on": ["var", ADVISED]}, False]]  # fmt: skip
        if not by_line:
            base = [["match", f"finding:{name}", {}, True], ["match", "advises", {"id": ["const", name], "on": ["var", ADVISED]}, False]]
        for number, fix in enumerate(rule.fixes):
            use = schema.FixUse.model_validate({"id": fix}) if isinstance(fix, str) else fix
            if use.id not in self.taxonomy.fixes:
                self._problem((*keys, "fixes", number), "R010", f"unknown fix {use.id}{self.taxonomy.nearest_fix(use.id)}")
            head = self._fix_head(["var", ADVISED], use.id, 10 * number, f"{name}#fixes.{number}")
            conditions = [*base, _not_tried(head, "refuted")]
            self._follow(f"{name}/fix/{number}", conditions, use.when, head, translator, (*keys, "fixes", number, "when"))
        for number, item in enumerate(rule.no_use):
            head = ["no-use", {"diagnosis": ["var", ADVISED], "fix": ["const", item.id], "order": ["const", number],
                               "text": ["const", f"{name}#no_use.{number}"]}]  # fmt: skip
            conditions = [*base, _not_tried(head, "confirmed")]
            self._follow(f"{name}/no-use/{number}", conditions, item.when, head, translator, (*keys, "no_use", number, "when"))
        for number, missing in enumerate(rule.missing):
            head = ["missing", {"diagnosis": ["var", ADVISED], "order": ["const", number], "text": ["const", f"{name}#missing.{number}"]}]
            unless = self._unless(missing, translator, (*keys, "missing", number, "unless"))
            self._follow(f"{name}/missing/{number}", base + unless, missing.when, head, translator, (*keys, "missing", number, "when"))
        self._relations(rule, name, keys)

    def _unless(self, missing: schema.Missing, translator: Translator, keys: Keys) -> list[Any]:
        if missing.unless is None:
            return []
        return [["not", option] for option in translator.conditions(missing.unless, keys)]

    def _fix_head(self, diagnosis: list[Any], fix: str, order: int, text: str) -> list[Any]:
        return ["fix", {"diagnosis": diagnosis, "fix": ["const", fix], "order": ["const", order], "text": ["const", text]}]

    def _follow(self, name: str, base: list[Any], when: Any, head: list[Any], translator: Translator, keys: Keys) -> None:
        for conditions in translator.conditions(when, keys) if when is not None else [[]]:
            self.rules.append({"name": name, "when": base + conditions, "then": [head]})

    def _relations(self, rule: schema.DiagnosisRule, name: str, keys: Keys) -> None:
        if rule.consequence_of:
            families = self._families(rule.consequence_of, (*keys, "consequence_of"))
            self.rules.append({
                "name": f"{name}/consequence",
                "when": [
                    ["match", "standing", {"id": ["const", name]}, False],
                    ["match", "standing", {"family": ["in", families], "id": ["var", "other"]}, False],
                    ["test", parse_expression(f"other != '{name}'")],
                    ["not", [["match", "apart", {"id": ["const", name], "other": ["var", "other"]}, False]]],
                ],
                "then": [["consequence", {"of": ["var", "other"], "is": ["const", name]}]],
            })  # fmt: skip
        wanted = self.taxonomy.spread([*map(self.source.resolve, rule.yields_to), *self.heirs])
        if wanted:
            names = [item for item in wanted if item not in self.taxonomy.families and not item.endswith("*")]
            families = self._families([item for item in wanted if item not in names], (*keys, "yields_to"))
            # By values of slots, not by a test: what a rule cannot do without is looked up before it is made ready.
            for slot, values in (("family", families), ("id", names)):
                if values:
                    self.rules.append({
                        "name": f"{name}/yields",
                        "when": [
                            ["match", "proposed", {slot: ["in", values]}, True],
                            ["match", "proposed", {"id": ["const", name]}, False],
                            ["test", parse_expression(f"id != '{name}'")],
                        ],
                        "then": [["yields", {"id": ["const", name], "to": ["var", "id"]}]],
                    })  # fmt: skip

    def _families(self, wanted: list[str], keys: Keys) -> list[str]:
        result: list[str] = []
        for item in wanted:
            matching = self.taxonomy.matching(item)
            if not matching:
                self._problem(keys, "R010", f"unknown family {item}{self.taxonomy.nearest_family(item)}")
            result.extend(matching)
        return sorted(set(result))

    # texts of followers

    def _fix_text(self, fix: str | schema.FixUse, keys: Keys) -> dict[str, Any]:
        if isinstance(fix, str):
            return {"id": fix}
        data: dict[str, Any] = {"id": fix.id}
        for key in ("title", "detail"):
            text = getattr(fix, key)
            if text is not None:
                data[key] = self._message(text, (*keys, key))
        if fix.commands is not None:
            data["commands"] = [self._sentence(command, (*keys, "commands")) for command in fix.commands]
        if fix.commands_of is not None:
            told = {of: [self._sentence(line, (*keys, "commands_of")) for line in lines] for of, lines in fix.commands_of.items()}
            data["commands_of"] = told
        if fix.leads_to:
            data["leads_to"] = [self.source.resolve(name) for name in fix.leads_to]
        if fix.references:
            data["references"] = [reference.url for reference in fix.references]
        if isinstance(fix.when, str) or any("not" not in condition for condition in fix.when or ()):
            data["conditional"] = True  # the text has something that speaks for this fix
        return data

    def _no_use_text(self, item: schema.NoUse, keys: Keys) -> dict[str, Any]:
        title = {"title": self._message(item.title, (*keys, "title"))} if item.title else {}
        return {"id": item.id, **title, "why": self._message(item.why, (*keys, "why"))}

    def _missing_text(self, item: schema.Missing, keys: Keys) -> dict[str, Any]:
        return {"fact": self._message(item.fact, (*keys, "fact")), "how": item.how}

    # further rules

    def _inference(self, rule: schema.Inference, keys: Keys) -> None:
        name = f"{self.source.stem}#{rule.id}"
        self.names.append((name, (*keys, "id")))
        translator = self._translator(keys)
        then = [translator.heads(template, slots, (*keys, "assert", number, template))
                for number, item in enumerate(rule.asserts) for template, slots in item.items()]  # fmt: skip
        texts: dict[str, Any] = {"because": self._message(rule.because, (*keys, "because"))}
        extra: list[Any] = []
        if rule.noise is not None:
            then.append(translator.heads("noise", {"line": rule.noise.line, "text": f"{name}#noise"}, (*keys, "noise")))
            texts["noise"] = {"why": self._message(rule.noise.why, (*keys, "noise", "why"))}
        if rule.fix is not None:
            owner = translator._term("diagnosis", rule.fix.diagnosis, (*keys, "fix", "diagnosis"))
            then.append(self._fix_head(owner, rule.fix.id, rule.fix.order, f"{name}#fix"))
            extra.append(_not_tried(then[-1], "refuted"))
            texts["fix"] = self._fix_text(rule.fix, (*keys, "fix"))
        if rule.no_use is not None:
            terms = {"diagnosis": rule.no_use.diagnosis, "fix": rule.no_use.id, "order": rule.no_use.order, "text": f"{name}#no_use"}
            then.append(translator.heads("no-use", terms, (*keys, "no_use")))
            extra.append(_not_tried(then[-1], "confirmed"))
            texts["no_use"] = self._no_use_text(rule.no_use, (*keys, "no_use"))
        if rule.missing is not None:
            terms = {"diagnosis": rule.missing.diagnosis, "order": 1000, "text": f"{name}#missing"}
            then.append(translator.heads("missing", terms, (*keys, "missing")))
            extra += self._unless(rule.missing, translator, (*keys, "missing", "unless"))
            texts["missing"] = self._missing_text(rule.missing, (*keys, "missing"))
        if not then:
            self._problem(keys, "R017", f"rule {rule.id} concludes nothing: add assert, noise, fix, no_use or missing")
        self.texts[name] = texts
        for conditions in translator.conditions(rule.when, (*keys, "when")):
            self.rules.append({"name": name, "when": conditions + extra, "then": then})


def _not_tried(head: list[Any], value: str) -> list[Any]:
    """That the verifier did not find this of the advice in the head of a rule: what it refuted is offered no more, nor is warned of
    what it confirmed."""
    terms = {"diagnosis": head[1]["diagnosis"], "fix": head[1]["fix"], "value": ["const", value]}
    return ["not", [["match", "verdict", terms, False]]]


def _binds_line(rule: schema.DiagnosisRule, alternatives: list[list[Any]]) -> bool:
    """Whether every sighting of a diagnosis has a line, by which what follows from it is joined to it."""
    return rule.on != [] or all(
        any(condition[0] == "match" and (condition[3] or ["var", "line"] in condition[2].values()) for condition in conditions)
        for conditions in alternatives
    )


def _as_list(sentences: schema.Sentences) -> list[str]:
    return [sentences] if isinstance(sentences, str) else sentences


def _sentence_variables(sentences: list[str]) -> set[str]:
    """The variables that sentences speak of; what is wrong with one is told where it is compiled."""
    names: set[str] = set()
    for sentence in sentences:
        with suppress(MessageError):
            names |= {name for segment in parse_message(sentence) if isinstance(segment, list) for name in variables(segment[1])}
    return names
