"""Versions that the statements of a script print, in their order."""

from __future__ import annotations

from triage import explain

SCRIPT = "import torch\nprint(torch.__version__)\nprint(torch.cuda.is_available())\nprint(torch.version.cuda)\n"
SCRIPT += "print(torch.backends.cudnn.version())\n"
ERROR = "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB\n"


def versions(text: str) -> dict[str, str]:
    found: dict[str, str] = explain(text).to_dict()["environment"]["versions"]
    return found


def test_output_in_the_order_of_the_statements() -> None:
    told = versions(f"```\n{SCRIPT}```\n\nIt prints:\n```\n1.13.1\nTrue\n11.7\n8500\n```\n{ERROR}")
    assert told == {"cuda": "11.7", "cudnn": "8500", "torch": "1.13.1"}


def test_output_of_something_else() -> None:
    assert versions(f"```\n{SCRIPT}```\n\nIt prints:\n```\n1.13.1\nTrue\nNone\n8500\n```\n{ERROR}") == {}
    assert versions(f"```\nprint(torch.__version__)\n```\nIt takes so many seconds:\n2.5\n{ERROR}") == {}
