from __future__ import annotations

import doctest
from pathlib import Path

import triage.engine


def test_the_example_of_the_readme_runs() -> None:
    readme = Path(triage.engine.__file__).with_name("README.md")
    outcome = doctest.testfile(str(readme), module_relative=False)
    assert outcome.attempted > 5
    assert outcome.failed == 0
