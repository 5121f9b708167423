"""Versions of packages, CUDA, the driver and Python, wherever a text names them.

Every number with a dot is looked at together with the words before it, so one pass over a text finds
"torch 2.1.0", "PyTorch version: 2.1.0+cu118", "torch==2.1.0", "vllm-openai:v0.6.3", "Driver Version: 551.78" and the "python3.10" of a
path alike. Each find has a strength; the observations come strongest first, so that the first of a package is the best known one.
"""

from __future__ import annotations

import re
from itertools import islice

from triage.engine.values import Value, Version
from triage.facts import Observation
from triage.facts.quantities import parse_cuda_version, parse_cudnn_version, parse_driver_version, parse_version
from triage.parsers.packages import ALIASES, BUILD, IMPLIED, KNOWN, OWN_NAMES, PRINTED, REQUESTED, SAID, SUFFIX, WEAK, canonical
from triage.parsers.seen import observe
from triage.parsers.version_forms import FORMS, SPOKEN
from triage.parsers.version_layouts import column_versions, heading_above, listed_versions
from triage.parsers.version_pairs import PAIRS
from triage.parsers.version_unlisted import name_of_unlisted
from triage.parsers.version_words import (
    JOINED,
    TAGGED,
    WORD,
    before_the_move,
    is_dismissed,
    is_former,
    is_left_behind,
    is_spared,
    named_after,
    of_two_words,
    owner_behind,
    phrase_before,
    without_closing,
)
from triage.reading import Block, Line, Log
from triage.reading.lazy import Gated, Pattern
from triage.reading.log import SPOKEN as SPOKEN_ROLES
from triage.reading.texts import FixedTexts

MAX_VERSIONS = 400
MAX_CANDIDATES = 50_000  # a block
ENOUGH_IN_VAIN = 100  # numbers after one word, none of them a version: those of a metric that every step prints

_NUMBER = Pattern(
    r"[0-9][0-9]{0,3}\.[0-9]{1,8}(?:\.[0-9]{1,8}){0,3}(?:(?:[.-]?(?:(?:post|dev|rc|alpha|beta)\.?[0-9]{1,10}|[ab]\.?[0-9]{1,10}(?![0-9A-Za-z]))){1,2}|-?rc(?![A-Za-z0-9])|-(?:M[0-9](?:\.[0-9])?|alpha|beta|SNAPSHOT|tf)(?![A-Za-z0-9.]))?"
    # a local suffix, not what else is listed: "python3.8+pytorch1.10"
    r"(?:\+(?!(?:cudnn|nvidia|driver)(?![a-z])|(?:py|python|pytorch|torch|mmcv|tf|tensorflow|tensorrt|ubuntu|transformers|vllm"
    r"|cuda[0-9.]{1,6}\+[a-z]{2,12}|[A-Zc][A-Za-z]{1,4}[A-Z][A-Za-z]{0,5}|Cuda|Torch|Pytorch|Python) ?[0-9]{1,2}\.)"
    r"[A-Za-z0-9]{1,20}(?:[._][A-Za-z0-9]{1,20}){0,4})?"
)
_DIGITS = tuple("0123456789+-")
_SEPARATORS = " \t:=(\"'`-@*|\uff1a\uff08,[\uff0c\uff1d\u2013\u2014"
_REQUIREMENT = (">=", "<=", "~=", "!=", ">", "<", ">= ", "<= ", "> ", "< ", "^", "~> ")
_OR_NEWER = (
    " or newer", " or later", " or higher", " or above", " or greater", " and above", " and later", " and newer", " and up", "+ or",
    " is the minimum",
    " \u6216\u66f4\u9ad8", "\u6216\u66f4\u9ad8", "\u4ee5\u4e0a", "\u53ca\u4ee5\u4e0a", " \u4ee5\u4e0a", " \u53ca\u4ee5\u4e0a",
    "\u6216\u4ee5\u4e0a",
)  # fmt: skip
_NOT_HELD = (*_OR_NEWER, " (you have ")  # asked for, or what a wheel was built for
# Names that stand before a version without any separator.
_GLUED = ("python", "cuda", "torch", "rocm", "pytorch", "cudnn", "cudn", "vllm", "py", "cu", " version", " ver", "tensorflow r", " l4t r")
_REQUESTING = ("nstall", "Collecting", "(from", "No matching distribution", "Could not find a version", " requires ", " depends on ")
_PATH = Pattern(r"[/\\][^\n]*\Z")
_EXAMPLE = Pattern(
    r"(?:[(\uff08](?:e\.?g|i\.e|ex\b|like|such as|\u4f8b\u5982|\u6bd4\u5982|\u5982)[^)\uff09]{0,60}"
    r"|\b(?:e\.g\.|for example),? [^.)\n]{0,24}|[,\uff0c]\s?(?:\u4f8b\u5982|\u6bd4\u5982|\u5982) ?[^,\uff0c\u3002\n]{0,40})\Z",
    re.IGNORECASE,
)
_EXAMPLE_WORDS = ("e.g", "(eg", "\uff08eg", "i.e", "(ex", "\uff08ex", "like", "such as", "for example", "\u5982")
_ADVISING = ("ecommend", "uggest", "equire", "\u9700\u8981", "\u8981\u6c42", "\u5fc5\u987b")
_ADVISED = Pattern(
    r"\b(?:[Rr]ecommend|[Ss]uggest)(?:s|ed|ing)? (?:just |simply |to )?(?:us|install|tr[yi]|downgrad|upgrad|pin)\w{0,4} (?:to )?"
    r"`{0,3}[\w.-]{2,20}(?:==| version | )v?\Z"
    r"|(?:\b[Rr]equires?|\u9700\u8981|\u8981\u6c42|\u5fc5\u987b) ?(?:\u7528|\u4f7f\u7528|\u5b89\u88c5)?"
    r"`{0,3}[\w.-]{2,20}?(?:==| version | )?v?\Z"
)
_SOLD_APART = ("tensorflow", "onnxruntime", "paddle", "faiss")  # for GPUs under a name of its own

