"""Options in configurations and code: `key: value`, `"key": value`, `key = value`, keyword arguments and printed dictionaries."""

from __future__ import annotations

import re

from triage.facts import Observation
from triage.parsers.contrasts import Contrast
from triage.parsers.seen import observe_option
from triage.reading import Block, Line, Log
from triage.reading.lazy import Gated, Pattern
from triage.reading.log import NO_PREFIX
from triage.reading.prose import ERROR_LINE, looks_like_prose

MAX_OPTIONS = 400
MAX_CANDIDATES = 50_000  # a block
_REACH = 64

_BEFORE_COLON = Pattern(r"[\"']([A-Za-z_][\w-]{1,60})[\"'] ?\Z")
_KEY = Pattern(r"[ \t]{0,40}(?:- |\* )?[\"'`]?([a-z_][\w-]{1,60})[\"'`]? ?\Z")
_VALUE = Pattern(
    r"[ \t]{0,4}(?:\"([^\"\n]{0,120})\"|'([^'\n]{0,120})'"
    r"|((?:[A-Za-z_][\w./:-]{0,100}|[0-9]{1,3}(?:,[0-9]{3}){1,4}(?![0-9,.])|[-+]?[0-9.][\w.+-]{0,40}(?: ?[KMGT]i?B)?"
    r"|/[\w./-]{1,100}|\[[^\[\]\n]{0,80}\]|<\w[\w.]{0,60}: [^<>\n]{0,60}>)))"
    r"[ \t]{0,4}(?=[,)\]};#\n\uff0c\u3002`]|\Z|[ \t]| \\)"
)
_RECOMMENDED = Pattern(
    r"(?:\b(?:[Tt]ry|[Cc]onsider|[Pp]ass|[Pp]assing|[Ss]et|[Ss]etting|[Uu]se|[Uu]sing|[Ss]pecify|[Ll]oad|argument|with"
    r"|need|should|must|or|e\.g\.)"
    r"|[`\"'])[^.,;(){}\n]{0,30}\Z"
)
_PAIR = Pattern(r"(?:\A|[,{(;:] {0,2})([a-z_][\w-]{1,60}): {0,2}(?=[^\s,:])")
_PHRASE = Pattern(r"[A-Z][A-Za-z .,&()/-]{2,60}\Z")
_NOT_LETTERS = Pattern(r"[^a-z0-9]+")
# What a person says of an option, in a sentence: max_model_len is 8192, cutoff_len 设为 4096, batch_size 4. In a request it is no setting.
_SPOKEN = Gated(
    r"(?<![\w.=\"'\[/-])([a-z]{2,20}(?:_[a-z]{1,20}){1,5})[`*]?"
    r"(?: ?\uff1a ?| (?:is |was |of |to |set to |= )| ?(?:\u8bbe\u7f6e?\u4e3a|\u8bbe\u6210|\u4e3a|\u662f) ?| )[`*]?"
    r"(?=[0-9]{1,7}(?:\.[0-9]{1,4})?(?![\w.%-]*[\w%])|(?:[Tt]rue|[Ff]alse|bf16|fp16|fp32|bfloat16|float16|float32|int8|int4|fp8|nf4)\b"
    r"|(?:on|off|auto|none|None)(?:[,;)\n\uff0c\u3001\u3002\uff1b]|\.?\Z|\.\s))"
)
_SWITCHED = {"on": "true", "off": "false"}
_WISHED = Pattern(
    r"\b(?:[Tt]ry|[Cc]onsider|[Ss]hould|[Cc]ould|[Mm]ust|[Mm]ay|[Nn]eeds?|[Ww]ould|[Rr]ecommend\w*|[Ss]uggest\w*)\b[^.,;\n]{0,40}\Z"
    r"|\u5efa\u8bae[^\n\u3002]{0,20}\Z"
)
# "It worked with cutoff_len 1024 but with 4096 I get this": what works is not what failed; the value that follows the turn is.
_WORKED = Pattern(  # behind the value
    r"[`*]{0,2} ?\u65f6?[\u5c31\u662f]?(?:\u53ef\u4ee5|\u6b63\u5e38|\u6ca1\u6709?\u95ee\u9898|\u80fd\u8dd1)"
    r"|[`*]{0,2} (?:works|worked|is fine|was fine|runs|ran|fits)\b"
)
_TURNED = Pattern(
    r"[^.;\n\u3002]{0,40}?(?:\b(?:but|while|whereas|yet|however)\b|\u4f46|\u800c|[,\uff0c])[^.;0-9\n\u3002]{0,30}[ `*\u4e00-\u9fff]"
    r"([0-9]{1,7}(?:\.[0-9]{1,4})?)(?![\w%]|\.[0-9])"
)
_SEPARATORS = " \t({[,;*`'\"|\uff08\uff0c"
_SKIP_NAMES = frozenset((
    "error", "warning", "warn", "info", "note", "http", "https", "file", "hint", "message", "traceback", "usage", "srun", "pip", "bash",
    "raise", "debug", "fatal", "self", "cls", "line", "src", "href", "alt", "class", "style", "docker", "wandb", "slurmstepd", "make",
    "nvidia", "cause", "reason", "assert", "return", "import", "from", "except", "else", "try", "finally", "def", "for", "if", "while",
    "with", "in", "is", "and", "or", "not", "lambda", "print", "time", "loss", "epoch", "step", "date", "see", "at", "to", "by", "on",
    "id", "uuid", "pid", "addr", "fd", "thread", "block", "frame",
))  # fmt: skip


