"""A draft of a rule: made from a log and a few answers, tried against everything that is known, written where it belongs."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from triage import __version__
from triage.pipeline import Triage
from triage.reading import read
from triage.report import Report
from triage.rulebook.build import extend
from triage.rulebook.collecting import uncollected
from triage.rulebook.compiler import Foundation, compile_rules
from triage.rulebook.discovery import PROJECT
from triage.rulebook.errors import RuleError
from triage.rulebook.loader import Source, load_rules, load_text
from triage.rulebook.store import in_memory, shipped_directory
from triage.rulebook.taxonomy import Taxonomy, load_taxonomy
from triage.signatures.matcher import Matcher
from triage.signatures.signature import Signature
from triage.workshop.new.message import Message, anonymous, message_of
from triage.workshop.new.near import near_miss
from triage.workshop.new.selection import DraftError
from triage.workshop.new.summary import summary_of
from triage.workshop.new.writing import rule_text
from triage.workshop.testing import run_examples

_NAME = re.compile(r"[a-z0-9][a-z0-9.\-]{0,99}\Z")
_CONFIDENCE = 0.7  # of a rule whose author has not weighed it; while it is in the nursery reports show less


class Draft:
    """A rule file to be: `text` is complete; `differences` is what its own examples do not show yet."""

    __slots__ = ("differences", "path", "text")

    def __init__(self, path: Path, text: str, differences: list[str]) -> None:
        self.path, self.text, self.differences = path, text, differences

    def write(self) -> None:
        """Write the file, and its schema beside it where that is not in reach. Raises OSError; FileExistsError where it is there."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(self.text)
        schema = self.path.with_name("rule.schema.json")
        if schema_path(self.path) == schema.name and not schema.exists():
            from triage.render.json import escaped_dumps
            from triage.workshop.schemas import SCHEMAS

            schema.write_text(escaped_dumps(SCHEMAS["rule"]()), encoding="utf-8", newline="\n")


class Workbench:
    """Everything that is known, loaded once: what a draft is tried against."""

    @uncollected()
    def __init__(self) -> None:
        self.taxonomy: Taxonomy = load_taxonomy(Path(shipped_directory("kb")))
        self.sources = load_rules([Path(shipped_directory("rules"))])
        self.triage = Triage()
        self._base = Foundation(self.triage.book)

    @uncollected()
    def with_rule(self, source: Source) -> Triage:
        """All rules, with one more. Raises RuleError."""
        compiled = compile_rules([source], self.taxonomy, self._base.columns(), self._base)
        return Triage(book=in_memory(extend(self._base.book, compiled)))

    def usual_fix(self, family: str) -> str:
        """The fix that rules of a family, or else of its domain, name most often."""
        for prefix in (family, family.split(".")[0] + ".", ""):
            counts = Counter(
                fix if isinstance(fix, str) else fix.id
                for source in self.sources
                if (source.model.family or "").startswith(prefix)
                for rule in source.model.diagnoses
                for fix in rule.fixes
            )
            if counts:
                return min(counts, key=lambda fix: (-counts[fix], fix))
        return next(iter(self.taxonomy.fixes))


def make_draft(
    bench: Workbench,
    *,
    lines: Sequence[str],
    example: str,
    family: str,
    name: str,
    signature: str = "",
    cause: str | None = None,
    title: Mapping[str, str] | None = None,
    about: Mapping[str, str] | None = None,
    fixes: Sequence[str] = (),
    sources: Sequence[str] = (),
    near: str = "",
    path: Path | None = None,
    anyway: bool = False,
) -> Draft:
    """A complete rule for a message. `lines` are without prefixes, `example` is the text as it stands; `signature` replaces the text that
    would be made of them.

    Raises DraftError for an answer that cannot be used, and where the text is diagnosed already (unless `anyway`).
    """
    _check(bench, family, cause, fixes)
    check_name(name)
    example = anonymous(example)
    known = "" if anyway else diagnosed_already(bench, example)
    if known:
        raise DraftError(known)
    message = _message(lines, signature)
    check_signature(bench, message.text, example)
    if near:
        check_near(bench, message.text, near)
    concept = bench.taxonomy.families[family]
    target = path or default_path(family, name)
    fields: dict[str, Any] = {
        "modeline": schema_path(target),
        "failure": f"{family}/{name}",
        "since": ".".join(__version__.split(".")[:2]),
        "title": title or {lang: f"{concept[lang]['title']} ({name})" for lang in ("en", "zh")},
        "about": about or {lang: concept[lang]["about"] for lang in ("en", "zh")},
        "sources": list(sources),
        "signature": name,
        "forms": message.text,
        "span": message.span,
        "diagnosis": name,
        "cause": cause,
        "confidence": _CONFIDENCE,
        "summary": summary_of(message.text),
        "fixes": list(fixes) or [bench.usual_fix(family)],
        "example": example,
        "expect": {"family": family, **({"cause": cause} if cause else {})},
        "near": near or _near(bench, message.text),
    }
    triage = bench.with_rule(_loaded(fields))
    text = rule_text(**{**fields, "expect": _expectation(triage.explain(example), f"{family}.{name}", fields["expect"])})
    return Draft(target, text, _differences(triage, load_text(text, str(target))))


