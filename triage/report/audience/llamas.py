"""Lines for llama.cpp in the words of the program around it: Ollama, LM Studio, KoboldCpp, text-generation-webui and llama-cpp-python take
the same settings under other names; whisper.cpp and stable-diffusion.cpp, which share its backends, have few of them.

Options by tools/server/README.md of llama.cpp; the page of Ollama on Modelfiles and its FAQ; koboldcpp.py; modules/shared.py of
text-generation-webui, whose newer names keep the older ones as aliases; the class Llama of llama-cpp-python; the dialogue of LM Studio
that loads a model; examples/cli/cli.cpp of whisper.cpp and docs/backend.md of stable-diffusion.cpp.
"""

from __future__ import annotations

from triage.reading.lazy import Pattern
from triage.report.audience.frameworks import BINDINGS_OF_GGML as BINDINGS
from triage.report.audience.programs import SENTENCE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

_LINE = Pattern(r"(?:([A-Z][A-Z0-9_]+=\S+) )?(?:\./)?(?:build/bin/)?llama-(?:server|cli) (-.+)\Z")
_WRAPPED = Pattern(r"(?:compute-sanitizer|cuda-gdb|gdb|valgrind)\b.*\bllama-")  # the program around starts llama.cpp by itself
_OPTION = Pattern(r"(--?[a-z][a-z-]*)(?: ([^\s-]\S*))?")
# One setting in the words of each program; {} is the value. Where a program has no such setting, none of its lines has it.
_FLAGS: Final = {
    "koboldcpp": {
        "-ngl": "--gpulayers {}", "-c": "--contextsize {}", "-ub": "--blasbatchsize {}", "-fa": "--flashattention",
        "--tensor-split": "--tensor_split {}", "--cache-type-k": "--quantkv {}",
        "--n-cpu-moe": "--moecpu {}", "-ot": "--overridetensors {}", "--no-kv-offload": "--lowvram", "-sm": "", "-np": "",
    },
    "textgen": {
        "-ngl": "--n-gpu-layers {}", "-c": "--n_ctx {}", "-ub": "--batch-size {}", "--tensor-split": "--tensor-split {}",
        "--cache-type-k": "--cache-type {}", "--no-kv-offload": "--no-kv-offload", "-fa": "--flash-attn",
    },
    BINDINGS: {
        "-ngl": "n_gpu_layers={}", "-c": "n_ctx={}", "-ub": "n_batch={}", "-fa": "flash_attn=True", "--tensor-split": "tensor_split=[{}]",
        "--cache-type-k": "type_k={}", "--cache-type-v": "type_v={}", "--no-kv-offload": "offload_kqv=False", "--no-mmap": "use_mmap=False",
    },
    "ollama": {
        "-ngl": "PARAMETER num_gpu {}", "-c": "PARAMETER num_ctx {}", "-ub": "PARAMETER num_batch {}",
        "-fa": "export OLLAMA_FLASH_ATTENTION=1", "--cache-type-k": "export OLLAMA_KV_CACHE_TYPE={}",
        "-np": "export OLLAMA_NUM_PARALLEL={}", "--no-mmap": "PARAMETER use_mmap false",
    },
    "gpt4all": {"-ngl": "GPU Layers: {}", "-c": "Context Length: {}"},
    "whisper.cpp": {"-fa": "-fa"},
    "stable-diffusion.cpp": {"-fa": "--diffusion-fa"},
    "lm-studio": {
        "-ngl": "GPU Offload: {}", "-c": "Context Length: {}", "-ub": "Evaluation Batch Size: {}", "-fa": "Flash Attention: on",
        "--cache-type-k": "K Cache Quantization Type: {}", "--cache-type-v": "V Cache Quantization Type: {}",
        "--no-kv-offload": "Offload KV Cache to GPU Memory: off", "--no-mmap": "Try mmap(): off",
    },
}  # fmt: skip
# What switches flash attention off, where it is an option of its own and not the absence of one.
_OFF: Final = {
    BINDINGS: "flash_attn=False",
    "ollama": "export OLLAMA_FLASH_ATTENTION=0",
    "lm-studio": "Flash Attention: off",
    "whisper.cpp": "-nfa",
}
# What keeps the whole model off the GPU, where a program has no option for single layers.
_WITHOUT_GPU: Final = {"whisper.cpp": "--no-gpu", "stable-diffusion.cpp": "--backend cpu"}
# How values are written that llama.cpp writes in another way: KoboldCpp counts the types of its cache, the bindings take ggml's numbers.
_VALUES: Final = {
    ("koboldcpp", "--cache-type-k"): {"q8_0": "1", "q4_0": "2"},
    (BINDINGS, "--cache-type-k"): {"q8_0": "8", "q4_0": "2"},
    (BINDINGS, "--cache-type-v"): {"q8_0": "8", "q4_0": "2"},
}  # fmt: skip
_IN_WORDS = Pattern(r"(?<![\w-])(?:--?[a-z][a-z-]*)(?![\w-])")
_OPTIONS_OF_LLAMA: Final = frozenset(name for names in _FLAGS.values() for name in names)
_CALLS: Final = {
    "koboldcpp": "koboldcpp --model MODEL.gguf {}",
    "textgen": "python server.py --model MODEL.gguf {}",
    BINDINGS: "Llama(model_path='MODEL.gguf', {})",
    "whisper.cpp": "whisper-cli -m MODEL.bin -f AUDIO.wav {}",
    "stable-diffusion.cpp": "sd-cli -m MODEL.gguf -p PROMPT {}",
}  # fmt: skip


