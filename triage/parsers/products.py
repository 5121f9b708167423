"""Product names of GPUs, in logs and in prose: "NVIDIA A100-SXM4-80GB", "RTX 3090", "two 3090s", "一张A800".

Long names speak for themselves. Short ones (T4, L4, A10) and bare numbers (3090) need a word beside them that tells what they are.
"""

from __future__ import annotations

import re

from triage.facts import Observation
from triage.parsers.seen import observe
from triage.reading import Block
from triage.reading.lazy import Pattern

MAX_PRODUCTS = 64
MAX_PLACES = 5_000  # a block

_VARIANT = (
    r"(?:[ -](?:SXM[0-9]?(?: AC)?|PCI[eE]|PCIE|FHHL|DGXS|NVL|HBM[0-9][eE]?|[0-9]{2,3} ?G[iI]?B?|MIG [0-9]{1,2}g\.[0-9]{1,3}gb)){0,5}"
    r"(?![A-Za-z0-9])"
)
_SHARE = r"(?:-[0-9]{1,3}[QCBA])?(?![A-Za-z0-9_-]|\.[A-Za-z0-9])"  # a virtual GPU: A10-24Q
_NAME = Pattern(
    r"(?:NVIDIA |Nvidia |nvidia )?(?:"
    rf"(?:Tesla|TESLA|tesla) [ABCHKLMPTV][0-9]{{1,4}}[A-Za-z]{{0,2}}{_VARIANT}"
    r"|(?:GeForce |Geforce |geforce |Quadro )?(?:RTX|GTX|GT|rtx|gtx|Rtx|Gtx|GTx|RTx)[ _-]?(?:PRO )?A?[0-9]{3,4}"
    r"(?:[ -]?(?:Ti|TI|ti|SUPER|Super|Ada(?: Generation)?|Max-Q|Laptop(?: GPU)?|Blackwell|D|M)\b){0,3}(?: \((?:Laptop|Mobile|Max-Q)\))?"
    r"(?: (?:Workstation|Server) Edition)?(?![0-9])"
    r"|(?:GeForce |Geforce |geforce |GForce |Gforce )(?:MX ?)?[0-9]{3,4}(?:MX|M|A| ?[Tt][Ii])?(?![A-Za-z0-9])"
    r"|MX(?:110|130|150|230|250|330|350|450|550|570)(?![A-Za-z0-9])"
    r"|(?:GeForce )?(?:GTX )?(?:TITAN|Titan) ?(?:RTX|Xp|XP|X|V|Black)(?: \((?:Pascal|Maxwell)\))?(?![a-zA-Z])"
    r"|(?:Quadro|QUADRO) [A-Za-z]{0,2}[0-9]{3,4}M?|[Jj]etson(?:[ -](?:[A-Z][\w-]{1,12}|tx[12]|nano|orin|xavier|agx|nx)\b){1,3}"
    r"|Tegra X[12]|DGX Spark|CMP [0-9]{2,3}HX"
    r"|(?:AMD )?(?:Instinct )?MI-?[0-9]{2,3}[A-Z]{0,2}(?![A-Za-z0-9])"
    r"|(?:AMD )?(?:RX|rx) ?[4-9][0-9]{2,3}(?: ?(?:XTX?|xtx?|GRE|S|M)\b)?(?![0-9A-Za-z])"
    r"|(?:AMD )?(?:Radeon (?:VII|RX Vega(?: [0-9]{2})?)(?![A-Za-z0-9])|(?:RX )?Vega (?:56|64|10|20)(?![0-9]))"
    r"|(?:AMD )?Radeon (?:RX |PRO |Pro )?[A-Z]{0,3} ?[0-9]{3,4}[A-Z]{0,3}(?: XTX?)?"
    r"|(?:Intel(?:\(R\))? )?(?:Arc(?:\(TM\))? [AB][0-9]{3}M?|Data Center GPU (?:Max|Flex) [0-9]{3,4})"
    rf"|(?:GB|GH)(?:10|200|300)(?![A-Za-z0-9])|[ABH](?:100|200|300|800|20)[A-Z]{{0,2}}{_VARIANT}|V-?100S?{_VARIANT}"
    rf"|A(?:10|16|30|40)[Gg]?{_SHARE}|A[3456]000(?![A-Za-z0-9])|[KMPT][2-6]000(?![A-Za-z0-9])|L(?:4|20|40)[Ss]?{_SHARE}"
    rf"|[PKMT](?:4|10|40|60|80|100)(?:{_SHARE}|{_VARIANT})|[abh](?:100|800|200){_VARIANT}|v100{_VARIANT})"
)
_LETTER_DIGIT = Pattern(r"[ABCHKLMPTVI][0-9]{1,3}|I-[0-9]{2,3}|V-100|[abhv][128]00(?![A-Za-z0-9])")
_WORDS = (
    "RTX",
    "GTX",
    "rtx",
    "gtx",
    "Rtx",
    "Gtx",
    "GTx",
    "RTx",
    "TITAN",
    "Titan",
    "Quadro ",
    "QUADRO ",
    "Jetson",
    "jetson",
    "Tegra",
    "DGX Spark",
    "CMP ",
    "Vega ",
    "MX",
    "Radeon",
    "RX ",
    "RX6",
    "RX7",
    "rx7",
    "GeForce ",
    "Geforce ",
    "geforce ",
    "GForce ",
    "Gforce ",
    "Arc",
    "Data Center GPU",
)
_BEFORE = (
    "NVIDIA ", "Nvidia ", "nvidia ", "AMD ", "Instinct ", "GeForce ", "Geforce ", "geforce ", "GTX ", "Quadro ", "Tesla ", "TESLA ",
    "tesla ", "Intel ", "Intel(R) ", "G", "M",
)  # fmt: skip
_ANY_BARE = Pattern(r"[2345]0[56789]0|10[5678]0|16[56]0")
_BARE = Pattern(
    r"(?:(?<=GPU)|(?<=GPU:)|(?<![A-Za-z0-9_./:-])(?<!TX ))((?:[2345]0[56789]0|10[5678]0|16[56]0)(?: ?[Tt][Ii])?(?: ?[Ss]uper)?)"
    r"(?=s?(?:[\s,.:;)x\u00d7]|[^\x00-\xff]|$|GPU)|(?<=[^\x00-\xff].{4})[A-Za-z])"
)
_SIZED = Pattern(r" ?(?:[1-9][0-9] ?G[iI]?B?(?![A-Za-z0-9])|GPU\b|\u663e\u5b58|\u663e\u5361)")  # "4090 24G": a card with its memory
_SIZE_BEFORE = Pattern(r"(?<![0-9.])[1-9][0-9]? ?G[iI]?B? \Z")  # "in 24GB 4090"
_CLEAR = Pattern(
    r"NVIDIA|Nvidia|nvidia|Tesla|TESLA|tesla|GeForce|RTX|GTX|TITAN|Titan|Quadro|Jetson|Radeon|Instinct|MI[0-9]|G[BH][0-9]"
    r"|[ABHV][128]00|A[3-6]000|H20"
)
_COUNTED = Pattern(
    r"(?:(?:\A|[\s(,])(?:an?|one|single|two|dual|three|four|six|eight|my|our|the|on|[0-9]{1,3}) ?[x*\u00d7]? ?"
    r"|[\u5f20\u5757\u5361\u4e00\u4e24\u53cc\u56db\u516b\u5355] ?)\Z"
)
_GPU_WORDS = Pattern(
    r"GPU|gpu|NVIDIA|[Nn]vidia|CUDA|cuda|[Cc]ards?\b|\u5361|\u663e\u5b58|\u00d7|\bx ?[0-9]|[0-9] ?[x*\u00d7]|[Tt]esla|VRAM|GB|GiB"
    r"|\btwo\b|\bfour\b|\beight\b|machine|node|server"
)


