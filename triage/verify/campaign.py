"""Plans and carries out verification: which reproductions and fixes, on which backend, and what follows from the runs."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from triage.facts.observation import Observation
from triage.facts.spelling import did_you_mean
from triage.verify import runner
from triage.verify.backends import ALL, Machine, Unavailable
from triage.verify.backends.base import Setup, described, release
from triage.verify.bundle import program
from triage.verify.catalog import catalog, find, module_of
from triage.verify.reproduction import BACKENDS, Facts, Fix, Reproduction
from triage.verify.verdict import CONFIRMED, NOT_POSSIBLE, NOT_REPRODUCED, PARTLY, REFUTED, WEAKER, Arm, Verdict


@dataclass(frozen=True)
class Job:
    """One reproduction for one diagnosis with the fixes to try; `id` is the diagnosis' where there is one."""

    id: str
    reproduction: Reproduction
    fixes: tuple[str, ...]
    facts: Facts = field(default_factory=Facts)


CUDA_HOST_BYTES = 8 << 30
"""Host memory that drivers and CUDA libraries map besides what an arm uses."""

Progress = Callable[[str, float, int], None]
"""Called while an arm runs: what runs, seconds so far, bytes of host memory."""


class UnknownTarget(LookupError):  # noqa: N818 - wrong usage, told to the user as it is
    """No reproduction is called so, or has such a fix."""


# planning


def jobs_of_report(report: Mapping[str, Any], fixes: Iterable[str] = ()) -> list[Job]:
    """What can be verified of a JSON report: for each diagnosis with a reproduction, its fixes in the report's order.

    Fixes and useless advice that the report does not name are not tried, unless named in `fixes`.
    """
    wanted = tuple(fixes)
    jobs = []
    environment = report.get("environment")
    for diagnosis in _entries(report.get("diagnoses")):
        facts = Facts(diagnosis, environment if isinstance(environment, Mapping) else None)
        reproduction = find(facts)
        if reproduction is None:
            continue
        named = [str(entry.get("id")) for key in ("fixes", "will_not_help") for entry in _entries(diagnosis.get(key))]
        chosen = tuple(fix for fix in dict.fromkeys(named) if fix in reproduction.fixes and (not wanted or fix in wanted))
        chosen += tuple(fix for fix in wanted if fix in reproduction.fixes and fix not in chosen)
        if chosen:
            jobs.append(Job(facts.id or reproduction.id, reproduction, chosen, facts))
    return jobs


def _entries(value: Any) -> list[Mapping[str, Any]]:
    return [entry for entry in value if isinstance(entry, Mapping)] if isinstance(value, list) else []


def jobs_of_name(name: str, fixes: Iterable[str] = ()) -> list[Job]:
    """A reproduction by its id or that of a diagnosis it shows, all of a family, or all there are.

    Raises:
        UnknownTarget: there is none, or none with one of the fixes.
    """
    chosen = [one for one in catalog().values() if name in ("all", one.id, one.family, *one.diagnoses)]
    if not chosen:
        known = {other for one in catalog().values() for other in (one.id, one.family, *one.diagnoses)}
        raise UnknownTarget(f"no reproduction is called {name!r}{did_you_mean(name, known) or '; `triage verify --list` names all'}")
    wanted = tuple(fixes)
    jobs = [Job(one.id, one, tuple(fix for fix in one.fixes if not wanted or fix in wanted)) for one in chosen]
    jobs = [job for job in jobs if job.fixes]
    if not jobs:
        has = sorted({fix for one in chosen for fix in one.fixes})
        raise UnknownTarget(f"{name} has no fix {', '.join(wanted)}; it has {', '.join(has)}")
    return jobs


# carrying out


