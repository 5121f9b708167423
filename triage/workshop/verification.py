"""Writes the tables of `docs/verification.md` from lists of verdicts, so that what is claimed there is what was run.

    triage verify all --resume all.json
    triage verify NAME --with PACKAGE==RELEASE --resume with.json
    python -m triage.workshop.verification DATE all.json,with.json FOUNDING.json… > tables.md

The first lists, joined by commas, are those of all reproductions: what one environment could not try another may have. The others are
named by the case whose log they come from.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

_INTERPRETER = re.compile(r"(?:/[\w.+-]{1,100}){1,20}/(python[\w.]{0,10})\b")  # where it lies on a machine tells nobody else anything
_LONGEST = 150  # characters of a reason in a table


def row(verdict: Mapping[str, Any], name: str) -> str:
    """One verdict as a row: what, fix, backend, verdict, seconds of both arms, and under which releases or what would be needed."""
    arms = verdict["arms"]
    times = [f"{arms[arm]['seconds']:.1f}" if arms[arm] else "" for arm in ("reported", "fixed")]
    word = verdict["verdict"] + ("" if verdict["advised"] or verdict["verdict"] != "refuted" else ", as warned")
    about = _releases(verdict) if verdict["verdict"] in ("confirmed", "refuted") else verdict["reason"]
    cells = [f"`{name}`", f"`{verdict['fix']}`", verdict["backend"], word, *times, _short(about)]
    return f"| {' | '.join(cells)} |"


def _releases(verdict: Mapping[str, Any]) -> str:
    versions = verdict["environment"].get("versions", {})
    known = [f"{name} {versions[name]}" for name in ("torch", "transformers") if name in versions]
    after = verdict["environment"].get("versions_with_fix", {}).get("torch")
    return ", ".join(known if verdict["backend"] != "model" else []) + (f" against {after}" if after else "")


def _short(text: str) -> str:
    plain = _INTERPRETER.sub(r"\1", text).replace("|", "\\|").replace("`", "'").replace("<", "&lt;")
    return plain if len(plain) <= _LONGEST else plain[: _LONGEST - 1] + "…"


def table(verdicts: Iterable[tuple[str, Mapping[str, Any]]]) -> str:
    """Named verdicts under one head."""
    head = (
        "| what | fix | backend | verdict | as reported, s | with the fix, s | releases, or why not |\n| "
        + " | ".join(["---"] * 7)
        + " |\n"
    )
    return head + "".join(row(verdict, name) + "\n" for name, verdict in verdicts)


def known_best(verdicts: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """By reproduction, of each fix what concludes something, or else what was found last."""
    of_fix: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for verdict in verdicts:
        of_fix.setdefault((verdict["reproduction"], verdict["fix"]), []).append(verdict)
    best = []
    for found in of_fix.values():
        best += [verdict for verdict in found if verdict["verdict"] in ("confirmed", "refuted")] or found[-1:]
    return sorted(best, key=lambda verdict: str(verdict["reproduction"]))


def counted(verdicts: Iterable[Mapping[str, Any]]) -> str:
    """How many of each verdict on each backend, as a sentence."""
    counts = Counter((str(verdict["verdict"]), str(verdict["backend"])) for verdict in verdicts)
    return ", ".join(f"{number} {word}" + (f" on {backend}" if backend else "") for (word, backend), number in sorted(counts.items()))


def rendered(date: str, everything: Iterable[Mapping[str, Any]], founding: Mapping[str, list[dict[str, Any]]]) -> str:
    """Both tables with their counts."""
    everything = known_best(everything)
    ran = {verdict["reproduction"] for verdict in everything if verdict["arms"]["fixed"]}
    lines = [f"### The founding cases, {date}\n"]
    lines.append(table((name, verdict) for name, verdicts in founding.items() for verdict in verdicts))
    lines.append(f"### All reproductions, {date}\n")
    families = len({verdict["family"] for verdict in everything if verdict["reproduction"] in ran})
    lines.append(f"{len(ran)} reproductions of {families} families failed as reported and had a fix tried: {counted(everything)}.\n")
    lines.append(table((verdict["reproduction"], verdict) for verdict in everything))
    return "\n".join(lines)


def main(arguments: list[str]) -> None:
    """`DATE ALL.json[,MORE.json…] FOUNDING.json…` to standard output."""
    date, everything, *founding = arguments
    lists = {path: json.loads(Path(path).read_text(encoding="utf-8")) for path in [*everything.split(","), *founding]}
    of_all = [verdict for path in everything.split(",") for verdict in lists[path]]
    print(rendered(date, of_all, {Path(path).stem: lists[path] for path in founding}), end="")


if __name__ == "__main__":
    main(sys.argv[1:])
