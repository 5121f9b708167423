"""The release that is there, told by its number alone behind another: "requires PyTorch >= 2.2 but found 2.1.0"."""

from __future__ import annotations

import re

from triage.parsers.versions.packages import KNOWN, canonical
from triage.reading.lazy import Pattern

_ASKING = (
    "equir", "equest", "need", "xpect", "t least", "inimum", "ust be", "want", ">=", "==", "<", "newer", "later", "above", "higher",
    "\u8981\u6c42", "\u9700\u8981", "\u5fc5\u987b", "\u81f3\u5c11", "\u4ee5\u4e0a",
)  # fmt: skip
_LAST_WORDS = (
    "found", "got", "has", "have", "is", "uses", "detected", "current", "currently", "version", "installed", "available", "only", "but",
    "\u662f", "\u4e3a", "\u7248\u672c", "\u53ea\u6709", "\u5f53\u524d", "\u76ee\u524d",
)  # fmt: skip
# What leads up to the number of what is there; behind "but" alone something must follow that says so.
_TOLD = Pattern(
    r"(?:[ (](?:found|got|has|have|is|uses|detected|current(?:ly)?|installed|available|but(?= is)|(but)(?! is))(?: version)?(?: is| only)?"
    r"|(?<!required)(?<!requested)(?<!minimum)(?<!expected)(?<!supported) version(?: is| only)?"
    r"|(?:\u5f53\u524d|\u76ee\u524d|\u73b0\u5728|\u5b9e\u9645)?(?:\u5b89\u88c5|\u4f7f\u7528|\u88c5|\u7528)?\u7684?(?:\u7248\u672c)?"
    r"(?:\u662f|\u4e3a|\u53ea\u6709)|(?:\u5f53\u524d|\u76ee\u524d)(?:\u7248\u672c)?)[:\uff1a]? ?\(?v?\Z",
    re.IGNORECASE,
)
_IS_FOUND = Pattern(r"[-+.\w]{0,12} (?:(?:is|was|are|has been) )?(?:found|installed|present|detected|available|used|there)\b")
# The release that was asked for: "triton==2.1.0", "torch version must be at least 2.1", "NCCL: expected 2.18".
_ASKED = Pattern(
    r"(?<![A-Za-z0-9_.-])([A-Za-z][A-Za-z0-9_-]{1,20})(?: ?version| ?\u7248\u672c)?:?"
    r"(?:[ ,]{1,2}(?:required|requires|expected|expecting|wanted|needed|must be|should be|has to be|needs to be|is)){0,2}"
    r"(?: at least| above)? ?(?:[<>=~!]{1,2} ?|\u8981\u6c42 ?|\u81f3\u5c11 ?){0,2}v?[0-9][A-Za-z0-9_.+]{0,20}"
)
_NAMED = Pattern(r"(?<![A-Za-z0-9_.-])([A-Za-z][A-Za-z0-9_-]{1,20})(?: version)?[:,]?\Z")
# "The default version is 11.2, but the version I need is 10.0": the last number is the one that is wished for.
_WISHED = Pattern(
    r"(?:\b(?:need|want|require|expect|request)(?:s|e?d)?(?: here| for (?:it|this|that))?"
    r"|\b(?:required|requested|expected|wanted|needed) version|\u9700\u8981\u7684?|\u8981\u6c42\u7684?)(?:\u7248\u672c)?\Z",
    re.IGNORECASE,
)
_IS = ("is", "\u662f", "\u4e3a")
_SIZE_BEHIND = Pattern(r" ?(?:[KMGTkm]i?B\b|G\b|%|x\b|fps|s\b|ms\b|min|hours?)")
# The release in use, by its number alone behind one that was asked for, that works or that was there before: "it needs torch>=2.1, mine
# is 2.0.1"; "I was on torch 2.1.0, now I am on 2.3.0"; "官方要求CUDA 11.8，我的是12.1".
_IN_USE = Pattern(
    r"(?:\b|(?<=[\u4e00-\u9fff]))([A-Za-z][A-Za-z0-9_-]{1,20})(?: version)?(?:[ =:]{1,2}| ?[>=~]= ?)v?[0-9][A-Za-z0-9_.+]{0,20}"
    r"[^.\n]{0,40}?(?:(?i:\b(?:(?:i|we) (?:(?:only|still|just|now) )?(?:have|use|run|got)"
    r"|(?:am|i.m|are|we.re) (?:(?:now|still|currently) )?(?:on|at|using|running)"
    r"|(?:mine|ours) is|my (?:machine|env|environment|system|server|box|setup|version|pc) (?:has|is|uses|runs)|currently(?: on| at| using)?"
    r"|now(?: on| at| using| with| it is)?|only (?:with|on|in)|(?:error|problem|issue|crash|failure) is (?:with|in|on))) (?:version )?"
    r"|(?:\u6211(?:\u88c5|\u7528|\u5b89\u88c5)?\u7684(?:\u7248\u672c)?\u662f|\u6211(?:\u8fd9\u91cc|\u8fd9\u8fb9|\u672c\u5730)?(?:\u662f|\u7528|\u88c5)"
    r"|\u73b0\u5728(?:\u662f|\u7528\u7684?\u662f?)|\u76ee\u524d\u662f?|\u6362\u6210|\u6539\u6210"
    r"|(?:\u6b63\u5e38|\u6ca1\u95ee\u9898)[\uff0c, ]?(?:\u4f46\u662f?)?"
    r"(?:\u7528|\u6362\u6210|\u5347\u7ea7\u5230)?) ?)v?\Z"
)
_USE_WORDS = (
    "have ", "use ", "run ", "got ", "on ", "at ", "using ", "running ", "is ", "has ", "uses ", "runs ",
    "ently ", "now ", "with ", "in ",
)  # fmt: skip
_USE_SIGNS = "\u662f\u7528\u88c5\u524d\u6210\u5e38\u9898\uff0c\u5230"
_FAR = 60  # characters behind what was asked for


def found_instead(head: str, text: str, end: int) -> str:
    """The package of a number that says what is there, where another release of it is asked for in the same line; '' for none.

    `head` is what stands before the number, which ends in `text` at `end`.
    """
    if not head.rstrip(" (v:\uff1a").lower().endswith(_LAST_WORDS) or _SIZE_BEHIND.match(text, end):
        return ""
    told = _TOLD.search(head)
    if told is None or (told[1] and _IS_FOUND.match(text, end) is None):
        return ""
    before = head[: told.start()]
    if told[0].strip().endswith(_IS) and _WISHED.search(before):
        return ""
    asked = next(reversed(list(_ASKED.finditer(before))), None)
    if asked is None:
        named = _NAMED.search(before) if _is_asked(text[end : end + _FAR].partition("\n")[0]) else None
        return _known(named[1]) if named is not None else ""
    between = before[asked.end() :]
    if len(between) > _FAR or not _is_asked(before) or any(map(_known, between.split())):
        return ""
    return _known(asked[1])


def in_use(head: str, text: str, end: int) -> str:
    """The package of a number that says what is in use, where another release of it was named before in the same sentence; '' for none."""
    bare = head.removesuffix("v")
    if not (bare.endswith(_USE_WORDS) or bare.rstrip(" ")[-1:] in _USE_SIGNS) or _SIZE_BEHIND.match(text, end):
        return ""
    found = _IN_USE.search(head)
    return _known(found[1]) if found is not None else ""


def _is_asked(text: str) -> bool:
    return any(map(text.__contains__, _ASKING))


def _known(word: str) -> str:
    """The package that a word names; '' for none."""
    name = canonical(word.strip("(),.:'\"`").lower())
    return name if name in KNOWN else ""
