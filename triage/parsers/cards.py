"""How many GPUs the machine at hand has, as people tell it: "4 张 3090", "8×A100", "two RTX 4090s", "单机八卡", "A800 * 4".

A count beside a name tells of that name; one of "GPUs", "cards" or 卡 is taken of sentences only. What a paper used, a guide asks for or
somebody has yet to buy is no count of the machine at hand.
"""

from __future__ import annotations

from triage.reading.lazy import Gated, Pattern

MAX_COUNT = 1024
_GLUED = ("A1", "A8", "B2", "H1", "H2", "H8", "V1")  # "8H800"

_WORDS = {
    "one": 1, "single": 1, "a single": 1, "two": 2, "dual": 2, "twin": 2, "both": 2, "a pair of": 2, "three": 3, "triple": 3, "four": 4,
    "quad": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "ten": 10, "sixteen": 16, "thirty-two": 32,
    "一": 1, "单": 1, "两": 2, "二": 2, "双": 2, "俩": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "十": 10, "十六": 16,
}  # fmt: skip
_DIGITS = r"[1-9][0-9]{0,3}"
_ENGLISH = r"a single|single|one|two|dual|twin|both|a pair of|three|triple|four|quad|five|six|seven|eight|ten|sixteen|thirty-two"
_CHINESE = r"十六|[一单两二双俩三四五六七八十]"
_OF = "张块个枚片卡"  # words that count cards
_GIB = r"[1-9][0-9]{1,2} ?[Gg](?:[Ii]?[Bb])?"
_BETWEEN = (
    rf"(?:(?:{_GIB}(?: ?显存)?|(?i:nvidia|geforce|tesla|quadro|rtx|amd|identical|used|old|new|gpus?(?: of)?|cards? of|pieces? of|pcs)"
    r"|英伟达|显卡|显存|的|型号为?|[(（])[ -]?){0,4}"
)
# Before a name: "4 张 24G 的 3090", "8x A100", "two NVIDIA ", "8 GPUs (".
_BEFORE = Pattern(
    rf"(?:(?<![A-Za-z0-9_.\-/:=])(?:({_DIGITS})(?: ?(?:[x*X×✖] ?|[{_OF}] ?(?:显卡|GPU)? ?)| |-| ?-? ?GPUs? )|((?i:{_ENGLISH})) (?:x )?)"
    rf"|(?<=[:=])({_DIGITS}) ?[x*X×] ?|({_CHINESE}) ?[{_OF}]? ?(?:显卡|GPU)? ?|(?<![A-Za-z0-9_.\-/])({_DIGITS}))"
    rf"{_BETWEEN}\Z"
)
# A number with nothing between it and a name that says that one counts the other needs a word before it, or the start of something.
_BARE = Pattern(rf"{_DIGITS}[ -]{_BETWEEN}\Z")
_COUNTS = Pattern(
    r"(?:\b(?i:with|on|using|use[sd]?|have|has|had|got|of|my|our|the|these|those|across|over|are|own|ran|run|and|for|gpus?|in|is|by) "
    r"|[\n,，:：;；(（。、|]\s?|[\u4e00-\u9fff] ?|\A\s*)\Z"
)
# Behind a name: "3090 x 2", "A100 80G * 8", "4090（4张）", "V100 双卡".
_BEHIND = Pattern(
    rf"[sS]?(?: ?显卡| GPUs?)?(?: ?[-_/(（,，]? ?{_GIB}(?: ?显存| VRAM)?[)）]?)?"
    rf"(?: ?[xX*×✖] ?({_DIGITS})(?![0-9.*xX×%]| ?(?:[GMT][Bb]?\b|[xX*×] ?[0-9]))"
    rf"| ?[,，(（ ]{{0,2}}(?:共|一共|总共|x)? ?(?:({_DIGITS})|({_CHINESE})) ?"
    r"(?:[张块枚片](?![\u4e00-\u9fff]{0,2}[图片])|卡(?![在住顿死]))"
    rf"|(?:,|，)? ?[(（,] ?(?:x ?)?({_DIGITS}) ?(?i:gpus?|cards?|pcs)\b)"
)
# Without a name.
_GENERIC = Gated(
    rf"(?<![A-Za-z0-9_.\-/:=+])(?:({_DIGITS}) ?(?:[x*X×] ?)?|((?i:{_ENGLISH})) )"
    r"(?:(?i:nvidia|identical|different|physical|local|rtx|visible|available) )?"
    r"(?:(?i:gpus?)\b(?![ -](?i:memory|ram|hour|min|sec|day|utiliz|usage|kernel|driver|util))|(?i:(?:graphics |video )?cards\b))"
    rf"|(?:(?<![0-9.A-Za-z第卡])({_DIGITS})|(?<!第)({_CHINESE})) ?"
    r"(?:[张块个] ?(?:显卡|GPU|gpu|卡)|显卡|卡(?![在住顿死片尔通路壳槽牌了]))"
)
_FIELD = Gated(
    r"(?i:(?:number of|num(?:ber)?|#) ?gpus?|gpu (?:count|number|num)|gpus? ?(?:数量|个数)|显卡(?:数量|个数|数))"
    r"[*`_ ]{0,3}[:：=][*`_ ]{0,3}([1-9][0-9]{0,3})(?![0-9.])"
)
# Whose cards they are not, in the sentence before the count: those of a paper, a default, a wish.
_NOT_AT_HAND = Pattern(
    r"(?i:\b(?:papers?|authors?|official(?:ly)?|default|original(?:ly)?|readme|recommend\w*|requires?|required|requiring|requirement|needs?"
    r"|minimum|at least|up to|more than|less than|fewer than|if i had|if you|can (?:i|we|you|it)|could (?:i|we|you|it)|should|would|whether"
    r"|plan(?:ning)? to|e\.g\.?|for example|such as|other people|others|someone|somebody|he|she|you|your|support(?:s|ed|ing)?"
    r"|instead of|than|every|each of the|buy|no|without|previous(?:ly)?|before|used to|another|other|rent(?:ed)?)\b)"
    r"|论文|官方|作者|默认|原文|需要|至少|最少|如果有|能否|是否|可否|打算|准备买|建议|推荐|别人|你们|例如|比如|要求|支持|之前|以前|其他|另外|另一|超过|不止"
)
_NOT_AT_HAND_BEHIND = Pattern(
    r"[^.,;。，；\n]{0,24}?(?i:\b(?:enough|required|recommended|needed|(?:is|are) (?:fine|ok)|works?|worked|ran|runs fine|instead)\b)"
    r"|[^.,;。，；\n]{0,16}?(?:够|可以吗|行吗|能行|能不能|没问题|正常|起步|以上|以内)"
    r"|[^.,;。，；\n]{0,40}[?？]|\+(?!\w)"
)
_SENTENCE = Pattern(r"[.!?。！？；;](?=\s|[\u4e00-\u9fff]|\Z)|\n")


