"""Versions in forms of their own, which a text that they hold announces: numbers without a dot, moves from one to another, messages."""

from __future__ import annotations

import re
from itertools import islice

from triage.facts.quantities import parse_cuda_version
from triage.parsers.praise import WELL
from triage.parsers.versions.finds import MAX_VERSIONS, Finds
from triage.parsers.versions.forms import FORMS
from triage.parsers.versions.packages import KNOWN, PRINTED, REQUESTED, SAID, WEAK, canonical
from triage.parsers.versions.pairs import PAIRS
from triage.parsers.versions.words import is_dismissed
from triage.parsers.versions.writing import formed
from triage.reading import Block
from triage.reading.lazy import Gated, Pattern
from triage.reading.texts import FixedTexts

_COMPACT_CUDA = Pattern(r"[cC][uU](1[0-9][0-9]|9[0-2]|80|75)(?![0-9])")
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
    r"(?:(?<![A-Za-z0-9_./])(?<!--)(?<!device )|(?<=[0-9]/)|(?<=[0-9])(?=c[uU][dD][nN][nN]))(?:"
    r"(cuda|CUDA|Cuda)(?:(?: ?(?:version|Version|\u7248\u672c)(?:\u662f|\u4e3a| is)?[:\uff1a]?| toolkit|:|\uff1a)?"
    rf"(?: {{1,2}}|(?<=[aA\uff1a\u662f\u4e3a])|-| ?\((?=v))|{_MAJOR_FIELD})v?([89]|1[0-3])"
    r"|(cudnn|cuDNN|CUDNN|CuDNN|Cudnn)(?:(?: ?(?:version|Version|\u7248\u672c)[:\uff1a]?|:|\uff1a)?[ -]{0,2}"
    rf"|{_MAJOR_FIELD})v?([2-9])"
    rf"|(ROCm|rocm|ROCM|JetPack|Jetpack|jetpack|TensorRT|tensorrt|Tensorrt)(?:(?: version)? {{0,1}}|: |{_MAJOR_FIELD})v?([4-9]|10)"
    r")(?=[\u548c\u3001\u53ca\u4e0e\u7684\u7248]|(?![\w*+%-]))(?!\.[\d*xX]"
    r"| (?:device|[Gg][Pp][Uu]|layer|card|second|node|engine|kernel|stream|op)s\b"
    r"| {1,4}(?:(?:KV|RS|SWA KV|model|compute|output|pp|split) )?buffer\b| ?:? ?\(?NVIDIA\b)"  # a card of ggml's: CUDA10 (NVIDIA …)
)
_UPGRADED = Pattern(
    r"(?:pgrad|pdat|igrat|ump|ov)(?:e|ed|es|ing)? {1,2}(?:\w{1,20} )?from {1,2}([A-Za-z][\w-]{1,30})(?: version)?[ =]{1,2}"
    r"v?[0-9][\w.+]{1,20} to {1,2}(?:version )?v?([0-9]{1,4}\.[0-9](?:[A-Za-z0-9.+]{0,18}[A-Za-z0-9])?)"
    r"|(?:(?:(?:[Uu]p|[Dd]own)grad|[Uu]pdat|[Cc]hang|[Mm]igrat|[Ss]witch|[Bb]ump)ed"
    r"|\b(?:[Aa]fter|[Ss]ince) (?:(?:up|down)grad|updat|bump)ing"
    r"|\b(?:have|has|had|did) (?:(?:up|down)grade|update|change))"
    r" {1,2}(?:(?:my|the|our) )?([A-Za-z][\w-]{1,30})(?: version)?(?: from)? {1,2}(?:version )?v?[0-9][\w.+]{0,20}"
    r" to {1,2}(?:version )?v?([0-9]{1,4}\.[0-9](?:[A-Za-z0-9.+]{0,18}[A-Za-z0-9])?)"
)
_RAISED = Pattern(
    r"(?:(?:pgrad|pdat|owngrad)(?:e|es|ing|ed)|einstall(?:ed|ing)?|(?:pinn|ump)(?:ed|ing)) {1,2}(?!to\b)"
    r"(?:(?:my|the|our) )?(?:(?:NVIDIA|Nvidia|nvidia|GPU) )?([A-Za-z][\w-]{1,30})"
    r"(?: version)? to {1,2}(?:version )?v?([0-9]{1,4}\.[0-9](?:[A-Za-z0-9.+]{0,18}[A-Za-z0-9])?)"
    r"|\b([A-Za-z][\w-]{1,30})`?(?: version)? (?:(?:is|are|was|were|got|(?:has|have) been)(?: now)? )?"
    r"(?:updated|upgraded|downgraded|bumped) to {1,2}(?:version )?v?"
    r"([0-9]{1,4}\.[0-9](?:[A-Za-z0-9.+]{0,18}[A-Za-z0-9])?)"
)
# "把驱动更新到550.54之后", "torch升级到了2.4.0就报错": what came after, unless somebody advises it or it helped.
_MOVE_ZH = r"(?:升级|更新|升|降级|降低|降|换|改|回退|退回|退)"
_TO_ZH = r"(?:到|成|为|至)(?:了|最新的?)? ?v?([0-9]{1,4}\.[0-9](?:[A-Za-z0-9.+]{0,18}[A-Za-z0-9])?)"
_MOVED_ZH = Pattern(
    rf"([A-Za-z][A-Za-z0-9_-]{{1,30}}|驱动) ?(?:的?版本)?(?:也|都|已经?)?{_MOVE_ZH}{_TO_ZH}"
    rf"|{_MOVE_ZH}了? ?([A-Za-z][A-Za-z0-9_-]{{1,30}}|(?:显卡)?驱动) ?(?:的?版本)?{_TO_ZH}"
)
_ADVISED_ZH = Pattern(r"(?:建议|请|需要?|可以|能|试试?|尝试|应该?|最好|要求|必须|记得|如果|只要)[^，,。；;\n]{0,12}\Z")
_HELPED_ZH = Pattern(
    r"[^，。；\n]{0,6}[，,]? ?(?:就|即|便|后|之后|试|吧|问题)?[^，。；\n]{0,4}"
    r"(?:好了|解决|可以|即可|能用|试试|看看|吧|正常|没问题|成功|不再)"
)
# The same in English: "after upgrading torch from 2.3.0 to 2.4.1 it works", "the error is gone after updating torch to 2.4.1".
_MENDED = (
    r"\b(?:it|this|that|everything|all|code|training|script|problem|issue|error|bug|crash)(?:e?s)?"
    r"(?: (?:is|was|has|are|were|been|have|now|just|all|finally|also|then|again|seems? to|got|be))*"
    r" (?:works?|working|worked|gone|fixed|solved|resolved|fine|ok|okay|go(?:es|ne)? away|went away|disappear(?:s|ed)?"
    rf"|(?:runs?|ran|trains?) (?:{WELL}|without))"
)
_HELPED = Pattern(
    rf"(?:[^.;\n]|\.(?= (?:And )?[Nn]ow\b)){{0,40}}?(?:{_MENDED}"
    r"|[, ](?:and |which |that |it |has )*\b(?:fix|solv|resolv)(?:ed|es) (?:it|this|that|the|my)"
    r"|\bno more (?:error|problem|issue|crash)\w*)\b"
    r"(?!,? (?:out|into|but|until|except|only|before|on|with|in|for|under|when|if|as long|one|another)\b)",
    re.IGNORECASE,
)
_HELPED_BEFORE = Pattern(
    rf"(?:{_MENDED}|(?:\A|[.\n:*] ?)(?:fixed|solved|resolved))\b"
    rf"[^.;,\n]{{0,12}}? (?:by|after|when|once|if|since) (?:(?:i|we) )?\w{{0,4}}\Z",
    re.IGNORECASE,
)
_FROM_A_NUMBER = Pattern(r"[ =]v?([0-9]{1,4}\.[0-9][\w.+]{0,18}) to ")
_TO_A_NUMBER = Pattern(r" to {1,2}(?:version )?v?[0-9]{1,4}\.[0-9]")  # what both of them must hold, found much sooner
# "faster-whisper 0.10.0 -> 1.0.0": what came after.
_ARROW = Pattern(r"(?:[-=]>|\u2192) {0,2}v?([0-9]{1,3}\.[0-9][\w.+]{0,18})")
_BEFORE_ARROW = Pattern(r"([A-Za-z][\w.-]{1,30})(?: version| from)?[ :=(]{1,3}v?[0-9]{1,3}\.[0-9][\w.+]{0,18} {0,2}\Z")
# Whose CUDA a number is, told behind it: "CUDA: 12.2 (driver), 11.8 (toolkit)".
_WHOSE_CUDA = Pattern(
    r"(?<![\w.])(?P<v>(?:[89]|1[0-3])\.[0-9])(?:\.[0-9]{1,3})? ?\((?:(?:from|by|via|in|the|max|max\.|system|local) ){0,2}"
    r"(?P<whose>driver|nvidia[- ]smi|toolkit|nvcc|runtime|(?:py)?torch)(?: (?:reports?|supports?|version|api|wheels?|build))?\)",
    re.IGNORECASE,
)
_OWNERS_OF_CUDA = {"driver": "driver_cuda", "nvidia-smi": "driver_cuda", "nvidia smi": "driver_cuda", "torch": "", "pytorch": ""}
_TOLD_OWNERS = ("driver)", "smi)", "toolkit)", "nvcc)", "untime)", "orch)", "orts)", "ersion)")
# As environment modules and user agents have it: "module load cuda/12.1", "PyTorch/2.1.2-foss-2023a-CUDA-12.1.1", "python/3.10.12".
_SLASHED = Gated(
    r"(?<![A-Za-z0-9_./@~-])([A-Za-z][A-Za-z-]{1,20})/v?"
    r"([0-9]{1,4}\.[0-9]{1,4}(?:\.[0-9]{1,4}){0,2}(?:\+\w{1,9})?)(?![\w/]|\.\w)"
)
# What an expression gives, told behind it: "print(torch.__version__)  # 2.3.0", "torch.__version__ returns '2.3.0'".
_RETURNED = Pattern(
    r"([A-Za-z]\w{1,20})\.__version__`{0,3}\){0,2}`{0,3} {0,4}"
    r"(?:#+ ?(?:[-=]>|prints?:?|outputs?:?)? ?|(?:returns?|returned|gives?|gave|prints?|printed|shows?|outputs?|says?|was) )"
    r"[`'\"]{0,3}v?([0-9]{1,3}\.[0-9][\w.+]{0,18})"
)
_ANNOUNCING = FixedTexts([*[pair[0] for pair in PAIRS], *[form[0] for form in FORMS]])
_FORMS_OF: dict[str, list[int]] = {}  # by the literal that announces them
for _number, _form in enumerate(FORMS):
    _FORMS_OF.setdefault(_form[0], []).append(_number)


