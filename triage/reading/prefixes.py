"""What launchers, collectors and loggers print before a message, taken off and remembered.

A line may carry several: kubectl's pod, then torchrun's rank, then vLLM's level and time. Each `Form` is one kind of
prefix, tried only when the first characters allow it and compiled when first tried. Logs repeat themselves, so the
prefix of the line before is compared first: the lines of a traceback usually carry the very same one.

Labels without any mark of their own ("3: " of `srun -l`, "node1: " of pdsh, "worker-1  | " of docker compose) count only
where a run of lines agrees on them; see `find_labels`.
"""

from __future__ import annotations

import re

from triage.reading.lazy import Pattern
from triage.reading.log import NO_PREFIX, Prefix

_LEVEL = "DEBUG|INFO|NOTICE|WARNING|WARN|ERROR|CRITICAL|FATAL|TRACE|SUCCESS"
_LEVELS = {
    "d": "debug", "v": "debug", "i": "info", "w": "warning", "e": "error", "f": "critical", "c": "critical",
    "debug": "debug", "trace": "debug", "info": "info", "notice": "info", "success": "info", "warning": "warning", "warn": "warning",
    "error": "error", "critical": "critical", "fatal": "critical",
}  # fmt: skip
_DATE = "[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}"
_CLOCK = "[0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?"
_ZONE = "(?:Z|[+-][0-9]{2}:?[0-9]{2})?"
_MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_SOURCE = r"[\w./+-]{1,200}:[0-9]{1,6}"
_CODE_SOURCE = r"[\w./+-]{1,200}\.(?:py|cc|cpp|cu|cuh|h|hpp|c|go|rs):[0-9]{1,6}"
_AS_CODE = ("`[", "`(")
_MAX_NESTING = 8
_RANK_IN_NAME = Pattern(r"(?:\b|_)TP([0-9]{1,5})(?![0-9])|(?:^|[^A-Za-z])rank[-_]?([0-9]{1,6})(?![0-9])")


class Form:
    """One kind of prefix: a pattern whose groups are named after the slots of `Prefix`.

    A digit after a group's name only tells alternatives apart. `needs` is text that must follow soon for the pattern to
    be worth compiling.
    """

    __slots__ = ("_groups", "_pattern", "needs")

    def __init__(self, pattern: str, needs: str = "") -> None:
        self.needs = needs
        self._pattern = Pattern(pattern)
        self._groups: tuple[tuple[str, int], ...] | None = None

    @property
    def written(self) -> tuple[str, int]:
        """Source and flags of its pattern."""
        return self._pattern.written

    def match(self, text: str, position: int) -> re.Match[str] | None:
        """The prefix that starts at this position."""
        if self.needs and text.find(self.needs, position, position + 200) < 0:
            return None
        return self._pattern.match(text, position)

    def fields(self, match: re.Match[str]) -> dict[str, str]:
        """What the prefix says, by slot."""
        if self._groups is None:
            self._groups = tuple((name.rstrip("0123456789"), index) for name, index in match.re.groupindex.items())
        return {name: match[index] for name, index in self._groups if match[index] is not None}


