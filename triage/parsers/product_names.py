"""How the names of GPUs are written: in full, in short, and as bare numbers."""

from __future__ import annotations

from triage.reading.lazy import Gated, Pattern
from triage.reading.texts import FixedTexts

# A name ends at a word's end, at the s of a plural, or where it is multiplied: "A100s", "H100x8".
_END = r"(?=s?(?![A-Za-z0-9])|[xX][0-9]{1,3}(?![A-Za-z0-9]))"
_VARIANT = (
    r"(?:[ _-](?:(?<=100-)[48]0|SXM[0-9]?(?: AC)?|PCI[eE]|PCIE|FHHL|DGXS|NVL|HBM[0-9][eE]?|[0-9]{2,3} ?G[iI]?B?|(?<=[ -])[0-9]{2,3}gb?"
    r"|MIG [0-9]{1,2}g\.[0-9]{1,3}gb|[0-9]{1,2}[QCBA])(?![A-Za-z0-9])){0,5}" + _END
)
_SHARE = r"(?:-[0-9]{1,3}(?:[QCBA]|G[iI]?B?))?" + _END + r"(?![_-]|\.[A-Za-z0-9])"  # a virtual GPU: A10-24Q, or a size: A30-24G
_SIGN = r"(?:\((?:R|TM)\)|[\u00ae\u2122])?"
_GEFORCE = rf"(?:[Gg][eE]F(?:orce|ORCE)|Geforce|geforce|GForce|Gforce){_SIGN}[ _-]"
NAME = Pattern(
    rf"(?:(?:NVIDIA|[Nn]vidia|[Nn]V(?:idia|IDIA)){_SIGN}[ _-])?(?:GRID )?(?:"
    rf"(?:Tesla|TESLA|tesla|Telsa)[ -]?[ABCHKLMPTVckmptv]-?[0-9]{{1,4}}[A-Za-z]{{0,2}}?{_VARIANT}"
    rf"|(?:{_GEFORCE}|(?:GeForce|Geforce|GEFORCE)(?=[RG]TX)|(?:Quadro|quadro) )?"
    rf"(?:RTX|GTX|GT|rtx|gtx|gt|Rtx|Gtx|GTx|RTx){_SIGN}(?:[_-]| {{1,2}})?(?:P(?:RO|ro) )?A?[0-9]{{3,4}}"
    r"(?:[ -]?(?:Ti|TI|ti|SUPER|Super|super|(?:SFF )?A(?:da|DA)(?: Generation)?|(?:with )?Max-Q(?: Design)?|[Ll]aptop(?: GPU)?|Blackwell"
    r"|PRO|Pro|[Mm]obile(?: / Max-Q)?|Lite Hash Rate|D(?: V2)?|[Mm]|S)(?=s?(?![A-Za-z0-9_]))){0,3}"
    r"(?:(?<=1060) [36]GB(?![A-Za-z0-9])|(?<=A[23]000) (?:8|12)GB(?: Laptop(?: GPU)?)?(?![A-Za-z0-9]))?"
    r"(?: \((?:Laptop|Mobile|Max-Q)\))?(?: (?:Workstation|Server) Edition)?(?![0-9])"
    rf"|{_GEFORCE}(?:[Mm][Xx] ?)?[0-9]{{3,4}}(?: ?[Mm][Xx]| ?[Mm]| ?[Tt][Ii]| GTX?| GTS|A)?(?![A-Za-z0-9])"
    r"|[Mm][Xx](?:110|130|150|230|250|330|350|450|550|570)(?![A-Za-z0-9])"
    r"|(?:GeForce )?(?:GTX )?(?:TITAN|Titan|titan)[ _-]?(?:RTX|rtx|Xp|XP|xp|X|x|V|v|Z|Black)"
    r"(?: ?\(?(?:Pascal|Maxwell)\b\)?)?(?=s?(?![a-zA-Z]))"
    r"|(?:GeForce )?GTX (?:TITAN|Titan)(?![a-zA-Z])"
    r"|(?:Quadro|QUADRO|quadro) [A-Za-z]{0,2}[0-9]{3,4}M?|(?:Quadro )?NVS [1-9][0-9]{2,3}M?(?![A-Za-z0-9])|GV100(?![A-Za-z0-9]| \[)|"
    r"(?:[Jj]etson|JETSON)(?:(?: {1,2}|-)(?:"
    r"(?i:agx|orin|xavier|nano|nx|tx[12](?:i|-nx)?|tk1|thor|super|industrial)|[TP][2-5]000)(?![A-Za-z0-9_])){1,4}"
    r"(?: (?:4|8|16|32|64) ?GB(?![A-Za-z0-9]))?"
    r"|(?:AGX (?:Orin|Xavier|Thor)|(?:Orin|Xavier) (?:N[Xx]|Nano|AGX))(?![A-Za-z])|(?<=NVIDIA )Thor(?![A-Za-z])"
    r"|Orin(?= (?:board|kit|dev|module|box))|(?:(?<=\b[Oo]n )|(?<=\bwith )|(?<=\bfor )|(?<=\ban )|(?<=\bthe )|(?<=\bto ))Orin(?![\w-])"
    r"|[Tt][Xx]2(?![A-Za-z0-9-])"
    r"|Tegra X[12]|(?:DGX|NVIDIA|Nvidia) Spark|(?:CMP|cmp) ?[0-9]{2,3}(?:HX|hx)"
    r"|(?:AMD )?(?:Instinct )?(?:[Mm][Ii]-?[0-9]{2,3}[A-Zx]{0,2}|MI (?:25|50|60|100|210|250|300|325)X?)(?=s?(?![A-Za-z0-9]))"
    r"|(?:AMD (?:ATI )?)?(?:Radeon )?(?:RX|rx)[ -]?[4-9][0-9]{2,3}"
    r"(?: ?(?:XTX?|xtx?|GRE|S|M|2048SP)(?=s?(?![0-9A-Za-z_])))?(?=s?(?![0-9A-Za-z]))"
    r"|(?:AMD )?(?:Radeon (?:VII|(?:RX )?Vega Frontier Edition|RX Vega(?: [0-9]{2})?)(?![A-Za-z0-9])"
    r"|(?:(?:Radeon )?(?:[Pp]ro |PRO )|RX )?(?:[Vv]ega|VEGA) ?(?:16|20|48|56|64|64X|10|II)(?![0-9A-Za-z]))"
    r"|(?:AMD )?Radeon Vega(?= (?:Gfx|GPU|[Gg]raphics|Mobile))"
    rf"|(?:AMD )?Radeon ?{_SIGN} (?:(?i:RX|AI PRO|PRO) )?[A-Zw]{{0,3}} ?[0-9]{{3,4}}[A-Z]{{0,3}}(?: XTX?)?(?: Graphics)?"
    r"|(?:AMD )?(?:Radeon )?(?:AI PRO |Pro |PRO )?R9[67]00(?![A-Za-z0-9])"
    r"|(?:AMD |amd |Amd )(?:RX )?(?:[5-9][0-9][0-9]0 ?(?:XTX?|xtx?|GRE)|W[5-9][0-9]00)(?![A-Za-z0-9])"
    rf"|(?:Intel{_SIGN} )?(?:(?:Arc|ARC|arc){_SIGN} (?:Pro )?[ABab](?:[0-9]{{3}}M?|[3-7]0(?= Pro\b|(?<=Pro ...)))(?: Pro| LP)?"
    r"(?: Graphics)?|Data Center GPU (?:Max|Flex) [0-9]{3,4})"
    r"|MTT S[1-9][0-9]{1,3}(?![A-Za-z0-9])"
    # of Cambricon, Iluvatar, Hygon, Kunlunxin and MetaX; where a name is too short to speak for itself, behind its maker
    r"|MLU ?(?:100|220|270|290|370|580|590)(?:-?[A-Z][0-9]{1,2})?(?![A-Za-z0-9_])|(?:BI-V(?:100|150)S?|MR-V(?:50A?|100))(?![A-Za-z0-9-])"
    r"|K100[_-]AI(?![A-Za-z0-9])"
    r"|(?:(?<=\u6d77\u5149)|(?<=\u6d77\u5149 )|(?<=DCU)|(?<=DCU )|(?<=[Hh]ygon ))(?:Z100L?|BW[1-9]0{2,3})(?![A-Za-z0-9])"
    r"|(?:(?<=\u6606\u4ed1\u82af)|(?<=\u6606\u4ed1\u82af )|(?<=[Kk]unlunxin ))[PR][2-8]00(?![A-Za-z0-9])"
    r"|(?:(?<=\u6c90\u66e6)|(?<=\u6c90\u66e6 )|(?<=MetaX )|(?<=Metax ))C[2-6][0-9]0(?![A-Za-z0-9])"
    r"|Ascend ?(?:910(?:Pro|Premium)?[ABC]?[1-4]?|310(?:P[1-3]?|B[1-4]?)?)(?![A-Za-z0-9])"
    r"|Apple M[1-5](?: (?:Pro|Max|Ultra))?(?![A-Za-z0-9])|M[1-5] (?:Pro|Max|Ultra)(?![A-Za-z0-9])"
    r"|M[1-5](?= (?:[Mm]acs?|[Mm]ac[Bb]ooks?|chips?)\b)|(?:(?<=[Mm]ac )|(?<=ook [PpAa][ri][or] )|(?<=ac [Mm]ini ))[Mm][1-5](?![A-Za-z0-9.])"
    rf"|H20-3e(?![A-Za-z0-9])|(?:GB|GH)(?:10|200|300){_VARIANT}|[ABH](?:100|200|300|800|20)[A-Z]{{0,2}}{_VARIANT}|V-?100S?{_VARIANT}"
    rf"|A(?:310|380|580|750|770)M?{_END}|B5[78]0{_END}"
    rf"|A(?:10|16|30|40)[Gg]?{_SHARE}|A(?:[2-6]000|[45]500){_END}|[KMPT][1-6]000{_VARIANT}"
    r"|(?<=[Nn][Vv][Ii][Dd][Ii][Aa] )(?:[CM]20[5-9][05]|A2)(?![A-Za-z0-9-])"
    rf"|(?<=NVIDIA )T(?:[4-6]00|550|1200)(?: Laptop GPU)?{_END}|L(?:4|20|40[Ss]?){_SHARE}"
    rf"|[PKMT](?:4|10|40|60|80|100)(?:{_SHARE}|{_VARIANT})|K(?:20|40)(?:[cmst]|X[cms]?)(?![A-Za-z0-9])|[abh](?:100|800|200){_VARIANT}|v100{_VARIANT}|a[456]000{_END}"
    r"|(?:(?<=[Nn]vidia )|(?<=NVIDIA ))P10[2-6](?:-[01][09]0)?(?![A-Za-z0-9-])|P10[2-6]-[01][09]0(?![A-Za-z0-9-])"
    r"|(?:[pl]4|t10|a10|a16|a30|[hl]20)(?=(?:\u663e|GPU ?|gpu ?)?\u5361)"
    rf"|(?:t4|p100|k80|[pm]40|[al]40s?|l4|a10g){_VARIANT}(?! ?=| ?[+*] |[(\[]|\.[a-z]))"
)
# What a name begins with comes first: `re` skips to the next of these characters at once.
LETTER_DIGIT = Pattern(
    r"[ABCHKLMPTVabhvtpklm](?:(?<=[A-Z])[0-9]|(?<=M)[Ii][ -]?[0-9]{2}|(?<=V)-100"
    r"|(?<=[a-z])(?:[128]00|[456]000|40?|80|10g|(?:[123]0|16)(?=(?:\u663e|GPU ?|gpu ?)?\u5361))"
    r"(?=s?(?![A-Za-z0-9])|[xX][0-9]|GPU|gpu)|(?<=[roci] m)[1-5])"
)
WORDS = FixedTexts((
    "TX2", "tx2", "JETSON",
    "RTX", "GTX", "rtx", "gtx", "Rtx", "Gtx", "GTx", "RTx", "GT ", "TITAN", "Titan", "titan ", "titanx", "titanX", "titanv", "titanV",
    "Tesla", "tesla", "GT1", "GT5", "GT6", "GT7", "GT9", "gt1", "gt5", "gt6", "gt7", "gt9",
    "Quadro ", "QUADRO ", "NVS ",
    "NVIDIA Spark", "Nvidia Spark",
    "quadro ", "GV100", "Jetson", "jetson", "Tegra", "DGX Spark", "AGX ", "Xavier ", "Orin", "Thor", "CMP", "cmp", "Vega ", "MX", "Radeon",
    "AMD ", "amd ", "Amd ", "AI PRO R9", "R9700",
    "mx1", "mx2", "mx3", "mx4", "mx5", "mi100", "mi210", "mi250", "mi300", "mi308", "mi325", "mi350", "mi355",
    "RX ", "RX-4", "RX-5", "RX-6", "RX-7", "RX-9", "RX5", "RX6", "RX7", "RX9", "rx ", "rx5", "rx6", "rx7", "rx9", "GeForce",
    "Geforce", "geforce", "GEFORCE", "GEForce", "GForce ", "geForce ", "Gforce ", "Arc", "ARC", "arc ", "Data Center GPU",
    "MTT S", "MLU1", "MLU2", "MLU3", "MLU5", "MLU 1", "MLU 2", "MLU 3", "MLU 5",
    "BI-V", "MR-V", "Z100", "BW1", "R200", "R300", "Ascend", "Apple M",
))  # fmt: skip
_BEFORE = (
    "NVIDIA ", "Nvidia ", "nvidia ", "NVidia ", "nVidia ", "nVIDIA ", "NVIDIA-", "Nvidia-", "nvidia-", "NVIDIA_", "NVIDIA\u00ae ",
    "GRID ", "AMD ATI ", "AMD ", "Instinct ",
    "GeForce ", "Geforce ", "geforce ", "geForce ", "GEFORCE ", "GeForce-", "GTX ", "Quadro ", "quadro ",
    "Tesla ", "TESLA ", "tesla ", "Telsa ", "Tesla-",
    "Intel ", "Intel(R) ", "G",
)  # fmt: skip
ANY_BARE = Gated(
    r"[1-5](?:(?<=[2-5])0[5-9]0|(?<=1)(?:0[5-8]0|6[56]0))"
    r"|[5-9][1-9]0(?:[mM](?![BHiW\w])|[mM][xX]|(?= ?[Tt]i)|(?<=[iI][aA] ...)|(?<=[mM]y ...))"
)
BARE = Pattern(
    r"(?:(?<=GPU)|(?<=GPU:)|(?<=[1-9][xX])|(?<=[1-9]0[xX])|(?<![A-Za-z0-9_./:-])|(?<=[A-Z]/)(?=[2-5]0[5-9]0 ?[Tt][Ii]/))"
    r"(?<![0-9]{3}[*\u00d7])(?<![0-9]{3} [x*\u00d7] )"
    r"((?:(?:NVIDIA|Nvidia|nvidia|NVIDA|Nvida|nvida|Nividia|nividia) )?"
    r"(?:[45]090 ?D\b|[2345]0[56789]0|10[5678]0|16[56]0|[89][1-4]0[mM][xX]|9[678]0(?= ?[Tt][Ii])"
    # of series whose numbers are those of other things, too: with their maker, or those of notebooks with a word for a card
    r"|(?<=[iI][aA] )[5-9][1-9]0[mM]?(?![MGKm]?i?[bB]|[mM]?Hz| ?[WMGx]\b)"
    r"|(?:(?<=GPU )|(?<=gpu )|(?<=card )|(?<=GPU: )|(?<=gpu: )|(?<=\u663e\u5361)|(?<=is a )|(?<=[mM]y )|(?<=[tT]he ))"
    r"[5-9][1-9]0m(?![A-Za-z0-9]| (?:models?|param|versions?|checkpoints?|variants?|tokens?)\b)"
    r"|(?<=[mM]y )9[678]0(?= (?:ha[sd]|have|card|[gG][pP][uU]|with [1-9])\b))"
    r"(?: ?[Tt][Ii])?(?: ?(?:[Ss]uper|SUPER)|S)?"
    r"(?: (?:[Mm]obile|[Ll]aptop)(?: GPU)?| ?[RG]TX(?! ?[1-9A-Z]))?)"
    r"(?! ?[xX*\u00d7] ?[0-9]{3})"  # the width of a picture
    r"(?=[sS]?(?:[\s,.:;()x*\u00d7?!'\"/]|-[1-9][0-9]G|\+[a-z]|[^\x00-\xff]|$|GPU)|(?<=[^\x00-\xff].{4})[A-Za-z])"
)
# Numbers of Radeon cards with what tells them from other numbers.
BARE_RADEON = Pattern(r"(?:(?<=\b[1-9][xX])|(?<![A-Za-z0-9_./:-]))([5-9][0-9]{2}0 ?(?:XTX|XT|xtx|xt|GRE))(?![A-Za-z0-9])")
# Numbers of Ascend cards without their series, beside a word that tells whose they are.
BARE_ASCEND = Pattern(r"(?<![A-Za-z0-9_./-])(910(?:[ABC][1-4]?|[1-4])?|310P[1-3]?)(?![A-Za-z0-9._])")
ASCEND_WORDS = Pattern(
    r"(?<![A-Za-z])(?:NPU|npu|[Aa]scend|ASCEND|HUAWEI|[Hh]uawei|CANN(?!OT)|HCCL)|\u6607\u817e|\u534e\u4e3a|[\u5f20\u5361] ?910"
)


def is_product(text: str) -> bool:
    """Whether a text starts with the name of a GPU."""
    return NAME.match(text) is not None


def name_starts(text: str, place: int) -> list[int]:
    """Where a product name may start, with the maker and the series before it or without; the longest name first."""
    starts = [place]
    for _ in range(4):
        head = text[max(0, place - 9) : place]
        if not head.endswith(_BEFORE):
            break
        place -= len(next(word for word in _BEFORE if head.endswith(word)))
        starts.append(place)
    return starts[::-1]
