"""From a report to verdicts: planning, judging, keeping."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from triage.verify import campaign
from triage.verify.backends import Machine, Unavailable
from triage.verify.campaign import Campaign, Job, UnknownTarget, failed_as_reported, jobs_of_name, jobs_of_report, judge, listing
from triage.verify.catalog import catalog
from triage.verify.reporting import verdict_lines
from triage.verify.reproduction import Facts
from triage.verify.session import Session
from triage.verify.targets import is_snapshot, read_report
from triage.verify.verdict import CONFIRMED, NOT_POSSIBLE, NOT_REPRODUCED, PARTLY, REFUTED, Arm, Verdict, observations

FRAGMENTATION = catalog()["memory.gpu-oom.fragmentation"]
GIB = 1 << 30
REPORT = {
    "diagnoses": [
        {
            "id": "memory.gpu-oom.fragmentation", "family": "memory.gpu-oom", "cause": "fragmentation",
            "facts": {
                "requested_bytes": 6 * GIB, "capacity_bytes": 32 * GIB, "allocated_bytes": 21 * GIB, "reserved_bytes": 27 * GIB,
                "free_bytes": 4 * GIB,
            },
            "fixes": [{"id": "allocator-config"}, {"id": "quantize"}], "will_not_help": [{"id": "larger-gpu"}],
        },
        {"id": "hardware.xid.other", "family": "hardware.xid", "cause": None, "facts": {}, "fixes": [{"id": "reboot-or-reset"}]},
    ],
    "environment": {"versions": {"torch": "2.0.1"}},
}  # fmt: skip


# planning


def test_jobs_follow_the_report() -> None:
    (job,) = jobs_of_report(REPORT)
    assert (job.id, job.fixes) == ("memory.gpu-oom.fragmentation", ("allocator-config",))
    values, given = job.reproduction.bind(job.facts)
    assert values["requested_bytes"] == 6 * GIB
    assert values["wording"] == "2.0"
    assert set(given) >= {"requested_bytes", "capacity_bytes", "allocated_bytes", "reserved_bytes", "free_bytes", "wording"}


def test_a_fix_may_be_asked_for() -> None:
    (job,) = jobs_of_report(REPORT, ["free-memory"])
    assert job.fixes == ("free-memory",)


def test_names() -> None:
    assert [job.reproduction.id for job in jobs_of_name("distributed.ddp-reduction")] == [
        "distributed.ddp-reduction.ready-twice", "distributed.ddp-reduction.unused-parameters",
    ]  # fmt: skip
    assert jobs_of_name("config.attention-backend.absent")[0].reproduction.id == "config.attention-backend.flash-missing"
    with pytest.raises(UnknownTarget, match="--list"):
        jobs_of_name("no.such.failure")
    with pytest.raises(UnknownTarget, match="it has allocator-config"):
        jobs_of_name("memory.gpu-oom.fragmentation", ["reboot-or-reset"])


@pytest.mark.parametrize(
    "report",
    [
        {}, {"diagnoses": None}, {"diagnoses": [None, 3, "x", []]}, {"diagnoses": [{"family": 3, "fixes": {}}]},
        {"diagnoses": [{"family": "memory.gpu-oom", "cause": "fragmentation", "fixes": [None, {"id": []}, {"id": {}}]}]},
        {"diagnoses": [{"family": ["memory.gpu-oom"], "id": {"x": 1}}], "environment": []},
    ],
)  # fmt: skip
def test_a_broken_report_plans_nothing(report: dict[str, Any]) -> None:
    assert jobs_of_report(report) == []


# judging


def arm(outcome: str, family: str = "", causes: tuple[str, ...] = (), **changes: Any) -> Arm:
    diagnosis = {"id": f"{family}.x", "family": family, "cause": None, "confidence": 0.9, "causes": list(causes)} if family else None
    return Arm(outcome, 0 if outcome == "passed" else 1, 1.0, diagnosis=diagnosis, output="Traceback\nSomeError: words\n", **changes)


def judged(
    reported: Arm,
    fixed: Arm | None = None,
    versions: dict[str, str] | None = None,
    name: str = "memory.gpu-oom.fragmentation",
    told: dict[str, str] | None = None,
) -> Verdict:
    one = catalog()[name]
    verdict = Verdict(one.id, one.id, one.family, one.cause, "allocator-config", "", "", reported=reported, fixed=fixed)
    judge(Job(one.id, one, (), Facts(None, {"versions": told or {}})), verdict, versions or {})
    return verdict


FAILED = arm("failed", "memory.gpu-oom", ("fragmentation",))


def test_the_family_and_the_cause_must_be_those_reported() -> None:
    assert failed_as_reported(FRAGMENTATION, FAILED)
    assert not failed_as_reported(FRAGMENTATION, arm("failed", "memory.gpu-oom", ("model-too-large",)))
    assert not failed_as_reported(FRAGMENTATION, arm("failed", "memory.kv-cache"))
    assert not failed_as_reported(FRAGMENTATION, arm("failed"))
    assert not failed_as_reported(FRAGMENTATION, arm("timeout", "memory.gpu-oom", ("fragmentation",)))
    assert not failed_as_reported(FRAGMENTATION, arm("passed"))


def test_all_verdicts() -> None:
    assert judged(FAILED, arm("passed")).verdict == CONFIRMED
    assert judged(FAILED, FAILED).verdict == REFUTED
    assert judged(FAILED, arm("failed", "shape.mismatch")).verdict == PARTLY
    assert judged(FAILED, arm("failed")).verdict == PARTLY
    assert judged(FAILED, arm("timeout")).verdict == PARTLY
    assert judged(FAILED, arm("memory")).verdict == PARTLY
    assert judged(FAILED, arm("not-possible", measurements={"needs": "a card"})).verdict == NOT_POSSIBLE
    assert judged(arm("passed")).verdict == NOT_REPRODUCED
    assert judged(arm("timeout")).verdict == NOT_REPRODUCED
    assert judged(arm("failed", "shape.mismatch")).verdict == NOT_REPRODUCED
    assert judged(arm("not-possible", measurements={"needs": "mounts"})).verdict == NOT_POSSIBLE


def test_a_pass_that_still_prints_the_failure_confirms_nothing() -> None:
    assert judged(FAILED, arm("passed", "memory.gpu-oom")).verdict == PARTLY


def test_reasons_say_what_was_seen() -> None:
    assert "had not ended after" in judged(FAILED, arm("timeout")).reason
    assert "SomeError: words" in judged(arm("failed", "shape.mismatch")).reason
    compared = judged(arm("failed", "memory.gpu-oom", ("fragmentation",), measurements={"peak_allocated_bytes": 3 * GIB}),
                      arm("passed", measurements={"peak_allocated_bytes": GIB})).reason  # fmt: skip
    assert "3.00 GiB as reported, 1.00 GiB with the fix" in compared


def test_a_failure_that_newer_releases_do_not_have() -> None:
    name = "config.quantization.both-arguments"
    assert "gone since transformers 5.0" in judged(arm("passed"), versions={"transformers": "5.1.0"}, name=name).reason
    assert judged(arm("passed"), versions={"transformers": "4.57.6"}, name=name).reason == "the program runs through here"


def test_another_release_than_the_reported_one_is_a_likely_reason() -> None:
    name = "dtype.not-implemented.no-kernel"
    seen = judged(arm("passed"), versions={"torch": "2.13.0+cpu"}, name=name, told={"torch": "2.0.1"})
    assert seen.reason == "the program runs through here; the report is of torch 2.0.1 (here is 2.13.0+cpu)"
    same = judged(arm("passed"), versions={"torch": "2.0.1+cpu"}, name=name, told={"torch": "2.0.1"})
    assert same.reason == "the program runs through here"


def test_the_setting_that_was_tried_is_told() -> None:
    served = judged(FAILED, arm("passed", measurements={"setting": "max_split_size_mb:512"}))
    assert served.reason == "the failure occurs without the fix and not with it (max_split_size_mb:512)"


# running, without torch


@pytest.fixture(scope="module")
def machine() -> Machine:
    return Machine(sys.executable, {"versions": {"torch": "2.6.0"}, "tools": [], "gpus": []})


def test_a_fix_is_confirmed_on_the_model(machine: Machine) -> None:
    (verdict,) = Campaign(machine).verdicts(jobs_of_report(REPORT))
    assert (verdict["verdict"], verdict["backend"]) == (CONFIRMED, "model")
    assert verdict["arms"]["reported"]["diagnosis"]["causes"] == ["fragmentation"]
    assert "stronger backend" in verdict["limits"][-1]
    assert json.loads(json.dumps(verdict)) == verdict


def test_what_is_missing_is_named(machine: Machine) -> None:
    (verdict,) = Campaign(machine, backend="cuda").verdicts(jobs_of_report(REPORT))
    assert verdict["verdict"] == NOT_POSSIBLE
    assert "a GPU that torch can use" in verdict["reason"]
    (other,) = Campaign(Machine(sys.executable, {})).verdicts(jobs_of_name("config.quantization.backend-missing", ["remove-argument"]))
    assert other["verdict"] == NOT_POSSIBLE
    assert "the package torch" in other["reason"]


def test_a_fix_that_is_a_release_needs_two(machine: Machine) -> None:
    (verdict,) = Campaign(machine).verdicts(jobs_of_name("version.package-conflict.removed-name", ["pin-package"]))
    assert (verdict["verdict"], verdict["reason"]) == (NOT_POSSIBLE, "needs two releases to compare: --torch OLD,NEW")
    (other,) = Campaign(machine).verdicts(jobs_of_name("dtype.not-implemented.bf16-triu", ["upgrade-package"]))
    assert other["reason"].startswith("needs two releases to compare: --torch OLD,NEW; cuda: a GPU that torch can use")


@pytest.mark.parametrize(
    ("name", "fix", "fails", "passes"),
    [
        ("dtype.not-implemented.no-kernel", "upgrade-package", "2.0.1", "2.6.0"),
        ("version.package-conflict.removed-name", "pin-package", "2.6.0", "2.0.1"),
    ],
)
def test_a_release_is_compared_in_the_direction_of_the_fix(
    name: str, fix: str, fails: str, passes: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    machines = tuple(Machine(f"python-with-{version}", {"versions": {"torch": version}}) for version in ("2.0.1", "2.3.0", "2.6.0"))
    started: list[str] = []

    def run(text: str, arguments: list[str], **rest: Any) -> Arm:
        started.append(rest["python"])
        if rest["python"].endswith(passes):
            return Arm("passed", 0, 1.0)
        said = "\"cholesky_cpu\" not implemented for 'Half'" if name.startswith("dtype") else "No module named 'torch._six'"
        return Arm("failed", 1, 1.0, output=f"{'Runtime' if name.startswith('dtype') else 'ModuleNotFound'}Error: {said}\n")

    monkeypatch.setattr(campaign.runner, "run", run)
    (verdict,) = Campaign(machines[0], releases=machines).verdicts(jobs_of_name(name, [fix]))
    assert verdict["verdict"] == CONFIRMED, verdict["reason"]
    assert started == [f"python-with-{fails}", f"python-with-{passes}"]
    assert verdict["environment"]["versions"]["torch"] == fails
    assert verdict["environment"]["versions_with_fix"]["torch"] == passes
    (line,) = [line for line in verdict_lines(verdict) if "torch" in line and "reported" in line]
    assert f"torch {fails} against {passes}" in line


def test_where_a_release_does_not_fail_it_is_said_which_does(monkeypatch: pytest.MonkeyPatch) -> None:
    machines = tuple(Machine(f"python-with-{version}", {"versions": {"torch": version}}) for version in ("2.0.1", "2.6.0"))

    def run(text: str, arguments: list[str], **rest: Any) -> Arm:
        if arguments or rest["python"].endswith("2.6.0"):
            return Arm("passed", 0, 1.0)
        return Arm("failed", 1, 1.0, output="RuntimeError: \"cholesky_cpu\" not implemented for 'Half'\n")

    monkeypatch.setattr(campaign.runner, "run", run)
    first, second = Campaign(machines[0], releases=machines).verdicts(jobs_of_name("dtype.not-implemented.no-kernel", ["cast-dtype"]))
    assert first["verdict"] == CONFIRMED
    assert (second["verdict"], second["reason"]) == (NOT_REPRODUCED, "the program runs through here; it fails under torch 2.0.1")


def test_a_release_that_cannot_be_had_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def machine_with(pins: dict[str, str], *_: object) -> Machine:
        if pins["torch"] == "9.9":
            raise Unavailable("an environment with torch==9.9, which cannot be had here")
        return Machine(sys.executable, {"versions": {"torch": pins["torch"]}})

    monkeypatch.setattr("triage.verify.session.machine_with", machine_with)
    told: list[str] = []
    session = Session("model", None, None, ["9.9", "2.6.0"], [], None, told.append)
    (verdict,) = session.verdicts(jobs_of_name("memory.gpu-oom.other-process", ["free-other-process"]))
    assert verdict["verdict"] == CONFIRMED
    assert told == ["skipped: needs an environment with torch==9.9, which cannot be had here"]
    with pytest.raises(Unavailable, match="cannot be had here"):
        list(Session("model", None, None, ["9.9"], [], None, told.append).verdicts([]))


def test_the_arm_without_a_fix_runs_once(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[list[str]] = []
    real = campaign.runner.run
    monkeypatch.setattr(campaign.runner, "run", lambda text, arguments, **rest: (calls.append(arguments), real(text, arguments, **rest))[1])
    verdicts = list(Campaign(machine).verdicts([Job(FRAGMENTATION.id, FRAGMENTATION, tuple(FRAGMENTATION.fixes))]))
    assert calls == [[], ["--fix", "allocator-config"], ["--fix", "free-memory"], ["--fix", "reduce-batch-or-sequence"]]
    assert len({verdict["key"] for verdict in verdicts}) == len(verdicts)


def test_known_verdicts_are_not_run_again(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    first = list(Campaign(machine).verdicts(jobs_of_report(REPORT)))
    monkeypatch.setattr(campaign.runner, "run", lambda *_, **__: pytest.fail("ran again"))
    again = list(Campaign(machine, done={verdict["key"]: verdict for verdict in first}).verdicts(jobs_of_report(REPORT)))
    assert again == first


def test_verdicts_are_kept_as_they_come(tmp_path: Path, machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triage.verify.session.Machine.ask", lambda *_: machine)
    kept = tmp_path / "verdicts.json"
    stream = Session("model", None, None, [], [], kept, print).verdicts(jobs_of_name("memory.gpu-oom.fragmentation"))
    next(stream)
    assert len(json.loads(kept.read_text())) == 1
    stream.close()
    monkeypatch.setattr(campaign.runner, "run", counted := Counted(campaign.runner.run))
    rest = list(Session("model", None, None, [], [], kept, print).verdicts(jobs_of_name("memory.gpu-oom.fragmentation")))
    assert len(rest) == 3
    assert counted.calls == 3, "as reported and two fixes; the first fix was known"
    assert len(json.loads(kept.read_text())) == 3


class Counted:
    """A function that counts its calls."""

    def __init__(self, function: Any) -> None:
        self.function, self.calls = function, 0

    def __call__(self, *arguments: Any, **rest: Any) -> Any:
        self.calls += 1
        return self.function(*arguments, **rest)


def test_a_file_that_holds_no_verdicts_is_not_overwritten(tmp_path: Path) -> None:
    kept = tmp_path / "thesis.json"
    kept.write_text("[1, 2, 3]")
    with pytest.raises(Unavailable, match="a list of verdicts"):
        list(Session("model", None, None, [], [], kept, print).verdicts([]))
    assert kept.read_text() == "[1, 2, 3]"


@pytest.mark.parametrize("pin", ["torch", "--index-url==x", "torch==2; rm -rf /", "torch== ", "../x==1", "torch==-r"])
def test_pins_are_names_and_releases(pin: str) -> None:
    with pytest.raises(Unavailable):
        list(Session("auto", None, None, [], [pin], None, print).verdicts([]))


# facts and files


def test_verdicts_become_facts(machine: Machine) -> None:
    verdicts = list(Campaign(machine).verdicts(jobs_of_report(REPORT)))
    (fact,) = observations([*verdicts, {"id": 3}, {"verdict": "maybe", "id": "a", "fix": "b"}])
    assert fact.template == "verdict"
    assert (fact.slots["diagnosis"], fact.slots["fix"]) == ("memory.gpu-oom.fragmentation", "allocator-config")
    assert fact.slots["value"] == "confirmed"
    assert fact.slots["detail"] == "model", "nothing that is installed took part"
    assert str(fact.slots["text"]).endswith("a pass on the model of the allocator is no proof")


def test_targets(tmp_path: Path) -> None:
    assert is_snapshot("memory.pickle")
    assert is_snapshot("run.trace.json")
    assert not is_snapshot("report.json")
    path = tmp_path / "report.json"
    path.write_text(json.dumps(REPORT))
    assert read_report(str(path)) == REPORT
    for text in ("", "{}", "[]", "no json", '{"diagnoses": 3}', "[" * 200_000):
        path.write_text(text)
        with pytest.raises(UnknownTarget, match="no JSON report"):
            read_report(str(path))


def test_the_listing_has_what_other_programs_rely_on() -> None:
    entries = listing()
    assert [entry["id"] for entry in entries] == sorted(entry["id"] for entry in entries)
    assert all({"id", "family", "backends"} <= entry.keys() for entry in entries)
    assert json.loads(json.dumps(entries)) == entries
