"""Dotted numbers whose words before them name a package."""

from __future__ import annotations

import re
from itertools import islice

from triage.parsers.versions.doubts import admit
from triage.parsers.versions.finds import Finds
from triage.parsers.versions.layouts import heading_above
from triage.parsers.versions.packages import ALIASES, KNOWN, OWN_NAMES, PRINTED, REQUESTED, SAID, WEAK, canonical
from triage.parsers.versions.required import found_instead, in_use
from triage.parsers.versions.unlisted import name_of_unlisted
from triage.parsers.versions.words import (
    JOINED,
    TAGGED,
    WORD,
    before_the_move,
    is_dismissed,
    is_former,
    is_in_vain,
    is_left_behind,
    is_of_history,
    is_spared,
    named_after,
    of_two_words,
    owner_behind,
    phrase_before,
    resumed,
    was_never_there,
    without_closing,
)
from triage.reading import Block, Line
from triage.reading.lazy import Pattern
from triage.reading.log import SPOKEN as SPOKEN_ROLES

MAX_CANDIDATES = 50_000  # a block
ENOUGH_IN_VAIN = 100  # numbers after one word, none of them a version: those of a metric that every step prints
# A version: "2.4.1", "2.1.0.post3", "1.0.0-rc1", "0.2.3-14-g1a2b3c4", "2.0.1+cu118", "1.15.0b2".
_NUMBER = Pattern(
    r"[0-9][0-9]{0,3}\.[0-9]{1,8}(?:\.[0-9]{1,8}){0,3}(?:(?:[.-]?(?:(?:post|dev|rc|RC|alpha|beta)\.?[0-9]{1,10}|[ab]\.?[0-9]{1,10}(?![0-9A-Za-z]))){1,2}|-?rc(?![A-Za-z0-9])|-(?:M[0-9](?:\.[0-9])?|alpha|beta|SNAPSHOT|tf)(?![A-Za-z0-9.]))?"
    r"(?:-[0-9]{1,4}-g[0-9a-f]{6,10}(?![0-9A-Za-z]))?"  # commits since, as git describes them
    # a local suffix, not what else is listed: "python3.8+pytorch1.10"
    r"(?:\+(?!(?:[Cc][Uu][Dd][Nn][Nn]|nvidia|driver)(?![a-z])|(?:py|python|pytorch|torch|mmcv|tf|tensorflow|tensorrt|ubuntu|transformers|vllm|deepspeed|accelerate|peft|trl|xformers|flash[_-]attn|sglang|lmdeploy|gcc|dlib|opencv|keras|numpy|jax|diffusers|paddle|mxnet"
    r"|cuda[0-9.]{1,6}\+[a-z]{2,12}|[A-Zc][A-Za-z]{1,4}[A-Z][A-Za-z]{0,5}|Cuda|Torch|Pytorch|Python) ?[0-9]{1,2}\.)"
    r"[A-Za-z0-9]{1,20}(?:[._][A-Za-z0-9]{1,20}){0,4})?"
)
# Beginnings of a word before a number that is a number itself: of a row of measurements, "0.31 0.29 0.27".
_DIGITS = tuple("0123456789+-")
# Marks between a name and its number: "torch==", "torch (", "torch：".
_SEPARATORS = " \t:=(\"'`-@*|\uff1a\uff08,[\uff0c\uff1d\u2013\u2014"
# Ends of words before a release that is asked for: "torch>=" (2.1).
_REQUIREMENT = (">=", "> =", "> = ", "< = ", "<=", "~=", "!=", ">", "<", ">= ", "<= ", "> ", "< ", "^", "~> ")
# What follows such a number: "CUDA 12.1" | " or newer", "torch 2.0" | "以上".
_OR_NEWER = (
    " or newer", " or later", " or higher", " or above", " or greater", " and above", " and later", " and newer", " and up",
    "+ ", "+.", "+,", "+)", "+\n", " is required",
    " is the minimum",
    " \u6216\u66f4\u9ad8", "\u6216\u66f4\u9ad8", "\u4ee5\u4e0a", "\u53ca\u4ee5\u4e0a", " \u4ee5\u4e0a", " \u53ca\u4ee5\u4e0a",
    "\u6216\u4ee5\u4e0a",
)  # fmt: skip
_KERNEL = Pattern(r"(?:[-.+~][\w.+~-]{1,60})? #[0-9]{1,4}[ ~-]")  # behind a kernel's release, in what `uname -a` prints
_NOT_HELD = (*_OR_NEWER, " (you have ")  # asked for, or what a wheel was built for
# A unit at the end of a number that is thus measured: the seconds that a step of a build took, a size.
_MEASURED = Pattern(r"(?:[mun]?s|[kKMGT]i?B)(?![A-Za-z0-9])")
# Names that stand before a version without any separator.
_GLUED = ("python", "cuda", "torch", "rocm", "pytorch", "cudnn", "cudn", "vllm", "py", "cu", " version", " ver", "tensorflow r", " l4t r")
# The beginning of a step: "1. ", "- ".
_ITEM = Pattern(r"[ \t>]{0,8}(?:[0-9]{1,2}[.)]|[-*+]) ")
# Words of pip about what is asked for: "Collecting torch==2.1.0".
_REQUESTING = ("nstall", "Collecting", "(from", "No matching distribution", "Could not find a version", " requires ", " depends on ")
# Words before a number of which nothing is said but that it is one: "any torch (e.g. " (2.1), "如 " (2.1).
_EXAMPLE = Pattern(
    r"(?:[(\uff08](?:e\.?g|i\.e|ex\b|like|such as|\u4f8b\u5982|\u6bd4\u5982|\u5982)[^)\uff09]{0,60}"
    r"|\b(?:e\.g\.|for example),? [^.)\n]{0,24}|[,\uff0c]\s?(?:\u4f8b\u5982|\u6bd4\u5982|\u5982) ?[^,\uff0c\u3002\n]{0,40})\Z",
    re.IGNORECASE,
)
# What `_EXAMPLE` cannot match without.
_EXAMPLE_WORDS = ("e.g", "(eg", "\uff08eg", "i.e", "(ex", "\uff08ex", "like", "such as", "for example", "\u5982")
# What `_ADVISED` cannot match without.
_ADVISING = (
    "ecommend",
    "uggest",
    "equire",
    "need",
    " say",
    "said ",
    "list",
    "ask",
    "want",
    "specif",
    "pin",
    "mention",
    "look",
    "search",
    "paper use",
    "uthors use",
    "uthor use",
    "README use",
    "tested ",
    "developed ",
    "verified ",
    "validated ",
    "\u5b98\u65b9",
    "\u4f5c\u8005",
    "\u8bba\u6587",
    "\u9700\u8981",
    "\u8981\u6c42",
    "\u5fc5\u987b",
    "\u8bf4",
    "\u5efa\u8bae",
    "\u63a8\u8350",
)
# Words before a release that others advise or ask for: "the README says torch " (1.13), "需要 torch " (2.1).
_ADVISED = Pattern(
    r"\b(?:[Rr]ecommend|[Ss]uggest)(?:s|ed|ing)? (?:(?:just |simply |to )?(?:us|install|tr[yi]|downgrad|upgrad|pin)\w{0,4} (?:to )?)?"
    r"`{0,3}[\w.-]{2,20}(?:==| version | )v?\Z"
    r"|\b(?:docs?|documentation|README|[Rr]eadme|guide|paper|instructions?|requirements|authors?|repo|wheel|you|it) (?:\w+ )?"
    r"(?:says?|said|lists?|asks? for|wants?|needs?|specif(?:y|ies)|pins?|mentions?"
    r"|(?<=paper )use[sd]|(?<=author )use[sd](?: the version of)?|(?<=authors )use[sd]?|(?<=README )uses)"
    r" (?:to use )?`{0,3}[A-Za-z][\w.-]{1,19}?(?:==| version | )?v?\Z"
    r"|\b(?:look|search|ask)(?:s|ed|ing)? for (?:the )?`{0,3}[\w.-]{2,20}(?:==| version | )v?\Z"
    r"|(?:\b[Rr]equires?|\u9700\u8981|\u8981\u6c42|\u5fc5\u987b) ?(?:\u7528|\u4f7f\u7528|\u5b89\u88c5|\u662f|\u4e3a)?"
    r"`{0,3}[\w.-]{2,20}?(?:==| version | )?v?\Z"
    # "it was tested with torch 1.7.1 and CUDA 10.2", "the authors developed it under torch 1.7.1"
    r"|\b(?:[Ii]t|[Rr]epo(?:sitory)?|[Cc]ode|[Pp]roject|[Aa]uthors?|[Tt]hey|README|[Ll]ibrary|[Pp]ackage|[Mm]odel)(?: \w+){0,3}? "
    r"(?:tested|developed|verified|validated)(?: \w+){0,2}? (?:with|on|under|using|in|for) (?:[^.;\n]|\.[0-9]){0,47}?"
    r"[\w.-]{2,20}(?:==| version | )v?\Z"
    r"|(?:\u5b98\u65b9|\u4f5c\u8005|\u8bba\u6587)\u4e2d?(?:\u7ed9\u7684|\u63d0\u4f9b\u7684|\u63a8\u8350\u7684?|\u8981\u6c42\u7684?|\u4f7f\u7528\u7684?|\u7528\u7684?|\u6d4b\u8bd5\u7684?)"
    r"(?:\u73af\u5883|\u7248\u672c|\u914d\u7f6e)?[\u662f\u4e3a:\uff1a]? ?[\w.-]{2,20}?(?:==| version | )?v?\Z"
    # "网上说 torch 1.7 …", "据说是 cuda 11", "官方建议 30 系显卡使用 cuda 11.1"
    r"|(?:(?:\u7f51\u4e0a|[\u636e\u542c\u90fd\uff0c,]|\u6709\u4eba)\u8bf4(?:\u7684|\u662f|\u8981|\u7528){0,2}"
    r"|(?:\u5efa\u8bae|\u63a8\u8350)[^\uff0c,\u3002\uff1b\n]{0,16}?(?:\u7528|\u88c5)) ?`{0,3}"
    r"[A-Za-z][A-Za-z.-]{1,19}(?:==| version | )?v?\Z"
)
# What is only asked for: "vllm requires nvidia-cutlass-dsl==4.6.0", "Install torch version=1.13".
_ASKED_FOR = Pattern(
    r"(?:\b[Rr]equires|(?:\A|[.:] )\W{0,4}(?:[Pp]lease )?[Ii]nstall(?: the)?) `{0,3}(?!(?i:cuda|cudnn|python|driver|nvidia driver)\b)"
    r"[A-Za-z][\w.-]{1,30}(?:\[[\w,]{1,30}\])?(?: ?==? ?| [vV]ersion ?[= ] ?| )v?\Z"
)
_BUILT_FOR = Pattern(
    r"\b(?:(?:built|compiled|made|wheels? (?:is|are|was)) (?:for|against)"
    r"|(?:NCCL|RCCL|cuDNN) (?:from|in|of|inside|shipped with|bundled with)(?: the)?) (?:[Pp]y)?[Tt]orch(?: wheels?)?\Z"
)  # the extension was, or the library came with it; which torch is there, others tell
_SOLD_APART = ("tensorflow", "onnxruntime", "paddle", "faiss")  # for GPUs under a name of its own
# A field that names no package: "Version: 2.1" below the heading "PyTorch".
_JUST_VERSION = ("version", "versions", "ver", "\u7248\u672c", "\u7248\u672c\u53f7")  # of what, the heading says
# Marks around such a field: "- **Version**:".
_MARKS_OF_A_FIELD = " \t-*`_>:\uff1a"
# Two packages before two numbers: "CUDA/cuDNN: " (11.1/8.0.5).
_TWO_NAMES = Pattern(r"([A-Za-z][\w-]{1,20}) ?(?:/|&| and ) ?([A-Za-z][\w-]{1,20})(?: [vV]ersions?)?\Z")
# The second of the numbers: "/8.0.5", " and 8.0.5".
_SECOND = Pattern(r" ?(?:/|,|&|and) ?v?([0-9]{1,3}(?:\.[0-9]{1,4}){1,3})(?![\w.])")
_NEVER_BUILDS = ("cuda", "cudnn", "driver")  # "pytorch and cuda are 2.0.1+cu118"
# A release that only PyTorch numbers so: "2.0.1+cu118".
_TORCH_BUILD = Pattern(r"\A[12]\..*\+(?:cu[0-9]{2,3}|cpu|xpu|rocm[0-9.]+)")