def is_product(text: str) -> bool:
    """Whether a text starts with the name of a GPU."""
    return _NAME.match(text) is not None


def find_products(block: Block, names: dict[str, Observation]) -> None:
    """Add `gpu-name` observations by name. Places where a name may stand are found first; trying every name everywhere is slow."""
    text = block.text
    places = [match.start() for match in _LETTER_DIGIT.finditer(text)]
    for word in _WORDS:
        place = text.find(word)
        while place >= 0:
            places.append(place)
            place = text.find(word, place + 1)
    done = 0
    for place in sorted(places)[:MAX_PLACES]:
        if place < done or len(names) >= MAX_PRODUCTS:
            continue
        match = _NAME.match(text, _name_start(text, place))
        if match is not None:
            done = match.end()
            _take(block, match, names)
    if _ANY_BARE.search(text):
        _bare_numbers(block, names)


def _name_start(text: str, place: int) -> int:
    """Where a product name starts, with the maker and the series before it."""
    for _ in range(4):
        head = text[max(0, place - 9) : place]
        if not head.endswith(_BEFORE):
            break
        place -= len(next(word for word in _BEFORE if head.endswith(word)))
    return place


def _take(block: Block, match: re.Match[str], names: dict[str, Observation]) -> None:
    start = match.start()
    head = block.text[max(0, start - 12) : start]
    previous = head[-1:]
    name = match[0].strip(" -")
    if name in names or (previous and previous.isascii() and (previous.isalnum() or previous in "_/.-") and not head.endswith("GPU-")):
        return
    line = block.line(start)
    if line.role in ("diff", "source"):
        return
    measured = not head.rstrip(" ")[-1:].isascii()  # 两张 T4: such a word counts things wherever it stands
    counted = (line.role == "prose" or measured) and _COUNTED.search(head) is not None
    if (len(name) > 3 and name[0] not in "abhv") or counted or _CLEAR.search(name) or _GPU_WORDS.search(line.text):
        names[name] = observe("gpu-name", {"gpu_name": name}, line)


def _bare_numbers(block: Block, names: dict[str, Observation]) -> None:
    """Numbers of GeForce cards without their series, as people write them."""
    text = block.text
    for bare in _BARE.finditer(text):
        line = block.line(bare.start())
        if bare[1] in names or len(names) >= MAX_PRODUCTS or line.role in ("diff", "source"):
            continue
        head = text[max(0, bare.start() - 12) : bare.start()]
        told = "i" in bare[1].lower() or _GPU_WORDS.search(line.text) is not None or _COUNTED.search(head) is not None
        sized = _SIZED.match(text, bare.end()) is not None or _SIZE_BEFORE.search(head) is not None
        if told and (line.role == "prose" or sized or "i" in bare[1].lower()):
            names[bare[1]] = observe("gpu-name", {"gpu_name": bare[1]}, line)
