"""What strangers write into logs reaches no terminal, page or comment as anything but text."""

from __future__ import annotations

import json as plain_json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from render_samples import HOSTILE_TEXTS, hostile

from triage.render import html, json, markdown, sarif, text

VOID = {"meta", "link", "br", "hr", "img", "input"}
# Bits from which random texts are put together: whatever one of the formats might act on.
BITS = [
    "`", "``", "```", "@ana", "#12", "<b>", "</details>", "https://e.example/", "![", "](", ")", "[", "\\", "*", "_", " ", "  ", "\n",
    "a", "&lt;", "<!--", "-->", "|", "$", "~~", "\x1b[2J", "\u202e", "\ud800", "显", "- ", "1. ", "> ", "=", "GH-7", "www.e.example",
    "e@e.example",
]  # fmt: skip
LOG_TEXT = st.one_of(st.lists(st.sampled_from(BITS), max_size=14).map("".join), st.text(max_size=40))
MARKDOWN = MarkdownIt("gfm-like", {"html": True})


def every_text() -> Any:
    return pytest.mark.parametrize("log_text", HOSTILE_TEXTS, ids=range(len(HOSTILE_TEXTS)))


def is_clean(written: str) -> bool:
    return all(char.isprintable() or char == "\n" for char in written)


@every_text()
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_terminal_gets_only_printable_characters(log_text: str, lang: str) -> None:
    written = text.render({**hostile(log_text), "lang": lang}, width=80, why=True, verbose=True)
    assert is_clean(written)
    written.encode("utf-8")


@given(LOG_TEXT)
def test_terminal_gets_only_printable_characters_of_any_text(log_text: str) -> None:
    assert is_clean(text.render(hostile(log_text), why=True, verbose=True))


def test_colour_is_the_only_control_sequence() -> None:
    written = text.render(hostile(HOSTILE_TEXTS[0]), color=True)
    assert r"\x1b[31mred" in written
    for code in ("0", "1", "2", "1;31", "32", "33", "36", "4;34"):
        written = written.replace(f"\x1b[{code}m", "")
    assert is_clean(written)


def test_escapes_name_the_character() -> None:
    written = text.render(hostile(HOSTILE_TEXTS[1]))
    assert r"safe \u202e reversed \u2066 isolated \u200b hidden \ufeff" in written


def test_templates_in_a_log_are_not_evaluated() -> None:
    for written in (text.render(hostile(HOSTILE_TEXTS[4])), html.render([hostile(HOSTILE_TEXTS[4])])):
        assert "{{ 7 * 7 }}" in written
        assert "49" not in written


@pytest.mark.parametrize(
    "log_text", ["x" * 1_000_000, "很" * 300_000, "a b " * 300_000, "`" * 100_000], ids=str.split("word wide words ticks")
)
def test_huge_lines_are_shortened(log_text: str) -> None:
    written = text.render(hostile(log_text), why=True, verbose=True)
    assert len(written) < 150_000
    assert "…[+" in written


@every_text()
def test_json_says_exactly_what_was_there_in_printable_characters(log_text: str) -> None:
    report = hostile(log_text)
    written = json.render(report)
    assert is_clean(written)
    written.encode("utf-8")
    assert plain_json.loads(written) == report


@given(LOG_TEXT)
def test_json_returns_any_text(log_text: str) -> None:
    written = json.render(hostile(log_text))
    written.encode("utf-8")
    assert plain_json.loads(written)["diagnoses"][0]["title"] == log_text


