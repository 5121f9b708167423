"""From a log to a rule: the message with holes for its values, a near miss, and a complete file."""

from triage.workshop.new.draft import (
    Draft,
    Workbench,
    check_name,
    check_near,
    check_signature,
    compiled_signature,
    default_path,
    diagnosed_already,
    make_draft,
)
from triage.workshop.new.selection import DraftError, proposed, selected

__all__ = [
    "Draft",
    "DraftError",
    "Workbench",
    "check_name",
    "check_near",
    "check_signature",
    "compiled_signature",
    "default_path",
    "diagnosed_already",
    "make_draft",
    "proposed",
    "selected",
]
