"""A captured text → the typed value its slot declares."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from triage.engine.values import Value
from triage.facts.quantities import normal_dtype, parse_bytes, parse_cuda_version, parse_device, parse_duration_ms, parse_version
from triage.facts.vocabulary import SLOTS

MAX_TEXT = 400  # characters kept of a captured text
MAX_DIGITS = 64  # of a whole number, hexadecimal ones included; more can't be written down again


def _integer(text: str) -> int | None:
    digits = text.replace(",", "").replace("_", "").strip()
    if len(digits) > MAX_DIGITS:
        return None
    try:
        return int(digits, 16) if digits.startswith("0x") else int(digits)
    except ValueError:
        return None


def _number(text: str) -> float | None:
    try:
        number = float(text.replace(",", ""))
    except ValueError:
        return None
    return None if number in (inf, -inf) else number


def _text(text: str) -> str:
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"`":
        text = text[1:-1]
    return text[:MAX_TEXT]


def _boolean(text: str) -> bool:
    return text.strip().lower() in ("1", "true", "yes", "on")


_CONVERTERS: dict[str, Callable[[str], Value | None]] = {
    "str": _text,
    "int": _integer,
    "line": _integer,
    "float": _number,
    "bool": _boolean,
    "bytes": parse_bytes,
    "ms": parse_duration_ms,
    "version": parse_version,
    "cuda-version": parse_cuda_version,
    "device": parse_device,
    "dtype": normal_dtype,
}


def convert(slot: str, text: str) -> Value | None:
    """The value of `slot` for a captured text, or None where the text is none of its type. Lists come as tuples of one."""
    kind = SLOTS[slot][0]
    listed = kind.startswith("list:")
    try:
        value = _CONVERTERS[kind.removeprefix("list:")](text)
    except (OverflowError, ValueError):  # hundreds of digits
        return None
    if value is None:
        return None
    return (value,) if listed else value


def is_list(slot: str) -> bool:
    """Whether repeated captures of a slot are collected."""
    return SLOTS[slot][0].startswith("list:")


def whole(slot: str, value: Value) -> Value:
    """A computed value in the type of its slot: sizes and durations are whole numbers."""
    return round(value) if isinstance(value, float) and SLOTS.get(slot, ("",))[0] in ("bytes", "ms", "int", "line") else value
