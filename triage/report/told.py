"""What the text tells of the reader's machine and software, as values to compare."""

from __future__ import annotations

from triage.engine.values import Version

_ANY_PATCH = 999

TYPE_CHECKING = False
if TYPE_CHECKING:
    from triage.engine.model import Model


def capabilities(model: Model) -> list[Version]:
    """The compute capabilities of the GPUs that the text names, each once, the lowest first."""
    told = {str(fact.get("capability")) for fact in model.facts("gpu-model") if fact.get("capability")}
    return sorted(Version(int(part) for part in text.split(".")) for text in told if not text.startswith("gfx"))


def versions(model: Model, package: str) -> list[Version]:
    """The versions of a package that the text names, each once, the lowest first; `package` as facts name it."""
    told = {fact.get("version") for fact in model.facts("version") if fact.get("package") == package}
    return sorted(version for version in told if isinstance(version, Version))


def one_version(model: Model, package: str) -> Version | None:
    """The version of a package, where the text names one alone."""
    told = versions(model, package)
    return told[0] if len(told) == 1 else None


def last_before(release: Version) -> Version:
    """A version above all that come before a release: 1.11 → 1.10.999."""
    return Version((*release[:-1], release[-1] - 1, _ANY_PATCH))
