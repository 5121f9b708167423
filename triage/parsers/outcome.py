"""How far a program got: the last line that shows it at work, and the last one that says that it ended well.

Only texts that speak of another attempt, or of a part that a program can do without, are looked at: the outcome matters to tell an error
that was got over from one that ended the program.
"""

from __future__ import annotations

from triage.facts import Observation
from triage.parsers.seen import observe
from triage.reading import Line, Log
from triage.reading.lazy import Gated

MAX_LINES = 4000  # lines at the end of a log in which the outcome is looked for

_ATTEMPTS = (
    "retr", "Retr", "RETR", "re-try", "rying ", "again", "fall", "Fall", "fell back", "estart", "esum", "kipping", "educ", "alving",
    "halved",
    "lower", "recover", "Recover", "from device: CUDA_ERROR_OUT_OF_MEMORY", "->", "instead", "重试", "减半", "跳过", "回退",
    "size mismatch for", "bitsandbytes", "Failed to load image Python extension",
)  # fmt: skip
_AT_WORK = Gated(
    r"\b(?:[Ss]tep|STEP|[Ee]poch|[Ii]ter(?:ation)?|[Rr]ound)s?\b[ \t:=#\[(]{0,6}[0-9]|\bloss[ :=']{1,4}[0-9]"
    r"|\b(?:it|s|tok|tokens|samples|img|steps)/s(?:ec|tep)?\b|[0-9]{1,12}/[0-9]{1,12} \[[=>. ]|HTTP/1\.[01]\" 200"
    r"|\b(?:[1-9][0-9]?|100)%\||_loss['\"]?[ :=]{1,3}[0-9]|Running on (?:local|public) URL|Uvicorn running on"
    r"|(?:[Ss]aved|[Ss]aving|[Ww]rote) (?:\w+ ){0,3}(?:to|checkpoint|model)\b|第 ?[0-9]{1,9} ?[轮步]|[轮步]数?[ :：=]{1,3}[0-9]"
)
_WELL = Gated(
    r"\b(?:[Ff]inished|FINISHED|[Cc]ompleted?|COMPLETED|[Dd]one|[Ss]ucceeded|[Ss]uccess(?:ful(?:ly)?)?|SUCCESS|executed in)\b"
    r"|\b(?:[Ee]xit(?:ed|s)?|[Rr]eturn(?:ed|s)?)(?: with)?(?: code| status)?[ :=]{1,3}0\b|完成|成功"
)
_BADLY = Gated(
    r"(?i)error|exception|out of memory|\boom\b|\bfail|traceback|killed|abort|timed? ?out|unsuccess|incomplete|失败|报错|出错|不足|未"
    r"|\b(?:not|never) (?:finish|complet|succe|be )|to be (?:done|completed)"
)
_NO_FAILURES = Gated(r"(?i)\b(?:0|no) (?:failures?|failed|errors?)\b")


def parse_outcome(log: Log) -> list[Observation]:
    """At most one fact `outcome` of each kind, 'progress' and 'success', each at its last line."""
    if not any(mark in block.text for block in log.blocks() for mark in _ATTEMPTS):
        return []
    if not any(_AT_WORK.may_match(block.text) or _WELL.may_match(block.text) for block in log.blocks()):
        return []
    found: dict[str, Line] = {}
    for line in reversed(log.lines[-MAX_LINES:]):
        kind = _kind(line)
        if kind and kind not in found:
            found[kind] = line
            if len(found) == 2:
                break
    return [observe("outcome", {"detail": kind}, line) for kind, line in sorted(found.items())]


def _kind(line: Line) -> str:
    text = line.text[-400:]
    if line.role != "output" or not text:
        return ""
    kind = "progress" if _AT_WORK.search(text) else "success" if _WELL.search(text) else ""
    return "" if kind and _BADLY.search(text) and not _NO_FAILURES.search(text) else kind