_PYTEST = Form(r"E {3}(?=\S| )")
_VLLM = Form(
    rf"(?P<level>{_LEVEL}) (?P<stamp>(?:[0-9]{{4}}-)?[0-9]{{2}}-[0-9]{{2}} {_CLOCK}) (?:[0-9]{{1,8}} )?(?:\[?(?P<origin>{_SOURCE})\] ?)?",
    ":",
)
_UVICORN = Form(rf"(?P<level>{_LEVEL}):(?: {{2,9}}|(?P<origin>[A-Za-z_][\w.-]{{0,80}}):(?=\S))", ":")
_GLOG = Form(
    rf"(?P<level>[IWEF])(?P<stamp>[0-9]{{4}} [0-9]{{2}}:[0-9]{{2}}:[0-9]{{2,10}}(?:\.[0-9]{{1,9}})?)\s{{1,9}}[0-9]{{1,20}} "
    rf"(?P<origin>{_SOURCE})\] ?",
    "] ",
)
_SYSLOG = Form(  # and of moreutils' `ts`, which names no process: an exception is none
    rf"(?P<stamp>{_MONTH} [ 0-9][0-9] {_CLOCK}) (?:(?!\S{{1,80}}(?:Error|Exception):)"
    r"(?P<stream>(?:[\w.-]{1,80} )?(?:kernel|[\w./@-]{1,80}(?:\[[0-9]{1,8}\])?)): ?)?"
)
_RAY = Form(
    r"\((?P<stream>(?:[\w.:<>-]{1,100}(?:\[rank=(?P<rank2>[0-9]{1,6})\])?,? )?"
    r"(?:(?:[DTPE]P[0-9]{1,5} ){1,4}|rank=(?P<rank>[0-9]{1,6}) )?pid=[0-9]{1,8}(?:, ip=[\w.:-]{1,60})?"
    r"|raylet(?:, ip=[\w.:-]{1,60})?|autoscaler[ +\w]{0,20}|gcs_server)\) ?"
)
_TAG = Form(r"\[(?P<stream>(?:rank)(?P<rank>[0-9]{1,6}))\](?:: ?| )")
_TORCHRUN = Form(r"\[(?P<stream>[A-Za-z_]{0,40}(?P<rank>[0-9]{1,6}))\]:", "]:")
_OPEN_MPI = Form(  # and of SageMaker, which has the host too
    r"\[(?:[\w.@-]{1,80}@)?[0-9]{1,7},(?:mpirank:)?(?P<rank>[0-9]{1,6})(?:,(?P<stream>[\w.-]{1,80}))?\]<(?:stdout|stderr|stddiag)>: ?", ">:"
)
_OPEN_MPI_TIMED = Form(  # mpirun -tag-output -timestamp-output, up to release 4; release 5 puts the time into brackets
    rf"(?P<stamp>(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) {_MONTH} [ 0-9][0-9] {_CLOCK} [0-9]{{4}})"
    r"(?:\[[0-9]{1,7},(?P<rank>[0-9]{1,6})\])?<(?:stdout|stderr|stddiag)>: ?",
    ">:",
)
_TRTLLM = Form(r"\[TRT-LLM\] (?:\[RANK (?P<rank>[0-9]{1,6})\] )?(?:\[[EWIDV]\] )?")
_POD = Form(r"\[(?P<stream>pod/[^\]\s]{1,200})\] ?")
_BOOT = Form(r"\[ {0,8}(?P<stamp>[0-9]{1,9}\.[0-9]{6})\] ?")
_CTIME = Form(rf"\[(?P<stamp>(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) {_MONTH} [ 0-9][0-9] {_CLOCK} [0-9]{{4}})\] ?")
_STAMP = Form(
    rf"\[(?P<stamp>{_DATE}[ T]{_CLOCK}{_ZONE})(?: (?P<stream>(?:[A-Z]{{2,4}}[0-9]{{1,5}} ?){{1,6}}))?\]"
    rf"(?: (?P<origin>\w[\w.]{{1,100}}): \[(?P<level>{_LEVEL})\]| (?P<level2>{_LEVEL})(?= )(?: +(?P<origin2>{_CODE_SOURCE}):)?)? ?"
)
_SHORT_STAMP = Form(rf"\[(?P<stamp>(?:[0-9]{{2}}/[0-9]{{2}}/[0-9]{{4}}[- ])?{_CLOCK})\](?: (?P<level>{_LEVEL})(?= ))? ?")
# TensorRT's letter stays where it tells an error: its name in brackets leads its other lines as well.
_BRACKET_LEVEL = Form(rf"\[(?P<level>{_LEVEL}|{_LEVEL.lower()}|[WIV]|[EF](?!\] \[TRT\]))\](?::? |$)")
_TRANSFORMERS = Form(rf"\[(?P<level>{_LEVEL})\|(?P<origin>{_SOURCE})\] (?P<stamp>{_DATE} {_CLOCK}) >> ", ">> ")
_C10 = Form(rf"\[(?P<level>[IWEF])(?P<stamp>[0-9]{{3,4}} {_CLOCK})? (?:[0-9]{{1,20}} )?(?P<origin>{_SOURCE})\] ?", "] ")
_ORIGIN = Form(rf"\[(?P<origin>{_CODE_SOURCE}(?::[\w<>.]{{1,80}})?)\] ?")
_AIRFLOW = Form(
    rf"\[(?P<stamp>{_DATE}(?:T|, ?| ){_CLOCK}{_ZONE})(?: ?[A-Z]{{2,4}})?\] "
    rf"\{{(?P<origin>{_SOURCE})\}} (?P<level>{_LEVEL}) - "
    r"(?:\[(?:base|[a-z][\w-]{0,40})\] )?",
    "} ",
)
_HOST_PID = Form(r"\[(?P<stream>[A-Za-z][\w.-]{0,80}:[0-9]{2,8}(?::[0-9]{1,4}:[0-9]{1,8})?)\] ")
_LOGGING = Form(
    rf"(?P<stamp>(?:{_DATE}[ T]|[0-9]{{8}} |[0-9]{{2}}/[0-9]{{2}}/(?:[0-9]{{4}}|[0-9]{{2}}) ){_CLOCK}{_ZONE})"
    rf"(?: - (?:(?P<origin>[\w.-]{{1,100}}) - )?(?P<level>{_LEVEL})(?: - | +)(?:(?P<origin1>[\w-]{{1,60}}\.[\w.]{{1,100}}) - )?"
    rf"| {{0,4}}\| {{0,4}}(?P<level2>{_LEVEL}) *\| (?:(?P<origin2>[\w.:<>-]{{1,200}}) [-|] )?"
    rf"|,? +\[?(?P<level3>{_LEVEL})\]? +(?:[0-9]{{1,8}} )?(?:[\w-]{{1,60}}:[0-9]{{1,9}} )?(?:\[(?P<origin3>[\w./():-]{{1,200}})\] ?)?"
    rf"|: (?P<level4>[IWEF]) (?P<origin4>{_SOURCE})\] ?"
    r"| (?P<stream>(?:[\w.-]{1,80} )?(?:kernel|[\w./-]{1,80}\[[0-9]{1,8}\])): ?"
    r"| (?:stdout|stderr) [FP] "  # the files of Kubernetes' container runtimes
    r"| |$)"
)
_BARE_CLOCK = Form(rf"(?P<stamp>{_CLOCK}) (?:- )?\[?(?P<level>{_LEVEL})\]? (?:- )?")
_BUILDKIT = Form(r"#[0-9]{1,4} [0-9]{1,6}\.[0-9]{1,3} ?")
# The task that `srun -l` names, or the address that pdsh does, before the rank that counts
_SRUN = Form(r"[0-9]{1,5}(?:\.[0-9]{1,3}){0,3}: (?=\[rank[0-9])", "[rank")
_PM2 = Form(r"[0-9]{1,4}\|(?P<stream>[\w.@-]{1,60}) {0,40}\| ?", "|")  # number and name of the process that pm2 keeps
_SHELL_TRACE = Form(r"\+{1,4} (?=[\w./$\"'(\[])")

