"""Which fixes and known cases are for this reader: who serves a model trains none, who clicks in an interface or runs a program that came
compiled writes no code."""

from __future__ import annotations

from collections.abc import Mapping

from triage.facts.servers import EMBED
from triage.report.audience import interfaces, notebooks, programs, servers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

    from triage.report.audience.reader import Reader

# Advice to who compiles a program, and the programs around llama.cpp that nobody does.
_OF_BUILDERS: Final = frozenset(("rebuild-extension", "debug-sync"))
_COME_COMPILED: Final = frozenset(("ollama", "lm-studio", "gpt4all"))
# What of llama.cpp's means the programs beside it lack: they have no cache to size, and whisper.cpp runs whole on one device.
_NOT_OF: Final = {
    "whisper.cpp": frozenset(("offload", "tune-kv-cache", "shard-model")),
    "stable-diffusion.cpp": frozenset(("tune-kv-cache",)),
}


def is_of_use(fix: str, reader: Reader, identifier: str, framework: str) -> bool:
    """Whether this reader can do something with a fix for a diagnosis."""
    if _is_of_another_machine(fix, reader, identifier, framework) or _is_of_another_program(fix, reader, identifier, framework):
        return False
    if reader.interface and identifier.startswith("memory."):
        return interfaces.is_of_use(fix, reader.interface, bool(reader.remarks("trains")), identifier.startswith("memory.host-"))
    return not _is_of_no_server(fix, reader, identifier)


def _is_of_another_machine(fix: str, reader: Reader, identifier: str, framework: str) -> bool:
    """Whether the reader's machine, or who else hosts it, leaves no place for a fix."""
    if reader.in_notebook and fix in notebooks.OF_THE_HOST:
        return True
    if fix == "container-gpu-access" and reader.on_windows:
        return not (reader.remarks("container") or identifier.startswith("env.container"))
    if fix == "reinstall-environment" and reader.remarks("packages-in-the-store"):  # Nix makes every environment anew
        return True
    if fix == "rebuild-extension":  # AMD's wheels bring the kernels of programs with an interface
        return bool(reader.interface) and reader.maker(framework) == "amd"
    return fix == "shard-model" and (reader.on_jetson or reader.maker(framework) == "apple" or reader.one_gpu)


def _is_of_another_program(fix: str, reader: Reader, identifier: str, framework: str) -> bool:
    """Whether a fix is one for who writes, trains or divides a model, and the reader's program is none for that."""
    if programs.is_of_torch(fix, framework) or (fix == "efficient-attention" and programs.computes_no_attention(framework)):
        return True
    if fix == "shard-model" and (framework == "openmm" or reader.trainer == "unsloth"):  # whose engine has one GPU
        return True
    if fix == "rebuild-extension" and framework == "dotnet":  # NuGet brings what was compiled
        return True
    if fix in _OF_BUILDERS and reader.around_ggml in _COME_COMPILED and identifier.startswith("kernel."):
        return True
    if fix in _NOT_OF.get(reader.around_ggml, ()):
        return True
    if not identifier.startswith("memory."):
        return False
    if reader.trainer == "llamafactory" and fix == "quantize" and identifier.startswith("memory.kv-cache."):
        return True  # its engine takes no weights that bitsandbytes makes
    if "ultralytics" in reader.uses and fix in interfaces.OF_TRAINING:
        return True  # its trainer builds the model, and accumulates by itself
    return programs.is_of_a_model(fix, framework)


def _is_of_no_server(fix: str, reader: Reader, identifier: str) -> bool:
    """Whether a fix is none for the server, or for the engine of quantised files, that is run."""
    of_memory = identifier.startswith("memory.")
    if of_memory and reader.served == "exllama" and (fix in servers.OF_MEMORY or fix == "offload"):
        return True  # its files are quantised, and it computes on GPUs alone
    if not reader.server:
        return False
    if fix == "shard-model" and reader.server in EMBED:
        return True
    if fix == "network-interface" and identifier.startswith("distributed.") and not reader.several_nodes:
        return True
    if fix in servers.OF_LOADING and identifier.startswith("memory.host-"):
        return True
    return fix in servers.OF_TRAINING or (of_memory and fix in servers.OF_MEMORY)


def is_for(case: Mapping[str, Any], reader: Reader, framework: str, identifier: str) -> bool:
    """Whether a known case is not one of another maker's GPU, nor, where memory ran out, of another program than the reader's, and the
    text has one of the words that tell its matter from others with the same message."""
    if case["telling"] and not any(_stands_in(word, reader.text) for word in case["telling"]):
        return False
    built_upon = case["environment"].get("frameworks", ())
    of_ranks = bool(reader.server) and identifier.startswith("distributed.collective-")  # who serves has no data to divide among ranks
    if of_ranks or identifier.startswith(("memory.", "version.package-conflict.")):
        own = reader.programs
        if own and own.isdisjoint(built_upon):
            return False
    if built_upon and programs.is_apart_from_torch(framework) and framework not in built_upon:
        return False
    if programs.is_of_another(built_upon, framework or reader.framework({})):
        return False
    from triage.report.audience.makers import makers_of

    makers = makers_of(case["environment"])
    return not makers or reader.maker(framework) in makers


def _stands_in(word: str, text: str) -> bool:
    """Whether a word, in small letters, begins somewhere in a text, and is not only the end of another."""
    at = text.find(word)
    while at > 0 and word[0].isalnum() and text[at - 1].isalnum():
        at = text.find(word, at + 1)
    return at >= 0
