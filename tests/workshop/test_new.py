"""`triage rules new`: what becomes of a message, and that what is written is complete."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from triage.cli.group import program
from triage.rulebook.loader import load_file
from triage.workshop import lint as linting
from triage.workshop import new as drafting
from triage.workshop.new.message import anonymous, generalised, message_of, slug
from triage.workshop.new.near import near_miss
from triage.workshop.new.selection import proposed
from triage.workshop.new.writing import block, quoted, value

LOG = """epoch 3: loss 1.20
[rank1]: Traceback (most recent call last):
[rank1]:   File "/home/ana/train.py", line 41, in <module>
[rank1]:     arena.reserve(n)
[rank1]: ArenaError: pinned arena 3 on cuda:1 refused 2.50 GiB: it's "full" {again}
epoch 4: loss 1.19
the second arena says goodbye
and closes 12 segments
"""


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("arena refused 2.50 GiB on cuda:1 (GPU 1)", "arena refused %{SIZE:requested_bytes} on %{DEVICE:devices} (GPU %{INT:gpu})"),
        (
            "tried to allocate 20 MiB, 79.1 GiB total, 12 MB free",
            "tried to allocate %{SIZE:requested_bytes}, %{SIZE:capacity_bytes} total, %{SIZE:free_bytes} free",
        ),
        ("needs 3 GiB but 1 GiB is available", "needs %{SIZE:needed_bytes} but %{SIZE:free_bytes} is available"),
        ("tensors on cuda:0 and cpu:0", "tensors on %{DEVICE:devices} and %{DEVICE:devices}"),
        ("at 0x7f00dead in /opt/x/lib.so, v2.1.0", "at %{HEX} in %{PATH:path}, %{VERSION}"),
        ("NVRM: Xid 0000:07:00.0, pid=77", "NVRM: Xid %{PCI:pci}, pid=%{INT:pid}"),
        ("rank 3 lost rank 5 at 10.0.0.7:29500", "rank %{INT:rank} lost rank %{INT} at %{HOST:address}"),
        ("sm_86 fp16 took 12.5 s, step-3 of llama2 x3y", "sm_86 fp16 took %{NUM} s, step-%{INT} of llama2 x3y"),
        ("cudaErrorUnknown 100% done", "cudaErrorUnknown %{INT}% done"),
        ("no room for model.layers.3.mlp.weight", "no room for %{NAME}"),
        ("pool.ArenaError: model-00001.safetensors is cut off", "pool.ArenaError: %{PATH} is cut off"),
    ],
)
def test_values_become_holes(line: str, text: str) -> None:
    assert generalised(line) == text


def test_the_message_is_the_last_line_of_a_traceback_and_all_lines_otherwise() -> None:
    lines = ['  File "x.py", line 3, in f', "    g()", "ValueError:  bad   value 3"]
    assert message_of(lines) == ("ValueError: bad value %{INT}", 1)
    assert message_of(["one 1", "", "two"]) == ("one %{INT}\ntwo", 2)
    for wrong in ([], [" "], ["x"] * 9, ["100 %{SIZE}"]):
        with pytest.raises(ValueError, match=r"empty|more than|begins a hole"):
            message_of(wrong)


def test_names_of_users_are_left_out() -> None:
    assert anonymous('File "/home/ana/x.py" /Users/Bob/y C:\\Users\\Eve\\z') == 'File "/home/user/x.py" /Users/user/y C:\\Users\\user\\z'


def test_a_slug_is_an_identifier() -> None:
    assert slug("RuntimeError: The arena %{SIZE:requested_bytes} is FULL, again!") == "arena-full-again"
    assert slug("pool.ArenaError: arena %{INT} is exhausted: %{SIZE} requested, %{SIZE} free") == "pool-arena-exhausted-requested-free"
    assert slug("a long message about everything that has ever happened here") == "long-message-about-everything-that-ever"
    assert slug("12 %{INT}") == "new"


def test_a_near_miss_holds_the_literal_and_does_not_match() -> None:
    assert near_miss("arena refused %{SIZE}", lambda line: line.endswith("GiB"), ["arena refused"]) == "arena refused nothing"
    assert near_miss("arena is full", lambda line: "is full" in line, ["arena"]) == "arena is"
    assert near_miss("arena", lambda line: "arena" in line, ["arena"]) == '```diff\n- # raises "arena"\n+ # does not raise it any more\n```'


@pytest.mark.parametrize(
    "text",
    ["plain", "a: b", "it's", "yes", "12", "-", "{x}", "#x", "", "tab\there", "\u202ex", "zwei\nzeilen", "玩具", "'", "[a]", "x ", "null"],
)
def test_whatever_is_written_is_read_again(text: str) -> None:
    assert yaml.safe_load(f"k: {quoted(text)}")["k"] == text
    assert yaml.safe_load(f"k: {value([text, 3, 2.5, True])}")["k"] == [text, 3, 2.5, True]


@pytest.mark.parametrize("text", ["one\n  two\n\nthree", "  led by blanks\nx", "bell\x07\nx", "x: y\n# z\n- a", "---\n...\n%x"])
def test_blocks_keep_their_text(text: str) -> None:
    assert yaml.safe_load(f"k:\n  text: {block(text, 4)}\n")["k"]["text"].rstrip("\n") == text


@pytest.fixture(scope="module")
def bench() -> drafting.Workbench:
    return drafting.Workbench()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bench: drafting.Workbench) -> Path:
    monkeypatch.setattr(drafting, "Workbench", lambda: bench)  # nothing that is tried changes it, and it takes seconds to load
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.log").write_text(LOG, encoding="utf-8")
    return tmp_path


@pytest.fixture
def unlinted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves out the longest part of the command, which the first three tests that write a file have."""
    monkeypatch.setattr(linting, "lint", lambda paths: [])