_JUST_VERSION = ("version", "versions", "ver", "\u7248\u672c", "\u7248\u672c\u53f7")  # of what, the heading says
_MARKS_OF_A_FIELD = " \t-*`_>:\uff1a"
_TWO_NAMES = Pattern(r"([A-Za-z][\w-]{1,20}) ?(?:/|&| and ) ?([A-Za-z][\w-]{1,20})(?: [vV]ersions?)?\Z")
_SECOND = Pattern(r" ?(?:/|,|&|and) ?v?([0-9]{1,3}(?:\.[0-9]{1,4}){1,3})(?![\w.])")


_LOCAL_CUDA = Pattern(r"\+(?:cu|cuda)([0-9]{2,3}(?:\.[0-9])?|[7-9]\.[0-9])")
_LOCAL_ROCM = Pattern(r"\+rocm([4-9]\.[0-9](?:\.[0-9])?)")
_TORCH_BUILD = Pattern(r"\A[12]\..*\+(?:cu[0-9]{2,3}|cpu|xpu|rocm[0-9.]+)")
_COMPACT_CUDA = Pattern(r"[cC][uU](1[0-9][0-9]|9[0-2]|80|75)(?![0-9])")
_SATISFIED = Pattern(r"Requirement already satisfied: ([A-Za-z][\w.-]{0,80}).{0,1500}\(([0-9][\w.+!-]{0,60})\)\s*$", re.MULTILINE)
_INSTALLED = Pattern(r"(?<=\s)([A-Za-z][\w.-]{0,80}?)-([0-9][0-9A-Za-z.+!]{0,60})(?=\s|$)")
_LISTING = Pattern(r"\b(?:pip3?|conda|mamba) list\b")
_PIP_ROW = Pattern(r"([A-Za-z][\w.-]{0,80})\s+([0-9][\w.+!-]{0,60})(?:\s+\S{1,200}){0,3}\s*$")


