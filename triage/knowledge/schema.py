"""The types of the files of `kb/`: vocabulary, fix library, tables and cases. Used when they are compiled, and by lint."""

from __future__ import annotations

import datetime
import re
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, RootModel, model_validator

from triage.facts.readers import CIRCUMSTANCES, PROGRAMS

_CJK = re.compile(r"[㐀-鿿]")

Identifier = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.\-]*$")]
SlotName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
Url = Annotated[str, Field(pattern=r"^https?://[^\s]+$")]
Scalar = str | int | float | bool | None
Cell = Scalar | list[str | int | float]


def _chinese(text: str) -> str:
    if not _CJK.search(text):
        raise ValueError("holds no Chinese character")
    return text


English = Annotated[str, Field(min_length=1)]
Chinese = Annotated[str, AfterValidator(_chinese)]
# A name may be the same in both languages (CUDA_VISIBLE_DEVICES, TF32).
Name = Annotated[str, Field(min_length=1)]


class Strict(BaseModel):
    """A mapping in which a key that nothing knows is a mistake."""

    model_config = ConfigDict(extra="forbid")


class Text(Strict):
    """A text in both languages."""

    en: English = Field(description="English")
    zh: Chinese = Field(description="Chinese")


class Heading(Strict):
    """What a family or cause is called, and what it is, in English."""

    title: English
    about: English


class ChineseHeading(Strict):
    """The same in Chinese."""

    title: Name
    about: Chinese


class Concept(Strict):
    """A family or a cause."""

    en: Heading
    zh: ChineseHeading
    asked: str = Field("", description="what people call it when they look for it, where the titles say it otherwise")


class Group(Strict):
    """Readings that others give way to together: what `yields_to` of a rule may name."""

    about: Name = Field(description="what they have in common")
    members: list[str] = Field(min_length=1, description="families (memory.* for a domain), ids of diagnoses, or other groups")
    but: list[str] = Field(default_factory=list, description="families, of those that the members stand for, that are none")


class VocabularyFile(Strict):
    """kb/taxonomy.yaml"""

    version: Literal[1]
    families: dict[Identifier, Concept]
    causes: dict[Identifier, Concept]
    fixes: list[Identifier]
    groups: dict[Identifier, Group] = {}


if TYPE_CHECKING:
    Program: TypeAlias = str
    Kind: TypeAlias = str
else:
    Program = Literal[PROGRAMS]
    # By the framework whose message it was, by the system it runs on, by the maker of the GPU (triage/report/audience/reader.py).
    Kind = Literal[tuple(dict.fromkeys((*PROGRAMS, *CIRCUMSTANCES)))]
OfProgram = dict[Program, list[English]]


class FixInstead(Strict):
    """What is said instead, where the general text does not fit; what is absent stays as it is."""

    title: Text | None = None
    detail: Text | None = None
    commands: list[English] | None = None
    commands_of: OfProgram | None = None
    references: list[Url] | None = None


class FixWithin(FixInstead):
    """What a fix is within one family or domain, and there for one kind of reader."""

    for_: dict[Kind, FixInstead] | None = Field(None, alias="for")


class FixText(Strict):
    """One fix of kb/fixes.yaml."""

    title: Text
    detail: Text
    commands: list[English]
    commands_of: OfProgram = {}
    references: list[Url]
    within: dict[Name, FixWithin] = {}
    for_: dict[Kind, FixInstead] = Field({}, alias="for")


class FixLibrary(RootModel[dict[Identifier, FixText]]):
    """kb/fixes.yaml"""


class Source(Strict):
    """Where something is said."""

    url: Url = Field(description="address, as exact as possible")
    note: str = Field("", description="what it is the source of")


class DatedSource(Source):
    """Where something is said, and as of when."""

    date: datetime.date = Field(description="when the source was read, or of which day it is")


ColumnType = Literal["str", "int", "float", "bool", "version", "bytes", "list:str", "list:int", "list:float", "list:version"]


