"""`triage kb`: the known cases."""

from __future__ import annotations

import sys
from typing import Any

import click

from triage.render import console

_FORMAT = click.option("--format", "kind", type=click.Choice(["text", "json"]), default="text", help="What to write.")
_LANG = click.option("--lang", type=click.Choice(["en", "zh"]), help="Language; default: TRIAGE_LANG, then the locale.")


@click.group("kb")
def command() -> None:
    """Search and show known cases.

    \b
    Examples:
      triage kb search "nccl hangs after first epoch"
      triage kb search 显存碎片 --limit 3
      triage kb show easyedit-memit-oom
    """


@command.command("search", short_help="Cases that speak of the words of QUERY.")
@click.argument("words", nargs=-1, required=True, metavar="QUERY")
@click.option("--limit", type=click.IntRange(1, 1000), default=10, help="How many cases at most.")
@_FORMAT
@_LANG
def search_cases(words: tuple[str, ...], limit: int, kind: str, lang: str | None) -> None:
    """Cases that speak of the words of QUERY, in English or Chinese, best first.

    \b
    Example:
      triage kb search "nccl hangs after first epoch" --limit 3
    """
    from triage.render.cases import render_found
    from triage.rulebook.store import load_rulebook

    found = load_rulebook().search_cases(" ".join(words), limit)
    if kind == "json":
        _write_json([{**case, "score": score} for case, score in found])
    else:
        console.write(render_found(found, lang=console.language(lang), **_page()), sys.stdout)


@command.command("show", short_help="One case in full.")
@click.argument("name", metavar="ID")
@_FORMAT
@_LANG
def show_case(name: str, kind: str, lang: str | None) -> None:
    """One case in full: symptom, environment, cause, fix, what was checked, sources.

    \b
    Example:
      triage kb show easyedit-memit-oom
    """
    from triage.facts.spelling import did_you_mean
    from triage.render.cases import render_case

    cases = _cases()
    case = cases.get(name)
    if case is None:
        raise click.UsageError(f"no case is called {name}{did_you_mean(name, cases) or '; `triage kb search` finds them'}")
    if kind == "json":
        _write_json(case)
    else:
        console.write(render_case(case, lang=console.language(lang), **_page()), sys.stdout)


def _cases() -> dict[str, dict[str, Any]]:
    from triage.rulebook.store import load_rulebook

    return {case["id"]: case for case in load_rulebook().all_cases()}


def _page() -> dict[str, Any]:
    return {"width": console.columns(sys.stdout), "color": console.colored("auto", sys.stdout)}


def _write_json(data: object) -> None:
    from triage.render.json import escaped_dumps

    console.write(escaped_dumps(data), sys.stdout, "utf-8")