_LEVEL_FORMS = (_VLLM, _UVICORN)
_BY_FIRST: dict[str, tuple[Form, ...]] = {
    "(": (_RAY,),
    "#": (_BUILDKIT,),
    "+": (_SHELL_TRACE,),
    "D": (*_LEVEL_FORMS, _SYSLOG),
    "I": (_VLLM, _GLOG, _UVICORN),
    "W": (_VLLM, _GLOG, _UVICORN, _OPEN_MPI_TIMED),
    "E": (_PYTEST, _VLLM, _GLOG, _UVICORN),
    "F": (_GLOG, _UVICORN, _SYSLOG, _OPEN_MPI_TIMED),
    "C": _LEVEL_FORMS,
    "T": (_OPEN_MPI_TIMED,),
    **dict.fromkeys("JAON", (_SYSLOG,)),
    **dict.fromkeys("MS", (_SYSLOG, _OPEN_MPI_TIMED)),
    **dict.fromkeys("0123456789", (_LOGGING, _BARE_CLOCK, _SRUN, _PM2)),
}
_UPPER = (_CTIME, _C10, _BRACKET_LEVEL, _TRANSFORMERS, _TORCHRUN, _HOST_PID)
_LOWER = (_TORCHRUN, _ORIGIN, _HOST_PID, _BRACKET_LEVEL)
_BY_BRACKET: dict[str, tuple[Form, ...]] = {
    " ": (_BOOT,),
    "r": (_TAG, *_LOWER),
    "p": (_POD, _OPEN_MPI, *_LOWER),
    "_": (_ORIGIN, _TORCHRUN),
    **dict.fromkeys("ABCDEFGHIJKLMNOPQRSTUVWXYZ", _UPPER),
    "T": (_TRTLLM, *_UPPER),
    **dict.fromkeys("abcdefghijklmnoqstuvwxyz", _LOWER),
    **dict.fromkeys("0123456789", (_AIRFLOW, _STAMP, _SHORT_STAMP, _BOOT, _TORCHRUN, _OPEN_MPI)),
}

