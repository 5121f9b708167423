"""`triage rules`: the rule base, for people who write rules."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from triage.cli.rules_new import new
from triage.facts.spelling import did_you_mean
from triage.render import console
from triage.render.escape import visible
from triage.rulebook.errors import RuleError
from triage.rulebook.loader import Source
from triage.rulebook.store import require_rules, shipped_directory
from triage.rulebook.taxonomy import load_taxonomy
from triage.workshop.choosing import packs_of, sources_of

_LANG = click.option("--lang", type=click.Choice(["en", "zh"]), help="Language; default: TRIAGE_LANG, then the locale.")


@click.group("rules")
def command() -> None:
    """List, show, test, check, start and document rules.

    \b
    Examples:
      triage rules list --family memory
      triage rules show memory.gpu-oom.fragmentation
      triage rules test my-pack/ruler.yaml
    """


def _require(paths: tuple[str, ...]) -> None:
    for path in paths:
        if not Path(path).exists():
            raise click.UsageError(f"{path}: no such file or directory")
    try:
        require_rules(paths)
    except RuleError as error:
        raise click.UsageError(str(error)) from None


def _sources(paths: tuple[str, ...]) -> list[Source]:
    _require(paths)
    try:
        return sources_of([Path(path) for path in paths])
    except RuleError as error:
        click.echo(str(error), err=True)
        raise click.exceptions.Exit(1) from None


@command.command("test", short_help="Run the examples of rule files.")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.pass_context
def test(ctx: click.Context, paths: tuple[str, ...]) -> None:
    """Run the examples of rule files (default: all that are shipped) and print what differs. Exits with 1 on a difference.

    \b
    Examples:
      triage rules test
      triage rules test rules/memory/arena.yaml
    """
    from triage.pipeline import Triage
    from triage.workshop.testing import run_examples

    sources = _sources(paths)
    count = failed = 0
    for outcome in run_examples(Triage([str(pack) for pack in packs_of([Path(path) for path in paths])]), sources):
        count += 1
        if outcome.differences:
            failed += 1
            click.echo(str(outcome))
    click.echo(f"{count} examples in {len(sources)} files, {failed} differ")
    ctx.exit(1 if failed else 0)


@command.command("lint", short_help="Check rule files.")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--strict", is_flag=True, help="Exit with 1 on a warning too.")
@click.option("--errors", is_flag=True, help="Tell errors only.")
@click.option("--format", "kind", type=click.Choice(["text", "json"]), default="text", help="What to write.")
@click.option("--codes", is_flag=True, help="List all codes, with what they mean and what to do, and exit.")
@click.pass_context
def lint_rules(ctx: click.Context, paths: tuple[str, ...], strict: bool, errors: bool, kind: str, codes: bool) -> None:
    """Check rule files (default: all that are shipped). Exits with 1 on an error, and under --strict on a warning.

    A rule that is right nevertheless says so: `allow: [{code: L012, because: the reason}]` in the file, signature, diagnosis or rule.

    \b
    Examples:
      triage rules lint rules/memory/arena.yaml
      triage rules lint --errors
      triage rules lint --codes
    """
    from triage.render.json import escaped_dumps
    from triage.workshop.lint import CODES, lint

    if codes:
        for name, code in CODES.items():
            click.echo(f"{name} {code.severity}: {code.title}. {code.about} {code.remedy}")
        return
    _require(paths)
    found = [problem for problem in lint([Path(path) for path in paths]) if not errors or problem.severity == "error"]
    wrong = sum(problem.severity == "error" for problem in found)
    if kind == "json":
        summary = {"errors": wrong, "warnings": len(found) - wrong}
        console.write(escaped_dumps({"findings": [problem.to_dict() for problem in found], "summary": summary}), sys.stdout, "utf-8")
    else:
        for problem in found:
            console.write(visible(str(problem)) + "\n", sys.stdout)
        click.echo(f"{wrong} errors, {len(found) - wrong} warnings")
    ctx.exit(1 if wrong or (strict and found) else 0)


@command.command("list", short_help="List diagnoses: id, confidence, title.")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--family", default="", help="Only families that begin with this.")
@click.option("--status", type=click.Choice(["nursery", "stable", "deprecated"]), help="Only failures of this status.")
@click.option("--library", default="", help="Only failures that this library reports: torch, nccl, vllm …")
@click.option("--text", default="", help="Only diagnoses whose id, title or messages hold these words.")
@_LANG
@click.option("--format", "kind", type=click.Choice(["text", "json"]), default="text", help="What to write.")
def list_rules(paths: tuple[str, ...], family: str, status: str | None, library: str, text: str, lang: str | None, kind: str) -> None:
    """List diagnoses: id, confidence, title. Those that are not stable say what they are.

    \b
    Examples:
      triage rules list --family memory
      triage rules list --library nccl --text timeout
      triage rules list --status nursery my-pack
    """
    from triage.render.json import escaped_dumps
    from triage.workshop.reference import listing

    language = console.language(lang)
    found = listing(_sources(paths), language, family=family, status=status, library=library, text=text)
    if kind == "json":
        console.write(escaped_dumps(found), sys.stdout, "utf-8")
        return
    for item in found:
        lacks = f", lacks {' and '.join(item['lacks'])}" if item["lacks"] else ""
        unproved = ", not reproduced yet" if item["status"] == "nursery" and not item["reproduced"] else ""
        note = "" if item["status"] == "stable" else f"  ({item['status']}{lacks}{unproved})"
        console.write(visible(f"{item['id']}  {item['confidence']}  {item['title']}{note}") + "\n", sys.stdout)
    if not found:
        click.echo("no diagnosis fits; `triage rules list` without options names all", err=True)


@command.command("show", short_help="One failure as a page.")
@click.argument("name", metavar="ID|FILE")
@_LANG
@click.option("--format", "kind", type=click.Choice(["text", "json"]), default="text", help="What to write.")
def show_rule(name: str, lang: str | None, kind: str) -> None:
    """One failure as a page: messages, causes, fixes, examples, sources.

    ID is a failure or family (memory.gpu-oom), a diagnosis (memory.gpu-oom.fragmentation) or a domain (memory).

    \b
    Examples:
      triage rules show memory.gpu-oom.fragmentation
      triage rules show memory --lang zh
    """
    from triage.render.json import escaped_dumps
    from triage.workshop import reference, show

    language = console.language(lang)
    sources = _sources((name,) if Path(name).exists() else ())
    chosen = [(source, None) for source in sources] if Path(name).exists() else reference.find(sources, name)
    if not chosen:
        meant = did_you_mean(name, reference.names(sources))
        raise click.UsageError(f"no failure or diagnosis is called {name}{meant or '; `triage rules list` names them'}")
    taxonomy, tried = load_taxonomy(Path(shipped_directory("kb"))), reference.tried_fixes([source for source, _ in chosen])
    pages = [(reference.page_of(source, taxonomy, language, tried), only) for source, only in chosen]
    if kind == "json":
        console.write(escaped_dumps([page for page, _ in pages]), sys.stdout, "utf-8")
        return
    width, color = console.columns(sys.stdout), console.colored("auto", sys.stdout)
    texts = [show.render(page, lang=language, width=width, color=color, only=only) for page, only in pages]
    console.write("\n".join(texts), sys.stdout)


@command.command("docs", short_help="Write the reference as a site.")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("-o", "--output", "directory", required=True, type=click.Path(file_okay=False, path_type=Path), help="Where to write.")
def write_docs(paths: tuple[str, ...], directory: Path) -> None:
    """Write the reference as Markdown, in both languages, with the mkdocs.yml that makes a site with search of it.

    \b
    Example:
      triage rules docs -o build/reference
      mkdocs build --strict -f build/reference/mkdocs.yml
    """
    from triage.knowledge.tables import load_tables
    from triage.workshop.docs import write_site
    from triage.workshop.reference import tried_fixes

    sources = _sources(paths)
    kb = Path(shipped_directory("kb"))
    count = write_site(directory, sources, load_taxonomy(kb), load_tables(kb), tried_fixes(sources))
    click.echo(f"{count} pages in {directory}")


command.add_command(new)
