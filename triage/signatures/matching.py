"""One pass over the lines of a log: which signatures match where, and what is observed by that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from triage.engine.values import Value, from_data
from triage.facts.observation import Evidence, Observation
from triage.facts.vocabulary import LEVELS
from triage.signatures.readings import readings
from triage.signatures.signature import Signature, as_searched, sentences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from triage.reading import Line

    View = tuple[list[Line], list[bytes], str]  # lines, the readings of these, and how they are searched for literals
    Call = tuple[int, Signature, int]  # the number of a signature, itself, and a bit for each of its forms worth trying

_PRINTED = frozenset(("output", "source", "table"))
# XLA's sources where JAX builds them. TensorFlow's copy, which prints the same messages, is external/local_xla.
_XLA = ("external/xla/", "external/org_tensorflow/tensorflow/compiler/xla/pjrt/", "external/org_tensorflow/tensorflow/compiler/xla/python/")


class Match:
    """That a signature, by its number, matched from a line on, with these slots; what was observed by that, and the failure it reports."""

    __slots__ = ("failure", "given", "line", "number", "slots")

    def __init__(self, number: int, line: int, slots: dict[str, Value], given: list[Observation], failure: str | None) -> None:
        self.failure = failure
        self.number = number
        self.line = line
        self.slots = slots
        self.given = given


class Pass:
    """Tries signatures on the lines that call for them.

    `matched` collects the signatures that matched; `reported` the lines with the failures they report: a line reports a failure once, by
    the first form of its file that fits. Signatures in `done` are not tried, but where they matched a piece of a line that was cut, or
    where a piece was matched by a later form of their file.
    """

    def __init__(
        self,
        lines: list[Line],
        matched: set[int],
        reported: set[tuple[int, str]],
        done: frozenset[int] = frozenset(),
        pieces: Mapping[tuple[int | str, int], Match] = MappingProxyType({}),
    ) -> None:
        self._lines = lines
        self._matched = matched
        self._reported = reported
        self._done = done
        self._pieces = pieces
        self._counts: dict[int, int] = {}
        self._replaced: set[tuple[str, int]] = set()
        self._spoken: Line | None = None  # the line whose sentences are at hand
        self._sentences: list[tuple[list[bytes], str]] = []  # the readings of each, and how it is searched for literals
        self.matches: list[Match] = []

    def over(self, at: int, searched: str, calls: Iterable[Call], quotation: str = "") -> None:
        """Try those that the line at an index calls for. `searched` is the line as `as_searched` gives it, `quotation` what it quotes."""
        line = self._lines[at]
        views: dict[int, View] = {1: ([line], readings(line.text), searched)}  # by the number of lines; 0 for the quotation
        if quotation:
            texts = readings(quotation)
            views[0] = [line], texts, as_searched(texts[0])
        raised: bool | None = None
        for number, signature, forms in calls:
            if not self._is_due(number, signature, line):
                continue
            if signature.said:
                if raised is None:
                    raised = _raised(line.text)
                if raised:
                    continue
            height = 0 if quotation and signature.reads_quotations else signature.span
            window, texts, held = views.get(height) or self._view(at, height, views)
            fitting = signature.plausible(forms, held)
            if not fitting:
                continue
            if signature.sentences:
                if given := self._said(signature, line, fitting):
                    self._add(Match(number, line.number, {}, given, None))
            elif found := signature.search(texts, fitting):
                self._take(number, signature, *found, window)

    def _view(self, at: int, span: int, views: dict[int, View]) -> View:
        """The lines of one process from an index on, the readings of these, and how they are searched for literals."""
        window = _window(self._lines, at, span)
        texts = readings("\n".join([line.text for line in window]))
        views[span] = window, texts, as_searched(texts[0])
        return views[span]

    def _said(self, signature: Signature, line: Line, fitting: int) -> list[Observation]:
        """What the sentences of a line assert, each by itself: what one says in general takes nothing from another."""
        if self._spoken is not line:
            self._spoken = line
            self._sentences = [(texts := readings(sentence), as_searched(texts[0])) for sentence in sentences(line.text)]
        given: list[Observation] = []
        for at, (texts, searched) in enumerate(self._sentences):
            own = signature.plausible(fitting, searched)
            found = signature.search(texts, own) if own else None
            if found is not None:
                record(signature, found[0], line, [line], given, at)
        return given

    def _is_due(self, number: int, signature: Signature, line: Line) -> bool:
        """Whether a signature is still to be tried on a line."""
        if self._counts.get(number, 0) >= signature.most:
            return False
        known = number in self._done or (signature.signal and (line.number, signature.failure) in self._reported)
        return not known or (number, line.number) in self._pieces or self._says_more(number, signature, line)

    def _says_more(self, number: int, signature: Signature, line: Line) -> bool:
        """Whether a form may read a joined line that a later, shorter form of its file read the first piece of."""
        if not self._pieces or not signature.signal or signature.failure is None:
            return False
        piece = self._pieces.get((signature.failure, line.number))
        return piece is not None and number < piece.number and (signature.failure, line.number) not in self._replaced

    def _take(self, number: int, signature: Signature, slots: dict[str, Value], height: int, window: Sequence[Line]) -> None:
        line = window[0]
        failure = signature.failure if signature.signal else None
        if failure is not None:
            self._reported.add((line.number, failure))
            self._replaced.add((failure, line.number))
        given: list[Observation] = []
        record(signature, slots, line, window[:height], given)
        self._add(Match(number, line.number, slots, given, failure))

    def _add(self, match: Match) -> None:
        self._counts[match.number] = self._counts.get(match.number, 0) + 1
        self._matched.add(match.number)
        self.matches.append(match)


def _raised(text: str) -> bool:
    """Whether a line is what Python prints of an exception: a frame, or its name and message."""
    if text.startswith('  File "'):
        return True
    name = text.partition(": ")[0]
    return name.endswith(("Error", "Exception")) and name.replace(".", "").isidentifier()


def _window(lines: list[Line], at: int, span: int) -> list[Line]:
    """The `span` lines of one process that begin at `at`; a fence or a remark after a log's last line is none of them."""
    window = [lines[at]]
    for other in lines[at + 1 : at + 8 * span] if span > 1 else ():
        if len(window) == span:
            break
        if other.stream == lines[at].stream and (other.role == lines[at].role or {other.role, lines[at].role} <= _PRINTED):
            window.append(other)
    return window


def record(
    signature: Signature,
    slots: dict[str, Value],
    line: Line,
    window: Sequence[Line],
    observations: list[Observation],
    sentence: int | None = None,
) -> None:
    """Add what a match of a signature says: the failure it reports, what it asserts, and which releases print such a message."""
    where = {} if signature.once else _where(slots, line)
    if sentence is not None:
        where["sentence"] = sentence
    evidence = tuple(dict.fromkeys(Evidence(other.number, other.raw) for other in window if not other.text.isspace() and other.text))
    if signature.signal and signature.failure is not None:
        signal = {"failure": signature.failure, "signature": signature.id, **where, **slots}
        if line.level in LEVELS and where:
            signal["level"] = line.level
        if where and ("/" in line.origin or ".py:" in line.origin):  # which program printed it, where several share the code
            signal["origin"] = line.origin.partition(":")[0]
            if signal.get("framework") == "tensorflow" and line.origin.startswith(_XLA):
                signal["framework"] = "jax"
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