@dataclass
class Campaign:
    """Runs jobs on a machine.

    Attributes:
        backend: one of `reproduction.BACKENDS`, or "auto" for the strongest that is here.
        timeout_s: limit of one arm; None takes the reproduction's.
        done: verdicts of an earlier run by key; they are not run again.
        releases: interpreters with other releases of a package, oldest first. All fixes are tried under each of them; a
            fix that is a release fails under the first and should pass under the last, or the other way round where the
            older one is the fix.
    """

    machine: Machine
    backend: str = "auto"
    timeout_s: float | None = None
    progress: Progress | None = None
    done: dict[str, dict[str, Any]] = field(default_factory=dict)
    releases: tuple[Machine, ...] = ()
    _failed_under: dict[str, str] = field(default_factory=dict, init=False)  # release of torch under which a job was seen to fail

    def verdicts(self, jobs: Iterable[Job]) -> Iterator[dict[str, Any]]:
        """The verdict on each fix as JSON, as soon as it is known."""
        for job in jobs:
            for machine in self.releases or (self.machine,):
                yield from self._job(job, machine)

    def _job(self, job: Job, machine: Machine) -> Iterator[dict[str, Any]]:
        values, given = job.reproduction.bind(job.facts)
        reported: dict[str, Arm] = {}
        for name in job.fixes:
            fix = job.reproduction.fixes[name]
            if fix.package and self.releases and machine is not self._ends(fix)[0]:
                continue  # tried once, under both
            verdict = Verdict(job.id, job.reproduction.id, job.reproduction.family, job.reproduction.cause, name, "", "")
            verdict.advised, verdict.from_report = fix.advised, given
            try:
                yield self._verdict(job, verdict, machine, values, reported)
            except Unavailable as missing:
                gone = _gone(job.reproduction, machine.versions)
                verdict.verdict, verdict.reason = NOT_POSSIBLE, f"needs {missing}" + (f"; besides, it is {gone}" if gone else "")
                verdict.environment = described(machine)
                verdict.key = _key(job, verdict)
                yield verdict.to_dict()

    def _verdict(self, job: Job, verdict: Verdict, machine: Machine, values: dict[str, Any], reported: dict[str, Arm]) -> dict[str, Any]:
        """Runs what is not known yet. `reported` keeps the arm without a fix, by backend."""
        fix = job.reproduction.fixes[verdict.fix]
        alone = f"two releases to compare: --{fix.package} OLD,NEW" if fix.package and len(self.releases) < 2 else ""
        try:
            backend, setup = self._setup(machine, job.reproduction, fix, values)
        except Unavailable as missing:
            raise Unavailable(f"{alone}; {missing}" if alone else str(missing)) from None
        if alone:
            raise Unavailable(alone)
        verdict.backend = backend
        verdict.limits, verdict.environment, verdict.parameters = setup.limits, setup.environment, setup.parameters
        verdict.emulation = setup.emulation
        other = self._ends(fix)[1] if fix.package else machine
        if fix.package:
            verdict.environment = {**setup.environment, "versions_with_fix": other.versions}
        verdict.key = _key(job, verdict)
        if verdict.key in self.done:
            return self.done[verdict.key]  # one of what could not be tried is none of these: it has no backend
        text = program(job.reproduction, module_of(job.reproduction), setup.parameters)
        if verdict.backend not in reported:
            reported[verdict.backend] = self._arm(machine, job.reproduction, text, None, setup)
        verdict.reported = reported[verdict.backend]
        if failed_as_reported(job.reproduction, verdict.reported):
            self._failed_under.setdefault(job.id, machine.versions.get("torch", ""))
            verdict.fixed = self._arm(other, job.reproduction, text, None if fix.package else verdict.fix, setup)
        judge(job, verdict, machine.versions)
        if verdict.reported.outcome == "passed" and self._failed_under.get(job.id):
            verdict.reason += f"; it fails under torch {self._failed_under[job.id]}"
        return verdict.to_dict()

    def _ends(self, fix: Fix) -> tuple[Machine, Machine]:
        """The interpreter under which a fix that is a release should fail, and the one under which it should pass."""
        ends = self.releases[0], self.releases[-1]
        return ends[::-1] if fix.older else ends

    def _setup(self, machine: Machine, reproduction: Reproduction, fix: Fix, values: dict[str, Any]) -> tuple[str, Setup]:
        """The strongest backend that is here and can show the fix."""
        possible = [name for name in reproduction.backends if not fix.backends or name in fix.backends]
        wanted = possible if self.backend == "auto" else [name for name in possible if name == self.backend]
        if not wanted:
            raise Unavailable(f"backend {' or '.join(possible)} for this fix")
        reasons = []
        for name in wanted:
            try:
                setup = ALL[name].prepare(machine, reproduction, dict(values))
                for need in fix.needs:
                    machine.check(need)
            except Unavailable as missing:
                reasons.append(f"{name}: {missing}")
                continue
            if reasons and self.backend == "auto":
                setup.limits.append(f"{WEAKER} (" + "; ".join(reasons) + ")")
            return name, setup
        raise Unavailable("; ".join(reasons))

    def _arm(self, machine: Machine, reproduction: Reproduction, text: str, fix: str | None, setup: Setup) -> Arm:
        label = f"{reproduction.id} {'with ' + fix if fix else 'as reported'} ({setup.parameters['backend']})"
        callback = self.progress
        arm = runner.run(
            text,
            ["--fix", fix] if fix else [],
            name=reproduction.id,
            python=machine.python,
            timeout_s=self.timeout_s or reproduction.timeout_s,
            memory_bytes=reproduction.memory_bytes + (CUDA_HOST_BYTES if setup.parameters["backend"] == "cuda" else 0),
            variables=setup.variables,
            progress=None if callback is None else lambda seconds, size: callback(label, seconds, size),
        )
        arm.diagnosis = diagnosed(arm, setup.emulation)
        return arm


