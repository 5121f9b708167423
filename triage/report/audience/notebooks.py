"""Lines to paste into cells of a notebook: each line of a shell runs in one of its own, so that variables are set for the kernel.

By IPython's documentation of %env, %pip and of an exclamation mark before a line of a shell.
"""

from __future__ import annotations

from triage.reading.lazy import Pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

# What changes the machine below the notebook, which is its host's; and the processor, where a GPU is to be had for nothing.
OF_THE_HOST: Final = frozenset(("reinstall-driver", "upgrade-driver", "reboot-or-reset", "run-on-cpu"))
_OF_CLUSTERS: Final = ("docker ", "srun ", "kubectl ", "dpkg ", "lspci", "modprobe", "dmesg ")
_EXPORT = Pattern(r"export ((?:[A-Za-z][A-Za-z0-9_]*=\S+(?: +|\Z))+)\Z")
# A variable for a script of which the text shows nothing: its program is the notebook.
_FOR_A_SCRIPT = Pattern(r"((?:[A-Z][A-Z0-9_]*=\S* +)+)python3? (?:train|app|main)\.py\Z")
_PIP = Pattern(r"(?:python3? -m )?pip3? (?=install|uninstall|list|index|check|show)")
_OF_A_SHELL: Final = (
    "nvidia-smi", "python ", "python3 ", "apt-get ", "sudo ", "ls ", "free ", "df ", "accelerate ", "torchrun ", "git ", "grep ",
    "echo ", "ldconfig ", "find ", "nvcc ", "conda ", "which ", "cat ", "pip ", "uname ", "curl ",
)  # fmt: skip


def lines_for(lines: Iterable[str]) -> list[str]:
    """The lines as a cell takes them."""
    return [cell for line in lines if not line.startswith(_OF_CLUSTERS) for cell in _cells(line)]


def _cells(line: str) -> list[str]:
    found = _EXPORT.match(line) or _FOR_A_SCRIPT.match(line)
    if found is not None:
        return [f"%env {word}" for word in found[1].split()]
    if _PIP.match(line) and " && " not in line:
        return ["%" + _PIP.sub("pip ", line, count=1)]
    if line.startswith("sudo reboot"):  # for a terminal: it would end the notebook's own server
        return [line]
    return ["!" + line.replace("sudo ", "") if line.startswith(_OF_A_SHELL) else line]