def dotted_numbers(block: Block, finds: Finds) -> None:
    """Add every dotted number whose words before it name a package."""
    text = block.text
    seen: set[tuple[str, str]] = set()
    fruitless: dict[str, int] = {}
    offers = "(from versions:" in text
    for match in islice(_NUMBER.finditer(text), MAX_CANDIDATES):
        start = match.start()
        if not _may_begin(text, start) or text.startswith(_NOT_HELD, match.end()) or _MEASURED.match(text, match.end()):
            continue
        if offers and "(from versions:" in block.line(start).text:  # what an index has, not what is installed
            continue
        head = text[max(0, start - 84) : start]
        key = (head[-24:], match[0])
        if key in seen:
            continue
        seen.add(key)
        last = (head.rsplit(None, 1) or [""])[-1]
        last = "0" if last[:1] in _DIGITS else last  # one number after the other
        vain = fruitless.get(last, 0)
        if vain >= ENOUGH_IN_VAIN:
            continue
        if not _number(words_before(head, block, start), head, match[0], block, start, finds):
            fruitless[last] = vain + 1


def _may_begin(text: str, start: int) -> bool:
    """Whether a version may begin here: not within a longer number or a word, unless that is the name of a package."""
    before = text[max(0, start - 1) : start]
    if not before:
        return True
    if before.isascii() and before.isalpha() and before not in "vV":
        head = text[max(0, start - 16) : start].lower()
        if head.endswith(_GLUED):
            return True
        word = WORD.search(head)
        if word is not None and (word[0] in KNOWN or word[0] in ALIASES):
            return True
        word = TAGGED.search(head)
        return word is not None and (word[1] in KNOWN or word[1] == "cu")
    if before in ",/+.\u2014" or before.isdigit():
        return text[max(0, start - 9) : start].endswith((" pytorch.", " Ver.", " ver.", " v.", " V."))
    return True


