"""Records of collectors: messages that a container runtime, the journal or a structured logger wrapped into JSON.

A record is one raw line, or, where a whole text is one JSON document, the member of an object that stands on a line of its own. What
the program printed is unwrapped, its escapes undone and its lines apart, so that a traceback in it is read like any other; who printed it,
when and how loudly goes into the prefix. A JSON object is a record only if beside a message it tells time, level or origin: the answer
of a server that happens to have a `message` is none, unless that is a traceback.

Read are the JSON of Docker's json-file driver, Kubernetes' collectors, `journalctl -o json`, `gcloud logging read`, structlog,
python-json-logger and their like, and the outputs of Jupyter notebooks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from triage.reading.lazy import Pattern
from triage.reading.log import Line, Prefix
from triage.reading.prefixes import level_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MESSAGES = ("log", "MESSAGE", "message", "msg", "textPayload", "line", "event", "text", "body", "@message")
_FURTHER = ("error", "err", "reason", "exc_info", "exception", "exc_text", "stack_trace", "stacktrace", "traceback", "error.stack_trace")
_TIMES = ("time", "timestamp", "@timestamp", "ts", "asctime", "datetime", "__REALTIME_TIMESTAMP", "receiveTimestamp")
_LEVELS = ("level", "levelname", "severity", "lvl", "log_level", "loglevel", "log.level")
_RANKS = ("rank", "global_rank", "RANK")
_HOSTS = ("pod", "pod_name", "container_name", "_HOSTNAME", "hostname", "host", "node")
_PROCESSES = ("pid", "_PID", "process")
_NESTED = ("jsonPayload", "kubernetes", "labels", "resource", "fields", "attributes")
_UNTOLD = ("", None, "", "", "")
_TRACEBACK = "Traceback (most recent call last):\n"
_LONGEST_HEAD = 160  # characters that a collector puts before the object
_MOST_LINES = 2_000  # of one record
_MEMBER = Pattern(r'\s*"([\w@.]{1,40})"\s{0,4}:\s{0,4}("(?:[^"\\]|\\.)*"),?\s*$')
_ELEMENT = Pattern(r'\s*("(?:[^"\\]|\\.)*"),?\s*$')
_LIST = Pattern(r'\s*"(\w{1,40})"\s{0,4}:\s{0,4}\[\s*$')


class Message:
    """What a record wraps: the number of the raw line, counted from 0, the text, and what the collector tells of it."""

    __slots__ = ("at", "prefix", "text")

    def __init__(self, at: int, text: str, prefix: Prefix | None) -> None:
        self.at = at
        self.text = text
        self.prefix = prefix


def unwrapped(raws: Sequence[str], text: str) -> list[Message] | None:
    """The lines with their records unwrapped, None where there is no record among them; `text` is all of them."""
    objects = '{"' in text or '{ "' in text
    document = _document(text)
    if not objects and not document:
        return None
    known: dict[tuple[object, ...], Prefix] = {}
    messages: list[Message] = []
    found = False
    listed = ""
    for at, raw in enumerate(raws):
        record = _from_object(raw) if objects else None
        parts = _lines(record[0]) if record is not None else None
        prefix = known.setdefault(record[1], Prefix(*record[1])) if record is not None else None
        if record is None and document:
            opened = _LIST.match(raw)
            listed = opened[1] if opened else "" if raw.strip()[:1] in "]}" else listed
            parts = _from_member(raw, document, listed)
        if parts is None:
            messages.append(Message(at, raw, None))
        else:
            found = True
            messages.extend([Message(at, part, prefix) for part in parts])
    return messages if found else None


def attribute(lines: Sequence[Line], messages: Sequence[Message], number: int) -> None:
    """Gives lines that were read from messages, whose numbers count these from 1, the numbers of their raw lines, the first of which is
    `number`, and what the collector tells of them; what the message itself says goes before."""
    for line in lines:
        message = messages[line.number - 1]
        line.number = number + message.at
        outer, own = message.prefix, line.prefix
        if outer is not None:
            line.prefix = Prefix(
                " ".join(dict.fromkeys([name for name in (outer.stream, own.stream) if name])),
                own.rank if own.rank is not None else outer.rank,
                own.stamp or outer.stamp,
                own.level or outer.level,
                own.origin or outer.origin,
            )


def _document(text: str) -> str:
    """'json' where the whole text is a JSON document over several lines, 'notebook' where it is one of Jupyter's, else ''."""
    start, end = text[:64].lstrip()[:1], text[-64:].rstrip()[-1:]
    if (start, end) not in (("{", "}"), ("[", "]")) or '": ' not in text or "\n" not in text.strip():
        return ""
    return "notebook" if '"cell_type"' in text and '"nbformat"' in text else "json"


