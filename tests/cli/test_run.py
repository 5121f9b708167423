"""`triage run`: bytes, order, status and signals pass through; a failure is explained on standard error."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from cli_support import OOM, environment, triage, triage_with_peak

from triage.integrations import tee
from triage.integrations.tee import CancelledError, Feed

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX only")
FAIL = f"import sys; sys.stderr.write({OOM!r}); sys.exit(3)"


def test_success_passes_everything_through_and_says_nothing() -> None:
    data = bytes(range(256)) * 300
    code = "import sys; d = sys.stdin.buffer.read(); sys.stdout.buffer.write(d); sys.stderr.buffer.write(d[::-1])"
    result = triage("run", "--", sys.executable, "-c", code, stdin=data)
    assert (result.returncode, result.stdout, result.stderr) == (0, data, data[::-1])


def test_failure_is_explained_on_standard_error_after_what_the_command_said() -> None:
    result = triage("run", "--", sys.executable, "-c", f"print('out'); {FAIL}")
    assert result.returncode == 3
    assert result.stdout.replace(b"\r", b"") == b"out\n"
    error = result.stderr.decode().replace("\r", "")
    assert error.startswith(OOM)
    assert "memory.gpu-oom" in error.removeprefix(OOM)


def test_options_are_those_before_the_command() -> None:
    result = triage("run", "--lang", "zh", "--why", sys.executable, "-c", FAIL)
    assert result.returncode == 3
    assert "显存" in result.stderr.decode()
    result = triage("run", sys.executable, "-c", "import sys; print(sys.argv)", "--why", "--", "-x")
    assert result.stdout.decode().strip() == "['-c', '--why', '--', '-x']"


def test_failure_that_says_nothing_of_a_gpu() -> None:
    result = triage("run", "--", sys.executable, "-c", "raise SystemExit(7)")
    assert result.returncode == 7
    assert result.stderr.decode() == "triage run: exit status 7; nothing GPU-related found in the output\n"


def test_command_that_cannot_be_started(tmp_path: Path) -> None:
    result = triage("run", "--", tmp_path / "missing")
    assert (result.returncode, result.stdout) == (127, b"")
    assert result.stderr.decode() == f"triage run: {tmp_path}/missing: No such file or directory\n"
    plain = tmp_path / "plain.txt"
    plain.write_text("x", encoding="utf-8")
    result = triage("run", "--", plain)
    assert result.returncode == 126
    assert result.stderr.decode() == f"triage run: {plain}: Permission denied\n"


@POSIX
@pytest.mark.parametrize("name", ["SIGKILL", "SIGSEGV", "SIGTERM"])
def test_death_by_signal_is_128_plus_its_number(name: str) -> None:
    number = signal.Signals[name]
    result = triage("run", "--", sys.executable, "-c", f"import os; os.kill(os.getpid(), {int(number)})")
    assert result.returncode == 128 + number


@POSIX
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGUSR1", "SIGHUP"])
def test_signals_reach_the_command(name: str) -> None:
    code = (
        "import signal, sys, time\n"
        f"signal.signal(signal.{name}, lambda *_: (print('got it', flush=True), sys.exit(9)))\n"
        "print('ready', flush=True)\n"
        "for _ in range(600): time.sleep(0.1)"  # a signal just before a sleep is noticed after it
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "triage", "run", "--", sys.executable, "-c", code],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(), start_new_session=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    process.send_signal(signal.Signals[name])
    output, _ = process.communicate(timeout=60)
    assert output == b"got it\n"
    assert process.returncode == 9


@POSIX
def test_output_comes_while_the_command_runs() -> None:
    code = "import sys; print('first', flush=True); sys.stdin.readline(); print('second')"
    process = subprocess.Popen(
        [sys.executable, "-m", "triage", "run", "--", sys.executable, "-c", code],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(),
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stdout.readline() == b"first\n"  # the command waits for us: nothing but its first line can be there
    output, _ = process.communicate(b"go\n", timeout=60)
    assert output == b"second\n"
    assert process.returncode == 0


@POSIX
def test_children_that_outlive_the_command_do_not_hold_it_up() -> None:
    started = time.monotonic()
    result = triage("run", "--", "sh", "-c", "sleep 50 & echo started; exit 4")
    assert time.monotonic() - started < 40  # not a speed, but that it does not wait for the sleeper
    assert (result.returncode, result.stdout) == (4, b"started\n")


@POSIX
def test_a_reader_that_leaves_ends_the_command_as_it_would_without_us() -> None:
    command = f"{sys.executable} -m triage run -- yes | head -n 1; echo ${{PIPESTATUS[0]}}"
    result = subprocess.run(["bash", "-c", command], capture_output=True, env=environment(), timeout=60, check=False)
    lines = result.stdout.split()
    assert lines[0] == b"y"
    assert lines[1] in (b"141", b"1")  # SIGPIPE, or the EPIPE that coreutils report where SIGPIPE is ignored
    assert b"Traceback" not in result.stderr


def test_long_output_is_kept_in_bounded_memory() -> None:
    code = f"import sys\nfor _ in range(60): sys.stdout.write('step loss 0.25\\n' * 70_000)\n{FAIL}"
    process, peak = triage_with_peak("run", "--", sys.executable, "-c", code, stdout=subprocess.DEVNULL)
    assert process.returncode == 3
    assert b"memory.gpu-oom" in process.stderr
    assert peak < 400_000  # KiB


def test_a_fault_in_explaining_does_not_cost_the_status(monkeypatch: pytest.MonkeyPatch) -> None:
    import triage.pipeline

    def broken(**_: object) -> None:
        raise RuntimeError("broken rules")

    monkeypatch.setattr(triage.pipeline, "Triage", broken)
    outcome = tee.run([sys.executable, "-c", "raise SystemExit(5)"])
    assert (outcome.status, outcome.report, outcome.problem) == (5, None, "RuntimeError: broken rules")


def test_feed_keeps_lines_of_two_streams_whole() -> None:
    feed = Feed()
    feed.put(1, b"out")
    feed.put(2, b"error line\nerr")
    feed.put(1, b"put line\n")
    feed.close(b"the end\n")
    assert b"".join(iter(lambda: feed.read(5), b"")) == b"error line\noutput line\nerr\nthe end\n"


def test_feed_lets_go_of_lines_without_end() -> None:
    feed = Feed()
    feed.put(1, b"x" * 70_000)
    assert feed.read(10) == b"x" * 10
    assert len(feed.read()) == 69_990


def test_feed_wakes_a_waiting_reader_on_cancel() -> None:
    feed = Feed()
    seen: list[str] = []

    def read() -> None:
        try:
            feed.read()
        except CancelledError:
            seen.append("cancelled")

    reader = threading.Thread(target=read)
    reader.start()
    feed.cancel()
    reader.join(30)
    assert seen == ["cancelled"]


def test_feed_does_not_wait_for_a_reader_that_has_gone() -> None:
    feed = Feed()
    feed.abandon()
    for _ in range(200):
        feed.put(1, b"x" * 100_000)
    feed.close()
    assert feed.read() == b""
