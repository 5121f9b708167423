"""Settings for all tests: none depends on how fast the machine is, nor on what started the tests."""

from __future__ import annotations

import gc
import signal
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

from triage.rulebook import compiler, expressions
from triage.rulebook.loader import Source, load_rules
from triage.rulebook.store import shipped_directory
from triage.signatures import patterns

settings.register_profile("triage", deadline=None, derandomize=True)
settings.load_profile("triage")

# What nohup, or a shell in the background, starts ignores signals, and so would all that the tests start.
for _name, _handler in (("SIGINT", signal.default_int_handler), ("SIGHUP", signal.SIG_DFL)):
    if hasattr(signal, _name) and signal.getsignal(signal.Signals[_name]) is signal.SIG_IGN:
        signal.signal(signal.Signals[_name], _handler)

# As the command line has it: what stays for the whole run, such as all rules, is not looked through for garbage again and again.
gc.set_threshold(200_000)

# Dozens of tests compile all rules. What a pattern becomes depends on nothing but its text, and was most of what compiling takes.
patterns.compile_text = compiler.compile_text = cache(patterns.compile_text)
patterns.compile_pattern = compiler.compile_pattern = cache(patterns.compile_pattern)
patterns.CompiledPattern.alternatives = cache(patterns.CompiledPattern.alternatives)
expressions.sections = cache(expressions.sections)

LONGEST = ("test_reference_on_examples.py",)


@pytest.fixture(scope="session")
def shipped_rules() -> list[Source]:
    """All rule files that are shipped. As long as somebody holds them they are not read again, which is most of what such tests cost."""
    return load_rules([Path(shipped_directory("rules"))])


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The file that takes longest begins first: last, it would keep one process at work while the others have nothing left to do."""
    items.sort(key=lambda item: item.path.name not in LONGEST)
