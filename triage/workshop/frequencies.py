"""Writes `triage/signatures/frequencies.py`: which of the texts that patterns require stand on many lines.

python -m triage.workshop.frequencies
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from ahocorasick_rs import AhoCorasick

from triage.rulebook.loader import Source, load_rules
from triage.rulebook.store import shipped_directory
from triage.signatures import frequencies
from triage.signatures.literals import encode
from triage.signatures.patterns import compile_pattern, compile_text
from triage.signatures.required import MIN_LITERAL
from triage.workshop.lint.patterns import healthy_texts

LEAST = 100  # of ten thousand lines: texts that are rarer still are not worth telling apart
_HEAD = '''\
"""On how many of ten thousand lines a text stands that patterns require, where it is {least} or more: lines of the examples, and of the
logs in which nothing failed. Of several texts that a match must hold, a pattern is searched by the one on fewest lines.

Written by `python -m triage.workshop.frequencies`. It changes nothing but speed, so it is written anew only once in a while.
"""

LINES = {{
'''


def rendered() -> str:
    """The text of the module."""
    sources = load_rules([Path(shipped_directory("rules"))])
    wanted = sorted({text for source in sources for text in _required(source) if len(encode(text)) >= MIN_LITERAL - 1})
    search = AhoCorasick(wanted)
    lines = [" ".join(line.lower().split()) for text in _texts(sources) for line in text.splitlines()]
    counts: Counter[str] = Counter()
    for line in lines:
        counts.update({wanted[number] for number, _, _ in search.find_matches_as_indexes(line, overlapping=True)})
    shares = {text: round(count * 10_000 / len(lines)) for text, count in counts.items()}
    rows = [f"    {_quoted(text)}: {share},\n" for text, share in sorted(shares.items()) if share >= LEAST]
    return _HEAD.format(least=LEAST) + "".join(rows) + "}\n"


def _quoted(text: str) -> str:
    shown = repr(text)
    return shown if '"' in text or "'" in text else f'"{shown[1:-1]}"'


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
    Path(frequencies.__file__).write_text(rendered(), encoding="utf-8")
