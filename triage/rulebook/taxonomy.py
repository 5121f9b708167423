"""The vocabulary of diagnoses and the library of fixes: `kb/taxonomy.yaml` and `kb/fixes.yaml`, read when rules are compiled."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

from triage.facts.messages import parse_message
from triage.facts.spelling import did_you_mean
from triage.rulebook.rulebook import told_instead
from triage.rulebook.yaml12 import RuleLoader


class Taxonomy:
    """Ids of families, causes and fixes, with their texts in both languages, and groups of what is named together."""

    def __init__(self, families: dict[str, Any], causes: dict[str, Any], fixes: dict[str, Any], groups: dict[str, Any]) -> None:
        self.families = families
        self.causes = causes
        self.fixes = fixes
        self.groups = groups

    def matching(self, name: str) -> list[str]:
        """The families that a name or a wildcard (`memory.*`, `*`) stands for."""
        if name.endswith("*"):
            return [family for family in self.families if family.startswith(name[:-1])]
        return [name] if name in self.families else []

    def spread(self, names: Iterable[str]) -> list[str]:
        """Families and diagnoses that names stand for, where some are names of groups. What is none of the three stays as it is."""
        spread: list[str] = []
        for name in names:
            group = self.groups.get(name)
            if group is None:
                spread += self.matching(name) or [name]
            else:
                without = set(self.spread(group.get("but", ())))
                spread += [member for member in self.spread(group["members"]) if member not in without]
        return list(dict.fromkeys(spread))

    def nearest_family(self, name: str) -> str:
        """The end of a message that there is no such family: which may be meant; '' where none comes near."""
        return did_you_mean(name, self.families)

    def nearest_cause(self, name: str) -> str:
        """Likewise of a cause."""
        return did_you_mean(name, self.causes)

    def nearest_fix(self, name: str) -> str:
        """Likewise of a fix."""
        return did_you_mean(name, self.fixes)

    def fix(self, name: str, family: str = "") -> dict[str, Any]:
        """What the library says of a fix within a family: in general, then what differs in its domain, then in the family itself."""
        entry: dict[str, Any] = self.fixes.get(name, {})
        within = entry.get("within", {})
        for place in (family.partition(".")[0], family):
            entry = told_instead(entry, within.get(place, {}))
        return entry

    def commands(self, fix: str, family: str = "") -> list[str]:
        """All lines to paste that the library has for a fix within a family, of whatever framework."""
        entry = self.fix(fix, family)
        return [*entry.get("commands", []), *(line for lines in entry.get("commands_of", {}).values() for line in lines)]

    def asked(self) -> dict[str, str]:
        """The words by which people look for a family or a cause, by its id: its titles and what they call it themselves."""
        concepts = {**self.families, **self.causes}
        return {name: f"{entry['en']['title']} {entry['zh']['title']} {entry.get('asked', '')}" for name, entry in concepts.items()}

    def texts(self) -> dict[str, Any]:
        """What a report needs of it, by `family:ID`, `cause:ID`, `about:ID` (of either), `fix:ID` and `fix:ID@` family or domain."""
        texts: dict[str, Any] = {}
        for family, entry in self.families.items():
            texts[f"family:{family}"] = {lang: entry[lang]["title"] for lang in ("en", "zh")}
            texts[f"about:{family}"] = {lang: entry[lang]["about"] for lang in ("en", "zh")}
        for cause, entry in self.causes.items():
            texts[f"cause:{cause}"] = {lang: entry[lang]["title"] for lang in ("en", "zh")}
            texts[f"about:{cause}"] = {lang: entry[lang]["about"] for lang in ("en", "zh")}
        for fix, entry in self.fixes.items():
            texts[f"fix:{fix}"] = _fix(entry)
            for place in entry.get("within", {}):
                texts[f"fix:{fix}@{place}"] = _fix(self.fix(fix, place))
        return texts


def load_taxonomy(kb: Path) -> Taxonomy:
    """Read the vocabulary below a `kb` directory."""
    vocabulary = yaml.load((kb / "taxonomy.yaml").read_bytes(), Loader=RuleLoader)
    fixes = yaml.load((kb / "fixes.yaml").read_bytes(), Loader=RuleLoader)
    return Taxonomy(vocabulary["families"], vocabulary["causes"], fixes.get("fixes", fixes), vocabulary.get("groups", {}))


def _fix(entry: dict[str, Any]) -> dict[str, Any]:
    return (
        {"commands": [], "commands_of": {}, "references": []}
        | _said(entry)
        | {"for": {kind: _said(own) for kind, own in entry.get("for", {}).items()}}
    )


def _said(entry: dict[str, Any]) -> dict[str, Any]:
    """What an entry says, and nothing of what it leaves out, ready to be filled in."""
    said: dict[str, Any] = {key: _messages(entry[key]) for key in ("title", "detail") if key in entry}
    if "commands" in entry:
        said["commands"] = [parse_message(command) for command in entry["commands"]]
    if "commands_of" in entry:
        said["commands_of"] = {of: [parse_message(line) for line in lines] for of, lines in entry["commands_of"].items()}
    if "references" in entry:
        said["references"] = [item["url"] if isinstance(item, dict) else item for item in entry["references"]]
    return said


def _messages(entry: dict[str, str]) -> dict[str, Any]:
    return {lang: [parse_message(entry[lang])] for lang in ("en", "zh")}
