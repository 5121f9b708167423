"""What the words around a number say of it: whose version it is, and whether it was the former one, asked for or an example."""

from __future__ import annotations

import re

from triage.parsers.versions.packages import ALIASES, IMPLIED, KNOWN, PHRASE_ENDS, PHRASES, PRINTED, SAID, canonical
from triage.reading import Block
from triage.reading.lazy import Pattern

# A package in the tag of an image, right before its number: "-vllm" of "cu124-vllm0.8.5".
TAGGED = Pattern(r"[a-z0-9][-_+]([a-z]{3,20}|py|cu)\Z")
# The last word before a number.
WORD = Pattern(r"[A-Za-z][\w.+-]{0,60}\Z", re.ASCII)
# Words before a release with which all is well: "works fine with torch " (2.3.1), "no problem on a machine with CUDA " (11.8).
_WORKED = Pattern(
    r"(?:\b(?:[Ww]orks?|[Ww]orked|[Ww]orking|[Pp]ass(?:es|ed)|succeed(?:s|ed)|ok|OK|fine|fixed|resolved|solved"
    r"|(?:go(?:es|ne)?|went) away|disappear(?:s|ed)?)"
    r"(?: (?:well|fine|perfectly|properly|correctly|upstream|only))?"
    r"|\b[Nn]o (?:such )?(?:problems?|issues?|errors?)) (?:when )?(?:with|in|on|under|using|for) "
    r"(?:(?:(?:an?|the|my|our|another|other) )?(?:server|machine|pc|PC|computer|node|laptop|system)s? (?:running|with|using|on) )?"
    r"(?:`{0,3}(?:(?:(?i:nvidia|drivers?|cuda|cudnn|pytorch|torch|python|tensorflow|version|and)|[0-9][\w.]{1,20})[ =+/]{1,3}){1,6}"
    r"|[\w.-]{1,20}[ =]{1,2})?v?\Z"
)
# Where a failure does not show: "this does not happen with transformers 4.40.0".
_UNHARMED = Pattern(
    r"\b(?:do(?:es)?(?: not|n.?t)|did(?: not|n.?t)|never|not) (?:happen|occur|fail|crash|appear)(?:s|ed|ing)? (?:with|on|in|under|using) "
    r"[\w.-]{2,20}(?:==| version | )v?\Z"
)
# Words before a release that was only tried, or is to be left: "upgraded transformers to " (4.40), "do not use numpy " (2.0).
_TRIED = Pattern(
    r"\b(?:updat|upgrad|downgrad|chang|switch|mov|revert)(?:e|ed|es|ing)? .{0,40}\bto {1,2}v?\Z"
    # of two that somebody has, neither was only tried
    r"|\b(?:tri(?:ed|es)|trying|tested|testing|works?|worked|happens?|happened|fails?|failed|occurs?|same|seen|reproduc\w+)\b"
    r"[^.;\n]{0,30}?\bboth [\w.-]{2,20} ?v?\Z"
    r"|\b(?:do ?n.?t|do not|never|avoid) us(?:e|ing) (?:the )?[\w.-]{2,20} (?:version )?(?:of )?v?\Z",
    re.IGNORECASE,
)
# What was installed in the end, or never was: "resolved by installing cudatoolkit " (11.2), "I tried to install pytorch" (1.4.0).
_NEVER_THERE = Pattern(
    r"\b(?:resolv|solv|fix)(?:e|ed|es)\b[^.;\n]{0,24}? by (?:(?:re)?install|upgrad|downgrad|updat|switch|chang)ing (?:to )?(?:the )?"
    r"(?:[\w-]{2,20}[ =]{1,2}v?[0-9][0-9.]{0,9},? (?:and|&|,) )?[\w-]{2,20}(?:==?| version | to | )?v?\Z"
    r"|\b(?:(?:tried|attempted|unable|failed|fails) to install|(?:cannot|can.?t|could ?n.?t|could not) install|tried installing) (?:the )?"
    r"(?:(?:py)?torch|tensorflow(?:-gpu)?|cuda(?:[ -]?toolkit)?|cudnn)(?:==?| version | )?v?\Z",
    re.IGNORECASE,
)
# What another release was tried for and did not bring: "downgrading to torch 1.13 did not help".
_ANOTHER = r"\b(?:(?:up|down)grad|switch|mov|go|chang|revert|install|try|tri|us)(?:e|ed|es|ing)? [^.;\n]{0,24}?"
_ANOTHER_TRIED = Pattern(_ANOTHER + r"(?:[A-Za-z][\w-]{1,20}[ =]{1,2})?(?:version )?v?\Z", re.IGNORECASE)
_IN_VAIN = (
    r"[`'\")]{0,2},? (?:(?:also|but|and|which|it|that|this) ){0,3}"
    r"(?:(?:did|does|has|have)(?: ?not|n.?t) (?:help|work|fix|solve|change|make)(?:ed|d)?\b(?: (?:it|this|that|anything|either))?"
    r"|(?:had|has|with) no (?:effect|luck)|made no difference|(?:gives?|gave|leads? to|led to) the same\b|was (?:no use|in vain)"
    r"|(?:is|was) no help)"
)
_VAIN = Pattern(_IN_VAIN, re.IGNORECASE)
# A number of which is said at once that all was well with it: "torch 2.3.1 works, torch 2.4.0 fails", "2.5.1 (good)".
_PRAISED = Pattern(
    r"[`'\")]{0,2} (?:\((?:good|ok|works?|working|fine)\)"
    r"|(?:still |it |this |everything |all )?(?:works?|worked|(?:is|was) (?:fine|ok|good|working))\b(?: (?:fine|well|perfectly|properly))?"
    r"(?=[,;.]| (?:but|and|while)\b)"
    r"|(?:fixe[sd]|solve[sd]|resolve[sd]) (?:it|this|that|the))"
    r"|(?:\u662f|\u65f6|\u90fd)?(?:\u6b63\u5e38|\u6ca1(?:\u6709)?\u95ee\u9898|\u80fd\u7528|\u4e0d\u62a5\u9519)",
    re.IGNORECASE,
)
# The release that is named by its number alone behind another of the same: "works with torch 2.3.1 but with 2.4.0 I get".
_CONTRASTED = Pattern(
    r"\b([A-Za-z][\w-]{1,20})[ =]{1,2}v?([0-9]{1,3})\.[\w.+]{1,20}"
    r"(?:(?: \((?:good|ok|works?|working|fine)\)"
    r"| (?:(?:it|this|everything|all) )?(?:still )?(?:works?|worked|(?:is|was) (?:fine|ok|good))(?: fine| well)?)"
    r"(?:,|,? (?:but|and|while|whereas)(?: not)?)|,? (?:but|while|whereas)(?: not)?)"
    r"(?: (?:with|on|in|under|since|from))?(?: version)? v?\Z"
)
# The release in use, named by its number alone behind one that was tried in vain.
_RESUMED = Pattern(
    rf"{_ANOTHER}([A-Za-z][\w-]{{1,20}})(?:[ =]{{1,2}}| (?:back |down |up )?to )v?[0-9][\w.+]{{0,20}}{_IN_VAIN}"
    r"[,;.]? (?:(?:and|but|so) )?(?:(?:i|we)(?:.m| am| are)? )?(?:(?:now|still|currently|again) )?"
    r"(?:us(?:e|ing)|on|have|run(?:ning)?|with|back (?:to|on)) (?:version )?v?\Z",
    re.IGNORECASE,
)
# Ends of words that `_RESUMED` may match: "… did not help, I now use " (2.0.1).
_RESUMING = (" use ", " on ", " using ", " with ", " have ", " version ", " to ", " running ", " run ", " v")
# From one release to another: the name stands before the first number, which is the former one.
_CONTRASTING = (" but ", " while ", " whereas ", " work", "fine", "ok", "good")
_MOVES = ("->", "=>", "\u2192", " to ", "\u5230", "\u81f3")
# From the former release up to the number: "Paddle" | " was upgraded from 2.5 to " (2.6), "torch" | " 2.0 -> " (2.1).
_MOVED = Pattern(
    r"(?:[ :\uff1a,(]{0,3}(?:(?:was|is|has been|got|\u7531|\u4ece) ?){0,2}(?:up|down)graded from v?[0-9]+(?:\.[0-9]+){1,3} to"
    r"|[ :\uff1a]{0,3}[\u7531\u4ece]? ?v?[0-9]+(?:\.[0-9]+){1,3} ?(?:[-=]>|\u2192|(?:(?:was|is) )?(?:up|down)graded to"
    r"|(?:\u5347\u7ea7|\u66f4\u65b0|\u5347|\u964d\u7ea7|\u964d)[\u5230\u81f3]\u4e86?)) ?v?\Z"
)
# What follows the number of a release that was left: "2.0.1" | " -> 2.1", " upgraded to 2.1".
_LEFT = Pattern(
    r" ?(?:[-=]>|\u2192|(?:(?:was|is) )?(?:up|down)graded to"
    r"|(?:\u5347\u7ea7|\u66f4\u65b0|\u5347|\u964d\u7ea7|\u964d)[\u5230\u81f3]\u4e86?) ?v?[0-9]"
)
# Words before such a number: "upgraded from torch " (2.0.1).
_LEFT_BEHIND = Pattern(r"\b(?:up|down)graded from(?: [\w-]{2,24})?[ =]{1,2}v?\Z")
# People report what they have in the past tense too, unless the sentence tells of two times.
_WAS_THEN = Pattern(
    r"(?i)\b(?:previous(?:ly)?|former(?:ly)?|old|earlier|initial(?:ly)?|original(?:ly)?|at first|back then|before|last|once)\b[^\n]{0,60}\Z"
)
_IS_NOW = Pattern(
    r"(?i)[^\n]{0,40}?\b(?:before|until|but now|now|then|since then|(?:up|down)graded?|updated?|changed|switched|at (?:that|the) time)\b"
)
# A name behind its number: "compiled with 10.2" | " Cuda".
_FOLLOWING = Pattern(r" (CUDA|Cuda|cuda|cuDNN|cudnn|[Pp]y[Tt]orch|[Tt]ensor[Ff]low)(?![\w+-]|\.\w| ?[=:0-9])")
# "the latest v1.15.3 mxnet": any package, where no other name can stand before the number
_ANY_FOLLOWING = Pattern(r" (?!(?i:docker|windows|python|conda|pip)\b)([A-Za-z][\w-]{2,30})(?![\w+-]|\.\w| ?[=:0-9])")
# Words before a number after which no name has to stand before it: "using the latest" | " v1.15.3 mxnet".
_UNNAMED = Pattern(
    r"(?:\A|\b(?:latest|newest|current|recent|stable|nightly|the|with|using|use|on|in|have|installed|tried|is|was|and|both|or)|[(,;:])\Z"
)
# Whose release a title means that says only "version": "[XGBoost] Bug for version 2.1.1", "Bug for version 2.1.1: XGBoostError: …"
_OF_A_TITLE = Pattern(r"[# *]{0,8}\[([A-Za-z][\w.-]{1,24})\]")
_OF_AN_ERROR = Pattern(r"[^\n]{0,24}?\b([A-Za-z]\w{2,20})Error\b")
# "2025.12.5 for unsloth, 0.24.0 for trl"
_OWNER = Pattern(r" (?:for|of) (?:the )?([A-Za-z][\w.-]{1,30}\w)(?=\.?(?:[,;)\uff0c\u3001]|\s*$| and )|\.\s)", re.MULTILINE)
# A number that is one of a list: ", " or "and " before "0.24.0 for trl".
_LISTED_BEFORE = Pattern(r"(?:[,;(\uff0c\u3001]|\band)\s*v?\Z")
# "1.7.2的mmcv", "the 2.1.0 version of torch"
_OWNED = Pattern(
    # an image of that tag, not Docker's own release: "\u62c9\u53d62.4.2\u7684docker"
    r"(?:\u7248\u672c?\u7684 ?|\u7684 ?(?![Dd]ocker\b)| (?:version|release|build) of (?:the )?)"
    r"([A-Za-z][A-Za-z0-9_-]{1,30})(?![A-Za-z0-9_-]| [0-9=])"
)
# What `_FORMER` cannot match without.
_FORMERLY = (" past", "hat was", "reviously", "revious ", " prior ", "lder ", "ormer", "arlier ", "ninstalled ", "emoved ")
# Words before a release that was replaced: "in the past I used tensorflow==" (1.12), "uninstalled torch " (2.0).
_FORMER = Pattern(
    r"(?:\b[Tt]hat was (?:with|on|using)(?: an?| the)?"
    r"|\b(?:[Ii]n the past|[Pp]reviously|[Ff]ormerly),? (?:[\w']{1,12} ){0,3}(?:used|had|ran|using|with|on)|\b[Pp]reviously"
    r"|\b(?:[Pp]revious|[Pp]rior|[Oo]lder|[Ff]ormer|[Ee]arlier)(?: version(?: of)?)?"
    r"|\b(?:[Uu]ninstalled|[Rr]emoved)) [\w.-]{2,20}(?:==| version | )v?\Z"
)
# Words behind the number of such a release, where `_USED` stands before it: "I used torch 1.12" | " before".
_REPLACED = Pattern(r"[`'\")]{0,2} (?:before(?! \w)|previously|earlier|in the past|until (?:now|recently|today)|so far)\b")
# Words before it: "I used torch ", "we were on cuda " (11.8).
_USED = Pattern(r"\b(?:used|using|had|ran|was on|were on) (?:[\w-]{1,20} )?[\w.-]{2,20}(?:==| version | )v?\Z")
# Words before a release from which on something holds for everybody, where `_HOLDS` stands behind: "Since ORT " (1.9).
_FROM_ON = Pattern(r"\b(?:[Ss]ince|[Aa]s of|[Ss]tarting (?:with|from|in)) [\w. -]{2,24}\Z")
# Words behind it: ", you are required to".
_HOLDS = Pattern(r",? (?:you|users|one) (?:are|is|will|must|have|has|should|need)\b")
# Words before a release that was tried, where `_THEN_WELL` stands behind: "when I change to python " (2.7).
_CONDITION = Pattern(
    r"\b(?:(?:[Ww]hen|[Ii]f|[Oo]nce|[Aa]fter) (?:I|i|we) |[Aa]fter (?:upgrad|updat)ing |chang(?:e|ed|ing) to |switch|downgrad)"
)
# Words behind it: " everything works".
_THEN_WELL = Pattern(r"[^.;\n]{0,60}?\b(?:it|this|everything|(?:my )?code)(?: all)? (?:works?|worked|runs?|ran)\b(?! (?:out|into))")
# Words of which one stands in all that `_WORKED`, `_TRIED` and `_UNHARMED` match.
_DISMISSING = (" with ", " in ", " on ", " under ", " using ", " for ", " to ", "oth ", " use ")
# Two packages that share a version: "cuda/cudnn", "torch and torchvision".
_PAIR = Pattern(r"(cuda|torch|pytorch|python|gcc) ?(?:/|&|and) ?(?:cudnn|cuda|torch|pytorch|torchvision|compiler)\Z")
# What stands between the names of a pair.
JOINED = ("/", "&", "and")
# What may stand between a name and its number, and says nothing: "torch" | " version", "CUDA" | " on my machine".
_CLOSING = tuple(sorted((
    " docker container", " docker image", " container", " server image", " with version", " at version", " has version", " have version",
    ":version", ": version", "\uff1aversion",
    " desktop", " server", " lts", " lib", " library",
    " on my computer", " on my machine", " on my pc", " from source", " of version", " of the version", " on version",
    " version was",
    " version", " version of", "(version", "[version", "(ver", "(ver.", '"version', " package", " versions", " ver", " ver.",
    " v.", "\u90fd", "\u5747",
    "--version", " -v", " tested", " tested with", " at", " is", " used", " installed", " build", " release",
    " are you using", " do you use", " are you running", " do you have", " you are using", " update", " version number",
    " and distribution", " remains", " remained", " stays",
    " current", " currently", "(current", "(currently", "(now", " now", " vers", " vers.", " in use",
    " reports", " reported", " shows", " showed", " says", " prints",
    " i am using", " i'm using", " i use", " i have", " we are using", " we use", " we have", " i installed",
    " inside docker", " inside the container", " in docker", " in the container", " in container", " in the docker", " in the image",
    " on the host", " on host", " on the server", " on this machine", " on the machine", " on my system", " locally",
    " in my environment", " in the environment", " in my env", " in the env", " in wsl", " in conda",
    " nightly", " stable", " latest", " main branch", " master branch", " from git", " from main", " from master",
    " from pip", " from conda", " wheel",
    "\u663e\u793a", "\u663e\u793a\u4e3a", "\u663e\u793a\u7684\u662f", "\u663e\u793a\u662f", "\u76ee\u524d",
    "\u5f53\u524d", "\u5b89\u88c5", "\u5df2\u5b89\u88c5", "\u91c7\u7528", "\u88c5\u4e86",
    "\u7248\u672c", "\u7248\u672c\u53f7", "\u4e3a", "\u662f", "\u65f6",
    "'s", "\u2019s",
    "のバージョン", " バージョン", "バージョン", "は", "が", " 버전", "버전", "은", "이", "는", " версия", " версии", " версию", " версией",
    "\u5b89\u88c5\u7684", "\u4f7f\u7528\u7684", "\u7528\u7684", "\u88c5\u7684", "\u7684", "\u6700\u65b0",
), key=len, reverse=True))  # fmt: skip
_VERSION_MISSPELT = Pattern(r"[ (\[]v(?:[eirsot]{3,6}|is+io)n\Z")  # vesrion, verison, verion, vision
# Marks that may stand there.
_CLOSING_MARKS = " \t:=\"'`*_\uff1a(,-?\uff1f\u2013\u2014"
# Names of the toolkit of a machine, which is another than the CUDA of its torch: "system cuda version" (12.2).
_SYSTEM_TOOLKIT = ("system cuda", "system cuda version", "(nvcc)", "local cuda", "local cuda version")


