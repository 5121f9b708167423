"""Messages with values in them: `"{reserved_bytes|bytes} is reserved"`, parsed when rules are compiled, filled in later.

A message is a list of sentences; a sentence is a list of segments, each a text or `["value", expression, filter]`.
A sentence whose value is unknown is left out, so a rule can say more where the log says more. This is no template
engine: the values of a log are inserted, never interpreted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from triage.engine.expressions import ExpressionError, Unknown, evaluate, parse_expression
from triage.engine.values import Value, Version
from triage.facts.quantities import format_bytes, format_version
from triage.facts.readers import written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Sentence = list[Any]


def _plain(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Version):
        return format_version(value)
    if isinstance(value, tuple):
        return ", ".join(map(_plain, value))
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 1e4 else f"{value:,.0f}"
    return str(value)


def _bytes(value: Value) -> str:
    return format_bytes(value) if isinstance(value, (int, float)) else _plain(value)


def _billions(value: Value) -> str:
    return f"{value / 1e9:.3g}" if isinstance(value, (int, float)) else _plain(value)


def _percent(value: Value) -> str:
    return f"{100 * value:.0f} %" if isinstance(value, (int, float)) else _plain(value)


def _milliseconds(value: Value) -> str:
    if not isinstance(value, (int, float)):
        return _plain(value)
    size, unit = next(((size, unit) for size, unit in _DURATIONS if value >= size), _DURATIONS[-1])
    return f"{value / size:.3g} {unit}"


def _plain_zh(value: Value) -> str:
    if isinstance(value, tuple) and not isinstance(value, Version):
        return "、".join(map(_plain, value))
    return _plain(value)


def _percent_zh(value: Value) -> str:
    return _percent(value).replace(" %", "%")


def _milliseconds_zh(value: Value) -> str:
    if not isinstance(value, (int, float)):
        return _plain_zh(value)
    number, unit = _milliseconds(value).split(" ")
    return f"{number} {_UNITS_ZH[unit]}"


def _megabytes(value: Value) -> str:
    return f"{value / 2**20:.0f}" if isinstance(value, (int, float)) else _plain(value)


def _two_decimals(value: Value) -> str:
    return f"{value:.2f}" if isinstance(value, (int, float)) else _plain(value)


def _code(value: Value) -> str:
    text = _plain(value)
    return "`" + text.replace("`", "'") + "`"


_DURATIONS = ((3_600_000, "h"), (60_000, "min"), (1000, "s"), (1, "ms"))
_UNITS_ZH = {"h": "小时", "min": "分钟", "s": "秒", "ms": "毫秒"}
FILTERS: dict[str, Callable[[Value], str]] = {
    "": _plain,
    "bytes": _bytes,
    "num": _plain,
    "billions": _billions,
    "pct": _percent,
    "list": _plain,
    "ms": _milliseconds,
    "mib": _megabytes,
    "fixed2": _two_decimals,
    "version": _plain,
    "code": _code,
    "name": lambda value: written(_plain(value)),
}
_FILTERS_OF = {  # what a language writes in its own way
    "en": FILTERS,
    "zh": {**FILTERS, **dict.fromkeys(("", "num", "list", "version"), _plain_zh), "pct": _percent_zh, "ms": _milliseconds_zh},
}
_STOPS = (".", "。")
_ENDS = (".", "。", "!", "?", "！", "？", "…", ":", "：")
_WIDE = re.compile("[㐀-䶿一-鿿，。；：！？、（）“”]")  # beside these Chinese has no blank before another of them
_HARMLESS = re.compile(r"(?:[\w.,:/+@%=~][\w.,:/+@%=~-]*)?\Z")  # no blank, quote or sign of a shell, and no option
_BRACE = re.compile(r"\{\{|\}\}|[{}]")
_FILTER = re.compile(r"\|\s*([a-z0-9]+)\s*\Z")


class MessageError(ValueError):
    """A message that cannot be parsed."""


def parse_message(text: str) -> Sentence:
    """One sentence → segments. Raises MessageError for an unbalanced brace, an unknown filter or a wrong expression."""
    segments: Sentence = []
    plain: list[str] = []
    at = 0
    while brace := _BRACE.search(text, at):
        plain.append(text[at : brace.start()])
        at, char = brace.start(), brace.group()
        if len(char) == 2:
            plain.append(char[0])
            at += 2
        elif char == "{":
            end = text.find("}", at)
            if end < 0:
                raise MessageError(f"'{{' at column {at + 1} is never closed (write {{{{ for a brace)")
            _add(segments, plain)
            segments.append(_parse_value(text[at + 1 : end]))
            at = end + 1
        else:
            raise MessageError(f"'}}' at column {at + 1} closes nothing (write }}}} for a brace)")
    plain.append(text[at:])
    _add(segments, plain)
    return segments


def _add(segments: Sentence, plain: list[str]) -> None:
    """Put the plain text that was read so far behind the other segments."""
    text = "".join(plain)
    if text:
        segments.append(text)
    plain.clear()


def _parse_value(inner: str) -> list[Any]:
    found = _FILTER.search(inner)
    name = found.group(1) if found else ""
    if name not in FILTERS:
        raise MessageError(f"unknown filter '{name}': one of {', '.join(sorted(filter(None, FILTERS)))}")
    expression = inner[: found.start()] if found else inner
    try:
        return ["value", parse_expression(expression), name]
    except ExpressionError as error:
        raise MessageError(f"in {{{inner}}}: {error}") from None


def fill_sentence(sentence: Sentence, bindings: Mapping[str, Value], lang: str = "en") -> str | None:
    """The sentence with its values, or None where one is unknown or a quoted one is empty."""
    parts: list[str] = []
    filters = _FILTERS_OF[lang]
    quoted = False
    for segment in sentence:
        if isinstance(segment, str):
            if quoted and segment.startswith(_STOPS):
                parts[-1] = parts[-1].rstrip(" .:;。")  # what the log says ends as the sentence does
            quoted = False
            parts.append(segment)
            continue
        try:
            value = evaluate(segment[1], bindings)
        except Unknown:
            return None
        if value == "" and segment[1][0] == "var":
            return None
        quoted = isinstance(value, str)
        parts.append(filters[segment[2]](value))
    return close_up(parts) if lang == "zh" else "".join(parts)


def close_up(parts: list[str]) -> str:
    """The parts of a Chinese sentence, without the blank that a text has beside a value for one in Latin letters."""
    done = ""
    for part in filter(None, parts):
        if done.endswith(" ") and _WIDE.match(part) and _WIDE.match(done[-2:]):
            done = done[:-1]
        elif part.startswith(" ") and _WIDE.match(part[1:]) and _WIDE.match(done[-1:]):
            part = part[1:]
        done += part
    return done


def fill_command(sentence: Sentence, bindings: Mapping[str, Value]) -> str | None:
    """A line to paste with its values; None where one is unknown, or is more than a word: what a log says must not run in a shell."""
    for segment in sentence:
        if not isinstance(segment, str):
            try:
                value = evaluate(segment[1], bindings)
            except Unknown:
                return None
            if not all(_HARMLESS.match(text) for text in _texts_in(value)):
                return None
    return fill_sentence(sentence, bindings)


def _texts_in(value: Value) -> list[str]:
    if isinstance(value, tuple):
        return [text for item in value for text in _texts_in(item)]
    return [value] if isinstance(value, str) else []


def fill(message: list[Sentence], bindings: Mapping[str, Value], lang: str) -> str:
    """All sentences whose values are known, joined as the language joins sentences."""
    sentences = [text for text in (fill_sentence(sentence, bindings, lang) for sentence in message) if text]
    # what the log says may end as it likes, a sentence before another may not
    ended = [_ended(text, lang) for text in sentences[:-1]]
    return ("" if lang == "zh" else " ").join([*ended, *sentences[-1:]])


def _ended(text: str, lang: str) -> str:
    if lang == "zh" and text.endswith(".") and not text.endswith(".."):
        text = text[:-1]  # a stop of the log's own words, which Chinese writes as its own
    return text if text.endswith(_ENDS) else text + ("。" if lang == "zh" else ".")


def heading(message: list[Sentence], bindings: Mapping[str, Value], lang: str) -> str:
    """The same as a title: what follows the first sentence stands behind a colon, and no stop ends it."""
    sentences = [text for text in (fill_sentence(sentence, bindings, lang) for sentence in message) if text]
    return ("：" if lang == "zh" else ": ").join(text.removesuffix("." if lang == "en" else "。") for text in sentences)
