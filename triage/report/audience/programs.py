"""Lines to paste and sentences that the reader's program understands: no Python for a program without it, no PyTorch beside another
framework."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from triage.facts.readers import having
from triage.facts.servers import SERVERS, only_server
from triage.reading.lazy import Pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

# Programs of these do not import PyTorch. Servers, launchers and NCCL are not among them.
_APART_FROM_TORCH = having("apart")
_FRAMEWORKS = ("torch", "jax", "tensorflow")
# What lies below programs of every kind: what is known of it tells all of them something.
_BELOW: Final = frozenset(("nccl", "docker", "kubernetes", "cuda", "rocm"))
WITHOUT_PYTHON = having("compiled")
_WITHOUT_MODELS = having("no-model")
_RUN_MODELS = having("runs-models")
_OF_MODELS = frozenset(
    ("gradient-checkpointing", "gradient-accumulation", "lower-precision", "use-peft", "no-grad", "find-unused-parameters")
)
# Programs with Python around them whose users are spoken to as users of a program: what they run is not a model of theirs.
OF_PROGRAMS = WITHOUT_PYTHON | {"openmm"}
_OF_DEBIAN = ("apt-get", "apt-mark", "apt ", "dpkg", "ubuntu-drivers", "update-initramfs")
_OF_TORCH = (
    "torch", "AutoModel", "accelerate ", "bitsandbytes", "flash-attn", ".float()", ".contiguous()", ".clone()", ".item()", ".detach()",
    ".numel()", ".stride()", ".backward()", "deepspeed",
)  # fmt: skip
_OF_BINDINGS: Final = ("install.packages(", "Sys.setenv(", "torch::", "gem ", "bundle ", "ruby ")  # of R and Ruby
_OF_ONE_FRAMEWORK = Pattern(
    r"\b(?:[Tt]orch\w*|PyTorch|PYTORCH\w*|TORCH_\w+|JAX|TensorFlow|transformers|Transformers|low_cpu_mem_usage"
    r"|empty_cache|memory_allocated|DeepSpeed|device_map|loss\.item|sdpa|channels_last|numel|(?<![\w-])cu1[12][0-9])\b"
)
_COMMON_WORDS: Final = frozenset(
    ("native", "go", "metal", "rust", "candle", "burn", "solvers", "warp")
)  # a sentence with one of these need not mean the program
SENTENCE = Pattern(r"[^.!?。！？]*(?:[.!?](?!\s|$)[^.!?。！？]*)*(?:[.!?。！？]+\s*|$)")
_CALLS_A_MODEL = Pattern(r"\bmodel\.\w+[.(]")  # a file such as model.onnx is called nothing
PROGRAM_OF_PYTHON = Pattern(r"python (?:train|app|main)\.py")
_PARTS = Pattern(r"; |'[^']*'|\"[^\"]*\"|\{[^}]*\}")
_OF_PYTHON = ("python", "pip ", "fresh/bin", ".py", "import ", "PACKAGE")
_SPEAKS_OF_PYTHON = ("python", ".py", "pip ", "pip3 ", "conda", "import torch", "numpy", "jupyter", "notebook")  # torch has other bindings


def is_of_torch(fix: str, framework: str) -> bool:
    """Whether a fix is one that only PyTorch has, for who uses another framework."""
    return fix == "map-location" and framework in _APART_FROM_TORCH


def is_apart_from_torch(framework: str) -> bool:
    """Whether programs of this framework do not import PyTorch."""
    return framework in _APART_FROM_TORCH


def speak_of_packages(lines: Iterable[str]) -> bool:
    """Whether some line is one for Debian, Ubuntu and what is made of them."""
    return any(word in line for line in lines for word in _OF_DEBIAN)


def library_commands(library: Mapping[str, Any], framework: str | None, uses: Collection[str] = ()) -> list[Any]:
    """The lines of a fix of the library: none that only another framework understands than the one whose message it was.

    `uses` are the servers and libraries that the text shows. The first that the fix has lines for takes the place of its framework.
    """
    lines_of = library.get("commands_of", {})
    shown = {framework or "", *uses}
    servers = shown.intersection(SERVERS)
    if servers:  # what it is built upon is not what its user runs
        only = only_server(servers, SERVERS)
        shown = {only} if only else servers
    special = next((name for name in lines_of if name not in _FRAMEWORKS and name in shown), None)
    lines = list(library.get("commands", []))
    for name, own in lines_of.items():
        if name == special if special else name in _FRAMEWORKS and _understands(framework, name):
            lines += own
    return lines


def _understands(framework: str | None, name: str) -> bool:
    return not framework or framework == name or (name == "torch" and framework not in _APART_FROM_TORCH)


def understood(lines: Iterable[str], framework: str | None) -> list[str]:
    """Those of the lines that a program of this framework understands; of a line that runs Python's example the words around it."""
    if framework not in _APART_FROM_TORCH:
        return list(lines)
    kept = [line for line in lines if not _is_of_torch(line) and not _CALLS_A_MODEL.search(line) and "PACKAGE" not in line]
    if framework not in WITHOUT_PYTHON:
        return kept
    kept = [PROGRAM_OF_PYTHON.sub("PROGRAM", line) for line in kept]
    return [line for line in kept if not line.startswith("PROGRAM") and not any(word in line for word in _OF_PYTHON)]