def diagnosed(arm: Arm, emulation: Mapping[str, Any]) -> dict[str, Any] | None:
    """What triage says of an arm's output: its leading diagnosis, and the causes of all of the same family."""
    from triage.pipeline import shared_triage

    extra = [Observation("emulation", dict(emulation))] if emulation else []
    found = shared_triage().explain(arm.output, extra=extra).to_dict()["diagnoses"]
    if not found:
        return None
    lead = {key: found[0][key] for key in ("id", "family", "cause", "confidence")}
    return {**lead, "causes": sorted({str(one["cause"]) for one in found if one["family"] == lead["family"] and one["cause"]})}


def failed_as_reported(reproduction: Reproduction, arm: Arm) -> bool:
    """Whether an arm failed, and triage reads from its output the family (and cause, where that is the point)."""
    if arm.outcome != "failed" or arm.diagnosis is None or arm.diagnosis["family"] != reproduction.family:
        return False
    return not reproduction.cause_shown or reproduction.cause in arm.diagnosis["causes"]


# judging


def judge(job: Job, verdict: Verdict, versions: Mapping[str, str]) -> None:
    """Sets `verdict` and `reason` from the two arms."""
    reproduction, reported, fixed = job.reproduction, verdict.reported, verdict.fixed
    assert reported is not None
    if fixed is None:
        verdict.verdict, verdict.reason = _without_failure(job, reported, versions)
        return
    if fixed.outcome == "not-possible":
        verdict.verdict = NOT_POSSIBLE
        verdict.reason = f"the failure occurs here; the fix needs {fixed.measurements.get('needs', 'something that is not here')}"
    elif fixed.outcome == "passed" and (fixed.diagnosis is None or fixed.diagnosis["family"] != reproduction.family):
        verdict.verdict, verdict.reason = CONFIRMED, "the failure occurs without the fix and not with it" + _compared(reported, fixed)
    elif fixed.outcome == "failed" and fixed.diagnosis is not None and fixed.diagnosis["family"] == reproduction.family:
        verdict.verdict, verdict.reason = REFUTED, "the same failure occurs with the fix" + _compared(reported, fixed)
    else:
        verdict.verdict, verdict.reason = PARTLY, "the failure occurs without the fix; with it " + _ending(fixed)


