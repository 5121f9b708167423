"""`triage explain` as a process: formats, languages, exit status, and every way in which it can go wrong."""

from __future__ import annotations

import bz2
import gzip
import itertools
import json
import lzma
import os
import re
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest
from cli_support import HEALTHY, OOM, environment, one_line, triage, triage_with_peak

from triage.render.schema import report_schema

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX only")

TIMEOUT = (
    "[E1105 09:12:44.301 ProcessGroupNCCL.cpp:629] [Rank 7] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=310, "
    "OpType=ALLREDUCE, NumelIn=4096, NumelOut=4096, Timeout(ms)=1800000) ran for 1800057 milliseconds before timing out.\n"
)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "train.log"
    path.write_text(OOM, encoding="utf-8")
    return path


def test_reads_a_pipe() -> None:
    result = triage("explain", stdin=OOM.encode())
    assert result.returncode == 0
    assert result.stderr == b""
    text = result.stdout.decode()
    for part in ("memory.gpu-oom", "GPU 1", "2.00 GiB", "23.65 GiB", "█", "/home/ana/train.py:12", "loss.backward()"):
        assert part in text
    assert "\x1b" not in text


def test_reads_a_file_and_a_dash_alike(log: Path) -> None:
    piped = triage("explain", "-", stdin=OOM.encode()).stdout
    assert triage("explain", log).stdout == piped
    assert triage("explain", stdin=OOM.encode()).stdout == piped


def test_speaks_chinese(log: Path) -> None:
    asked = triage("explain", log, "--lang", "zh").stdout.decode()
    assert "显存" in asked
    assert triage("explain", log, TRIAGE_LANG="zh").stdout.decode() == asked
    assert triage("explain", log, LC_ALL="zh_CN.UTF-8").stdout.decode() == asked
    assert "显存" not in triage("explain", log, "--lang", "en", TRIAGE_LANG="zh").stdout.decode()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_json_follows_the_schema_it_publishes(log: Path, lang: str) -> None:
    schema = json.loads(triage("schema", "report").stdout)
    assert schema == report_schema()
    validator = jsonschema.Draft202012Validator(schema)
    for more in ([], ["--why"], ["--verbose"], ["--why", "--verbose"]):
        report = json.loads(triage("explain", log, "--format", "json", "--lang", lang, *more).stdout)
        validator.validate(report)
        assert report["lang"] == lang
        assert report["diagnoses"][0]["family"] == "memory.gpu-oom"
        assert report["input"]["name"] == str(log)
        assert ("observations" in report) == ("--verbose" in more)
        assert ("proof" in report["diagnoses"][0]) == ("--why" in more)


def test_why_leads_down_to_the_raw_line(log: Path) -> None:
    plain = triage("explain", log).stdout.decode()
    why = triage("explain", log, "--why").stdout.decode()
    assert why.startswith(plain.split("\nSimilar")[0].split("\nNoise")[0].split("\nEnvironment")[0].rstrip("\n"))
    chain = why.split("\nWhy\n")[1]
    assert re.search(r"line 4: torch\.cuda\.OutOfMemoryError", chain)


def test_markdown_and_html_and_sarif(log: Path) -> None:
    assert triage("explain", log, "--format", "markdown").stdout.decode().startswith("### ")
    assert triage("explain", log, "--format", "html").stdout.startswith(b"<!doctype html>")
    sarif = json.loads(triage("explain", log, "--format", "sarif").stdout)
    assert sarif["runs"][0]["results"][0]["ruleId"].startswith("memory.gpu-oom")


def test_several_files_are_told_apart(log: Path, tmp_path: Path) -> None:
    healthy = tmp_path / "healthy.log"
    healthy.write_text(HEALTHY, encoding="utf-8")
    text = triage("explain", "--each", log, healthy).stdout.decode()
    assert f"== {log} ==" in text
    assert f"== {healthy} ==" in text
    reports = json.loads(triage("explain", "--each", log, healthy, "--format", "json").stdout)
    assert [bool(report["diagnoses"]) for report in reports] == [True, False]
    assert triage("explain", "--each", log, healthy, "--format", "markdown").stdout.decode().count("\n## `") == 1
    results = json.loads(triage("explain", "--each", log, log, "--format", "sarif").stdout)["runs"][0]["results"]
    assert len(results) == 2 * len(reports[0]["diagnoses"])


