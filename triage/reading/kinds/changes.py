"""What lists changes that were made: changelogs, the notes of a release.

Their lines get the role 'document', in which no signature counts; what a program printed among them keeps its own.
"""

from __future__ import annotations

from collections.abc import Callable

from triage.reading.lazy import Pattern
from triage.reading.log import SPOKEN, Line, as_document
from triage.reading.marks import BULLET
from triage.reading.prose import LONGEST_HEADING, is_printed, is_short, says, tells_of_a_person

_IGNORE_CASE = 2
_FEWEST_HEADINGS = 2  # of the notes of a release
_VERSION_HEADING = Pattern(
    r"[a-z][a-z0-9.+-]{1,60} \([0-9][^ )]{0,60}\) [\w ,-]{1,60}; urgency="
    r"|(?:#{1,4} )?\[?(?:[\w-]{1,40} )?[vV]?[0-9]{1,4}\.[0-9]{1,4}(?:\.[\w.+-]{1,40})?\]?(?:\([^)]{0,200}\))?(?:[ –—:(（-].{0,60})?$"
)
_CHANGE_HEADING = Pattern(
    r"(?:#{1,5} |\*{1,2})\W{0,4}(?:added|changed?s?|fixe[ds]|removed|deprecated|security|(?:critical |other )?bug ?-?fix(?:es)?|fixed bugs"
    r"|(?:new )?features?|improvements?|enhancements?|breaking(?: changes?)?|highlights|what'?s (?:changed|new)|change ?log"
    r"|release notes?|internal|misc(?:ellaneous)?|maintenance|known issues"
    r"|更新日志|更新内容|更新记录|修复|新增|优化|变更|改进|其他)\b.{0,30}$|(?:#{0,2} ?)(?:change ?log|release notes)\b.{0,60}$",
    _IGNORE_CASE,
)
# Stands above what was raised and above what somebody's environment holds alike.
_EITHER_HEADING = Pattern(r"(?:#{1,5} |\*{1,2})\W{0,4}dependencies\b.{0,30}$", _IGNORE_CASE)
_CHANGE = Pattern(
    r"(?:\[[^\]]{1,60}\](?:\([^)]{0,200}\))?:? *|\*\*[^*]{1,60}\*\*:? *|`?[\w/.&+ -]{1,30}`?: +|\([^)]{1,40}\) *|\W{1,3} ?){0,2}"
    r"(?:fix(?:e[sd])?|add(?:s|ed)?|remove[sd]?|change[sd]?|improve[sd]?|deprecate[sd]?|bump(?:s|ed)?|refactor(?:s|ed)?|revert(?:s|ed)?"
    r"|rename[sd]?|update[sd]?|support(?:s|ed)?|do not|don't|does not|reduce[sd]?|avoid(?:s|ed)?|prevent(?:s|ed)?|allow(?:s|ed)?"
    r"|handle[sd]?|introduce[sd]?|implement(?:s|ed)?|resolve[sd]?|correct(?:s|ed)?|work ?around|better|increase[sd]?|raise[sd]?"
    r"|修复|新增|支持|移除|更新|优化|解决|改进|增加|调整)(?:\b|(?<=[\u4e00-\u9fff]))",
    _IGNORE_CASE,
)
_REFERENCE = Pattern(
    r"\(#[0-9]{1,7}\)|\[#[0-9]{1,7}\]|\bby @\w|#[0-9]{2,7}\)?\.?$|^\s*[-*+] (?:PR )?`?#[0-9]{2,7}\b|/(?:pull|issues)/[0-9]{1,7}\)"
)
# Headings without marks of the notes of a release or of a page for help; two of them make one.
_RELEASE_HEADING = Pattern(
    r"(?:bug ?fixes|fixed issues|known issues|resolved issues|release highlights|new features|key features(?: and enhancements)?"
    r"|breaking changes|deprecations|symptoms?|possible causes|root causes?|work-?arounds?|version compatibility|official documentation)"
    r"\s*:?\s*$",
    _IGNORE_CASE,
)
_RELEASE_WORDS = (
    "ug Fixes\n",
    "ixed Issues\n",
    "esolved Issues\n",
    "ug fixes\n",
    "ixed issues\n",
    "nown Issues\n",
    "nown issues\n",
    "ible Causes\n",
    "oot Cause\n",
    "orkarounds\n",
)


def mark_changes(lines: list[Line], has: Callable[[str], bool]) -> None:
    """Give the role 'document' to what tells of changes. `has` tells whether a string occurs in the input at all."""
    if has("- ") or has("* ") or has("• ") or has("1. "):
        _changelogs(lines)
    if any(map(has, _RELEASE_WORDS)):
        _release(lines)


def _changelogs(lines: list[Line]) -> None:
    """Sections that list changes: below a heading that names a release or a kind of change, items that say what was done."""
    section: list[Line] = []
    head = ""
    for line in lines:
        text = line.text
        if text[:1].strip() and is_short(line) and not BULLET.match(text):
            kind = "change" if _CHANGE_HEADING.match(text) else ""
            if not kind and (_VERSION_HEADING.match(text) or _EITHER_HEADING.match(text)):
                kind = "version"
            if kind or text.startswith("#"):
                _changes(section, head)
                section = [line]
                head = kind or ("version" if head and text.startswith("###") else "")
                continue
        section.append(line)
    _changes(section, head)


def _release(lines: list[Line]) -> None:
    """Notes of a release and pages for help whose headings have no marks, where nobody tells of a case and no program printed anything."""
    headings = sum(len(line.text) <= LONGEST_HEADING and _RELEASE_HEADING.match(line.text) is not None for line in lines)
    if headings >= _FEWEST_HEADINGS and not any(map(is_printed, lines)) and not any(map(tells_of_a_person, lines)):
        as_document(lines)


def _changes(section: list[Line], head: str) -> None:
    """Mark a section whose items tell changes: under a heading that says so some, without one nearly all."""
    items = [(line, match) for line in section if is_short(line) and line.role in SPOKEN and (match := BULLET.match(line.text))]
    if not items:
        return
    referred = [line for line, _ in items if _REFERENCE.search(line.text)]
    told = [line for line, match in items if line in referred or _CHANGE.match(line.text[match.end() :])]
    if head == "change" or (head and len(told) >= 0.3 * len(items)):
        as_document([section[0], *_items(section)])
    elif len(items) >= 3 and len(told) >= 0.7 * len(items) and (referred or len(items) >= 0.8 * sum(map(says, section))):
        as_document([line for line, _ in items])


def _items(section: list[Line]) -> list[Line]:
    """The items of a section with what continues them, and its sentences."""
    items = []
    inside = False
    for line in section:
        if BULLET.match(line.text):
            inside = True
        elif not says(line):
            continue
        elif not line.text[:1].isspace():
            inside = False
        if inside or (line.role == "prose" and not tells_of_a_person(line)):
            items.append(line)
    return items
