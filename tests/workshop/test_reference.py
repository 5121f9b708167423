"""What people look up: `rules show`, `rules list`, the Markdown reference and the site that is made of it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from lint_support import GOOD, Workplace

from triage.cli.group import program
from triage.knowledge.tables import load_tables
from triage.render.layout import cells
from triage.rulebook.loader import Source, load_file, load_text
from triage.rulebook.schema import Signature
from triage.rulebook.taxonomy import Taxonomy, load_taxonomy
from triage.workshop import reference, show
from triage.workshop.docs import write_site
from triage.workshop.docs.markdown import block, code, inline, plain, web_link
from triage.workshop.forms import readable
from triage.workshop.words import keys, word

HOSTILE = "</code><script>alert(1)</script> [x](javascript:alert(1)) {{ config }} {% raw %} | **b** `t` \x1b[31mred & <img src=x onerror=y>"


@pytest.fixture
def source(workplace: Workplace) -> Source:
    return load_file(workplace.pack / "toy.yaml", "rules/toy.yaml")


@pytest.fixture
def taxonomy(workplace: Workplace) -> Taxonomy:
    return load_taxonomy(workplace.kb)


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"text": "a refused %{SIZE:requested_bytes} at %{HEX}, %{ANY} end"}, ["a refused <requested_bytes> at <hex>, … end"]),
        ({"text": ["one", "two"]}, ["one", "two"]),
        (
            {"pattern": r"(?:CUDA|HIP) error\. +Tried %{SIZE:requested_bytes}(?: on (?P<gpu>\d+))?"},
            ["CUDA error. Tried <requested_bytes> on <gpu>"],
        ),
        (
            {"pattern": r"out of memory|cudaErrorX [^']+ (?P<op>\w+)|(?P<op>x{3,9}) fails"},
            ["out of memory", "cudaErrorX … <op>", "<op> fails"],
        ),
        ({"pattern": r"[Oo]ut\s+of.{0,90}?memory\b"}, ["Out of…memory"]),
    ],
)
def test_signatures_are_shown_as_messages(form: dict[str, object], says: list[str]) -> None:
    assert readable(Signature.model_validate({"id": "x", **form})) == says


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("width", [44, 100])
def test_the_page_holds_everything_and_fits(source: Source, taxonomy: Taxonomy, lang: str, width: int) -> None:
    page = reference.page_of(source, taxonomy, lang, {"memory.gpu-oom.toy-plain": ["reduce-batch-or-sequence"]})
    text = show.render(page, lang=lang, width=width)
    together = re.sub(r"[\s|]+", "", text)
    title, meaning = {"en": ("The toy arena is full", "The arena has a fixed size."), "zh": ("玩具显存池已满", "显存池大小固定。")}[lang]
    wanted = [
        title,
        meaning,
        taxonomy.fixes["larger-gpu"]["title"][lang],
        "toy arena refused <requested_bytes> of <capacity_bytes>",
        "toy >=2.0",
        "requested_bytes > 0.9 * capacity_bytes",
        "https://example.org/toy/arena.c",
        "the messages",
        "ERROR toy arena refused 7 GiB of 7.5 GiB",
        "the toy arena refused nothing today",
        word("reproduced", lang, fixes="reduce-batch-or-sequence"),
        word("examples-count", lang, positive=2, near=1),
    ]
    for said in wanted:
        assert re.sub(r"[\s|]+", "", said) in together
    addresses = [line for line in text.splitlines() if "https://" in line]
    assert all(cells(line) <= width for line in text.splitlines() if line not in addresses)


def test_one_diagnosis_is_shown_with_its_messages_alone(source: Source, taxonomy: Taxonomy) -> None:
    [(found, only)] = reference.find([source], "memory.gpu-oom.toy-too-large")
    text = show.render(reference.page_of(found, taxonomy, "en"), lang="en", only=only)
    assert "memory.gpu-oom.toy-too-large" in text
    assert "memory.gpu-oom.toy-plain" not in text
    assert "exhausted after" not in text.split("Examples")[0]


def test_a_title_loses_the_values_of_one_case(workplace: Workplace, taxonomy: Taxonomy) -> None:
    for title, shown in (("'GPU {gpu} is full'", "GPU out of memory (toy)"), ("['It is full.', 'On {gpu}.']", "It is full")):
        spoiled = load_text(GOOD.replace("title: {en: The toy arena is full", f"title: {{en: {title}"), "x.yaml")
        assert reference.page_of(spoiled, taxonomy, "en")["title"] == shown


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("memory.gpu-oom/toy", 1),
        ("memory.gpu-oom", 1),
        ("memory", 1),
        ("memory.gpu-oom.toy-plain", 1),
        ("rules/toy.yaml", 1),
        ("mem", 0),
        ("x", 0),
    ],
)
def test_names_that_can_be_looked_up(source: Source, name: str, count: int) -> None:
    assert len(reference.find([source], name)) == count


def test_the_commands_show_and_list(workplace: Workplace) -> None:
    runner = CliRunner()
    shown = runner.invoke(program, ["rules", "show", str(workplace.pack / "toy.yaml"), "--lang", "en"])
    assert shown.exit_code == 0
    assert shown.output.startswith("The toy arena is full\nmemory.gpu-oom/toy · ")
    assert (
        json.loads(runner.invoke(program, ["rules", "show", str(workplace.pack), "--format", "json"]).output)[0]["failure"]
        == "memory.gpu-oom/toy"
    )
    assert runner.invoke(program, ["rules", "show", "no.such.thing", str(workplace.pack)]).exit_code == 2

    def listed(*options: str) -> list[str]:
        result = runner.invoke(program, ["rules", "list", str(workplace.pack), "--lang", "en", *options])
        assert result.exit_code == 0
        return [line.split()[0] for line in result.stdout.splitlines()]

    both = ["memory.gpu-oom.toy-too-large", "memory.gpu-oom.toy-plain"]
    assert listed() == listed("--family", "memory") == listed("--status", "stable") == listed("--library", "Toy") == both
    assert listed("--text", "ARENA exhausted") == both
    assert listed("--text", "large arena") == both[:1]
    assert (
        listed("--library", "torch") == listed("--family", "kernel") == listed("--status", "nursery") == listed("--text", "nowhere") == []
    )
    near = '  - name: a report of use\n    near_miss: true\n    text: "the toy arena refused nothing today"\n    expect: none\n'
    workplace.write("toy.yaml", GOOD.replace("status: stable", "status: nursery").replace(near, ""))
    assert "(nursery, lacks a near miss, not reproduced yet)" in runner.invoke(program, ["rules", "list", str(workplace.pack)]).output
    assert json.loads(runner.invoke(program, ["rules", "list", str(workplace.pack), "--format", "json"]).output)[0]["lacks"] == [
        "a near miss"
    ]


def test_shipped_failures_can_be_looked_up() -> None:
    result = CliRunner().invoke(program, ["rules", "show", "memory.gpu-oom.fragmentation", "--lang", "zh"])
    assert result.exit_code == 0, result.output
    assert "显存" in result.output


def test_every_word_is_there_in_both_languages() -> None:
    for key in keys():
        assert re.findall(r"\{\w+\}", word_of(key, "en")) == re.findall(r"\{\w+\}", word_of(key, "zh"))


def word_of(key: str, lang: str) -> str:
    class Same(dict[str, str]):
        def __missing__(self, name: str) -> str:
            return "{" + name + "}"

    return word(key, lang, **Same()) if key else ""


# the site


def _site(workplace: Workplace, sources: list[Source]) -> Path:
    target = workplace.root / "site"
    write_site(target, sources, load_taxonomy(workplace.kb), load_tables(workplace.kb))
    return target


def test_the_reference_has_a_page_in_each_language_and_indexes(workplace: Workplace, source: Source) -> None:
    docs = _site(workplace, [source]) / "docs"
    for lang, title in (("en", "The toy arena is full"), ("zh", "玩具显存池已满")):
        page = (docs / lang / "failures" / "memory.gpu-oom--toy.md").read_text(encoding="utf-8")
        assert page.startswith(f"# {title}\n")
        order = [page.index(f"\n## {word(key, lang)}\n") for key in ("meaning", "recognise", "diagnoses", "verified", "sources")]
        assert order == sorted(order)
        assert f"[{title}](failures/memory.gpu-oom--toy.md)" in (docs / lang / "index.md").read_text(encoding="utf-8")
        messages = (docs / lang / "messages.md").read_text(encoding="utf-8")
        assert "toy arena exhausted after &#60;allocated&#95;bytes&#62;" in messages
        assert "## toy\n" in (docs / lang / "libraries.md").read_text(encoding="utf-8")
    assert "## L012: can never fire" in (docs / "authors" / "lint.md").read_text(encoding="utf-8")
    nav = yaml.safe_load((docs.parent / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]
    named = set(re.findall(r"[\w./-]+\.md", json.dumps(nav)))
    assert named == {path.relative_to(docs).as_posix() for path in docs.rglob("*.md")}


def test_an_xid_leads_to_the_failures_that_name_it(workplace: Workplace) -> None:
    table = """
