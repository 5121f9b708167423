"""Output, prose, code, source and diffs are told apart; errors always count as output."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from triage.reading import read


def roles(text: str) -> list[tuple[str, str]]:
    return [(line.role, line.text) for line in read(text).lines if line.text.strip()]


def test_fences() -> None:
    text = """I train on two cards.
```python
import torch
model = Net()
loss = model(x)
```
and this is the error
```
RuntimeError: CUDA error
```
Thanks!"""
    assert [role for role, _ in roles(text)] == [*["prose"] * 2, *["code"] * 3, *["prose"] * 3, "output", *["prose"] * 2]


def test_traceback_in_a_fence_marked_python_is_output() -> None:
    text = 'Help me:\n```python\nTraceback (most recent call last):\n  File "a.py", line 1, in f\n    g(x=1)\nRuntimeError: x\n```'
    assert [role for role, _ in roles(text)] == ["prose", "prose", "output", "output", "source", "output", "prose"]


def test_code_in_an_unmarked_fence() -> None:
    text = "My script:\n```\nimport torch\nfrom x import y\nmodel = AutoModel.from_pretrained('a', device_map='auto')\n```"
    assert {role for role, line in roles(text) if "import" in line or "model" in line} == {"code"}


def test_what_is_printed_on_the_line_of_a_fence_is_no_language() -> None:
    assert roles("I get:\n``` CUDA version 11.8 detected, build may succeed\nnvcc fatal : no\n```")[2] == ("output", "nvcc fatal : no")
    assert roles("I run:\n```python title=train.py\nx = 1\n```")[2] == ("code", "x = 1")


def test_unclosed_fence_runs_to_the_end() -> None:
    assert roles("See:\n```\nRuntimeError: x\nmore")[-1] == ("output", "more")


def test_fence_inside_a_longer_fence_does_not_close_it() -> None:
    text = "See:\n````\n```\nRuntimeError: x\n```\nstill inside\n````\nI am outside of it now."
    assert ("output", "still inside") in roles(text)
    assert roles(text)[-1][0] == "prose"


def test_underlines_of_python_3_13_are_no_fences() -> None:
    text = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    a + b\n    ~~~~~~\nTypeError: x\nI am output'
    log = read(text)
    assert [line.role for line in log.lines] == ["output", "output", "source", "source", "output", "output"]


def test_error_lines_outside_fences_are_output() -> None:
    text = "I get\n\nRuntimeError: CUDA out of memory\n\nand after a change\n\n```\nValueError: x\n```"
    assert ("output", "RuntimeError: CUDA out of memory") in roles(text)


def test_prose_beside_an_unfenced_traceback() -> None:
    text = """I tried to fine-tune the model on my machine.
Traceback (most recent call last):
  File "a.py", line 1, in f
    g()
RuntimeError: x
What can I do about it?"""
    assert [role for role, _ in roles(text)] == ["prose", "output", "output", "source", "output", "prose"]


def test_sentence_below_a_title_where_somebody_speaks() -> None:
    told = "Training on two V100 cards ends after some twenty epochs with a CUDA oom error."
    text = f"OOM after 20 epochs\n{told}\n\n- smaller batch\nAny advice or hint on this is much appreciated!"
    assert ("prose", told) in roles(text)


def test_chinese_prose() -> None:
    text = "请问大家遇到过吗，训练刚开始就这样：\n\nRuntimeError: x\n"
    assert [role for role, _ in roles(text)] == ["prose", "output"]


@pytest.mark.parametrize(
    "sentence",
    [
        "GPUのメモリが足りないと言われます。",
        "학습을 시작하면 바로 멈춥니다",
        "У меня всё время вылетает эта ошибка на старте",
        "請問這要怎麼處理",
    ],
)
def test_what_people_write_in_other_scripts_is_prose(sentence: str) -> None:
    assert [line.role for line in read(f"Traceback (most recent call last):\nValueError: no\n\n{sentence}\n").lines][-1] == "prose"


def test_what_programs_print_in_other_scripts_is_output() -> None:
    text = "running training / 学習開始\n  num epochs / epoch数: 40\nШаг 3 из 10\n"
    assert {line.role for line in read(text).lines} == {"output"}


def test_chinese_sentence_between_lines_of_output() -> None:
    text = "RuntimeError: x\n第一轮可以正常训练，到第二轮就这样，什么原因？\nRuntimeError: y\n"
    assert [role for role, _ in roles(text)] == ["output", "prose", "output"]


def test_sentences_of_torch_stay_output() -> None:
    text = """RuntimeError: CUDA error: device-side assert triggered
CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.
For debugging consider passing CUDA_LAUNCH_BLOCKING=1.
Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions."""
    assert {role for role, _ in roles(text)} == {"output"}


def test_what_paddle_advises_below_its_error_makes_no_document() -> None:
    text = """ResourceExhaustedError:

Out of memory error on GPU 1. Cannot allocate 12.000000MB memory on GPU 1, available memory is only 3.000000MB.

Please check whether there is any other process using GPU 1.
1. If yes, please stop them, or start PaddlePaddle on another GPU.
2. If no, please try one of the following suggestions:
   1) Decrease the batch size of your model.
   2) FLAGS_fraction_of_gpu_memory_to_use is 0.60 now, please set it to a higher value but less than 1.0.
      The command is `export FLAGS_fraction_of_gpu_memory_to_use=xxx`.

代码如下：
    out, _ = net(x)  # 第二个返回值在这里不需要"""
    assert "document" not in {role for role, _ in roles(text)}


def test_log_lines_are_output_even_when_they_speak() -> None:
    text = "\n".join(f"2025-01-01 00:00:0{second},000 - INFO - We are now loading the weights of our model." for second in range(5))
    assert {role for role, _ in roles(text)} == {"output"}


def test_source_below_frames_is_told_in_each_stream() -> None:
    text = """[rank0]:   File "a.py", line 1, in f
[rank1]:   File "a.py", line 1, in f
[rank0]:     g()
[rank1]:     g()
[rank0]: RuntimeError: x
[rank1]: RuntimeError: x"""
    assert [role for role, _ in roles(text)] == ["output", "output", "source", "source", "output", "output"]


def test_source_without_indentation() -> None:
    text = 'File "a.py", line 1, in f\ng(x)\nFile "b.py", line 2, in g\nh(x)\nRuntimeError: x'
    assert [role for role, _ in roles(text)] == ["output", "source", "output", "source", "output"]


def test_source_below_warnings() -> None:
    text = """./tests/test_a.py:12: DeprecationWarning: invalid escape sequence \\.
  expected = 'MPI support has not been built\\.  Install it ' \\
./tests/test_a.py:13: DeprecationWarning: invalid escape sequence \\.
  'and build again\\.$'
/x/torch/cuda/__init__.py:80: UserWarning: CUDA initialization: unknown error
  return torch._C._cuda_getDeviceCount() > 0
/x/torch/cuda/__init__.py:94: UserWarning: Found GPU0 which is too old.
    PyTorch no longer supports this GPU.
/x/torch/cuda/__init__.py:95: UserWarning:
    Found GPU0 which is of capability 3.0."""
    assert [role for role, _ in roles(text)] == ["output", "source"] * 3 + ["output"] * 4


def test_diff() -> None:
    text = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a = RuntimeError\n+a = ValueError\n\nRuntimeError: x"
    assert [role for role, _ in roles(text)] == ["diff"] * 6 + ["output"]


def test_snippets_of_a_compiler() -> None:
    text = "a.cu:12:3: error: no match\n   12 |   foo(x);\n      |   ^~~\nend"
    assert [role for role, _ in roles(text)] == ["output", "source", "source", "output"]


def test_numbered_source_of_a_notebook() -> None:
    text = "RuntimeError  Traceback (most recent call last)\nCell In[3], line 2\n      1 a = 1\n----> 2 f(a)\n      3 b\n\nRuntimeError: x"
    assert [role for role, _ in roles(text)] == ["output", "output", "source", "source", "source", "output"]


def test_changelog_is_a_document() -> None:
    text = """## 1.2

### Fixed
- Fix `CUDA error: device-side assert triggered` in the smoother of labels (#812)
- Avoid a hang of NCCL at the end of training
"""
    assert [role for role, _ in roles(text)] == ["prose", "document", "document", "document"]


def test_answers_logged_by_a_model_do_not_make_a_log_an_issue() -> None:
    line = "2025-01-01 00:00:00,000 - INFO - step {}\n"
    text = "".join(line.format(step) for step in range(80)) + "```\nRuntimeError: x\n```\n"
    assert read(text).kind == "log"
    assert read(text).lines[-2].role == "output"


def test_table_and_indented_block_are_output() -> None:
    text = "I have this:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n    indented = 1\n\n```\nx\n```"
    assert [role for role, line in roles(text) if line.startswith(("|", "    "))] == ["output"] * 4


def test_sentences_at_the_beginning_are_prose_without_a_person() -> None:
    text = (
        "There is no way to use large models here, as quantisation is not supported yet.\n\n"
        "The first card is filled while the second card of the machine stays empty.\n\n"
        "torch.OutOfMemoryError: CUDA out of memory."
    )
    assert [role for role, _ in roles(text)] == ["prose", "prose", "output"]


