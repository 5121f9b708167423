"""How many mutated messages are still recognised.

    python benchmarks/robustness.py [-v] [PATH…]

Every positive example of the shipped rules (or of the given rule files) that one of the ways below changes is explained so; it counts as
recognised when its family comes first; else triage is silent or names another family. Of those recognised the last column tells how
many of the diagnosis' facts are still read. Unmutated examples are the peer: all of them pass,
or the rule tests fail. The table is written as Markdown.
"""

from __future__ import annotations

import argparse
import html
import json
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from triage.pipeline import Triage
from triage.report import Report
from triage.rulebook.loader import load_rules
from triage.rulebook.schema import Expectation
from triage.rulebook.store import shipped_directory

_FULL_WIDTH = str.maketrans("0123456789", "０１２３４５６７８９")
_HAN = "[\u3400-\u9fff]"
_BESIDE_HAN = (re.compile(rf"({_HAN})(?=[A-Za-z0-9])"), re.compile(rf"([A-Za-z0-9])(?={_HAN})"))
_APART_FROM_HAN = (re.compile(rf"({_HAN}) (?=[A-Za-z0-9])"), re.compile(rf"([A-Za-z0-9]) (?={_HAN})"))


def _with(text: str, patterns: Iterable[re.Pattern[str]], put: str) -> str:
    for pattern in patterns:
        text = pattern.sub(put, text)
    return text


def _each(text: str, change: Callable[[str], str]) -> str:
    return "\n".join(change(line) for line in text.splitlines())


def _wrapped(text: str, width: int) -> str:
    lines = []
    for line in text.splitlines():
        indent = line[: len(line) - len(line.lstrip())]
        lines += textwrap.wrap(
            line, width, subsequent_indent=indent if indent.startswith(" ") else "", break_on_hyphens=False, break_long_words=False
        ) or [""]
    return "\n".join(lines)


def _cut_at(text: str, width: int) -> str:
    """As a terminal shows long lines."""
    return "\n".join(line[at : at + width] for line in text.splitlines() for at in range(0, max(len(line), 1), width))


def _broken_off(text: str, number: int, share: float) -> str:
    """The text up to somewhere in the line with this number, on which the diagnosis rests."""
    lines = text.splitlines()
    whole = lines[min(max(number, 1), len(lines)) - 1]
    return "\n".join([*lines[: number - 1], whole[: max(1, int(len(whole) * share))]])


# What a program would print: senseless where a person tells of the failure in words.
PRINTED: dict[str, Callable[[str], str]] = {
    "fenced": lambda text: "It stops with this:\n\n```\n" + text.rstrip("\n") + "\n```\n\nAny idea?\n",
    "rank prefix": lambda text: _each(text, lambda line: f"[rank3]: {line}"),
    "time stamp": lambda text: _each(text, lambda line: f"2026-05-04 10:11:12,345 - ERROR - {line}"),
    "pod prefix": lambda text: _each(text, lambda line: f"[pod/train-0/worker] {line}"),
    "Ray prefix": lambda text: _each(text, lambda line: f"(TrainWorker pid=4711, ip=10.0.0.4) {line}"),
    "JSON records": lambda text: _each(
        text, lambda line: json.dumps({"log": f"{line}\n", "stream": "stderr", "time": "2026-05-04T10:11:12Z"})
    ),
    "with a margin": lambda text: _each(text, lambda line: f"    {line}"),
    "as items": lambda text: _each(text, lambda line: f"- {line}" if line.strip() else line),
    "in bold": lambda text: _each(text, lambda line: f"**{line}**" if line.strip() else line),
    "as code": lambda text: _each(text, lambda line: f"`{line}`" if line.strip() else line),
    "numbers of lines": lambda text: "\n".join(f"{number:4d}  {line}" for number, line in enumerate(text.splitlines(), 1)),
    "found by grep": lambda text: "\n".join(f"{number}:{line}" for number, line in enumerate(text.splitlines(), 418)),
    "Docker Compose": lambda text: _each(text, lambda line: f"worker-1  | {line}"),
    "cut at 80 columns": lambda text: _cut_at(text, 80),
    "cut at 120 columns": lambda text: _cut_at(text, 120),
}
MUTATIONS: dict[str, Callable[[str], str]] = {
    "unchanged": lambda text: text,
    "doubled": lambda text: text.rstrip("\n") + "\n" + text,
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "HTML-escaped": html.escape,
    "in colour": lambda text: _each(text, lambda line: f"\x1b[31m{line}\x1b[0m"),
    "quoted": lambda text: _each(text, lambda line: "> " + line),
    "after a healthy log": lambda text: "".join(f"step {n} loss {3 - n / 100:.3f}\n" for n in range(200)) + text,
    "before other output": lambda text: text.rstrip("\n") + "\n" + "".join(f"wandb: uploading file {n}\n" for n in range(50)),
    "wrapped at 80": lambda text: _wrapped(text, 80),
    "wrapped at 120": lambda text: _wrapped(text, 120),
    "full-width digits": lambda text: text.translate(_FULL_WIDTH),
    "blanks doubled": lambda text: text.replace(" ", "  "),
    "smart quotes": lambda text: text.replace("'", "\u2019").replace('"', "\u201d"),
    "Chinese apart from Latin": lambda text: _with(text, _BESIDE_HAN, r"\1 "),
    "Chinese and Latin without blanks": lambda text: _with(text, _APART_FROM_HAN, r"\1"),
    **PRINTED,
}
BROKEN_OFF = (0.95, 0.9, 0.8, 0.6)


