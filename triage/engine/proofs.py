"""Proof trees."""

from __future__ import annotations

from triage.engine.values import TYPE_CHECKING

if TYPE_CHECKING:
    from triage.engine.facts import Fact
    from triage.engine.model import Derivation, Model

DEPTH = 100  # levels that `to_data` writes out


class Proof:
    """Why a fact holds: `derivation` (None for a given fact) and one proof for each of its premises, `children`.

    A fact that supports several others has one proof, shared by all.
    """

    __slots__ = ("children", "derivation", "fact")

    def __init__(self, fact: Fact, derivation: Derivation | None, children: tuple[Proof, ...]) -> None:
        self.fact = fact
        self.derivation = derivation
        self.children = children

    def to_data(self, depth: int = DEPTH) -> dict[str, object]:
        """The tree as JSON has it. A proof that stands in it already is only named (`"repeated": true`), and so is what lies
        deeper than `depth` levels (`"elided": true`)."""
        return _data(self, depth, set())

    def __repr__(self) -> str:
        return f"Proof({self.fact!r}, {self.derivation!r})"


def prove(model: Model, fact: Fact) -> Proof:
    """The proof by first derivations; these never rest on what they support. Raises KeyError for a fact that does not hold."""
    if fact not in model:
        raise KeyError(fact)
    proofs: dict[Fact, Proof] = {}
    derivations: dict[Fact, Derivation | None] = {}
    stack = [fact]
    while stack:
        current = stack[-1]
        if current in proofs:
            stack.pop()
            continue
        if current not in derivations:
            derivations[current] = None if model.is_given(current) else model.derivation(current)
        derivation = derivations[current]
        premises = () if derivation is None else derivation.premises
        missing = [premise for premise in premises if premise not in proofs]
        if missing:
            stack += missing
            continue
        proofs[current] = Proof(current, derivation, tuple([proofs[premise] for premise in premises]))
        stack.pop()
    return proofs[fact]


def _data(proof: Proof, depth: int, seen: set[Fact]) -> dict[str, object]:
    data: dict[str, object] = {"fact": proof.fact.to_data()}
    derivation = proof.derivation
    if derivation is None:
        data["given"] = True
    elif proof.fact in seen:
        data["repeated"] = True
    elif depth <= 0:
        data["elided"] = True
    else:
        seen.add(proof.fact)
        data.update(derivation.to_data())
        data["premises"] = [_data(child, depth - 1, seen) for child in proof.children]
    return data
