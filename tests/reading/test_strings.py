"""Strings that stand in source hold messages that nothing printed; what a person pastes between quotation marks stays what it is."""

from __future__ import annotations

import pytest

from triage.reading import read

ERROR = "RuntimeError: CUDA error: an illegal memory access was encountered"

STRINGS = {
    "what documents a file": f'# SPDX-License-Identifier: Apache-2.0\n\n"""Regression: it ended with\n{ERROR}\nof a kernel.\n"""\n',
    "cut at its beginning": f'the kernel ends with\n{ERROR}\n"""\n\nimport torch\n\nfrom a import b\n',
    "cut, of a function": f'    {ERROR}\n\n    Args:\n        x: the index\n    """\n\n',
    "cut, before a test": f'{ERROR}\n"""\n\n\n@pytest.fixture\ndef trace():\n',
    "joined": f'            "{ERROR} "\n            "in a worker."\n        )\n        raise failure\n',
}
REPORTS = {
    "quoted by a person": f'My job ends with\n"""\n{ERROR}\n"""\n\nWhat can I do?\n',
    "quoted, and text below": f'{ERROR}\n"""\n\nIt ends with the third step.\n',
    "a list of what was printed": f'    "{ERROR}",\n    "and more",\n',
}


def role(text: str) -> str:
    return next(line.role for line in read(text).lines if "illegal memory" in line.text)


@pytest.mark.parametrize("text", STRINGS.values(), ids=STRINGS)
def test_strings_are_source(text: str) -> None:
    assert role(text) == "code"


@pytest.mark.parametrize("text", REPORTS.values(), ids=REPORTS)
def test_reports_keep_their_role(text: str) -> None:
    assert role(text) not in ("code", "document")
