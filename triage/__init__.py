"""triage: an expert system for GPU errors.

import triage
report = triage.explain(text)          # str, bytes, a path object or an open file
triage.explain_job({"rank0.log": text, "rank1.log": path})   # the logs of one job together
report.diagnoses[0].family             # 'memory.gpu-oom'
report.to_dict()                       # the JSON report
report.to_markdown(lang="en")          # ready for an issue comment
triage.explain_exception(error)        # an exception of this program, with what this machine tells
triage.install()                       # explain what nobody catches; in a notebook: %load_ext triage
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from triage.integrations.exceptions import explain_exception, install, uninstall
    from triage.pipeline import Triage, explain, explain_job
    from triage.report import Diagnosis, Fix, Report

__version__ = "0.1.0"
__all__ = [
    "Diagnosis", "Fix", "Report", "Triage", "__version__", "explain", "explain_exception", "explain_job", "install", "uninstall",
]  # fmt: skip

_HOMES = {
    "explain": "pipeline", "explain_job": "pipeline", "Triage": "pipeline", "Report": "report", "Diagnosis": "report", "Fix": "report",
    "explain_exception": "integrations.exceptions", "install": "integrations.exceptions", "uninstall": "integrations.exceptions",
    "load_ipython_extension": "integrations.notebook", "unload_ipython_extension": "integrations.notebook",
}  # fmt: skip


def __getattr__(name: str) -> Any:  # `import triage` itself loads nothing
    if name in _HOMES:
        from importlib import import_module

        value = getattr(import_module(f"triage.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'triage' has no attribute {name!r}")
