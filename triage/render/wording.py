"""Small phrases that every writer makes from a report: places, percentages, values with their unit."""

from __future__ import annotations

from triage.facts.quantities import format_bytes
from triage.facts.vocabulary import VERSION_ROLES
from triage.render.phrases import phrase
from triage.report.wording import together

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any


def particulars(diagnosis: Mapping[str, Any], lang: str) -> list[str]:
    """Where a failure is and how sure the diagnosis: GPU, rank, line, confidence."""
    facts = diagnosis["facts"]
    found = []
    if "gpu" in facts:
        found.append(phrase("gpu", lang, gpu=facts["gpu"]) + (aside(str(facts["gpu_name"]), lang) if "gpu_name" in facts else ""))
    if "rank" in facts:
        found.append(phrase("rank", lang, rank=facts["rank"]))
    if diagnosis["evidence"]:
        found.append(place([spot(diagnosis["evidence"][0])], lang))
    found.append(phrase("confidence", lang, percent=percent(diagnosis["confidence"])))
    return found


def spot(item: Mapping[str, Any]) -> int | str:
    """Where a line stands: its number, and of several logs also which."""
    return f"{item['file']}:{item['line']}" if item.get("file") else int(item["line"])


def place(lines: Sequence[int | str], lang: str) -> str:
    """Line numbers as words, the first three of them; spots in several logs as they are."""
    if len(lines) == 1 and not isinstance(lines[0], str):
        return phrase("line", lang, line=lines[0])
    named = separator(lang).join(map(str, lines[:3])) + (" …" if len(lines) > 3 else "")
    return named if any(isinstance(line, str) for line in lines) else phrase("lines", lang, lines=named)


def noise_by_reason(noise: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Noise said once for all the lines it stands in: `why` and `lines`."""
    lines: dict[str, list[int | str]] = {}
    for item in noise:
        lines.setdefault(item["why"], []).append(spot(item))
    return [{"why": why, "lines": places} for why, places in lines.items()]


def nothing_found(report: Mapping[str, Any], lang: str) -> str:
    """What is said instead of a diagnosis."""
    lines = report["input"]["lines"]
    key = "empty-detail" if not lines else "one-line-detail" if lines == 1 else "nothing-detail"
    return phrase(key, lang, lines=lines)


def passed_over(report: Mapping[str, Any], lang: str) -> str:
    """That parts of a very large text were not read in full; '' where all of it was."""
    count = sum(last - first + 1 for first, last in report["input"]["omitted"])
    return phrase("omitted", lang, count=count, lines=report["input"]["lines"]) if count else ""


def verdict(item: Mapping[str, Any], lang: str) -> str:
    """What came of trying a fix, or advice that is of no use, on this machine; '' where it was not tried."""
    tried = item.get("verdict")
    if not tried:
        return ""
    reason, limits = tried["reason"].rstrip("."), tried["limits"].rstrip(".")
    if lang == "zh":
        from triage.render.tried import in_chinese

        reason, limits = in_chinese(reason), in_chinese(limits)
    said = phrase(tried["verdict"], lang, where=tried["where"] or "-", reason=reason)
    if tried["verdict"] == "confirmed" and limits:
        return together([said, phrase("no-proof", lang, limits=limits)], lang)
    return said


def memory_title(diagnosis: Mapping[str, Any], lang: str) -> str:
    """Whose memory the bar shows, and how much there is."""
    gpu = diagnosis["facts"].get("gpu")
    capacity = format_bytes(diagnosis["gpu_memory"]["capacity"])
    return phrase("memory" if gpu is None else "memory-of-gpu", lang, gpu=gpu, capacity=capacity)


def colon(lang: str) -> str:
    """What stands between a name and what is said of it."""
    return "：" if lang == "zh" else ": "


def comma(lang: str) -> str:
    """What stands between particulars."""
    return "，" if lang == "zh" else ", "


def separator(lang: str) -> str:
    """What stands between things of one kind."""
    return "、" if lang == "zh" else ", "


def aside(text: str, lang: str) -> str:
    """What is said in brackets behind something."""
    return f"（{text}）" if lang == "zh" else f" ({text})"


def titles(parts: Iterable[str], lang: str) -> str:
    """Titles one after the other: a title may hold a comma."""
    return ("；" if lang == "zh" else "; ").join(parts)


def percent(share: float) -> str:
    """A probability or a score, without decimals."""
    return f"{share:.0%}"


def named_versions(environment: Mapping[str, Any]) -> dict[str, str]:
    """The versions of what has a name. Which side of a comparison a number stood on is for programs: the diagnosis says it in words."""
    return {name: version for name, version in environment["versions"].items() if name not in VERSION_ROLES}


def shown_value(name: str, value: object) -> str:
    """A fact for people: sizes with their unit, lists joined."""
    if name.endswith("_bytes") and isinstance(value, int):
        return f"{value} ({format_bytes(value)})"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value))
    return str(value)
