"""One signature: the forms of a message, tried on texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import islice

import re2

from triage.engine.expressions import Unknown, compile_expression
from triage.engine.values import Value, from_data
from triage.facts.convert import convert, is_list, whole
from triage.signatures.finding import finder
from triage.signatures.literals import encode, with_single_blanks
from triage.signatures.readings import readings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from triage.signatures.finding import Find

    # What finds it, the slots of its groups, and whether it takes a character, whichever, for one byte.
    Form = tuple[Find, Sequence[str], bool]

_NAMES_CHARACTERS = re.compile(r"\\[xpPC]")  # by their numbers or kinds
_ONE_BYTE = bytes(byte if byte < 0x80 else 0xFF for byte in range(256))  # of what is not of ASCII
_CONTINUING = bytes(range(0x80, 0xC0))  # bytes of UTF-8 that begin no character
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
_ENDS = frozenset(("^", "$", r"\A", r"\z"))
_ANCHORS = re.compile(r"\\.|\[\^?\]?(?:[^\\\]]|\\.)*\]|[\^$]", re.DOTALL)  # escapes and classes are passed over whole
_DIGITS = re.compile(r"\\.|\{[0-9]+(?:,[0-9]*)?\}|\[\^?\]?(?:[^\\\]]|\\.)*\]|[0-9]", re.DOTALL)
_OF_AN_ADDRESS = re.compile(rb":[0-9a-fA-F]{2}(?:\.[0-7](?![0-9])|:[0-9a-fA-F]{2}(?![0-9a-fA-F]))")  # "GPU 0000:02:00.0" is not GPU 0
_SENTENCE_END = re.compile(r"[.!?;。！？；](?:(?<=[.!?;])\s+|(?<=[。！？；]))")  # what it begins with `re` skips to at once
MAX_MATCHES = 500  # of one signature in one log: the first ones; storms repeat themselves
_DEFAULT_ROLES = ("output", "prose", "table")


class Signature:
    """One signature, prepared from its compiled data (see `triage.rulebook.compiler`)."""

    __slots__ = (
        "_asserts", "_blind", "_compute", "_computed", "_further", "_of_any", "_of_any_case", "_of_ascii", "_regexes", "constants",
        "failure", "id", "most", "once", "reads_quotations", "roles", "said", "sentences", "signal", "span", "versions",
    )  # fmt: skip

    def __init__(self, data: dict[str, Any]) -> None:
        self.id: str = data["id"]
        self.failure: str | None = data.get("failure")
        self.span: int = data.get("span", 1)
        self.roles: Sequence[str] = data.get("in") or _DEFAULT_ROLES
        # What is quoted in a sentence, as a program's output of one line, and not the sentence.
        self.reads_quotations = self.span == 1 and "output" in self.roles and "prose" not in self.roles
        self.said: bool = data.get("said", False)
        self.signal: bool = data.get("signal", True) and self.failure is not None
        self.once: bool = data.get("once", False)
        self.sentences: bool = data.get("sentences", False)
        self.most = 1 if self.once else MAX_MATCHES
        self.constants: dict[str, Value] = {slot: from_data(value) for slot, value in data.get("set", {}).items()}
        self.versions: dict[str, list[Any]] = data.get("versions", {})
        self._regexes = tuple([(regex, tuple(slots)) for regex, slots in data["regexes"]])
        self._of_ascii: dict[int, Form] = {}  # by the bit of the form, compiled when it is first tried
        self._of_any: dict[int, Form] = {}
        self._of_any_case: dict[int, Find] = {}
        self._further = tuple([tuple([tuple(map(_bytewise, wanted)) for wanted in sets]) for sets in data.get("further", ())])
        self._blind: int | None = None
        self._computed: Sequence[tuple[str, Any]] = data.get("compute", ())
        self._compute: list[tuple[str, Callable[[dict[str, Value]], Value]]] | None = None
        self._asserts: list[tuple[str, dict[str, Any]]] = [(template, slots) for template, slots in data.get("asserts", [])]

    @property
    def forms(self) -> int:
        """How many forms it has."""
        return len(self._regexes)

    def match(self, text: str) -> dict[str, Value] | None:
        """The captured and computed slots of the first form that matches, or None."""
        found = self.search(readings(text))
        return found and found[0]

    def search(self, readings: list[bytes], fitting: int = -1) -> tuple[dict[str, Value], int] | None:
        """What `match` gives for the readings of a text, and the number of lines to the end of the match. `fitting` has a bit for
        each form worth trying."""
        fitting &= (1 << len(self._regexes)) - 1
        for reading in readings:
            ascii_only = reading.isascii()
            forms = self._of_ascii if ascii_only else self._of_any
            characters = reading if ascii_only else _as_characters(reading)
            left = fitting
            while left:
                bit = left & -left
                left ^= bit
                find, names, bytewise = forms.get(bit) or self._compiled(bit, ascii_only)
                text = characters if bytewise else reading
                spans = find(text, 0, len(text))
                start, end = spans[0]
                # What begins in a later line is found from there.
                if start >= 0 and (self.span == 1 or text.find(b"\n", 0, start) < 0):
                    height = 1 if self.span == 1 else text[:end].rstrip().count(b"\n") + 1
                    return self._slots(names, spans if text is reading else _in_bytes(spans, reading), reading), height
        return None

    def search_completed(self, text: bytes, rest: bytes, fitting: int) -> dict[str, Value] | None:
        """What the first form that matches a text which goes on with `rest`, in lower case, captures of the text itself. `fitting` has a
        bit for each form worth trying."""
        for at, (regex, names) in enumerate(self._regexes):
            if not fitting >> at & 1:
                continue
            find = self._of_any_case.get(at)
            if find is None:
                find = self._of_any_case[at] = finder(regex.encode(), _quiet(case_sensitive=False))
            spans = find(text + rest, 0, len(text) + len(rest))
            if spans[0][0] >= 0:
                return self._slots(names, spans, text)
        return None

    def anywhere(self, fitting: int) -> tuple[tuple[Any, ...], bool]:
        """Expressions for the forms with a bit in `fitting` that hold wherever in a line a match stands, and whether that says all:
        whether none of these forms asks where a line begins or ends."""
        texts = [self._regexes[at][0] for at in range(self.forms) if fitting >> at & 1]
        loose = [without_anchors(text) for text in texts]
        return tuple([re2.compile(text.encode(), _quiet()) for text in loose]), loose == texts

    def blind(self) -> int:
        """A bit for each form that matches a text whatever its digits are, as long as they are digits."""
        if self._blind is None:
            self._blind = sum(1 << at for at, (regex, _) in enumerate(self._regexes) if not asks_for_digits(regex))
        return self._blind

    def plausible(self, fitting: int, searched: str) -> int:
        """Those of the forms with a bit in `fitting` whose further literals stand in a text as `as_searched` gives it."""
        left = fitting if self._further else 0
        while left:
            form = left & -left
            left ^= form
            for wanted in self._further[form.bit_length() - 1]:
                for literal in wanted:
                    if literal in searched:
                        break
                else:  # none of them stands there
                    fitting ^= form
                    break
        return fitting

    def _compiled(self, bit: int, ascii_only: bool) -> Form:
        """The form with this bit, as it is for texts in ASCII alone or for all."""
        regex, slots = self._regexes[bit.bit_length() - 1]
        if not ascii_only and regex.isascii() and not _NAMES_CHARACTERS.search(regex):
            form = self._of_ascii.get(bit) or self._compiled(bit, True)
        else:
            compiled = bytewise(regex) if ascii_only else None
            form = (compiled or finder(regex.encode(), _quiet()), slots, compiled is not None)
        (self._of_ascii if ascii_only else self._of_any)[bit] = form
        return form

    def _slots(self, names: Sequence[str], spans: Sequence[tuple[int, int]], text: bytes) -> dict[str, Value]:
        """What the groups of a match hold, as far as it stands in the text, and what follows from it. `spans` has from where to where the
        match stands, and each of its groups."""
        slots: dict[str, Value] = dict(self.constants)
        for name, (start, end) in zip(names, islice(spans, 1, None), strict=True):
            if start < 0 or end > len(text) or (name in ("gpu", "number") and _begins_an_address(text, start, end)):
                continue
            value = convert(name, text[start:end].decode("utf-8", "replace"))
            if value is None:
                continue
            if is_list(name) and isinstance(value, tuple):
                earlier = slots.get(name)
                slots[name] = earlier + value if isinstance(earlier, tuple) else value
            else:
                slots.setdefault(name, value)  # a slot captured twice keeps the first
        if self._compute is None:
            self._compute = [(slot, compile_expression(tree)) for slot, tree in self._computed]
        for slot, expression in self._compute:
            try:
                slots[slot] = whole(slot, expression(slots))
            except Unknown:
                continue
        return slots

    def asserted(self, slots: dict[str, Value]) -> Iterable[tuple[str, dict[str, Value]]]:
        """The further facts of a match: each a template and its slots; a slot whose source was not captured is left out."""
        for template, wanted in self._asserts:
            values = {}
            for slot, term in wanted.items():
                if isinstance(term, list) and term[0] == "var":
                    if term[1] in slots:
                        values[slot] = slots[term[1]]
                else:
                    values[slot] = from_data(term[1] if isinstance(term, list) else term)
            yield template, values


def _begins_an_address(text: bytes, start: int, end: int) -> bool:
    """Whether the digits behind "GPU" are the first of a PCI address, and no index."""
    return bool(_OF_AN_ADDRESS.match(text, end)) and b"gpu" in text[max(start - 5, 0) : start].lower()


@cache
def _quiet(*, case_sensitive: bool = True, bytewise: bool = False) -> re2.Options:
    """Options for RE2 that print nothing."""
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = case_sensitive
    if bytewise:
        options.encoding = re2.Options.Encoding.LATIN1
    return options


def bytewise(regex: str) -> Find | None:
    """The search for an expression over single bytes that finds in ASCII what this one does, None where there is none.

    A class of characters takes RE2 an automaton over the bytes of UTF-8, and one that stands sixty times, as in `[^.]{0,60}`, a
    millisecond. Over single bytes it takes hardly anything.
    """
    try:  # for whatever is not of ASCII one byte that is not either
        return finder(_BEYOND_ASCII.sub("\xff", regex).encode("latin-1"), _quiet(bytewise=True))
    except re2.error:  # it names a character by its number
        return None


def _as_characters(text: bytes) -> bytes:
    """A text in which each character that is not of ASCII is one byte, the same for all. An expression that names no such character cannot
    tell the difference (but for two signs that are letters of ASCII where case does not matter), and need not be compiled for them."""
    return text.translate(_ONE_BYTE, _CONTINUING)


def _in_bytes(spans: Sequence[tuple[int, int]], text: bytes) -> list[tuple[int, int]]:
    """Where spans of characters stand in a text in UTF-8."""
    read = text.decode("utf-8", "surrogatepass")
    return [(len(encode(read[:start])), len(encode(read[:end]))) if start >= 0 else (start, end) for start, end in spans]


def without_anchors(regex: str) -> str:
    """An expression that holds of the same texts, and where something stands before and behind them too."""
    return _ANCHORS.sub(lambda found: "" if found[0] in _ENDS else found[0], regex)


def asks_for_digits(regex: str) -> bool:
    """Whether an expression tells one digit from another: has some outside of `[0-9]` and of counts."""
    return any(char.isdigit() for token in _DIGITS.findall(regex) for char in token.replace("0-9", "") if token[0] not in "\\{")


def sentences(text: str) -> list[str]:
    """What stands in a line of prose, cut where a sentence or a clause of its own ends."""
    found = []
    start = 0
    for mark in _SENTENCE_END.finditer(text):
        found.append(text[start : mark.start() + 1])
        start = mark.end()
    return [*found, text[start:]] if start < len(text) else found


def as_searched(reading: bytes) -> str:
    """A text as further literals are looked for in it: a character for each byte."""
    return with_single_blanks(reading.lower().replace(b"\n", b" ")).decode("latin-1")


def _bytewise(literal: str) -> str:
    """A further literal as it is looked for. Python tells in a sixth of the time of a string what one of bytes holds."""
    return literal if literal.isascii() else encode(literal).decode("latin-1")
