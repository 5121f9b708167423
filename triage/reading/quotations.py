"""What a sentence quotes of a program's output: "when I start it I get RuntimeError: …"."""

from __future__ import annotations

from triage.reading.lazy import Pattern

_EXCEPTION = Pattern(r"(?<![\w.`'\"])(?P<mark>[`'\"\u201c\u2018\u300c]{0,2})[A-Za-z_][\w.]*(?:Error|Exception): (?=\S)")
# "I get this error: …", "it says: …", "报错如下：…"
_LED_IN = Pattern(
    r"(?i)(?:\b(?:errors?|exceptions?|messages?|warnings?|says?|outputs?|logs?|prints?|shows?|gives?|gets?|got|getting)(?: \w{1,12}){0,3}"
    r"|(?:报错|错误|提示|显示|信息)[\u4e00-\u9fff]{0,4}|如下)(?: ?: |\uff1a ?)(?=\S)"
)
_CLOSING = {"`": "`", '"': '"', "'": "'", "\u201c": "\u201d", "\u2018": "\u2019", "\u300c": "\u300d"}
_FEWEST_BLANKS = 2  # of what stands between marks: less is a name


def quoted(text: str) -> str:
    """The first message that stands in a sentence: what follows the name of an exception, or else the longest text between backticks, or
    else what is led in as one; "" where there is none."""
    if "Error: " in text or "Exception: " in text:
        found = _EXCEPTION.search(text)
        if found is not None:
            start = found.start() + len(found["mark"])
            closing = _CLOSING[found["mark"][-1]] if found["mark"] else ""
            end = text.rfind(closing, start) if closing else -1
            return text[start:end] if end > start else text[start:]
    if "`" in text:
        longest = max(text.split("`")[1::2], key=len, default="")
        if longest.count(" ") >= _FEWEST_BLANKS:
            return longest
    led_in = _LED_IN.search(text) if ": " in text or "\uff1a" in text else None
    return text[led_in.end() :] if led_in is not None else ""
