"""What the words in capitals in lines to paste stand for, as far as the text tells: the package at fault, the reader's GPUs and driver.

Only rows of tables and values that were checked when they were read are put in, never a name that a log made up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from triage.engine.values import Value, Version
from triage.facts.quantities import parse_version
from triage.facts.servers import PACKAGED, only_server
from triage.reading.lazy import Pattern
from triage.report.told import capabilities, one_version
from triage.report.wheels import Wheels

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from triage.engine.facts import Fact
    from triage.engine.model import Model
    from triage.facts.observation import Observation
    from triage.rulebook.rulebook import Rulebook

# Fixes about the package whose code failed, and the domains in which that is the one that a traceback ends in.
_ABOUT_THE_CULPRIT = ("upgrade-package", "rebuild-extension")
_ABOUT_THE_SERVER = ("upgrade-package", "pin-package", "update-code")
_OF_PACKAGES = ("version.package-conflict.", "compile.extension-build.")  # these name the package that is at fault
_REFUSED_BY_A_PACKAGE = ("config.", "device.", "dtype.", "kernel.", "numerics.", "shape.", "version.abi.")
_BUILD = "compile.extension-build"
_LACKS_A_KERNEL = ("dtype.not-implemented.", "compile.graph.")  # of these the framework itself has more in later releases
_NAMED_BY_RULES = ("package", "library", "module", "name", "op")
_BUS_ADDRESS = Pattern(r"((?:[0-9A-Fa-f]{4,8}:)?[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2})(?:\.([0-7]))?\Z")
_PACKAGES = {"torch": "torch", "tensorflow": "tensorflow", "jax": "jax", "onnxruntime": "onnxruntime-gpu", "paddle": "paddlepaddle-gpu"}
_SPACES_OF_TORCH = ("3c10", "5torch", "2at", "6caffe2")  # as names are mangled: the length of each stands before it
_UPON_TORCH = frozenset((
    "transformers", "diffusers", "accelerate", "peft", "trl", "deepspeed", "lightning", "pytorch_lightning", "vllm", "sglang", "flash_attn",
    "xformers", "bitsandbytes", "comfyui", "webui", "llamafactory", "unsloth", "axolotl", "megatron", "openmmlab",
    "torchvision", "torchaudio", "torch_npu", "torch_scatter", "torch_sparse", "torch_cluster", "mmcv", "mmdet", "detectron2",
    "pytorch3d", "spconv", "causal_conv1d", "mamba_ssm", "flashinfer", "sgl_kernel", "apex", "timm",
))  # fmt: skip
_NUMBERED_BY_THE_DRIVER = ("hardware.", "env.", "device.busy.")
_OF_THE_MASTER = ("distributed.rendezvous.", "distributed.port-in-use.")  # what they name as address and port is where the ranks meet
_A_FILE = Pattern(r"[\w.+-]{3,80}\Z")
_AN_ADDRESS = Pattern(r"[\w.:-]{1,80}\Z")
# Without it torch.utils.cpp_extension builds for the GPUs that it sees, which is right where the text does not name them.
_GPUS_THAT_THE_BUILD_SEES = "TORCH_CUDA_ARCH_LIST='CAPABILITY' "
# Their build imports the torch that is installed, which an isolated build does not see.
_BUILT_WITH_TORCH = frozenset(("flash-attn",))


class Placeholders:
    """Fills in lines to paste. Words whose value is not known stay: the reader knows them."""

    def __init__(self, observations: Sequence[Observation], model: Model, book: Rulebook) -> None:
        self._observations = observations
        self._model = model
        self._book = book
        self._wheels = Wheels(model, book)

    def fill(self, lines: list[str], identifier: str, fix: str, fact: Fact, bindings: Mapping[str, Value]) -> list[str]:
        """The lines of a fix of a diagnosis; `fact` says where it was seen, `bindings` what its rule bound."""
        known: dict[str, Callable[[], str]] = {
            "CAPABILITY": lambda: ";".join(map(str, capabilities(self._model))),
            "FRAMEWORK": lambda: self._framework(bindings) or _framework_of(str(bindings.get("op") or "")),
            "FREE_GPU": lambda: self._free_gpu(bindings.get("gpu")),
            "GPU_ID": lambda: self._gpu(identifier, bindings),
            "NAME*": lambda: _file(bindings.get("library"), "*"),
            "grep NAME": lambda: _file(bindings.get("library"), before="grep "),
            "MASTER_ADDR": lambda: _address(identifier, bindings.get("address")),
            "MASTER_PORT": lambda: _address(identifier, bindings.get("port")),
            "TOOLKIT": self._toolkit,
            "WHEELS": lambda: self._wheels.index(identifier),
            "xformers==RELEASE": lambda: self._beside_torch("xformers", "xformers=={}", bindings.get("found")),
            "torchcodec==RELEASE": lambda: self._beside_torch("torchcodec", "torchcodec=={}", bindings.get("found")),
            "triton-windows==3.VERSION": lambda: self._beside_torch("triton-windows", "triton-windows=={}"),
            "/whl/cuVERSION": lambda: f"/whl/cu{built.replace('.', '')}" if (built := self._toolkit()) else "",
        }
        for word, value in known.items():
            if any(word in line for line in lines) and (text := value()):
                lines = [_put(word, text, line) for line in lines]
        lines = [line.replace(_GPUS_THAT_THE_BUILD_SEES, "") for line in lines if not line.endswith("/WHEELS")]  # PyTorch has none for them
        if any("PACKAGE" in line for line in lines) and (package := self._package(identifier, fix, fact, bindings)):
            lines = [name_package(line, package) for line in lines]
        return lines

    def _framework(self, bindings: Mapping[str, Value]) -> str:
        """The package of the framework whose message it was, else of the only one that the text gives a version of or shows code of."""
        given = {_PACKAGES.get(str(fact.get("package"))) for fact in self._model.facts("version")} - {None}
        if not given:
            shown = {
                str(fact.get(slot)) for template, slot in (("frame", "package"), ("uses", "name")) for fact in self._model.facts(template)
            }
            given = {_PACKAGES.get(name) for name in shown} - {None} or ({"torch"} if shown & _UPON_TORCH else set())
        named = [str(bindings[slot]).partition(".")[0] for slot in ("framework", *_NAMED_BY_RULES) if slot in bindings]
        if found := next(filter(None, map(_PACKAGES.get, named)), "") or (str(given.pop()) if len(given) == 1 else ""):
            return found
        return "torch" if any(module_of(name) in _UPON_TORCH for name in named) else ""

    def _index(self, identifier: str, gpu: Value | None) -> str:
        """The number of a GPU as nvidia-smi counts, where it was the driver or a tool of it that named it: a process may count anew."""
        return str(gpu) if isinstance(gpu, int) and identifier.startswith(_NUMBERED_BY_THE_DRIVER) else ""

    def _gpu(self, identifier: str, bindings: Mapping[str, Value]) -> str:
        """The GPU of a diagnosis as the driver's tools take it: its address, its number, else the only one that failed."""
        told = bus_id(str(bindings.get("pci") or "")) or self._index(identifier, bindings.get("gpu"))
        return told or (self._only_one() if identifier.startswith("hardware.") else "")

    def _only_one(self) -> str:
        """The address of the only GPU whose hardware the text reports to have failed, where the line that was diagnosed leaves it out."""
        failed = (fact.get("pci") for fact in self._model.facts("signal") if str(fact.get("failure")).startswith("hardware."))
        told = {
            known.lower().lstrip("0:"): known for address in failed if address and (known := bus_id(str(address)))
        }  # domains vary in length
        return next(iter(told.values())) if len(told) == 1 else ""

    def _free_gpu(self, taken: Value | None) -> str:
        """The index of the GPU with most room by a table of the text, and with more than half of its memory free."""
        cards = [fact for fact in self._model.facts("gpu") if fact.get("gpu") not in (None, taken)]
        room = {str(fact.get("gpu")): _room(fact) for fact in cards}
        best = max(room, key=lambda index: room[index], default="")
        return best if best and room[best] > 0.5 else ""

    def _toolkit(self) -> str:
        """The version of CUDA that the program was built with, where the text names one; what the driver offers is another matter."""
        versions = {(fact.get("package"), fact.get("version")) for fact in self._model.facts("version")}
        of_torch = {version for package, version in versions if package == "torch_cuda"}
        if len(of_torch) == 1:  # what stands beside it has to fit torch
            versions = {("cuda", version) for version in of_torch}
        built = {version for package, version in versions if package == "cuda" and ("driver_cuda", version) not in versions}
        version = built.pop() if len(built) == 1 else None
        return str(Version(version[:2])) if isinstance(version, Version) else ""

    def _beside_torch(self, package: str, said: str, found: Value | None = None) -> str:
        """The release of a package that is made for the torch that was found, else for that of the text, in the words of a line; '' where
        neither is known."""
        torch = parse_version(str(found)) if found else one_version(self._model, "torch")
        if torch is None:
            return ""
        rows = self._book.tables.table("torch-companions").where(package=package)
        return next((said.format(row["release"]) for row in rows if _covers(row, torch)), "")

    def _package(self, identifier: str, fix: str, fact: Fact, bindings: Mapping[str, Value]) -> Mapping[str, Value] | None:
        """The well-known package that a fix is about: the one that the rule names, else where the traceback ends, else who printed it."""
        named = [str(bindings[slot]) for slot in _NAMED_BY_RULES if slot in bindings]
        if fix in _ABOUT_THE_CULPRIT:
            if identifier.startswith(_REFUSED_BY_A_PACKAGE):
                named += self._packages_above(fact) or self._server()
            named.append(str(bindings.get("framework") or ""))
        if fix in _ABOUT_THE_SERVER and not identifier.startswith(_OF_PACKAGES):
            named += self._server()
        named += self._built()
        known = self._book.tables.table("distributions")
        rows = (row for name in named if (row := known.find("module", module_of(name))) and "distribution" in row)
        own_kernels = fix == "rebuild-extension" or identifier.startswith("kernel.")
        found = next((row for row in rows if not (own_kernels and row["kernels"] == "none")), None)
        if found is None and fix == "upgrade-package" and identifier.startswith(_LACKS_A_KERNEL):
            return {"distribution": name} if (name := _PACKAGES.get(str(bindings.get("framework")))) else None
        return found

    def _built(self) -> list[str]:
        """The one package whose wheel was being built."""
        built = {str(fact.get("op")) for fact in self._model.facts("signal") if fact.get("failure") == _BUILD and fact.get("op")}
        return list(built) if len(built) == 1 else []

    def _server(self) -> list[str]:
        """The one server that the text shows, where it refuses without a traceback."""
        server = only_server({str(fact.get("name")) for fact in self._model.facts("uses")}, PACKAGED)
        return [server] if server else []

    def _packages_above(self, fact: Fact) -> list[str]:
        """The installed packages whose frames stand above a line in the same process, the innermost first."""
        line, stream = fact.get("line"), fact.get("stream") or ""
        if not isinstance(line, int):
            return []
        frames = [item.slots for item in self._observations if item.template == "frame" and (item.slots.get("stream") or "") == stream]
        return [str(frame["package"]) for frame in reversed(frames) if frame.get("package") and int(str(frame["line"])) <= line]


