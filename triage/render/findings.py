"""What a scan of many logs found: a line a failure as it comes, and at the end what failed in all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from triage.facts.quantities import format_bytes
from triage.render.escape import visible
from triage.render.page import Page
from triage.render.phrases import phrase
from triage.render.wording import aside, comma, percent

_NAMED = 3  # logs that are named of each failure


def line_of(finding: Mapping[str, Any], page: Page) -> str:
    """A finding as editors and terminals jump to it, `path:line: id: title`, and how often it occurs. `page` says language and colours."""
    place, title = (visible(text) for text in (f"{finding['path']}:{finding['line']}", finding["title"]))
    notes = [phrase("confidence", page.lang, percent=percent(finding["confidence"]))]
    if finding["count"] > 1:
        notes.append(phrase("times-until", page.lang, count=finding["count"], line=finding["last_line"]))
    parts = (
        page.paint(place, "command"),
        page.paint(finding["id"], "failure"),
        title + page.paint(aside(comma(page.lang).join(notes), page.lang), "dim"),
    )
    return ": ".join(parts) + "\n"


class Summary:
    """What failed in all logs of a scan, folded: of each failure in how many, how often, and where."""

    def __init__(self) -> None:
        self.logs = self.size = self.lines = self.failed = self.passed_over = self.unreadable = 0
        self._findings: dict[str, list[Mapping[str, Any]]] = {}

    def add(self, size: int, lines: int, roots: Sequence[Mapping[str, Any]]) -> None:
        """Take a log that was read, its bytes and lines, and those of its findings that are no consequence of another."""
        self.logs += 1
        self.size += size
        self.lines += lines
        self.failed += bool(roots)
        for finding in roots:
            self._findings.setdefault(finding["id"], []).append(finding)

    @property
    def found(self) -> bool:
        """Whether any log reports a failure."""
        return bool(self._findings)

    def text(self, page: Page) -> str:
        """In a few lines, those failures first that most logs report."""
        page.lines.append(self._totals(page.lang))
        for identifier, found in sorted(self._findings.items(), key=lambda item: (-len(item[1]), item[0])):
            places = ", ".join(visible(f"{finding['path']}:{finding['line']}") for finding in found[:_NAMED])
            more = phrase("more", page.lang, count=len(found) - _NAMED) if len(found) > _NAMED else ""
            key = "in-one-log" if len(found) == 1 else "in-logs"
            often = phrase(key, page.lang, logs=len(found), count=sum(finding["count"] for finding in found))
            page.lines.append(f"  {page.paint(identifier, 'failure')}  {often}")
            page.prose(f"{places} {more}".rstrip(), indent=4, style="dim")
        if self.failed > 1:
            page.gap()
            page.prose(phrase("scan-together", page.lang), indent=0, style="dim")
        return page.text()

    def _totals(self, lang: str) -> str:
        key = "scan-one" if self.logs == 1 else "scan-all"
        parts = [phrase(key, lang, failed=self.failed, logs=self.logs, lines=self.lines, size=format_bytes(self.size))]
        if self.passed_over:
            parts.append(phrase("scan-passed-over", lang, count=self.passed_over))
        if self.unreadable:
            parts.append(phrase("scan-unreadable", lang, count=self.unreadable))
        return ("；" if lang == "zh" else "; ").join(parts) + ("。" if lang == "zh" else ".")