def announced_versions(block: Block, finds: Finds) -> None:
    """Add the versions in forms of their own. Each is looked for only where a text stands that it must hold."""
    text, lowered = block.text, block.text.lower()
    if "cu1" in lowered or "cu9" in lowered or "cu80" in lowered or "cu75" in lowered:
        _compact_cuda(block, finds)
    if "cudnn" in lowered:
        _numbers_of_cudnn(block, finds)
    if "cuda" in lowered and any(map(text.__contains__, _TOLD_OWNERS)):
        _owned_numbers(block, finds)
    if ("cud" in lowered or "rocm" in lowered or "jetpack" in lowered or "tensorrt" in lowered) and _NAME_AND_NUMBER.search(lowered):
        _major_versions(block, finds)
    if " to " in text and any(map(text.__contains__, ("grad", "pdat", "rom ", "einstall", "inned", "umped"))) and _TO_A_NUMBER.search(text):
        _moves(block, finds)
    if "/" in text:
        _named_by(_SLASHED, block, finds)
    if ".__version__" in text:
        _named_by(_RETURNED, block, finds)
    if "->" in text or "=>" in text or "\u2192" in text:
        _arrows(block, finds)
    if any(map(text.__contains__, "\u5230\u6210\u4e3a\u81f3")):
        _moves_in_chinese(block, finds)
    _messages(block, finds)