_CUDNN_NUMBER = Pattern(
    r"(?:cuDNN|CuDNN|CUDNN|Cudnn|cudnn)(?: lib(?:rary)?)?"
    r"(?:[ .]?(?:VERSION|[vV]er(?:sions?(?:\(\))?|\.))\"?[,)]{0,2}(?i: is)?)? {0,24}[:=]? {0,4}"
    r"([5-8][0-9]{3}|9[0-9]{4}|1[0-9]{5})\b"
)
_CUDNN_DEFINES = Pattern(
    r"CUDNN_MAJOR {1,8}([5-9])[\s,]{1,20}(?:#define )?CUDNN_MINOR {1,8}([0-9]{1,2})"
    r"[\s,]{1,20}(?:#define )?CUDNN_PATCHLEVEL {1,8}([0-9]{1,2})"
)
_CUDNN_CALL = Pattern(
    r"cudnn\.version\(\)\)?`{0,3}[ \t]{0,4}\n{1,2}(?:> {0,2}|Out ?\[[0-9]{1,3}\]: ?)?([5-9][0-9]{3}|[19][0-9]{4,5})[ \t]{0,4}(?=\n|\Z)"
)
_NAME_AND_NUMBER = Pattern(r"(?:cuda|cudnn|rocm|jetpack|tensorrt)[^\n0-9]{0,20}[0-9]")  # wherever `_MAJOR` finds something
# Major versions alone: "cuda 10", "CUDA12", "cudnn 7"; not a device ("cuda:7"), not the start of a longer number.
_MAJOR_FIELD = (  # the end of a field's name, or a table's bar
    r"[ _]?(?:version|Version|VERSION)`?\*{0,2}(?: ?[:\uff1a=]|:\*\*| -| ?\|) {0,2}"
    r"|\*\*: {1,2}|:\*\* {1,2}| ?\| {1,2}| ?={1,2} ?"
)
_MAJOR = Gated(
    r"(?:(?<![A-Za-z0-9_./])(?<!--)|(?<=[0-9]/))(?:"
    r"(cuda|CUDA|Cuda)(?:(?: ?(?:version|Version|\u7248\u672c)(?:\u662f|\u4e3a| is)?[:\uff1a]?| toolkit|:|\uff1a)?"
    rf"(?: {{1,2}}|(?<=[aA\uff1a\u662f\u4e3a])|-| ?\((?=v))|{_MAJOR_FIELD})v?([89]|1[0-3])"
    r"|(cudnn|cuDNN|CUDNN|CuDNN|Cudnn)(?:(?: ?(?:version|Version|\u7248\u672c)[:\uff1a]?|:|\uff1a)?[ -]{0,2}"
    rf"|{_MAJOR_FIELD})v?([2-9])"
    rf"|(ROCm|rocm|ROCM|JetPack|Jetpack|jetpack|TensorRT|tensorrt|Tensorrt)(?:(?: version)? {{0,1}}|: |{_MAJOR_FIELD})v?([4-9]|10)"
    r")(?=[\u548c\u3001\u53ca\u4e0e\u7684\u7248]|(?![\w*+%-]))(?!\.[\d*xX]"
    r"| (?:device|[Gg][Pp][Uu]|layer|card|second|node|engine|kernel|stream|op)s\b)"
)
_UPGRADED = Pattern(
    r"(?:pgrad|pdat|igrat|ump|ov)(?:e|ed|es|ing)? {1,2}(?:\w{1,20} )?from {1,2}([A-Za-z][\w-]{1,30})(?: version)?[ =]{1,2}"
    r"v?[0-9][\w.+]{1,20} to {1,2}(?:version )?v?([0-9]{1,4}\.[0-9](?:[\w.+]{0,18}\w)?)"
    r"|(?:(?:(?:[Uu]p|[Dd]own)grad|[Uu]pdat|[Cc]hang|[Mm]igrat|[Ss]witch|[Bb]ump)ed"
    r"|\b(?:have|has|had|did) (?:(?:up|down)grade|update|change))"
    r" {1,2}(?:(?:my|the|our) )?([A-Za-z][\w-]{1,30})(?: version)?(?: from)? {1,2}(?:version )?v?[0-9][\w.+]{0,20}"
    r" to {1,2}(?:version )?v?([0-9]{1,4}\.[0-9](?:[\w.+]{0,18}\w)?)"
)
_RAISED = Pattern(
    r"(?:(?:pgrad|pdat|owngrad)(?:e|es|ing|ed)|einstall(?:ed|ing)?) {1,2}(?!to\b)"
    r"(?:(?:my|the|our) )?(?:(?:NVIDIA|Nvidia|nvidia|GPU) )?([A-Za-z][\w-]{1,30})"
    r"(?: version)? to {1,2}(?:version )?v?([0-9]{1,4}\.[0-9](?:[\w.+]{0,18}\w)?)"
    r"|\b([A-Za-z][\w-]{1,30}) (?:(?:is|are|was|were|got|(?:has|have) been) )?(?:updated|upgraded|downgraded) to {1,2}(?:version )?v?"
    r"([0-9]{1,4}\.[0-9](?:[\w.+]{0,18}\w)?)"
)
_TO_A_NUMBER = Pattern(r" to {1,2}(?:version )?v?[0-9]{1,4}\.[0-9]")  # what both of them must hold, found much sooner
# "faster-whisper 0.10.0 -> 1.0.0": what came after.
_ARROW = Pattern(r"(?:[-=]>|\u2192) {0,2}v?([0-9]{1,3}\.[0-9][\w.+]{0,18})")
_BEFORE_ARROW = Pattern(r"([A-Za-z][\w.-]{1,30})(?: version| from)?[ :=(]{1,3}v?[0-9]{1,3}\.[0-9][\w.+]{0,18} {0,2}\Z")
# of which the first two numbers count
_BRIEF = ("cuda", "driver_cuda", "required_cuda", "toolkit", "runtime", "cudnn", "driver")
_OLD_CUDA = ("4.", "5.0", "5.5", "6.0", "6.5", "7.0", "7.5", "8.0")  # every release before 9
_NO_CUDA = ("5.", "6.", "7.", "8.")  # but for those
_PARSERS = {
    **dict.fromkeys(("cuda", "runtime", "driver_cuda"), parse_cuda_version),
    "cudnn": parse_cudnn_version, "driver": parse_driver_version,
}  # fmt: skip
_MAJOR_ONLY = ("cuda", "cudnn", "rocm", "jetpack")


