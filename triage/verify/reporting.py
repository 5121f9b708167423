"""Verdicts for readers: text for the terminal, programs to rerun by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from triage.render.escape import visible
from triage.verify.allocator_trace import Replay, Trace
from triage.verify.bundle import program
from triage.verify.catalog import catalog, module_of
from triage.verify.verdict import PHRASES


def verdict_lines(verdict: Mapping[str, Any]) -> list[str]:
    """A verdict in a few lines. What came from a program's output is escaped."""
    mark = {"confirmed": "✓", "refuted": "✗"}.get(verdict["verdict"], "–")
    where = f" on {verdict['backend']}" if verdict["backend"] else ""
    lines = [f"{mark} {verdict['verdict']:<14} {verdict['id']} · {verdict['fix']}{where}"]
    lines.append(f"    {visible(verdict['reason'])}")
    if not verdict["advised"] and verdict["verdict"] == "refuted":
        lines.append("    as expected: this is the advice that reports call useless here")
    times = [f"{name} {arm['seconds']:.1f} s and {arm['peak_rss_bytes'] >> 20} MiB" for name, arm in verdict["arms"].items() if arm]
    if times:
        lines.append(f"    {', '.join(times)}; {_environment(verdict['environment'])}")
    if verdict["parameters_from_report"]:
        lines.append(f"    from the report: {', '.join(verdict['parameters_from_report'])}")
    lines += [f"    note: {visible(limit)}" for limit in verdict["limits"]]
    return lines


def _environment(environment: Mapping[str, Any]) -> str:
    versions = environment.get("versions", {})
    after = environment.get("versions_with_fix", {})
    parts = [
        f"{name} {versions[name]}" + (f" against {after[name]}" if after.get(name, versions[name]) != versions[name] else "")
        for name in ("torch", "cuda", "hip", "transformers")
        if name in versions
    ]
    parts += [str(environment[name]) for name in ("gpu_name",) if environment.get(name)]
    parts += [f"driver {environment['driver']}"] if environment.get("driver") else []
    return visible(", ".join(parts)) or "no package needed"


def summary_line(verdicts: Iterable[Mapping[str, Any]]) -> str:
    """How many of each verdict."""
    counts = Counter(str(verdict["verdict"]) for verdict in verdicts)
    if not counts:
        return "nothing to verify: none of these fixes has a reproduction; `triage verify --list` names all there are"
    return ", ".join(f"{counts[name]} {name}" for name in PHRASES if counts[name])


def list_lines(entries: Iterable[Mapping[str, Any]]) -> list[str]:
    """What `--list` shows: id, backends, fixes."""
    lines = []
    for entry in entries:
        lines.append(f"{entry['id']:<52} {', '.join(entry['backends'])}")
        lines.append(f"    {entry['title']}")
        lines.append(f"    fixes: {', '.join(entry['fixes'])}")
    return lines


def trace_notes(trace: Trace, as_recorded: Replay, capacity: int) -> list[str]:
    """What a reader must know of a replay: whose it is, on how much memory, and what flatters it.

    Args:
        as_recorded: how it went on the model under its own setting.
        capacity: as named by the user, bytes; 0 where it was not.
    """
    notes = [f"device {trace.device}: {sum(event.action != 'free' for event in trace.events)} requests"]
    if not capacity and trace.capacity:
        notes.append(f"on {trace.capacity / 2**30:.2f} GiB, what the process held and what was free when a request was refused")
    if trace.unknown_settings:
        notes.append(f"the setting it was recorded under is not known to the model and left out: {visible(trace.unknown_settings)}")
    if not trace.complete:
        notes.append("the recording starts with blocks already live; they are packed together first, which flatters the outcome")
    if as_recorded.served and any(event.action == "oom" for event in trace.events):
        notes.append("the model serves what was refused there, under the same setting: that other settings serve it shows nothing")
    return notes


def replay_lines(replays: Iterable[Replay]) -> list[str]:
    """The answer to "would this setting have let the request through?", a setting a line."""
    lines = [f"{'setting':<36} {'served':<7} {'peak reserved':>14} {'peak allocated':>15}"]
    for replay in replays:
        served = "yes" if replay.served else f"no, {replay.failed_size / 2**20:.0f} MiB at request {replay.failed_at}"
        sizes = f"{replay.peak_reserved / 2**30:>10.2f} GiB {replay.peak_allocated / 2**30:>11.2f} GiB"
        lines.append(f"{visible(replay.setting) or '(defaults)':<36} {served:<7} {sizes}")
    return lines


def export(verdicts: Iterable[Mapping[str, Any]], folder: Path) -> list[Path]:
    """Writes the program of each reproduction that was tried, with its parameters built in.

    Returns the files, one for each reproduction and backend. Raises OSError where the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written: dict[Path, None] = {}
    for verdict in verdicts:
        if not verdict["parameters"]:
            continue
        reproduction = catalog()[verdict["reproduction"]]
        path = folder / f"{verdict['reproduction']}.{verdict['backend']}.py"
        path.write_text(program(reproduction, module_of(reproduction), dict(verdict["parameters"])), encoding="utf-8")
        written[path] = None
    return list(written)
