"""What a program raises is explained where it happens, and nothing else of the program changes."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

import triage

RAISED = "CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 15.90 GiB total capacity; 14.00 GiB already allocated; 500.00 MiB free; "
RAISED += "14.80 GiB reserved in total by PyTorch)"


def _run(program: str) -> subprocess.CompletedProcess[str]:
    text = f"import sys, threading, triage\nRAISED = {RAISED!r}\n{textwrap.dedent(program)}"
    return subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)


def test_an_exception_tells_what_led_to_it_and_what_this_machine_is() -> None:
    def load() -> None:
        try:
            raise RuntimeError(RAISED)
        except RuntimeError as error:
            raise ValueError("the model could not be loaded") from error

    with pytest.raises(ValueError, match="loaded") as raised:
        load()
    report = triage.explain_exception(raised.value)
    assert report.diagnoses[0].family == "memory.gpu-oom"
    assert report.diagnoses[0].facts["requested_bytes"] == 2 << 30
    assert report.diagnoses[0].user_frame is not None
    assert report.to_dict()["environment"]["versions"]["python"] == ".".join(map(str, sys.version_info[:3]))
    assert "python" not in triage.explain_exception(raised.value, live=False).to_dict()["environment"]["versions"]


def test_what_was_printed_before_is_read_too() -> None:
    printed = "/pytorch/aten/src/ATen/native/cuda/Loss.cu:250: nll_loss_forward_reduce_cuda_kernel_2d: block: [0,0,0], thread: [3,0,0] "
    printed += "Assertion `t >= 0 && t < n_classes` failed."
    report = triage.explain_exception(RuntimeError("CUDA error: device-side assert triggered"), live=False, printed=printed)
    assert report.diagnoses[0].id == "kernel.device-assert.class-label"


@pytest.mark.parametrize("error", [ValueError("no such column"), KeyError("x"), Exception(), RuntimeError("\x00\x1b[31m\ud800")])
def test_other_exceptions_are_no_failure_of_the_gpu(error: Exception) -> None:
    assert triage.explain_exception(error).diagnoses == []


def test_an_exception_that_cannot_say_what_it_is() -> None:
    class SpeechlessError(Exception):
        def __str__(self) -> str:
            raise RuntimeError(RAISED)

    assert triage.explain_exception(SpeechlessError()).diagnoses == []


def test_what_nobody_catches_is_explained_below_its_traceback() -> None:
    done = _run("triage.install('en')\nraise RuntimeError(RAISED)")
    assert done.returncode == 1
    traceback, found, told = done.stderr.partition("\nGPU 0 out of memory\n")
    assert found
    assert traceback.endswith(f"RuntimeError: {RAISED}\n")
    assert "What to do, best first" in told
    assert _run("triage.install('zh')\nraise RuntimeError(RAISED)").stderr.count("显存") > 1


def test_threads_too() -> None:
    done = _run(
        """
        def work(): raise RuntimeError(RAISED)
        triage.install("en")
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        """
    )
    assert done.returncode == 0
    assert "\nGPU 0 out of memory\n" in done.stderr


@pytest.mark.parametrize(
    "program",
    [
        "triage.install('en')\nraise ValueError('no such column')",
        "triage.install('en')\nsys.exit(RAISED)",
        "triage.install('en')\nraise KeyboardInterrupt(RAISED)",
        "triage.install('en')\ntriage.uninstall()\nraise RuntimeError(RAISED)",
        "triage.install()\nours = sys.excepthook\nsys.excepthook = lambda *it: ours(*it)\ntriage.uninstall()\nraise RuntimeError(RAISED)",
    ],
)
def test_nothing_is_said_of_anything_else(program: str) -> None:
    done = _run(program)
    assert done.returncode != 0
    assert "What to do" not in done.stderr


def test_hooks_of_others_are_called_once() -> None:
    done = _run(
        """
        sys.excepthook = lambda *told: print("mine", file=sys.stderr)
        triage.install("zh")
        triage.install("en")
        raise RuntimeError(RAISED)
        """
    )
    assert done.stderr.startswith("mine\n\nGPU 0 out of memory\n")
    assert done.stderr.count("What to do") == 1


def test_a_language_that_there_is_not() -> None:
    with pytest.raises(ValueError, match="unknown language 'de'"):
        triage.install("de")
