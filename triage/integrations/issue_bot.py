"""What an issue bot needs: the body of an issue in, a comment out.

    from triage.integrations.issue_bot import comment_for

    def on_issue_opened(issue):
        comment = comment_for(issue.body)
        if comment is not None:
            issue.create_comment(comment)

Bodies come from strangers, and comments appear under the bot's name: nothing of a body can mention people, close issues,
load images or run anything in the comment.
"""

from __future__ import annotations

import triage

_HAN_THAT_DECIDE = 10  # so many Chinese characters outside of code, and the poster writes Chinese
_HAN_AT_LEAST = 4
_LETTERS_PER_HAN = 8  # Latin letters that one Chinese character weighs up


def comment_for(body: str, lang: str | None = None) -> str | None:
    """A comment in Markdown for an issue with this body, or None when there is nothing to say.

    `lang` is "en" or "zh"; left out, it is the language the poster writes. Never raises for any body.
    """
    report = triage.explain(body)
    if not report.diagnoses:
        return None
    return report.to_markdown(lang or language_of(body))


def language_of(body: str) -> str:
    """The language the poster writes outside of code blocks: "zh" for Chinese, else "en"."""
    prose = "\n".join(body.split("```")[::2])
    han = sum("\u4e00" <= char <= "\u9fff" for char in prose)
    kana = sum("\u3040" <= char <= "\u30ff" for char in prose)
    letters = sum(char.isascii() and char.isalpha() for char in prose)
    chinese = han >= _HAN_THAT_DECIDE or (han >= _HAN_AT_LEAST and han * _LETTERS_PER_HAN >= letters)
    return "zh" if chinese and kana * 4 < han else "en"
