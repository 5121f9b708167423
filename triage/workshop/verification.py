"""Writes the tables of `docs/verification.md` from lists of verdicts, so that what is claimed there is what was run.

    triage verify all --resume all.json
    python -m triage.workshop.verification DATE all.json FOUNDING.json… > tables.md

The first list is that of all reproductions; the others are named by the case whose log they come from.
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


def counted(verdicts: Iterable[Mapping[str, Any]]) -> str:
    """How many of each verdict on each backend, as a sentence."""
    counts = Counter((str(verdict["verdict"]), str(verdict["backend"])) for verdict in verdicts)
    return ", ".join(f"{number} {word}" + (f" on {backend}" if backend else "") for (word, backend), number in sorted(counts.items()))


def rendered(date: str, everything: list[dict[str, Any]], founding: Mapping[str, list[dict[str, Any]]]) -> str:
    """Both tables with their counts."""
    ran = {verdict["reproduction"] for verdict in everything if verdict["arms"]["fixed"]}
    lines = [f"### The founding cases, {date}\n"]
    lines.append(table((name, verdict) for name, verdicts in founding.items() for verdict in verdicts))
    lines.append(f"### All reproductions, {date}\n")
    families = len({verdict["family"] for verdict in everything if verdict["reproduction"] in ran})
    lines.append(f"{len(ran)} reproductions of {families} families failed as reported and had a fix tried: {counted(everything)}.\n")
    lines.append(table((verdict["reproduction"], verdict) for verdict in everything))
    return "\n".join(lines)


def main(arguments: list[str]) -> None:
    """`DATE ALL.json FOUNDING.json…` to standard output."""
    date, *paths = arguments
    lists = [json.loads(Path(path).read_text(encoding="utf-8")) for path in paths]
    print(rendered(date, lists[0], {Path(path).stem: found for path, found in zip(paths[1:], lists[1:], strict=True)}), end="")


if __name__ == "__main__":
    main(sys.argv[1:])
