"""Environment variables: what is in force, or set in the code and files that a text shows.

An error message that recommends a variable ("try setting PYTORCH_CUDA_ALLOC_CONF=…") does not set it.
"""

from __future__ import annotations

import re
from itertools import islice

from triage.engine.values import Value
from triage.facts import Observation
from triage.parsers.scalars import number_of
from triage.parsers.seen import observe
from triage.reading import Block, Line, Log
from triage.reading.lazy import Pattern

MAX_SETTINGS = 300
MAX_CANDIDATES = 10_000  # a block
_ALLOCATOR = ("PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF", "PYTORCH_HIP_ALLOC_CONF", "PYTORCH_NPU_ALLOC_CONF")
_STACK = (
    "CUDA_", "CUBLAS_", "CUDNN_", "PYTORCH_", "TORCH", "NCCL_", "GLOO_", "UCX_", "MASTER_", "RANK", "WORLD_SIZE", "LOCAL_", "NODE_RANK",
    "NNODES", "NPROC_PER_NODE", "OMP_", "MKL_", "XLA_", "TF_", "JAX_", "NVIDIA_", "NVTE_", "NVSHMEM_", "HIP_", "ROCR_", "ROCM_", "HSA_",
    "GPU_", "VLLM_", "SGLANG_", "SGL_", "TOKENIZERS_", "LD_LIBRARY_PATH", "LD_PRELOAD", "HF_", "TRANSFORMERS_", "ACCELERATE_", "DS_",
    "DEEPSPEED_", "BNB_", "MAX_JOBS", "RAY_", "TRITON_", "FLASH_ATTENTION_", "OLLAMA_", "GGML_", "LLAMA_", "PYTHON", "KMP_", "FI_",
    "TPU_", "LIBTPU_", "PADDLE_", "FLAGS_", "MXNET_", "CUPY_", "COMFYUI_", "SLURM_", "MIOPEN_", "CC", "CXX", "PATH", "TMPDIR", "PL_",
    "WANDB_MODE",
)  # fmt: skip

_NAME = Pattern(
    r"([A-Z](?<![A-Z0-9_][A-Z])[A-Z0-9_]{1,60})(?:(=)(?!=)|[\"'] ?\] ?(=)(?!=) ?|[\"'], ?(?=[\"']|str\()|[\"']?( ?: )"
    r"| (set by environment to|set to:) "
    r"| (environment variable for each process to be) )"
)
_VALUE = Pattern(
    r"\s?(?:\"([^\"\n]{0,500})\"|'([^'\n]{0,500})'"
    r"|((?:\[[^\[\]\s]{0,200}\]|[^\s\"'`;)\[\]}&|<>\uff0c\u3002\uff1b\uff09\u3001]){0,500}))"
)
_SPACED = Pattern(r"(?:^|\n)[ \t]{0,20}(?:ENV|%env|env:|setenv) ([A-Z][A-Z0-9_]{1,60})[ =]([^\n]{1,300})")
_YAML_PAIR = Pattern(
    r"-[ \t]{1,8}name:[ \t]{0,8}[\"']?([A-Z][A-Z0-9_]{1,60})[\"']?[ \t]{0,8}\n[ \t]{0,40}value:[ \t]{0,8}[\"']?([^\"'\n]{0,300})"
)
_COMMAND_POSITION = Pattern(
    r"(?:\A|[;&|(]|\bexport|\benv|\bENV|\bset|\bsetenv|\bsudo|\bnohup|\$env:|[$#%>]|(?:^|\s)-e|(?:^|\s)-x"
    r"|--env|--env=|-[ex]\s[\"']?|[\"'\[{,]|\benvironment:|%env|env:)\s*\Z"
)
# cmd.exe takes all that follows, up to a closing quote, as the value: of several options every one.
_SET_TO_OPTIONS = Pattern(r"\s?(--[a-z][^\"\n&|]{0,500})")
_SET_BY_CMD = Pattern(r"(?i)\A\s*@?set \"?\Z")
_ASSIGNED_BEFORE = Pattern(r"(?:\A|\s)[A-Z][A-Z0-9_]{1,60}=(?:\"[^\"]{0,200}\"|'[^']{0,200}'|[^\s\"']{0,200})\s+\Z")
_ADVICE = Pattern(
    r"\b(?:[Tt]ry|[Cc]onsider|[Pp]assing|[Pp]ass|[Pp]lease|should|could|can|may|might|must|[Rr]ecommend\w*|[Ss]uggest\w*|need to|want to"
    r"|[Rr]e-?run|[Rr]un with|suppress with|set the environment variable|[Ss]et|[Ss]etting|[Uu]se|[Uu]sing|you)\b[^.\n]{0,40}\Z"
)
_ADVICE_CUT_OFF = Pattern(r"\b(?:try setting|[Tt]ry|setting|[Cc]onsider|[Pp]lease|you can set) *\Z")  # a message wrapped before the name
_EMPTY_BEFORE_A_COMMAND = Pattern(r"[ \t]+(?!(?:all|none|void)\b)(?:[a-z]|\./|/)")  # a shell ends the value at the blank
_ENDS_A_SENTENCE = Pattern(r"-?[0-9](?:,?[0-9]){0,40}\.\Z")  # a person's full stop behind numbers of GPUs; programs print 0.0
_HAS_SET = Pattern(r"\b(?:I|[Ww]e|already|have|had|with|[Ww]ith|was|is|are|tried|after|[Ee]ven)\b[^.\n]{0,40}\Z|[^\x00-\xff][^\n]{0,10}\Z")


