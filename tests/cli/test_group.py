"""The frame of the command line: help, version, completion, and every command behind its name."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest
from cli_support import environment, triage
from click.testing import CliRunner

import triage as package
from triage.cli.group import COMMANDS, program


def test_version() -> None:
    result = triage("--version")
    assert result.stdout.decode() == f"triage {package.__version__}\n"
    assert result.returncode == 0


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_names_every_command_with_examples_and_imports_none(flag: str) -> None:
    code = f"import sys; sys.argv = ['triage', '{flag}']\nfrom triage.cli import main\ntry: main()\nexcept SystemExit: print(*sys.modules)"
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment(), timeout=60, check=True).stdout.decode()
    for name, (_, text) in COMMANDS.items():
        assert f"  {name}" in output
        assert text.split()[0] in output
    assert "python train.py 2>&1 | triage explain" in output
    loaded = set(output.splitlines()[-1].split())
    assert not {f"triage.cli.{module}" for module, _ in COMMANDS.values()} & loaded


def test_without_a_command_it_helps_and_fails() -> None:
    result = triage()
    assert result.returncode == 2
    assert result.stdout == b""
    assert b"Examples:" in result.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_there_and_says_what_it_does(name: str) -> None:
    module, text = COMMANDS[name]
    command = import_module(f"triage.cli.{module}").command
    assert isinstance(command, click.Command)
    assert command.name == name
    assert command.help
    assert text.endswith(".")
    result = CliRunner().invoke(program, [name, "--help"])
    assert result.exit_code == 0
    assert result.output.startswith(f"Usage: triage {name} ")


def test_statuses_of_click_itself() -> None:
    runner = CliRunner()
    assert runner.invoke(program, ["explain", "--help"]).exit_code == 0
    assert runner.invoke(program, ["nothing"]).exit_code == 2
    result = runner.invoke(program, ["explain", "--format", "pdf"])
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(shell: str) -> None:
    result = triage("completion", shell)
    assert result.returncode == 0, result.stderr
    assert b"_TRIAGE_COMPLETE" in result.stdout


def test_completion_answers() -> None:
    asked = {"_TRIAGE_COMPLETE": "bash_complete", "COMP_CWORD": "1"}
    assert triage(COMP_WORDS="triage ex", **asked).stdout.decode() == "plain,explain\n"
    asked["COMP_CWORD"] = "3"
    assert triage("explain", COMP_WORDS="triage explain --format ma", **asked).stdout.decode() == "plain,markdown\n"


def test_a_wrong_rule_is_told_by_its_place_alone(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yaml"
    signature = "{id: a, text: 'it went %{NOPE:gpu} wrong'}"
    wrong.write_text(f"failure: memory.gpu-oom\ntitle: {{en: a, zh: a}}\nsignatures:\n  - {signature}\n", encoding="utf-8")
    result = triage("rules", "test", tmp_path)
    assert result.returncode == 2
    assert result.stderr.decode().startswith(f"{wrong}:4:")
    assert b"Traceback" not in result.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_shows_how_it_is_called(name: str) -> None:
    output = CliRunner().invoke(program, [name, "--help"]).output
    assert "Example" in output or name == "completion"
    assert f"triage {name} " in output.partition("\n")[2]


@pytest.mark.parametrize(
    ("arguments", "remedy"),
    [
        (["explian", "train.log"], "no such command 'explian': did you mean explain?"),
        (["zzz"], "`triage --help` lists them"),
        ([__file__], f"write `triage explain {__file__}`"),
        (["why-not"], "`triage why-not --help` says what it takes"),
        (["why-not", "memory.gpu-oom.fragmentatio"], "did you mean memory.gpu-oom.fragmentation?"),
        (["why-not", "memory.gpu-oom"], "`triage rules list --family memory.gpu-oom`"),
        (["why-not", "zzz"], "`triage rules list` names them"),
        (["rules", "show", "memory.gpu-om"], "did you mean memory.gpu-oom?"),
        (["rules", "show", "zzz"], "`triage rules list` names them"),
        (["kb", "show", "easyedit-memit-om"], "did you mean easyedit-memit-oom?"),
        (["verify", "memory.gpu-om"], "did you mean memory.gpu-oom?"),
    ],
)
def test_wrong_usage_costs_one_line_that_says_what_to_write(arguments: list[str], remedy: str) -> None:
    result = CliRunner().invoke(program, arguments)
    assert result.exit_code == 2
    assert remedy in result.stderr
    assert result.stderr.count("\n") == 1