def _without_failure(job: Job, arm: Arm, versions: Mapping[str, str]) -> tuple[str, str]:
    if arm.outcome == "not-possible":
        return NOT_POSSIBLE, f"needs {arm.measurements.get('needs', 'something that is not here')}"
    if arm.outcome == "passed":
        return NOT_REPRODUCED, _gone(job.reproduction, versions) or "the program runs through here" + _other_releases(job, versions)
    if arm.outcome in ("timeout", "memory"):
        return NOT_REPRODUCED, "nothing was shown: " + _ending(arm)
    return NOT_REPRODUCED, "the program fails in another way than reported: " + _ending(arm)


def _gone(reproduction: Reproduction, versions: Mapping[str, str]) -> str:
    """Since when the failure does not occur any more, where the release here is such a one."""
    if reproduction.gone_since is None:
        return ""
    package, since, why = reproduction.gone_since
    if release(versions.get(package, "")) < release(since):
        return ""
    return f"gone since {package} {since}: {why} (here is {versions[package]})"


def _other_releases(job: Job, versions: Mapping[str, str]) -> str:
    """That the report is of another release of a package that takes part, which is the likely reason."""
    packages = [re.split("[<>=]", need)[0] for need in job.reproduction.needs if not need.startswith(("tool:", "gpus:", "absent:"))]
    told = [
        f"{name} {job.facts.versions[name]} (here is {versions[name]})"
        for name in packages
        if name in job.facts.versions and name in versions and release(job.facts.versions[name]) != release(versions[name])
    ]
    return f"; the report is of {', '.join(told)}" if told else ""


def _ending(arm: Arm) -> str:
    if arm.outcome == "timeout":
        return f"the arm had not ended after {arm.seconds:.1f} s and was killed"
    if arm.outcome == "memory":
        return f"the arm passed its limit of host memory at {arm.peak_rss_bytes >> 20} MiB and was killed"
    seen = f"triage reads {arm.diagnosis['id']}" if arm.diagnosis else "triage reads no failure"
    last = next((line.strip() for line in reversed(arm.output.splitlines()) if line.strip()), "")
    return f"the arm ended with {arm.outcome} (exit status {arm.exit_code}), {seen}; its last line is {last[:200]!r}"


def _compared(reported: Arm, fixed: Arm) -> str:
    setting = fixed.measurements.get("setting")
    tried = f" ({setting})" if isinstance(setting, str) else ""
    refused = fixed.measurements.get("refused")
    tried += f"; the advised {refused} does not serve the request" if isinstance(refused, str) else ""
    before, after = (arm.measurements.get("peak_allocated_bytes") for arm in (reported, fixed))
    if not before or not after:
        return tried
    return f"{tried}; peak allocated {before / 2**30:.2f} GiB as reported, {after / 2**30:.2f} GiB with the fix"


def _key(job: Job, verdict: Verdict) -> str:
    """Names a run: the same key means the same reproduction, parameters and environment."""
    text = json.dumps(
        [job.id, job.reproduction.id, verdict.fix, verdict.backend, verdict.parameters, verdict.environment], sort_keys=True, default=str
    )
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def listing() -> list[dict[str, Any]]:
    """What can be verified: one object a reproduction."""
    return [
        {
            "id": one.id,
            "family": one.family,
            "cause": one.cause,
            "title": one.title,
            "shows": one.shows,
            "backends": [name for name in BACKENDS if name in one.backends],
            "cannot_show": {name: limit for name, limit in one.backends.items() if limit},
            "fixes": {
                name: {"does": fix.does, "backends": list(fix.backends or one.backends), "advised": fix.advised}
                for name, fix in one.fixes.items()
            },
            "parameters": [{"name": each.name, "kind": each.kind, "default": each.default, "about": each.about} for each in one.parameters],
            "needs": list(one.needs),
            "sources": list(one.sources),
        }
        for one in catalog().values()
    ]
