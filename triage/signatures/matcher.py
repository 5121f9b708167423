"""All signatures of all rules, matched at once: Log → observations.

One pass over the cleaned lines finds where the required literals stand; only there RE2 captures. Both are
linear in the input, whatever it holds. Signatures are prepared lazily: a process that explains one traceback compiles
the handful of expressions that its lines call for.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType

import re2

from triage.engine.expressions import Unknown, compile_expression
from triage.engine.values import Value, from_data
from triage.facts.convert import convert, is_list, whole
from triage.facts.observation import Evidence, Observation
from triage.signatures.cut import Completions, cut_lines
from triage.signatures.literals import Filed, LiteralSearch, encode, file_literals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from triage.reading import Line, Log
    from triage.reading.windows import Keep
    from triage.signatures.census import Tally
    from triage.signatures.sieve import Search

_SPACES = re.compile(rb"  +")
_BLANKS = re.compile(rb"[ \t]{2,}|\t")
_ANY_BLANKS = re.compile(rb"\s{2,}|[\t\n]")
_ENDS = frozenset(("^", "$", r"\A", r"\z"))
_ANCHORS = re.compile(r"\\.|\[\^?\]?(?:[^\\\]]|\\.)*\]|[\^$]", re.DOTALL)  # escapes and classes are passed over whole
_DIGITS = re.compile(r"\\.|\{[0-9]+(?:,[0-9]*)?\}|\[\^?\]?(?:[^\\\]]|\\.)*\]|[0-9]", re.DOTALL)
_SENTENCES = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])")
_PRINTED = frozenset(("output", "source", "table"))
WIDEST_SPAN = 12  # lines of a message, as the schema of rules allows
MAX_MATCHES = 500  # of one signature in one log: the first ones; storms repeat themselves
_DEFAULT_ROLES = ("output", "prose", "table")
LITERALS = ("literals", "literal-pieces", "literal-first", "literal-offsets", "literal-users")  # what `literal_index` gives


class Signature:
    """One signature, prepared from its compiled data (see `triage.rulebook.compiler`)."""

    __slots__ = (
        "_asserts", "_blind", "_compute", "_computed", "_forms", "_further", "_regexes", "constants", "failure", "id", "most", "once",
        "roles", "said", "sentences", "signal", "span", "versions",
    )  # fmt: skip

    def __init__(self, data: dict[str, Any]) -> None:
        self.id: str = data["id"]
        self.failure: str | None = data.get("failure")
        self.span: int = data.get("span", 1)
        self.roles: Sequence[str] = data.get("in") or _DEFAULT_ROLES
        self.said: bool = data.get("said", False)
        self.signal: bool = data.get("signal", True) and self.failure is not None
        self.once: bool = data.get("once", False)
        self.sentences: bool = data.get("sentences", False)
        self.most = 1 if self.once else MAX_MATCHES
        self.constants: dict[str, Value] = {slot: from_data(value) for slot, value in data.get("set", {}).items()}
        self.versions: dict[str, list[Any]] = data.get("versions", {})
        self._regexes = tuple([(regex, tuple(slots)) for regex, slots in data["regexes"]])
        self._forms: list[tuple[Any, Sequence[str]] | None] = [None] * len(self._regexes)
        self._further = tuple([tuple([tuple(map(encode, wanted)) for wanted in sets]) for sets in data.get("further", ())])
        self._blind: int | None = None
        self._computed: Sequence[tuple[str, Any]] = data.get("compute", ())
        self._compute: list[tuple[str, Callable[[dict[str, Value]], Value]]] | None = None
        self._asserts: list[tuple[str, dict[str, Any]]] = [(template, slots) for template, slots in data.get("asserts", [])]

    @property
    def forms(self) -> int:
        """How many forms it has."""
        return len(self._forms)

    def match(self, text: str) -> dict[str, Value] | None:
        """The captured and computed slots of the first form that matches, or None."""
        found = self.search(readings(text))
        return found and found[0]

    def search(self, readings: list[bytes], fitting: int = -1) -> tuple[dict[str, Value], int] | None:
        """What `match` gives for the readings of a text, and the number of lines to the end of the match. `fitting` has a bit for
        each form worth trying."""
        for reading in readings:
            for at, form in enumerate(self._forms):
                if fitting >> at & 1:
                    regex, names = form or self._compiled(at)
                    found = regex.search(reading)
                    if found:
                        height = 1 if self.span == 1 else reading[: found.end()].rstrip().count(b"\n") + 1
                        return self._slots(names, found.groups()), height
        return None

    def search_any_case(self, text: bytes, fitting: int) -> dict[str, Value] | None:
        """What those of the forms with a bit in `fitting` capture of a text whose end is in lower case."""
        options = _quiet(case_sensitive=False)
        for at in range(self.forms):
            if fitting >> at & 1:
                regex, names = self._regexes[at]
                found = re2.compile(regex.encode(), options).search(text)
                if found:
                    return self._slots(names, found.groups())
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

    def plausible(self, fitting: int, searched: bytes) -> int:
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

    def _compiled(self, at: int) -> tuple[Any, Sequence[str]]:
        # As bytes, which RE2 works on: its wrapper for `str` counts characters again for every match.
        regex, slots = self._regexes[at]
        form = self._forms[at] = (re2.compile(regex.encode(), _quiet()), slots)
        return form

    def _slots(self, names: Sequence[str], groups: Iterable[bytes | None]) -> dict[str, Value]:
        slots: dict[str, Value] = dict(self.constants)
        for name, group in zip(names, groups, strict=True):
            if group is None:
                continue
            value = convert(name, group.decode("utf-8", "replace"))
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


class Match:
    """That a signature, by its number, matched from a line on, with these slots; what was observed by that, and the failure it reports."""

    __slots__ = ("failure", "given", "line", "number", "slots")

    def __init__(self, number: int, line: int, slots: dict[str, Value], given: list[Observation], failure: str | None) -> None:
        self.failure = failure
        self.number = number
        self.line = line
        self.slots = slots
        self.given = given


class Matcher:
    """The multi-pattern matcher over compiled signatures. Thread-safe: lazily made parts are idempotent."""

    def __init__(self, signatures: Sequence[dict[str, Any]], index: Mapping[str, Any] | None = None, quick: bool = False) -> None:
        """`signatures` as compiled; `index` is what `literal_index` gives for them. `quick` says that the process may end soon."""
        if index is None:
            index = literal_index(signatures)
        self._data = signatures
        self._prepared: dict[int, Signature] = {}
        self._users: Sequence[Sequence[tuple[int, int]]] = index["literal-users"]
        self._readers: dict[str, dict[int, tuple[tuple[int, int], ...]]] = {}
        self._completions: Completions | None = None
        self._sieves: Search | None = None
        self._numbers: dict[tuple[str, str], int] | None = None  # of signatures by failure and id
        self._counted: dict[frozenset[int], Search] = {}
        self._literals: list[bytes] = index["literals"].split(b"\n") if index["literals"] else []
        filed = Filed(self._literals, index["literal-pieces"], index["literal-first"], index["literal-offsets"])
        self._search = LiteralSearch(filed, quick)

    def sieve(self) -> Keep:
        """What tells, chunk by chunk, which lines of one log too large to be read whole report a failure."""
        made: list[Keep] = []

        def keep(chunk: bytes) -> list[tuple[int, int]]:
            if not made:
                from triage.signatures.sieve import Search, Sieve

                if self._sieves is None:
                    self._sieves = Search(self._data, self._signature)
                made.append(Sieve(self._sieves, self._signature))
            return made[0](chunk)

        return keep

    def census(self, chunks: Iterable[bytes], groups: Mapping[str, Iterable[tuple[str, str]]]) -> dict[str, Tally]:
        """How often each group of signatures, given by their failures and ids, matches in a log, and from which line to which."""
        from triage.signatures.census import census
        from triage.signatures.sieve import Search

        if self._numbers is None:
            self._numbers = {(str(data.get("failure")), data["id"]): number for number, data in enumerate(self._data)}
        wanted = {name: frozenset([self._numbers[key] for key in keys if key in self._numbers]) for name, keys in groups.items()}
        numbers = frozenset[int]().union(*wanted.values())
        search = self._counted.get(numbers)
        if search is None:
            search = self._counted[numbers] = Search(self._data, self._signature, numbers)
        return census(chunks, search, self._signature, wanted)

    def observe(self, log: Log) -> list[Observation]:
        """Match all signatures against all lines that could hold them, in order of lines, then of signatures."""
        matched: set[int] = set()
        reported: set[tuple[int, str]] = set()
        found = self._observe(log.lines, matched, reported)
        if log.unwrapped:
            found += self._observe_joined(log, found, matched, reported)
        observations = [observation for match in found for observation in match.given]
        spoken = {number for number, _ in reported}
        for at, text in cut_lines(log.lines):
            if log.lines[at].number not in spoken:
                observations += self._completed(log.lines[at], text, matched)
        return observations

    def _observe_joined(self, log: Log, found: list[Match], matched: set[int], reported: set[tuple[int, str]]) -> list[Match]:
        """What messages cut by re-wrapping give. What matched as it stands is not tried again, but for the line that was cut: where the
        whole says more than its first piece, it takes the place of that."""
        whole = {id(line) for line in log.lines}
        joined = [at for at, line in enumerate(log.unwrapped) if id(line) not in whole]
        near = sorted({at for last in joined for at in range(max(last - WIDEST_SPAN + 1, 0), last + 1)})
        first = {number: line.number for line in map(log.unwrapped.__getitem__, joined) for number in _numbers(line)}
        pieces: dict[tuple[int | str, int], Match] = {}
        for match in found:  # a piece may stand in any of the lines that were joined
            line = first.get(match.line, match.line)
            pieces.setdefault((match.number, line), match)
            if match.failure:
                pieces.setdefault((match.failure, line), match)
        more = []
        for match in self._observe(log.unwrapped, matched, reported, near, frozenset(matched), pieces):
            piece = pieces.get((match.number, match.line)) or (match.failure and pieces.get((match.failure, match.line)))
            if not piece:
                more.append(match)
            elif piece.slots.items() < match.slots.items():
                piece.given, piece.slots = match.given, match.slots
        return more

    def _completed(self, line: Line, text: str, matched: set[int]) -> list[Observation]:
        """What a line that breaks off would report if it went on, where that is one failure."""
        if self._completions is None:
            self._completions = Completions([literal.decode("utf-8", "surrogatepass") for literal in self._literals])
        found: dict[str, tuple[Signature, dict[str, Value]]] = {}
        missing = [(number, rest, forms) for literal, rest in self._completions.of(text) for number, forms in self._users[literal]]
        for number, rest, forms in sorted(missing):
            signature = self._signature(number)
            if number in matched or not signature.signal or signature.span > 1 or line.role not in signature.roles:
                continue
            slots = signature.search_any_case(encode(text + rest), forms)
            if slots is not None:
                found.setdefault(str(signature.failure), (signature, slots))
        observations: list[Observation] = []
        if len(found) == 1:
            for signature, slots in found.values():
                _record(signature, slots, line, [line], observations)
        return observations

    def _observe(
        self,
        lines: list[Line],
        matched: set[int],
        reported: set[tuple[int, str]],
        near: Sequence[int] | None = None,
        done: frozenset[int] = frozenset(),
        pieces: Mapping[tuple[int | str, int], Match] = MappingProxyType({}),
    ) -> list[Match]:
        """`matched` collects the signatures that matched; `reported` the lines with the failures they report: a line reports a
        failure once, by the first form of its file that fits. `near` has the indexes of the lines where a match may begin. The
        signatures in `done` are not tried, but where they matched a piece, or where a piece is matched by a later form of their file."""
        matches: list[Match] = []
        counts: dict[int, int] = {}
        replaced: set[tuple[str, int]] = set()
        called: dict[tuple[str, tuple[int, ...]], list[tuple[int, Signature, int]]] = {}
        for at, literals in self._found(lines, near):
            line = lines[at]
            # Lines of one shape hold the same literals: what these call for is worked out once.
            key = (line.role, literals)
            wanted = called.get(key)
            if wanted is None:
                wanted = called[key] = self._called_for(line.role, literals)
            span = 0
            raised: bool | None = None
            for number, signature, forms in wanted:
                if counts.get(number, 0) >= signature.most:
                    continue
                if (
                    (number in done or (signature.signal and (line.number, signature.failure) in reported))
                    and (number, line.number) not in pieces
                    and not _says_more(signature, number, line, pieces, replaced)
                ):
                    continue
                if signature.said:
                    if raised is None:
                        raised = _raised(line.text)
                    if raised:
                        continue
                if span != signature.span:
                    span = signature.span
                    window = _window(lines, at, span)
                    texts = readings("\n".join([other.text for other in window]))
                    searched = as_searched(texts[0])
                fitting = signature.plausible(forms, searched)
                if not fitting:
                    continue
                if signature.sentences:
                    given = _said(signature, line, fitting)
                    if given:
                        counts[number] = counts.get(number, 0) + 1
                        matched.add(number)
                        matches.append(Match(number, line.number, {}, given, None))
                    continue
                found = signature.search(texts, fitting)
                if found is None:
                    continue
                slots, height = found
                counts[number] = counts.get(number, 0) + 1
                matched.add(number)
                if signature.signal and signature.failure is not None:
                    reported.add((line.number, signature.failure))
                    replaced.add((signature.failure, line.number))
                given = []
                _record(signature, slots, line, window[:height], given)
                matches.append(Match(number, line.number, slots, given, signature.failure if signature.signal else None))
        return matches

    def _found(self, lines: list[Line], near: Sequence[int] | None = None) -> list[tuple[int, tuple[int, ...]]]:
        """The index of every line that holds required literals, in order, with the numbers of these."""
        texts = [line.text for line in lines] if near is None else [lines[at].text for at in near]
        haystack = _BLANKS.sub(b" ", encode("\n".join(texts)).lower())  # literals have single blanks
        starts = [0]  # line ends stay where they are
        position = haystack.find(b"\n")
        while position >= 0:
            starts.append(position + 1)
            position = haystack.find(b"\n", position + 1)
        found: dict[int, list[int]] = {}
        for literal, start in self._search.find(haystack):
            found.setdefault(bisect_right(starts, start) - 1, []).append(literal)
        if near is None:
            return [(at, tuple(found[at])) for at in sorted(found)]
        return [(near[at], tuple(found[at])) for at in sorted(found)]

    def _called_for(self, role: str, literals: tuple[int, ...]) -> list[tuple[int, Signature, int]]:
        """The signatures that read lines of a role and need one of the literals, in order of their numbers, each with a bit for
        every form worth trying."""
        known = self._readers.setdefault(role, {})
        needed: dict[int, int] = {}
        for literal in literals:
            readers = known.get(literal)
            if readers is None:
                readers = known[literal] = self._readers_of(role, literal)
            for number, forms in readers:
                needed[number] = needed.get(number, 0) | forms
        prepared = self._prepared
        return [(number, prepared[number], needed[number]) for number in sorted(needed)]

    def _readers_of(self, role: str, literal: int) -> tuple[tuple[int, int], ...]:
        """The signatures that need a literal and read lines of a role, each with a bit for every form worth trying."""
        readers = []
        for number, forms in self._users[literal]:
            signature = self._signature(number)
            if role in signature.roles:
                # The literals of the other forms may stand in the lines that follow.
                readers.append((number, forms if signature.span == 1 else (1 << signature.forms) - 1))
        return tuple(readers)

    def _signature(self, number: int) -> Signature:
        signature = self._prepared.get(number)
        if signature is None:
            signature = self._prepared[number] = Signature(self._data[number])
        return signature


def _numbers(line: Line) -> range:
    """The numbers of the lines that one was joined of."""
    return range(line.number, line.number + line.raw.count("\n") + 1)


@cache
def _quiet(*, case_sensitive: bool = True) -> re2.Options:
    """Options for RE2 that print nothing."""
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = case_sensitive
    return options


def _says_more(
    signature: Signature,
    number: int,
    line: Line,
    pieces: Mapping[tuple[int | str, int], Match],
    replaced: set[tuple[str, int]],
) -> bool:
    """Whether a form may read a joined line that a later, shorter form of its file read the first piece of."""
    if not pieces or not signature.signal or signature.failure is None:
        return False
    piece = pieces.get((signature.failure, line.number))
    return piece is not None and number < piece.number and (signature.failure, line.number) not in replaced


def without_anchors(regex: str) -> str:
    """An expression that holds of the same texts, and where something stands before and behind them too."""
    return _ANCHORS.sub(lambda found: "" if found[0] in _ENDS else found[0], regex)


def asks_for_digits(regex: str) -> bool:
    """Whether an expression tells one digit from another: has some outside of `[0-9]` and of counts."""
    return any(char.isdigit() for token in _DIGITS.findall(regex) for char in token.replace("0-9", "") if token[0] not in "\\{")


def _raised(text: str) -> bool:
    """Whether a line is what Python prints of an exception: a frame, or its name and message."""
    if text.startswith('  File "'):
        return True
    name = text.partition(": ")[0]
    return name.endswith(("Error", "Exception")) and name.replace(".", "").isidentifier()


def sentences(text: str) -> list[str]:
    """What stands in a line of prose, cut where a sentence or a clause of its own ends."""
    return [sentence for sentence in _SENTENCES.split(text) if sentence]


def as_searched(reading: bytes) -> bytes:
    """A text as literals are looked for in it."""
    return _ANY_BLANKS.sub(b" ", reading.lower())


def readings(text: str) -> list[bytes]:
    """A text, and the same with single blanks where it is retyped or aligned: blanks that the message does not have."""
    encoded = encode(text)
    bare = encoded.lstrip(b" ")
    if b"  " not in bare:
        return [encoded]
    return [encoded, encoded[: len(encoded) - len(bare)] + _SPACES.sub(b" ", bare)]


def literal_index(signatures: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """`literals`, the required literals as they are filed, joined by line ends, which none of them holds; `literal-pieces`,
    `literal-first` and `literal-offsets`, which find them; and `literal-users`, for each the numbers of the signatures that need it,
    with a bit for each of their forms that does."""
    from array import array

    users: dict[bytes, dict[int, int]] = {}
    for number, data in enumerate(signatures):
        literals = [encode(literal) for literal in data["literals"]]
        for form, wanted in enumerate(data.get("needs") or [range(len(literals))]):
            for at in wanted:
                known = users.setdefault(literals[at], {})
                known[number] = known.get(number, 0) | 1 << form
    filed = file_literals(users)
    return {
        "literals": b"\n".join(filed.literals),
        "literal-pieces": array("i", filed.pieces),
        "literal-first": array("i", filed.first),
        "literal-offsets": array("i", filed.offsets),
        "literal-users": tuple([[list(pair) for pair in users[literal].items()] for literal in filed.literals]),
    }


def _window(lines: list[Line], at: int, span: int) -> list[Line]:
    """The `span` lines of one process that begin at `at`; a fence or a remark after a log's last line is none of them."""
    window = [lines[at]]
    for other in lines[at + 1 : at + 8 * span] if span > 1 else ():
        if len(window) == span:
            break
        if other.stream == lines[at].stream and (other.role == lines[at].role or {other.role, lines[at].role} <= _PRINTED):
            window.append(other)
    return window


