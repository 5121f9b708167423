"""Who reads a report, as far as the text tells: framework, system and maker of the GPU decide which words and lines help."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from triage.engine.values import Value
from triage.facts.servers import STARTED_BY, only_server
from triage.reading.lazy import Pattern
from triage.report import interfaces
from triage.report.commands import (
    OF_PROGRAMS,
    WITHOUT_PYTHON,
    how_to_know,
    in_jetsons_words,
    in_windows_words,
    is_of_a_model,
    is_of_torch,
    sentences_for,
    speak_of_packages,
    speaks_of_python,
)
from triage.report.launchers import launcher, line_of, lines_of
from triage.report.servers import OF_MEMORY, OF_TRAINING, TRAINERS
from triage.report.servers import how_to_know as how_for_a_server
from triage.report.servers import lines_for as lines_for_a_server
from triage.report.servers import words_for as words_for_a_server
from triage.rulebook.rulebook import told_instead

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from triage.engine.model import Model
    from triage.facts.observation import Observation
    from triage.reading import Log

# Frameworks that only run on the GPUs of one maker, whose messages therefore tell whose GPU it is.
_MADE_BY = {
    "rocm": "amd", "zluda": "amd", "xpu": "intel", "oneccl": "intel", "openvino": "intel", "mps": "apple", "metal": "apple",
    "mlx": "apple", "ascend": "ascend", "hccl": "ascend", "musa": "moore-threads",
}  # fmt: skip
# Words in the names of GPUs that tell their maker; a GPU that has none of them is NVIDIA's.
_NAMED_BY = {"Radeon": "amd", "Instinct": "amd", "AMD": "amd", "gfx": "amd", "Intel": "intel", "Arc ": "intel", "Ascend": "ascend",
             "Apple": "apple", "MTT": "moore-threads"}  # fmt: skip
# Frameworks whose users see no PyTorch, by the packages that a traceback or a list of versions names.
_FRAMEWORKS = {
    "tensorflow": "tensorflow", "keras": "tensorflow", "jax": "jax", "jaxlib": "jax", "paddle": "paddle", "mxnet": "mxnet",
    "mindspore": "mindspore", "cupy": "cupy", "tensorrt": "tensorrt", "onnxruntime": "onnxruntime", "openvino": "openvino",
    "ctranslate2": "ctranslate2", "faster_whisper": "ctranslate2", "faster-whisper": "ctranslate2",
    "cudf": "rapids", "cuml": "rapids", "cugraph": "rapids", "cuspatial": "rapids", "dask_cudf": "rapids",
}  # fmt: skip
# What else tells a framework, in small letters: the first that stands in a text without PyTorch and what is built upon it.
_SHOWN_BY = {
    "alphafold": "jax", "colabfold": "jax",  # TensorFlow only reads their inputs
    "tensorflow": "tensorflow", "paddle": "paddle", "mindspore": "mindspore", "mxnet": "mxnet", "jaxlib": "jax", "xlaruntimeerror": "jax",
    "external/xla/": "jax", "external/local_xla/": "tensorflow", "jax ": "jax", "onnxruntime": "onnxruntime", "openvino": "openvino",
    "ollama": "ollama", "ggml": "ggml", "llama.cpp": "ggml", "cudf": "rapids", "cuml": "rapids", "spark-rapids": "rapids",
    "ctranslate2": "ctranslate2", "faster-whisper": "ctranslate2", "faster_whisper": "ctranslate2", "fasterwhisper": "ctranslate2",
    "cupy": "cupy", "numba": "numba", "catboost": "catboost", "xgboost": "xgboost",
    "lightgbm": "lightgbm", "faiss": "faiss", "darknet": "darknet", "caffe": "caffe", "theano": "theano", "opencv(": "opencv",
    "opencv error: ": "opencv", "tensorrt": "tensorrt", "[trt]": "tensorrt", "amrex": "amrex", "dlib": "native", "kokkos": "native",
    "lammps": "lammps", "gromacs": "native", "namd ": "native", "openmm": "openmm", "blender": "native", "pmemd": "native",
    "tritonserver": "triton-server", "triton inference server": "triton-server", "pinned_memory_manager.cc": "triton-server",
    "matconvnet": "native", "pygpu": "theano", "gpuarrayexception": "theano", "cntk": "cntk", "marian": "marian", "kaldi": "kaldi",
    "cu-device.cc": "kaldi", "cu-allocator.cc": "kaldi", "cu-matrix.cc": "kaldi", "cu-vector.cc": "kaldi",
}  # fmt: skip
# What runs below a framework or program: its message does not tell what the reader runs.
_RUNTIMES = frozenset(("cuda", "rocm", "hip", "zluda", "xpu", "sycl", "oneccl", "metal", "musa", "vulkan", "opencl", "ascend"))
_OF_TORCH7 = ("luajit", "cutorch", "luarocks")  # it lends PyTorch its name, and shares nothing that a user could paste
_TORCHS_WORLD = Pattern(
    r"torch|\baten\b|\bc10|\bthc|processgroup|tcpstore|transformers|accelerate|vllm|sglang|diffusers|deepspeed|megatron|lightning|comfy"
    r"|bitsandbytes|flash.attn|xformers|exllama|text.generation|\bnccl\b|apex"
)
_OF_CPP = Pattern(r"\w\.(?:(?:cuh?|cpp|cc|cxx|hpp)\b|h[:(][0-9])")
_COMPILES = Pattern(r"\bnvcc\b|\bcmake\b|\bninja\b|\bptxas\b|\berror: ")


class Reader:
    """What is known of who reads, each thing looked up when it is first needed."""

    def __init__(self, log: Log, observations: Sequence[Observation], model: Model) -> None:
        self._log = log
        self._observations = observations
        self._model = model

    @cached_property
    def on_windows(self) -> bool:
        """Whether the text speaks of Windows, and of no path or subsystem of Linux beside it."""
        if not self._remarks("on-windows") or self.in_wsl:
            return False
        return not any(item.template == "frame" and str(item.slots.get("path")).startswith("/") for item in self._observations)

    @cached_property
    def in_wsl(self) -> bool:
        """Whether the program runs in Windows' subsystem for Linux: its driver is that of Windows."""
        return bool(self._remarks("wsl"))

    @cached_property
    def on_jetson(self) -> bool:
        """Whether the GPU is part of a Tegra chip: its driver comes with JetPack, and its memory is the host's."""
        return bool(self._remarks("on-jetson"))

    @cached_property
    def uses(self) -> frozenset[str]:
        """The servers and libraries that the text shows."""
        return frozenset(str(fact.get("name")) for fact in self._model.facts("uses"))

    def framework(self, bindings: Mapping[str, Value]) -> str:
        """The framework whose message it was, else what the program is written in, else the only one that the text names."""
        told = str(bindings.get("framework") or self._written_in or self._named or self._shown).lower()
        if not told or told in _RUNTIMES:
            if self._runs_ggml:
                return "ggml"
            if told and (program := self._written_in or self._shown) in OF_PROGRAMS:
                return program
        if told == "tensorflow" and "jax" in self.uses and self._named != "tensorflow":  # XLA speaks to both
            return "jax"
        if told == "ggml" and self._binds_ggml:
            return "llama-cpp-python"
        return "torch" if told == "pytorch" else told

    @cached_property
    def _binds_ggml(self) -> bool:
        """Whether ggml is called through its bindings of Python, which pip installs and compiles."""
        named = {str(fact.get("package")) for template in ("frame", "version") for fact in self._model.facts(template)}
        return bool(named & {"llama-cpp-python", "llama_cpp"})

    @cached_property
    def _runs_ggml(self) -> bool:
        """Whether a program of ggml printed something, and no Python around it."""
        return bool(self._remarks("runs-ggml")) and not self._model.facts("frame")

    @cached_property
    def server(self) -> str:
        """The ready-made server that is run, where nothing shows that its user trains a model besides; '' otherwise."""
        server = only_server(self.uses, STARTED_BY)
        if not server or any(fact.get("package") in TRAINERS for fact in self._model.facts("frame")):
            return ""
        return server if self._launcher in ("", "ray", "slurm") else ""

    @cached_property
    def interface(self) -> frozenset[str]:
        """The programs with an interface of their own that the text shows, where its reader writes no code besides."""
        shown = self.uses & interfaces.INTERFACES
        return frozenset() if self.server or self._remarks("writes-code") else shown

    @cached_property
    def own_python(self) -> str:
        """The Python that the program brings with it on Windows, as it is called from the program's directory; '' where none is known."""
        if not self.on_windows:
            return ""
        return interfaces.python_of(self.interface, {str(fact.get("value")) for fact in self._remarks("own-python")})

    @cached_property
    def started(self) -> str:
        """How the server is started: by its command, or by a script that imports its engine."""
        return "python app.py" if self._remarks("offline-engine") else STARTED_BY[self.server]

    @cached_property
    def _system(self) -> str:
        """The kind of Linux by its packages, where it is not Debian's; '' otherwise."""
        logs = [log for log, _ in self._log.parts] or [self._log]
        from triage.report.systems import system

        return system("\n".join([line.raw for log in logs for line in log.lines]))

    @cached_property
    def engine(self) -> str:
        """What runs the reader's containers, where it is not Docker; '' otherwise."""
        shown = {str(fact.get("value")) for fact in self._remarks("engine")}
        if not shown:
            return ""
        from triage.report.engines import engine  # most run their containers with Docker, or none

        return engine(shown)

    def of_containers(self, text: str) -> str:
        """A sentence with the option by which the reader's engine gives a container its GPUs."""
        if not self.engine:
            return text
        from triage.report.engines import words_for

        return words_for(self.engine, text)

    def own_words(self, text: dict[str, Any], library: dict[str, Any]) -> dict[str, Any]:
        """What a rule brings of a fix, without words for users of another engine where the library has some for the reader's."""
        if not self.engine or self.engine not in (library.get("for") or {}):
            return text
        from triage.report.engines import is_of_docker

        if not is_of_docker(text):
            return text
        return {key: value for key, value in text.items() if key not in ("title", "detail", "commands", "commands_of")}

    def is_of_use(self, fix: str, identifier: str, framework: str) -> bool:
        """Whether a fix is one for this reader: who serves a model trains none, who clicks in an interface or runs a program that came
        compiled writes no code."""
        of_memory = identifier.startswith("memory.")
        if of_memory and is_of_a_model(fix, framework):
            return False
        one_gpu = self.on_jetson or self._maker(framework) == "apple"
        if is_of_torch(fix, framework) or (fix == "shard-model" and (one_gpu or framework == "openmm")):
            return False
        if of_memory and self.interface:
            return interfaces.is_of_use(fix, self.interface, bool(self._remarks("trains")), identifier.startswith("memory.host-"))
        return not (self.server and (fix in OF_TRAINING or (fix in OF_MEMORY and of_memory)))

    def how_to_know(self, text: str, framework: str) -> str:
        """How a missing fact is found out, in the words of the reader's program; '' where only others could."""
        told = line_of(self._launcher, how_to_know(text, framework))
        if self.on_jetson:
            told = "".join(in_jetsons_words([told]))
        if self.interface:
            told = "".join(interfaces.lines_for([told]))
        if self.on_windows:
            told = "".join(in_windows_words([told]))
        if self.own_python:
            told = "".join(interfaces.with_its_python([told], self.own_python))
        return how_for_a_server(told, self.started) if self.server else told

    def library_fix(self, library: dict[str, Any], framework: str) -> dict[str, Any]:
        """What the library says of a fix, as this reader needs it: the GPU's maker decides before the system, that before the framework."""
        instead = library.get("for") or {}
        told = library
        for kind in self._kinds(framework):
            own = instead.get(kind, {})
            told = told_instead(library if "detail" in own else told, own)  # no title of one kind above the text of another
        return told

    def words(self, text: str, framework: str) -> str:
        """What is advised, as far as it speaks to the reader, with the names that hold for the reader's GPUs."""
        text = self.of_containers(words_for_a_server(text) if self.server else sentences_for(text, framework))
        maker = self._maker(framework)
        if not maker:
            return text
        from triage.report.makers import words_for  # few GPUs are of other makers

        return words_for(text, maker)

    def lines(self, lines: list[str], framework: str) -> list[str]:
        """The lines to paste with the names that hold for the reader's GPUs, as the reader's system takes them."""
        maker = self._maker(framework)
        if maker:
            from triage.report.makers import lines_for

            lines = lines_for(lines, maker)
        if self.on_jetson:
            lines = in_jetsons_words(lines)
        lines = lines_of("" if self.server or self.interface else self._launcher, lines)
        if self.engine:
            from triage.report.engines import lines_for as lines_for_its_engine

            lines = lines_for_its_engine(self.engine, lines)
        if self.server:
            lines = lines_for_a_server(lines, self.started)
        if self.interface:
            lines = interfaces.lines_for(lines)
        if self.on_windows:
            lines = in_windows_words(lines)
        elif speak_of_packages(lines):
            from triage.report.systems import lines_for as lines_for_its_system

            lines = lines_for_its_system(self._system, lines)
        return interfaces.with_its_python(lines, self.own_python) if self.own_python else lines

    @cached_property
    def without_root(self) -> bool:
        """Whether the reader says so, or works on a machine that many share and shows no sign of being root there."""
        shown = {str(fact.get("value")) for fact in self._remarks("rights")}
        return "none" in shown or ("root" not in shown and ("shared" in shown or self._launcher == "slurm"))

    def of_rights(self, fix: str, lines: list[str], lang: str) -> str:
        """What is said beside a fix that needs root, where the reader seems to have no such rights; '' otherwise."""
        if not self.without_root:
            return ""
        from triage.report.rights import remark

        return remark(fix, lines, lang)

    def comes_later(self, fix: str) -> bool:
        """Whether a fix is not for this reader to apply, so that what the reader can do oneself comes first."""
        if not self.without_root:
            return False
        from triage.report.rights import OF_DRIVERS

        return fix in OF_DRIVERS

    def is_for(self, case: Mapping[str, Any], framework: str) -> bool:
        """Whether a known case is not one of another maker's GPU."""
        environment = case["environment"]
        makers = {_MADE_BY[name] for name in environment.get("frameworks", ()) if name in _MADE_BY}
        for gpu in environment.get("gpus", ()):
            makers.add(next((maker for word, maker in _NAMED_BY.items() if word in str(gpu)), ""))
        return not makers or self._maker(framework) in makers

    def _kinds(self, framework: str) -> Iterable[str]:
        if framework in OF_PROGRAMS or framework == "llama-cpp-python":
            yield "native"
        if framework == "llama-cpp-python":
            yield "ggml"
        yield framework
        if self.server:
            yield "server"
        if self.on_windows:
            yield "windows"
        if len(self.interface) == 1:
            yield from self.interface
        if self.own_python:
            yield "own-python"
        if self.engine:
            yield self.engine
        if self.in_wsl:
            yield "wsl"
        if self.on_jetson:
            yield "jetson"
        yield self._maker(framework)
        if framework in WITHOUT_PYTHON:
            yield f"native-{self._maker(framework)}"

    def _maker(self, framework: str) -> str:
        """Who made the GPUs, by the message or else by the text, where that is not NVIDIA; '' otherwise."""
        return (
            _MADE_BY.get(framework) or next((str(fact.get("name")) for fact in self._model.facts("maker")), "") or self._maker_of_messages
        )

    @cached_property
    def _maker_of_messages(self) -> str:
        """Who made the GPUs by what printed the messages, where all of those that tell it tell the same."""
        told = {_MADE_BY.get(str(fact.get("framework"))) for fact in self._model.facts("signal")} - {None}
        return str(told.pop()) if len(told) == 1 else ""

    @cached_property
    def _launcher(self) -> str:
        return launcher({str(fact.get("value")) for fact in self._remarks("launched-by")})

    def _remarks(self, topic: str) -> list[Any]:
        return [fact for fact in self._model.facts("remark") if fact.get("topic") == topic]

    @cached_property
    def _written_in(self) -> str:
        """What the program is written in where that is known, and no Python beside it; '' otherwise."""
        shown = sorted(str(fact.get("value")) for fact in self._remarks("program"))
        return "" if not shown or speaks_of_python(line.raw for line in self._log.lines) else shown[0]

    @cached_property
    def _named(self) -> str:
        """The one framework that frames and versions name, where PyTorch is not among them."""
        named = {str(fact.get("package")) for template in ("frame", "version") for fact in self._model.facts(template)}
        known = {_FRAMEWORKS[name] for name in named if name in _FRAMEWORKS}
        return known.pop() if len(known) == 1 and "torch" not in named else ""

    @cached_property
    def _shown(self) -> str:
        """The framework whose name the text bears, where none of its words is of PyTorch's world; 'native' where it shows sources of C++
        or CUDA alone; '' otherwise."""
        text = "\n".join([line.raw for line in self._log.lines]).lower()
        if any(word in text for word in _OF_TORCH7):
            return "torch7"
        if _TORCHS_WORLD.search(text):
            return ""
        shown = next((framework for word, framework in _SHOWN_BY.items() if word in text), "")
        compiles = _COMPILES.search(text) and not self._remarks("built-by-make")  # where pip or a setup.py builds, Python is spoken of
        if not shown and _OF_CPP.search(text) and not compiles and not speaks_of_python([text]):
            return "native"
        return shown
