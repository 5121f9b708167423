"""The child process: limits, confinement, and that nothing of it is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from triage.verify import runner
from triage.verify.allocator_settings import MIB
from triage.verify.runner import ProcessTree

PREAMBLE = """
import argparse, json, os, subprocess, sys, time
parser = argparse.ArgumentParser(); parser.add_argument("--result"); options, _ = parser.parse_known_args()
"""
LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")


def program(body: str) -> str:
    return PREAMBLE + textwrap.dedent(body)


def test_a_program_that_passes() -> None:
    arm = runner.run(program("json.dump({'measurements': {'x_bytes': 3}}, open(options.result, 'w')); print('done')"), [])
    assert (arm.outcome, arm.exit_code, arm.output, arm.measurements) == ("passed", 0, "done\n", {"x_bytes": 3})


def test_a_program_that_raises_shows_its_traceback() -> None:
    arm = runner.run(program("raise RuntimeError('no such thing')"), [], name="some-failure")
    assert (arm.outcome, arm.exit_code) == ("failed", 1)
    assert "some-failure.py" in arm.output
    assert arm.output.endswith("RuntimeError: no such thing\n")


def test_output_is_in_order_and_both_streams() -> None:
    arm = runner.run(program("print('one', flush=True); print('two', file=sys.stderr, flush=True); print('three')"), [])
    assert arm.output == "one\ntwo\nthree\n"


def test_a_signal_is_told() -> None:
    arm = runner.run(program("os.abort()"), [])
    assert (arm.outcome, arm.exit_code) == ("failed", -signal.SIGABRT)


def test_a_hanging_program_is_killed_with_its_children(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    body = f"""
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    apart = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
    open({str(pids)!r}, "w").write(f"{{os.getpid()}} {{child.pid}} {{apart.pid}}")
    print("hanging", flush=True)
    time.sleep(600)
    """
    arm = runner.run(program(body), [], timeout_s=5.0)  # a loaded machine takes seconds to start Python
    assert (arm.outcome, arm.exit_code) == ("timeout", None)
    assert "hanging" in arm.output
    assert not [pid for pid in pids.read_text().split() if alive(int(pid))]


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] != b"Z"
    except OSError:
        return False


def test_children_left_behind_are_killed(tmp_path: Path) -> None:
    """A program that ends at once, but leaves a process that holds its output open."""
    pids = tmp_path / "pids"
    body = f"""
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
    open({str(pids)!r}, "w").write(str(child.pid))
    """
    assert runner.run(program(body), [], timeout_s=60.0).outcome == "passed"
    assert not alive(int(pids.read_text()))


@LINUX
def test_a_program_that_takes_too_much_memory_is_killed() -> None:
    arm = runner.run(
        program("kept = bytearray(400 << 20); kept[::4096] = b'x' * len(kept[::4096]); time.sleep(60)"), [], memory_bytes=200 * MIB
    )
    assert arm.outcome == "memory"
    assert arm.peak_rss_bytes > 200 * MIB


@LINUX
def test_memory_of_all_processes_counts_and_noise_hides_nothing() -> None:
    body = """
    code = "kept = bytearray(150 << 20); kept[::4096] = b'x' * len(kept[::4096])\\nwhile True: print('noise' * 1000)"
    children = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(2)]
    time.sleep(60)
    """
    arm = runner.run(program(body), [], memory_bytes=250 * MIB, timeout_s=50.0)
    assert arm.outcome == "memory"


def test_endless_output_is_bounded() -> None:
    arm = runner.run(program("print('first')\nwhile True: sys.stdout.write('x' * 65536)"), [], timeout_s=4.0)
    assert arm.outcome == "timeout"
    assert len(arm.output) < runner.OUTPUT_LIMIT + 200
    assert arm.output.startswith("first\n")
    assert "bytes of output left out" in arm.output


def test_any_bytes_may_be_printed() -> None:
    arm = runner.run(program("sys.stdout.buffer.write(bytes(range(256)))"), [])
    assert arm.outcome == "passed"
    assert "\ufffd" in arm.output


def test_the_environment_is_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "hidden")
    monkeypatch.setenv("PYTHONSTARTUP", "/nowhere")
    monkeypatch.setenv("https_proxy", "http://proxy.example")
    arm = runner.run(program("print(json.dumps(dict(os.environ)))"), [], variables={"GIVEN": "yes"})
    assert "hidden" not in arm.output
    assert "proxy.example" not in arm.output
    assert "PYTHONSTARTUP" not in arm.output
    assert '"GIVEN": "yes"' in arm.output


def test_standard_input_is_closed() -> None:
    assert runner.run(program("print(repr(sys.stdin.read()))"), []).output == "''\n"


def test_nothing_is_left_on_disk() -> None:
    arm = runner.run(program("open('left-behind', 'w').write('x'); print(os.getcwd())"), [])
    assert not Path(arm.output.strip()).exists()


def test_progress_is_told() -> None:
    seen: list[float] = []
    runner.run(program("time.sleep(0.8)"), [], progress=lambda seconds, size: seen.append(seconds))
    assert seen
    assert seen == sorted(seen)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_verifier_takes_its_children_along(tmp_path: Path, number: int) -> None:
    """Ctrl-C, or SIGTERM, while an arm runs: the arm and what it started are gone when the verifier is."""
    pids = tmp_path / "pids"
    body = f"""
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
    open({str(pids)!r}, "w").write(f"{{os.getpid()}} {{child.pid}}")
    time.sleep(600)
    """
    code = (
        "from triage.verify import runner, session\n"
        f"with session._TerminationAsInterrupt():\n    runner.run({program(body)!r}, [], timeout_s=300)\n"
    )
    verifier = subprocess.Popen([sys.executable, "-c", code], cwd=Path(__file__).parents[2], stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not (pids.exists() and pids.read_text().count(" ") == 1):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    verifier.send_signal(number)
    _, error = verifier.communicate(timeout=60)
    assert "KeyboardInterrupt" in error
    assert not [pid for pid in pids.read_text().split() if alive(int(pid))]


@LINUX
def test_a_tree_knows_its_own() -> None:
    mark = "0123456789abcdef"
    child = subprocess.Popen(
        [sys.executable, "-c", "import time; time.sleep(60)"], env={**os.environ, runner.MARK: mark}, start_new_session=True
    )
    try:
        tree = ProcessTree(child.pid, mark)
        assert tree.pids() == [child.pid]
        assert os.getpid() not in ProcessTree(1 << 30, "another mark").pids()
    finally:
        child.kill()
        child.wait()