class ColumnModel(Strict):
    """A column of a table."""

    name: SlotName = Field(description="the slot under which rules ask for it")
    type: ColumnType = Field("str", description="what its values are")
    unit: str = Field("", description="of its numbers")
    description: English = Field(description="what it says")
    inferred: str = Field("", description="how the values were arrived at, where the source does not state them")


class TableFile(Strict):
    """kb/tables/NAME.yaml: `rows` are lists in the order of `columns`; null where a value is unknown."""

    table: Identifier = Field(description="the name of the file; rules ask for `table:NAME`")
    about: English = Field(description="what its rows are")
    source: Annotated[list[DatedSource], Field(min_length=1, description="where the figures come from, and of when")]
    key: list[SlotName] = Field(default_factory=list, description="columns that together tell rows apart")
    join: dict[SlotName, SlotName] = Field(
        default_factory=dict,
        description="column → slot: a row takes part in reasoning when some fact has its value in that slot; default: the key columns",
    )
    columns: Annotated[list[ColumnModel], Field(min_length=1, description="in the order in which rows have them")]
    rows: Annotated[list[list[Cell]], Field(min_length=1, description="a list of values each; null for what is not known")]

    @model_validator(mode="after")
    def _consistent(self) -> TableFile:
        names = [column.name for column in self.columns]
        if len(set(names)) < len(names):
            raise ValueError("two columns have the same name")
        unknown = (set(self.key) | set(self.join)) - set(names)
        if unknown:
            raise ValueError(f"the key names no column: {', '.join(sorted(unknown))}")
        return self


class Environment(Strict):
    """Where the case happened, as far as its source tells."""

    gpus: list[English] = Field(default_factory=list, description="as the source names them")
    versions: dict[Annotated[str, Field(pattern=r"^[a-z0-9_.\-]+$")], str] = Field(default_factory=dict, description="package → version")
    frameworks: list[English] = Field(default_factory=list, description="torch, vllm, jax …: lower-case names")
    models: list[English] = Field(default_factory=list, description="names of models, lower case")


class Check(Strict):
    """A statement of the case that was checked against sources, and with which result."""

    claim: English = Field(description="the statement")
    result: Literal["confirmed", "refuted", "inferred", "reported"] = Field(description="what became of it")
    finding: English = Field(description="what the sources say")
    at: list[English] = Field(default_factory=list, description="file and commit or release, or a URL")


class CaseFile(Strict):
    """kb/cases/ID.yaml: one real failure, told in our own words."""

    id: Identifier = Field(description="the name of the file")
    title: Text = Field(description="what failed where, in a few words")
    symptom: Annotated[list[English], Field(min_length=1, description="the key lines as printed")]
    environment: Environment = Field(default_factory=Environment, description="where it happened, as far as the source tells")
    family: Identifier = Field(description="a family of kb/taxonomy.yaml")
    causes: list[Identifier] = Field(default_factory=list, description="ids of causes, the leading one first")
    diagnoses: list[Identifier] = Field(
        default_factory=list, description="ids of the diagnoses beside which it is shown: those of this matter"
    )
    telling: list[English] = Field(
        default_factory=list,
        description="words, one of which a text must have for the case to be shown, where the same message comes of other matters too",
    )
    facts: dict[SlotName, Any] = Field(default_factory=dict, description="slots as triage/facts declares them; sizes with unit")
    cause: Text = Field(description="why it happened")
    fix: Text = Field(description="what was done about it")
    fixes: Annotated[list[Identifier], Field(min_length=1, description="ids of kb/fixes.yaml, the one that helped first")]
    no_use: Text | None = Field(None, description="what was tried or is popular and does not help here")
    outcome: Literal["confirmed", "reported"] = Field(description="confirmed: the fix was seen to work or follows from checked sources")
    source: Annotated[list[Source], Field(min_length=1, description="the report, and what else the case rests on")]
    date: datetime.date = Field(description="when it was reported")
    checked: list[Check] = Field(default_factory=list, description="statements that were held against sources")
