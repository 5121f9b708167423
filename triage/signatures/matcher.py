"""All signatures of all rules, matched at once: Log → observations.

One pass over the cleaned lines finds where the required literals stand; only there RE2 captures. Both are
linear in the input, whatever it holds. Signatures are prepared lazily: a process that explains one traceback compiles
the handful of expressions that its lines call for.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence

import re2

from triage.engine.expressions import Unknown, compile_expression
from triage.engine.values import Value, from_data
from triage.facts.convert import convert, is_list, whole
from triage.facts.observation import Evidence, Observation
from triage.signatures.literals import LiteralSearch, encode, rarest_pieces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from triage.reading import Line, Log

_SPACES = re.compile(rb"  +")
_BLANKS = re.compile(rb"[ \t]{2,}|\t")
MAX_MATCHES = 500  # of one signature in one log: the first ones; storms repeat themselves
_DEFAULT_ROLES = ("output", "prose", "table")


class Signature:
    """One signature, prepared from its compiled data (see `triage.rulebook.compiler`)."""

    __slots__ = ("_asserts", "_compute", "_forms", "_needs", "constants", "data", "failure", "id", "roles", "signal", "span", "versions")

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self.id: str = data["id"]
        self.failure: str | None = data.get("failure")
        self.span: int = data.get("span", 1)
        self.roles: Sequence[str] = data.get("in") or _DEFAULT_ROLES
        self.signal: bool = data.get("signal", True) and self.failure is not None
        self.constants: dict[str, Value] = {slot: from_data(value) for slot, value in data.get("set", {}).items()}
        self.versions: dict[str, list[Any]] = data.get("versions", {})
        self._forms: list[tuple[Any, list[str]] | None] = [None] * len(data["regexes"])
        self._needs = [[encode(data["literals"][at]) for at in wanted] for wanted in data.get("needs", ())]
        self._compute: list[tuple[str, Callable[[dict[str, Value]], Value]]] | None = None
        self._asserts: list[tuple[str, dict[str, Any]]] = [(template, slots) for template, slots in data.get("asserts", [])]

    def match(self, text: str) -> dict[str, Value] | None:
        """The captured and computed slots of the first form that matches, or None."""
        encoded = encode(text)
        forms = [encoded]
        bare = encoded.lstrip(b" ")
        if b"  " in bare:  # retyped and aligned text: blanks that the message does not have
            forms.append(encoded[: len(encoded) - len(bare)] + _SPACES.sub(b" ", bare))
        fitting = self._fitting(encoded)
        for form in forms:
            for regex, names in fitting:
                found = regex.search(form)
                if found:
                    return self._slots(names, found.groups())
        return None

    def _fitting(self, text: bytes) -> list[tuple[Any, list[str]]]:
        """The forms of this signature whose literals stand in a text, compiled when first wanted.

        They are matched as UTF-8, which RE2 works on: its wrapper counts characters again for every match in a `str`.
        """
        if len(self._forms) == 1:
            return [self._forms[0] or self._compiled(0)]
        single = _searchable(text)
        wanted = [at for at, literals in enumerate(self._needs) if any(literal in single for literal in literals)]
        return [self._forms[at] or self._compiled(at) for at in wanted]

    def _compiled(self, at: int) -> tuple[Any, list[str]]:
        options = re2.Options()
        options.log_errors = False
        regex, slots = self.data["regexes"][at]
        form = self._forms[at] = (re2.compile(regex.encode(), options), slots)
        return form

    def _slots(self, names: list[str], groups: Iterable[bytes | None]) -> dict[str, Value]:
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
            self._compute = [(slot, compile_expression(tree)) for slot, tree in self.data.get("compute", [])]
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


class Matcher:
    """The multi-pattern matcher over compiled signatures. Thread-safe: lazily made parts are idempotent."""

    def __init__(self, signatures: Sequence[dict[str, Any]], literals: dict[str, list[int]] | None = None, quick: bool = False) -> None:
        """`signatures` as compiled; `literals` is what `literal_index` gives for them. `quick` says that the process may end soon."""
        if literals is None:
            literals = literal_index(signatures)
        self._data = signatures
        self._prepared: dict[int, Signature] = {}
        self._users: list[list[int]] = list(literals.values())  # of each literal: the offset of its piece, then numbers of signatures
        self._search = LiteralSearch(list(literals), [users[0] for users in self._users], quick)

    def hits(self, chunk: bytes) -> list[int]:
        """Byte offsets in a chunk of a log where some required literal starts: which parts of a huge input are worth reading."""
        return self._search.starts(chunk.lower())

    def observe(self, log: Log) -> list[Observation]:
        """Match all signatures against all lines that could hold them, in order of lines, then of signatures."""
        matched: set[int] = set()
        reported: set[tuple[int, str]] = set()
        observations = self._observe(log.lines, frozenset(), matched, reported)
        if log.unwrapped:  # a message cut by re-wrapping; what matched as it stands is not tried again
            observations += self._observe(log.unwrapped, frozenset(matched), matched, reported)
        return observations

    def _observe(
        self, lines: list[Line], done: frozenset[int], matched: set[int], reported: set[tuple[int, str]]
    ) -> list[Observation]:
        """`matched` collects the signatures that matched; `reported` the lines with the failures they report: a line reports a
        failure once, by the first form of its file that fits."""
        observations: list[Observation] = []
        counts: dict[int, int] = {}
        for at, number in self._candidates(lines):
            signature = self._signature(number)
            line = lines[at]
            if number in done or line.role not in signature.roles or counts.get(number, 0) >= MAX_MATCHES:
                continue
            if signature.signal and (line.number, signature.failure) in reported:
                continue
            window = _window(lines, at, signature.span)
            slots = signature.match("\n".join(other.text for other in window))
            if slots is None:
                continue
            counts[number] = counts.get(number, 0) + 1
            matched.add(number)
            if signature.signal and signature.failure is not None:
                reported.add((line.number, signature.failure))
            _record(signature, slots, line, window, observations)
        return observations

    def _candidates(self, lines: list[Line]) -> list[tuple[int, int]]:
        """(line index, signature number) of every line that holds a required literal, in order."""
        haystack = _searchable(encode("\n".join(line.text for line in lines)))  # line ends stay where they are
        starts = [0]
        position = haystack.find(b"\n")
        while position >= 0:
            starts.append(position + 1)
            position = haystack.find(b"\n", position + 1)
        found: set[tuple[int, int]] = set()
        for literal, start in self._search.find(haystack):
            at = bisect_right(starts, start) - 1
            for number in self._users[literal][1:]:
                found.add((at, number))
        return sorted(found)

    def _signature(self, number: int) -> Signature:
        signature = self._prepared.get(number)
        if signature is None:
            signature = self._prepared[number] = Signature(self._data[number])
        return signature


def _searchable(text: bytes) -> bytes:
    """A text in the form in which literals stand in it: lower case, single blanks."""
    return _BLANKS.sub(b" ", text.lower())


def literal_index(signatures: Iterable[dict[str, Any]]) -> dict[str, list[int]]:
    """Each required literal, with the offset of its rarest piece, then the numbers of the signatures that need it."""
    index: dict[str, list[int]] = {}
    for number, data in enumerate(signatures):
        for literal in data["literals"]:
            index.setdefault(literal, []).append(number)
    offsets = rarest_pieces(list(index))
    return {literal: [offset, *users] for (literal, users), offset in zip(index.items(), offsets, strict=True)}


def _window(lines: list[Line], at: int, span: int) -> list[Line]:
    """The `span` lines of one process that begin at `at`."""
    window = [lines[at]]
    for other in lines[at + 1 : at + 8 * span] if span > 1 else ():
        if len(window) == span:
            break
        if other.stream == lines[at].stream:
            window.append(other)
    return window


def _record(signature: Signature, slots: dict[str, Value], line: Line, window: list[Line], observations: list[Observation]) -> None:
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
    evidence = tuple(dict.fromkeys(Evidence(other.number, other.raw) for other in window))
    if signature.signal and signature.failure is not None:
        signal = {"failure": signature.failure, "signature": signature.id, **where, **slots}
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


