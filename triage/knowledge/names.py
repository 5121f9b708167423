"""Which GPU or model a printed name means: `NVIDIA A100-SXM4-80GB`, `4090`; `meta-llama/Llama-2-7b-chat-hf`.

Tools print the same product under many names. What identifies a GPU is its series and number, a model its family and
size; makers, form factors, organisations and variants are left aside. Names are looked up in tables `gpus`, `amd-gpus` and `models`.
"""

from __future__ import annotations

import re

from triage.engine.values import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from triage.engine.values import Value
    from triage.knowledge.tables import Slots, Table

MAX_NAME = 160  # characters looked at; no name is longer

_MEMORY = re.compile(r"(?<![0-9])([0-9]{1,3}) ?g(?:i?b(?![a-z])|(?![a-z.]))")  # "40GB", "40G"; not the slices of MIG, "1g.5gb"
_GPU_NOISE = re.compile(
    r"\b(?:nvidia|geforce|tesla|grid|laptop|mobile|max-q|design|desktop|founders|generation|edition|workstation|server"
    r"|sxm[0-9]?(?: ac)?|pcie?|hbm[0-9]?e?|nvl|with|gpu)\b|\((?:r|tm)\)"
)
_MOBILE = re.compile(r"\b(?:laptop|mobile|max-q)\b")
_NOT_WORD = re.compile(r"[^a-z0-9]+")
# a bare GeForce number, or one that people give the other series: "GTX 3090"
_BARE = re.compile(r"(?:[gr]tx)?((?:10[5-8]0|16[356]0|[2345]0[5-9]0)(?:ti|super|tisuper|d)?|9[58]0ti|9[678]0)\Z")
_AMD_NOISE = re.compile(r"\b(?:amd|ati|radeon|instinct|graphics|laptop|mobile|gpu|oam|hf|series)\b|\((?:r|tm)\)|[\u00ae\u2122]")
_BARE_AMD = re.compile(r"[5-9][0-9]{2}0(?:xtx?|gre)\Z")
# "K2000" for a Quadro K2000
_BARE_QUADRO = re.compile(r"(?:k[2456][02]00|m[2456]000|p(?:[456]|[1245]0)00|k(?:420|600|620|1200|2200))[dm]?\Z")
_BELOW_NOMINAL = 0.09  # ECC and firmware take that much of the nominal size
# Words of a model's name that change neither its parameters nor its dimensions.
_VARIANTS = frozenset((
    "meta", "chat", "instruct", "instruction", "it", "base", "hf", "pt", "dev", "preview", "sft", "dpo", "rlhf",
    "uncased", "cased", "zh", "en", "chinese", "english", "latest", "model", "lora", "merged", "long",
    "fp16", "bf16", "fp8", "fp32", "int8", "int4", "4bit", "8bit", "bnb", "gptq", "awq", "gguf", "ggml", "exl2", "exl3", "mlx",
    "nvfp4", "mxfp4", "w4a16", "w8a8", "w8a16", "autoround", "dynamic", "quantized",
    "4k", "8k", "16k", "32k", "64k", "128k", "200k", "1m",
))  # fmt: skip
_SEPARATORS = re.compile(r"[-_ :]+")
_BEFORE_NUMBER = re.compile(r"(?<=[a-z])-(?=[0-9])")
_REVISION = re.compile(r"v[0-9.]+|[0-9]{4}|[0-9]{6,8}|[0-9.]{1,4}bpw")


class Gpus:
    """The products of table `gpus`, or of `amd-gpus` where `amd` is true, by their normalised names."""

    __slots__ = ("_key", "_rows")

    def __init__(self, table: Table, amd: bool = False) -> None:
        self._key = _amd_key if amd else _gpu_key
        self._rows = _by_name(table, self._key)

    def recognise(self, name: str, capacity_bytes: int | None = None) -> Slots | None:
        """What the table knows of the GPU with this printed name, or None.

        `memory_gib` becomes one number where the name or the reported capacity tells it, and is left out where it stays open;
        `largest_gib` is then the most that the product is sold with.
        """
        lowered = name[:MAX_NAME].lower()
        found = self._rows.get(self._key(lowered))
        if found is None:
            return None
        slots: dict[str, Value] = {slot: value for slot, value in found.items() if slot not in ("aliases", "memory_gib")}
        sizes = found.get("memory_gib", ())
        known = [size for size in sizes if isinstance(size, int)] if isinstance(sizes, tuple) else []
        size = _memory_gib(known, lowered, capacity_bytes)
        if size is not None:
            slots["memory_gib"] = size
        elif known and capacity_bytes is None and not _MOBILE.search(lowered):
            slots["largest_gib"] = max(known)
        return slots


class Models:
    """The models of table `models`, by their normalised names."""

    __slots__ = ("_rows",)

    def __init__(self, table: Table) -> None:
        self._rows = _by_name(table, _model_key)

    def recognise(self, name: str) -> Slots | None:
        """What the table knows of the model with this name or path, or None.

        A revision (`v0.2`, `2407`) counts only where it tells models apart.
        """
        found = self._rows.get(_model_key(name)) or self._rows.get(_model_key(name, revision=False))
        return {slot: value for slot, value in found.items() if slot != "aliases"} if found else None


def _by_name(table: Table, key: Callable[[str], str]) -> dict[str, Slots]:
    """The rows of a table by each of their names, as `key` normalises it."""
    return {key(name): slots for slots in table.where() for name in _names(slots)}


def _names(slots: Slots) -> list[str]:
    aliases = slots.get("aliases", ())
    return [str(slots["name"]), *map(str, aliases if isinstance(aliases, tuple) else ())]


def _memory_gib(known: list[int], lowered: str, capacity_bytes: int | None) -> int | None:
    written = _MEMORY.search(lowered)
    if written and int(written[1]) in known:
        return int(written[1])
    if capacity_bytes is not None:
        reported = capacity_bytes / 2**30
        fitting = [size for size in known if size * (1 - _BELOW_NOMINAL) <= reported <= size]
        return min(fitting, default=None)
    return known[0] if len(known) == 1 and not _MOBILE.search(lowered) else None


def _gpu_key(name: str) -> str:
    """`"NVIDIA RTX 6000 Ada Generation"` → `rtx6000ada`; a bare GeForce number gets its series."""
    text = _NOT_WORD.sub("", _GPU_NOISE.sub(" ", _MEMORY.sub(" ", name.lower().replace("_", " "))))
    bare = _BARE.match(text)
    if bare is not None:
        return ("gtx" if bare[1][0] in "19" else "rtx") + bare[1]
    return "quadro" + text if _BARE_QUADRO.match(text) else text


def _amd_key(name: str) -> str:
    """`"AMD Radeon RX 7900 XTX"` → `rx7900xtx`, `"AMD Radeon(TM) 780M Graphics"` → `780m`; a bare number with a suffix gets its series."""
    text = _NOT_WORD.sub("", _AMD_NOISE.sub(" ", _MEMORY.sub(" ", name.lower())))
    return "rx" + text if _BARE_AMD.match(text) else text


def _model_key(name: str, revision: bool = True) -> str:
    """`"meta-llama/Meta-Llama-3-8B-Instruct"` → `llama3-8b`: the last part of the path without its variants."""
    last = name[-MAX_NAME:].rstrip("/\\").replace("\\", "/").rsplit("/", 1)[-1].lower()
    words = [word for word in _SEPARATORS.split(last) if word and word not in _VARIANTS and (revision or not _REVISION.fullmatch(word))]
    return _BEFORE_NUMBER.sub("", "-".join(words))
