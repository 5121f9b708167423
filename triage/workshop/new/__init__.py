"""From a log to a rule: the message with holes for its values, a near miss, and a complete file."""

from triage.workshop.new.draft import (
    Draft,
    DraftError,
    Workbench,
    compiled_signature,
    default_path,
    diagnosed_already,
    make_draft,
    selected,
)

__all__ = ["Draft", "DraftError", "Workbench", "compiled_signature", "default_path", "diagnosed_already", "make_draft", "selected"]
