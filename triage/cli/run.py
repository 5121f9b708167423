"""`triage run`: a command, explained when it fails."""

from __future__ import annotations

import sys

import click

from triage.cli import terminal
from triage.render import console


@click.command("run", context_settings={"allow_interspersed_args": False})
@click.option("--lang", type=click.Choice(["en", "zh"]), help="Language; default: TRIAGE_LANG, then the locale.")
@click.option("--why", is_flag=True, help="Show the chain of reasoning down to the raw lines.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Colours of the explanation.")
@click.argument("command_line", nargs=-1, required=True, metavar="[--] COMMAND...", type=click.UNPROCESSED)
@click.pass_context
def command(ctx: click.Context, lang: str | None, why: bool, color: str, command_line: tuple[str, ...]) -> None:
    """Run COMMAND, pass its output through as it comes, and explain on standard error when it fails.

    The exit status is that of COMMAND: 128 plus the number where a signal ended it, 127 where there is no such command.

    \b
    Examples:
      triage run -- python train.py --batch-size 64
      triage run --lang zh -- torchrun --nproc_per_node=8 train.py
    """
    from triage.integrations import tee

    outcome = tee.run(command_line)
    if outcome.problem:
        terminal.complain(f"triage run: {outcome.problem}")
    elif outcome.report is not None and outcome.report.diagnoses:
        console.write("\n", sys.stderr)
        console.show(outcome.report.to_dict(console.language(lang)), sys.stderr, color=color, why=why)
    elif outcome.status:
        terminal.complain(f"triage run: exit status {outcome.status}; nothing GPU-related found in the output")
    ctx.exit(outcome.status)
