"""Lines that were wrapped at a fixed width are joined again, others are left alone."""

from __future__ import annotations

import textwrap

import pytest

from triage import explain
from triage.reading import read

MESSAGE = (
    "RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 7.79 GiB total capacity; 6.10 GiB already allocated; "
    "15.31 MiB free; 6.30 GiB reserved in total by PyTorch) If reserved memory is much larger try setting max_split_size_mb"
)


@pytest.mark.parametrize("width", [72, 76, 80, 100])
def test_editor_wraps_at_words(width: int) -> None:
    wrapped = textwrap.fill(MESSAGE, width)
    log = read(f"start\n{wrapped}")
    assert MESSAGE in [line.text for line in log.unwrapped]
    joined = next(line for line in log.unwrapped if line.text == MESSAGE)
    assert (joined.number, joined.raw) == (2, wrapped)


def test_terminal_wraps_anywhere() -> None:
    wrapped = "\n".join(MESSAGE[start : start + 80] for start in range(0, len(MESSAGE), 80))
    assert MESSAGE in [line.text for line in read(wrapped).unwrapped]


def test_a_wide_terminal_wraps_too() -> None:
    message = f"{MESSAGE} {MESSAGE} {MESSAGE}"
    wrapped = "\n".join(message[start : start + 280] for start in range(0, len(message), 280))
    assert message in [line.text for line in read(wrapped).unwrapped]


SHORT = "RuntimeError: NCCL error in: /pytorch/torch/lib/c10d/ProcessGroupNCCL.cpp:784, unhandled system error, NCCL version 2.7.8"


@pytest.mark.parametrize("prefix", ["", "[rank3]: ", "2024-05-06 10:11:12,345 - ERROR - "])
@pytest.mark.parametrize("width", [80, 100])
def test_terminal_wraps_a_single_message_once(prefix: str, width: int) -> None:
    whole = prefix + SHORT
    [joined] = read(f"{whole[:width]}\n{whole[width:]}").unwrapped[:1]
    assert joined.text == SHORT
    assert joined.number == 1


def test_a_copy_of_a_terminal_of_any_width_is_filled_up_with_blanks() -> None:
    head, rest = SHORT[:91], SHORT[91:].ljust(91)
    assert SHORT in [line.text.rstrip() for line in read(f"{head}\n{rest}\n").unwrapped]


def test_the_longest_lines_of_a_terminal_tell_its_width() -> None:
    other = "torch.distributed.DistStoreError: Timed out after 601 seconds waiting for clients of the store on the first node"
    pieces = [SHORT[:87], SHORT[87:], "between", other[:87], other[87:]]
    joined = [line.text for line in read("title\n" + "\n".join(pieces)).unwrapped]
    assert SHORT in joined
    assert other in joined


def test_lines_that_begin_alike_tell_no_width() -> None:
    record = "rank 3 has finished step 1000 of the schedule and writes a checkpoint to the store of the team"
    assert read(f"title\n{record}\nand goes on\n{record}\nand goes on\n").unwrapped == []


@pytest.mark.parametrize("width", [72, 78, 80, 100])
def test_editor_wraps_a_short_paste(width: int) -> None:
    message = (
        "torch.distributed.DistStoreError: Timed out after 601 seconds waiting for clients of the store on the first node. "
        "2/4 clients joined."
    )
    assert message in [line.text for line in read(textwrap.fill(message, width)).unwrapped]


def test_a_message_that_names_its_rank_first() -> None:
    message = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB on GPU 3 which has a total capacity of 79.10 GiB"
    [joined] = [line for line in read(textwrap.fill(f"[rank3]: {message}", 80)).unwrapped if line.number == 1]
    assert joined.text == message
    assert joined.prefix.rank == 3


def test_lines_of_other_ranks_are_not_joined() -> None:
    text = "\n".join(f"[rank{rank}]: a message as wide as the terminal that prints it and no more, to a sign" for rank in range(8))
    assert {len(raw) for raw in text.split("\n")} == {80}
    assert read(text).unwrapped == []


def test_rules_of_signs_are_not_joined() -> None:
    assert read("\n".join(["=" * 80, "train.py FAILED", "-" * 80, "Failures:", "  <NO_OTHER_FAILURES>", "=" * 80])).unwrapped == []


def test_ordinary_log_has_no_unwrapped_lines() -> None:
    line = "2025-01-01 00:00:00,000 - INFO - the loss of step {} is {:.3f} and that is that, we go on\n"
    assert read("".join(line.format(step, step * 1.5) for step in range(30))).unwrapped == []


def test_traceback_has_no_unwrapped_lines() -> None:
    text = "Traceback (most recent call last):\n" + "".join(
        f'  File "/opt/conda/lib/python3.11/site-packages/torch/nn/modules/module.py", line {line}, in _call_impl\n'
        "    return forward_call(*args, **kwargs)\n"
        for line in range(5)
    )
    assert read(text + "RuntimeError: x").unwrapped == []


