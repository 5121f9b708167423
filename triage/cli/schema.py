"""`triage schema`: the shape of what programs read."""

from __future__ import annotations

import sys

import click

from triage.cli import terminal


@click.command("schema")
@click.argument("what", type=click.Choice(["report"]))
def command(what: str) -> None:
    """Print the JSON Schema (draft 2020-12) of what `triage explain --format json` writes."""
    from triage.render.json import escaped_dumps
    from triage.render.schema import report_schema

    terminal.write(escaped_dumps(report_schema()), sys.stdout, "utf-8")
