"""A line of a log → the text of a signature: what differs from one log to the next becomes a hole, named where the words around it tell."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from triage.facts.convert import is_list


class Message(NamedTuple):
    """The text of a signature, and how many lines it spans."""

    text: str
    span: int


class _Kind(NamedTuple):
    hole: str
    slot: Callable[[str, str], str]  # from the text before and behind the value to a slot, "" for none


def _size(before: str, behind: str) -> str:
    """What follows tells more than what stands before: `20 MiB free`."""
    for slot, words in _SIZES.items():
        if re.match(rf"[^\w,;]*{_LINK}(?:{words})", behind):
            return slot
    for slot, words in _SIZES.items():
        if re.search(rf"(?:{words})[^\w,;]*(?:of[^\w,;]*)?$", before):
            return slot
    return ""


def _number(before: str, behind: str) -> str:
    found = re.search(r"([a-z]+)(?:[ _-]?(?:id|index|number|code))?[ #:=(\['\"]*$", before)
    return _NUMBERS.get(found.group(1), "") if found else ""


def _named(slot: str) -> Callable[[str, str], str]:
    return lambda before, behind: slot


_LINK = "(?:of )?(?:memory )?(?:is |are )?(?:already )?"
_SIZES = {
    "requested_bytes": "allocat\\w*|request\\w*|asked for|refus\\w*",
    "capacity_bytes": "capacity|total|in all",
    "free_bytes": "free|available",
    "allocated_bytes": "allocated|in use|used",
    "limit_bytes": "limit|maximum|budget",
    "needed_bytes": "need\\w*|require\\w*",
}
_NUMBERS = {"gpu": "gpu", "device": "gpu", "cuda": "gpu", "rank": "rank", "port": "port", "pid": "pid", "xid": "xid", "exit": "exit_code",
            "exitcode": "exit_code", "status": "exit_code", "index": "index"}  # fmt: skip
_KINDS = {
    "pci": _Kind("PCI", _named("pci")),
    "hex": _Kind("HEX", _named("")),
    "host": _Kind("HOST", _named("address")),
    "size": _Kind("SIZE", _size),
    "device": _Kind("DEVICE", _named("devices")),
    "path": _Kind("PATH", _named("path")),
    "part": _Kind("NAME", _named("")),
    "file": _Kind("PATH", _named("")),
    "version": _Kind("VERSION", _named("")),
    "int": _Kind("INT", _number),
    "num": _Kind("NUM", _named("")),
}
_VALUE = re.compile(
    r"""(?P<pci>\b[0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-9a-fA-F]\b)
      | (?P<hex>\b0x[0-9a-fA-F]+\b)
      | (?P<host>\b[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?::[0-9]+)?\b)
      | (?P<size>(?<![\w.])[0-9][0-9.,]*[ \t]?(?:[KMGTP]i?B|[Bb]ytes)\b)
      | (?P<device>\b(?:cuda|cpu|xpu|mps|hip|npu):[0-9]+\b)
      | (?P<path>(?<![\w.])(?:[A-Za-z]:\\|~?/)[^\s'"`:,;()<>|]+)
      | (?P<part>(?<![\w.])[A-Za-z_]\w*(?:\.\w+)*\.(?:weight|bias|q?zeros|scales?|running_mean|running_var)\b)
      | (?P<file>(?<![\w./-])[A-Za-z0-9_-]+\.(?:safetensors|ckpt|pth?|bin|gguf|onnx|engine|npz|cubin|py)\b(?![.\w]))
      | (?P<version>(?<![\w.])v?[0-9]+\.[0-9]+\.[0-9]+[A-Za-z0-9.+-]*)
      | (?P<num>(?<![\w.])-?[0-9]+\.[0-9]+(?![\w.]))
      | (?P<int>(?<![\w.])-?[0-9]+(?![\w.]*\w))""",
    re.VERBOSE,
)
_FRAME = re.compile(r'\s+File ".*", line \d+|\s{4,}\S|Traceback \(most recent call last\)')
_HOME = re.compile(r"(/home/|/Users/|\\Users\\)[^/\\\s'\"]+")
MAX_LINES = 8
_SLIGHT = frozenset({"error", "the", "for", "and", "failed", "has", "was", "with"})


def message_of(lines: list[str]) -> Message:
    """The message in selected lines of a log, without prefixes: several lines where none of them is a frame, else the last one.

    Raises ValueError where nothing is left, or where the text has the sign of a hole.
    """
    kept = [line for line in lines if line.strip()]
    chosen = kept if not any(_FRAME.match(line) for line in kept) else kept[-1:]
    if not chosen:
        raise ValueError("the selected lines are empty")
    if len(chosen) > MAX_LINES:
        raise ValueError(f"more than {MAX_LINES} lines: select those of the message alone")
    text = "\n".join(" ".join(line.split()) for line in chosen)
    if "%{" in text:
        raise ValueError("the message has %{, which begins a hole: write the signature by hand, as `pattern`")
    return Message(generalised(text), len(chosen))


def generalised(text: str) -> str:
    """The text with holes. A slot that is no list is captured once; further values of the same kind are not."""
    taken: set[str] = set()
    parts: list[str] = []
    at = 0
    for found in _VALUE.finditer(text):
        kind = _KINDS[str(found.lastgroup)]
        slot = kind.slot(text[: found.start()].lower(), text[found.end() :].lower())
        if slot and slot in taken and not is_list(slot):
            slot = ""
        taken.add(slot)
        parts += [text[at : found.start()], f"%{{{kind.hole}:{slot}}}" if slot else f"%{{{kind.hole}}}"]
        at = found.end()
    return "".join([*parts, text[at:]])


def anonymous(text: str) -> str:
    """Without the names of users in paths."""
    return _HOME.sub(r"\1user", text)


def slug(text: str) -> str:
    """A few words of a message as an identifier."""
    words = re.findall(r"[a-z]{3,}", re.sub(r"%\{[^}]*\}", " ", text.lower()))
    chosen = [word for word in dict.fromkeys(words) if word not in _SLIGHT and not word.endswith(("error", "exception"))]
    while len("-".join(chosen)) > 40 and len(chosen) > 1:
        chosen.pop()
    return "-".join(chosen)[:40] or "new"
