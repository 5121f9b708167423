"""The kinds of text that name failures and report none, in the order in which a text is asked whether it holds them.

Source comes first, for nothing in it is said; then accounts, answers, guides, what tells of changes, and documentation; last single
sentences. A kind is known by a module of its own, which is loaded where one of the strings stands that every text of the kind has.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from triage.reading.log import Line
from triage.reading.prose import MANY_LINES

Has = Callable[[str], bool]  # whether a string occurs in the input at all


class Kind(NamedTuple):
    """A kind of text: what it is called, whether a text may hold it, and what gives its lines their role."""

    name: str
    may_stand: Callable[[list[Line], Has], bool]
    mark: Callable[[list[Line], Has], None]


_FEW_LINES = 400  # beyond which a text in whatever language is a log
_SHORTEST_ESSAY = 40  # lines
_BOLD = ("**\n", "**:", ":**", "**\uff1a", "\uff1a**", "** ")  # how what is set in bold ends: "**kwargs" stands in every other traceback
_ACCOUNTS = (
    *_BOLD,
    "PASS",
    "\n## [",
    "## [",
    "\n## ",
    "\n### ",
    "Before:",
    "|-",
    "| -",
    "|:-",
    "| :-",
    "<table",
)  # labels, headings, tables of Markdown
_SCRIPTS = ("\n#", "#!", "\nfi", "\ndone", "; then", "\nexport ", "    fi\n", "# ")  # one of which every script and file of settings has
_ANSWERS = (*_BOLD, "olution", "# ", "Q:", "Q：", "Q1", "问：", "问:")
_ENTRIES = (
    "hat this ",
    "hat the ",
    "hat that ",
    "Why ",
    "why ",
    "WHY ",
    "ix\n",
    "IX\n",
    "auses",
    "ead ends",
    "ead Ends",
    "% success",
    "原因\n",
    "含义\n",
)
_GUIDES = (  # one of which every guide has
    "](", ":\n", "：\n", "\n##", '- "', "- `", "| ", "olution", "# ", "ix:", "ause**", "解决", " below", " as\n", "rrors\n", "auses\n",
)  # fmt: skip
_MENTIONED = (
    "](http",
    "f it happens",
    "OOM: ",
    "ssue #",
    "hen you ",
    " so that ",
    " may cause ",
    " might cause ",
    " can cause ",
    " could cause ",
    " lead to ",
    " result in ",
    " instead of ",
    " rather than ",
    "raise ",
    "he error message",
    "he warning message",
    "f you ",
    "ixes the ",
    "ixes an ",
    "ixed the ",
    " error encountered",
    " errors encountered",
    ". This error ",
    "Error indicate",
    "Usage indicate",
    "e.g.",
    " to avoid ",
    " to prevent ",
    "reventing",
    "ou need ",
    "ou should ",
    " for report",
    " for the report",
    " users ",
    ", Xid ",
    " without",
    " from causing ",
    " from raising ",
    " from hanging ",
    " out of memory, ",
    "such as ",
    "or example",
    "dd doc",
    "个错误",
    "该错误",
    "如果",
    "如遇",
)


def _holds(*needed: str) -> Callable[[list[Line], Has], bool]:
    """Whether one of the strings stands in a text."""
    return lambda _, has: any(map(has, needed))


def _always(_: list[Line], __: Has) -> bool:
    return True


def _may_be_essay(lines: list[Line], has: Has) -> bool:
    return _SHORTEST_ESSAY <= len(lines) <= MANY_LINES and any(map(has, ("\n# ", "\n## ", "\n### ")))


def _may_be_foreign(lines: list[Line], has: Has) -> bool:
    return len(lines) <= _FEW_LINES and (has(" het ") or has(" een ") or not all(line.text.isascii() for line in lines))


def _may_mention(lines: list[Line], has: Has) -> bool:
    return any(line.role == "prose" for line in lines) or any(map(has, _MENTIONED))


def _source(lines: list[Line], has: Has) -> None:
    from triage.reading.kinds.sources import mark_code, may_hold_code

    if may_hold_code(has):
        mark_code(lines)


def _remarks(lines: list[Line], _: Has) -> None:
    from triage.reading.kinds.sources import mark_remarks

    mark_remarks(lines)


def _scripts(lines: list[Line], _: Has) -> None:
    from triage.reading.kinds.scripts import mark_scripts

    mark_scripts(lines)


def _strings(lines: list[Line], has: Has) -> None:
    from triage.reading.kinds.strings import mark_strings

    mark_strings(lines, has)


def _listings(lines: list[Line], has: Has) -> None:
    from triage.reading.kinds.listings import mark_listings

    mark_listings(lines, has)


def _accounts(lines: list[Line], has: Has) -> None:
    from triage.reading.kinds.accounts import mark_accounts

    mark_accounts(lines, has)


def _answers(lines: list[Line], has: Has) -> None:
    from triage.reading.kinds.answers import mark_answers

    mark_answers(lines, has)


def _entries(lines: list[Line], _: Has) -> None:
    from triage.reading.kinds.entries import mark_entries

    mark_entries(lines)


def _guides(lines: list[Line], has: Has) -> None:
    from triage.reading.kinds.guides import mark_guides

    mark_guides(lines, has)


def _tests(lines: list[Line], _: Has) -> None:
    from triage.reading.kinds.documents import mark_tests

    mark_tests(lines)


def _history(lines: list[Line], has: Has) -> None:
    from triage.reading.kinds.history import mark_history

    mark_history(lines, has)


def _titled(lines: list[Line], _: Has) -> None:
    from triage.reading.kinds.titles import mark_titled

    mark_titled(lines)


def _described(lines: list[Line], has: Has) -> None:
    from triage.reading.kinds.descriptions import mark_described

    mark_described(lines, has)


def _changes(lines: list[Line], has: Has) -> None:
    from triage.reading.kinds.changes import mark_changes

    mark_changes(lines, has)


def _documents(lines: list[Line], has: Has) -> None:
    from triage.reading.kinds.documents import mark_documents

    mark_documents(lines, has)


def _essays(lines: list[Line], _: Has) -> None:
    from triage.reading.kinds.essays import mark_essays

    mark_essays(lines)


def _other_tongues(lines: list[Line], _: Has) -> None:
    from triage.reading.kinds.tongues import mark_other_tongues

    mark_other_tongues(lines)


def _mentions(lines: list[Line], _: Has) -> None:
    from triage.reading.kinds.mentions import mark_mentions

    mark_mentions(lines)


KINDS = (
    Kind("statements of source", _always, _source),
    Kind("remarks of a file of settings", _holds("\n# "), _remarks),
    Kind("scripts of a shell and files of settings", _holds(*_SCRIPTS), _scripts),
    Kind("strings of source over several lines", _holds('"""', "'''", '"\n', "'\n"), _strings),
    Kind("lists of codes, of options and of messages that are watched for", _always, _listings),
    Kind("accounts of failures with what mended them, and tables that name failures", _holds(*_ACCOUNTS), _accounts),
    Kind("questions with their answers", _holds(*_ANSWERS), _answers),
    Kind("entries of a lexicon of errors", _holds(*_ENTRIES), _entries),
    Kind("what guides show, and where they lead", _holds(*_GUIDES), _guides),
    Kind("names of tests", _holds("test", "Test", " ] "), _tests),
    Kind("what git and searches of sources print", _always, _history),
    Kind("what is titled as a change or a wish", _always, _titled),
    Kind("descriptions of changes", _always, _described),
    Kind("changelogs and notes of releases", _always, _changes),
    Kind("documentation and articles", _always, _documents),
    Kind("essays", _may_be_essay, _essays),
    Kind("guides and articles in other languages", _may_be_foreign, _other_tongues),
    Kind("sentences that deny, suppose or explain a failure", _may_mention, _mentions),
)