def of_two_words(head: str) -> str:
    """The package whose name is written apart at the end: "PyTorch Lightning", "Sage Attention"; '' for none."""
    rest, _, second = head.lower().removesuffix(" is").removesuffix(" version").rpartition(" ")
    first = rest[rest.rfind(" ") + 1 :].lstrip("([*`-")
    if not first.isalpha() or not second.isalnum() or (first, second) == ("cuda", "python"):
        return ""  # those two are of a list
    name = f"{first}-{second}" if f"{first}-{second}" in KNOWN or f"{first}-{second}" in ALIASES else first + second
    return canonical(name) if name in KNOWN or name in ALIASES else ""


def is_former(head: str, text: str, end: int) -> bool:
    """Whether the words around a number say that it was replaced since: "in the past I used tensorflow==1.12", "I used it 1.12 before"."""
    if any(map(head.__contains__, _FORMERLY)) and _FORMER.search(head) is not None:
        return True
    return _REPLACED.match(text, end) is not None and _USED.search(head) is not None


def is_of_history(head: str, text: str, end: int) -> bool:
    """Whether a sentence tells what holds from a release on, whichever is installed: "Since ORT 1.9, you are required to …"."""
    return _HOLDS.match(text, end) is not None and _FROM_ON.search(head[-40:]) is not None


