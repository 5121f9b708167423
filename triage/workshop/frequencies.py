"""Writes `triage/signatures/frequencies.json`: which of the texts that patterns require stand on many lines.

python -m triage.workshop.frequencies
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from ahocorasick_rs import AhoCorasick

from triage.rulebook.loader import Source, load_rules
from triage.rulebook.store import shipped_directory
from triage.signatures.frequencies import FIGURES
from triage.signatures.literals import encode
from triage.signatures.patterns import compile_pattern, compile_text
from triage.signatures.required import MIN_LITERAL
from triage.workshop.lint.patterns import healthy_texts

LEAST = 100  # of ten thousand lines: texts that are rarer still are not worth telling apart


def rendered() -> str:
    """The text of the file."""
    sources = load_rules([Path(shipped_directory("rules"))])
    wanted = sorted({text for source in sources for text in _required(source) if len(encode(text)) >= MIN_LITERAL - 1})
    search = AhoCorasick(wanted)
    lines = [" ".join(line.lower().split()) for text in _texts(sources) for line in text.splitlines()]
    counts: Counter[str] = Counter()
    for line in lines:
        counts.update({wanted[number] for number, _, _ in search.find_matches_as_indexes(line, overlapping=True)})
    shares = {text: round(count * 10_000 / len(lines)) for text, count in counts.items()}
    common = {text: share for text, share in shares.items() if share >= LEAST}
    return json.dumps(common, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _texts(sources: list[Source]) -> Iterator[str]:
    for source in sources:
        for example in source.model.examples:
            yield example.text
    for path in healthy_texts(Path(shipped_directory("kb")) / "healthy"):
        yield path.read_text(encoding="utf-8", errors="replace")


def _required(source: Source) -> Iterator[str]:
    for signature in source.model.signatures:
        for form in signature.forms:
            compiled = (compile_pattern if signature.text is None else compile_text)(form, signature.literal, signature.span > 1)
            yield from compiled.texts()


if __name__ == "__main__":
    FIGURES.write_text(rendered(), encoding="utf-8")
