"""Tables of error codes and the help of programs: lines that name errors and report none.

They get the role 'document'.
"""

from __future__ import annotations

from collections.abc import Callable

from triage.reading.lazy import Pattern
from triage.reading.log import NO_PREFIX, Line, as_document

_CODE = (
    r"[\s|*`-]{0,12}((?:CUDA_ERROR|CUDNN_STATUS|CUBLAS_STATUS|CUSPARSE_STATUS|CUSOLVER_STATUS|CUFFT|NVML_ERROR|NVRTC_ERROR|HIP_ERROR)_\w{1,60}"
    r"|(?:cuda|hip)Error[A-Z]\w{1,60}|nccl[A-Z]\w{0,40}(?:Error|Usage|Argument))\b"
)
_CONSTANT = Pattern(_CODE)
_DEFINED = Pattern(_CODE + r"[`*]{0,3} {0,40}(?:= ?|\()-?[0-9]{1,6}\)?,?\s*$")
_FEWEST_DEFINED = 2
_ENUMERATED = Pattern(_CODE + r" {0,40}= ?-?[0-9]{1,6},\s*$")  # one is enough
_KINDS = ("_ERROR_", "_STATUS_", "CUFFT_", "cudaError", "hipError", "nccl")
_MANY = 4  # different codes at the beginnings of as many lines make a table
_EXPLAINED = Pattern(r"\s{0,8}[-*+\u2022] {1,3}[`*]{0,3}(?:[A-Za-z]\w{3,60})[`*]{0,3} ?[:：] ?\S.{3,300}$")  # items of a list
_FEWER = 3  # where each is explained
_USAGE = Pattern(r"usage: \S")
_WATCHED = Pattern(
    r"\s{0,40}(?:- )?[\"']?(?:match|matches|pattern|patterns|regex|contains|expr|alert|summary|description|help|on|retry_on"
    r"|grep|query)[\"']?: ?"
    r"(?:\[ ?)?[\"'|>]"
)

# What documents a function or a configuration: a name and a sentence about it, or a value with a remark.
_DESCRIBED = Pattern(r"(\s{2,24})[a-z]\w{0,60}(?: \([^)]{1,80}\))?: (?:\S+ ){3}|(\w{0,2})\w{1,60} ?= ?\S{1,80} {1,8}# ?\w")
_FEWEST_DESCRIBED = 3


def mark_listings(lines: list[Line], has: Callable[[str], bool]) -> None:
    """Give the role 'document' to lists of error codes, of options, and of messages that a configuration watches for.

    `has` tells whether a string occurs in the input at all.
    """
    if any(map(has, _KINDS)):
        _codes(lines)
        _definitions(lines)
    if has("usage: "):
        _help(lines)
    if has(" #") or has("\n    "):
        _descriptions(lines)
    if has("match") or has("pattern") or has("regex") or has("alert") or has("expr") or has("retry"):
        as_document([line for line in lines if len(line.text) <= 2000 and _WATCHED.match(line.text)])


def _codes(lines: list[Line]) -> None:
    run: dict[str, Line] = {}
    for line in lines:
        match = _CONSTANT.match(line.text)
        if match and match[1] not in run:
            run[match[1]] = line
            continue
        _table(list(run.values()))
        run = {}
    _table(list(run.values()))


def _table(run: list[Line]) -> None:
    fewest = _FEWER if all(_EXPLAINED.match(line.text) for line in run) else _MANY
    if len(run) >= fewest:
        as_document(run)


def _definitions(lines: list[Line]) -> None:
    """Mark codes that are given with their numbers, and what explains them below."""
    defined = [line for line in lines if _DEFINED.match(line.text)]
    if len(defined) < _FEWEST_DEFINED:
        as_document([line for line in defined if _ENUMERATED.match(line.text)])
        return
    inside = False
    for line in lines:
        inside = _DEFINED.match(line.text) is not None or (inside and line.text[:1].isspace())
        if inside:
            as_document([line])


def _descriptions(lines: list[Line]) -> None:
    """Mark names that are explained one after another, alike in form."""
    run: list[Line] = []
    form: tuple[str, ...] = ()
    for line in lines:
        text = line.text
        worth = (": " in text or " #" in text) and len(text) <= 2000 and line.prefix is NO_PREFIX
        match = _DESCRIBED.match(text) if worth else None
        if match and (not run or match.groups() == form):
            form = match.groups()
            run.append(line)
            continue
        if len(run) >= _FEWEST_DESCRIBED:
            as_document(run)
        run = [line] if match else []
        form = match.groups() if match else ()
    if len(run) >= _FEWEST_DESCRIBED:
        as_document(run)


def _help(lines: list[Line]) -> None:
    inside = False
    for line in lines:
        text = line.text
        if _USAGE.match(text):
            inside = True
        elif inside and text[:1].strip() and not text.rstrip().endswith((":", ".")):
            inside = False
        if inside:
            as_document([line])