def before_the_move(head: str) -> str:
    """The words before a number without the release that it replaced: "Paddle was upgraded from 2.5 to " → "Paddle"."""
    moved = _MOVED.search(head) if any(map(head[-40:].__contains__, _MOVES)) else None
    return head[: moved.start()] if moved is not None else head


def is_left_behind(head: str, block: Block, end: int) -> bool:
    """Whether a number is that of a release that was replaced by another: "torch 2.0.1 -> 2.1.0"; "upgraded from torch 2.0.1"."""
    if head.endswith("version was ") and (_WAS_THEN.search(head) is not None or _IS_NOW.match(block.text, end) is not None):
        return True
    return _LEFT.match(block.text, end) is not None or ("graded from" in head and _LEFT_BEHIND.search(head) is not None)


def is_dismissed(head: str) -> bool:
    """Whether the words before a number tell of what worked, or was only tried."""
    if not any(map(head.__contains__, _DISMISSING)):
        return False
    return any(pattern.search(head) is not None for pattern in (_WORKED, _TRIED, _UNHARMED))


def was_never_there(head: str) -> bool:
    """Whether the words before a number say that it was installed to mend the failure, or could not be installed."""
    return ("nstall" in head or " by " in head) and _NEVER_THERE.search(head) is not None


def is_in_vain(head: str, text: str, end: int) -> bool:
    """Whether a release was only tried, and the words behind its number say to no avail: "downgrading to torch 1.13 did not help"."""
    return _VAIN.match(text, end) is not None and _ANOTHER_TRIED.search(head) is not None


