"""The types of a rule file. They check what YAML holds, and the JSON Schema for editors is generated from them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

Scalar = str | int | float | bool
Sentences = str | list[str]
Conditions = str | list[dict[str, Any]]
Identifier = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.\-]*$")]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Text(Strict):
    """A text in both languages. `{expression|filter}` inserts values; a sentence whose value is unknown is left out."""

    en: Sentences = Field(description="English: a sentence, or a list of sentences")
    zh: Sentences = Field(description="Chinese: a sentence, or a list of sentences")


class Reference(Strict):
    url: Annotated[str, Field(pattern=r"^https?://")]
    note: str = Field("", description="what it is the source of; say here when a statement is inferred or only reported")


class Signature(Strict):
    """How a message looks. One of `text` and `pattern`."""

    id: Identifier
    text: str | list[str] | None = Field(None, description="the message, with %{TYPE:slot} holes; several forms may be listed")
    pattern: str | list[str] | None = Field(None, description="RE2, with holes and (?P<slot>…)")
    literal: str | None = Field(None, description="text that every match holds, where it cannot be derived")
    ignore_case: bool = False
    span: Annotated[int, Field(ge=1, le=40)] = Field(1, description="number of lines the pattern looks at, from the line of its literal")
    roles: list[Literal["output", "prose", "code", "source", "diff", "comment", "table"]] | None = Field(
        None, alias="in", description="roles of lines in which it counts; default output, prose, table"
    )
    versions: dict[str, str] = Field(default_factory=dict, description="package → range of releases that print this wording, such as '>=2.1,<2.3'")
    constants: dict[str, Scalar | list[Scalar]] = Field(default_factory=dict, alias="set", description="slots with a fixed value")
    compute: dict[str, str] = Field(default_factory=dict, description="slots that follow from the captured ones, in order")
    asserts: list[dict[str, dict[str, Scalar]]] = Field(default_factory=list, description="further facts: template → slots")
    signal: bool = Field(True, description="false: the match reports no failure by itself")
    source: str | list[str] | None = Field(None, description="where the form of the message comes from")

    @model_validator(mode="after")
    def _one_form(self) -> Signature:
        if (self.text is None) == (self.pattern is None):
            raise ValueError("give either text or pattern")
        return self


class FixUse(Strict):
    """A fix of the library (`kb/fixes.yaml`), with what is special about it here."""

    id: Identifier
    when: Conditions | None = Field(None, description="an expression over the bindings, or a list of conditions")
    title: Text | None = None
    detail: Text | None = None
    commands: list[str] | None = None
    leads_to: list[str] = Field(default_factory=list, description="diagnoses known to come next once this is applied")
    references: list[Reference] = Field(default_factory=list)


class NoUse(Strict):
    """Advice that people commonly try here in vain."""

    id: str
    when: Conditions | None = None
    why: Text


class Missing(Strict):
    """A decisive fact that the text lacks, and how to get it."""

    fact: Text
    unless: Conditions | None = Field(None, description="conditions under which it is not missing")
    when: Conditions | None = None
    how: str


class DiagnosisRule(Strict):
    """From signals of this file, and further conditions, to a cause."""

    id: Identifier
    cause: str | None = None
    on: str | list[str] | None = Field(None, description="signatures of this file that it needs one of; default: all of them; [] for none")
    when: list[dict[str, Any]] = Field(default_factory=list)
    confidence: float | str = Field(0.9, description="probability, or an expression")
    title: Text | None = None
    summary: Text | None = None
    because: Text | None = Field(None, description="one sentence for the chain of reasoning")
    fixes: list[str | FixUse] = Field(default_factory=list)
    no_use: list[NoUse] = Field(default_factory=list)
    missing: list[Missing] = Field(default_factory=list)
    cases: list[str] = Field(default_factory=list)
    references: list[Reference] = Field(default_factory=list)
    consequence_of: list[str] = Field(default_factory=list, description="families (memory.* for a domain) that explain this one when present")
    yields_to: list[str] = Field(default_factory=list, description="families, or ids of diagnoses, whose presence makes this one superfluous")

    @field_validator("confidence")
    @classmethod
    def _probability(cls, value: float | str) -> float | str:
        if not isinstance(value, str) and not 0 < value < 1:
            raise ValueError("a probability lies between 0 and 1")
        return value


class Noise(Strict):
    line: str = "$line"
    why: Text


class AdviceUse(FixUse):
    diagnosis: str = Field(description="id of the diagnosis, usually a variable: $id")
    order: int = Field(1000, description="its place among the fixes: those of the diagnosis itself are 0, 10, 20 …")


class NoUseFor(NoUse):
    diagnosis: str


class MissingFor(Missing):
    diagnosis: str


class Inference(Strict):
    """Any further rule."""

    id: Identifier
    when: list[dict[str, Any]]
    asserts: list[dict[str, dict[str, Scalar]]] = Field(default_factory=list, alias="assert")
    noise: Noise | None = None
    fix: AdviceUse | None = None
    no_use: NoUseFor | None = None
    missing: MissingFor | None = None
    because: Text | None = None


class Expectation(Strict):
    family: str | None = None
    cause: str | None = None
    id: str | None = None
    signature: str | None = None
    line: int | None = Field(None, description="line (of the example, from 1) that must be the evidence")
    facts: dict[str, Any] = Field(default_factory=dict)
    fixes: list[str] = Field(default_factory=list, description="fixes that must be offered")
    first_fix: str | None = None
    also: list[str] = Field(default_factory=list, description="further families that must be found")
    noise: list[int] = Field(default_factory=list)


class Example(Strict):
    text: str
    name: str = ""
    near_miss: bool = Field(False, description="must not be diagnosed as this failure")
    expect: Expectation | Literal["none"] | None = None
    source: str = ""
    note: str = ""

    @model_validator(mode="after")
    def _complete(self) -> Example:
        if self.expect is None and not self.near_miss:
            raise ValueError("a positive example says what to expect")
        return self


class RuleFile(Strict):
    """One failure, or a set of facts and inferences that belong to no failure."""

    failure: str | None = Field(None, description="a family of kb/taxonomy.yaml, or a finer one below it: family/name")
    status: Literal["nursery", "stable", "deprecated"] = "stable"
    since: str = "0.1"
    title: Text | None = None
    about: Text | None = None
    references: list[Reference] = Field(default_factory=list)
    signatures: list[Signature] = Field(default_factory=list)
    diagnoses: list[DiagnosisRule] = Field(default_factory=list)
    rules: list[Inference] = Field(default_factory=list)
    examples: list[Example] = Field(default_factory=list)

    @model_validator(mode="after")
    def _complete(self) -> RuleFile:
        if self.failure is not None and self.title is None:
            raise ValueError("a failure has a title")
        if self.failure is None and self.diagnoses:
            raise ValueError("diagnoses belong to a failure: name it")
        if self.failure is None:
            for signature in self.signatures:
                if not signature.asserts:
                    raise ValueError(f"signature {signature.id}: a signature outside a failure must assert something")
        return self

    @property
    def family(self) -> str | None:
        return self.failure.split("/")[0] if self.failure else None
