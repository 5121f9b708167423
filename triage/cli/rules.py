"""`triage rules`: the rule base, for people who write rules."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from triage.cli import terminal
from triage.cli.explain import load_engine
from triage.render.escape import visible
from triage.rulebook.errors import RuleError
from triage.rulebook.loader import Source, load_rules
from triage.rulebook.store import shipped_directory


@click.group("rules")
def command() -> None:
    """List, show, test, check, start and document rules.

    \b
    Examples:
      triage rules list --family memory
      triage rules show memory.gpu-oom.fragmentation
      triage rules test my-pack/ruler.yaml
    """


def _outside(paths: tuple[str, ...]) -> tuple[str, ...]:
    """The paths that are not part of the shipped rules: they are compiled as packs beside them."""
    home = Path(shipped_directory("rules")).resolve()
    return tuple(path for path in paths if not Path(path).resolve().is_relative_to(home))


def _existing(paths: tuple[str, ...]) -> None:
    for path in paths:
        if not Path(path).exists():
            raise click.UsageError(f"{path}: no such file or directory")


def _sources(paths: tuple[str, ...]) -> list[Source]:
    _existing(paths)
    try:
        return load_rules([Path(path) for path in paths or (shipped_directory("rules"),)])
    except RuleError as error:
        click.echo(str(error), err=True)
        raise click.exceptions.Exit(1) from None


@command.command("test")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.pass_context
def test(ctx: click.Context, paths: tuple[str, ...]) -> None:
    """Run the examples of rule files (default: all that are shipped) and print what differs. Exits with 1 on a difference."""
    from triage.workshop.testing import run_examples

    sources = _sources(paths)
    count = failed = 0
    for outcome in run_examples(load_engine(_outside(paths)), sources):
        count += 1
        if outcome.differences:
            failed += 1
            click.echo(str(outcome))
    click.echo(f"{count} examples in {len(sources)} files, {failed} differ")
    ctx.exit(1 if failed else 0)


@command.command("lint")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--strict", is_flag=True, help="Exit with 1 on a warning too.")
@click.option("--errors", is_flag=True, help="Tell errors only.")
@click.option("--format", "kind", type=click.Choice(["text", "json"]), default="text", help="What to write.")
@click.option("--codes", is_flag=True, help="List all codes, with what they mean and what to do, and exit.")
@click.pass_context
def lint_rules(ctx: click.Context, paths: tuple[str, ...], strict: bool, errors: bool, kind: str, codes: bool) -> None:
    """Check rule files (default: all that are shipped). Exits with 1 on an error, and under --strict on a warning.

    A rule that is right nevertheless says so: `allow: [{code: L012, because: the reason}]` in the file, signature, diagnosis or rule.
    """
    from triage.render.json import escaped_dumps
    from triage.workshop.lint import CODES, lint

    if codes:
        for name, code in CODES.items():
            click.echo(f"{name} {code.severity}: {code.title}. {code.about} {code.remedy}")
        return
    _existing(paths)
    found = [problem for problem in lint([Path(path) for path in paths]) if not errors or problem.severity == "error"]
    wrong = sum(problem.severity == "error" for problem in found)
    if kind == "json":
        summary = {"errors": wrong, "warnings": len(found) - wrong}
        terminal.write(escaped_dumps({"findings": [problem.to_dict() for problem in found], "summary": summary}), sys.stdout, "utf-8")
    else:
        for problem in found:
            terminal.write(visible(str(problem)) + "\n", sys.stdout)
        click.echo(f"{wrong} errors, {len(found) - wrong} warnings")
    ctx.exit(1 if wrong or (strict and found) else 0)


@command.command("list")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--family", default="", help="Only families that begin with this.")
@click.option("--status", type=click.Choice(["nursery", "stable", "deprecated"]), help="Only rules of this status.")
def list_rules(paths: tuple[str, ...], family: str, status: str | None) -> None:
    """List diagnoses: id, confidence, title."""
    for source in _sources(paths):
        file = source.model
        if file.family is None or not file.family.startswith(family) or (status and file.status != status):
            continue
        for diagnosis in file.diagnoses:
            title = diagnosis.title or file.title
            text = title.en if title else ""
            click.echo(f"{file.family}.{diagnosis.id}\t{diagnosis.confidence}\t{text if isinstance(text, str) else ' '.join(text)}")
