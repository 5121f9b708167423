"""`triage explain`: a log in, an explanation out."""

from __future__ import annotations

import sys

from triage.cli import terminal
from triage.cli.engine import load_engine
from triage.cli.errors import CommandError
from triage.cli.options import Option
from triage.render import console

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import IO, Any

    from triage.facts.observation import Observation
    from triage.pipeline import Triage
    from triage.reading import Log
    from triage.report import Report

OPTIONS = (
    Option("kind", "--format", kind="choice", choices=("text", "json", "markdown", "sarif", "html"), default="text", help="What to write."),
    Option("lang", "--lang", kind="choice", choices=("en", "zh"), help="Language; default: TRIAGE_LANG, then the locale."),
    Option("each", "--each", help="Explain each FILE by itself, not as the logs of one job."),
    Option("why", "--why", help="Show the chain of reasoning down to the raw lines."),
    Option("verbose", "--verbose", help="Show everything that was read from the text."),
    Option("exit_code", "--exit-code", help="Exit with 1 when something was diagnosed."),
    Option("color", "--color", kind="choice", choices=("auto", "always", "never"), default="auto", help="Colours in text."),
    Option("output", "-o", "--output", kind="text", metavar="FILE", help="Write to FILE instead of standard output."),
    Option("verify", "--verify", help="Try the fixes on this machine where that is possible (needs torch; may take minutes)."),
    Option("verdicts", "--verdicts", kind="text", metavar="FILE", help="Reason with the verdicts that `triage verify` wrote to FILE too."),
    Option("live", "--live", help="Reason with facts of this machine too: driver, GPUs, memory holders, versions."),
    Option("packs", "--rules", kind="list", metavar="DIR", help="Use the rules in DIR too; may be given more than once."),
)


def explain(
    files: Sequence[str],
    kind: str = "text",
    lang: str | None = None,
    each: bool = False,
    why: bool = False,
    verbose: bool = False,
    exit_code: bool = False,
    color: str = "auto",
    output: str | None = None,
    verify: bool = False,
    verdicts: str | None = None,
    live: bool = False,
    packs: Sequence[str] = (),
) -> int:
    """Say what failed in a log or traceback, why, and what to do.

    Reads standard input when no FILE is given, or where FILE is `-`. Several files are taken as the logs of one job, its ranks' or the
    kernel's, and explained together; --each explains each by itself. Exits with 0, or with 1 under --exit-code when something was
    diagnosed, and with 2 when an input cannot be read.

    \b
    Examples:
      python train.py 2>&1 | triage explain
      triage explain slurm-4711.out --why
      triage explain logs/rank*.log dmesg.txt
      triage explain issue.md --format markdown -o comment.md
    """
    engine = load_engine(packs, long_lived=False)
    known = _kept(verdicts) if verdicts else []
    target = _open(output)
    stream = target or sys.stdout
    reports: list[dict[str, Any]] = []
    unreadable = False
    named = each and len(files) > 1
    for names in [[name] for name in files or ("-",)] if each or len(files) < 2 else [list(files)]:
        logs = _readable(engine, names)
        unreadable = unreadable or len(logs) < len(names)
        if not logs:
            continue
        found = engine.explain_logs(logs)
        if known or live or verify:
            found = _reconsidered(engine, found, known, live, verify)
        report = _explained(found, names, console.language(lang), why, verbose)
        for note in report.get("notes", ()):
            terminal.complain(f"triage explain: {', '.join(names)}: {note}")
        reports.append(report)
        if kind == "text":
            _show(report, stream, named, color, why, verbose)
    if kind != "text" and reports:
        _write_document(reports, kind, stream, named)
    if target is not None:
        target.close()
    return 2 if unreadable else 1 if exit_code and any(report["diagnoses"] for report in reports) else 0


