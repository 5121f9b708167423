"""Lines to paste on Windows, as cmd.exe takes them."""

from __future__ import annotations

from triage.reading.lazy import Pattern
from triage.report.audience.systems import LISTENERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

# What Windows does not have, or has elsewhere.
_OF_LINUX: Final = (
    "sudo ", "apt-get", "ldconfig", "ldd ", "find /", "dmesg", "systemctl", "/proc/", "/usr/", "/dev/", "lsmod", "modprobe", "ulimit",
    "grep", "lspci", "dpkg", "fuser", "ss -l", "nc -v", "rm -rf", "LD_LIBRARY_PATH", "which ", "unset ", "free -g", "uname", "~/", "kill ",
    "ps aux", "ps -p", "install.sh", "rmmod", " | tail", " | head", "expandable_segments", "rocm-smi", "amd-smi", "rocminfo", "/whl/rocm",
)  # fmt: skip
_SETTINGS = Pattern(r"(?:export +)?((?:[A-Z][A-Z0-9_]*=(?:'[^']*'|[\w.,:;+-]*)(?: +|\Z))+)")
_SETTING = Pattern(r"[A-Z][A-Z0-9_]*=(?:'[^']*'|[\w.,:;+-]*)")
_OF_SMALL_LETTERS = Pattern(r"export ([a-z]\w*=[\w.,:;+-]*)\Z")
_ECHO = Pattern(r"echo \$(\w+)")
_NEXT = Pattern(r"; (?=(?:echo|python|pip|conda|nvidia-smi) ?)")
_TEE = Pattern(r" 2>&1 \| tee (\S+)\Z")
_TOOL = Pattern(r"(?:python|pip|conda|nvidia-smi|torchrun|triage)\b")


def lines_for(lines: Iterable[str]) -> list[str]:
    """The lines that can be pasted on Windows: no tools of Linux, variables set before, double quotes."""
    asked = (LISTENERS.sub(lambda found: f"netstat -ano | findstr {':' + found[1] if found[1] else 'LISTENING'}", line) for line in lines)
    kept = (line for line in asked if not any(word in line for word in _OF_LINUX))
    return [line for line in map(_as_cmd_takes_it, kept) if line]


def _as_cmd_takes_it(line: str) -> str:
    if line.startswith("nvidia-smi --query-compute-apps"):  # which tells no memory there; the plain table lists the programs
        return "nvidia-smi"
    if (found := _OF_SMALL_LETTERS.match(line)) is not None:
        return f'set "{found[1]}"'
    line = _TEE.sub(r" > \1 2>&1", line)  # which only PowerShell has
    settings = _SETTINGS.match(line)
    words = [word.replace("'", "") for word in _SETTING.findall(settings[1])] if settings else []
    rest = line[settings.end() :] if settings else line
    if line.startswith("export ") and (rest or not words):  # a value that only a shell of Linux makes
        return ""
    if _TOOL.match(rest) and '"' not in rest:
        rest = rest.replace("'", '"')
    rest = _ECHO.sub(r"echo %\1%", _NEXT.sub(" & ", rest))
    if not line.startswith("wsl "):
        rest = rest.replace("tensorflow[and-cuda]", "tensorflow<2.11")  # the last for its GPUs
    if words and not rest and all(word.startswith("OLLAMA_") for word in words):  # it is started from its icon, not from this window
        return " && ".join(f"setx {word.replace('=', ' ', 1)}" for word in words)
    # in quotes, because cmd.exe takes a space before && as part of the value
    return " && ".join([*(f'set "{word}"' for word in words), *([rest] if rest else [])])
