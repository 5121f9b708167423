"""`triage doctor`: this machine, through the same rules as a log."""

from __future__ import annotations

import json
import sys

import click

from triage.render import console


@click.command("doctor", short_help="Look at this machine: driver, GPUs, memory, versions.")
@click.option("--format", "kind", type=click.Choice(["text", "json"]), default="text", help="What to write.")
@click.option("--lang", type=click.Choice(["en", "zh"]), help="Language; default: TRIAGE_LANG, then the locale.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Colours in text.")
@click.option("--exit-code", is_flag=True, help="Exit with 1 when something was diagnosed.")
@click.pass_context
def doctor(context: click.Context, kind: str, lang: str | None, color: str, exit_code: bool) -> None:
    """Look at driver, GPUs, memory holders, ECC, throttling, links, limits and versions, and run the rules over them.

    Needs neither a GPU nor a driver: what cannot be asked is left out.

    \b
    Examples:
      triage doctor
      triage doctor --format json > machine.json
    """
    from triage.live.examination import examine

    found = examine(console.language(lang))
    if kind == "json":
        console.write(json.dumps(found.to_dict(), indent=2, ensure_ascii=False) + "\n", sys.stdout)
    else:
        console.write("\n".join(found.lines()) + "\n", sys.stdout)
        if found.report["diagnoses"]:
            console.write("\n", sys.stdout)
            console.show(found.report, sys.stdout, color=color)
    context.exit(int(exit_code and bool(found.report["diagnoses"])))


command = doctor
