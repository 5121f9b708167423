"""What a sentence quotes of a program's output: "when I start it I get RuntimeError: …"."""

from __future__ import annotations

from triage.reading.lazy import Pattern

_EXCEPTION = Pattern(r"(?<![\w.`'\"])(?P<mark>[`'\"\u201c\u2018\u300c]{0,2})[A-Za-z_][\w.]*(?:Error|Exception): (?=\S)")
# "I get this error: …", "it says: …", "报错如下：…"
_LED_IN = Pattern(
    r"(?i)(?:\b(?:errors?|exceptions?|messages?|warnings?|says?|outputs?|logs?|prints?|shows?|gives?|gets?|got|getting)(?: \w{1,12}){0,3}"
    r"|(?:报错|错误|提示|显示|信息)[\u4e00-\u9fff]{0,4}|如下)(?: ?: |\uff1a ?)(?=\S)"
)
# Nobody met what is to be raised, or is mended.
_NOT_MET = Pattern(
    r"(?i)\b(?:raise|raising|throw|fix(?:es|ed|ing)?|handl(?:es?|ing)|avoid(?:s|ed|ing)?|instead of|rather than|than|in case of"
    r"|(?:users|people|anyone|somebody) (?:hits?|gets?|sees?|meets?))(?: an?| the)? ?[`'\"\u201c]{0,2}$|(?:避免|修复|抛出) ?$"
)
_MENDED = Pattern(
    r"(?i)[`'\"\u201d.]{0,3} (?:(?:is|was|are|has been) (?:now )?(?:gone|fixed|solved|resolved)|no longer)\b"
    r"|[`'\" ]{0,3}(?:已解决|解决了)"
)
_CLOSING = {"`": "`", '"': '"', "'": "'", "\u201c": "\u201d", "\u2018": "\u2019", "\u300c": "\u300d"}
_FEWEST_BLANKS = 2  # of what stands between marks: less is a name


def quoted(text: str) -> str:
    """The first message that stands in a sentence: what follows the name of an exception, or else the longest text between backticks, or
    else what is led in as one; "" where there is none, or none that somebody met."""
    start, end = _place(text)
    if start == end or _NOT_MET.search(text[:start]) or _MENDED.match(text, end):
        return ""
    return text[start:end]


def _place(text: str) -> tuple[int, int]:
    found = _EXCEPTION.search(text) if "Error: " in text or "Exception: " in text else None
    if found is not None:
        start = found.start() + len(found["mark"])
        end = text.rfind(_CLOSING[found["mark"][-1]], start) if found["mark"] else -1
        return start, end if end > start else len(text)
    if "`" in text:
        longest = max(text.split("`")[1::2], key=len, default="")
        if longest.count(" ") >= _FEWEST_BLANKS:
            start = text.index(longest)
            return start, start + len(longest)
    led_in = _LED_IN.search(text) if ": " in text or "\uff1a" in text else None
    return (led_in.end(), len(text)) if led_in is not None else (0, 0)
