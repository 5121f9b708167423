"""Advice to who is not root on the machine: on clusters and shared hosts driver, packages and limits are an administrator's to change."""

from __future__ import annotations

from triage.reading.lazy import Pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

_OF_ROOT = Pattern(r"\bsudo |(?:^|&& )(?:apt-get|dnf|yum|pacman|systemctl|modprobe|reboot)\b")
# What replaces or installs drivers, whatever lines stand below it.
OF_DRIVERS: Final = frozenset(("upgrade-driver", "reinstall-driver"))
_REMARK: Final = {
    "en": "What needs root here is for the machine's administrators: hand it on to them.",
    "zh": "此处需要 root 权限的操作请转交该机器的管理员执行。",
}


def remark(fix: str, lines: Iterable[str], lang: str) -> str:
    """What is said beside a fix that needs root, by its lines or by its nature; '' otherwise."""
    return _REMARK[lang] if fix in OF_DRIVERS or any(_OF_ROOT.search(line) for line in lines) else ""
