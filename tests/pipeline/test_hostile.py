"""What strangers write costs time in proportion to its length and reaches no reader as anything but text."""

from __future__ import annotations

import json
import re
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import triage
from triage.render import silence, text
from triage.render.formats import DOCUMENTS, document

DIGITS = "9" * 5000
LOGS = [
    "RuntimeError: CUDA out of memory. Tried to allocate 6.00 GiB (GPU 0; 8.00 GiB total capacity; 5.00 GiB already allocated)\n",
    'Traceback (most recent call last):\n  File "train.py", line 12, in main\n    loss.backward()\nRuntimeError: CUDA error: '
    "device-side assert triggered\n",
    "RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!\n",
    "ModuleNotFoundError: No module named 'flash_attn'\ntorch==2.4.0\n$ torchrun --nproc-per-node 8 train.py --bf16 --name run\n",
    "NVRM: Xid (PCI:0000:04:00): 79, pid=1234, name=python, GPU has fallen off the bus.\nNVIDIA H100 80GB HBM3, Driver Version: 550.54\n",
    "[rank1]: Watchdog caught collective operation timeout: WorkNCCL(SeqNum=7, OpType=ALLREDUCE, NumelIn=1, Timeout(ms)=600000)\n",
]
BITS = [
    "<script>", "<img src=x onerror=f()>", "[a](https://e.example)", "![a](https://e.example/a.png)", "@ana", "`", "```", "</details>",
    "\x1b[2J", "\x1b]8;;https://e.example\x07", "\u202e", "\x00", "\r", "\b", "\ud800", "{0}", "{{7*7}}", "%s", "|", "\\", "'", '"', "$(f)",
    "\u2028", "\x85", DIGITS, "1e999", "-1", "\u0663" * 5000, "((((" * 500,
    "\U000e0101\ufe01", "\u2066\u200f", "[" * 2000, "A" * 20000, "\n", "torch==" + DIGITS,
]  # fmt: skip

CODE = re.compile(r"(?s)(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)")  # a block or span of Markdown in which a link is text


@st.composite
def spoilt(draw: st.DrawFn) -> str:
    """A log with pieces put into it or in the place of its words."""
    text = draw(st.sampled_from(LOGS))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 12)))
        text = text[:start] + draw(st.sampled_from(BITS)) + text[end:]
    return text


@settings(max_examples=60)
@given(spoilt())
def test_every_document_of_a_spoilt_log_is_made_of_text(log: str) -> None:
    report = triage.explain(log)
    for lang in ("en", "zh"):
        told = {**report.to_dict(), "lang": lang}
        json.dumps(told, allow_nan=False)
        for kind in DOCUMENTS:
            written = document([told], kind, "1.0")
            written.encode("utf-8")
            assert all(char.isprintable() or char == "\n" for char in written)
            assert "<script>" not in written.replace("\\u003c", "<") or kind in ("json", "sarif", "markdown")
            assert kind != "markdown" or "](https://e.example" not in CODE.sub("", written)
            if kind == "sarif":  # a snippet is the log as it stands, and only a message may link
                assert all("](" not in result["message"]["text"] for result in json.loads(written)["runs"][0]["results"])


@settings(max_examples=20)
@given(spoilt(), st.sampled_from(["memory.gpu-oom.fragmentation", "kernel.device-assert.class-label", "hardware.gpu-lost.fallen"]))
def test_what_a_terminal_gets_of_a_spoilt_log_is_text(log: str, rule: str) -> None:
    report = triage.explain(log)
    for lang in ("en", "zh"):
        told = report.to_dict(lang, verbose=True)
        for diagnosis, proof, advice in zip(told["diagnoses"], report.why(lang), report.why_advice(lang), strict=True):
            diagnosis["proof"] = [proof, *advice]
        pages = [text.render(told, why=True, verbose=True), silence.render(rule, report.why_not(rule), lang=lang)]
        assert all(char.isprintable() or char == "\n" for page in pages for char in page)
        "".join(pages).encode("utf-8")


@pytest.mark.parametrize(
    "log",
    [
        f"RuntimeError: CUDA out of memory. Tried to allocate {DIGITS} GiB (GPU 0; 8.00 GiB total capacity)",
        f"NVRM: Xid (PCI:0000:04:00): {DIGITS}, pid={DIGITS}",
        f"NVRM: Xid (PCI:0000:04:00): 13, pid=1, name=python, ESR 0x{'f' * 9000}=0x1",
        f"torch=={DIGITS}.{DIGITS}\nCUDA {DIGITS}.1\n",
        f"  File \"a.py\", line {DIGITS}, in f\nRuntimeError: CUDA error: invalid device ordinal",
        f'{{"loss": 1e999, "step": {DIGITS}}}\nloss is nan',
        f"Timeout(ms)={DIGITS}\nRan for {DIGITS} ms before timing out.",
        "cuda:" + "\u0663" * 6000,
    ],
    ids=range(8),
)  # fmt: skip
def test_numbers_of_thousands_of_digits(log: str) -> None:
    json.dumps(triage.explain(log).to_dict(), allow_nan=False)


SHAPES: dict[str, Any] = {
    "one long word": lambda size: "a" * size,
    "nesting": lambda size: "[{" * (size // 2),
    "quotes": lambda size: "'\"" * (size // 2),
    "one message in a line": lambda size: LOGS[0].rstrip() * (size // len(LOGS[0])),
    "messages": lambda size: LOGS[0] * (size // len(LOGS[0])),
    "headings": lambda size: "## RuntimeError: x\n" * (size // 19),
    "rows": lambda size: "| a | Error | Use |\n" * (size // 20),
    "introductions": lambda size: ("you may " * 60 + ":\n") * (size // 482),
    "escapes": lambda size: "\x1b]8;;" * (size // 5),
    "open strings": lambda size: 'x = """a\n' * (size // 9),
    "denials": lambda size: "I get error, but no error; to avoid crash. " * (size // 43),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_time_grows_with_length(shape: str) -> None:
    spent = []
    for size in (60_000, 240_000):
        text = SHAPES[shape](size)
        start = time.process_time()
        triage.explain(text)
        spent.append(time.process_time() - start)
    assert spent[1] < 8 * spent[0] + 0.5