class _Settings:
    """Settings found, each once."""

    def __init__(self) -> None:
        self.observations: list[Observation] = []
        self._seen: set[tuple[str, str, str]] = set()

    def add(self, name: str, value: str, line: Line) -> None:
        value = value.strip()
        if name in _ALLOCATOR and ":" in value:
            for pair in _split_outside_brackets(value):
                key, _, setting = pair.partition(":")
                self._add(name, key.strip(), setting.strip(), line)
        elif name == "XLA_FLAGS" and "--" in value:
            for flag in value.split():
                key, equals, setting = flag.removeprefix("--").partition("=")
                self._add(name, key, setting if equals else "true", line)
        else:
            self._add(name, "", value, line)

    def _add(self, name: str, key: str, value: str, line: Line) -> None:
        identity = (name, key, value)
        if identity in self._seen or len(self.observations) >= MAX_SETTINGS:
            return
        self._seen.add(identity)
        slots: dict[str, Value] = {"name": name, "value": value}
        if key:
            slots["key"] = key
        number = number_of(value)
        if number is not None:
            slots["number"] = number * 1024 * 1024 if key.endswith("_mb") else number
        if name.endswith("VISIBLE_DEVICES") and (devices := _devices(value)):
            slots["count"] = devices
        self.observations.append(observe("setting", slots, line))


def _devices(value: str) -> int:
    """How many devices a list names; 0 where it is no such list."""
    names = [name.strip() for name in value.split(",")]
    return len(names) if all(name.isdecimal() or name.startswith(("GPU-", "MIG-")) for name in names) else 0


def parse_settings(log: Log) -> list[Observation]:
    """Facts `setting`; those of the allocator and of XLA are split into their keys, sizes in megabytes become bytes."""
    settings = _Settings()
    for block in log.blocks():
        _assigned(block, settings)
        text = block.text
        if "ENV " in text or "%env" in text or "env: " in text or "setenv " in text:
            for match in _SPACED.finditer(text):
                settings.add(match[1], match[2].strip().strip("\"'"), block.line(match.start(1)))
        if "value:" in text:
            for match in _YAML_PAIR.finditer(text):
                settings.add(match[1], match[2], block.line(match.start(1)))
    return settings.observations


def _assigned(block: Block, settings: _Settings) -> None:
    text = block.text
    for match in islice(_NAME.finditer(text), MAX_CANDIDATES):
        start = match.start()
        previous = text[start - 1 : start]
        if (previous.isascii() and previous.isalnum()) or previous in ("_", ".", "/", "?", "&", "$", "-"):
            continue
        name = match[1]
        value = _VALUE.match(text, match.end())
        if value is None:
            continue
        line = block.line(start)
        if line.role in ("diff", "source") and not match[3]:
            continue
        head = text[max(0, start - 120) : start]
        above, _, head = head.rpartition("\n")
        if not head.strip() and _ADVICE_CUT_OFF.search(above):
            continue
        if head.lstrip().startswith(("#", "//")):
            continue
        if match[2]:
            if not _in_force(name, head, text[value.end() : value.end() + 30], line):
                continue
        elif match[4]:
            if (
                not name.startswith(_STACK)
                or head.strip(" -\"'{").rstrip(" -0123456789") not in ("", "LOCAL_RANK:")
                or (line.role == "prose" and not value[0].strip())
            ):
                continue
        elif not (match[5] or match[6]) and "environ" not in head and "putenv" not in head and "setenv" not in head:
            continue
        if match[2] and name.endswith("VISIBLE_DEVICES") and _EMPTY_BEFORE_A_COMMAND.match(text, match.end()):
            settings.add(name, "", line)
            continue
        several = _SET_TO_OPTIONS.match(text, match.end()) if match[2] and _SET_BY_CMD.match(head) else None
        settings.add(name, several[1] if several else _clean(value, line), line)


def _clean(value: re.Match[str], line: Line) -> str:
    if value[3] is None:
        return value[1] if value[1] is not None else value[2]
    bare = value[3]
    if bare.startswith("str("):
        return bare[4:]
    if line.role == "prose" or _ENDS_A_SENTENCE.match(bare):
        return bare.rstrip(".,:*")
    return bare.rstrip(",\\").strip("[]")


def _in_force(name: str, head: str, tail: str, line: Line) -> bool:
    """Whether `NAME=value` is an assignment rather than advice about one."""
    known = name.startswith(_STACK)
    # A command between backticks that has the line to itself; a name and its value alone are spoken of.
    quoted = head.strip() == "`" and tail.startswith(" ")
    if quoted or not head.strip() or _ASSIGNED_BEFORE.search(head):
        return known or "_" in name
    told = head.startswith(("I ", "We ", "My ", "Our "))
    if " to avoid" in tail or (
        line.role == "output" and not told and (" for " in tail or " to " in tail) and "`" not in head and "export" not in head
    ):
        return False
    if _HAS_SET.search(head) and (told or line.role == "prose"):
        return known
    spoken = head.strip(" \t`'\"")
    command = _COMMAND_POSITION.search(head)
    if command and spoken in ("export", "set", "@set", "ENV", "env", "sudo env", "$ export", "+ export", "> set", "setx"):
        return True
    if _ADVICE.search(spoken):
        return False
    if command:
        return known or "_" in name
    return known and (told or line.role in ("prose", "code"))


def _split_outside_brackets(value: str) -> list[str]:
    """Split at commas that stand outside of square brackets."""
    parts, depth, start = [], 0, 0
    for index, character in enumerate(value):
        if character == "[":
            depth += 1
        elif character == "]":
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(value[start:index])
            start = index + 1
    parts.append(value[start:])
    return [part for part in parts if part.strip()]
