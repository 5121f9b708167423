"""`%load_ext triage`: what cells raise is explained."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

interactiveshell = pytest.importorskip("IPython.core.interactiveshell")
RAISED = "CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 15.90 GiB total capacity; 14.00 GiB already allocated; 500.00 MiB free; "
RAISED += "14.80 GiB reserved in total by PyTorch)"
TITLE = "GPU 0 out of memory"


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("TRIAGE_LANG", "en")
    shell = interactiveshell.InteractiveShell.instance()
    shell.run_line_magic("load_ext", "triage")
    yield shell
    shell.run_line_magic("unload_ext", "triage")
    interactiveshell.InteractiveShell.clear_instance()


def test_a_cell_that_fails_is_explained(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_cell(f"raise RuntimeError({RAISED!r})")
    told = capsys.readouterr().out
    assert TITLE in told
    assert "interactiveshell" not in told.partition(TITLE)[2]


@pytest.mark.parametrize("cell", ["1 + 1", "raise ValueError('no such column')", "raise KeyboardInterrupt", "1 +"])
def test_others_are_not(shell: Any, capsys: pytest.CaptureFixture[str], cell: str) -> None:
    shell.run_cell(cell)
    assert TITLE not in capsys.readouterr().out


def test_the_last_exception_once_more(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_cell(f"raise RuntimeError({RAISED!r})")
    capsys.readouterr()
    shell.run_cell("%triage zh")
    assert "显存" in capsys.readouterr().out
    shell.run_cell("%triage de")
    assert capsys.readouterr().out == "triage: unknown language 'de': en or zh\n"


def test_a_text_from_elsewhere(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_cell(f"%%triage\nRuntimeError: {RAISED}\n")
    assert TITLE in capsys.readouterr().out
    shell.run_cell("%%triage\nepoch 1 done\n")
    assert "Nothing GPU-related found" in capsys.readouterr().out


def test_a_notebook_is_given_a_page(shell: Any) -> None:
    import triage
    from triage.integrations.notebook import Explanation

    page = Explanation(triage.explain(f"RuntimeError: {RAISED}"), "en")._repr_markdown_()
    assert page == triage.explain(f"RuntimeError: {RAISED}").to_markdown("en")
    assert "没有发现" in Explanation(triage.explain("fine"), "zh")._repr_markdown_()


def test_nothing_is_left_of_it(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_line_magic("unload_ext", "triage")
    shell.run_cell(f"raise RuntimeError({RAISED!r})")
    assert "What to do" not in capsys.readouterr().out
    shell.run_line_magic("load_ext", "triage")