def words_before(head: str, block: Block, start: int) -> str:
    """The words before a number on its line; those of the heading above where the line has none, or "version" alone."""
    newline = head.rfind("\n")
    words = head[newline + 1 :]
    if newline >= 0 and not words.strip(" \t-*`vV>"):
        return heading_above(block, start)
    if newline >= 0 and words.strip(_MARKS_OF_A_FIELD).lower() in _JUST_VERSION:
        return heading_above(block, start) or words
    return words


def package_by_words(head: str, number: str, block: Block, start: int) -> str:
    """The package that the words before a number name, whatever is said of it; '' where they name none, or it was asked for."""
    words = _without_marks(before_the_move(head))
    if words.endswith(_REQUIREMENT) or block.text.startswith(_NOT_HELD, start + len(number)):
        return ""
    words = _without_separators(words)
    return _package_before(words, _nearest_word(words), words.endswith("=="), head, number, block, start)[0]


def _number(head: str, context: str, number: str, block: Block, start: int, finds: Finds) -> bool:
    """Add the version that a number is by the words before it, `head`; whether it needs no further look."""
    end = start + len(number)
    if is_left_behind(head, block, end) or is_of_history(head, block.text, end):
        return True
    if head.endswith("ownload and install CUDA ") and block.text.startswith(" from this URL", end):
        return True  # of what TensorFlow asks for, where it is not there
    if "Linux " in head and _KERNEL.match(block.text, end):
        return True  # before it stands the name of the host
    head = before_the_move(head)
    words = _without_marks(head)
    if any(map(words.lower().__contains__, _EXAMPLE_WORDS)) and _EXAMPLE.search(words):
        return False
    if words.endswith(_REQUIREMENT):
        asked = words.rstrip(">= ").lower()
        if asked.endswith("cuda") and not asked[-5:-4].isalnum():
            finds.add("required_cuda", number, block.line(start), REQUESTED)
        return True
    if " trained with " in words and "odel was trained with " in words:
        return False  # "yours is" follows
    asked_for = ("equires " in words or "nstall " in words) and _ASKED_FOR.search(head) is not None
    if asked_for and not _is_a_step(block, start):
        return True
    explicit = words.endswith("==")
    words = _without_separators(words)
    if any(map(words[-40:].__contains__, JOINED)) and _both(words, number, block, start, finds):
        return True
    word = _nearest_word(words)
    package, strength = _package_before(words, word, explicit, head, number, block, start)
    owner = owner_behind(head, block.text, end, bool(package))
    if owner:
        package, word, strength = owner, owner, SAID
    line = block.line(start)
    if not package:
        return _unlisted(head, context, number, block, start, finds)
    if line.role in SPOKEN_ROLES and was_never_there(head):
        return True
    strength = _trust(words, word, head, strength, explicit, line, block, end)
    if asked_for or (strength > WEAK and finds.contrast.holds(start)):
        strength = WEAK
    if word not in OWN_NAMES and package in _SOLD_APART:
        own = without_closing(words.lower()).replace("_", "-")
        word = next((name for name in OWN_NAMES if own.endswith(name)), word)
    admit(package, number, strength, word, line, context, finds)
    return True


