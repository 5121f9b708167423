"""Advice to who works in a program's interface: it is started by a file of its own, on Windows mostly with a Python of its own, and its
user writes no code."""

from __future__ import annotations

from triage.facts.readers import having
from triage.reading.lazy import Pattern
from triage.report.audience.servers import is_of_a_script

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from typing import Final

INTERFACES: Final = having("interface")
# Advice to who writes the program, or trains with it.
_OF_CODE: Final = frozenset(("free-memory", "no-grad", "balance-device-map", "find-unused-parameters", "fix-shape"))
OF_TRAINING: Final = frozenset(("gradient-checkpointing", "gradient-accumulation", "use-peft"))
# Advice to who has several GPUs.
_OF_SEVERAL: Final = frozenset(("shard-model", "fix-visible-devices"))
# Advice to who feeds a program with data.
_OF_LOADING: Final = frozenset(("reduce-workers", "reduce-batch-or-sequence"))
# Where the programs' own installers for Windows put Python, unless the text shows another place: install.bat, setup.bat and webui.bat
# make an environment called venv; Fooocus comes with an embeddable Python.
_PYTHON_OF: Final = {
    "fooocus": r".\python_embeded\python.exe", "framepack": r"system\python\python.exe", "sdnext": r"venv\Scripts\python.exe",
    "webui": r"venv\Scripts\python.exe", "onetrainer": r"venv\Scripts\python.exe",
    "kohya": r"venv\Scripts\python.exe",
}  # fmt: skip
_PROGRAM = Pattern(r"(?:python (?:-X faulthandler )?|torchrun (?:\S+ )*)(?:train|app)\.py\b.*")
_OF_AUTHORS = Pattern(
    r"\bPACKAGE\b|tf\.keras|\bTORCH_COMPILE_DISABLE\b|\bpreload_dlls\b"
)  # a package that nobody named, code that others wrote
_VARIABLES = Pattern(r"(?:[A-Z][A-Z0-9_]*=\S*(?: |\Z))+\Z")
_PIP = Pattern(r"(?<![\w\\/.-])(?:python -m )?pip3? ")
_PYTHON = Pattern(r"(?<![\w\\/.-])python (?=-[cm] |--version\b|(?:main|entry_with_update)\.py)")
_STARTS = Pattern(r"(?<![\w\\/.-])python (main|entry_with_update)\.py")
# These programs draw or speak: torch's companions are there too, and fit one torch.
_TORCH_ALONE = Pattern(r"--force-reinstall torch(?: torchvision)?(?= --index-url \S+/whl/cu)")
_ENVIRONMENTS = ("-m venv", r"fresh\Scripts", "conda ")
# How run_nvidia_gpu.bat of ComfyUI's portable package and run.bat of Fooocus start these.
_OF_THE_PACKAGE: Final = {
    "main": r"-s ComfyUI\main.py --windows-standalone-build", "entry_with_update": r"-s Fooocus\entry_with_update.py",
}  # fmt: skip


# Options of sd-scripts that only some of its scripts take: those that train a LoRA, and those of models with two text encoders.
_A_SCRIPT = Pattern(r"\b((?:sdxl|flux|sd3|lumina)_)?(train_network|train_db|fine_tune|train_textual_inversion|train)\.py\b")


def for_the_script(lines: Iterable[str], text: str) -> list[str]:
    """The lines with the options of the one script of sd-scripts that a text in small letters shows."""
    shown = {(found[1] or "", found[2]) for found in _A_SCRIPT.finditer(text)}
    if len(shown) != 1:
        return list(lines)
    model, script = shown.pop()
    if script != "train_network":
        instead = "--stop_text_encoder_training=-1" if script == "train_db" else ""
        lines = [line.replace("--network_train_unet_only", instead) for line in lines]
    if not model:
        lines = [line.replace("--cache_text_encoder_outputs", "") for line in lines]
    return [" ".join(line.split()) for line in lines]


def is_of_use(fix: str, shown: Collection[str], trains: bool, of_host: bool = False) -> bool:
    """Whether a fix is one for who uses these programs; where host memory ran out, few of them have data to hold less of."""
    if fix in OF_TRAINING:
        return not having("no-switches").issuperset(shown) and (trains or not having("only-runs").issuperset(shown))
    if fix in _OF_SEVERAL:
        return not having("several-gpus").isdisjoint(shown)
    if of_host and fix in _OF_LOADING:
        return not having("loads-data").isdisjoint(shown)
    return fix not in _OF_CODE


def lines_for(lines: Iterable[str]) -> list[str]:
    """The lines to paste without code, launchers and programs that nobody wrote; variables that stood before one are set alone."""
    kept = (_without_a_program(line) for line in lines if not _OF_AUTHORS.search(line))
    return list(dict.fromkeys(line for line in kept if line and not is_of_a_script(line)))


def _without_a_program(line: str) -> str:
    program = _PROGRAM.search(line)
    if program is None:
        return line
    variables = line[: program.start()].rstrip()
    return f"export {variables}" if _VARIABLES.match(variables) else ""


def python_of(shown: Iterable[str], told: Collection[str]) -> str:
    """The Python of the program: the only one that the text shows, else where the installer of the program puts it; '' where neither is."""
    if told:
        return next(iter(told)) if len(told) == 1 else ""
    known = {_PYTHON_OF[name] for name in shown if name in _PYTHON_OF}
    return known.pop() if len(known) == 1 else ""


def with_its_python(lines: Iterable[str], python: str) -> list[str]:
    """The lines to paste with the program's own Python, which no plain `pip` reaches; none that make another."""
    kept = (line for line in lines if not any(word in line for word in _ENVIRONMENTS) and "-U PACKAGE" not in line)
    return [_with(line, python) for line in kept]


def _with(line: str, python: str) -> str:
    if python.endswith(r"python_embeded\python.exe"):
        line = _STARTS.sub(lambda match: f"{python} {_OF_THE_PACKAGE[match[1]]}", line)
    line = _TORCH_ALONE.sub("--force-reinstall torch torchvision torchaudio", line)
    line = _PIP.sub(lambda _: f"{python} -m pip ", line)
    return _PYTHON.sub(lambda _: f"{python} ", line)