def _new(*options: str, typed: str | None = None) -> tuple[int, str]:
    result = CliRunner().invoke(program, ["rules", "new", *options], input=typed)
    return result.exit_code, result.output


MESSAGE = ("--log", "train.log", "--lines", "2-5", "--family", "memory.gpu-oom", "--id", "arena")


def test_a_log_and_a_selection_become_a_whole_file(place: Path) -> None:
    status, output = _new(*MESSAGE)
    written = place / ".triage" / "rules" / "memory-arena.yaml"
    assert (status, output) == (0, f"{written.relative_to(place)}\n")  # neither test nor lint has anything to say
    source = load_file(written)
    [signature], [rule] = source.model.signatures, source.model.diagnoses
    assert signature.text == 'ArenaError: pinned arena %{INT} on %{DEVICE:devices} refused %{SIZE:requested_bytes}: it\'s "full" {again}'
    assert (source.model.status, source.model.failure, rule.id) == ("nursery", "memory.gpu-oom/arena", "arena")
    assert rule.summary is not None
    assert rule.summary.en == ["Devices: {devices|list}.", "{requested_bytes|bytes} was requested."]
    positive, near = source.model.examples
    assert "/home/user/train.py" in positive.text
    assert positive.expect.facts == {"requested_bytes": 2684354560, "devices": ["cuda:1"], "gpu": 1, "rank": 1}  # type: ignore[union-attr]
    assert near.near_miss
    schema = json.loads((written.parent / "rule.schema.json").read_text(encoding="utf-8"))
    assert written.read_text(encoding="utf-8").startswith("# yaml-language-server: $schema=rule.schema.json\n")
    assert schema["$id"] == "rule.schema.json"
    runner = CliRunner()
    assert runner.invoke(program, ["rules", "test", str(written)]).exit_code == 0
    assert runner.invoke(program, ["rules", "lint", "--strict", str(written)]).exit_code == 0
    explained = runner.invoke(program, ["explain", "train.log", "--format", "json"])
    assert json.loads(explained.output)["diagnoses"][0]["id"] == "memory.gpu-oom.arena"