_STARTS = frozenset([*_BY_FIRST, "[", "`"])


class Stripper:
    """Takes prefixes off the lines of one text, in order; keeps what the last line had."""

    __slots__ = ("_known", "_last", "_last_text", "_section", "labels")

    def __init__(self, labels: Labels | None = None) -> None:
        self.labels = labels
        self._last = NO_PREFIX
        self._last_text = ""
        self._known: dict[tuple[str, int | None, str, str, str], Prefix] = {}
        self._section = ""

    def section(self, stream: str) -> None:
        """From here on, lines come from this stream ("==> rank3.err <==" of `tail -f`) unless they say otherwise."""
        self._section = stream
        self._last_text = ""

    @property
    def starts(self) -> frozenset[str]:
        """The characters that a line must start with to be worth giving to `strip`; empty when any may.

        A blank counts only before a capital letter.
        """
        return frozenset() if self.labels is not None or self._section else _STARTS

    def strip(self, text: str) -> tuple[str, Prefix]:
        """The message and what stood before it."""
        last = self._last_text
        position = 0
        if last and text.startswith(last):
            position = len(last)
            if not self._candidates(text, position):
                return text[position:], self._last
            position = 0
        position, fields = self._scan(text, position)
        if not position:
            return text, self._shared({}) if self._section else NO_PREFIX
        prefix = self._shared(fields)
        self._last, self._last_text = prefix, text[:position]
        return text[position:], prefix

    @staticmethod
    def _candidates(text: str, position: int) -> tuple[Form, ...]:
        first = text[position : position + 1]
        if first == "[":
            return _BY_BRACKET.get(text[position + 1 : position + 2], ())
        return _BY_FIRST.get(first, ())

    def _scan(self, text: str, position: int) -> tuple[int, dict[str, str]]:
        fields: dict[str, str] = {}
        streams: list[str] = []
        if self.labels is not None:
            position, label = self.labels.match(text)
            if label:
                streams.append(label)
                if label.isdigit():
                    fields["rank"] = label
        for _ in range(_MAX_NESTING):
            for form in self._candidates(text, position):
                match = form.match(text, position)
                if match is not None:
                    break
            else:
                tag = self.labels.rank_at(text, position) if self.labels is not None else 0
                if tag:
                    position = tag
                    continue
                if position == 0 and ((text[:1] == " " and text[1:2].isupper()) or text[:2] in _AS_CODE):  # pasted with a blank, or as code
                    position = 1
                    continue
                break
            found = form.fields(match)
            stream = found.pop("stream", "").strip()
            if stream and stream not in streams:
                streams.append(stream)
            for name, value in found.items():
                if name != "stamp" or name not in fields:  # the collector's clock is on every line, the inner names are finer
                    fields[name] = value
            position = match.end()
        if position == 1 and not fields:
            position = 0
        if streams:
            fields["stream"] = " ".join(streams)
        return position, fields

    def _shared(self, fields: dict[str, str]) -> Prefix:
        """One object for equal prefixes: a log has few, apart from their times."""
        stream = fields.get("stream", "")
        rank = int(fields["rank"]) if "rank" in fields else None
        if rank is None and (stream or self._section):
            named = _RANK_IN_NAME.search(stream) or _RANK_IN_NAME.search(self._section)
            rank = int(named[1] or named[2]) if named else None
        if stream.isdigit() or (not stream and "rank" in fields):
            stream = f"rank{rank}"
        if self._section:
            stream = f"{self._section} {stream}".rstrip()
        key = (stream, rank, fields.get("stamp", ""), level_of(fields.get("level", "")), fields.get("origin", ""))
        prefix = self._known.get(key)
        if prefix is None:
            if len(self._known) > 4096:
                self._known.clear()
            prefix = self._known[key] = Prefix(*key)
        return prefix


