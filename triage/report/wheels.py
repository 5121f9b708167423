"""Which of PyTorch's indexes of wheels serves the reader: by the driver, the GPUs and the Python that the text names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from triage.engine.values import Version
from triage.reading.lazy import Pattern
from triage.report.told import capabilities, one_version, versions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from triage.engine.model import Model
    from triage.rulebook.rulebook import Rulebook

_COMPILED_BY_THE_DRIVER = "version.ptx-unsupported."  # what its compiler reads is of its own version or older
_WITH_A_TORCH_THAT_RUNS = ("version.runtime-mismatch.", "version.abi.", "version.missing-library.", "version.package-conflict.")
_INDEX_OF_A_BUILD = Pattern(r"\+(cu[0-9]{2,3})\b")
# Runs on every driver from 525 on and on GPUs from Maxwell to Hopper: what fits most where neither is known.
_COMMON_WHEELS = "cu126"
_OLDEST_WHEELS = "cu118"  # the last for CUDA 11: for drivers from 450 on
_FIRST_COMPATIBLE_MAJOR = 11  # of CUDA: from it on a driver runs what was built for later minor versions of its major one
_COMMON_MAJOR = 12  # of CUDA: what a driver of unknown age serves most likely
# The first minor release of PyTorch without wheels for a Python: what is installed there is from before it.
_FIRST_WITHOUT_PYTHON = (
    (Version((3, 6)), Version((1, 11))),
    (Version((3, 7)), Version((2, 0))),
    (Version((3, 8)), Version((2, 5))),
    (Version((3, 9)), Version((2, 9))),
)


class Wheels:
    """The builds of PyTorch, by the tables of builds and of drivers."""

    def __init__(self, model: Model, book: Rulebook) -> None:
        self._model = model
        self._book = book

    def index(self, identifier: str) -> str:
        """The index whose newest build runs on the driver and on all GPUs of the text, for a diagnosis; '' where there is none."""
        # the CUDA version of the build must be the driver's or older, and not only of its major version
        exactly = identifier.startswith(_COMPILED_BY_THE_DRIVER)
        otherwise = self._where_nothing_is_known(identifier)
        served = min((_dotted(version) for version in versions(self._model, "driver_cuda") if version), default=None)
        served = served or (self._brought() if exactly else None)
        limit = served[0] if served else self._served()
        if not limit and self._driver is not None:
            return ""  # one from before all that the table has builds for
        cards, before = capabilities(self._model), self._without_this_python()
        if not limit and not cards and (not before or otherwise != _COMMON_WHEELS):
            return otherwise
        rows = [row for row in self._book.tables.table("torch-builds").where(platform="linux") if row["basis"] != "inferred"]
        rows = [row for row in rows if not before or (isinstance(low := row["low"], Version) and low < before)]
        if served and (exactly or limit < _FIRST_COMPATIBLE_MAJOR):
            rows = [row for row in rows if isinstance(built := row["cuda"], Version) and built <= served]
            rows = [row for row in rows if not exactly or _major(row) == served[0]] or rows
        rows = [row for row in rows if not self._is_refused(row)]
        for major in (limit or _COMMON_MAJOR, limit):
            if fitting := [row for row in rows if _runs(row, major, cards)]:
                newest = max(row["low"] for row in fitting)
                builds = [row for row in fitting if row["low"] == newest]
                # of one release the build for the highest CUDA that the driver knows, and of that the first, which asks for least
                highest = max(_major(row) for row in builds)
                return next(str(row["index"]) for row in builds if _major(row) == highest)
        return ""

    def _where_nothing_is_known(self, identifier: str) -> str:
        """The index of the torch that is there, where that is not what is wrong, else the one that fits most machines; where the driver is
        refused for its age, the last one that asks for less."""
        if identifier.startswith(_WITH_A_TORCH_THAT_RUNS):
            told = {str(fact.get("version_text")) for fact in self._model.facts("version") if fact.get("package") == "torch"}
            own = {found[1] for text in told if (found := _INDEX_OF_A_BUILD.search(text))}
            if len(own) == 1:
                return own.pop()
        if identifier.startswith("version.driver-too-old."):
            return _OLDEST_WHEELS
        return self._asked_for() or _COMMON_WHEELS

    def _asked_for(self) -> str:
        """The one index for a later CUDA that the text names: whoever asked for it has a GPU or a release that wants it."""
        named = {str(fact.get("value")) for fact in self._model.facts("remark") if fact.get("topic") == "wheel-index"}
        return named.pop() if len(named) == 1 else ""

    def _without_this_python(self) -> Version | None:
        """The first release of PyTorch that has no wheels for the Python of the text, where that is an old one."""
        python = one_version(self._model, "python")
        if python is None or len(python) < 2:
            return None
        return next((torch for old, torch in _FIRST_WITHOUT_PYTHON if python < (old[0], old[1] + 1)), None)

    @property
    def _driver(self) -> Version | None:
        """The version of the driver, where the text names one alone."""
        return one_version(self._model, "driver")

    def _is_refused(self, row: Mapping[str, Any]) -> bool:
        """Whether the driver of the text is older than any that builds for this CUDA run on: the first of CUDA 11 serve 11.0 alone."""
        driver = self._driver
        if driver is None:
            return False
        for told in self._book.tables.table("cuda-driver").where(package="cuda"):
            if told["cuda"] == row["cuda"] and isinstance(least := told.get("compat_linux"), Version):
                on_windows = told.get("compat_windows")  # Linux has no drivers of these branches
                of_windows = isinstance(on_windows, Version) and on_windows[0] - 1 <= driver[0] <= on_windows[0]
                return driver < (on_windows if of_windows and isinstance(on_windows, Version) else least)
        return False

    def _served(self) -> int:
        """The highest major version of CUDA that the driver of the text serves, by the table of both; 0 where it is not known."""
        driver = self._driver
        if driver is None:
            return 0
        rows = self._book.tables.table("cuda-driver").where(package="cuda")
        return max((_major(row) for row in rows if isinstance(least := row.get("compat_linux"), Version) and least <= driver), default=0)

    def _brought(self) -> Version | None:
        """The CUDA version that the driver of the text came with, by the table of both."""
        driver = self._driver
        if driver is None:
            return None
        rows = self._book.tables.table("cuda-driver").where(package="cuda")
        brought = (row["cuda"] for row in rows if isinstance(own := row.get("linux_driver"), Version) and own <= driver)
        return max((version for version in brought if isinstance(version, Version)), default=None)


def _major(row: Mapping[str, Any]) -> int:
    cuda: Version = row["cuda"]
    return cuda[0]


def _dotted(version: Version) -> Version:
    """A version of CUDA; of the number that its own functions give for one, such as 12040, the version that it stands for."""
    return version if version[0] < 1000 else Version((version[0] // 1000, version[0] % 1000 // 10))


def _runs(row: Mapping[str, Any], limit: int, cards: Sequence[Version]) -> bool:
    """Whether a build runs on a driver for CUDA of a major version (0: unknown) and holds code for cards of these capabilities.

    Binaries run on later minor versions of their capability, and a driver serves all CUDA versions of its own major version and below.
    """
    held = [Version(int(part) for part in text.split(".")) for text in row["capabilities"]]
    return (not limit or _major(row) <= limit) and all(
        any(code[0] == card[0] and code <= card for code in held if code and card) for card in cards
    )