class _Options:
    """Options found, each once."""

    def __init__(self, user_code: frozenset[int]) -> None:
        self.observations: list[Observation] = []
        self.user_code = user_code
        self._seen: set[tuple[str, str]] = set()

    def full(self) -> bool:
        return len(self.observations) >= MAX_OPTIONS

    def add(self, name: str, value: str, line: Line) -> None:
        name = name.replace("-", "_").lower()
        if name in _SKIP_NAMES or (name, value) in self._seen or self.full():
            return
        self._seen.add((name, value))
        self.observations.append(observe_option(name, value, line))


def parse_configuration(log: Log, user_code: frozenset[int] = frozenset()) -> list[Observation]:
    """Facts `option` from configuration text and code; names in lower case with underscores.

    Of the source that tracebacks show only the lines in `user_code` count, where an argument is a constant.
    """
    options = _Options(user_code)
    for block in log.blocks():
        if options.full():
            break
        if "=" in block.text:
            _equals(block, options)
        if ":" in block.text:
            _colons(block, options)
            _listed(block, options)
        if "_" in block.text:
            _spoken(block, options)
    return options.observations


def _equals(block: Block, options: _Options) -> None:
    text = block.text
    position = -1
    for _ in range(MAX_CANDIDATES):
        position = text.find("=", position + 1)
        if position < 0 or options.full():
            return
        after = text[position + 1 : position + 2]
        before = text[position - 1 : position]
        if after == "=":
            position += 2
            while text[position : position + 1] == "=":
                position += 1
        elif before and (before.isalnum() or before in "_ \"'"):
            head = text[max(0, position - _REACH) : position]
            head = head[head.rfind("\n") + 1 :]
            name, start = _name_before(head)
            if name:
                _equal(block, position, head, name, start, options)


def _name_before(head: str) -> tuple[str, int]:
    """The name that an equals sign assigns to, without the objects it belongs to, and where in `head` it starts; '' for none."""
    stem = head.rstrip(" ")
    if stem.endswith(("'", '"')):
        stem = stem[:-1]
    end = len(stem)
    for separator in _SEPARATORS:
        stem = stem[stem.rfind(separator) + 1 :]
    start = end - len(stem)
    name = stem.rpartition(".")[2]
    if len(name) < 2 or not name.isascii() or not name.isidentifier():
        return "", 0
    return name, start


def _equal(block: Block, position: int, head: str, name: str, start: int, options: _Options) -> None:
    text = block.text
    spaced = head.endswith(" ")
    if name.isupper() and not spaced:
        return  # an environment variable
    line = block.line(position)
    if line.role == "diff" or (line.role == "source" and (spaced or line.number not in options.user_code)):
        return
    value = _VALUE.match(text, position + 1)
    if value is None or (line.role == "source" and not _is_literal(value)):
        return
    rest = text[value.end() : value.end() + 1]
    if spaced:
        if rest not in ("", "\n", "#", ",", "|") or (value[3] is not None and not _is_constant(value[3])):
            return
        if line.role == "output" and "  " not in head.strip():
            phrase = _PHRASE.match(head.rpartition("|")[2].strip())
            if phrase is not None and " " in phrase[0]:
                name = _NOT_LETTERS.sub("_", phrase[0].lower()).strip("_")
    elif line.role == "output":
        if value[3] is not None and text[value.end(3) : value.end(3) + 1] == "(":
            return
        if rest not in ",)}]" and _RECOMMENDED.search(head, max(0, start - 34), start):
            return  # an error message that recommends it
    options.add(name, _written(value), line)


