"""Lines in the words of the reader's own release: options, variables and commands come, go and are renamed.

`kb/tables/words-of-releases.yaml` says from which release to which a program knows a word, and what is written in its place outside of
that. Rules write the words of the newest release: of those its readers run who do not
say which.
"""

from __future__ import annotations

from functools import cached_property
from re import escape

from triage.engine.values import Version
from triage.reading.lazy import Pattern
from triage.report.audience.programs import SENTENCE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from typing import Final

    from triage.engine.values import Value

_VARIABLE = Pattern(r"[A-Z][A-Z0-9_]+\Z")
_SETS_A_VARIABLE = Pattern(r"[A-Z][A-Z0-9_]+=\S*\Z")
_EXPORTS: Final = "export "
_STARTED_ALONE = Pattern(r"(?:(?:--model(?:-path|-id)? \S+|-m \S+|[^\s=-][^\s=]*)(?:\s+|\Z))*\Z")  # nothing is set


class Word:
    """One word of a program, with the releases that know it. Versions are None where there is no such end."""

    __slots__ = ("__dict__", "_after", "_before", "_gone", "_since", "_told", "word")

    def __init__(self, row: Mapping[str, Value]) -> None:
        self.word = str(row["word"])
        since, gone = row.get("since"), row.get("gone")
        self._since = since if isinstance(since, Version) else None
        self._gone = gone if isinstance(gone, Version) else None
        self._before, self._after = str(row.get("before", "")), str(row.get("after", ""))
        self._told = bool(row.get("told"))

    @cached_property
    def _in_a_line(self) -> Pattern:
        if _VARIABLE.match(self.word):
            return Pattern(rf"(?<!\S){self.word}=(?P<value>\S+)")
        if self.word.startswith("-") and " " not in self.word and "=" not in self.word:
            return Pattern(rf"(?<!\S){escape(self.word)}(?:[ =](?P<value>[^\s-]\S*))?(?!\S)")
        before = "" if self.word.startswith(", ") else r"(?<![\w.-])"
        return Pattern(rf"{before}{escape(self.word)}(?P<value>)(?![\w-])")

    @cached_property
    def _in_prose(self) -> Pattern:
        return Pattern(rf"(?<![A-Za-z0-9_-]){escape(self.word)}(?![A-Za-z0-9_-])")

    @cached_property
    def _in_brackets(self) -> Pattern:
        return Pattern(rf"([(（][^()（）]{{0,60}}?){escape(self.word)}(?![A-Za-z0-9_-])(?=[^()（）]*[)）])")

    @cached_property
    def _is_the_matter(self) -> bool:
        """Whether a line is of no use without the word: it is a command or a call, not one of the settings beside it."""
        return not (self.word.startswith(("-", ", ")) or _VARIABLE.match(self.word))

    def instead(self, releases: Collection[Version]) -> str | None:
        """What all of some releases know in place of this word ('' where they have nothing like it); None where one of them knows it.
        No releases at all stand for the newest."""
        if self._since and releases and max(releases) < self._since:
            return self._before
        if self._gone and (not releases or min(releases) >= self._gone):
            return self._after
        return None

    def put(self, line: str, instead: str) -> str:
        """A line with what stands in place of the word; '' where the line sets nothing then."""
        found = self._in_a_line.search(line)
        if found is None:
            return line
        if not instead and self._is_the_matter:
            return ""
        new = instead.replace("{}", found["value"] or "").strip()
        start, end = line[: found.start()], line[found.end() :]
        if _VARIABLE.match(self.word) or not _SETS_A_VARIABLE.match(new):
            line = f"{start}{new}{end}" if new or self.word[0] == "," else f"{start.rstrip()} {end.lstrip()}".strip()
        elif start.strip():
            line = f"{new} {start.rstrip()}{end}"
        else:
            line = f"{_EXPORTS}{new}{end}"
        return line if new or not _STARTED_ALONE.match(line) else ""

    def beside(self, line: str) -> str:
        """A line for who runs any release, with what earlier ones take instead, where that is worth telling."""
        found = self._in_a_line.search(line) if self._told else None
        if found is None:
            return line
        return f"{line}  # before {self._since}: {self._before.replace('{}', found['value'] or '').strip()}"

    def is_named(self, sentence: str) -> bool:
        """Whether a sentence speaks of the word."""
        return self._in_prose.search(sentence) is not None

    def put_in_brackets(self, sentence: str, instead: str) -> str:
        """A sentence that names in brackets what stands in place of the word."""
        name = instead.replace("={}", "").replace(" {}", "").strip()
        return self._in_brackets.sub(lambda found: found[1] + name, sentence) if name else sentence


def lacking(words: Iterable[Word], releases: Collection[Version]) -> list[tuple[Word, str]]:
    """The words that releases do not know, each with what they know in its place; where none is told, those that the newest has not."""
    return [(word, instead) for word in words if (instead := word.instead(releases)) is not None]


def lines_for(lines: Iterable[str], missing: Sequence[tuple[Word, str]]) -> list[str]:
    """The lines to paste, each once, with what stands in place of the words that are missing; one that sets only such is left out."""
    return list(dict.fromkeys(kept for line in lines if (kept := _line(line, missing))))


def _line(line: str, missing: Iterable[tuple[Word, str]]) -> str:
    for word, instead in missing:
        if word.word in line:
            line = word.put(line, instead)
    return line


def with_earlier_ways(lines: Iterable[str], words: Sequence[Word]) -> list[str]:
    """The lines as the newest release takes them, with what earlier ones take instead beside it where many still run those."""
    return [next((told for word in words if (told := word.beside(line)) != line), line) for line in lines]


def words_for(text: str, missing: Iterable[tuple[Word, str]]) -> str:
    """What is advised, without the sentences on words that are missing, where others remain; in brackets stands what there is instead."""
    named = [(word, instead) for word, instead in missing if word.word in text]
    if not named:
        return text
    told = SENTENCE.findall(text)
    for word, instead in named:
        told = [said for said in (word.put_in_brackets(said, instead) for said in told) if not word.is_named(said)]
    return "".join(told).rstrip() or text
