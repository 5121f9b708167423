"""The types of a rule file. They check what YAML holds, and the JSON Schema for editors is generated from them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from triage.knowledge.schema import Strict
from triage.rulebook.named_words import NAME, expand

Scalar = str | int | float | bool
Sentence = Annotated[str, Field(max_length=5000)]
Sentences = Sentence | list[Sentence]
Conditions = str | list[dict[str, Any]]
Identifier = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.\-]*$", max_length=100)]

Failure = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.\-]*(/[a-z0-9][a-z0-9.\-]*)?$", max_length=100)]


class Text(Strict):
    """A text in both languages. `{expression|filter}` inserts values; a sentence whose value is unknown is left out."""

    en: Sentences = Field(description="English: a sentence, or a list of sentences")
    zh: Sentences = Field(description="Chinese: a sentence, or a list of sentences")


class Reference(Strict):
    """A page, file or document that a statement rests on."""

    url: Annotated[str, Field(pattern=r"^https?://", description="address, as exact as possible: a tag or commit rather than a branch")]
    note: str = Field("", description="what it is the source of; say here when a statement is inferred or only reported")


class Allowance(Strict):
    """A finding of `triage rules lint` that is right here. It holds for the file, signature, diagnosis or rule that it stands in."""

    code: Annotated[str, Field(pattern=r"^L[0-9]{3}$", description="code of the check, as lint prints it")]
    because: Annotated[str, Field(min_length=10, description="why the finding does not apply; a later reader must be able to judge it")]


class Change(Strict):
    """What changed in this file, for its page in the reference."""

    version: Annotated[str, Field(description="first release with the change", pattern=r"^[0-9]+(\.[0-9]+)*$")]
    text: Text


class Signature(Strict):
    """How a message looks. One of `text` and `pattern`."""

    id: Identifier = Field(description="unique in the file; `on` of a diagnosis names it")
    text: str | list[str] | None = Field(None, description="the message, with %{TYPE:slot} holes; several forms may be listed")
    pattern: str | list[str] | None = Field(None, description="RE2, with holes and (?P<slot>…)")
    literal: str | None = Field(None, description="text that every match holds, where it cannot be derived")
    ignore_case: bool = Field(False, description="whether capitals make no difference")
    span: Annotated[int, Field(ge=1, le=12)] = Field(1, description="number of lines the pattern looks at, from the line of its literal")
    roles: list[Literal["output", "prose", "code", "source", "diff", "comment", "document", "mention", "table", "said"]] | None = Field(
        None,
        alias="in",
        description="roles of lines in which it counts; default output, prose, table. "
        "said: prose, and output that no exception printed (all of it where output is named too)",
    )
    versions: dict[str, str] = Field(
        default_factory=dict, description="package → range of releases that print this wording, such as '>=2.1,<2.3'"
    )
    constants: dict[str, Scalar | list[Scalar]] = Field(default_factory=dict, alias="set", description="slots with a fixed value")
    compute: dict[str, str] = Field(default_factory=dict, description="slots that follow from the captured ones, in order")
    asserts: list[dict[str, dict[str, Scalar]]] = Field(default_factory=list, description="further facts: template → slots")
    signal: bool = Field(True, description="false: the match reports no failure by itself")
    once: bool = Field(False, description="true: only that it stands somewhere counts: the first match asserts its facts, without a place")
    sentences: bool = Field(
        False, description="true: each sentence of a line is tried by itself, and what it asserts has the slot `sentence`, from 0"
    )
    source: str | list[str] | None = Field(None, description="where the form of the message comes from")
    allow: list[Allowance] = Field(default_factory=list, description="findings of lint that are right in this signature")

    @model_validator(mode="after")
    def _one_form(self) -> Signature:
        if (self.text is None) == (self.pattern is None):
            raise ValueError("give either text or pattern")
        return self

    @property
    def reports(self) -> bool:
        """Whether a match in a file with a failure is a signal of it."""
        return self.signal and not self.once

    @property
    def forms(self) -> list[str]:
        """Its texts, or its patterns."""
        forms = self.text if self.text is not None else self.pattern
        return [forms] if isinstance(forms, str) else forms or []


class FixUse(Strict):
    """A fix of the library (`kb/fixes.yaml`), with what is special about it here."""

    id: Identifier = Field(description="an id of kb/fixes.yaml")
    when: Conditions | None = Field(None, description="an expression over the bindings, or a list of conditions")
    title: Text | None = Field(None, description="default: the library's")
    detail: Text | None = Field(
        None,
        description="default: the library's; with its own detail a fix has only its own commands, "
        "and with its own title and commands no detail but its own",
    )
    commands: list[str] | None = Field(None, description="lines to paste; `{expression|filter}` inserts values")
    commands_of: dict[str, list[str]] | None = Field(None, description="lines that only one program understands, as in kb/fixes.yaml")
    leads_to: list[str] = Field(default_factory=list, description="diagnoses known to come next once this is applied")
    references: list[Reference] = Field(default_factory=list, description="default: the library's")

    @property
    def lines(self) -> list[str] | None:
        """All lines to paste of its own, of whatever program; None where it has those of the library."""
        if self.commands is None and self.commands_of is None:
            return None
        return [*(self.commands or ()), *(line for lines in (self.commands_of or {}).values() for line in lines)]


class NoUse(Strict):
    """Advice that people commonly try here in vain."""

    id: str = Field(description="an id of kb/fixes.yaml")
    when: Conditions | None = Field(None, description="an expression over the bindings, or a list of conditions")
    title: Text | None = Field(None, description="what is tried, where the fix's own title would name something else")
    why: Text = Field(description="why it does not help, in the numbers of this case")


class Missing(Strict):
    """A decisive fact that the text lacks, and how to get it."""

    fact: Text = Field(description="what is missing")
    unless: Conditions | None = Field(None, description="conditions under which it is not missing")
    when: Conditions | None = Field(None, description="conditions under which it is missed")
    how: str = Field(description="the command or place that tells it")


_NAMED_CONFIDENCE = 0.4
_NAMED_SUMMARY = Text(en="The text tells of this without showing its message.", zh="文中提到此故障，但没有给出报错原文。")


class DiagnosisRule(Strict):
    """From signals of this file, and further conditions, to a cause."""

    id: Identifier = Field(description="unique in the family; the full id is family.id")
    cause: str | None = Field(None, description="an id of kb/taxonomy.yaml; none where the text cannot tell why")
    on: str | list[str] | None = Field(None, description="signatures of this file that it needs one of; default: all of them; [] for none")
    when: list[dict[str, Any]] = Field(
        default_factory=list, description="further conditions; captured slots are variables of their own names"
    )
    confidence: float | str = Field(0.9, description="probability, or an expression")
    told: bool = Field(False, description="somebody only tells of it: it takes no place of what is shown, and explains nothing of it")
    named: bool = Field(
        False,
        description="stands on a sentence that names the failure and shows no message of it (the fact told-failure): told,"
        " needs no signature, gets no steps beside a failure that is shown, and has a confidence of 0.4 and a summary of its own"
        " unless others are given",
    )
    keeps_advice: bool = Field(
        False, description="where it takes the place of a reading of its family, the advice of that one follows its own: it adds a cause"
    )
    title: Text | None = Field(None, description="default: the file's")
    summary: Text | None = Field(None, description="one to three sentences with the numbers of the case")
    because: Text | None = Field(None, description="one sentence for the chain of reasoning")
    fixes: list[Identifier | FixUse] = Field(default_factory=list, description="what to do, best first")
    no_use: list[NoUse] = Field(default_factory=list, description="what is commonly tried here in vain")
    missing: list[Missing] = Field(default_factory=list, description="decisive facts to ask for")
    cases: list[str] = Field(default_factory=list, description="ids of kb/cases that show this")
    references: list[Reference] = Field(default_factory=list, description="sources of what this diagnosis says")
    consequence_of: list[str] = Field(
        default_factory=list, description="families (memory.* for a domain) that explain this one when present"
    )
    yields_to: list[str] = Field(
        default_factory=list,
        description="families, ids of diagnoses, or groups of them (kb/taxonomy.yaml), whose presence makes this one superfluous",
    )
    allow: list[Allowance] = Field(default_factory=list, description="findings of lint that are right in this diagnosis")

    @field_validator("confidence")
    @classmethod
    def _probability(cls, value: float | str) -> float | str:
        if not isinstance(value, str) and not 0 < value < 1:
            raise ValueError("a probability lies between 0 and 1")
        return value

    @model_validator(mode="after")
    def _complete_named(self) -> DiagnosisRule:
        if self.named:
            given = self.model_fields_set & {"told", "on"}
            if given:
                raise ValueError(f"named says it already: leave out {' and '.join(sorted(given))}")
            self.told, self.on = True, []
            self.confidence = self.confidence if "confidence" in self.model_fields_set else _NAMED_CONFIDENCE
            self.summary = self.summary or _NAMED_SUMMARY
        return self


class Noise(Strict):
    """A line that looks like a failure and is none."""

    line: str = Field("$line", description="the variable that holds its number")
    why: Text


class AdviceUse(FixUse):
    """A fix for a diagnosis of another file."""

    diagnosis: str = Field(description="id of the diagnosis, usually a variable: $id")
    order: int = Field(1000, description="its place among the fixes: those of the diagnosis itself are 0, 10, 20 …")


class NoUseFor(NoUse):
    """Vain advice for a diagnosis of another file."""

    id: str = Field(description="an id of kb/fixes.yaml, or a variable that holds one")
    diagnosis: str = Field(description="id of the diagnosis, usually a variable: $id")
    order: int = Field(
        1000, description="its place: of several reasons against one fix the first is given; those of the diagnosis come first"
    )


class MissingFor(Missing):
    """A missing fact for a diagnosis of another file."""

    diagnosis: str = Field(description="id of the diagnosis, usually a variable: $id")


class Inference(Strict):
    """Any further rule."""

    id: Identifier = Field(description="unique in the file")
    when: list[dict[str, Any]] = Field(description="conditions, joined by the variables they share")
    asserts: list[dict[str, dict[str, Scalar]]] = Field(
        default_factory=list, alias="assert", description="facts to derive: template → slots"
    )
    noise: Noise | None = Field(None, description="a line to call noise")
    fix: AdviceUse | None = Field(None, description="a fix to offer")
    no_use: NoUseFor | None = Field(None, description="advice to warn of")
    missing: MissingFor | None = Field(None, description="a fact to ask for")
    because: Text | None = Field(None, description="one sentence for the chain of reasoning")
    allow: list[Allowance] = Field(default_factory=list, description="findings of lint that are right in this rule")


class Expectation(Strict):
    """What a report on an example must say. What is not named may be anything, except further families: those stand in `also`."""

    family: str | None = Field(None, description="family of the first diagnosis")
    cause: str | None = Field(None, description="its cause, or that of the second diagnosis of the family")
    id: str | None = Field(None, description="id of the first diagnosis")
    signature: str | None = Field(None, description="signature of this file that must match")
    line: int | None = Field(None, description="line (of the example, from 1) that must be the evidence")
    facts: dict[str, Any] = Field(default_factory=dict, description="slots and values; sizes may be written with their unit")
    fixes: list[str] = Field(default_factory=list, description="fixes that must be offered")
    first_fix: str | None = Field(None, description="fix that must be offered first")
    says: list[str] = Field(default_factory=list, description="words of the English report, but for the lines of the text")
    says_not: list[str] = Field(default_factory=list, description="words that must not stand there: what is untrue of this text's numbers")
    also: list[str] = Field(default_factory=list, description="further families that must be found")
    noise: list[int] = Field(default_factory=list, description="lines that must be called noise")


class Example(Strict):
    """A text, and what a report on it must say."""

    text: str = Field(description="the text as a user would paste it")
    name: str = Field("", description="a few words that say what it shows")
    near_miss: bool = Field(False, description="must not be diagnosed as this failure")
    expect: Expectation | Literal["none"] | None = Field(None, description="none: nothing at all may be diagnosed")
    source: str = Field("", description="where the text, or its form, comes from")
    note: str = Field("", description="for whoever reads the file")

    @model_validator(mode="after")
    def _complete(self) -> Example:
        if self.expect is None and not self.near_miss:
            raise ValueError("a positive example says what to expect")
        return self


class RuleFile(Strict):
    """One failure, or a set of facts and inferences that belong to no failure."""

    failure: Failure | None = Field(None, description="a family of kb/taxonomy.yaml, or a finer one below it: family/name")
    status: Literal["nursery", "stable", "deprecated"] = Field(
        "stable",
        description="nursery: new, its confidence is capped; stable: proved by examples and near misses; deprecated: see superseded_by",
    )
    since: str = Field("0.1", description="release that first has this file")
    superseded_by: Failure | None = Field(None, description="the failure that takes the place of a deprecated one")
    title: Text | None = Field(None, description="what failed, in a few words; values of the message may stand in it")
    about: Text | None = Field(None, description="what it means and why it happens, for the reference")
    references: list[Reference] = Field(default_factory=list, description="sources of what this file says")
    words: dict[Annotated[str, Field(pattern=rf"^{NAME}$")], str | list[str]] = Field(
        default_factory=dict, description="lists of words that patterns of this file take by name: %{name}"
    )
    signatures: list[Signature] = Field(default_factory=list, description="how the messages look; the first that matches a line wins")
    diagnoses: list[DiagnosisRule] = Field(default_factory=list, description="from messages and further facts to causes")
    rules: list[Inference] = Field(default_factory=list, description="any further inference")
    examples: list[Example] = Field(default_factory=list, description="what must be recognised, and what must not")
    changes: list[Change] = Field(default_factory=list, description="history, for the reference; newest last")
    allow: list[Allowance] = Field(default_factory=list, description="findings of lint that are right in this file")

    @model_validator(mode="after")
    def _complete(self) -> RuleFile:
        if self.failure is not None and self.title is None:
            raise ValueError("a failure has a title")
        if self.superseded_by is not None and self.status != "deprecated":
            raise ValueError("superseded_by belongs to a deprecated failure: set status: deprecated")
        if self.failure is None and self.diagnoses:
            raise ValueError("diagnoses belong to a failure: name it")
        for signature in self.signatures:
            if signature.pattern is not None:
                signature.pattern = [expand(form, self.words) for form in signature.forms]
        for rule in self.diagnoses:
            if rule.named:  # behind what the file says, so that places in the file keep their numbers
                rule.when = [*rule.when, {"told-failure": {"failure": self.family, "line": "$line"}}]
        if self.failure is None:
            for signature in self.signatures:
                if not signature.asserts:
                    raise ValueError(f"signature {signature.id}: a signature outside a failure must assert something")
        return self

    @property
    def family(self) -> str | None:
        """The family of kb/taxonomy.yaml that the failure is one of; None for a file without a failure."""
        return self.failure.split("/")[0] if self.failure else None