def _is_a_step(block: Block, start: int) -> bool:
    """Whether a number stands in an item of a list below a heading on how to reproduce the failure: what its author did."""
    before = block.text[max(0, start - 600) : start]
    return "eproduc" in before and _ITEM.match(before[before.rfind("\n") + 1 :]) is not None


def _without_marks(head: str) -> str:
    """The words before a number without what leads up to it: "v", arrows of forms, cells of HTML, dots of ds_report."""
    bare = head.rstrip(" ").removesuffix(".")
    words = bare[:-1] if bare[-1:] in ("v", "V", "r", "R") and not bare[-2:-1].isalnum() else head
    if words.endswith(("=> ", "=>", "-> ", ">>", ">> ", "\u2192", "\u2192 ")):
        return words.rstrip("=->\u2192 ")
    if words.endswith("<td>"):
        return words[:-4].rstrip().removesuffix("</td>").rpartition(">")[2]
    return words.rstrip(". ") if words.endswith((".. ", "..", "pytorch.")) else words


def _without_separators(words: str) -> str:
    """The words up to the name: without what stands between it and the number, and without extras in brackets."""
    words = words.rstrip(_SEPARATORS)
    if "__version__" in words[-32:]:
        words = words.removesuffix(" is").rstrip(" )`")
    extras = words.rfind("[") if words.endswith("]") else -1
    if extras < 0:
        return words
    return words[:extras] if words[:extras].strip() else words[extras + 1 : -1]  # "vllm[all]", but "[torch] 2.1"


