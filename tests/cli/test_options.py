"""The reading of options without click agrees with click's."""

from __future__ import annotations

from typing import Any

import click
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from triage.cli import options
from triage.cli.explain import OPTIONS
from triage.cli.options import Option, click_command, parse

WORDS = [
    "--format", "json", "text", "--format=json", "--format=pdf", "--lang", "zh", "--lang=", "--why", "--why=1", "--verbose",
    "-o", "out.txt", "-oout.txt", "-o=x", "--output=a=b", "--output", "--rules", "dir", "--rules=dir2", "--", "-", "a.log", "",
    "--help", "-h", "--nope", "-w", "--exit-code", "--color", "always", "---", "--form",
]  # fmt: skip


def by_click(arguments: list[str]) -> dict[str, Any] | None:
    """What click hands to the function, or None where it does something else."""
    seen: dict[str, Any] = {}

    def run(**values: Any) -> int:
        seen.update(values)
        return 0

    command = click_command("explain", OPTIONS, run)
    try:
        command.main(list(arguments), "explain", standalone_mode=False, windows_expand_args=False)
    except click.ClickException:
        return None
    return seen or None


@given(st.lists(st.sampled_from(WORDS), max_size=7))
@example(["--rules", "a", "x", "--rules=b", "--", "--why"])
@example(["-o", "--why"])
@example(["--format"])
def test_what_is_read_without_click_is_what_click_reads(arguments: list[str]) -> None:
    quick = parse(OPTIONS, arguments)
    if quick is not None:
        assert quick == by_click(arguments)


@pytest.mark.parametrize("line", ["--help", "--nope", "--lang de", "--format", "-o", "--why=1", "-oout", "--form json"])
def test_whatever_is_unusual_is_left_to_click(line: str) -> None:
    assert parse(OPTIONS, line.split()) is None


@pytest.mark.parametrize("line", ["", "a.log", "-", "a --lang zh b", "--format=json -- -x", "--rules a --rules b", "-o x --why"])
def test_common_lines_need_no_click(line: str) -> None:
    assert parse(OPTIONS, line.split()) is not None
    assert parse(OPTIONS, line.split()) == by_click(line.split())


def test_patterns_are_left_to_click_where_the_shell_expands_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(options.sys, "platform", "win32")
    assert parse(OPTIONS, ["*.log"]) is None
    assert parse(OPTIONS, ["a.log"]) is not None


def test_every_option_says_what_it_does() -> None:
    assert all(isinstance(option, Option) and option.help.endswith(".") for option in OPTIONS)
    assert len({name for option in OPTIONS for name in option.names}) == sum(len(option.names) for option in OPTIONS)
