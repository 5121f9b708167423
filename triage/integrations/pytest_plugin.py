"""Explanations of failed tests: `pytest -p triage.integrations.pytest_plugin`.

Below a test that failed in the GPU stack stands a section with what failed, why and what to do, by the exception and what the test printed.
"""

from __future__ import annotations

from collections.abc import Generator

import pytest

from triage.render import console


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Adds the section. An assertion of the test itself that fails is no failure of the GPU stack, whatever words it compares."""
    report = yield
    if report.failed and call.excinfo is not None and not isinstance(call.excinfo.value, (AssertionError, pytest.fail.Exception)):
        from triage.integrations.exceptions import explain_exception
        from triage.render.text import render

        printed = "\n".join(text for _, text in report.sections)  # what pytest captured
        found = explain_exception(call.excinfo.value, printed=printed)
        if found.diagnoses:
            report.sections.append(("triage", render(found.to_dict(console.language(None)), width=console.columns(None))))
    return report