def _nearest_word(words: str) -> str:
    """The last of the words in small letters, without what it is part of: a path, a bracket, a dictionary, `.__version__`."""
    word = (
        words[words.rfind(" ") + 1 :]
        .rsplit("/", 1)[-1]
        .rsplit("(", 1)[-1]
        .rsplit("\uff0c", 1)[-1]
        .rsplit("\uff1a", 1)[-1]
        .lstrip("([{\"'`*")
        .lower()
    )
    word = word[word.rfind("{'") + 2 :] if "{'" in word else word  # the first of a dictionary
    if not word.isascii():  # Chinese is written without blanks: "nvidia-smi显示CUDA 12.2"
        name = WORD.search(word)
        word = name[0] if name is not None else word
    word = word.removesuffix(".__version__").removesuffix(".version").removesuffix("_version").removesuffix("-version")
    return word.rstrip("_").rpartition("_")[2] if word.endswith("_") else word  # a library that bears the version of another package


# Ends of names of packages that are made for a framework and have releases of their own: "keras-mxnet 2.2.4".
_FRAMEWORKS = ("-torch", "-pytorch", "-tensorflow", "-mxnet", "-jax", "-paddle", "-numpy", "-transformers", "-triton", "-cupy")
# Beginnings of names that are no package of their own but a maker's build: "intel-tensorflow 2.11".
_MAKERS = ("intel-", "nvidia-", "amd-", "ibm-")
# A row of a list of packages: "keras-mxnet    2.2.4".
_ROW = Pattern(r"\W{0,6}[A-Za-z][\w.-]{1,60}[ \t=:]{1,60}v?[0-9][\w.+]{0,40}\s*\Z")