class Page(HTMLParser):
    """The elements of a page, with a check that they close in order."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.handlers: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]
        self.handlers += [name for name, _ in attrs if name.startswith("on")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def parsed(written: str) -> Page:
    page = Page()
    page.feed(written)
    page.close()
    assert page.open == []
    return page


@every_text()
def test_html_has_no_element_of_the_log(log_text: str) -> None:
    check_html(log_text)


@given(LOG_TEXT)
def test_html_has_no_element_of_any_text(log_text: str) -> None:
    check_html(log_text)


def without_links(report: dict[str, Any]) -> dict[str, Any]:
    """The report without the places that rules fill with addresses: links are tested by themselves."""
    for diagnosis in report["diagnoses"]:
        diagnosis["references"], diagnosis["cases"] = [], []
    return report


def check_html(log_text: str) -> None:
    written = html.render([without_links(hostile(log_text))])
    written.encode("utf-8")
    page = parsed(written)
    expected = parsed(html.render([hostile("plain")]))
    assert set(page.tags) <= set(expected.tags)
    assert page.tags.count("a") == page.tags.count("script") == page.tags.count("img") == 0
    assert page.links == []
    assert page.handlers == []


def test_html_links_only_to_the_web() -> None:
    page = parsed(html.render([hostile("https://pytorch.org/docs")]))
    assert set(page.links) == {"https://pytorch.org/docs"}
    for address in ("javascript:alert(1)", "data:text/html,x", "https://a.example/ onclick=x", 'https://a.example/"x', "//a.example"):
        assert parsed(html.render([hostile(address)])).links == []


@every_text()
def test_markdown_shows_the_log_as_text(log_text: str) -> None:
    check_markdown(log_text)


@given(LOG_TEXT)
def test_markdown_shows_any_text_as_text(log_text: str) -> None:
    check_markdown(log_text)


def check_markdown(log_text: str) -> None:
    """Parsed as GitHub does: no element, link, image or mention comes out of a log; only the frame's own HTML is HTML."""
    written = markdown.render(without_links(hostile(log_text)))
    written.encode("utf-8")
    assert is_clean(written)
    markup, spoken = [], []
    for token in flat(MARKDOWN.parse(written)):
        if token.type in ("html_block", "html_inline"):
            markup.append(token.content.strip())
        elif token.type == "text":
            spoken.append(token.content)
        else:
            assert token.type not in ("image", "link_open", "s_open", "em_open", "table_open", "blockquote_open", "hr", "code_block")
            assert token.type != "heading_open" or token.tag == "h3"
    assert markup == ["<details><summary>Why</summary>", "</details>"]
    outside_code = "\n".join(spoken)
    assert "@" not in outside_code
    assert "#1" not in outside_code
    assert not re.search(r"\bGH-\d", outside_code)


def flat(tokens: list[Any]) -> list[Any]:
    return [inner for token in tokens for inner in (flat(token.children) if token.children else [token])]


def test_markdown_keeps_code_as_code() -> None:
    tokens = flat(MARKDOWN.parse(markdown.inline("set `max_split_size_mb:512` at `a[0]`, not ``x``").__str__()))
    assert [token.content for token in tokens if token.type == "code_inline"] == ["max_split_size_mb:512", "a[0]"]


def test_markdown_escapes_once_what_stands_before_code() -> None:
    assert str(markdown.inline("Qwen's, in <module>: `y = x`.")) == "Qwen's, in &lt;module&gt;: `y = x`."


def test_markdown_links_only_to_the_web() -> None:
    tokens = flat(MARKDOWN.parse(markdown.render(hostile("https://pytorch.org/docs"))))
    assert {token.attrs["href"] for token in tokens if token.type == "link_open"} == {"https://pytorch.org/docs"}
    tokens = flat(MARKDOWN.parse(markdown.render(hostile("https://a.example/<x> @ana"))))
    assert not [token for token in tokens if token.type == "link_open"]


@every_text()
def test_sarif_is_printable_json_without_links_or_placeholders(log_text: str) -> None:
    written = sarif.render([hostile(log_text)], "1.0")
    assert is_clean(written)
    for result in plain_json.loads(written)["runs"][0]["results"]:
        message = result["message"]["text"]
        assert "](" not in message
        assert "{" not in message.replace("{{", "")
        for location in result["locations"]:
            uri = location["physicalLocation"]["artifactLocation"]["uri"]
            assert uri.isascii()
            assert not set(uri) & set(' "<>\\^`{|}')
