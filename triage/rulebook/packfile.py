"""The type of `pack.yaml`, which says what a directory of rules from elsewhere is."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from triage.knowledge.schema import Strict
from triage.rulebook.schema import Text


class PackFile(Strict):
    """A rule pack: rules, and cases under `cases/`, that add to what is shipped or take its place."""

    pack: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,39}$")] = Field(
        description="name of the pack, and namespace of its ids: `acme:memory.gpu-oom.x`"
    )
    title: Text = Field(description="what the pack is for")
    schema_version: Literal[1] = Field(alias="schema", description="version of the form of rule files that it was written for")
    engine: str = Field(description="releases of triage that it works with, such as '>=0.1'")
    overrides: list[str] = Field(
        default_factory=list, description="ids of failures, diagnoses and cases elsewhere that those of the same id in the pack replace"
    )
