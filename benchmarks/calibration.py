"""How often diagnoses of each confidence are right, on labelled texts.

    python benchmarks/calibration.py SET.jsonl [SET.jsonl …]

Each line of a set is a text with its label: `text`, `family` ("none" for no failure), `cause` or null, and perhaps `cause_from`, `accept`
and `accept_causes`. A diagnosis is right when its family is the label's and, where the text itself supports a cause, its cause too.

Prints the reliability table, the expected calibration error over ten bins, and points for kb/calibration.yaml: in each bin the share
that was right, drawn towards what the rules say as if PRIOR further diagnoses had been right just that often (rules were written with
texts like these in view, and what is unseen is harder).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import triage
from triage.report.model import Diagnosis

PRIOR = 60


def _right(row: dict[str, Any], top: Diagnosis) -> bool:
    if top.family not in {row["family"], *(row.get("accept") or [])}:
        return False
    if not row.get("cause") or row.get("cause_from") == "thread":
        return True
    return top.cause in {row["cause"], *(row.get("accept_causes") or [])}


def _judged(paths: list[Path]) -> Iterator[tuple[float, float, bool]]:
    """(what the rule says, what the report says, whether it was right) of the first diagnosis of every text."""
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            found = triage.explain(row["text"]).diagnoses
            if found:
                yield found[0].strength, found[0].confidence, _right(row, found[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=Path, metavar="SET.jsonl")
    judged = list(_judged(parser.parse_args().sets))
    print(f"{len(judged)} diagnoses\n\n| confidence | diagnoses | mean confidence | right |\n| --- | --- | --- | --- |")
    error, points = 0.0, []
    for low in range(10):
        inside = [(said, right) for _, said, right in judged if min(int(said * 10), 9) == low]
        if inside:
            said, right = (sum(values) / len(inside) for values in zip(*inside, strict=True))
            error += abs(said - right) * len(inside) / len(judged)
            print(f"| {low / 10:.1f} to {(low + 1) / 10:.1f} | {len(inside)} | {said:.3f} | {right:.3f} |")
        raw = [(strength, right) for strength, _, right in judged if min(int(strength * 10), 9) == low]
        if raw:
            strength = sum(value for value, _ in raw) / len(raw)
            share = (sum(right for _, right in raw) + PRIOR * strength) / (len(raw) + PRIOR)
            points.append([round(strength, 3), round(share, 3)])
    print(f"\nexpected calibration error {error:.4f}\npoints {points}")


if __name__ == "__main__":
    main()
