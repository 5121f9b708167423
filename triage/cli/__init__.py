"""The command line. One module a command, imported only when it is called; no logic.

Exit status: 0, or what the command documents; 2 for wrong usage and unreadable input, with one line that says why; 130
when interrupted. A closed pipe is silent.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, Final

import click

# Name, module, what it does. The names are those of the contract with other programs.
COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "explain": ("explain", "Say what failed in a log, why, and what to do."),
    "run": ("run", "Run a command and explain its output when it fails."),
    "hook": ("hook", "Fail when a log holds a GPU failure (for pre-commit)."),
    "verify": ("verify", "Rerun the minimal reproduction of a failure, with and without the fix."),
    "doctor": ("doctor", "Look at this machine: driver, GPUs, memory, versions."),
    "rules": ("rules", "List, show, test, check, start and document rules."),
    "why-not": ("why_not", "Say why a rule did not fire on a text."),
    "kb": ("kb", "Search and show known cases."),
    "schema": ("schema", "Print the JSON Schema of a report."),
    "completion": ("completion", "Print the completion script of a shell."),
}

_EXAMPLES: Final = """\b
Examples:
  python train.py 2>&1 | triage explain
  triage explain slurm-4711.out --lang zh
  triage explain issue.md --format markdown > comment.md
  triage run -- torchrun --nproc_per_node=8 train.py
"""
_INTERRUPTED: Final = 130


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

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """As click's, but wrong usage costs the reader one line, and a closed pipe or Ctrl-C none."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, False, windows_expand_args, **extra)
        try:
            status = super().main(args, prog_name or "triage", complete_var, False, windows_expand_args, **extra)
            _flush()
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.ctx.get_help(), err=True)  # type: ignore[union-attr]
            status = 2
        except click.ClickException as error:
            status = _complain(error)
        except (click.Abort, KeyboardInterrupt):
            status = _INTERRUPTED
        except BrokenPipeError:
            _flush()
            status = 0
        sys.exit(status if isinstance(status, int) else 0)


def _complain(error: click.ClickException) -> int:
    """One line on standard error; wrong usage and files that cannot be read are status 2."""
    from triage.render.escape import visible

    context = getattr(error, "ctx", None)
    where = context.command_path if context is not None else "triage"
    message = " ".join(error.format_message().split())
    click.echo(visible(f"{where}: {message}"), err=True)
    return 2 if isinstance(error, (click.UsageError, click.FileError)) else error.exit_code


def _flush() -> None:
    from triage.cli.terminal import write

    write("", sys.stdout)


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        import triage

        click.echo(f"triage {triage.__version__}")
        ctx.exit()


@click.command(cls=LazyGroup, epilog=_EXAMPLES, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version and exit.")
def main() -> None:
    """Explain GPU errors: a traceback or log goes in, root cause and fixes come out."""