def _check(bench: Workbench, family: str, cause: str | None, fixes: Sequence[str]) -> None:
    taxonomy = bench.taxonomy
    if family not in taxonomy.families:
        raise DraftError(f"there is no family {family}{taxonomy.nearest_family(family)} (`triage rules list` names those with rules)")
    if cause is not None and cause not in taxonomy.causes:
        raise DraftError(f"there is no cause {cause}{taxonomy.nearest_cause(cause)}")
    for fix in fixes:
        if fix not in taxonomy.fixes:
            raise DraftError(f"there is no fix {fix}{taxonomy.nearest_fix(fix)}")


def diagnosed_already(bench: Workbench, example: str) -> str:
    """What to say where a text is diagnosed by the rules that are there; "" where it is not."""
    report = bench.triage.explain(example)
    if not report.diagnoses:
        return ""
    found = report.diagnoses[0].id
    where = next((source.path for source in bench.sources for rule in source.model.diagnoses if source.diagnosis(rule) == found), "")
    return f"this text is diagnosed already, as {found} ({where}): extend that file, or say --anyway"


def _message(lines: Sequence[str], signature: str) -> Message:
    if signature:
        return Message(signature, signature.count("\n") + 1)
    try:
        return message_of(list(lines))
    except ValueError as error:
        raise DraftError(str(error)) from None


def _loaded(fields: Mapping[str, Any]) -> Source:
    return load_text(rule_text(**fields), "draft.yaml")


def compiled_signature(bench: Workbench, text: str) -> dict[str, Any]:
    """The signature of a message with holes, as the matcher has it. Raises DraftError."""
    span = min(text.count("\n") + 1, 40)
    body = f"signatures:\n  - {{id: new, text: {json.dumps(text)}, span: {span}, asserts: [{{remark: {{topic: new}}}}]}}\n"
    try:
        [data] = compile_rules([load_text(body, "draft.yaml")], bench.taxonomy).index["signatures"]
    except RuleError as error:
        raise DraftError(f"the signature '{text}' cannot be used: {error.problems[0].message}") from None
    return dict(data)


def check_name(name: str) -> None:
    """Raises DraftError where a name is no id."""
    if not _NAME.match(name):
        raise DraftError(f"'{name}' is no name: it has small letters, digits, dots and dashes, such as arena-full")


def check_signature(bench: Workbench, text: str, example: str) -> None:
    """Raises DraftError where a signature cannot be used, or does not match the lines it is to be for."""
    if not _matches(compiled_signature(bench, text), example):
        raise DraftError(f"'{text}' does not match the selected lines: keep their words, and put holes for their values")


def check_near(bench: Workbench, text: str, near: str) -> None:
    """Raises DraftError where a signature matches what it must not."""
    if _matches(compiled_signature(bench, text), near):
        raise DraftError("the near miss is matched by the message itself: take a text that only has some of its words")


def _matches(signature: dict[str, Any], text: str) -> bool:
    return any(True for _ in Matcher([signature]).observe(read(text)))


def _near(bench: Workbench, text: str) -> str:
    data = compiled_signature(bench, text)
    signature = Signature(data)
    return near_miss(text, lambda line: signature.match(line) is not None, data["literals"])


def _expectation(report: Report, name: str, expect: dict[str, Any]) -> dict[str, Any]:
    """What the example shows: the facts that the new diagnosis reports, and the other families that the text reports."""
    data = report.to_dict()["diagnoses"]
    facts: dict[str, Any] = next((item["facts"] for item in data if item["id"] == name), {})
    also = sorted({item["family"] for item in data} - {expect["family"]})
    return {**expect, **({"facts": facts} if facts else {}), **({"also": also} if also else {})}


def _differences(triage: Triage, source: Source) -> list[str]:
    return [difference for outcome in run_examples(triage, [source]) for difference in outcome.differences]


# where it belongs


def default_path(family: str, name: str) -> Path:
    """In a checkout of the rules, their directory of the domain; elsewhere `.triage/rules` of the project."""
    domain = family.split(".")[0]
    here, rules = Path.cwd(), Path(shipped_directory("rules"))
    if here.is_relative_to(rules.parent) and (rules.parent / "pyproject.toml").is_file():
        return Path(os.path.relpath(rules / domain / f"{name}.yaml", here))
    root = next((directory for directory in (here, *here.parents) if (directory / ".git").exists()), here)
    return Path(os.path.relpath(root / PROJECT / f"{domain}-{name}.yaml", here))


def schema_path(target: Path) -> str:
    """How a file refers to its schema: the one of the checkout it stands in, else one beside it."""
    schema = Path(shipped_directory("rules")).parent / "docs" / "schema" / "rule.schema.json"
    inside = target.absolute().is_relative_to(schema.parents[2]) and schema.is_file()
    return Path(os.path.relpath(schema, target.absolute().parent)).as_posix() if inside else "rule.schema.json"