def read_log(engine: Triage, name: str) -> Log:
    """The log in a file, compressed or not, or on standard input where the name is `-`. Raises OSError where it cannot be read."""
    if name != "-":
        with open(name, "rb") as file:
            return _read(engine, file, name)
    if sys.stdin is None:
        raise OSError("standard input is closed")
    if sys.stdin.isatty():
        terminal.complain("triage: reading standard input; paste a log, then press Ctrl-D (on Windows Ctrl-Z and Enter)")
    return _read(engine, sys.stdin.buffer, name)


def _read(engine: Triage, file: IO[bytes], name: str) -> Log:
    from triage.reading.compressed import Unpacked, unpacked

    text = unpacked(terminal.watched(file, name))
    log = engine.read(text, name)
    if isinstance(text, Unpacked) and text.damage:
        terminal.complain(f"triage: {name}: {text.damage}; what could be unpacked was read")
    return log


def _readable(engine: Triage, names: Sequence[str]) -> list[Log]:
    """The logs that can be read; of the others it is told why not."""
    logs = []
    for name in names:
        try:
            logs.append(read_log(engine, name))
        except OSError as error:
            terminal.complain(f"triage explain: {name}: {terminal.reason(error)}")
    return logs


def _open(output: str | None) -> IO[str] | None:
    if output is None:
        return None
    try:
        return open(output, "w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise CommandError(f"triage explain: {output}: {terminal.reason(error)}") from error


def _explained(report: Report, names: Sequence[str], lang: str, why: bool, verbose: bool) -> dict[str, Any]:
    """The report in one language, with its proof trees where they are asked for."""
    data = report.to_dict(lang, verbose=verbose)
    if len(names) == 1 and names[0] != "-":
        data["input"]["name"] = names[0]
    if why:
        for diagnosis, proof, advice in zip(data["diagnoses"], report.why(lang), report.why_advice(lang), strict=True):
            diagnosis["proof"] = [proof, *advice]
    return data


def _kept(path: str) -> list[Observation]:
    """The facts in a file of verdicts. Raises CommandError where there are none."""
    from triage.integrations.verdicts import UnavailableError, kept

    try:
        return kept(path)
    except UnavailableError as error:
        raise CommandError(f"triage explain: {error}") from error
    except OSError as error:
        raise CommandError(f"triage explain: {path}: {terminal.reason(error)}") from error


def _reconsidered(engine: Triage, report: Report, known: list[Observation], live: bool, verify: bool) -> Report:
    """The report with further facts: verdicts that are known, this machine, and what comes of trying the fixes on it.

    That nothing can be tried here is told, and no reason to fail.
    """
    extra = list(known)
    if live:
        from triage.live import observe

        extra += observe(report.to_dict()["environment"]["versions"])
    if extra:
        report = engine.reconsider(report, extra)
    if not verify:
        return report
    from triage.cli.verify import progress
    from triage.integrations.verdicts import UnavailableError, tried

    try:
        found = tried(report.to_dict(), progress())
    except UnavailableError as error:
        terminal.complain(f"triage explain: {error}")
        return report
    if not found and report.diagnoses:
        terminal.complain("triage explain: none of these fixes has a reproduction to try; `triage verify --list` names all there are")
    return engine.reconsider(report, [*extra, *found]) if found else report


def _show(report: dict[str, Any], stream: IO[str] | None, named: bool, color: str, why: bool, verbose: bool) -> None:
    if named:
        from triage.render.escape import visible

        console.write(f"== {visible(report['input'].get('name', '-'))} ==\n\n", stream)
    console.show(report, stream, color=color, why=why, verbose=verbose)
    if named:
        console.write("\n", stream)


def _write_document(reports: list[dict[str, Any]], kind: str, stream: IO[str] | None, several: bool) -> None:
    """Documents are UTF-8 wherever they go: a file's reader does not know this terminal's encoding."""
    import triage
    from triage.render.formats import document

    console.write(document(reports, kind, triage.__version__, several), stream, "utf-8")
