"""`triage scan`: many and huge logs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any

import click

from triage.cli import terminal
from triage.cli.engine import load_engine
from triage.cli.errors import CommandError
from triage.render import console
from triage.render.findings import Summary, line_of
from triage.render.json import escaped_dumps
from triage.render.page import Page
from triage.scan.blocks import BLOCK
from triage.scan.outcome import Outcome
from triage.scan.pools import ENGINES, PoolError
from triage.scan.scanner import Settings, lend, scan
from triage.scan.sources import Source, find_sources

_WORTH_A_PROCESS = 8 << 20  # bytes: a process takes a tenth of a second to start


@click.command("scan")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path())
@click.option("--format", "kind", type=click.Choice(["text", "jsonl"]), default="text", help="What to write; jsonl: an object a finding.")
@click.option("--jobs", "-j", type=click.IntRange(1), metavar="N", help="Processes that read; default: as many as there are CPUs.")
@click.option("--engine", type=click.Choice(ENGINES), default="local", help="Where: on this machine, or on a Ray cluster.")
@click.option("--glob", "only", multiple=True, metavar="PATTERN", help="Of directories, only files that fit; may be given more than once.")
@click.option("--exclude", multiple=True, metavar="PATTERN", help="Of directories, no files that fit; may be given more than once.")
@click.option("--lang", type=click.Choice(["en", "zh"]), help="Language; default: TRIAGE_LANG, then the locale.")
@click.option("--exit-code", is_flag=True, help="Exit with 1 when something was found.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Colours in text.")
@click.option("--rules", "packs", multiple=True, metavar="DIR", help="Use the rules in DIR too; may be given more than once.")
@click.pass_context
def command(
    ctx: click.Context,
    paths: tuple[str, ...],
    kind: str,
    jobs: int | None,
    engine: str,
    only: tuple[str, ...],
    exclude: tuple[str, ...],
    lang: str | None,
    exit_code: bool,
    color: str,
    packs: tuple[str, ...],
) -> None:
    """Find the failures that logs report: a line each, as soon as a log is read, and at the end what failed in how many.

    A PATH is a log, compressed or not, `-` for standard input, or a directory, of which all files are read but hidden ones, binary
    data and source code. Each log is explained by itself; `triage explain FILE...` takes several as those of one job and says
    what to do. Exits with 0, or with 1 under --exit-code when something was found, and with 2 when a log cannot be read.

    \b
    Examples:
      triage scan /var/log/jobs
      triage scan logs --glob '*.out' --glob '*.log.gz' --exit-code
      triage scan logs --format jsonl | jq -r 'select(.family == "memory.gpu-oom") | .path'
    """
    loaded = load_engine(packs)  # complains once, and leaves compiled rules for all processes
    sources = list(find_sources(paths, only, exclude))
    width = _jobs(jobs, sources, engine)
    page = Page(console.language(lang), console.columns(sys.stdout), console.colored(color, sys.stdout), False)
    here = os.getcwd()
    settings = Settings(page.lang, tuple(map(os.path.abspath, packs)), here, here)
    lend(loaded, settings)
    outcomes = scan(sources, settings, engine=engine, jobs=width, progress=terminal.tell_progress)
    summary = Summary()
    with closing(outcomes):
        try:
            for outcome in _told(outcomes, len(sources), summary):
                for finding in outcome.findings if kind == "jsonl" else outcome.roots:
                    if not _write(finding, kind, page):
                        ctx.exit(0)  # who reads through a pipe that closed wants no more
        except PoolError as error:
            raise CommandError(f"triage scan: {error}") from error
    if kind == "text":
        console.write(("\n" if summary.found else "") + summary.text(page), sys.stdout)
    ctx.exit(2 if summary.unreadable else 1 if exit_code and summary.found else 0)


def _write(finding: Mapping[str, Any], kind: str, page: Page) -> bool:
    """Whether somebody reads on."""
    if kind == "jsonl":
        return console.write(escaped_dumps(finding, None), sys.stdout, "utf-8")
    return console.write(line_of(finding, page), sys.stdout)


def _jobs(wanted: int | None, sources: Sequence[Source], engine: str) -> int:
    """How many processes read: no more than there are logs, or blocks of large ones, nor, unless asked for, than their sizes are worth."""
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if engine != "local":
        return wanted or available
    worth = 1 + sum(source.size for source in sources) // _WORTH_A_PROCESS
    return max(min(wanted or min(available, worth), sum(1 + source.size // BLOCK for source in sources)), 1)


def _told(outcomes: Iterator[Outcome], total: int, summary: Summary) -> Iterator[Outcome]:
    """The outcomes, added to the summary; what could not be read, and how far it is, goes to standard error."""
    for number, outcome in enumerate(outcomes, 1):
        if outcome.problem:
            summary.unreadable += 1
            terminal.complain(f"triage scan: {outcome.path}: {outcome.problem}")
        elif outcome.skipped:
            summary.passed_over += 1
        else:
            summary.add(outcome.size, outcome.lines, outcome.roots)
        for note in outcome.notes:
            terminal.complain(f"triage scan: {outcome.path}: {note}")
        terminal.tell_progress("")
        yield outcome
        terminal.tell_progress(f"{number} of {total} files")
    terminal.tell_progress("")
