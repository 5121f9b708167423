"""Where the options of a server go that is not started by its own command: in files of Docker Compose and Kubernetes, and in programs
that start the server for their user.

By the reference of Compose and of Kubernetes for `command` and `args`, and by what Xinference and GPUStack say of parameters of engines.
"""

from __future__ import annotations

from triage.reading.lazy import Pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from typing import Final

# Of several places the one that is nearest to the server: what starts it, then the file that starts that.
_PLACES: Final = ("xinference", "gpustack", "ray-serve", "kubernetes", "compose")
_SAID: Final = {
    "xinference": {
        "en": "With Xinference the options go behind xinference launch, or among the engine's additional parameters in the web page.",
        "zh": "使用 Xinference 时，这些选项写在 xinference launch 之后，或填在网页的引擎附加参数中。",
    },
    "gpustack": {
        "en": "In GPUStack the options go into the backend parameters of the deployment.",
        "zh": "在 GPUStack 中，这些选项填在部署的后端参数里。",
    },
    "ray-serve": {
        "en": "In the configuration of Ray Serve the options go under engine_kwargs, with underscores.",
        "zh": "在 Ray Serve 的配置中，这些选项写在 engine_kwargs 下，使用下划线。",
    },
    "kubernetes": {
        "en": "In the manifest the options go under args of the container, each as an item of its own.",
        "zh": "在清单中，这些选项逐项写在容器的 args 下。",
    },
    "compose": {
        "en": "In the Compose file the options go under command, in place of those of the same name.",
        "zh": "在 Compose 文件中，这些选项写在 command 下，替换其中同名的选项。",
    },
}  # fmt: skip
_OPTION = Pattern(
    r"(?:vllm serve NAME |python -m sglang\.launch_server --model-path NAME |text-generation-launcher --model-id NAME )?--[a-z]"
)
_IN_A_MAPPING: Final = Pattern(r"[a-z][a-z0-9_]*: \S")
_WITH_OPTIONS: Final = Pattern(r"(?:vllm serve NAME|python -m sglang\.launch_server --model-path NAME)? ?(--[a-z].*)\Z")
_SETTING: Final = Pattern(r"--([a-z][a-z0-9-]*)(?:[ =]([^\s-]\S*))?")
_OF_XINFERENCE: Final = {"tensor-parallel-size": "n-gpu", "tp": "n-gpu", "tp-size": "n-gpu"}


def lines_for(lines: Iterable[str], shown: Collection[str]) -> list[str]:
    """The lines as the program takes them that starts the server: Xinference's command has options of its own for GPUs and quantised
    weights, and hands the others on, with underscores."""
    if "ray-serve" in shown:
        lines = [_for_ray_serve(line) for line in lines]
    if "aphrodite" in shown:
        lines = [line.replace("vllm serve NAME", "aphrodite run NAME") for line in lines]
    if "xinference" in shown:
        return [_for_xinference(line) for line in lines]
    return [_for_a_file(line) for line in lines] if "compose" in shown or "kubernetes" in shown else list(lines)


def _for_a_file(line: str) -> str:
    """The options alone: the file names the model, and its image the command."""
    found = _WITH_OPTIONS.match(line)
    return found[1] if found else line


def _for_ray_serve(line: str) -> str:
    found = _WITH_OPTIONS.match(line)
    if found is None:
        return line
    settings = [(option[1].replace("-", "_"), option[2] or "true") for option in _SETTING.finditer(found[1])]
    return ", ".join(f"{name}: {value}" for name, value in settings)


def _for_xinference(line: str) -> str:
    found = _WITH_OPTIONS.match(line)
    if found is None:
        return line
    words = found[1].split(" ")
    if words[0] == "--quantization":
        return "xinference launch --model-name NAME --model-engine vllm --model-format awq --quantization Int4"
    return " ".join(_word_for_xinference(word) for word in words)


def _word_for_xinference(word: str) -> str:
    name = word.removeprefix("--")
    if name == word:
        return word
    return "--" + (_OF_XINFERENCE.get(name) or name.replace("-", "_"))


def remark(shown: Collection[str], lines: Iterable[str], lang: str) -> str:
    """Where the options of these lines go, by the places that the text shows; '' where it shows none, or the lines have no options."""
    place = next((name for name in _PLACES if name in shown), "")
    fits = _IN_A_MAPPING if place == "ray-serve" else _OPTION
    return _SAID[place][lang] if place and any(fits.match(line) for line in lines) else ""