def _is_literal(value: re.Match[str]) -> bool:
    bare = value[3]
    return bare is None or bare[0].isdigit() or bare in ("True", "False", "None")


def _is_constant(bare: str) -> bool:
    return bare[0] in "-+.0123456789[/" or bare in ("True", "False", "None", "true", "false", "null") or "." in bare or bare.islower()


def _colons(block: Block, options: _Options) -> None:
    text = block.text
    position = -1
    for _ in range(MAX_CANDIDATES):
        position = text.find(":", position + 1)
        if position < 0 or options.full():
            return
        before = text[position - 1 : position]
        after = text[position + 1 : position + 2]
        if before in ("'", '"') and before and after not in ("", ":", "\n"):
            named = _BEFORE_COLON.search(text[max(0, position - _REACH) : position])
            if named is not None:
                _colon(block, text, position, named[1], False, options)
        elif after == " " and (before.isalnum() or before in "_ `"):
            head = text[max(0, position - _REACH) : position]
            newline = head.rfind("\n")
            bare = head[newline + 1 :].strip(" \t-*`'\"").replace("-", "_")
            if (newline >= 0 or position < _REACH) and bare.isidentifier():
                named = _KEY.match(head[newline + 1 :])
                if named is not None:
                    _colon(block, text, position, named[1], True, options)


def _listed(block: Block, options: _Options) -> None:
    """Several pairs in one line, as in `alg_name: "KN", n_toks: 10`: a single one is more often a sentence."""
    start = 0
    for text in block.text.split("\n"):
        if text.count(": ") > 1 and len(text) < 4000 and ", " in text:
            found = [(pair[1], value) for pair in _PAIR.finditer(text) if (value := _VALUE.match(text, pair.end())) is not None]
            line = block.line(start)
            if len(found) > 1 and line.role not in ("diff", "source"):
                for name, value in found:
                    options.add(name, _written(value), line)
        start += len(text) + 1


def _spoken(block: Block, options: _Options) -> None:
    """What a sentence says that an option is."""
    text = block.text
    sound = Contrast(block)
    for match in _SPOKEN.finditer(text):
        line = block.line(match.start())
        if not _is_spoken(line, text[max(0, match.start() - 60) : match.start()]):
            continue
        value = _said(text, match, sound)
        if value:
            options.add(match[1], _SWITCHED.get(value, value), line)


def _said(text: str, option: re.Match[str], sound: Contrast) -> str:
    """The value of the option as it failed: where the sentence names one that worked and then another, the other; '' for none."""
    value = _VALUE.match(text, option.end())
    if value is None:
        return ""
    end = value.end(value.lastindex or 0)
    if not (sound.holds(option.start()) or _WORKED.match(text, end)):
        return _written(value)
    turned = _TURNED.match(text, end)
    return turned[1] if turned is not None else ""


def _written(value: re.Match[str]) -> str:
    """What stands between quotes, or the bare word without what ends a sentence."""
    return value[3].rstrip(".:") if value[3] is not None else value[1] if value[1] is not None else value[2]


def _is_spoken(line: Line, head: str) -> bool:
    """Whether an option is told in a sentence, and not asked for; among what is printed, sentences have no mark of a logger."""
    if line.role == "prose":
        return _WISHED.search(head) is None
    if line.role != "output" or line.prefix is not NO_PREFIX or not looks_like_prose(line.text):
        return False
    return ERROR_LINE.match(line.text) is None and _WISHED.search(head) is None


def _colon(block: Block, text: str, position: int, name: str, whole_line: bool, options: _Options) -> None:
    value = _VALUE.match(text, position + 1)
    if value is None:
        return
    if whole_line:
        rest = text[value.end() : value.end() + 1]
        if rest not in ("", "\n", "#") and not (rest == "," and text[value.end() + 1 : value.end() + 2] in ("", "\n")):
            return
    line = block.line(position)
    if line.role in ("diff", "source"):
        return
    options.add(name, _written(value), line)
