"""`triage completion`: scripts that teach a shell the commands and options."""

from __future__ import annotations

import sys

import click

from triage.render import console


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the completion script of a shell.

    \b
    bash:  triage completion bash >> ~/.bashrc
    zsh:   triage completion zsh >> ~/.zshrc
    fish:  triage completion fish > ~/.config/fish/completions/triage.fish
    """
    from click.shell_completion import get_completion_class

    from triage.cli.group import program

    completer = get_completion_class(shell)
    assert completer is not None
    console.write(completer(program, {}, "triage", "_TRIAGE_COMPLETE").source(), sys.stdout)