def _compact_cuda(block: Block, finds: Finds) -> None:
    """11.8 of cu118, wherever it stands."""
    text = block.text
    for match in _COMPACT_CUDA.finditer(text):
        if not text[match.start() - 1 : match.start()].isalnum():
            line = block.line(match.start())
            finds.add("cuda", formed(match[1], "compact"), line, REQUESTED if "nstall" in line.text else WEAK)


def _numbers_of_cudnn(block: Block, finds: Finds) -> None:
    """8902 and the like, as cuDNN, its header and PyTorch tell its version."""
    text = block.text
    for match in _CUDNN_NUMBER.finditer(text):
        finds.add("cudnn", match[1], block.line(match.start()), PRINTED)
    for match in _CUDNN_DEFINES.finditer(text):
        finds.add("cudnn", ".".join(match.groups()), block.line(match.start(1)), PRINTED)
    for match in _CUDNN_CALL.finditer(text):
        finds.add("cudnn", match[1], block.line(match.start(1)), PRINTED)


def _owned_numbers(block: Block, finds: Finds) -> None:
    """Versions of CUDA with whose they are behind them. What the driver supports at most is not what is in use."""
    for match in islice(_WHOSE_CUDA.finditer(block.text), MAX_VERSIONS):
        line = block.line(match.start())
        if "cuda" not in line.text.lower():
            continue
        whose = match["whose"].lower()
        role = _OWNERS_OF_CUDA.get(whose, whose)
        if role:
            finds.add(role, match["v"], line, PRINTED)
        if role != "driver_cuda":
            finds.add("cuda", match["v"], line, SAID + 1)


