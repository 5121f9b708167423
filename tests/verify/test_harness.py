"""The harness inside every program: parameters, results, and the loopback interface only."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from triage.verify import bundle, runner
from triage.verify.catalog import catalog
from triage.verify.verdict import Arm

ANY = catalog()["memory.gpu-oom.fragmentation"]
HEAD = "import os\nimport socket\nfrom triage.verify.toolkit.harness import NotPossibleHere, Parameters, measure\n\n\n"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    """Runs `reported` of a module written for the test; the rest of the catalog is left alone."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def run_body(name: str, body: str, isolation: str = "network") -> Arm:
        (tmp_path / f"{name}.py").write_text(HEAD + f"def reported(p: Parameters) -> None:\n    {body}\n\n\ndef fixed(p, fix):\n    pass\n")
        text = bundle.program(ANY, name, {"isolation": isolation, "size": 7})
        return runner.run(text, [], timeout_s=60.0)

    return run_body


@pytest.mark.parametrize("isolation", ["network", "none"])
def test_other_hosts_are_out_of_reach(run, isolation: str) -> None:  # type: ignore[no-untyped-def]
    arm = run(f"connects_{isolation}", "socket.create_connection(('192.0.2.1', 9), timeout=5)", isolation)
    assert arm.outcome == "failed"
    assert "loopback interface only" in arm.output


@pytest.mark.parametrize("isolation", ["network", "none"])
def test_the_loopback_interface_is_there(run, isolation: str) -> None:  # type: ignore[no-untyped-def]
    body = "s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(); socket.create_connection(s.getsockname()); measure(reached=True)"
    arm = run(f"loops_{isolation}", body, isolation)
    assert arm.outcome == "passed", arm.output
    assert arm.measurements["reached"] is True


def test_what_was_measured_before_a_failure_is_kept(run) -> None:  # type: ignore[no-untyped-def]
    arm = run("measures", "measure(size=p.size); raise ValueError('later')")
    assert arm.outcome == "failed"
    assert arm.measurements["size"] == 7


def test_an_arm_may_say_what_it_needs(run) -> None:  # type: ignore[no-untyped-def]
    arm = run("needs", "raise NotPossibleHere('a second GPU')")
    assert (arm.outcome, arm.measurements["needs"]) == ("not-possible", "a second GPU")


def test_an_exit_status_is_a_failure(run) -> None:  # type: ignore[no-untyped-def]
    assert run("exits", "raise SystemExit(3)").exit_code == 3
    assert run("leaves", "os._exit(4)").exit_code == 4


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="namespaces are Linux's")
def test_how_the_network_was_confined_is_told(run) -> None:  # type: ignore[no-untyped-def]
    assert run("tells", "pass").measurements["network"] in ("own network namespace", "sockets checked")
