"""Entries of a lexicon of errors: a message at the head, and below labels what it means, why it comes and what to do about it.

All lines of a text with several such labels get the role 'document'. Where a person tells of their own case, none does.
"""

from __future__ import annotations

from triage.reading.lazy import Pattern
from triage.reading.log import Line, as_document
from triage.reading.prose import PERSON, is_printed, is_short

_IGNORE_CASE = 2
_FEWEST_LABELS = 2
_LONGEST_LABEL = 60
_LABEL = Pattern(
    r"(?:#{1,6} |\*\*|[-*+] \*\*)?\W{0,3}"
    r"(?:(?:what (?:this|the|that) (?:error|message|warning|exception|code) (?:means|is|says))"
    r"|why (?:it|this|that)(?: error)? (?:happens|occurs|appears|arises)"
    r"|(?:quick|fast|one-line|immediate) fix(?:es)?"
    r"|(?:the )?(?:common |likely |possible |typical |root )?causes?(?: (?:&|and) (?:fix(?:es)?|solutions?))"
    r"|(?:common |likely |possible |typical )(?:root )?causes(?: of .{1,30})?"
    r"|code: (?:broken|before) (?:vs\.?|and|versus) (?:fixed|after)|how to (?:prevent|avoid|fix|reproduce) (?:it|this)(?: error)?"
    r"|(?:common )?dead ends(?:\s?[—–:-].{0,30})?|workarounds\s?[—–:-] ?try these.{0,20}|what (?:does not|doesn't) work"
    r"|other \w+ errors|related errors|verification|error (?:message|text) variants?|when (?:it|this) (?:happens|occurs)"
    r"|错误(?:含义|原因|释义|说明)|(?:产生|出现|触发)原因|常见原因|(?:预防|规避)(?:措施|方法)|快速(?:修复|解决)|相关错误)"
    r"\W{0,4}$",
    _IGNORE_CASE,
)
_RATED = Pattern(r"\W{0,2}[0-9]{1,3} ?% (?:success|of cases|confidence)\W{0,2}$")  # how often a remedy helps


def mark_entries(lines: list[Line]) -> None:
    """Mark a text that has the labels of an entry, in which nobody tells of themselves and no program printed anything."""
    said = [line for line in lines if is_short(line)]
    labels = {line.text.strip().lower() for line in said if len(line.text) <= _LONGEST_LABEL and _is_label(line.text)}
    if len(labels) < _FEWEST_LABELS or any(map(is_printed, said)):
        return
    if not any(PERSON.search(line.text) is not None for line in said if line.role not in ("code", "source")):
        as_document(lines)


def _is_label(text: str) -> bool:
    return _LABEL.match(text) is not None or _RATED.match(text) is not None
