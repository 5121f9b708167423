"""Which lines of a huge log report a failure.

A healthy line of training holds "loss", "step", "rank" and a dozen more of the texts that signatures look for, so that their mere presence
says nothing. A `Sieve` gives the lines in which a signature that reports a failure matches. Three things keep it fast: of the texts
that a form must hold it looks for the one that is rare in this very log, which the log's own chunks tell; an expression is tried on a
line as it stands, before that is read; and of lines that differ in digits alone, as those of a storm do, one is tried for all.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from triage.reading.prefixes import Stripper, find_labels
from triage.reading.records import unwrapped
from triage.signatures.literals import encode
from triage.signatures.readings import readings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from triage.signatures.signature import Signature

TRACEBACK = -1  # the kind of hit that is no signature: where Python prints an exception, whichever
_TRACEBACK = b"traceback (most recent call last"
_TELLING = frozenset(("process-exit",))  # facts from which failures follow without a signal
STORM = 64  # matches of one signature after which it is looked for once a chunk
_HOT, _FEW = 0.02, 64  # hits of one text a line, and a chunk, from which on another text of the same form is looked for
_LONGEST = 16 << 10  # bytes of a line in which a message is looked for
_SAMPLE = 64 << 10
_SPACES = re.compile(rb"  +")
_AS_ZEROS = bytes.maketrans(b"123456789", b"0" * 9)
_MOST_SHAPES = 20_000
_ESCAPES = re.compile(rb"\x1b\[[0-9;]{0,20}[A-Za-z]")

_WRAPPED = re.compile(rb"[{\\\r\x1b\t]")  # what may hide a message from an expression that reads the line as it stands

Hit = tuple[int, int]  # offset of a line, number of a signature
# What texts in a line call for: for each number of lines the signatures that match so many, with a bit for each form worth trying. First
# forms to which all digits are alike: of lines that differ in digits alone one tells of all. Then those that ask for certain digits.
Called = list[tuple[int, list[tuple[int, int]], list[tuple[int, int]]]]


class Texts:
    """Which set of texts is looked for, of each form of a signature, and what finds them. Not changed once it is made, but that `settled`
    collects the texts that stand in every other line and are looked for nevertheless."""

    __slots__ = ("automaton", "called", "chosen", "literals", "settled", "users")

    def __init__(self, chosen: Mapping[tuple[int, int], tuple[bytes, ...]], settled: Iterable[bytes] = (_TRACEBACK,)) -> None:
        import ahocorasick_rs

        users: dict[bytes, dict[int, int]] = {_TRACEBACK: {TRACEBACK: 1}}
        for (number, form), texts in chosen.items():
            for text in texts:
                needing = users.setdefault(text, {})
                needing[number] = needing.get(number, 0) | 1 << form
        self.chosen = chosen
        self.settled = set(settled)
        self.literals = list(users)
        self.users = list(users.values())
        self.called: dict[frozenset[int], Called] = {}  # what texts of one line call for, worked out once
        self.automaton: Any = ahocorasick_rs.BytesAhoCorasick(self.literals, implementation=ahocorasick_rs.Implementation.ContiguousNFA)


class Search:
    """What the sieves of a rule base share. `texts` are those that were rare in the log read last: the next one will be like it.
    What is found does not depend on them, only how fast."""

    __slots__ = ("_quick", "_signature", "options", "texts")

    def __init__(
        self, signatures: Sequence[dict[str, Any]], signature: Callable[[int], Signature], only: Iterable[int] | None = None
    ) -> None:
        """`signatures` as compiled; `signature` gives each, by its number, ready to match. Looked for are those that report a failure, or
        those with the numbers in `only`."""
        # Of each form of a signature the sets of texts one of which it must hold.
        self.options: dict[tuple[int, int], list[tuple[bytes, ...]]] = {}
        self._quick: dict[tuple[int, int], tuple[tuple[Any, ...], bool]] = {}
        self._signature = signature
        for number in range(len(signatures)) if only is None else sorted(only):
            data = signatures[number]
            if only is not None or signature(number).signal or any(template in _TELLING for template, _ in data.get("asserts", ())):
                for form, texts in enumerate(_wanted(data)):
                    self.options[number, form] = texts
        self.texts = Texts({key: options[0] for key, options in self.options.items()})

    def matching(self, wanted: Iterable[tuple[int, int]], lines: bytes, searched: bytes, stripper: Stripper) -> Iterator[int]:
        """Those of the signatures one of whose forms matches a line, or several; `searched` is these as literals are looked for."""
        text = searched.decode("latin-1")
        for number, forms in wanted:
            if number == TRACEBACK or self._matches(self._signature(number), number, forms, lines, text, stripper):
                yield number

    def _matches(self, signature: Signature, number: int, forms: int, lines: bytes, searched: str, stripper: Stripper) -> bool:
        forms = signature.plausible(forms, searched)
        if not forms:
            return False
        if signature.span == 1 and not _WRAPPED.search(lines):
            key = number, forms
            known = self._quick.get(key)
            if known is None:
                known = self._quick[key] = signature.anywhere(forms)
            loose, certain = known
            texts = [lines, _SPACES.sub(b" ", lines)] if b"  " in lines else [lines]
            if not any(form.search(text) for text in texts for form in loose):
                return False
            if certain:
                return True
        return _matches(signature, forms, lines, stripper)


class Sieve:
    """Called with the chunks of one log, in order, each gives (offset, number of the signature) of the failures reported there.

    Offsets are those of lines in the chunk, in ascending order. Not for use by several threads or for several logs.
    """

    __slots__ = ("_brief", "_counts", "_search", "_shapes", "_signature", "_stripper", "_texts")

    def __init__(self, search: Search, signature: Callable[[int], Signature], *, brief: bool = True) -> None:
        """Of a message that has been seen many times one occurrence a chunk is given where `brief`, else all of them."""
        self._brief = brief
        self._search = search
        self._signature = signature
        self._texts = search.texts
        self._counts: Counter[int] = Counter()
        self._stripper: Stripper | None = None
        self._shapes: dict[tuple[int, bytes], tuple[int, ...]] = {}  # so many lines, digits aside, and what matches them

    def __call__(self, chunk: bytes) -> list[Hit]:
        """The lines of the next chunk that report a failure."""
        if self._stripper is None:
            sample = chunk[:_SAMPLE].decode("utf-8", "replace")
            self._stripper = Stripper(find_labels(sample.split("\n"), sample))
        searched = _as_searched(chunk)
        seen: Counter[int] = Counter()
        hits = self._found(chunk, searched, seen, self._stripper)
        self._cool(searched, seen)
        return hits

    def _cool(self, searched: bytes, seen: Counter[int]) -> None:
        """Where a text stands in every other line of this log, looks for others of the same forms from now on."""
        most = max(_HOT * searched.count(b"\n"), _FEW)
        counts = {self._texts.literals[literal]: count for literal, count in seen.items()}
        hot = {text for text, count in counts.items() if count > most} - self._texts.settled
        if not hot:
            return

        def hits(texts: Sequence[bytes]) -> int:
            for text in texts:
                if text not in counts:
                    counts[text] = searched.count(text)
            return sum([counts[text] for text in texts])

        rarer = {}
        for key, texts in self._texts.chosen.items():
            if not hot.isdisjoint(texts):
                best = min(self._search.options[key], key=hits)
                if hits(best) < hits(texts):
                    rarer[key] = best
        self._texts.settled |= hot  # what still needs them knows nothing rarer
        if rarer:
            self._search.texts = self._texts = Texts({**self._texts.chosen, **rarer}, self._texts.settled)

    def _lines(self, searched: bytes, seen: Counter[int]) -> Iterator[tuple[int, int, frozenset[int]]]:
        """Where each line with texts that are looked for begins and ends, and the numbers of these texts; counts them."""
        returns = b"\r" in searched
        begin = end = -1
        held: set[int] = set()
        for literal, start, _ in self._texts.automaton.find_matches_as_indexes(searched, overlapping=True):
            if start >= end:
                if held:
                    yield begin, end, frozenset(held)
                begin, end = _line(searched, start, returns)
                held = set()
            held.add(literal)
            seen[literal] += 1
        if held:
            yield begin, end, frozenset(held)

    def _called(self, held: frozenset[int]) -> Called:
        """The signatures that the texts in a line call for."""
        called = self._texts.called.get(held)
        if called is None:
            needed: dict[int, int] = {}
            for literal in held:
                for number, forms in self._texts.users[literal].items():
                    needed[number] = needed.get(number, 0) | forms
            called = self._texts.called[held] = _grouped(sorted(needed.items()), self._signature)
        return called

    def _found(self, chunk: bytes, searched: bytes, seen: Counter[int], stripper: Stripper) -> list[Hit]:
        """The places where a signature does match, as offsets in the chunk."""
        place = _places(chunk, searched)
        hits: list[Hit] = []
        stormed: set[int] = set()
        for begin, end, held in self._lines(searched, seen):
            offset = place(begin)
            for number in self._matching(chunk, searched[begin:end], offset, self._called(held), stripper, stormed):
                hits.append((offset, number))
                self._counts[number] += 1
                if self._brief and self._counts[number] > STORM:
                    stormed.add(number)
        return hits

    def _matching(self, chunk: bytes, text: bytes, offset: int, called: Called, stripper: Stripper, stormed: set[int]) -> Iterator[int]:
        """Those of the signatures that match at an offset, but those in `stormed`. `text` is the line as it is searched."""
        for span, blind, seeing in called:
            lines = _several(chunk, offset, span)
            shape = span, lines.translate(_AS_ZEROS)
            known = self._shapes.get(shape) if blind else ()
            if seeing or known is None:
                searched = text if span == 1 else _as_searched(lines).replace(b"\n", b" ")
            if known is None:
                known = tuple(self._search.matching(blind, lines, searched, stripper))
                if len(self._shapes) >= _MOST_SHAPES:
                    self._shapes.clear()
                self._shapes[shape] = known
            for number in known:
                if number not in stormed:
                    yield number
            if seeing:
                yield from self._search.matching([item for item in seeing if item[0] not in stormed], lines, searched, stripper)


def _grouped(wanted: Iterable[tuple[int, int]], signature: Callable[[int], Signature]) -> Called:
    groups: dict[int, tuple[list[tuple[int, int]], list[tuple[int, int]]]] = {}
    for number, forms in wanted:
        if number == TRACEBACK:
            groups.setdefault(1, ([], []))[0].append((number, forms))
            continue
        known = signature(number)
        if known.span > 1:  # the texts of the other forms may stand in the lines that follow
            forms = (1 << known.forms) - 1
        for group, part in zip(groups.setdefault(known.span, ([], [])), (forms & known.blind(), forms & ~known.blind()), strict=True):
            if part:
                group.append((number, part))
    return [(span, *groups[span]) for span in sorted(groups)]


def _matches(signature: Signature, forms: int, text: bytes, stripper: Stripper) -> bool:
    raw = _ESCAPES.sub(b"", text).decode("utf-8", "replace")
    raws = raw.split("\n")
    messages = unwrapped(raws, raw)
    lines = raws if messages is None else [message.text for message in messages]
    if signature.span == 1:
        return any(signature.search(readings(stripper.strip(piece)[0]), forms) for line in lines for piece in line.split("\r"))
    return signature.search(readings("\n".join([stripper.strip(line.rstrip("\r"))[0] for line in lines])), forms) is not None


def _wanted(data: dict[str, Any]) -> list[list[tuple[bytes, ...]]]:
    """For each form of a compiled signature sets of texts: the line where a match begins holds one of the first set and, where a match
    is one line, one of each of the others."""
    literals = list(map(encode, data["literals"]))
    needed = [[literals[at] for at in wanted] for wanted in data.get("needs") or [range(len(literals))]]
    further = data["further"] if "further" in data and data.get("span", 1) == 1 else [()] * len(needed)
    return [[tuple(first), *[tuple(map(encode, texts)) for texts in others]] for first, others in zip(needed, further, strict=True)]


def _as_searched(chunk: bytes) -> bytes:
    if b"\x1b" in chunk:
        chunk = _ESCAPES.sub(b"", chunk)
    text = chunk.lower().replace(b"\t", b" ").replace(b'\\"', b'"')  # quotation marks as JSON has them
    while b"  " in text:
        text = text.replace(b"  ", b" ")
    return text


def _line(text: bytes, offset: int, returns: bool) -> tuple[int, int]:
    """Where the line at an offset begins and ends; of a very long one, the part around it."""
    begin = text.rfind(b"\n", max(offset - _LONGEST, 0), offset) + 1 or max(offset - _LONGEST, 0)
    end = text.find(b"\n", offset, offset + _LONGEST)
    if end < 0:
        end = min(offset + _LONGEST, len(text))
    if returns:
        begin = text.rfind(b"\r", begin, offset) + 1 or begin
        found = text.find(b"\r", offset, end)
        end = found if found >= 0 else end
    return begin, end


def _several(text: bytes, begin: int, count: int) -> bytes:
    """So many lines from an offset on, long ones cut."""
    end = begin
    for _ in range(count):
        found = text.find(b"\n", end, begin + _LONGEST)
        if found < 0:
            return text[begin : begin + _LONGEST]
        end = found + 1
    return text[begin : end - 1]


def _places(chunk: bytes, searched: bytes) -> Callable[[int], int]:
    """What turns offsets of lines in the text as searched into offsets in the chunk; they come in ascending order."""
    if len(chunk) == len(searched):
        return lambda begin: begin
    counted = place = 0

    def translated(begin: int) -> int:
        nonlocal counted, place
        for _ in range(searched.count(b"\n", counted, begin)):
            place = chunk.find(b"\n", place) + 1
        counted = begin
        return place

    return translated
