"""`triage schema`: the shapes of what programs read and people write."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from triage.render import console


@click.command("schema")
@click.argument("what", type=click.Choice(["report", "finding", "rule", "case", "table", "pack"]), required=False)
@click.option("--write", "directory", metavar="DIR", type=click.Path(file_okay=False, path_type=Path), help="Write all of them into DIR.")
def command(what: str | None, directory: Path | None) -> None:
    """Print a JSON Schema (draft 2020-12): of what programs read, or of the YAML files that hold knowledge.

    A report is what `triage explain --format json` writes, a finding a line of `triage scan --format jsonl`.

    \b
    Examples:
      triage schema report > report.schema.json
      triage schema --write schemas
    """
    from triage.render.json import escaped_dumps

    if what is None and directory is None:
        raise click.UsageError("name a schema, or a directory with --write")
    if what in ("report", "finding"):
        from triage.render.schema import finding_schema, report_schema  # they need none of what reads YAML

        console.write(escaped_dumps(report_schema() if what == "report" else finding_schema()), sys.stdout, "utf-8")
    elif what is not None:
        from triage.workshop.schemas import SCHEMAS

        console.write(escaped_dumps(SCHEMAS[what]()), sys.stdout, "utf-8")
    if directory is not None:
        from triage.workshop.schemas import write_schemas

        write_schemas(directory)