def level_of(name: str) -> str:
    """The level that a logger's name for it stands for, as `Prefix` has it: 'E' → 'error'; '' for what is none."""
    return _LEVELS.get(name.lower(), "")


class Labels:
    """Names at the beginning of lines that only repetition tells from ordinary text."""

    __slots__ = ("_file", "_heads", "_pods", "_ranked", "_separator")

    def __init__(self, heads: frozenset[str], separator: str, files: bool, pods: bool = False, ranked: bool = False) -> None:
        self._heads = heads
        self._separator = separator
        self._file = _FILE if files else None
        self._pods = pods  # each head is a pod and a container, and blanks end them
        self._ranked = ranked  # the rank follows, and is what counts

    def match(self, text: str) -> tuple[int, str]:
        """End of the label and the label; 0 and '' when the line has none."""
        if self._file is not None:
            match = self._file.match(text)
            if match:
                return match.end(), match[1]
        if self._pods:
            match = _POD_AND_CONTAINER.match(text)
            return (match.end(), match[1]) if match and match[1] in self._heads else (0, "")
        if self._heads:
            head, separator, _ = text[:80].partition(self._separator)
            label = head.strip()
            if separator and label in self._heads:
                end = len(head) + len(separator)
                return (end + 1 if text[end : end + 1] == " " else end), label
        return 0, ""

    def rank_at(self, text: str, position: int) -> int:
        """Where PyTorch's tag of the rank begins behind what is no other form; 0 for nowhere."""
        match = _BEFORE_RANK.match(text, position) if self._ranked and text.find("[rank", position, position + 140) > 0 else None
        return match.end() if match else 0


_FILE = Pattern(r"([\w./+-]{1,120}\.(?:out|err|log|txt|stdout|stderr))(?::[0-9]{1,9})?:(?! \S)")
_POD_AND_CONTAINER = Pattern(r"((?:[a-z0-9]+[-.]){1,12}[a-z0-9]+ [a-z][a-z0-9-]{0,62})(?: |$)")
# A host, a number or a time before PyTorch's tag of the rank: "node-3: [rank13]: ", "[80746] [rank0]:[E321 …"
_BEFORE_RANK = Pattern(
    r" ?(?:(?:\[[\w.@:,/ -]{1,60}\]|[\w.@/-]{1,60}(?: \||:(?:[\w-]{1,40}:)?|>)|(?:[0-9]{4}-[0-9]{2}-[0-9]{2}[ T])?[0-9]{2}:[0-9]{2}"
    r"(?::[0-9.,]{2,10})?) ?){1,2}(?=\[rank[0-9]{1,6}\]:)"
)
_STERN_TELLS = ("+ ", "- ")  # a pod that it begins or ends to follow
_MOST_CONTAINERS = 4
_FILE_MARKS = (".out:", ".err:", ".log:", ".txt:", ".stdout:", ".stderr:")
_HOST = Pattern(r"(?:[a-z][\w.-]*[-_.]?)?[0-9][\w.-]*\Z|(?:[0-9]{1,3}\.){3}[0-9]{1,3}\Z|localhost\Z")
_SERVICE = Pattern(r"[a-z][\w.-]*\Z|[0-9]{1,5}\Z|(?:[0-9]{1,3}\.){3}[0-9]{1,3}\Z")  # what Docker Compose puts before a bar