def _major_versions(block: Block, finds: Finds) -> None:
    """Major versions alone, where no source code names them."""
    for match in islice(_MAJOR.finditer(block.text), MAX_VERSIONS):
        name, number = (match[1], match[2]) if match[1] else (match[3], match[4]) if match[3] else (match[5], match[6])
        line = block.line(match.start())
        if line.role in ("source", "code", "diff") or " buffer size" in line.text:  # devices of ggml, counted: "CUDA8 KV buffer size"
            continue
        finds.add(name.lower(), number, line, REQUESTED)


def _named_by(form: Pattern | Gated, block: Block, finds: Finds) -> None:
    """Names and versions, where the name is that of a package."""
    for match in islice(form.finditer(block.text), MAX_VERSIONS):
        name = canonical(match[1].lower())
        if name in KNOWN:
            finds.add(name, match[2], block.line(match.start(2)), SAID)


def _moves(block: Block, finds: Finds) -> None:
    """Upgrades, downgrades and the like: the version that came after, unless it helped."""
    for match in (*_UPGRADED.finditer(block.text), *_RAISED.finditer(block.text)):
        first = 1 if match[1] else 3
        package, line = canonical(match[first]), block.line(match.start(first + 1))
        if package not in KNOWN:
            continue
        if (
            _HELPED.match(block.text, match.end()) is None
            and _HELPED_BEFORE.search(block.text, max(0, match.start() - 80), match.start()) is None
        ):
            finds.add(package, match[first + 1], line, SAID + (first > 1))
        elif former := _FROM_A_NUMBER.search(match[0]):  # the one that failed
            finds.add(package, former[1], line, SAID)


def _moves_in_chinese(block: Block, finds: Finds) -> None:
    """The same, told in Chinese."""
    for match in islice(_MOVED_ZH.finditer(block.text), MAX_VERSIONS):
        first = 1 if match[1] else 3
        package = canonical(match[first])
        advised = _ADVISED_ZH.search(block.text, max(0, match.start() - 24), match.start())
        if package in KNOWN and not advised and not _HELPED_ZH.match(block.text, match.end()):
            finds.add(package, match[first + 1], block.line(match.start(first + 1)), SAID)


def _arrows(block: Block, finds: Finds) -> None:
    """The same, told by an arrow."""
    for match in islice(_ARROW.finditer(block.text), MAX_VERSIONS):
        before = _BEFORE_ARROW.search(block.text, max(0, match.start() - 60), match.start())
        if before is not None and canonical(before[1]) in KNOWN:
            finds.add(canonical(before[1]), match[1], block.line(match.start(1)), PRINTED + 1)


def _messages(block: Block, finds: Finds) -> None:
    """What programs print of versions: the forms of `pairs` and `forms`."""
    text = block.text
    held = _ANNOUNCING.held(text)
    if not held:
        return
    for literal, pattern, library, strength, words in PAIRS:
        if literal in held:
            for match in pattern.finditer(text):
                _paired(match, library, strength, words.split(), block, finds)
    for form in sorted([number for literal in held for number in _FORMS_OF.get(literal, ())]):
        _printed(form, block, finds)


def _printed(number: int, block: Block, finds: Finds) -> None:
    """What one of `forms` finds."""
    text = block.text
    _, pattern, package, form, strength = FORMS[number]
    for match in pattern.finditer(text):
        version = match["v"] if form == "as printed" else formed(match["v"].replace(", ", ".").replace("-", "."), form)
        line = block.line(match.start("v"))
        start = block.starts[block.index(match.start("v"))]
        doubted = strength <= SAID and is_dismissed(text[max(match.start("v") - 120, start) : match.start("v")])
        for name in package.split():
            finds.add(name, version, line, WEAK if doubted else strength)
        named = match.groupdict().get("name")
        if named:
            finds.add(canonical(named), version, line, strength)


def _paired(match: re.Match[str], library: str, strength: int, words: list[str], block: Block, finds: Finds) -> None:
    """A message that a library is there in another version than it was built against; 0.0.0 is what was not told."""
    found, built = (match[group].replace(", ", ".") for group in ("found", "built"))
    name = canonical(library or match["name"] or "")
    line = block.line(match.start("found"))
    if name:
        finds.add(name, str(parse_cuda_version(found)) if name == "cuda" else found, line, strength)
    finds.add("installed", found, line, PRINTED)
    if built != "0.0.0":
        finds.add("built_against", built, line, PRINTED)
        for word, number in zip(words, (found, built), strict=False):
            finds.add(word, number, line, PRINTED)