def test_several_files_are_the_logs_of_one_job(log: Path, tmp_path: Path) -> None:
    waiting = tmp_path / "rank7.log"
    waiting.write_text(TIMEOUT, encoding="utf-8")
    text = " ".join(triage("explain", waiting, log, COLUMNS="200").stdout.decode().split())
    assert text.index("out of memory") < text.index("ALLREDUCE timed out")
    assert f"rank 7, {waiting}:1, follows from memory.gpu-oom" in text
    report = json.loads(triage("explain", waiting, log, "--format", "json").stdout)
    assert [item["name"] for item in report["input"]["files"]] == [str(waiting), str(log)]
    assert report["diagnoses"][0]["evidence"][0]["file"] == str(log)
    for kind in ("markdown", "html", "sarif"):
        assert log.name in triage("explain", waiting, log, "--format", kind).stdout.decode()


def test_exit_status_tells_of_a_diagnosis_only_when_asked(log: Path) -> None:
    assert triage("explain", log).returncode == 0
    assert triage("explain", log, "--exit-code").returncode == 1
    assert triage("explain", "--exit-code", stdin=HEALTHY.encode()).returncode == 0


@pytest.mark.parametrize(
    "data",
    [b"", b"\n", b"\x00\x01\x02\xff" * 500, b"\xff\xfe\x00", os.urandom(5000), HEALTHY.encode(), b"\x1b[31m\r\r\r", b"\x80" * 100],
    ids=["empty", "blank", "binary", "bom", "random", "healthy", "controls", "continuation"],
)
def test_where_there_is_nothing_it_says_so(data: bytes) -> None:
    result = triage("explain", "--exit-code", stdin=data)
    assert result.returncode == 0
    assert result.stderr == b""
    assert result.stdout.decode().startswith("Nothing GPU-related found\n")


def test_empty_input_is_called_empty() -> None:
    assert "The input is empty." in triage("explain").stdout.decode()
    assert "2 lines read" in triage("explain", stdin=HEALTHY.encode()).stdout.decode()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["explain", "{tmp}/missing.log"], "triage explain: {tmp}/missing.log: No such file or directory"),
        (["explain", "{tmp}"], "triage explain: {tmp}: Is a directory"),
        (["explain", "{tmp}/train.log/x"], "triage explain: {tmp}/train.log/x: Not a directory"),
        (["explain", "--lang", "de"], "triage explain: Invalid value for '--lang': 'de' is not one of 'en', 'zh'."),
        (["explain", "--format", "pdf"], "triage explain: Invalid value for '--format'"),
        (["explain", "--color=sometimes"], "triage explain: Invalid value for '--color'"),
        (["explain", "--frobnicate"], "triage explain: No such option '--frobnicate'"),
        (["explain", "--format"], "triage: Option '--format' requires an argument."),
        (["explain", "-o", "{tmp}/no/out.txt"], "triage explain: {tmp}/no/out.txt: No such file or directory"),
        (["explian"], "triage: no such command 'explian': did you mean explain?"),
        (["schema", "nothing"], "triage schema: Invalid value"),
        (["run"], "triage run: Missing argument"),
        (["why-not"], "triage why-not: Missing argument 'RULE'."),
        (["why-not", "no.such.rule"], "triage why-not: no rule is called no.such.rule"),
        (["why-not", "no.such.rule", "{tmp}/missing.log"], "triage why-not: {tmp}/missing.log: No such file or directory"),
        (["kb", "show", "no-such-case"], "triage kb show: no case is called no-such-case"),
        (["hook", "--update-baseline"], "triage hook: --update-baseline needs --baseline FILE"),
        (["hook", "{tmp}/missing.log"], "triage hook: {tmp}/missing.log: No such file or directory"),
        (["hook", "--baseline", "{tmp}/missing.json"], "triage hook: {tmp}/missing.json: no such file"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_usage_costs_one_line(arguments: list[str], message: str, log: Path, tmp_path: Path) -> None:
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "wrong.yaml").write_text("failure: [", encoding="utf-8")
    result = triage(*(argument.format(tmp=tmp_path) for argument in arguments))
    assert one_line(result.stderr).startswith(message.format(tmp=tmp_path))
    assert result.returncode == 2
    assert result.stdout == b""


def test_a_rule_pack_that_cannot_be_used_costs_one_line(log: Path, tmp_path: Path) -> None:
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "wrong.yaml").write_text("failure: [", encoding="utf-8")
    result = triage("explain", log, "--rules", tmp_path / "bad")
    assert "bad/wrong.yaml:" in one_line(result.stderr)
    assert result.returncode == 2
    assert result.stdout == b""


@POSIX
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may read everything")
def test_unreadable_file(log: Path) -> None:
    log.chmod(0)
    result = triage("explain", log)
    assert one_line(result.stderr) == f"triage explain: {log}: Permission denied"
    assert result.returncode == 2