def test_a_message_of_several_lines(place: Path) -> None:
    options = ("--log", "train.log", "--lines", "7-8", "--family", "memory.kv-cache", "--id", "goodbye", "-o", "mine/goodbye.yaml")
    status, output = _new(*options)
    assert status == 0, output
    [signature] = load_file(place / "mine" / "goodbye.yaml").model.signatures
    assert (signature.text, signature.span) == ("the second arena says goodbye\nand closes %{INT} segments", 2)


def test_every_answer_can_be_given(place: Path) -> None:
    answers = {
        "--cause": ["fragmentation"],
        "--title": ["The arena is in pieces", "显存池碎片化"],
        "--source": ["https://example.org/arena.c"],
        "--signature": ["ArenaError: pinned arena %{INT}"],
        "--near-miss": ["ArenaError: pinned arena seven"],
        "-o": ["rule.yaml"],
    }
    given = [part for name, texts in answers.items() for part in (name, *texts)]
    status, output = _new(*MESSAGE, *given, "--fix", "allocator-config", "--fix", "larger-gpu")
    assert status == 0, output
    model = load_file(place / "rule.yaml").model
    assert (model.title.en, model.diagnoses[0].cause) == ("The arena is in pieces", "fragmentation")  # type: ignore[union-attr]
    assert model.diagnoses[0].fixes == ["allocator-config", "larger-gpu"]
    assert model.signatures[0].source == model.references[0].url == "https://example.org/arena.c"
    assert not model.allow


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--family", "memory.gpu-oops"), "did you mean memory.gpu-oom?"),
        (("--cause", "fragmentations"), "did you mean fragmentation?"),
        (("--fix", "larger-gpus"), "did you mean larger-gpu?"),
        (("--lines", "99"), "the log has no lines 99: they are numbered from 1 to 8"),
        (("--id", "My Arena"), "'My Arena' is no name: it has small letters"),
        (("--signature", "an arena of another kind"), "does not match the selected lines"),
        (("--near-miss", 'ArenaError: pinned arena 4 on cpu:0 refused 1 GiB: it\'s "full" {again}'), "is matched by the message itself"),
        (("--lines", "5-2"), "the log has no lines 5-2"),
        (("--lines", "five"), "--lines takes one line or a range"),
        (("--signature", "%{SIZES:gpu} broken"), "unknown hole"),
        (("--signature", "%{INT}"), "cannot be used"),
    ],
)
def test_a_wrong_answer_is_one_line(place: Path, options: tuple[str, ...], says: str) -> None:
    result = CliRunner().invoke(program, ["rules", "new", *MESSAGE, *options])
    assert result.exit_code == 2
    assert says in result.output
    assert not (place / ".triage").exists()


def test_a_text_that_is_diagnosed_already_is_told(place: Path) -> None:
    (place / "train.log").write_text(
        "RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!\n", encoding="utf-8"
    )
    options = ("--log", "train.log", "--lines", "1", "--family", "device.mismatch", "--id", "again")
    result = CliRunner().invoke(program, ["rules", "new", *options])
    assert result.exit_code == 2
    assert "this text is diagnosed already, as device.mismatch." in result.output
    assert "rules/device/mismatch.yaml" in result.output


@pytest.mark.usefixtures("unlinted")
def test_nothing_is_overwritten(place: Path) -> None:
    assert _new(*MESSAGE)[0] == 0
    status, output = _new(*MESSAGE)
    assert status == 2
    assert "is there already" in output


@pytest.mark.usefixtures("unlinted")
def test_questions_have_answers_that_suffice(place: Path) -> None:
    typed = "train.log\n2-5\n\nmemory.gpu-oom\narena\n\n\n\n\n\n\ny\n"
    status, output = _new(typed=typed)
    assert status == 0, output
    assert "What failed" in output
    source = load_file(place / ".triage" / "rules" / "memory-arena.yaml")
    assert source.model.failure == "memory.gpu-oom/arena"