def test_a_text_wrapped_as_a_whole_goes_on_after_any_sign() -> None:
    text = (
        "Operation was explicitly assigned to /device:GPU:0 but available devices are [\n"
        "/job:localhost/replica:0/task:0/device:CPU:0 ]. Make sure the device\nspecification refers to a valid device.\n"
    )
    assert any("are [ /job:localhost" in line.text and "device specification refers" in line.text for line in read(text).unwrapped)


def test_a_longer_line_tells_that_nothing_was_wrapped_as_a_whole() -> None:
    text = "The message that was printed is the following one, without any further words:\ncudaErrorUnknown, unknown error\n"
    assert read(text).unwrapped
    assert not read(text + "x" * 300 + "\n").unwrapped


CHECK = (
    "../aten/src/ATen/native/cuda/ScatterGatherKernel.cu:365: operator(): block: [0,0,0], thread: [3,0,0]"
    ' Assertion `idx_dim >= 0 && idx_dim < index_size && "index out of bounds"` failed.'
)


@pytest.mark.parametrize("width", [47, 72, 90, 118, 130])
def test_the_report_of_a_failed_check_is_one_message_however_narrow(width: int) -> None:
    wrapped = "\n".join(textwrap.wrap(CHECK, width, break_long_words=False, break_on_hyphens=False))
    text = f"{wrapped}\nRuntimeError: CUDA error: device-side assert triggered\n"
    assert CHECK in [line.text for line in read(text).unwrapped]
    [found] = explain(text).diagnoses
    assert found.facts["op"] == "ScatterGatherKernel.cu"


@pytest.mark.parametrize("width", range(60, 133))
def test_the_report_of_a_failed_check_is_read_wherever_a_terminal_cut_its_words(width: int) -> None:
    checks = [CHECK, CHECK.replace("[3,0,0]", "[40,0,0]"), CHECK.replace("../aten", "/opt/pytorch/aten").replace("[3,0,0]", "[120,0,0]")]
    text = "".join(f"{check[at : at + width]}\n" for check in checks for at in range(0, len(check), width))
    assert read(text).unwrapped
    [found] = explain(text).diagnoses
    assert (found.family, found.cause) == ("kernel.device-assert", "index-out-of-range")


def test_a_check_and_the_one_after_it_stay_two() -> None:
    cut = CHECK[: CHECK.index(" && idx")]
    assert read(f"{cut}\n{CHECK}\n").unwrapped == []


def test_a_record_of_rich_goes_on_in_the_column_of_its_message() -> None:
    lines = [
        '10:02:11-400210 ERROR    Exception: "upsample_nearest2d" not implemented for          ',
        "                         'Half'                                                       ",
        "10:02:11-401377 ERROR    Arguments: args=('task', 'a house')                          ",
    ]
    assert any("not implemented for 'Half'" in line.text for line in read("\n".join(lines)).unwrapped)


def test_the_place_in_the_source_stands_not_amid_a_message_of_rich() -> None:
    lines = [
        "                    WARNING  CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0     train_util.py:673",
        "                             has a total capacity of 7.79 GiB of which 9.00 MiB is free.",
    ]
    (line,) = read("\n".join(lines)).unwrapped
    assert line.text.endswith("GPU 0 has a total capacity of 7.79 GiB of which 9.00 MiB is free.")


def test_what_is_indented_further_is_no_part_of_a_message_of_rich() -> None:
    lines = ["10:02:11 INFO     loaded", "                       name  size"]
    assert not read("\n".join(lines)).unwrapped


def test_the_last_cell_of_a_table_goes_on_in_rows_that_have_nothing_else() -> None:
    rows = [
        "| tokenizer | 1 | READY                                    |",
        "| generator | 1 | UNAVAILABLE: Internal: [ERROR] CUDA runti|",
        "| generator | 1 | UNAVAILABLE: Internal: CUDA runtime erro |",
        "|           |   | r in cudaMalloc(ptr): out of memory      |",
        "|           |   | 1   0x7f98 /opt/tritonserver/lib.so      |",
    ]
    assert "| generator | 1 | UNAVAILABLE: Internal: CUDA runtime error in cudaMalloc(ptr): out of memory" in [
        line.text for line in read("\n".join(rows)).unwrapped
    ]


def test_the_margin_of_what_goes_on_is_no_word() -> None:
    lines = [
        "        torch.OutOfMemoryError: CUDA out of memory. Tried to allocate",
        "        96.00 MiB. GPU 0 has a total capacity of 15.77 GiB of which",
        "        80.12 MiB is free.",
    ]
    assert any("Tried to allocate 96.00 MiB. GPU 0 has" in line.text for line in read("\n".join(lines)).unwrapped)