def resumed(head: str, number: str) -> str:
    """The package of a number that says what is in use where another release of it was named just before; '' for none.

    That one was tried in vain ("…, I use 2.0.1") or works ("torch 2.3.1 works, 2.4.0 does not").
    """
    found = _RESUMED.search(head) if head.endswith(_RESUMING) else None
    if found is None and any(map(head.__contains__, _CONTRASTING)):
        found = _CONTRASTED.search(head)
        found = found if found is not None and number.startswith(f"{found[2]}.") else None
    name = canonical(found[1].lower()) if found is not None else ""
    return name if name in KNOWN else ""


def named_after(head: str, text: str, start: int, end: int) -> str:
    """The package that stands behind its version: "compiled with 10.2 Cuda"; or that a title is about; '' for none."""
    if head.endswith(("ersion", " v")):
        about = _OF_A_TITLE.match(head) or _OF_AN_ERROR.match(text, end)
        if about is not None and canonical(about[1]) in KNOWN:
            return canonical(about[1])
    following = _FOLLOWING.match(text, end)
    if following is not None:
        return canonical(following[1])
    owned = _OWNED.match(text, end)
    if owned is None and (text[start - 1 : start] in ("v", "V") or text.count(".", start, end) > 1):
        owned = _ANY_FOLLOWING.match(text, end)
        owned = owned if owned is not None and _UNNAMED.search(head) else None
    return canonical(owned[1]) if owned is not None and canonical(owned[1]) in KNOWN else ""