def _is_of_torch(line: str) -> bool:
    return any(word in line for word in _OF_TORCH) and not line.startswith(_OF_BINDINGS)


def is_of_a_model(fix: str, framework: str) -> bool:
    """Whether a fix is one for who writes or trains a model, which users of this program do not."""
    if framework in _RUN_MODELS:
        return fix in _OF_MODELS and fix != "lower-precision"
    return framework in _WITHOUT_MODELS and fix in _OF_MODELS


def computes_no_attention(framework: str) -> bool:
    """Whether a program has no attention that its user could choose: it is none of language models."""
    return framework in _WITHOUT_MODELS and framework not in ("ggml", "llama-cpp-python", "ollama")


def steps(text: str) -> Iterator[str]:
    """The steps of a line, which semicolons part; those within quotes and braces are part of what a shell hands on."""
    begun = 0
    for found in _PARTS.finditer(text):
        if found[0] == "; ":
            yield text[begun : found.start()]
            begun = found.end()
    yield text[begun:]


def how_to_know(line: str, framework: str) -> str:
    """A line that shows a missing fact, in the words of the reader's program; '' where only PyTorch's users could run it."""
    if framework in _APART_FROM_TORCH and _is_of_torch(line):
        return ""
    return PROGRAM_OF_PYTHON.sub("PROGRAM", line) if framework in WITHOUT_PYTHON else line


def words_for(text: str, framework: str) -> str:
    """A text of advice without the sentences that speak to users of another framework, where the reader's is known."""
    if framework not in _APART_FROM_TORCH or not _OF_ONE_FRAMEWORK.search(text):
        return text
    named = "" if framework in _COMMON_WORDS else framework
    kept = [said for said in SENTENCE.findall(text) if (named and named in said.lower()) or not _OF_ONE_FRAMEWORK.search(said)]
    return "".join(kept).rstrip()


def speaks_to_others(title: str, detail: str, framework: str) -> bool:
    """Whether the title of a fix, or all that is said below it, is for users of another framework than this one."""
    return words_for(title, framework) != title or (bool(detail) and not words_for(detail, framework))


def is_of_another(frameworks: Collection[str], framework: str) -> bool:
    """Whether what is known of these frameworks tells nothing to who uses this one: he uses none of them, and no PyTorch."""
    return framework in _APART_FROM_TORCH and bool(frameworks) and framework not in frameworks and not _BELOW.issuperset(frameworks)


def speaks_of_python(texts: Iterable[str]) -> bool:
    """Whether some line names Python, its tools or one of its files."""
    return any(word in text for text in map(str.lower, texts) for word in _SPEAKS_OF_PYTHON)
