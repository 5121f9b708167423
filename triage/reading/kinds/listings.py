"""Tables of error codes and the help of programs: lines that name errors and report none.

They get the role 'document'.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

from triage.reading.lazy import Pattern
from triage.reading.log import NO_PREFIX, Line, as_document

_LONG = 2000  # characters of a line beyond which it is not looked at
_CODE = (
    r"[\s|*`-]{0,12}(?:-?[0-9]{1,6}: ?)?(?:(?:int|const \w{1,20}) |e[A-Z]\w{2,50} {0,30}= ?)?[\"']?"
    r"((?:CUDA_ERROR|CUFFT|(?:CU|HIP)[A-Z]{2,12}_STATUS|(?:NVML|NVRTC|HIP|NCCL|VK|DXGI)_ERROR|rocblas_status)_\w{1,60}"
    r"|(?:cuda|hip)Error[A-Z]\w{1,60}|nccl[A-Z]\w{0,40}(?:Error|Usage|Argument))\b[\"']?"
)
_CONSTANT = Pattern(_CODE)
_CODED = Pattern(r"\s*\{\"(?:code|id|value)\": ?-?[0-9]{1,6}, ?\"name\": ?\"\w{4,60}\"")
_DEFINED = Pattern(_CODE + r"[`*]{0,3} {0,40}(?:= ?|\()-?[0-9]{1,6}\)?,?\s*$")
_FEWEST_DEFINED = 2
# One is enough: with its number, or as an element or a declaration, set off from the margin.
_ENUMERATED = Pattern(
    _CODE + r" {0,40}= {0,3}-?[0-9]{1,6},\s*$|(?: {2,}|\t)(?=\S)" + _CODE + r",\s*(?:#.*|//.*)?$|(?: {2,}|\t)(?=int )" + _CODE + r"\s*$"
)
_KINDS = ("_ERROR_", "_STATUS_", "_status_", "CUFFT_", "cudaError", "hipError", "nccl")
_MANY = 4  # different codes at the beginnings of as many lines make a table
_BARE = Pattern(r"\s{0,8}((?:CUDA|HIP|NVML|NVRTC|NCCL)_(?:ERROR|SUCCESS)\w{0,60}|CU[A-Z]{2,10}_STATUS_\w{1,60})\s*$")
_FEWEST_BARE = 3  # names that stand alone, each in its line: somebody printed what there are
_EXPLAINED = Pattern(r"\s{0,8}[-*+\u2022] {1,3}[`*]{0,3}(?:[A-Za-z]\w{3,60})[`*]{0,3} ?[:：] ?\S.{3,300}$")  # items of a list
_FEWER = 3  # where each is explained
_USAGE = Pattern(r"usage: \S")
_WATCHED = Pattern(
    r"\s{0,40}(?:- )?[\"']?(?:match|matches|pattern|patterns|regex|contains|expr|alert|on|retry_on|grep|query)[\"']?: ?(?:\[ ?)?[\"'|>]"
)
# What an alert says when it fires: told beforehand where its expression or a template stands beside it, else it has fired.
_ANNOTATED = Pattern(r"\s{0,40}(?:- )?[\"']?(?:summary|description|help|message)[\"']?: ?(?:\[ ?)?[\"'|>]")

_HEADS = Pattern(r"\s{4,}(?:(?:Aggregate|Volatile) )?ECC Errors\s*$")  # of what nvidia-smi -q counts below it
_TASK = Pattern(r"\s{0,20}- name: \S")
_TASK_KEY = Pattern(r"\s{2,24}(?:[a-z_]+(?:\.[a-z_]+){1,3}|uses|run|if|when|with|env|shell|command|fail|debug|assert|id):(?:\s|$)")
_SAYS = Pattern(r"\s{2,24}(?:msg|fail_msg|success_msg|when|failed_when|that): ?\S")
# What programs may show, in files of translations.
_RESOURCE = Pattern(r"\s*<(?:string|data|key|source|translation|target)(?: [\w:]{1,20}=\"[^\"]{1,200}\")+>.*</\w+>\s*$")
_GETTEXT = Pattern(r"msg(?:id|id_plural|str(?:\[[0-9]\])?) \".*\"\s*$")
_PAIR = Pattern(r"\s*\"(?P<key>[^\"]{1,400})\": (?:(?P<text>\".*\")|[^\s{].*?),?\s*$")  # of JSON, one a line
_NESTED = Pattern(r"\s*(?:\"[^\"]{1,400}\": )?[{}]{1,2},?\s*$")
_OF_EVENTS = Pattern(  # keys of what reports something or describes a machine
    r"(?:time\w*|ts|date|level|severity|logger|msg|message|log|event|error|exception|traceback|stack\w*|std(?:err|out)|output|status"
    r"|state|reason|code|exit\w*|job\w*|host\w*|node|pod|container\w*|namespace|source|service|details?|cause|cmd|command|body|url|text"
    r"|startsAt|title|\w*version\w*|\w*platform|os|os_\w+|python\w*|torch\w*|cuda\w*|(?:\w+_)?driver\w*|(?:\w+_)?gpu\w*|is_\w+)$",
    2,
)
_NUMBERED = Pattern(r"\"v?[0-9]+\.[0-9][\w.+-]*\"$")  # a version, which is no text to show
_FEWEST_TEXTS, _MANY_TEXTS = 3, 40
_MOST_EVENTS = 5  # so many texts are needed for each key of that kind

# What documents a function or a configuration: a name and a sentence about it, or a value with a remark.
_DESCRIBED = Pattern(r"(\s{2,24})[a-z]\w{0,60}(?: \([^)]{1,80}\))?: (?:\S+ ){3}|(\w{0,2})\w{1,60} ?= ?\S{1,80} {1,8}# ?\w")
_FEWEST_DESCRIBED = 3
_FAILS = Pattern(
    r"\s+\w+: (?:(?:fatal )?error(?:: | \w+ing )|warning: |(?:failed|unable) to |could not |cannot )"
)  # what a function says of itself

# What documents a variable of the environment or an option: its name as code, and what it does or holds.
_OPTION = Pattern(
    r"\s{0,12}[-*+] {1,3}\*{0,2}`(?:[A-Z][A-Z0-9_]{3,60}(?:=[^`]{0,60})?|--?[a-z][\w-]{1,40}(?:[= ][^`]{0,60})?|[a-z][\w.]{2,40})`\*{0,2}"
    r"(?: \([^()]{1,60}\))? ?(?::|--|[-\u2013\u2014]) "
    r"(?:(?:Adds|Allows|Avoids|Caps|Checks|Configures|Controls|Defines|Detects|Determines|Disables|Enables|Forces|Ignores|Limits|Logs"
    r"|Overrides|Prints|Reports|Retries|Selects|Sets|Shows|Skips|Specifies|Suppresses|Switches|Turns|Uses) "
    r"|(?:`[^`]{1,20}` or `[^`]{1,20}`|an? |the |integer|number|path|string|whether).{0,160}(?:by default|default(?:s to)?:? ?`))"
)


def mark_listings(lines: list[Line], has: Callable[[str], bool]) -> None:
    """Give the role 'document' to lists of error codes, of options, and of messages that a configuration watches for.

    `has` tells whether a string occurs in the input at all.
    """
    if any(map(has, _KINDS)):
        _codes(lines)
        _definitions(lines)
        bare = {match[1]: line for line in lines if (match := _BARE.match(line.text))}
        as_document(bare.values() if len(bare) >= _FEWEST_BARE else ())
    if has("usage: "):
        _help(lines)
    if has("- `") or has("* `") or has("**`"):
        as_document([line for line in lines if len(line.text) <= _LONG and _OPTION.match(line.text)])
    if has(" #") or has("\n    "):
        _descriptions(lines)
    if has("match") or has("pattern") or has("regex") or has("alert") or has("expr") or has("retry"):
        as_document([line for line in lines if len(line.text) <= _LONG and _WATCHED.match(line.text)])
    if has("expr:") or has('expr"') or has("{{"):
        as_document([line for line in lines if len(line.text) <= _LONG and _ANNOTATED.match(line.text)])
    if has("ECC Errors\n"):
        as_document([line for line in lines if _HEADS.match(line.text)])
    if has("- name: "):
        _tasks(lines, has)
    if has("msgid ") or has("msgstr ") or has('": "') or has("<string name="):
        _translations(lines)


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
    defined = [line for line in lines if _DEFINED.match(line.text) or _CODED.match(line.text)]
    if len(defined) < _FEWEST_DEFINED:
        as_document([line for line in lines if _ENUMERATED.match(line.text)])
        return
    inside = False
    for line in lines:
        inside = _DEFINED.match(line.text) is not None or _CODED.match(line.text) is not None or (inside and line.text[:1].isspace())
        if inside:
            as_document([line])


def _tasks(lines: list[Line], has: Callable[[str], bool]) -> None:
    """Mark the names of tasks and steps of a playbook or a pipeline, and what a playbook says when it fails."""
    for line, below in itertools.pairwise(lines):
        if _TASK.match(line.text) and _TASK_KEY.match(below.text):
            as_document([line])
    if has("ansible.builtin.") or has("\n  when: ") or has("\n      when: "):
        as_document([line for line in lines if _SAYS.match(line.text)])


def _translations(lines: list[Line]) -> None:
    """Mark the texts that a program may show: gettext's, and in JSON keys whose values are all texts."""
    as_document([line for line in lines if line.text.startswith("msg") and _GETTEXT.match(line.text)])
    as_document([line for line in lines if line.text.lstrip()[:1] == "<" and len(line.text) <= _LONG and _RESOURCE.match(line.text)])
    run: list[Line] = []
    events = 0
    for line in lines:
        pair = _PAIR.match(line.text) if line.text[:1] in ' \t"' and len(line.text) <= _LONG else None
        if pair and pair["text"]:
            run.append(line)
            events += _OF_EVENTS.match(pair["key"]) is not None or _NUMBERED.match(pair["text"]) is not None
        elif pair or not _NESTED.match(line.text):
            _texts(run if not pair else [], events)
            run, events = [], 0
    _texts(run, events)


def _texts(run: list[Line], events: int) -> None:
    if len(run) >= _FEWEST_TEXTS and (len(run) >= _MANY_TEXTS or len(run) >= _MOST_EVENTS * events):
        as_document(run)


def _descriptions(lines: list[Line]) -> None:
    """Mark names that are explained one after another, alike in form."""
    run: list[Line] = []
    form: tuple[str, ...] = ()
    for line in lines:
        text = line.text
        worth = (": " in text or " #" in text) and len(text) <= _LONG and line.prefix is NO_PREFIX
        match = _DESCRIBED.match(text) if worth else None
        if match and (not run or match.groups() == form):
            form = match.groups()
            run.append(line)
            continue
        _described(run)
        run = [line] if match else []
        form = match.groups() if match else ()
    _described(run)


def _described(run: list[Line]) -> None:
    """Mark a run of explained names. What a program prints below its functions' names, pasted with a margin, has some of them again, or
    says what failed."""
    names = {line.text.partition(":")[0].strip() for line in run}
    if len(run) >= _FEWEST_DESCRIBED and len(names) == len(run) and not any(_FAILS.match(line.text) for line in run):
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
