"""How a reproduction is declared: what it shows, on which backends, from which parameters, with which fixes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from triage.verify.allocator_settings import GIB, AllocatorSettings, SettingsError

BACKENDS = ("cuda", "fake", "cpu", "model")
MAX_BYTES = 1 << 50
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_+.-]{1,60}\Z")


class Facts:
    """What a diagnosis of a JSON report tells a reproduction; everything may be absent, nothing is trusted.

    Attributes:
        family, cause, id: of the diagnosis, "" when there is none.
        versions: of the report's environment, by lower-case package name.
        evidence: the lines shown with the diagnosis; for looking whether known words stand in them, nothing else.
        commands: what is advised, by id of the fix.
    """

    def __init__(self, diagnosis: Mapping[str, Any] | None = None, environment: Mapping[str, Any] | None = None) -> None:
        diagnosis = diagnosis or {}
        self.id = _string(diagnosis.get("id"))
        self.family = _string(diagnosis.get("family"))
        self.cause = _string(diagnosis.get("cause"))
        slots = diagnosis.get("facts")
        self._slots: Mapping[str, Any] = slots if isinstance(slots, Mapping) else {}
        self.evidence = " ".join(_string(entry.get("text")) for entry in _mappings(diagnosis.get("evidence")))
        self.commands = {_string(entry.get("id")): _strings(entry.get("commands")) for entry in _mappings(diagnosis.get("fixes"))}
        versions = (environment or {}).get("versions")
        self.versions = {str(name): _string(text) for name, text in versions.items()} if isinstance(versions, Mapping) else {}

    def get(self, slot: str) -> Any:
        """A fact of the diagnosis by the name of its slot, None when it is not known."""
        return self._slots.get(slot)

    def release(self, package: str, default: tuple[int, int]) -> tuple[int, int]:
        """Major and minor version of a package, or the default."""
        match = re.match(r"(\d{1,4})\.(\d{1,4})", self.versions.get(package, ""))
        return (int(match[1]), int(match[2])) if match else default


@dataclass(frozen=True)
class Parameter:
    """A typed input of a reproduction.

    Args:
        kind: "bytes" and "count" are whole numbers, "real" is a number, "choice" one of `choices`, "name" a plain
            word (letters, digits, `_+.-`), "setting" a valid PYTORCH_CUDA_ALLOC_CONF, or "" for none.
        low, high: bounds of a number, inclusive.
        slot: fact of the diagnosis that gives the value.
        read: gives the value where a slot alone does not say it; None keeps the default.
        scales: a size that shrinks when the real card is smaller than the reported one.
    """

    name: str
    kind: str
    default: Any
    about: str
    low: float = 1
    high: float = MAX_BYTES
    choices: tuple[str, ...] = ()
    slot: str = ""
    read: Callable[[Facts], Any] | None = None
    scales: bool = False

    def value_from(self, facts: Facts) -> Any:
        """The value the report gives, or None when it gives none that is valid here."""
        value = self.read(facts) if self.read else facts.get(self.slot) if self.slot else None
        if value is None:
            return None
        return value if self.accepts(value) else None

    def accepts(self, value: Any) -> bool:
        """Whether a value is of this parameter's kind and within its bounds."""
        if self.kind == "choice":
            return isinstance(value, str) and value in self.choices
        if self.kind == "name":
            return isinstance(value, str) and bool(_PLAIN_NAME.match(value))
        if self.kind == "setting":
            return isinstance(value, str) and _is_setting(value)
        if isinstance(value, bool) or not isinstance(value, int if self.kind in ("bytes", "count") else (int, float)):
            return False
        return self.low <= value <= self.high


@dataclass(frozen=True)
class Fix:
    """The arm of one fix.

    Args:
        does: what the arm changes, one sentence.
        backends: where it can be shown; empty for all backends of the reproduction.
        needs: further distributions or tools, like `Reproduction.needs`.
        package: the fix is another release of this distribution: the same program under both (`--torch 2.0.1,2.1.0`).
        older: that release is the older one, named first.
        advised: False for advice that reports call useless: a refusal of it is what is expected.
    """

    does: str
    backends: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    package: str = ""
    older: bool = False
    advised: bool = True