def _number(digits: str | None, word: str | None) -> int:
    if digits:
        return int(digits)
    return _WORDS.get((word or "").lower(), 0)


def told_before(text: str, start: int) -> tuple[int, int] | None:
    """The number of cards of a name at an offset that stands before it, and where that begins."""
    head = max(0, start - 40)
    found = _BEFORE.search(text, head, start)
    if found is None:
        return None
    count = _number(found[1] or found[3] or found[5], found[2] or found[4])
    if not 1 <= count <= MAX_COUNT or (found[5] and not text.startswith(_GLUED, start)):
        return None
    place = found.start()
    if found[1] and _BARE.match(text, place, start) and not _COUNTS.search(text, max(0, place - 16), place):
        return None
    return count, place


def told_behind(text: str, end: int) -> int | None:
    """The number of cards of a name that stands behind it."""
    found = _BEHIND.match(text, end)
    if found is None:
        return None
    count = _number(found[1] or found[2] or found[4], found[3])
    return count if 1 <= count <= MAX_COUNT else None


def at_hand(text: str, start: int, end: int) -> bool:
    """Whether what is counted between two offsets are cards of the machine at hand, by the words around them."""
    low = max(0, start - 80)
    for found in _SENTENCE.finditer(text, low, start):
        low = found.end()
    return _NOT_AT_HAND.search(text, low, start) is None and _NOT_AT_HAND_BEHIND.match(text, end) is None


def generic(text: str) -> list[tuple[int, int, int]]:
    """Counts of GPUs without a name: how many, and where that is said."""
    found: list[tuple[int, int, int]] = []
    for match in _GENERIC.finditer(text):
        count = _number(match[1] or match[3], match[2] or match[4])
        if 1 <= count <= MAX_COUNT:
            found.append((count, match.start(), match.end()))
    for match in _FIELD.finditer(text):
        found.append((int(match[1]), match.start(), match.end()))
    return found
