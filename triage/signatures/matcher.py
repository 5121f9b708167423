"""All signatures of all rules, matched at once: Log → observations.

One pass over the cleaned lines finds where the required literals stand; only there RE2 captures. Both are
linear in the input, whatever it holds. Signatures are prepared lazily: a process that explains one traceback compiles
the handful of expressions that its lines call for.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from triage.engine.values import Value
from triage.facts.observation import Observation
from triage.reading.quotations import quoted
from triage.signatures.cut import Completions, cut_lines
from triage.signatures.literals import Filed, LiteralSearch, encode, file_literals, with_single_blanks
from triage.signatures.matching import Match, Pass, record
from triage.signatures.signature import Signature, as_searched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from triage.reading import Line, Log
    from triage.reading.windows import Keep
    from triage.signatures.census import Tally
    from triage.signatures.matching import Call
    from triage.signatures.sieve import Search

_QUOTING = "quoting"  # the role, as it were, of a sentence that quotes a program
WIDEST_SPAN = 12  # lines of a message, as the schema of rules allows
LITERALS = ("literals", "literal-pieces", "literal-first", "literal-offsets", "literal-users")  # what `literal_index` gives


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
        found = self._observe(Pass(log.lines, matched, reported), log.lines)
        if log.unwrapped:
            found += self._observe_joined(log, found, matched, reported)
        observations = [observation for match in found for observation in match.given]
        spoken = {number for number, _ in reported}
        for at, text in cut_lines(log.lines):
            if log.lines[at].number not in spoken:
                titled = at == 0 and len(log.lines) > 1
                observations += (titled and self._retyped(log.lines[at], text, matched)) or self._completed(log.lines[at], text, matched)
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
        over = Pass(log.unwrapped, matched, reported, frozenset(matched), pieces)
        for match in self._observe(over, log.unwrapped, near, frozenset(joined)):
            piece = pieces.get((match.number, match.line)) or (match.failure and pieces.get((match.failure, match.line)))
            if not piece:
                more.append(match)
            elif _is_piece_of(piece.slots, match.slots):
                piece.given, piece.slots = match.given, match.slots
        return more

    def _retyped(self, title: Line, text: str, matched: set[int]) -> list[Observation]:
        """What a title in small letters would report if it had the message's own."""
        observations: list[Observation] = []
        found = self._reported_by(title, text.lstrip("# "), "", matched) if text.islower() else {}
        for signature, slots in found.values():
            record(signature, slots, title, [title], observations)
        return observations

    def _completed(self, line: Line, text: str, matched: set[int]) -> list[Observation]:
        """What a line that breaks off would report if it went on, where all ways in which it may do so report it."""
        if self._completions is None:
            self._completions = Completions([literal.decode("utf-8", "surrogatepass") for literal in self._literals])
        endings: list[dict[str, tuple[Signature, dict[str, Value]]]] = []
        for rest in dict.fromkeys(rest for _, rest in self._completions.of(text)):
            found = self._reported_by(line, text, rest, matched)
            if found:
                endings.append(found)
        observations: list[Observation] = []
        for failure, (signature, slots) in endings[0].items() if endings else ():
            if all(failure in found for found in endings):  # however the line goes on
                record(signature, slots, line, [line], observations)
        return observations

    def _reported_by(self, line: Line, text: str, rest: str, matched: set[int]) -> dict[str, tuple[Signature, dict[str, Value]]]:
        """The failures that a line would report if it went on so, each with the first signature that says so."""
        found: dict[str, tuple[Signature, dict[str, Value]]] = {}
        written, missing = encode(text), encode(rest)
        searched = as_searched(written + missing)
        # A signature may require what is missing without being filed under it.
        for number, forms in sorted(self._needing(text + rest).items()):
            signature = self._signature(number)
            if number in matched or not signature.signal or signature.span > 1 or line.role not in signature.roles:
                continue
            fitting = signature.plausible(forms, searched)
            slots = signature.search_completed(written, missing, fitting) if fitting else None
            if slots is not None:
                found.setdefault(str(signature.failure), (signature, slots))
        return found

    def _needing(self, text: str) -> dict[int, int]:
        """The signatures that are filed under a required text of a line, each with a bit for every form that is."""
        needing: dict[int, int] = {}
        for literal, _ in self._search.find(_searched(text)):
            for number, forms in self._users[literal]:
                needing[number] = needing.get(number, 0) | forms
        return needing

    def _observe(
        self, over: Pass, lines: list[Line], near: Sequence[int] | None = None, joined: frozenset[int] = frozenset()
    ) -> list[Match]:
        """`near` has the indexes of the lines where a match may begin; those that are not `joined` have been tried by themselves."""
        called: dict[tuple[str, tuple[int, ...], bool], list[Call]] = {}
        for at, literals, searched in self._found(lines, near):
            line = lines[at]
            quotation = quoted(line.text) if line.role == "prose" else ""
            # Lines of one shape hold the same literals: what these call for is worked out once.
            key = (_QUOTING if quotation else line.role, literals, near is None or at in joined)
            calls = called.get(key)
            if calls is None:
                calls = called[key] = [call for call in self._called_for(key[0], literals) if key[2] or call[1].span > 1]
            if calls:
                over.over(at, searched, calls, quotation)
        return over.matches

    def _found(self, lines: list[Line], near: Sequence[int] | None = None) -> Iterator[tuple[int, tuple[int, ...], str]]:
        """The index of every line that holds required literals, in order, with the numbers of these, and the line as it is searched."""
        texts = [line.text for line in lines] if near is None else [lines[at].text for at in near]
        haystack = _searched("\n".join(texts))
        starts = [0]  # line ends stay where they are
        position = haystack.find(b"\n")
        while position >= 0:
            starts.append(position + 1)
            position = haystack.find(b"\n", position + 1)
        found: dict[int, list[int]] = {}
        for literal, start in self._search.find(haystack):
            found.setdefault(bisect_right(starts, start) - 1, []).append(literal)
        ends = [*[start - 1 for start in islice(starts, 1, None)], len(haystack)]
        for at in sorted(found):
            yield at if near is None else near[at], tuple(found[at]), haystack[starts[at] : ends[at]].decode("latin-1")

    def _called_for(self, role: str, literals: tuple[int, ...]) -> list[Call]:
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
            if role in signature.roles or (role == _QUOTING and ("prose" in signature.roles or signature.reads_quotations)):
                # The literals of the other forms may stand in the lines that follow.
                readers.append((number, forms if signature.span == 1 else (1 << signature.forms) - 1))
        return tuple(readers)

    def _signature(self, number: int) -> Signature:
        signature = self._prepared.get(number)
        if signature is None:
            signature = self._prepared[number] = Signature(self._data[number])
        return signature


def _searched(text: str) -> bytes:
    """A text as it is searched for literals, which have single blanks."""
    return with_single_blanks(encode(text).lower())


def _is_piece_of(piece: dict[str, Value], whole: dict[str, Value]) -> bool:
    """Whether a whole message fills more slots than a piece of it, and the same ones alike but for what the cut shortened."""
    return len(whole) > len(piece) and all(
        slot in whole
        and (whole[slot] == value or (isinstance(value, str) and isinstance(whole[slot], str) and str(whole[slot]).startswith(value)))
        for slot, value in piece.items()
    )


def _numbers(line: Line) -> range:
    """The numbers of the lines that one was joined of."""
    return range(line.number, line.number + line.raw.count("\n") + 1)


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
