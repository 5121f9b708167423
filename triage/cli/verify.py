"""`triage verify`: reruns failures, with and without their fixes."""

from __future__ import annotations

import json
import sys
from datetime import UTC
from pathlib import Path
from typing import Any

import click

from triage.cli import terminal
from triage.cli.errors import CommandError
from triage.render import console


@click.command("verify", short_help="Rerun the minimal reproduction of a failure, with and without the fix.")
@click.argument("target", required=False)
@click.option("--list", "listing", is_flag=True, help="List what can be verified, with which backends.")
@click.option("--fix", "fixes", multiple=True, metavar="ID", help="Try this fix only; may be given several times.")
@click.option(
    "--backend",
    type=click.Choice(["auto", "cuda", "fake", "cpu", "model"]),
    default="auto",
    help="Where to run; default: the strongest here.",
)
@click.option("--format", "kind", type=click.Choice(["text", "json"]), default="text", help="How to show verdicts.")
@click.option("--export", "folder", type=click.Path(file_okay=False, path_type=Path), help="Write the programs to this folder.")
@click.option("--evidence", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", help="Write logs and verdicts to this folder.")
@click.option("--torch", "releases", metavar="A,B", help="Build throw-away environments with these releases of torch and compare.")
@click.option("--with", "pins", multiple=True, metavar="NAME==VERSION", help="Run in a throw-away environment with this release.")
@click.option("--timeout", type=click.FloatRange(min=1), metavar="SECONDS", help="Limit of one run.")
@click.option("--gpu", type=click.IntRange(min=0), help="Use this GPU, also when others use it; for a snapshot: the device to look at.")
@click.option(
    "--resume", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Keep verdicts in FILE and skip those it has."
)
@click.option("--setting", "settings", multiple=True, help="For a snapshot: try this PYTORCH_CUDA_ALLOC_CONF.")
@click.option("--capacity", metavar="SIZE", default="", help="For a snapshot: memory of the card, such as 24GiB.")
@click.pass_context
def verify(context: click.Context, /, target: str | None, listing: bool, kind: str, **options: Any) -> None:
    """Rerun what TARGET reports: see it fail, apply the fix, see it pass.

    TARGET is a JSON report of `triage explain` (a file or -), the id of a diagnosis or family (see --list), `all`, or
    a snapshot of torch.cuda.memory (a .pickle file), which is replayed under other allocator settings. Times and memory
    of both runs are those of their processes on the host.

    Exits with 0, with 1 when a fix that was advised is refuted, and with 2 for wrong usage.

    \b
    Examples:
      triage verify --list
      triage verify memory.gpu-oom.fragmentation --fix allocator-config
      triage explain train.log --format json | triage verify -
      triage verify snapshot.pickle --capacity 24GiB --setting expandable_segments:True
    """
    from triage.rulebook.errors import RuleError
    from triage.verify.allocator_settings import SettingsError
    from triage.verify.allocator_trace import TraceError
    from triage.verify.backends import Unavailable
    from triage.verify.campaign import UnknownTarget

    try:
        if listing:
            _list(kind)
        elif target is None:
            raise CommandError("triage verify: name a report, a snapshot or a diagnosis, or use --list")
        else:
            context.exit(_verify(target, kind, **options))
    except (UnknownTarget, TraceError, SettingsError) as error:
        raise CommandError(f"triage verify: {error.args[0]}") from error
    except RuleError as error:
        raise CommandError(f"triage: {error.problems[0]}") from error
    except Unavailable as error:
        raise CommandError(f"triage verify: needs {error}") from error
    except OSError as error:
        raise CommandError(f"triage verify: {target}: {terminal.reason(error)}") from error


command = verify


def _list(kind: str) -> None:
    from triage.verify.campaign import listing
    from triage.verify.reporting import list_lines

    entries = listing()
    text = json.dumps(entries, indent=2, ensure_ascii=False) if kind == "json" else "\n".join(list_lines(entries))
    console.write(text + "\n", sys.stdout)


def _verify(target: str, kind: str, settings: tuple[str, ...], capacity: str, gpu: int | None, **options: Any) -> int:
    from triage.verify.targets import is_snapshot

    if is_snapshot(target):
        return _replay(target, kind, settings, capacity, gpu)
    return _run(target, kind, gpu=gpu, **options)


def _replay(target: str, kind: str, settings: tuple[str, ...], capacity: str, gpu: int | None) -> int:
    from dataclasses import asdict

    from triage.facts.quantities import parse_bytes
    from triage.verify.reporting import replay_lines, trace_notes
    from triage.verify.targets import replays_of

    size = parse_bytes(capacity) if capacity else 0
    if size is None:
        raise CommandError(f"triage verify: --capacity: {capacity} is no size")
    trace, replays = replays_of(target, settings, size, gpu)
    for note in trace_notes(trace, replays[0], size):
        terminal.complain(f"note: {note}")
    text = json.dumps([asdict(replay) for replay in replays], indent=2) if kind == "json" else "\n".join(replay_lines(replays))
    console.write(text + "\n", sys.stdout)
    return 0


def _run(
    target: str,
    kind: str,
    fixes: tuple[str, ...],
    backend: str,
    folder: Path | None,
    evidence: Path | None,
    releases: str | None,
    pins: tuple[str, ...],
    timeout: float | None,
    gpu: int | None,
    resume: Path | None,
) -> int:
    from datetime import datetime

    from triage.verify.evidence import write
    from triage.verify.reporting import export, summary_line, verdict_lines
    from triage.verify.session import Session
    from triage.verify.targets import jobs_of

    jobs = jobs_of(target, fixes)
    session = Session(backend, gpu, timeout, releases.split(",") if releases else [], list(pins), resume, terminal.complain)
    verdicts = []
    try:
        for verdict in session.verdicts(jobs, None if kind == "json" else progress()):
            verdicts.append(verdict)
            if kind == "text":
                console.write("\n".join(verdict_lines(verdict)) + "\n", sys.stdout)
    except KeyboardInterrupt:
        wanted = sum(len(job.fixes) for job in jobs) * max(1, len(session.releases))
        again = f"; --resume {resume} goes on from there" if resume else ""
        terminal.complain(f"triage verify: interrupted with {len(verdicts)} of {wanted} verdicts, all processes ended{again}")
        raise
    finally:  # interrupted or not: what is known is shown
        if kind == "json":
            console.write(json.dumps(verdicts, indent=2, ensure_ascii=False) + "\n", sys.stdout)
        elif verdicts or not jobs:
            console.write(summary_line(verdicts) + "\n", sys.stdout)
    written = export(verdicts, folder) if folder else []
    written += write(verdicts, evidence, datetime.now(UTC).date().isoformat()) if evidence else []
    for path in written:
        terminal.complain(f"wrote {path}")
    return int(any(verdict["verdict"] == "refuted" and verdict["advised"] for verdict in verdicts))


def progress() -> Any:
    """Shows what runs on one line of standard error; None where that is no terminal."""
    if not sys.stderr.isatty():
        return None

    def show(label: str, seconds: float, size: int) -> None:
        sys.stderr.write(f"\r\033[K{label}: {seconds:.0f} s, {size >> 20} MiB" if seconds >= 0 else "\r\033[K")
        sys.stderr.flush()

    return show