def lines_for(lines: Iterable[str], program: str) -> list[str]:
    """The lines to paste as the program takes them, each once; settings that it does not have are left out."""
    return list(dict.fromkeys(line for told in lines for line in _lines(program, told)))


def _lines(name: str, line: str) -> list[str]:
    found = _LINE.match(line)
    if found is None:
        return [] if _WRAPPED.match(line) else [line]
    if found[1]:
        return [f"export {found[1]}", *_lines(name, f"llama-server {found[2]}")]
    options = [(given[1], given[2] or "") for given in _OPTION.finditer(found[2])]
    if any(option == "--tensor-split" for option, _ in options) and "--tensor-split" not in _FLAGS[name]:
        return []
    settings = [_setting(name, option, value) for option, value in options]
    kept = [setting for setting in settings if setting]
    if not kept or name not in _CALLS:
        return kept
    return [_CALLS[name].format((", " if name == BINDINGS else " ").join(kept))]


def _setting(name: str, option: str, value: str) -> str:
    if (option, value) == ("-fa", "off"):
        return _OFF.get(name, "")
    if (option, value) == ("-ngl", "0") and name in _WITHOUT_GPU:
        return _WITHOUT_GPU[name]
    known = _VALUES.get((name, option), {})
    if name == "koboldcpp" and option == "--tensor-split":
        value = value.replace(",", " ")
    if name == BINDINGS and option == "--tensor-split":
        value = value.replace(",", ", ")
    return _FLAGS[name].get(option, "").format(known.get(value, value))


def words_for(text: str, program: str) -> str:
    """A text of advice with llama.cpp's options under the program's names for them; without the sentences whose option it lacks."""
    if not _IN_WORDS.search(text):
        return text
    known = {**dict.fromkeys(_OPTIONS_OF_LLAMA, ""), **_FLAGS[program]}
    told = (said for said in SENTENCE.findall(text) if all(known.get(name, name) for name in _IN_WORDS.findall(said)))
    return _IN_WORDS.sub(lambda found: _name(known.get(found[0], found[0])), "".join(told)).rstrip()


def _name(setting: str) -> str:
    return setting.replace("export ", "").replace("PARAMETER ", "").split(" {")[0].split("={")[0].split(": {")[0]