def _framework_of(symbol: str) -> str:
    """The framework whose namespace a mangled name of C++ lies in; '' for others."""
    return "torch" if symbol.startswith("_Z") and any(space in symbol for space in _SPACES_OF_TORCH) else ""


def _put(word: str, text: str, line: str) -> str:
    """A line with a value in place of a word; where the word is a variable that the line sets or reads, it stays."""
    if f"{word}=" not in line and f"${word}" not in line:
        return line.replace(word, text)
    parts = line.split(word)
    for index, part in enumerate(parts[1:], 1):
        variable = part.startswith("=") or parts[index - 1].endswith("$")
        parts[index] = (word if variable else text) + part
    return "".join(parts)


def bus_id(address: str) -> str:
    """A PCI address as nvidia-smi takes it, with the function that logs leave out: 0000:9c:00 → 0000:9c:00.0; '' for other text."""
    match = _BUS_ADDRESS.match(address)
    return f"{match[1]}.{match[2] or 0}" if match else ""


def _address(identifier: str, told: Value | None) -> str:
    """An address or port that ranks meet at, where the message is about that."""
    text = str(told if told is not None else "")
    return text if identifier.startswith(_OF_THE_MASTER) and _AN_ADDRESS.match(text) else ""


def _file(library: Value | None, after: str = "", before: str = "") -> str:
    """The file of a library that a message names, between the words of a line; '' where it names none."""
    name = str(library or "").replace("\\", "/").rpartition("/")[2]
    return f"{before}{name}{after}" if _A_FILE.match(name) else ""


