"""Options declared once, for click and for the way round it.

Importing click takes half the time of a whole `triage explain`, so the common command lines are read here, without it. Whatever is
unusual (help, a mistake, an abbreviation the shell may expand) is left to click: `parse` then answers None. A test holds both
readings against each other.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Literal, TypeAlias

    import click

    Kind: TypeAlias = Literal["flag", "choice", "text", "list"]

# What click expands on Windows, where the shell does not.
_EXPANDED = frozenset("*?[~$%")


class Option:
    """An option that may stand anywhere among the files: a flag, one of several choices, a text, or a text that may be repeated."""

    __slots__ = ("choices", "default", "dest", "help", "kind", "metavar", "names")

    def __init__(
        self,
        dest: str,
        *names: str,
        kind: Kind = "flag",
        choices: tuple[str, ...] = (),
        default: str | None = None,
        metavar: str = "",
        help: str,
    ) -> None:
        self.dest, self.names, self.kind = dest, names, kind
        self.choices, self.default, self.metavar, self.help = choices, default, metavar, help

    @property
    def initial(self) -> bool | str | tuple[str, ...] | None:
        """The value where the option is not given."""
        return False if self.kind == "flag" else () if self.kind == "list" else self.default


def parse(options: Sequence[Option], arguments: Sequence[str]) -> dict[str, Any] | None:
    """The values of all options by `dest`, and what else there is as `files`; None where click should read the line."""
    if sys.platform == "win32" and any(_EXPANDED.intersection(argument) for argument in arguments):
        return None
    named = {name: option for option in options for name in option.names}
    values: dict[str, Any] = {option.dest: option.initial for option in options}
    files: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        if argument == "--":
            files.extend(rest)
        elif argument == "-" or not argument.startswith("-"):
            files.append(argument)
        else:
            name, equals, value = argument.partition("=")
            option = named.get(name)
            if option is None or (equals and (option.kind == "flag" or not name.startswith("--"))):
                return None
            if option.kind != "flag" and not equals:
                following = next(rest, None)
                if following is None:
                    return None
                value = following
            if not _set(values, option, value):
                return None
    return {**values, "files": tuple(files)}


def _set(values: dict[str, Any], option: Option, value: str) -> bool:
    """Whether the value is one that the option takes."""
    if option.kind == "flag":
        values[option.dest] = True
    elif option.kind == "list":
        values[option.dest] = (*values[option.dest], value)
    elif option.kind == "choice" and value not in option.choices:
        return False
    else:
        values[option.dest] = value
    return True


def click_command(name: str, options: Sequence[Option], run: Callable[..., int]) -> click.Command:
    """The same options as a click command over `[FILE]...`; its help is the docstring of `run`, its status what `run` returns."""
    import click

    def callback(**values: Any) -> None:
        click.get_current_context().exit(run(**values))

    parameters: list[click.Parameter] = [click.Argument(["files"], nargs=-1, metavar="[FILE]...")]
    for option in options:
        parameters.append(
            click.Option(
                [option.dest, *option.names],
                is_flag=option.kind == "flag",
                multiple=option.kind == "list",
                type=click.Choice(option.choices) if option.kind == "choice" else None,
                default=option.initial,
                metavar=option.metavar or None,
                help=option.help,
            )
        )
    return click.Command(name, params=parameters, callback=callback, help=run.__doc__)