class _Example(NamedTuple):
    where: str
    text: str
    family: str
    told: bool  # by a person, in words
    line: int  # on which the diagnosis rests
    facts: dict[str, object]  # of the diagnosis


def positives(paths: list[str]) -> Iterator[tuple[str, str, str]]:
    """(where, text, family) of every positive example."""
    for source in load_rules([Path(path) for path in paths or [shipped_directory("rules")]]):
        for number, example in enumerate(source.model.examples, 1):
            if isinstance(example.expect, Expectation) and example.expect.family and not example.near_miss:
                yield f"{source.path} {number}", example.text, example.expect.family


def _examples(triage: Triage, paths: list[str]) -> Iterator[_Example]:
    for where, text, family in positives(paths):
        report = triage.explain(text)
        evidence = report.diagnoses[0].evidence if report.diagnoses else ()
        line = max((item.line for item in evidence[:1]), default=1)
        shown = {item.line for item in evidence}
        told = text.startswith("# ") or any(read.role == "prose" and read.number in shown for read in report.log.lines)
        yield _Example(where, text, family, told, line, _facts(report))


def _facts(report: Report) -> dict[str, object]:
    return report.to_dict()["diagnoses"][0]["facts"] if report.diagnoses else {}


def _row(triage: Triage, name: str, cases: Iterable[tuple[_Example, str]], verbose: bool) -> None:
    lost: list[str] = []
    total = silent = told = kept = 0
    for example, text in cases:
        total += 1
        report = triage.explain(text)
        found = report.diagnoses
        if not found or found[0].family != example.family:
            silent += not found
            lost.append(f"    {example.where}: {example.family}, got {found[0].id if found else 'nothing'}")
            continue
        facts = _facts(report)
        missing = [fact for fact, value in example.facts.items() if facts.get(fact) != value]
        told += len(example.facts)
        kept += len(example.facts) - len(missing)
        if missing and verbose:
            print(f"    {example.where}: {', '.join(missing)} not read")
    shares = (total - len(lost), silent, len(lost) - silent)
    row = [name, str(total), *[f"{100 * share / max(total, 1):.1f} %" for share in shares], f"{100 * kept / max(told, 1):.1f} %"]
    print(f"| {' | '.join(row)} |", flush=True)
    if verbose and lost:
        print("\n".join(lost))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", metavar="PATH", help="rule files or directories; default: all that are shipped")
    parser.add_argument("--only", choices=sorted(MUTATIONS), help="this change alone")
    parser.add_argument("-v", "--verbose", action="store_true", help="name every example that is not recognised")
    args = parser.parse_args()
    triage = Triage()
    examples = list(_examples(triage, args.paths))
    print("| text | examples | recognised | silent | another family first | facts |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    for name, mutate in MUTATIONS.items():
        if args.only not in (None, name):
            continue
        chosen = [example for example in examples if name not in PRINTED or not example.told]
        texts = ((example, mutate(example.text)) for example in chosen)
        _row(triage, name, ((example, text) for example, text in texts if text != example.text or name == "unchanged"), args.verbose)
    for share in () if args.only else BROKEN_OFF:
        broken = ((example, _broken_off(example.text, example.line, share)) for example in examples)
        _row(triage, f"broken off at {share:.0%} of the decisive line", broken, args.verbose)
    return 0


if __name__ == "__main__":
    sys.exit(main())