def _said(signature: Signature, line: Line, fitting: int) -> list[Observation]:
    """What the sentences of a line assert, each by itself: what one says in general takes nothing from another."""
    given: list[Observation] = []
    for at, sentence in enumerate(sentences(line.text)):
        found = signature.search(readings(sentence), fitting)
        if found is not None:
            _record(signature, found[0], line, [line], given, at)
    return given


def _record(
    signature: Signature,
    slots: dict[str, Value],
    line: Line,
    window: list[Line],
    observations: list[Observation],
    sentence: int | None = None,
) -> None:
    where = {} if signature.once else _where(slots, line)
    if sentence is not None:
        where["sentence"] = sentence
    evidence = tuple(dict.fromkeys(Evidence(other.number, other.raw) for other in window if not other.text.isspace() and other.text))
    if signature.signal and signature.failure is not None:
        signal = {"failure": signature.failure, "signature": signature.id, **where, **slots}
        if line.level == "warning" and where:
            signal["level"] = line.level
        observations.append(Observation("signal", signal, evidence))
    for template, values in signature.asserted(slots):
        observations.append(Observation(template, {**where, **values}, evidence))
    for package, (low, high) in signature.versions.items():
        bound: dict[str, Value] = {"package": package, "signature": signature.id, "line": line.number}
        if low is not None:
            bound["low"] = from_data(low)
        if high is not None:
            bound["high"] = from_data(high)
        observations.append(Observation("version-bound", bound, evidence))


def _where(slots: dict[str, Value], line: Line) -> dict[str, Value]:
    """The place of a match."""
    where: dict[str, Value] = {"line": line.number}
    if line.stream:
        where["stream"] = line.stream
    own = slots.get("own_rank")
    if line.rank is not None:
        where["rank"] = line.rank
    elif own is not None:  # the message speaks of its own process, by its rank in a group that may be smaller than the world
        where["rank"] = own
    if line.time is not None:
        where["time"] = line.time
    where["role"] = line.role
    return where