@pytest.mark.usefixtures("unlinted")
def test_what_cannot_be_used_is_asked_again(place: Path) -> None:
    answers = {
        "nowhere.log": "does not exist",
        "train.log": "",
        "99": "the log has no lines 99",
        "2-5": "",
        "%{SIZES:gpu} broken": "unknown hole",
        "memory.gpu-oom is not here": "does not match the selected lines",
        "ArenaError: pinned arena %{INT}": "",
        "?": "memory.host-oom: ",
        "memory.gpu-oops": "did you mean memory.gpu-oom?",
        "memory.gpu-oom": "",
        "My Arena": "is no name",
        "arena": "",
        "fragmentations": "did you mean fragmentation?",
        "fragmentation": "",
    }
    titles_and_fixes = {"The arena is in pieces": "", "显存池碎片化": "", "larger-gpus": "did you mean larger-gpu?", "larger-gpu": ""}
    rest = {"arena.c": "arena.c is no address", "https://example.org/arena.c": "", "ArenaError: pinned arena 7": "by the message itself"}
    typed = "".join(f"{answer}\n" for answer in [*answers, *titles_and_fixes, *rest, "", "y"])
    status, output = _new(typed=typed)
    assert status == 0, output
    for says in [*answers.values(), *titles_and_fixes.values(), *rest.values()]:
        assert says in output
    [rule] = load_file(place / ".triage" / "rules" / "memory-arena.yaml").model.diagnoses
    assert (rule.cause, rule.fixes) == ("fragmentation", ["larger-gpu"])


@pytest.mark.usefixtures("unlinted")
def test_the_line_that_looks_like_the_message_is_shown_and_proposed(place: Path) -> None:
    typed = "train.log\n\n\nmemory.gpu-oom\narena\n\n\n\n\n\n\ny\n"
    status, output = _new(typed=typed)
    assert status == 0, output
    assert "      5 | ArenaError: pinned arena 3 on cuda:1" in output
    assert "Its lines in that log (12, or 12-14) [5]: " in output
    assert "      6 | " not in output
    assert proposed(b"step 1\nstep 2\n") == ("", ["      1 | step 1", "      2 | step 2"])
    assert proposed(b"") == ("", [])


@pytest.mark.usefixtures("unlinted")
def test_a_name_that_is_taken_is_asked_again(place: Path) -> None:
    assert _new(*MESSAGE)[0] == 0
    typed = "train.log\n7\n\nmemory.gpu-oom\narena\nsecond\n\n\n\n\n\n\ny\n"
    status, output = _new(typed=typed)
    assert status == 0, output
    assert "is there already" in output
    assert (place / ".triage" / "rules" / "memory-second.yaml").exists()


def test_a_diagnosed_text_is_told_before_further_questions(place: Path) -> None:
    (place / "train.log").write_text("torch.cuda.OutOfMemoryError: CUDA out of memory.\n", encoding="utf-8")
    status, output = _new(typed="train.log\n1\n")
    assert status == 2
    assert "What failed" not in output


def test_a_file_in_a_checkout_goes_to_its_domain(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from triage.workshop.new import draft

    rules = place / "rules"
    for directory in (rules, place / "docs" / "schema", place / "sub"):
        directory.mkdir(parents=True)
    (place / "pyproject.toml").write_text("", encoding="utf-8")
    (place / "docs" / "schema" / "rule.schema.json").write_text("{}", encoding="utf-8")
    monkeypatch.setattr(draft, "shipped_directory", lambda name: str(place / name))
    monkeypatch.chdir(place / "sub")
    target = draft.default_path("memory.gpu-oom", "arena")
    assert target == Path(os.pardir) / "rules" / "memory" / "arena.yaml"
    assert draft.schema_path(target) == "../../docs/schema/rule.schema.json"