def owner_behind(head: str, text: str, end: int, named: bool) -> str:
    """The package that is told behind its version: "0.24.0 for trl, 4.56.2 for transformers", "version 1.7.1 of torch"; '' for none.

    Where words before the number name one already, only in a list.
    """
    if not text.startswith((" for ", " of "), end):
        return ""
    owner = _OWNER.match(text, end)
    if owner is None or canonical(owner[1]) not in KNOWN or (named and _LISTED_BEFORE.search(head) is None):
        return ""
    return canonical(owner[1])


def is_spared(head: str, block: Block, end: int) -> bool:
    """Whether all went well with a release: "when I change to python 2.7 it works", "torch 2.3.1 works, torch 2.4.0 fails"."""
    tail = block.text[end : end + 80]
    if _PRAISED.match(tail) is not None:
        return True
    if " work" not in tail and " ran " not in tail and " run" not in tail:
        return False
    return _THEN_WELL.match(tail) is not None and _CONDITION.search(head) is not None


def phrase_before(stripped: str, package: str, joined: bool = True) -> tuple[str, int]:
    """Package and strength told by the words before a number that is not itself a package's name; '' for none.

    `joined` says that no blank stands between them.
    """
    lowered = stripped.lower()
    closed = without_closing(lowered)
    if lowered.endswith(_SYSTEM_TOOLKIT) or closed.endswith(_SYSTEM_TOOLKIT):
        return "toolkit", PRINTED
    pair = _PAIR.search(closed) if any(map(closed.__contains__, JOINED)) else None
    if pair is not None:
        return ALIASES.get(pair[1], pair[1]), SAID
    last = lowered[lowered.rfind(" ") + 1 :]
    if last in PHRASE_ENDS or package == "cuda" or closed[closed.rfind(" ") + 1 :] in PHRASE_ENDS:
        for phrase, name, strength in PHRASES:
            if lowered.endswith(phrase) or closed.endswith(phrase):
                if name:
                    return name, strength
                owner = WORD.search(closed.removesuffix(phrase).rstrip("._ "))
                return (ALIASES.get(owner[0], owner[0]) if owner else ""), strength
    if package in KNOWN or closed.endswith("\u9a71\u52a8"):
        return (package if package in KNOWN else "driver"), SAID
    if closed != lowered:
        match = WORD.search(closed)
        word = (match[0] if match else closed[closed.rfind(" ") + 1 :]).removesuffix("_version")
        word = ALIASES.get(word, word)
        if word in KNOWN:
            return word, PRINTED
    match = WORD.search(closed[-24:])
    word = canonical(match[0]) if match else ""
    if word in KNOWN:
        return word, SAID
    match = TAGGED.search(closed[-24:])  # one of several in the tag of an image: cu124-vllm0.8.5
    if match is None or (match[1] == "py" and not joined):  # "markdown-it-py   3.0.0"
        return "", 0
    word = canonical(match[1])
    return (word, IMPLIED) if word in KNOWN else ("", 0)


def without_closing(head: str) -> str:
    """The words before a number without "version", "is", "(GPU?)" and punctuation."""
    while True:
        head = head.rstrip(_CLOSING_MARKS)
        if head.endswith(")") and 0 <= len(head) - head.rfind("(") <= 44:
            head = head[: head.rfind("(")]
        elif head.endswith(_CLOSING):
            head = head[: -len(next(word for word in _CLOSING if head.endswith(word)))]
        elif head.endswith("n") and (misspelt := _VERSION_MISSPELT.search(head[-9:])) is not None:
            head = head[: -len(misspelt[0])]
        else:
            return head