def _from_object(raw: str) -> tuple[str, tuple[Any, ...]] | None:
    """The message of a line that holds a JSON object, and the slots of its prefix."""
    at = raw.find("{", 0, _LONGEST_HEAD)
    if at < 0 or not raw.rstrip().endswith(("}", "},")):
        return None
    data = _decoded(raw[at:].rstrip().rstrip(","))
    if not isinstance(data, dict):
        return None
    fields = _flat(data)
    message = next((value for value in map(fields.get, _MESSAGES) if isinstance(value, str)), None)
    further = [value for value in map(fields.get, _FURTHER) if isinstance(value, str) and value]
    prefix = _prefix(fields)
    if prefix == _UNTOLD:
        answered = (*further, message, fields.get("detail"))
        return next(((value, prefix) for value in answered if isinstance(value, str) and _TRACEBACK in value), None)
    if message is None and not further:
        return None
    said = [message.removesuffix("\n")] if message or (message is not None and not further) else []
    return "\n".join([*said, *further]), prefix


def _from_member(raw: str, document: str, listed: str) -> Iterator[str] | None:
    """The lines of a message that is a member of an object, or an element of the outputs of a notebook's cell."""
    if document == "notebook":
        found = _ELEMENT.match(raw) if listed in ("traceback", "text") else None
        value = _decoded(found[1]) if found else None
    else:
        found = _MEMBER.match(raw)
        value = _decoded(found[2]) if found and found[1] in (*_MESSAGES, *_FURTHER) else None
    return _lines(value) if isinstance(value, str) else None


def _decoded(text: str) -> Any:
    import json

    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _flat(data: Mapping[str, Any]) -> dict[str, Any]:
    """The members, with those of the objects in which collectors put more of them."""
    fields = dict(data)
    for _ in range(2):
        for name in _NESTED:
            inner = fields.pop(name, None)
            if isinstance(inner, dict):
                fields = {**inner, **fields}
    return fields


def _prefix(fields: Mapping[str, Any]) -> tuple[str, int | None, str, str, str]:
    """Stream, rank, stamp, level and origin, as `Prefix` takes them."""
    rank = next((int(value) for value in map(str, map(fields.get, _RANKS)) if value.isdecimal() and len(value) < 7), None)
    host = next((value for value in map(fields.get, _HOSTS) if isinstance(value, str)), "")
    process = next((str(value) for value in map(fields.get, _PROCESSES) if isinstance(value, (int, str))), "")
    stream = " ".join(filter(None, (host[:200], process[:40] and f"pid={process[:40]}")))
    stamp = next((_stamp(value) for value in map(fields.get, _TIMES) if isinstance(value, (int, float, str))), "")
    level = next((level_of(value) for value in map(fields.get, _LEVELS) if isinstance(value, str)), "")
    return stream or (f"rank{rank}" if rank is not None else ""), rank, stamp, level, ""


def _stamp(value: float | str) -> str:
    """A time as loggers print it; numbers are seconds, or their thousandths, millionths or billionths, since 1970."""
    if isinstance(value, str):
        if not value.isdecimal():
            return value[:40]
        value = int(value[:20])
    if not 0 <= value < 1e30:
        return ""
    import time

    while value > 1e11:
        value /= 1000
    try:
        return time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(value)) + f"{value % 1:.6f}"[1:] + "Z"
    except (ValueError, OverflowError, OSError):
        return ""


def _lines(text: str) -> Iterator[str]:
    yield from text.removesuffix("\n").split("\n", _MOST_LINES)
