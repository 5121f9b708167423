"""Facts of this machine, for `triage doctor` and `triage explain --live`."""

from __future__ import annotations

from collections.abc import Container

from triage.facts.observation import Observation
from triage.live import host as hosts
from triage.live import nvml
from triage.live.facts import facts_of

__all__ = ["observe"]


def observe(known_packages: Container[str] = ()) -> list[Observation]:
    """What NVML, the installed packages and the environment say, as the facts that a log would give.

    Args:
        known_packages: packages whose version a log tells already; the log is about another moment, or another
            machine, so its word stands.

    Needs neither a GPU nor a driver, never raises, and takes some ten milliseconds.
    """
    return facts_of(nvml.read(), hosts.read(), known_packages)