def _package_before(words: str, word: str, explicit: bool, head: str, number: str, block: Block, start: int) -> tuple[str, int]:
    """The package that the words before a number name, and the strength of that; '' where they name none."""
    package = of_two_words(without_closing(words) if words.endswith(")") else words) or canonical(word)
    strength = SAID
    if package not in KNOWN and word.endswith(_FRAMEWORKS) and not word.startswith(_MAKERS) and _ROW.match(block.line(start).text):
        return "", 0  # "keras-mxnet  2.2.4": a package of its own
    if explicit and word == "version":
        package, strength = phrase_before(words, "")
    elif explicit and package not in KNOWN:
        match = WORD.search(words[-60:])
        package = canonical(match[0].lower().removesuffix(".__version__").removesuffix(".version").replace("_", "-")) if match else ""
    elif (
        (package not in KNOWN and word != "cuda_runtime")
        or (package == "cuda" and len(words) > 5)
        or words.endswith(("used to build PyTorch", "xtension for PyTorch"))
    ):
        package, strength = phrase_before(words, package, not head[-1:].isspace())
    if package and package not in _NEVER_BUILDS:
        return package, strength
    end = start + len(number)
    used = in_use(head, block.text, end) if not package else ""
    if used:
        return used, SAID + 1
    found = found_instead(head, block.text, end) if not package else ""
    if found:
        return found, PRINTED + 1
    again = resumed(head, number)
    if again:
        return again, SAID
    if "+" in number and _TORCH_BUILD.search(number):
        return "torch", strength or SAID
    if package:
        return package, strength
    return named_after(words, block.text, start, end), WEAK


def _unlisted(head: str, context: str, number: str, block: Block, start: int, finds: Finds) -> bool:
    """Add the version of a package that no list knows, where the words name one; whether they do."""
    line = block.line(start)
    name = name_of_unlisted(head, number, block.text, start) if line.role in SPOKEN_ROLES else ""
    if name in KNOWN:
        admit(name, number, SAID - 1, name, line, context, finds)
    elif name:
        finds.add(name, number, line, WEAK, neighbours=False)
    return bool(name)


def _trust(words: str, word: str, head: str, strength: int, explicit: bool, line: Line, block: Block, end: int) -> int:
    """How far a version can be trusted by what is said of it: that it was the former one, is advised, asked for or asked about."""
    if is_former(head, block.text, end) or _BUILT_FOR.search(words) or (explicit and is_dismissed(head)):
        strength = WEAK
    elif any(map(head.__contains__, _ADVISING)) and _ADVISED.search(head):
        strength = REQUESTED - 1
    elif explicit:
        strength = REQUESTED if any(mark in line.text for mark in _REQUESTING) else PRINTED
    elif words[: -len(word)].rstrip().endswith((" from", "\u4ece")) or _is_passed_over(head, block, end):
        strength = WEAK  # what was replaced or tried, or did not fail
    return REQUESTED - 1 if block.text.startswith(("?", "\uff1f", " is required"), end) else strength  # asked about, or asked for


def _is_passed_over(head: str, block: Block, end: int) -> bool:
    """Whether a release was tried, to some avail or none, and is not the one in use."""
    return is_dismissed(head) or is_in_vain(head, block.text, end) or is_spared(head, block, end)


def _both(head: str, number: str, block: Block, start: int, finds: Finds) -> bool:
    """Two packages and behind them their versions, "CUDA/cuDNN: 11.1/8.0.5"; whether that is what stands there."""
    second = _SECOND.match(block.text, start + len(number))
    names = _TWO_NAMES.search(head[-60:]) if second is not None else None
    if names is None or second is None:
        return False
    packages = [canonical(name) for name in names.groups()]
    if not KNOWN.issuperset(packages):
        return False
    line = block.line(start)
    for package, found in zip(packages, (number, second[1]), strict=True):
        admit(package, found, SAID, package, line, "", finds)
    return True