def find_labels(raws: list[str], text: str) -> Labels | None:
    """The labels that stand before these lines, if a run of lines agrees on some; `text` is all of them."""
    files = any(mark in text for mark in _FILE_MARKS) and any(_FILE.match(raw) for raw in raws)
    for separator in (":", "|") if " | " in text else (":",):
        heads = _recurring_heads(raws, separator)
        if heads:
            return Labels(frozenset(heads), separator, files)
    if files:
        return Labels(frozenset(), ":", True)
    pods = _recurring_pods(raws)
    if pods:
        return Labels(pods, " ", False, pods=True)
    ranked = "[rank" in text and any(_BEFORE_RANK.match(raw) for raw in raws if "[rank" in raw[1:140])
    return Labels(frozenset(), ":", False, ranked=True) if ranked else None


def _recurring_pods(raws: list[str]) -> frozenset[str]:
    """Pods with their containers, as Stern puts them before each line: nearly every line has both, of several pods."""
    said = (raw for raw in raws if raw.strip() and raw[:2] not in _STERN_TELLS)
    first = next(said, "")
    if not _POD_AND_CONTAINER.match(first):
        return frozenset()
    spoken = [first, *said]
    heads = [match[1] for match in map(_POD_AND_CONTAINER.match, spoken) if match]
    found = frozenset(heads)
    if len(heads) < 6 or len(heads) < 0.9 * len(spoken) or not 2 <= len(found) <= len(heads) // 2:
        return frozenset()
    return found if len({head.partition(" ")[2] for head in found}) <= _MOST_CONTAINERS else frozenset()


def _is_metric(raws: list[str], separator: str) -> bool:
    """Whether what follows a head is mostly numbers: "acc1: 0.93" is no host."""
    numbers = sum(raw.partition(separator)[2].strip()[:1] in _DIGITS for raw in raws)
    return 2 * numbers > len(raws)


_DIGITS = frozenset("0123456789+-.")
_HEAD_STARTS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789 ")


def _recurring_heads(raws: list[str], separator: str) -> list[str]:
    """Heads that look like a host or a task number and recur within a stretch of lines that nearly all have one."""
    places: dict[str, list[int]] = {}
    for number, raw in enumerate(raws):
        if raw[:1] not in _HEAD_STARTS or raw[:5] == "     ":
            continue
        end = raw.find(separator, 0, 80)
        if end > 0 and raw[end + 1 : end + 2] in (" ", "") and (raw[end - 1] == " ") == (separator == "|"):
            places.setdefault(raw[:end].strip(), []).append(number)
    named = _SERVICE if separator == "|" else _HOST
    heads = {head: where for head, where in places.items() if len(where) > 1 and len(head) <= 60 and named.match(head)}
    heads = {head: where for head, where in heads.items() if head.isdigit() or not _is_metric([raws[at] for at in where], separator)}
    lines = sum(map(len, heads.values()))
    if lines < 3 or max(map(len, heads.values())) < 3:
        return []
    first = min(where[0] for where in heads.values())
    last = max(where[-1] for where in heads.values())
    spoken = sum(1 for raw in raws[first : last + 1] if raw.strip())
    return sorted(heads) if lines >= 0.8 * spoken else []
