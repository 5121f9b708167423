"""PYTORCH_CUDA_ALLOC_CONF, read the way PyTorch reads it.

Names, units and limits follow `c10/core/AllocatorConfig.cpp` of PyTorch:
https://github.com/pytorch/pytorch/blob/main/c10/core/AllocatorConfig.cpp
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

KIB = 1 << 10
MIB = 1 << 20
GIB = 1 << 30

UNLIMITED = 1 << 63
"""What `max_split_size` and an absent limit stand for: more than any device has, in bytes."""

_INTERVALS = 16  # powers of two from 1 MiB to 64 GiB
_TOKEN = re.compile(r"[,:\[\]]|[^,:\[\] ]+")
_SIZES = {  # key: (field, least value in MiB)
    "max_split_size_mb": ("max_split_size", 20),
    "max_non_split_rounding_mb": ("max_non_split_rounding", 20),
    "large_segment_size_mb": ("large_segment", 2),
}
_NO_INFLUENCE_FLAGS = ("release_lock_on_cudamalloc", "pinned_use_cuda_host_register", "pinned_use_background_threads")
_NO_INFLUENCE_COUNTS = ("pinned_num_register_threads", "pinned_reserve_segment_size_mb")


class SettingsError(ValueError):
    """The text is no valid PYTORCH_CUDA_ALLOC_CONF."""


@dataclass(frozen=True)
class AllocatorSettings:
    """The settings of the caching allocator that decide where a request is served from.

    Sizes are bytes. `garbage_collection_threshold` is a fraction of the memory the process may use, 0 for off.
    `roundup_power2_divisions` holds one count for each power of two from 1 MiB to 64 GiB, 0 for off.
    """

    max_split_size: int = UNLIMITED
    max_non_split_rounding: int = 20 * MIB
    large_segment: int = 20 * MIB
    garbage_collection_threshold: float = 0.0
    expandable_segments: bool = False
    roundup_power2_divisions: tuple[int, ...] = field(default=(0,) * _INTERVALS)

    def divisions_for(self, size: int) -> int:
        """How many steps there are between the powers of two around `size` bytes; 0 or 1 for no rounding."""
        index = min(max(size.bit_length() - 1 - 20, 0), _INTERVALS - 1)
        return self.roundup_power2_divisions[index]

    @classmethod
    def parse(cls, text: str) -> AllocatorSettings:
        """Reads `"max_split_size_mb:512,expandable_segments:True"`; an empty text gives the defaults.

        Raises:
            SettingsError: for a key, a value or a separator that PyTorch refuses as well, and for
                `backend:cudaMallocAsync`, which is another allocator.
        """
        tokens = _TOKEN.findall(text)
        values: dict[str, object] = {}
        at = 0
        while at < len(tokens):
            key = tokens[at]
            if at + 2 >= len(tokens) or tokens[at + 1] != ":":
                raise SettingsError(f"{key}: expected ':' and a value")
            if tokens[at + 2] == "[":
                end = tokens.index("]", at + 2) if "]" in tokens[at + 2 :] else -1
                if end < 0:
                    raise SettingsError(f"{key}: '[' is never closed")
                raw = tokens[at + 3 : end]
                at = end + 1
            else:
                raw = [tokens[at + 2]]
                at += 3
            values.update(_read(key, raw))
            if at < len(tokens):
                if tokens[at] != ",":
                    raise SettingsError(f"expected ',' before {tokens[at]!r}")
                at += 1
        return cls(**values)  # type: ignore[arg-type]  # the keys are this class's own


def _read(key: str, raw: list[str]) -> dict[str, object]:
    if key == "roundup_power2_divisions":
        return {"roundup_power2_divisions": _divisions(raw)}
    value = raw[0] if len(raw) == 1 else ""
    if key in _SIZES:
        name, least = _SIZES[key]
        size = _whole(key, value)
        if size < least:
            raise SettingsError(f"{key} too small, must be >= {least}")
        return {name: size * MIB}
    if key == "garbage_collection_threshold":
        return {key: _fraction(key, value)}
    if key == "expandable_segments":
        return {key: _flag(key, value)}
    if key in _NO_INFLUENCE_FLAGS:
        _flag(key, value)
        return {}
    if key in _NO_INFLUENCE_COUNTS:
        _whole(key, value)
        return {}
    if key == "backend" and value == "native":
        return {}
    raise SettingsError(f"unknown to this model: {key}:{value}")


def _whole(key: str, value: str) -> int:
    if not value.isdecimal() or len(value) > 12:
        raise SettingsError(f"{key}: {value!r} is no whole number")
    return int(value)


def _flag(key: str, value: str) -> bool:
    if value not in ("True", "False"):
        raise SettingsError(f"{key}: expected True or False, got {value!r}")
    return value == "True"


def _fraction(key: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0.0 < number < 1.0:
        raise SettingsError(f"{key}: expected a number between 0 and 1, got {value!r}")
    return number


def _divisions(raw: list[str]) -> tuple[int, ...]:
    """`["4"]` for all sizes, or `["256", ":", "1", ",", ">", ":", "4"]`: divisions by upper power of two in MiB."""
    if len(raw) == 1:
        return (_power_of_two(raw[0]),) * _INTERVALS
    result = [0] * _INTERVALS
    last = 0
    first = True
    for at in range(0, len(raw), 4):
        entry = raw[at : at + 4]
        if len(entry) < 3 or entry[1] != ":" or (len(entry) == 4 and entry[3] != ","):
            raise SettingsError("roundup_power2_divisions: expected SIZE:DIVISIONS pairs")
        count = 0 if entry[2] == "0" else _power_of_two(entry[2])
        if entry[0] == ">":
            result[last:] = [count] * (_INTERVALS - last)
            continue
        last = min(_power_of_two(entry[0]).bit_length() - 1, _INTERVALS - 1)
        if first:
            result[:last] = [count] * last
            first = False
        result[last] = count
    return tuple(result)


def _power_of_two(value: str) -> int:
    number = _whole("roundup_power2_divisions", value)
    if number < 1 or number & (number - 1):
        raise SettingsError(f"roundup_power2_divisions: {value} is no power of two")
    return number
