"""`triage explain` as click sees it: for its help, and for command lines that are out of the ordinary."""

from __future__ import annotations

from triage.cli.explain import OPTIONS, explain
from triage.cli.options import click_command

command = click_command("explain", OPTIONS, explain)
