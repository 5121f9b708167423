"""Models whose names tell their size: "Llama-2-7b-chat-hf", "Qwen2.5-72B-Instruct", "Mixtral-8x7B", "13B 模型", "qwen2.5:32b"."""

from __future__ import annotations

import re
from itertools import islice

from triage.facts import Observation
from triage.parsers.seen import observe
from triage.reading import Log
from triage.reading.lazy import Gated, Pattern

MAX_MODELS = 40
MAX_CANDIDATES = 5_000  # a block
_UNIT = Gated(r"[0-9][BbMm](?![A-Za-z0-9])|(?<=loom-[0-9])b[0-9]\b|(?<=loomz-[0-9])b[0-9]\b")  # bloom-7b1 has 7.1 billion
_SIZE = Pattern(r"(?:(?<![0-9])([0-9]{1,3})[xX])?(?<![0-9.,+])([0-9]{1,4}(?:\.[0-9]{1,3})?)([BbMm])([0-9])?\Z")
_NAME_BEFORE = Pattern(r"[A-Za-z][\w.+-]*[-_.]?\Z", re.ASCII)
_TAG_OF = Pattern(r"[A-Za-z][\w.+-]*:\Z", re.ASCII)  # as registries write it: "qwen2.5:32b"
# Qwen, Baichuan, InternLM, Hunyuan
_CHINESE_NAME_BEFORE = Pattern("(?:\u901a\u4e49)?(?:\u5343\u95ee|\u767e\u5ddd|\u4e66\u751f|\u6df7\u5143)[0-9.]{0,4}[- ]?\\Z")
_NAME_AFTER = Pattern(r"[\w.+-]*", re.ASCII)
_FAMILIES = (
    "llama", "qwen", "mistral", "mixtral", "gemma", "phi", "falcon", "opt", "gpt", "bloom", "baichuan", "chatglm", "glm", "yi",
    "internlm", "vicuna", "alpaca", "deepseek", "mpt", "pythia", "t5", "bert", "starcoder", "codellama", "command-r", "grok", "dbrx",
    "olmo", "stablelm", "whisper", "neox", "llava", "internvl", "kimi", "minimax", "ernie", "granite", "nemotron", "moonlight", "wan",
    "flux", "meta-llama", "codegen", "pangu", "aquila", "skywork", "xverse", "minicpm", "tinyllama", "smollm", "openllama", "wizardlm",
)  # fmt: skip
_BETWEEN = Pattern(r"(?:v?[0-9.]{1,4}|chat|instruct|base|model)\Z")
_SAID_AFTER = Pattern(
    r"[ -]{0,2}(?:\(|\w{0,12} )?(?:model|LLM|param|chat|instruct|base|checkpoint|weights|\u7684?\u5927?\u6a21\u578b|\u53c2\u6570)",
    re.IGNORECASE,
)
_SCALES = {"b": 1e9, "m": 1e6}


def parse_models(log: Log) -> list[Observation]:
    """Facts `model`: the name as written and the number of parameters it tells; each name once."""
    seen: set[str] = set()
    observations: list[Observation] = []
    for block in log.blocks():
        text = block.text
        for unit in islice(_UNIT.finditer(text), MAX_CANDIDATES):
            if len(observations) >= MAX_MODELS:
                break
            end = unit.end()
            head = text[max(0, end - 72) : end]
            head = head[head.rfind("\n") + 1 :]
            match = _SIZE.search(head)
            if match is None:
                continue
            named = _name(head[: match.start()], match, text, end)
            if not named or named in seen:
                continue
            size = float(match[1] or 1) * float(f"{match[2]}.{match[4]}" if match[4] else match[2]) * _SCALES[match[3].lower()]
            if not 5e7 <= size <= 5e12:
                continue
            line = block.line(end - 1)
            if line.role == "diff":
                continue
            seen.add(named)
            observations.append(observe("model", {"name": named, "parameters": size}, line))
    return observations


def _name(head: str, match: re.Match[str], text: str, end: int) -> str:
    """The name around a size; '' where the number is no model's size."""
    chinese = _CHINESE_NAME_BEFORE.search(head) if match[3] in "bB" else None
    if chinese is not None:
        return chinese[0] + match[0] + _tail(text, end)
    joined = bool(head) and (head[-1] in "-_" or (head[-1].isascii() and head[-1].isalpha()))
    if joined:
        stem = _NAME_BEFORE.search(head)
        if stem is None or (len(stem[0].rstrip("-_.")) < 2):
            return ""
        if match[3] in "mM" and head[-1] not in "-_":
            return ""
        if head[-1] not in "-_" and (match[3] == "b" or not stem[0].rstrip("-_.").isalpha()) and not _of_family(stem[0]):
            return ""  # the hexadecimal digits of a hash
        if match[3] in "mM" and not _of_family(stem[0]):
            return ""
        return stem[0] + match[0] + _tail(text, end)
    if match[3] in "mM":
        return ""
    tagged = _TAG_OF.search(head)
    if tagged is not None and _of_family(tagged[0]):
        return tagged[0] + match[0] + _tail(text, end)
    family = _family_before(head)
    if family:
        return family + match[0]
    return match[0] if _SAID_AFTER.match(text, end) else ""


def _tail(text: str, end: int) -> str:
    """What a name goes on with behind its size: "-chat-hf"."""
    rest = _NAME_AFTER.match(text, end)
    return rest[0][:60].rstrip(".-_+") if rest and rest[0][:1] in ("-", "_") else ""


def _of_family(stem: str) -> bool:
    lowered = stem.lower()
    return lowered.startswith(_FAMILIES) or any(family in lowered for family in _FAMILIES[:8])


def _family_before(head: str) -> str:
    """ "Llama 3 " or "Qwen " before a size, as written; '' where no family of models is named."""
    words = head.split(" ")[-4:]
    for back in range(1, len(words)):
        word = words[-1 - back].lstrip("(`'\"*")
        named = _NAME_BEFORE.search(word)  # what Chinese leads up to without a blank: "微调LLaMA2 13b"
        if named is not None and named[0].lower().startswith(_FAMILIES):
            return " ".join([named[0], *words[len(words) - back :]])
        if _BETWEEN.match(word.lower()) is None:
            break
    return ""
