"""`triage rules new`: from a log to a rule, by answers or by options."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from triage.cli.errors import CommandError
from triage.cli.rules_questions import ask
from triage.render import console
from triage.render.escape import visible
from triage.rulebook.errors import RuleError


@click.command("new", short_help="Write a rule for a message.")
@click.option("--log", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="A log that holds the message.")
@click.option("--lines", help="Its lines in that log: 12, or 12-14.")
@click.option("--family", help="What failed: an id such as memory.gpu-oom.")
@click.option("--id", "name", help="A name for this form of the failure.")
@click.option("--cause", help="Why it failed, where the message tells.")
@click.option("--title", nargs=2, metavar="EN ZH", help="Title in English and in Chinese.")
@click.option("--fix", "fixes", multiple=True, metavar="ID", help="What to do, best first; may be given more than once.")
@click.option("--source", "sources", multiple=True, metavar="URL", help="Where the form of the message comes from.")
@click.option("--signature", help="The text of the message with holes, instead of the one that would be made.")
@click.option("--near-miss", "near", help="A text with the same words that is not this failure.")
@click.option("-o", "--output", "path", type=click.Path(dir_okay=False, path_type=Path), help="Where to write; default: where it belongs.")
@click.option("--anyway", is_flag=True, help="Write it although the text is diagnosed already.")
def new(**answers: Any) -> None:
    """Write a rule for a message: from a log and the options, or from your answers to a few questions.

    The file is complete: signature, diagnosis, fix, example, near miss. It is tested and linted at once; exits with 1 where it does not
    pass, and 2 where it cannot be written.

    \b
    Example:
      triage rules new --log train.log --lines 41-42 --family memory.gpu-oom --id arena
    """
    from triage.workshop.lint import lint
    from triage.workshop.new import DraftError, Workbench, make_draft

    asking = not (answers["log"] and answers["lines"] and answers["family"] and answers["name"])
    try:
        bench = Workbench()
        chosen = ask(bench, answers) if asking else _given(answers)
        draft = make_draft(bench, **chosen)
        if asking:
            click.echo("\n" + draft.text)
            click.confirm(f"Write {draft.path}?", default=True, abort=True)
        draft.write()
    except DraftError as error:
        raise CommandError(f"triage rules new: {error}") from error
    except RuleError as error:
        raise CommandError(f"triage rules new: {error.problems[0]}") from error
    except FileExistsError as error:
        raise CommandError(f"triage rules new: {error.filename} is there already; choose another --id or --output") from error
    console.write(visible(str(draft.path)) + "\n", sys.stdout)
    problems = lint([draft.path])
    for line in [*draft.differences, *map(str, problems)]:
        console.write(visible(line) + "\n", sys.stdout)
    click.get_current_context().exit(1 if draft.differences or any(problem.severity == "error" for problem in problems) else 0)


def _given(answers: dict[str, Any]) -> dict[str, Any]:
    from triage.workshop.new import selected

    lines, example = selected(answers["log"].read_bytes(), answers["lines"])
    title = {"en": answers["title"][0], "zh": answers["title"][1]} if answers["title"] else None
    keys = ("family", "name", "cause", "fixes", "sources", "path", "anyway")
    texts = {"signature": answers["signature"] or "", "near": answers["near"] or ""}
    return {"lines": lines, "example": example, "title": title, **texts, **{key: answers[key] for key in keys}}