def test_an_unreadable_file_does_not_hide_the_others(log: Path, tmp_path: Path) -> None:
    result = triage("explain", tmp_path / "missing.log", log, "--format", "json")
    assert result.returncode == 2
    assert one_line(result.stderr).endswith("missing.log: No such file or directory")
    assert json.loads(result.stdout)["diagnoses"]


@POSIX
def test_names_that_are_no_text_are_shown_escaped(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/\x1b[31m\xff.log"
    with open(name, "wb") as file:
        file.write(OOM.encode())
    result = triage("explain", "--each", os.fsdecode(name), os.fsdecode(name))
    assert result.returncode == 0
    assert rb"\x1b[31m\udcff.log ==" in result.stdout
    for kind, count in itertools.product(("text", "json", "markdown", "html", "sarif"), (1, 2)):
        result = triage("explain", *[os.fsdecode(name)] * count, "--format", kind)
        assert result.returncode == 0, result.stderr
        assert b"\x1b" not in result.stdout
        result.stdout.decode("utf-8")


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_compressed_log_is_read(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    path = tmp_path / "a log.old"
    path.write_bytes(pack(OOM.encode()))
    for result in (triage("explain", path, "--format", "json"), triage("explain", "--format", "json", stdin=path.read_bytes())):
        assert result.returncode == 0
        assert json.loads(result.stdout)["diagnoses"][0]["family"] == "memory.gpu-oom"


def test_a_log_compressed_with_zstd_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.log.zst"
    path.write_bytes(pytest.importorskip("zstandard").compress(OOM.encode()))
    result = triage("explain", path, "--format", "json")
    assert json.loads(result.stdout)["diagnoses"][0]["family"] == "memory.gpu-oom"


def test_of_an_archive_it_is_told_how_to_read_it(tmp_path: Path) -> None:
    path = tmp_path / "logs.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("train.log", OOM)
    result = triage("explain", path)
    assert result.returncode == 2
    assert "unzip -p" in one_line(result.stderr)


def test_what_of_a_damaged_file_can_be_unpacked_is_read(tmp_path: Path) -> None:
    path = tmp_path / "cut.gz"
    noise = "".join(f"{number * 7919 % 10007} steps\n" for number in range(50_000))
    path.write_bytes(gzip.compress((OOM + noise).encode())[:-2000])
    result = triage("explain", path, "--format", "json")
    assert result.returncode == 0
    assert "it ends early; what could be unpacked was read" in one_line(result.stderr)
    assert json.loads(result.stdout)["diagnoses"][0]["family"] == "memory.gpu-oom"


def test_writes_to_a_file(log: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.md"
    result = triage("explain", log, "--format", "markdown", "--lang", "zh", "-o", target, PYTHONIOENCODING="ascii")
    assert result.stdout == result.stderr == b""
    assert "显存" in target.read_text(encoding="utf-8")
    triage("explain", log, "-o", target, "--lang=zh", PYTHONIOENCODING="ascii")
    assert "█" in target.read_text(encoding="utf-8")


@pytest.mark.parametrize("encoding", ["ascii", "cp936", "latin-1", "utf-8"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_any_encoding_of_the_terminal(log: Path, encoding: str, lang: str) -> None:
    result = triage("explain", log, "--lang", lang, "--why", "--verbose", PYTHONIOENCODING=encoding, PYTHONUTF8=None)
    assert result.returncode == 0, result.stderr
    assert result.stderr == b""
    text = result.stdout.decode(encoding)
    assert ("█" in text) == (encoding == "utf-8")
    assert ("显存" in text) == (lang == "zh" and encoding in ("cp936", "utf-8"))


@pytest.mark.parametrize("kind", ["json", "markdown", "html", "sarif"])
def test_documents_are_utf8_on_any_terminal(log: Path, kind: str) -> None:
    result = triage("explain", log, "--lang", "zh", "--format", kind, PYTHONIOENCODING="cp936", PYTHONUTF8=None)
    assert "显存" in result.stdout.decode("utf-8")


def test_colour_is_asked_for_or_left_out(log: Path) -> None:
    assert b"\x1b[" in triage("explain", log, "--color", "always").stdout
    assert b"\x1b[" in triage("explain", log, FORCE_COLOR="1").stdout
    assert b"\x1b[" not in triage("explain", log, "--color", "never", FORCE_COLOR="1").stdout
    assert b"\x1b[" not in triage("explain", log, NO_COLOR="1", FORCE_COLOR="1").stdout


def test_lines_keep_to_the_width_asked_for(log: Path) -> None:
    lines = triage("explain", log, COLUMNS="60").stdout.decode().splitlines()
    prose = [line for line in lines if "://" not in line and not line.startswith("       ")]  # addresses and commands stay whole
    assert max(map(len, prose)) <= 60


def test_what_a_log_says_reaches_no_terminal(tmp_path: Path) -> None:
    evil = "\x1b]0;owned\x07\x1b[2J\u202e<script>\x9b31m"
    text = OOM.replace("/home/ana/train.py", f"/home/{evil}/train.py").replace("loss.backward()", f"loss.backward() # {evil}")
    for kind in ("text", "json", "markdown", "html", "sarif"):
        result = triage("explain", "--format", kind, "--why", "--verbose", stdin=text.encode())
        assert result.returncode == 0, result.stderr
        assert all(char.isprintable() or char == "\n" for char in result.stdout.decode()), kind
    assert b"<script>" not in triage("explain", "--format", "html", stdin=text.encode()).stdout


@POSIX
def test_a_closed_pipe_is_silent(log: Path) -> None:
    for kind in ("text", "json", "html"):
        command = f"{sys.executable} -m triage explain --verbose --format {kind} {log} {log} {log} | head -n 1; echo ${{PIPESTATUS[0]}}"
        result = subprocess.run(["bash", "-c", command], capture_output=True, env=environment(), timeout=120, check=False)
        assert result.stderr == b""
        assert result.stdout.splitlines()[-1] == b"0"


@POSIX
def test_standard_streams_may_be_closed(log: Path) -> None:
    for redirection, status in ((">&-", 0), ("2>&-", 0), ("<&-", 0)):
        command = f"{sys.executable} -m triage explain {log} {redirection}"
        result = subprocess.run(["bash", "-c", command], capture_output=True, env=environment(), timeout=120, check=False)
        assert (result.returncode, result.stderr) == (status, b"")
    command = f"{sys.executable} -m triage explain <&-"
    result = subprocess.run(["bash", "-c", command], capture_output=True, env=environment(), timeout=120, check=False)
    assert one_line(result.stderr) == "triage explain: -: standard input is closed"
    assert result.returncode == 2


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_a_full_disk_is_one_line(log: Path) -> None:
    for kind in ("text", "json"):
        command = f"{sys.executable} -m triage explain --format {kind} {log} > /dev/full"
        result = subprocess.run(["bash", "-c", command], capture_output=True, env=environment(), timeout=120, check=False)
        assert one_line(result.stderr) == "triage: No space left on device"
        assert result.returncode == 2


@POSIX
@pytest.mark.parametrize("command_line", [["explain"], ["why-not", "memory.gpu-oom.full"]], ids=["without click", "with click"])
def test_control_c_ends_with_130(command_line: list[str]) -> None:
    command = [sys.executable, "-m", "triage", *command_line]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
    assert process.stdin is not None
    process.stdin.write(b"x\n")
    process.stdin.flush()
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130
    assert error.strip() == b""


def test_a_hundred_megabytes_are_read_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "big.log"
    with open(path, "wb") as file:
        for _ in range(10):
            file.write(b"step 1 loss 0.5 lr 1e-4 grad_norm 0.31\n" * 250_000)
        file.write(OOM.encode())
    result, peak = triage_with_peak("explain", path, "--format", "json")
    report = json.loads(result.stdout)
    assert report["diagnoses"][0]["family"] == "memory.gpu-oom"
    assert report["diagnoses"][0]["evidence"][0]["line"] == 2_500_004
    assert report["input"]["omitted"]
    assert peak < 400_000  # KiB
    assert "searched for known failures only" in triage("explain", path).stdout.decode()


def test_explaining_imports_nothing_it_does_not_use(log: Path) -> None:
    program = (
        "import sys; sys.argv = ['triage', 'explain', sys.argv[1]]\n"
        "from triage.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(*sorted(sys.modules), file=sys.stderr)"
    )
    triage("explain", log)  # compiles the rules
    result = subprocess.run([sys.executable, "-c", program, str(log)], capture_output=True, env=environment(), timeout=120, check=True)
    modules = set(result.stderr.decode().split())
    costly = "click yaml jinja2 pydantic rapidfuzz rich dataclasses logging subprocess torch inspect importlib.metadata"
    assert not set(costly.split()) & modules


def test_importing_the_package_loads_nothing() -> None:
    program = "import sys; before = set(sys.modules); import triage; print(*sorted(set(sys.modules) - before))"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, env=environment(), timeout=60, check=True)
    assert {name for name in result.stdout.decode().split() if name.startswith("triage")} == {"triage"}
    assert "click" not in result.stdout.decode()
