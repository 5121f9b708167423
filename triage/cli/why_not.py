"""`triage why-not`: what kept a rule from firing."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import click

from triage.cli import terminal
from triage.render import console


@click.command("why-not")
@click.argument("rule")
@click.argument("file", default="-")
@click.option("--format", "kind", type=click.Choice(["text", "json"]), default="text", help="What to write.")
@click.option("--lang", type=click.Choice(["en", "zh"]), help="Language; default: TRIAGE_LANG, then the locale.")
@click.option("--assume", multiple=True, metavar="FACT", help="Take this for given: 'setting name=NCCL_DEBUG value=INFO'.")
@click.option("--without", multiple=True, metavar="FACT", help="Leave out what agrees with this: 'option name=device_map'.")
@click.option("--rules", "packs", multiple=True, metavar="DIR", help="Use the rules in DIR too; may be given more than once.")
def command(
    rule: str, file: str, kind: str, lang: str | None, assume: tuple[str, ...], without: tuple[str, ...], packs: tuple[str, ...]
) -> None:
    """Say why RULE (the id of a diagnosis, or one that `triage rules list` names) did not fire on FILE, or on standard input.

    What would be if more were known, or less: --assume and --without take a fact, a template with slots. `triage rules docs` lists them.

    \b
    Examples:
      triage why-not memory.gpu-oom.fragmentation train.log
      triage why-not memory.gpu-oom.fragmentation train.log --assume 'version package=torch version=2.4'
    """
    from triage.cli.engine import load_engine
    from triage.cli.explain import read_log

    engine = load_engine(packs, long_lived=False)
    try:
        report = engine.explain_logs([read_log(engine, file)])
    except OSError as error:
        raise click.UsageError(f"{file}: {terminal.reason(error)}") from error
    try:
        failures = report.why_not(rule, assume=assume, without=without)
    except KeyError:
        raise click.UsageError(_unknown(rule, engine.book.program["names"])) from None
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if kind == "json":
        from triage.render.json import escaped_dumps

        console.write(escaped_dumps(failures), sys.stdout, "utf-8")
        return
    from triage.render.silence import render

    color = console.colored("auto", sys.stdout)
    console.write(render(rule, failures, lang=console.language(lang), width=console.columns(sys.stdout), color=color), sys.stdout)


def _unknown(rule: str, known: Iterable[str]) -> str:
    from triage.facts.spelling import did_you_mean

    if any(name.startswith(f"{rule}.") for name in known):
        return f"{rule} is no rule but a family of them; `triage rules list --family {rule}` names its diagnoses"
    return f"no rule is called {rule}{did_you_mean(rule, known) or '; `triage rules list` names them'}"
