"""The commands as a click group. One module a command, imported only when it is called."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Final

import click

from triage.cli import terminal
from triage.cli.errors import CommandError
from triage.rulebook.errors import RuleError

# Name, module, what it does. The names are those of the contract with other programs.
COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "explain": ("explain_command", "Say what failed in a log, why, and what to do."),
    "scan": ("scan", "Find the failures in many and huge logs."),
    "run": ("run", "Run a command and explain its output when it fails."),
    "hook": ("hook", "Fail when a log holds a GPU failure (for pre-commit)."),
    "verify": ("verify", "Rerun the minimal reproduction of a failure, with and without the fix."),
    "doctor": ("doctor", "Look at this machine: driver, GPUs, memory, versions."),
    "rules": ("rules", "List, show, test, check, start and document rules."),
    "why-not": ("why_not", "Say why a rule did not fire on a text."),
    "kb": ("kb", "Search and show known cases."),
    "mcp": ("mcp", "Serve explanations to coding agents."),
    "schema": ("schema", "Print the JSON Schema of a report."),
    "completion": ("completion", "Print the completion script of a shell."),
}

_EXAMPLES: Final = """\b
Examples:
  python train.py 2>&1 | triage explain
  triage explain slurm-4711.out --lang zh
  triage scan /var/log/jobs --exit-code
  triage explain issue.md --format markdown > comment.md
  triage run -- torchrun --nproc_per_node=8 train.py
"""


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports the one that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        from importlib import import_module

        command: click.Command = import_module(f"triage.cli.{COMMANDS[cmd_name][0]}").command
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """As click's; who gave a file where a command belongs, or misspelt one, is told what to write."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-") and not ctx.resilient_parsing:
            from triage.facts.spelling import did_you_mean

            remedy = did_you_mean(name, COMMANDS) or "; `triage --help` lists them"
            if os.path.isfile(name):
                remedy = f": to explain a file, write `triage explain {name}`"
            raise click.UsageError(f"no such command '{name}'{remedy}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """As click's, but wrong usage costs the reader one line, and Ctrl-C none."""
        run = super().main
        if not standalone_mode:
            return run(args, prog_name, complete_var, standalone_mode=False, **extra)
        with terminal.ending():
            try:
                status = run(args, prog_name or "triage", complete_var, standalone_mode=False, **extra)
            except click.exceptions.NoArgsIsHelpError as error:
                click.echo(error.ctx.get_help() if error.ctx else error.format_message(), err=True)
                raise SystemExit(2) from None
            except click.ClickException as error:
                raise CommandError(_one_line(error)) from error
            except click.Abort:
                raise KeyboardInterrupt from None
            except RuleError as error:
                click.echo(str(error), err=True)
                raise SystemExit(2) from None
            raise SystemExit(status if isinstance(status, int) else 0)


def _one_line(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    where = context.command_path if context is not None else "triage"
    remedy = f" `{where} --help` says what it takes." if isinstance(error, click.MissingParameter) else ""
    return f"{where}: {' '.join(error.format_message().split())}{remedy}"


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        import triage

        click.echo(f"triage {triage.__version__}")
        ctx.exit()


@click.command("triage", cls=LazyGroup, epilog=_EXAMPLES, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version and exit.")
def program() -> None:
    """Explain GPU errors: a traceback or log goes in, root cause and fixes come out."""
