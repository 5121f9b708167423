"""`triage hook`: what pre-commit calls."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from triage.cli import terminal
from triage.render import console


@click.command("hook")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--baseline", "path", metavar="FILE", help="Failures that are known and accepted: a JSON or YAML list of file and id.")
@click.option("--update-baseline", "update", is_flag=True, help="Write what is found now to the baseline and exit with 0.")
@click.option("--lang", type=click.Choice(["en", "zh"]), help="Language; default: TRIAGE_LANG, then the locale.")
@click.pass_context
def command(ctx: click.Context, files: tuple[str, ...], path: str | None, update: bool, lang: str | None) -> None:
    """Exit with 1 when a log holds a GPU failure that no baseline allows, one line a failure; with 2 when a FILE cannot be read.

    \b
    Examples:
      triage hook logs/*.log
      triage hook logs/*.log --baseline known.json --update-baseline
      triage hook logs/*.log --baseline known.json
    """
    from triage.integrations.hook import Baseline, BaselineError, Finding, check
    from triage.pipeline import Triage

    if update and path is None:
        raise click.UsageError("--update-baseline needs --baseline FILE")
    try:
        baseline = Baseline.load(path, missing_is_empty=update) if path is not None else None
    except BaselineError as error:
        raise click.UsageError(str(error)) from error
    engine = Triage(long_lived=len(files) > 1)
    results = list(check(engine, files, None if update else baseline, console.language(lang)))
    found = [result for result in results if isinstance(result, Finding)]
    errors = [result for result in results if isinstance(result, OSError)]
    if update and baseline is not None:
        broken = {unreadable.filename for unreadable in errors}
        baseline.update([file for file in files if file not in broken], found)
        try:
            baseline.save()
        except OSError as error:
            raise click.UsageError(f"{path}: {terminal.reason(error)}") from error
    else:
        _say(found)
    for unreadable in errors:
        terminal.complain(f"triage hook: {unreadable.filename}: {terminal.reason(unreadable)}")
    ctx.exit(2 if errors else 1 if found and not update else 0)


def _say(found: Sequence[object]) -> None:
    from triage.render.escape import visible

    console.write("".join(f"{visible(str(finding))}\n" for finding in found), sys.stdout)