@pytest.mark.parametrize("change", [lambda text: text.replace("\n", "\r\n"), lambda text: text.replace("\n", "  \n")])
def test_ends_of_lines_change_no_role(change: Callable[[str], str]) -> None:
    text = "## Recovery\n\nIf a kernel causes:\n\n```text\nCUDA error: out of memory\n```\n\ndo not retry.\n"
    assert [line.role for line in read(change(text)).lines] == [line.role for line in read(text).lines]
    assert read(text).lines[5].role == "document"


@pytest.mark.parametrize("sentence", ["Looking forward to your reply", "GPU performance is needed?", " I have tried it on two machines"])
def test_short_lines_of_a_letter_are_prose(sentence: str) -> None:
    assert roles(f"Traceback (most recent call last):\nValueError: no\n\n{sentence}\n")[-1][0] == "prose"


def test_what_a_person_tells_of_an_error_is_prose() -> None:
    told = "Hello author, I ran the code on two cards, but met an unhandled CUDA error. Is this a matter of versions?"
    assert roles(f"Training stops\n\n{told}\n")[-1] == ("prose", told)
    assert roles("My training stops after some steps, what can I do?\n\nFYI: My GPU has 4GB of VRAM")[-1][0] == "prose"
    assert roles("RuntimeError: CUDA error: unknown error")[-1][0] == "output"


def test_a_frame_that_was_pasted_without_its_indentation_ends_above_the_error() -> None:
    text = (
        'File "/opt/torch/utils/cpp_extension.py", line 387, in _check_cuda_version\n'
        "          raise RuntimeError(MESSAGE.format(found, wanted))\n"
        "      RuntimeError:\n"
        "      The detected CUDA version (12.2) mismatches the version that was used to compile\n"
        "      PyTorch (11.7).\n"
    )
    assert [role for role, _ in roles(text)] == ["output", "source", "output", "output", "output"]


def test_margin_of_an_indented_block() -> None:
    block = "    ========= Invalid __global__ read of size 4 bytes\n    =========     at 0x90 in add(float*)\n"
    text = f"I am new to this, and my program stops. This is what it says:\n\n{block}\nAny ideas what is wrong? Thanks in advance.\n"
    assert [line.text for line in read(text).lines[2:4]] == [part[4:] for part in block.splitlines()]
    listed = "step 1 done\n\n" + block + "\nstep 2 done\n"  # a program's own
    assert [line.text for line in read(listed).lines[2:4]] == block.splitlines()
    frame = "    frame #0: c10::Error::Error + 0x68 (0x7f in libc10.so)\n"
    below = f"What did I do wrong? Please help me to find out.\n{frame}\n"  # no blank line between
    assert [line.text for line in read(below).lines[1:2]] == [frame.rstrip()]


def test_sentences_right_above_an_error_are_prose() -> None:
    text = "Another user is training on the same card.\nRuntimeError: CUDA out of memory.\n"
    assert [role for role, _ in roles(text)] == ["prose", "output"]
    with_a_person = "I train on one card.\n\nThe second epoch is where it always stops working.\nRuntimeError: CUDA out of memory.\n"
    assert [role for role, line in roles(with_a_person) if line] == ["prose", "prose", "output"]


def test_short_sentences_count_beside_those_of_a_person() -> None:
    text = "I train on one card.\n\nAnother job runs there too.\n\nRuntimeError: CUDA out of memory.\n"
    assert [role for role, _ in roles(text)] == ["prose", "prose", "output"]
    assert [role for role, _ in roles("Another job runs there too.\n\nstep 1\n\nRuntimeError: x\n")] == ["output", "output", "output"]


_OUT_OF_MEMORY = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB."


@pytest.mark.parametrize(
    "sentence", ["Works with torch 2.3.1.", "Tried batch size 1.", "Worked yesterday.", "The driver is 535.", "Only the second GPU fails."]
)
def test_what_is_added_below_a_message_in_few_words_is_prose(sentence: str) -> None:
    assert roles(f"{_OUT_OF_MEMORY}\n\n{sentence}")[-1] == ("prose", sentence)


@pytest.mark.parametrize(
    "line",
    [
        "Please check the logs.", "Reducing block sizes may help.", "Required: 262160 Hardware limit: 101376 with 4 warps.",
        "Command exited with exit code 1.", "Retrying with backoff...", "Process was killed by signal 9",
    ],
)  # fmt: skip
def test_what_programs_end_with_is_output(line: str) -> None:
    assert roles(f"{_OUT_OF_MEMORY}\n{line}")[-1] == ("output", line)


def test_a_short_sentence_away_from_any_message_is_output() -> None:
    assert roles("step 1 loss 2.31\nstep 2 loss 2.30\n\nTraining is finished.")[-1][0] == "output"
