"""How many mutated messages are still recognised.

    python benchmarks/robustness.py [-v] [PATH…]

Every positive example of the shipped rules (or of the given rule files) is mutated in each of the ways below and explained; it counts as
recognised when its family comes first. Unmutated examples are the peer: all of them pass, or the rule tests fail.
"""

from __future__ import annotations

import argparse
import html
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

from triage.pipeline import Triage
from triage.rulebook.loader import load_rules
from triage.rulebook.schema import Expectation
from triage.rulebook.store import shipped_directory

_FULL_WIDTH = str.maketrans("0123456789", "０１２３４５６７８９")


def _each(text: str, change: Callable[[str], str]) -> str:
    return "\n".join(change(line) for line in text.splitlines())


def _wrapped(text: str, width: int) -> str:
    lines = []
    for line in text.splitlines():
        indent = line[: len(line) - len(line.lstrip())]
        lines += textwrap.wrap(line, width, subsequent_indent=indent if indent.startswith(" ") else "", break_on_hyphens=False) or [""]
    return "\n".join(lines)


MUTATIONS: dict[str, Callable[[str], str]] = {
    "unchanged": lambda text: text,
    "doubled": lambda text: text.rstrip("\n") + "\n" + text,
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "HTML-escaped": html.escape,
    "in colour": lambda text: _each(text, lambda line: f"\x1b[31m{line}\x1b[0m"),
    "quoted": lambda text: _each(text, lambda line: "> " + line),
    "fenced": lambda text: "It stops with this:\n\n```\n" + text.rstrip("\n") + "\n```\n\nAny idea?\n",
    "rank prefix": lambda text: _each(text, lambda line: f"[rank3]: {line}"),
    "time stamp": lambda text: _each(text, lambda line: f"2026-05-04 10:11:12,345 - ERROR - {line}"),
    "pod prefix": lambda text: _each(text, lambda line: f"[pod/train-0/worker] {line}"),
    "Ray prefix": lambda text: _each(text, lambda line: f"(TrainWorker pid=4711, ip=10.0.0.4) {line}"),
    "after a healthy log": lambda text: "".join(f"step {n} loss {3 - n / 100:.3f}\n" for n in range(200)) + text,
    "wrapped at 80": lambda text: _wrapped(text, 80),
    "wrapped at 120": lambda text: _wrapped(text, 120),
    "last line cut to 80 %": lambda text: text.rstrip("\n")[: max(1, int(len(text) * 0.8))],
    "full-width digits": lambda text: text.translate(_FULL_WIDTH),
    "blanks doubled": lambda text: text.replace(" ", "  "),
}


def _positives(paths: list[str]) -> Iterator[tuple[str, str, str]]:
    """(where, text, family) of every positive example."""
    for source in load_rules([Path(path) for path in paths or [shipped_directory("rules")]]):
        for number, example in enumerate(source.model.examples, 1):
            if isinstance(example.expect, Expectation) and example.expect.family and not example.near_miss:
                yield f"{source.path} {number}", example.text, example.expect.family


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", metavar="PATH", help="rule files or directories; default: all that are shipped")
    parser.add_argument("-v", "--verbose", action="store_true", help="name every example that is not recognised")
    args = parser.parse_args()
    triage = Triage()
    examples = list(_positives(args.paths))
    print(f"{len(examples)} examples\n")
    for name, mutate in MUTATIONS.items():
        lost = []
        for where, text, family in examples:
            found = triage.explain(mutate(text)).diagnoses
            if not found or found[0].family != family:
                lost.append(f"    {where}: {family}, got {found[0].family if found else 'nothing'}")
        print(f"{name:24}{100 * (1 - len(lost) / len(examples)):6.1f} %")
        if args.verbose and lost:
            print("\n".join(lost))
    return 0


if __name__ == "__main__":
    sys.exit(main())