def module_of(name: str) -> str:
    """The module that a name of a package, of a module in it or of its compiled file stands for, as the table of distributions has it.

    `flash-attn` → flash_attn, `/env/site-packages/flash_attn_2_cuda.cpython-311-x86_64-linux-gnu.so` → flash_attn_2_cuda.
    """
    return name.replace("\\", "/").rpartition("/")[2].partition(".")[0].replace("-", "_").lower()


def name_package(line: str, distribution: Mapping[str, Any]) -> str:
    """A line to paste with the package it is about, a row of the table of distributions, instead of PACKAGE."""
    name, origin = str(distribution["distribution"]), distribution.get("origin")
    if origin is None or "uninstall" in line:
        built = name in _BUILT_WITH_TORCH and "pip install" in line and "PACKAGE" in line and "--no-build-isolation" not in line
        return line.replace("PACKAGE", name) + (" --no-build-isolation" if built else "")
    if "PACKAGE==" in line or "--only-binary" in line:  # what comes from its sources has neither
        return line
    return line.replace("--no-binary PACKAGE ", "").replace("PACKAGE", f"'{origin}'")


def _room(card: Fact) -> float:
    """The share of a GPU's memory that is free."""
    free, capacity = card.get("free_bytes"), card.get("capacity_bytes")
    return free / capacity if isinstance(free, int | float) and isinstance(capacity, int | float) and capacity else 0.0


def _covers(row: Mapping[str, Any], release: Version) -> bool:
    """Whether a row is for a release: from `low` on, and before `high` where that is known."""
    low: Version = row["low"]
    high: Version | None = row.get("high")
    return low <= release and (high is None or release < high)