class _Collector:
    """Finds, each once, with the strongest place that shows it."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], tuple[int, int, Line]] = {}
        self._order = 0
        self.lines: list[Line] = []  # of the block that is read

    def add(self, package: str, text: str, line: Line, strength: int, neighbours: bool = True) -> None:
        """Keep a find. `neighbours` says that what stands beside it may be versions too."""
        if package == "cuda" and text[:2] in _NO_CUDA and not text.startswith(_OLD_CUDA):
            package = "cudnn"  # in the field of both
        if package == "paddle":
            self.add("paddlepaddle", text, line, strength)  # the name of its wheels
        key = (package, text)
        if neighbours:
            self.lines.append(line)
        known = self._found.get(key)
        if known is None:
            if len(self._found) >= 4 * MAX_VERSIONS:
                return
            self._order += 1
            self._found[key] = (strength, self._order, line)
        elif known[0] < strength:
            self._found[key] = (strength, known[1], line)

    def observations(self) -> list[Observation]:
        ranked = sorted(self._found.items(), key=lambda item: (-item[1][0], item[1][1]))[:MAX_VERSIONS]
        observations = []
        for (package, text), (_, _, line) in _fullest_first(ranked):
            parse = _PARSERS.get(package, parse_version)
            version = parse(_formed(text, "nccl")) if package == "nccl" and text.isdigit() else parse(text)
            if version is not None:
                slots: dict[str, Value] = {"package": package, "version": version, "version_text": text}
                if (package in _MAJOR_ONLY and len(text) < 3) or " " in text:  # " " in a date: LAMMPS 2 Aug 2023
                    del slots["version"]  # which minor version it is decides most questions
                observations.append(observe("version", slots, line))
        return observations


def _fullest_first(ranked: list[tuple[tuple[str, str], tuple[int, int, Line]]]) -> list[tuple[tuple[str, str], tuple[int, int, Line]]]:
    """The same, but the best known version of a package gives way to the first that tells more of it: 1.12 to 1.12.0+cu113."""
    best: dict[str, int] = {}
    for index, ((package, text), (strength, _, _)) in enumerate(ranked):
        first = best.setdefault(package, index)
        known = ranked[first][0][1]
        if strength not in (WEAK, IMPLIED) and text.startswith((f"{known}.", f"{known}+")) and package not in _BRIEF:
            best[package] = index
        elif package == "cudnn" and known.isdigit() and "." in text and parse_cudnn_version(known) == _three_numbers(text):
            best[package] = index  # as people write what the library calls 8600
    order = [ranked[index] for index in best.values()]
    return order + [found for index, found in enumerate(ranked) if best[found[0][0]] != index]


def _three_numbers(text: str) -> Version | None:
    version = parse_version(text)
    return Version(version[:3]) if version is not None else None


_ANNOUNCING = FixedTexts([*[pair[0] for pair in PAIRS], *[form[0] for form in FORMS]])


def parse_versions(log: Log) -> list[Observation]:
    """Facts `version`, the best known one of each package first."""
    collector = _Collector()
    for block in log.blocks():
        collector.lines.clear()
        _numbers(block, collector)
        _marked(block, collector)
        for package, number, line in list(listed_versions(block, collector.lines)):
            collector.add(package, number, line, SAID - 1)
        for package, number, line in column_versions(block):
            _judge(package, number, SAID + 1, package, line, "", collector)
    return collector.observations()


def _numbers(block: Block, collector: _Collector) -> None:
    """Every dotted number whose words before it name a package."""
    text = block.text
    seen: set[tuple[str, str]] = set()
    fruitless: dict[str, int] = {}
    for match in islice(_NUMBER.finditer(text), MAX_CANDIDATES):
        start = match.start()
        before = text[start - 1 : start]
        if before.isascii() and before.isalpha() and before not in "vV":
            head = text[max(0, start - 16) : start].lower()
            if not head.endswith(_GLUED):
                word = WORD.search(head)
                if word is None or (word[0] not in KNOWN and word[0] not in ALIASES):
                    word = TAGGED.search(head)
                    if word is None or word[1] not in KNOWN:
                        continue
        elif (before in ",/+.\u2014" or before.isdigit()) and not text[max(0, start - 9) : start].endswith(
            (" pytorch.", " Ver.", " ver.", " v.", " V.")
        ):
            continue
        if text.startswith(_NOT_HELD, match.end()):
            continue
        head = text[max(0, start - 84) : start]
        key = (head[-24:], match[0])
        if key in seen:
            continue
        seen.add(key)
        last = head.rstrip(" ").rpartition(" ")[2]
        last = "0" if last[:1] in _DIGITS else last  # one number after the other
        vain = fruitless.get(last, 0)
        if vain >= ENOUGH_IN_VAIN:
            continue
        newline = head.rfind("\n")
        words = head[newline + 1 :]
        if newline >= 0 and not words.strip(" \t-*`vV>"):
            words = heading_above(block, start)
        elif newline >= 0 and words.strip(_MARKS_OF_A_FIELD).lower() in _JUST_VERSION:
            words = heading_above(block, start) or words
        if not _number(words, head, match[0], block, start, collector):
            fruitless[last] = vain + 1


def _number(head: str, context: str, number: str, block: Block, start: int, collector: _Collector) -> bool:
    """Add the version that a number is by the words before it; whether there is one."""
    if is_left_behind(head, block, start + len(number)):
        return True
    head = stripped = before_the_move(head)
    bare = head.rstrip(" ").removesuffix(".")
    if bare[-1:] in ("v", "V", "r", "R") and not bare[-2:-1].isalnum():
        stripped = bare[:-1]
    if stripped.endswith(("=> ", "=>", "-> ", ">>", ">> ")):  # as forms put it
        stripped = stripped.rstrip("=-> ")
    elif stripped.endswith("<td>"):
        stripped = stripped[:-4].rstrip().removesuffix("</td>").rpartition(">")[2]
    elif stripped.endswith((".. ", "..", "pytorch.")):  # ds_report
        stripped = stripped.rstrip(". ")
    if any(map(stripped.lower().__contains__, _EXAMPLE_WORDS)) and _EXAMPLE.search(stripped):
        return False
    if stripped.endswith(_REQUIREMENT):
        asked = stripped.rstrip(">= ").lower()
        if asked.endswith("cuda") and not asked[-5:-4].isalnum():
            collector.add("required_cuda", number, block.line(start), REQUESTED)
        return True
    if " trained with " in stripped and "odel was trained with " in stripped:
        return False  # "yours is" follows
    explicit = stripped.endswith("==")
    stripped = stripped.rstrip(_SEPARATORS)
    if "__version__" in stripped[-32:]:
        stripped = stripped.removesuffix(" is").rstrip(" )`")
    if stripped.endswith("]"):
        stripped = stripped[: stripped.rfind("[")]  # extras
    if any(map(stripped[-40:].__contains__, JOINED)) and _both(stripped, number, block, start, collector):
        return True
    word = (
        stripped[stripped.rfind(" ") + 1 :]
        .rsplit("/", 1)[-1]
        .rsplit("(", 1)[-1]
        .rsplit("\uff0c", 1)[-1]
        .rsplit("\uff1a", 1)[-1]
        .lstrip("([{\"'`*")
        .lower()
    )
    word = word[word.rfind("{'") + 2 :] if "{'" in word else word  # the first of a dictionary
    word = word.removesuffix(".__version__").removesuffix(".version").removesuffix("_version").removesuffix("-version")
    if word.endswith("_"):
        word = word.rstrip("_").rpartition("_")[2]  # a library that bears the version of another package
    package = of_two_words(without_closing(stripped) if stripped.endswith(")") else stripped) or canonical(word)
    strength = SAID
    if explicit and word == "version":
        package, strength = phrase_before(stripped, "")
    elif explicit and package not in KNOWN:
        match = WORD.search(stripped[-60:])
        package = canonical(match[0].lower().removesuffix(".__version__").removesuffix(".version").replace("_", "-")) if match else ""
    elif (
        (package not in KNOWN and word != "cuda_runtime")
        or (package == "cuda" and len(stripped) > 5)
        or stripped.endswith("used to build PyTorch")
    ):
        package, strength = phrase_before(stripped, package, not head[-1:].isspace())
    if not package:
        if "+" in number and _TORCH_BUILD.search(number):
            package = "torch"
        else:
            package, strength = named_after(stripped, block.text, start, start + len(number)), WEAK
    owner = owner_behind(head, block.text, start + len(number), bool(package))
    if owner:
        package, word, strength = owner, owner, SAID
    line = block.line(start)
    if not package:
        name = name_of_unlisted(head, number, block.text, start) if line.role in SPOKEN_ROLES else ""
        if name in KNOWN:
            _judge(name, number, SAID - 1, name, line, context, collector)
        elif name:
            collector.add(name, number, line, WEAK, neighbours=False)
        return bool(name)
    if is_former(head):
        strength = WEAK
    elif any(map(head.__contains__, _ADVISING)) and _ADVISED.search(head):
        strength = REQUESTED - 1
    elif explicit:
        strength = REQUESTED if any(mark in line.text for mark in _REQUESTING) else PRINTED
    elif stripped[: -len(word)].rstrip().endswith((" from", "\u4ece")) or is_dismissed(head) or is_spared(head, block, start + len(number)):
        strength = WEAK  # what was replaced or tried, or did not fail
    if block.text.startswith(("?", "\uff1f"), start + len(number)):
        strength = REQUESTED - 1  # asked about
    if word not in OWN_NAMES and package in _SOLD_APART:
        own = without_closing(stripped.lower()).replace("_", "-")
        word = next((name for name in OWN_NAMES if own.endswith(name)), word)
    _judge(package, number, strength, word, line, context, collector)
    return True


def _both(head: str, number: str, block: Block, start: int, collector: _Collector) -> bool:
    """Two packages and behind them their versions, "CUDA/cuDNN: 11.1/8.0.5"; whether that is what stands there."""
    names = _TWO_NAMES.search(head[-60:])
    second = _SECOND.match(block.text, start + len(number)) if names is not None else None
    if names is None or second is None:
        return False
    packages = [canonical(name) for name in names.groups()]
    if not KNOWN.issuperset(packages):
        return False
    line = block.line(start)
    for package, found in zip(packages, (number, second[1]), strict=True):
        _judge(package, found, SAID, package, line, "", collector)
    return True


def _judge(package: str, number: str, strength: int, word: str, line: Line, context: str, collector: _Collector) -> None:
    """Second thoughts where the nearest word misleads."""
    major = int(number.partition(".")[0])
    text = line.text
    if major > 16 and "nvcr.io/nvidia/" in context[-48:]:
        return  # the month of the image
    if package == "cuda" and "uDNN " in text and context.endswith("(built against CUDA "):
        strength = WEAK  # of another library
    if package == "cuda" and context.endswith("uild cuda_"):
        package = "nvcc"  # the last line of `nvcc --version`
    if (package == "ubuntu" and (not 12 <= major <= 40 or f"{number}-" in text)) or (package == "conda" and major < 4):
        return  # GCC 14.2.0 of Ubuntu: "(Ubuntu 14.2.0-4ubuntu2~24.04.1)"
    if package == "windows" and major not in (7, 8, 10, 11):
        return
    if package == "debian" and (f"{number}-" in text or (number.count(".") > 1 and "SMP" in text)):
        return  # of GCC, and of the kernel as `uname -a` prints it
    if package == "torch" and major > 4:
        if major < 20 and ("compile" in context or "CUDA" in context or "cuda" in context):
            collector.add("cuda", number, line, BUILD if "compile" in context or "buil" in context else WEAK)
        return
    if package == "cuda":
        if "[052768ef]" in text:  # the package of Julia, not what it downloads
            collector.add("cuda.jl", number, line, PRINTED)
            return
        if major < 4 or (major < 9 and ("CUDA Toolkit" in text or "capability" in text or word.endswith("capability"))):
            return
        if major >= 10 and ("NVIDIA-SMI" in text or "Driver Version" in text):  # nvidia-smi tells it since driver 410
            collector.add("driver_cuda", number, line, PRINTED)
            strength = IMPLIED
        elif 300 <= major < 1000:
            package = "driver"  # which people take for CUDA's
        elif major > 20:
            return
        elif major < 9 and "udnn" in context.lower() and not number.startswith(_OLD_CUDA):
            package, strength = "cudnn", min(strength, IMPLIED)  # the only one that a field for both holds
    elif package == "python":
        if major not in (2, 3):
            return
        joined = _LOCAL_CUDA.search(number)
        if joined:  # "python3.9+cuda11.3"
            number = number[: joined.start()]
            collector.add("cuda", str(parse_cuda_version(joined[1])), line, SAID)
        if word.endswith("python") and _PATH.search(context[-40:]):
            strength = IMPLIED
    elif (package == "driver" and major < 100) or (package == "cudnn" and (9 < major < 1000 or f"{number}-linux" in text)):
        return  # cudnn-9.0-linux-x64-v7 is cuDNN 7
    elif package == "driver_cuda" and major >= 100:
        package = "driver"  # "CUDA driver version" is said of either
    elif package == "nvcc":
        collector.add("toolkit", number, line, IMPLIED)
        collector.add("cuda", number, line, WEAK)
    elif package == "toolkit" or package == "runtime":
        collector.add("cuda", number, line, WEAK)
    if package != word and word.startswith(("nvidia-", "nvidia_")) and package != "driver":
        strength = min(strength, IMPLIED)
    if package == "torch" and "+cuda" in number and "." in number.partition("+")[2]:  # two that are listed: "pytorch1.1+cuda9.0"
        number, _, listed = number.partition("+cuda")
        collector.add("cuda", listed, line, min(strength, SAID))
    if "xisting installation" in text or "ninstalling" in text:
        strength = min(strength, WEAK)
    collector.add(package, number, line, strength)
    own = word.replace("_", "-")
    if own in OWN_NAMES or word.startswith("cupy-cuda"):
        collector.add(own, number, line, strength)
    if package in ("torch", "torchvision", "torchaudio", "vllm", "flash-attn", "xformers", "nccl"):
        local = _LOCAL_CUDA.search(number)
        if local:
            version = parse_cuda_version(local[1])
            collector.add("cuda", str(version), line, SUFFIX if package == "torch" else IMPLIED)
    if package == "torch" and "+rocm" in number:
        rocm = _LOCAL_ROCM.search(number)
        if rocm:
            collector.add("rocm", rocm[1], line, SUFFIX)


def _marked(block: Block, collector: _Collector) -> None:
    """Forms that a literal announces."""
    text = block.text
    if "Requirement already satisfied" in text:
        for match in _SATISFIED.finditer(text):
            _named(match[1], match[2], block.line(match.start()), PRINTED, collector)
    if "Successfully installed" in text:
        for line in block.lines:
            if "Successfully installed" in line.text:
                for match in _INSTALLED.finditer(line.text):
                    _named(match[1], match[2], line, PRINTED + 1, collector)
    if ("Package" in text and "Version" in text and "-----" in text) or "# Name " in text or " list" in text:
        _listed(block, collector)
    if "[conda]" in text or "pypi_0" in text or "conda-forge" in text:
        for line in block.lines:
            if "[conda]" in line.text or "pypi" in line.text or "conda" in line.text:
                row = _PIP_ROW.match(line.text.replace("[conda]", "").strip())
                if row:
                    _named(row[1], row[2], line, PRINTED, collector)
    lowered = text.lower()
    if "cu1" in lowered or "cu9" in lowered or "cu80" in lowered or "cu75" in lowered:
        for match in _COMPACT_CUDA.finditer(text):
            if not text[match.start() - 1 : match.start()].isalnum():
                line = block.line(match.start())
                collector.add("cuda", _formed(match[1], "compact"), line, REQUESTED if "nstall" in line.text else WEAK)
    if "cudnn" in lowered:
        for match in _CUDNN_NUMBER.finditer(text):
            collector.add("cudnn", match[1], block.line(match.start()), PRINTED)
        for match in _CUDNN_DEFINES.finditer(text):
            collector.add("cudnn", ".".join(match.groups()), block.line(match.start(1)), PRINTED)
        for match in _CUDNN_CALL.finditer(text):
            collector.add("cudnn", match[1], block.line(match.start(1)), PRINTED)
    if ("cud" in lowered or "rocm" in lowered or "jetpack" in lowered or "tensorrt" in lowered) and _NAME_AND_NUMBER.search(lowered):
        for match in islice(_MAJOR.finditer(text), MAX_VERSIONS):
            name, number = (match[1], match[2]) if match[1] else (match[3], match[4]) if match[3] else (match[5], match[6])
            line = block.line(match.start())
            if line.role not in ("source", "code", "diff"):
                collector.add(name.lower(), number, line, REQUESTED)
    if " to " in text and ("grad" in text or "pdat" in text or "rom " in text or "einstall" in text) and _TO_A_NUMBER.search(text):
        for match in (*_UPGRADED.finditer(text), *_RAISED.finditer(text)):
            first = 1 if match[1] else 3
            if canonical(match[first]) in KNOWN:
                collector.add(canonical(match[first]), match[first + 1], block.line(match.start(first + 1)), SAID + (first > 1))
    if "->" in text or "=>" in text or "\u2192" in text:
        for match in islice(_ARROW.finditer(text), MAX_VERSIONS):
            before = _BEFORE_ARROW.search(text, max(0, match.start() - 60), match.start())
            if before is not None and canonical(before[1]) in KNOWN:
                collector.add(canonical(before[1]), match[1], block.line(match.start(1)), PRINTED + 1)
    held = _ANNOUNCING.held(text)
    for literal, pattern, library, strength, words in PAIRS:
        if literal in held:
            for match in pattern.finditer(text):
                _paired(match, library, strength, words.split(), block, collector)
    for literal, pattern, package, form, strength in FORMS:
        if literal in held:
            for match in pattern.finditer(text):
                number = match["v"] if form == "as printed" else _formed(match["v"].replace(", ", ".").replace("-", "."), form)
                line = block.line(match.start("v"))
                for name in package.split():
                    collector.add(name, number, line, strength)
                named = match.groupdict().get("name")
                if named:
                    collector.add(canonical(named), number, line, strength)


def _paired(match: re.Match[str], library: str, strength: int, words: list[str], block: Block, collector: _Collector) -> None:
    """A message that a library is there in another version than it was built against; 0.0.0 is what was not told."""
    found, built = (match[group].replace(", ", ".") for group in ("found", "built"))
    name = canonical(library or match["name"] or "")
    line = block.line(match.start("found"))
    if name:
        collector.add(name, str(parse_cuda_version(found)) if name == "cuda" else found, line, strength)
    collector.add("installed", found, line, PRINTED)
    if built != "0.0.0":
        collector.add("built_against", built, line, PRINTED)
        for word, number in zip(words, (found, built), strict=False):
            collector.add(word, number, line, PRINTED)


def _spoken(words: str) -> str:
    """550 for "five-fifty", 12.4 for "twelve point four"."""
    numbers = [SPOKEN[word] for word in words.lower().replace(".", " ").split() if word != "point"]
    return ".".join(map(str, numbers)) if " point " in words.lower() else str(numbers[0] * 100 + sum(numbers[1:]))


def _formed(number: str, form: str) -> str:
    if form == "cuda":
        return str(parse_cuda_version(number))
    if form == "spoken":
        return _spoken(number)
    if form == "compact":  # 90 is 9.0, 118 is 11.8
        return f"{number[:-1]}.{number[-1]}"
    if form == "nccl":  # 2307 is 2.3.7, 21904 is 2.19.4
        return f"{number[0]}.{int(number[1:-2])}.{int(number[-2:])}"
    if form == "dotted":  # 231 is 2.3.1
        return ".".join(number)
    if form == "tensorrt":  # 8601 is 8.6.1, 100300 is 10.3.0
        parts = (number[:-4], number[-4:-2], number[-2:]) if len(number) > 4 else (number[0], number[1], number[2:])
        return ".".join(str(int(part)) for part in parts)
    if form == "l4t":  # 32.7.1 for "2 (release), REVISION: 7.1"
        return f"3{number[0]}.{number.rpartition(' ')[2]}"
    return form.format(number)


def _listed(block: Block, collector: _Collector) -> None:
    """The tables of `pip list` and `conda list`, from head or command to the first line that is no row."""
    inside = False
    for index, line in enumerate(block.lines):
        text = line.text.strip()
        row = _PIP_ROW.match(text) if inside else None
        if row and "." in row[2]:
            _named(row[1], row[2], line, PRINTED, collector)
        elif text.startswith("-----"):
            inside = index > 0 and "Version" in block.lines[index - 1].text
        elif not (inside and text.startswith(("Using Python", "# "))):  # what uv and conda say first
            inside = text.startswith("# Name ") or (" list" in text and _LISTING.search(text) is not None)


def _named(name: str, number: str, line: Line, strength: int, collector: _Collector) -> None:
    package = canonical(name)
    if package == "version":
        return
    if package not in KNOWN:
        package = package.replace("_", "-")
    if package in ("cuda", "nccl", "cudnn") and package != name.lower():
        strength = IMPLIED
    collector.add(package, number, line, strength)
    if name.lower() in OWN_NAMES:
        collector.add(name.lower(), number, line, strength)
    local = _LOCAL_CUDA.search(number)
    if local and package == "torch":
        collector.add("cuda", str(parse_cuda_version(local[1])), line, SUFFIX)