@dataclass(frozen=True)
class Reproduction:
    """A failure that can be made to happen, and what is tried against it.

    Args:
        id: `<family>.<name>`; the name is the cause where one is shown.
        shows: the mechanism, one sentence.
        backends: those that can show it, strongest first, each with what it cannot show ("" for nothing of note).
        needs: distributions (`"transformers<5"`), tools (`"tool:g++"`), a number of GPUs on cuda (`"gpus:2"`).
        diagnoses: ids of the diagnoses of the rule base that report this failure; those of the same cause do as well.
        cause_shown: whether the failing output must let triage find the cause too, not the family alone.
        applies: whether the facts of such a diagnosis allow this reproduction.
        gone_since: `(package, version, why)` when releases from `version` on no longer fail.
        isolation: see `toolkit.harness.confine`.
        timeout_s, memory_bytes: limits of one arm.
    """

    id: str
    family: str
    cause: str | None
    title: str
    shows: str
    backends: Mapping[str, str]
    fixes: Mapping[str, Fix]
    sources: tuple[str, ...]
    parameters: tuple[Parameter, ...] = ()
    needs: tuple[str, ...] = ("torch",)
    diagnoses: tuple[str, ...] = ()
    cause_shown: bool = False
    applies: Callable[[Facts], bool] = field(default=lambda facts: True)
    gone_since: tuple[str, str, str] | None = None
    isolation: str = "network"
    timeout_s: float = 120.0
    memory_bytes: int = 6 * GIB

    def bind(self, facts: Facts) -> tuple[dict[str, Any], list[str]]:
        """Values for all parameters, and the names of those the report gave."""
        values: dict[str, Any] = {}
        given = []
        for parameter in self.parameters:
            value = parameter.value_from(facts)
            if value is not None:
                given.append(parameter.name)
            values[parameter.name] = parameter.default if value is None else value
        return values, given


def _string(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _strings(value: Any) -> list[str]:
    return [entry for entry in value if isinstance(entry, str)] if isinstance(value, list) else []


def _mappings(value: Any) -> list[Mapping[str, Any]]:
    return [entry for entry in value if isinstance(entry, Mapping)] if isinstance(value, list) else []


def _is_setting(text: str) -> bool:
    try:
        AllocatorSettings.parse(text)
    except SettingsError:
        return False
    return True


# parameters that many reproductions share


def size(name: str, default: int, about: str, slot: str = "", low: int = 1, read: Callable[[Facts], Any] | None = None) -> Parameter:
    """A number of bytes that shrinks with the card."""
    return Parameter(name, "bytes", default, about, low=low, slot=slot, read=read, scales=True)


def count(name: str, default: int, about: str, low: int = 1, high: int = 1_000_000, slot: str = "") -> Parameter:
    """A whole number."""
    return Parameter(name, "count", default, about, low=low, high=high, slot=slot)


def choice(name: str, default: str, choices: tuple[str, ...], about: str, read: Callable[[Facts], Any] | None = None) -> Parameter:
    """One word of a fixed list."""
    return Parameter(name, "choice", default, about, choices=choices, read=read)


def wording() -> Parameter:
    """The release of PyTorch whose out-of-memory message the model of the allocator uses."""
    known = ("2.0", "2.1", "2.6")

    def read(facts: Facts) -> str | None:
        if "already allocated" in facts.evidence:
            return "2.0"
        if "total capacty" in facts.evidence:
            return "2.1"
        release = facts.release("torch", (0, 0))
        return None if release == (0, 0) else "2.0" if release < (2, 1) else "2.1" if release < (2, 2) else "2.6"

    return choice("wording", "2.6", known, "release of PyTorch whose message the model of the allocator uses", read)


def advised_setting() -> Parameter:
    """The PYTORCH_CUDA_ALLOC_CONF that the report advises."""

    def read(facts: Facts) -> str | None:
        for command in facts.commands.get("allocator-config", []):
            match = re.search(r"PYTORCH_(?:CUDA_|HIP_)?ALLOC_CONF=([A-Za-z0-9_:.,>\[\]]{1,200})", command)
            if match:
                return match[1]
        return None

    return Parameter("advised_setting", "setting", "", "PYTORCH_CUDA_ALLOC_CONF as advised, tried first", read=read)