table: xid
about: Codes.
source: [{url: "https://example.org/xid", date: 2026-01-01}]
key: [xid]
columns:
  - {name: xid, type: int, description: code}
  - {name: family, description: family}
  - {name: meaning_en, description: meaning}
  - {name: meaning_zh, description: meaning}
rows: [[13, null, Engine exception, 引擎异常], [79, device.mismatch, Fell off the bus, 掉卡]]
"""
    (workplace.kb / "tables" / "xid.yaml").write_text(table, encoding="utf-8")
    text = GOOD.replace("    when:\n      - test", "    when:\n      - signal: {xid: [13, 31]}\n      - test")
    docs = _site(workplace, [load_text(text, "rules/toy.yaml")]) / "docs"
    lines = (docs / "en" / "xid.md").read_text(encoding="utf-8").splitlines()
    link = "[The toy arena is full](failures/memory.gpu-oom--toy.md) <code>memory.gpu-oom/toy</code>"
    assert f"- **13** Engine exception → {link}" in lines
    assert f"- **31**  → {link}" in lines
    assert "- **79** Fell off the bus" in lines


def test_writing_again_leaves_no_page_of_a_failure_that_is_gone(workplace: Workplace, source: Source) -> None:
    docs = _site(workplace, [source]) / "docs"
    renamed = load_text(GOOD.replace("memory.gpu-oom/toy", "memory.gpu-oom/game"), "rules/game.yaml")
    _site(workplace, [renamed])
    assert [path.name for path in (docs / "en" / "failures").iterdir()] == ["memory.gpu-oom--game.md"]


def test_a_directory_that_is_no_reference_is_not_emptied(workplace: Workplace, source: Source) -> None:
    precious = workplace.root / "site" / "docs" / "thesis.txt"
    precious.parent.mkdir(parents=True)
    precious.write_text("years of work", encoding="utf-8")
    _site(workplace, [source])
    assert precious.read_text(encoding="utf-8") == "years of work"


@pytest.mark.parametrize("make", [plain, inline, code])
def test_nothing_in_a_text_is_markup(make: object) -> None:
    assert callable(make)
    text = str(make(HOSTILE)).replace("<code>", "").replace("</code>", "")
    assert not set(text) & set("<>[]*`_|{}\x1b")


def test_blocks_and_links_are_closed() -> None:
    assert "<script" not in block(HOSTILE)
    assert block("a\n\n</pre>").startswith("<pre><code>a\n \n&lt;/pre&gt;</code></pre>")
    assert web_link("javascript:alert(1)").startswith("<code>")
    assert web_link('https://x/"onmouseover=y').startswith("<code>")
    assert (
        web_link("https://example.org/a_b", "*note*") == '<a href="https://example.org/a_b">https://example.org/a&#95;b</a>: &#42;note&#42;'
    )


def test_mkdocs_builds_the_site_strictly_and_hostile_texts_stay_texts(workplace: Workplace) -> None:
    pytest.importorskip("mkdocs")
    quoted = json.dumps(HOSTILE.replace("{", "{{").replace("}", "}}"))
    text = GOOD.replace("en: The toy arena is full", f"en: {quoted}").replace("en: The arena keeps its size.", f"en: {quoted}")
    text = text.replace("The arena has a fixed size.", "'# 1. - > = [x]: y'")
    text = text.replace('"ERROR toy arena refused', '"</pre><script>alert(2)</script> toy arena refused')
    target = _site(workplace, [load_text(text, "rules/toy.yaml")])
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-f", str(target / "mkdocs.yml")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    html = (target / "site" / "en" / "failures" / "memory.gpu-oom--toy.html").read_text(encoding="utf-8")
    assert "alert(1)" in html
    for markup in ("<script>alert", "<img src=x", 'href="javascript', "\x1b"):
        assert markup not in html
    index = json.loads((target / "site" / "search" / "search_index.json").read_text(encoding="utf-8"))
    pages = {entry["location"]: entry for entry in index["docs"]}
    assert all("#" not in location for location in pages)
    assert "显存 存池" in pages["zh/failures/memory.gpu-oom--toy.html"]["text"]
