"""Stratified Datalog over facts with named slots: rules are data, every conclusion keeps its proof. See README.md.

The names below are imported on first use, so that importing the room costs nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from triage.engine.errors import EngineError, ExpressionError, RuleError, RunawayError, StratificationError, Unknown
    from triage.engine.expressions import compile_expression, evaluate, parse_expression, variables
    from triage.engine.facts import Fact
    from triage.engine.model import Derivation, Model, Withdrawal
    from triage.engine.program import Program, compile_program
    from triage.engine.proofs import Proof
    from triage.engine.values import Value, Version
    from triage.engine.whynot import Failure, WhyNot

__all__ = [
    "Derivation",
    "EngineError",
    "ExpressionError",
    "Fact",
    "Failure",
    "Model",
    "Program",
    "Proof",
    "RuleError",
    "RunawayError",
    "StratificationError",
    "Unknown",
    "Value",
    "Version",
    "WhyNot",
    "Withdrawal",
    "compile_expression",
    "compile_program",
    "evaluate",
    "parse_expression",
    "variables",
]

_HOMES = {
    "EngineError": "errors",
    "ExpressionError": "errors",
    "RuleError": "errors",
    "RunawayError": "errors",
    "StratificationError": "errors",
    "Unknown": "errors",
    "compile_expression": "expressions",
    "evaluate": "expressions",
    "parse_expression": "expressions",
    "variables": "expressions",
    "Fact": "facts",
    "Derivation": "model",
    "Model": "model",
    "Withdrawal": "model",
    "Program": "program",
    "compile_program": "program",
    "Proof": "proofs",
    "Value": "values",
    "Version": "values",
    "Failure": "whynot",
    "WhyNot": "whynot",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
